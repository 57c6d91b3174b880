"""Sizes that suit an adapter; calibration may choose others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tuning:
    """Tunable sizes.

    Attributes:
        workgroup: invocations of an elementwise workgroup.
        reduction: invocations of a reduction's workgroup.
        two_pass: reductions over more elements than this take two passes.
    """

    workgroup: int = 256
    reduction: int = 256
    two_pass: int = 65536
