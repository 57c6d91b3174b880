"""The ``--trace`` file: recorded events in Chrome's trace-event form, for Perfetto.

Each track is a thread of one process. What one source line set off is one chain: the Script track
shows the line for as long as the chain lasts, and arrows lead from there to its dispatches to its
download.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.accel.support.telemetry import Event

TRACKS = ("Script", "Planner", "Compile", "Upload", "Device", "Wait", "Download", "Host", "UI")
ARROWS = ("Script", "Upload", "Device", "Download")
WORK = frozenset({"Device", "Host"})
MEMORY = "Memory"
PROCESS = 1
Row = dict[str, Any]


def build(events: Iterable[Event], process_name: str = "fuselab") -> Row:
    """The trace of ``events`` (times in perf_counter seconds) as a JSON object."""
    ordered = sorted(events, key=lambda e: e.start)
    origin = ordered[0].start if ordered else 0.0
    memory = [_counter(e, origin) for e in ordered if e.track == MEMORY]
    ordered = [e for e in ordered if e.track != MEMORY]
    threads = {name: number for number, name in enumerate(_tracks(ordered), start=1)}
    rows = [_name("process_name", 0, process_name)]
    rows += [_name("thread_name", number, name) for name, number in threads.items()]
    rows += [_name("thread_sort_index", n, n, key="sort_index") for n in threads.values()]
    for number, chain in enumerate(_chains(ordered), start=1):
        line = _line_slice(chain)
        rows += [_slice(e, threads[e.track], origin) for e in (line, *chain)]
        rows += _arrows(number, [line, *chain], threads, origin)
    rows += [_slice(e, threads["Script"], origin) for e in ordered if _is_run(e)]
    return {"traceEvents": rows + memory, "displayTimeUnit": "ms"}


def write(events: Iterable[Event], path: Path) -> None:
    """Write the trace of ``events`` to ``path``."""
    path.write_text(json.dumps(build(events), default=str) + "\n", encoding="utf-8")


def _tracks(events: Sequence[Event]) -> list[str]:
    return [*TRACKS, *sorted({e.track for e in events} - set(TRACKS))]


def _name(what: str, thread: int, value: str | int, key: str = "name") -> Row:
    return {"ph": "M", "pid": PROCESS, "tid": thread, "name": what, "args": {key: value}}


def _slice(event: Event, thread: int, origin: float) -> Row:
    row = {"name": event.name, "cat": event.track, "pid": PROCESS, "tid": thread}
    row["ts"] = _microseconds(event.start - origin)
    arguments = dict(event.detail)
    if event.line:
        arguments["line"] = event.line
    if event.duration > 0:
        return row | {"ph": "X", "dur": _microseconds(event.duration), "args": arguments}
    return row | {"ph": "i", "s": "t", "args": arguments}


def _counter(event: Event, origin: float) -> Row:
    """Live device memory as a counter of the trace."""
    row = {"ph": "C", "pid": PROCESS, "name": "device memory"}
    row["ts"] = _microseconds(event.start - origin)
    return row | {"args": {"bytes": dict(event.detail)["live"]}}


def _chains(ordered: Sequence[Event]) -> Iterator[list[Event]]:
    """Events that one line set off: they follow each other, and a download is the end."""
    chain: list[Event] = []
    for event in ordered:
        if event.track in {"Script", "UI"}:
            continue
        if chain and _begins_anew(chain, event):
            yield chain
            chain = []
        chain.append(event)
    if chain:
        yield chain


def _begins_anew(chain: Sequence[Event], event: Event) -> bool:
    line = _line_of(chain)
    if event.line and line and event.line != line and event.track not in WORK:
        return True
    return chain[-1].track == "Download" and event.track != "Download"


def _line_of(chain: Sequence[Event]) -> int:
    """The line that needs the value; kernels bear the line of their work, which may be another."""
    lines = [(e.track in WORK, e.line) for e in reversed(chain) if e.line]
    return min(lines, key=lambda found: found[0])[1] if lines else 0


def _line_slice(chain: Sequence[Event]) -> Event:
    from app.accel.support.telemetry import Event

    line, start = _line_of(chain), chain[0].start
    end = max(e.start + e.duration for e in chain)
    return Event("Script", f"line {line}" if line else "run", start, max(end - start, 1e-9), line)


def _arrows(
    number: int, chain: Sequence[Event], threads: dict[str, int], origin: float
) -> list[Row]:
    members = [e for e in chain if e.track in ARROWS]
    last = len(members) - 1
    rows: list[Row] = []
    for place, event in enumerate(members if last else []):
        phase = "s" if place == 0 else "f" if place == last else "t"
        row = {"ph": phase, "id": number, "name": "value", "cat": "flow", "pid": PROCESS}
        row |= {"tid": threads[event.track], "ts": _microseconds(event.start - origin)}
        rows.append(row | {"bp": "e"} if phase == "f" else row)
    return rows


def _is_run(event: Event) -> bool:
    """Whether it is the whole run, not a line that was seen: the lines here are those of chains."""
    return event.track == "Script" and not event.detail


def _microseconds(seconds: float) -> float:
    return round(seconds * 1e6, 3)
