"""Where the time of a run went, and what would make it faster.

Pure functions over the run model's rows; every piece of advice has a number that comes from them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.engine.run_rows import BoundaryRow, GroupRow, TransferRow
from app.ui.support import formats

LEAST_SHARE = 0.05
MOST_ADVICE = 3


@dataclass(frozen=True)
class Share:
    """A part of the wall time; ``tint`` is its colour token."""

    title: str
    ms: float
    tint: str


@dataclass(frozen=True)
class Advice:
    """One thing to change: what, by how much at most, and where (line 0 for nowhere)."""

    text: str
    gain_ms: float
    line: int = 0


_PARTS = (
    ("GPU", "device_ms", "device"),
    ("Host maths", "host_ms", "host"),
    ("Compiling", "compile_ms", "accent"),
    ("Uploads", "upload_ms", "both"),
    ("Downloads", "download_ms", "transfer"),
)
# The script itself does these one after another; the device and the compiler work beside it.
_OF_THE_SCRIPT = ("host_ms", "upload_ms", "download_ms")
_BESIDE = ("device_ms", "compile_ms")


def shares(wall_ms: float, counters: Mapping[str, float]) -> list[Share]:
    """The wall time in parts that add up to it.

    What the device and the compiler did while something else went on is told once, as the
    other thing: each of them has at most what the parts before it leave of the wall time.
    """
    left, spent = wall_ms, {}
    for counter in (*_OF_THE_SCRIPT, *_BESIDE):
        spent[counter] = min(left, counters.get(counter) or 0.0)
        left -= spent[counter]
    parts = [Share(title, spent[counter], tint) for title, counter, tint in _PARTS]
    parts.append(Share("Script and waiting", left, "lazy"))
    return [part for part in parts if part.ms > 0]


def advise(
    wall_ms: float,
    counters: Mapping[str, float],
    transfers: Sequence[TransferRow],
    groups: Collection[GroupRow],
    boundaries: Iterable[BoundaryRow],
) -> list[Advice]:
    """The things to change that promise most, the best first."""
    found = [
        *_about_compiling(wall_ms, counters),
        *_about_transfers(transfers),
        *_about_groups(groups),
        *_about_boundaries(boundaries, groups),
    ]
    worth = [a for a in found if a.gain_ms >= LEAST_SHARE * wall_ms]
    return sorted(worth, key=lambda a: -a.gain_ms)[:MOST_ADVICE]


def _about_compiling(wall_ms: float, counters: Mapping[str, float]) -> Iterable[Advice]:
    spent, count = counters.get("compile_ms") or 0.0, counters.get("kernels_compiled") or 0
    if count:
        kernels = "kernel was" if count == 1 else "kernels were"
        waited = {share.title: share.ms for share in shares(wall_ms, counters)}.get("Compiling", 0)
        yield Advice(
            f"{count:.0f} {kernels} compiled in {formats.milliseconds(spent)}. "
            "The next run finds them in the cache: run again.",
            waited,
        )


def _about_transfers(transfers: Sequence[TransferRow]) -> Iterable[Advice]:
    by_line: dict[tuple[int, str], list[TransferRow]] = {}
    for transfer in transfers:
        by_line.setdefault((transfer.line, transfer.direction), []).append(transfer)
    for (line, direction), rows in by_line.items():
        spent = sum(row.ms for row in rows)
        moved = formats.bytes_text(sum(row.bytes for row in rows))
        way = "downloaded" if direction == "down" else "uploaded"
        what = f"Line {line} {way} {moved} in {formats.milliseconds(spent)}"
        if len(rows) > 10:
            yield Advice(
                f"{what}, {len(rows)} times: read the array once, outside the loop.", spent, line
            )
        elif direction == "down" and sum(row.bytes for row in rows) > 1_000_000:
            yield Advice(
                f"{what}. Keep the value on the GPU, or reduce it there first.", spent, line
            )


def _about_groups(groups: Iterable[GroupRow]) -> Iterable[Advice]:
    for group in groups:
        host, device = group.host_estimate_ms, group.device_estimate_ms
        measured, runs = group.measured_ms, max(group.executions, 1)
        line = min(group.lines or [0])
        if measured is None:
            continue
        if group.reason == "precision" and device is not None:
            yield Advice(
                f"Line {line} is computed in double on the host, because this adapter has no "
                "doubles. With single it could run on the GPU.",
                measured - device,
                line,
            )
        elif group.reason == "forced" and (spare := _other_side(group)) > 0:
            side = "host" if group.provider != "host" else "GPU"
            yield Advice(
                f"Line {line} runs where you chose; the {side} is estimated to be faster. "
                "Let the cost model choose: Device panel, What is cheaper.",
                spare,
                line,
            )
        elif group.provider == "host" and group.reason == "too-small" and runs > 50:
            yield Advice(
                f"Line {line} ran {formats.count(runs)} times on small arrays. "
                "One operation on all of them at once would fuse.",
                measured,
                line,
            )
        elif group.reason == "unsupported-op" and host is not None:
            yield Advice(
                f"Line {line} uses an operation without a device form: {', '.join(group.ops[:3])}.",
                measured,
                line,
            )


def _other_side(group: GroupRow) -> float:
    """What the other side is estimated to save in all runs of a group."""
    here, there = group.device_estimate_ms, group.host_estimate_ms
    if group.provider == "host":
        here, there = there, here
    if here is None or there is None:
        return 0.0
    return float((group.measured_ms or 0.0) * (1 - there / here) if here else 0.0)


def _about_boundaries(
    boundaries: Iterable[BoundaryRow], groups: Collection[GroupRow]
) -> Iterable[Advice]:
    for boundary in boundaries:
        if boundary.reason == "domain-guard":
            redone = [g.measured_ms or 0.0 for g in groups if boundary.line in g.lines]
            yield Advice(
                f"Line {boundary.line} met values outside the real domain and was redone on "
                "the host. Make them non-negative first, if they should be.",
                sum(redone),
                boundary.line,
            )
