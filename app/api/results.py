"""What a run gives back: its output and the account of what happened where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """The account of a run; the same facts as the command line's ``--report`` file.

    Attributes:
        status: ok, error or interrupted.
        wall_ms: time of the run.
        device: name, vendor, backend … of the device in use.
        counters: kernels, dispatches, uploads, downloads and their bytes, times.
        groups: fused groups with kind, side, reason, lines and cost.
        boundaries: where fusion stopped, and why.
        kernels: compiled kernels.
        transfers: every copy between host and device.
        residency: where each variable lives.
        lines: times and bytes of each line.
    """

    status: str
    wall_ms: float
    device: Row
    counters: Row
    groups: tuple[Row, ...]
    boundaries: tuple[Row, ...]
    kernels: tuple[Row, ...]
    transfers: tuple[Row, ...]
    residency: tuple[Row, ...]
    lines: tuple[Row, ...]
    document: Row = field(repr=False)

    @classmethod
    def of(cls, document: Row) -> Report:
        """The report of a run's JSON document (schema 1)."""
        return cls(
            status=document["status"],
            wall_ms=document["wall_ms"],
            device=document["device"],
            counters=document["counters"],
            groups=tuple(document["groups"]),
            boundaries=tuple(document["boundaries"]),
            kernels=tuple(document["kernels"]),
            transfers=tuple(document["transfers"]),
            residency=tuple(document["residency"]),
            lines=tuple(document["lines"]),
            document=document,
        )

    def to_json(self) -> str:
        """The document as ``--report`` writes it."""
        return json.dumps(self.document)


@dataclass(frozen=True, slots=True)
class RunResult:
    """A run that went well.

    Attributes:
        output: what it printed.
        report: what happened where.
    """

    output: str
    report: Report
