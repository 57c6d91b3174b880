"""The ``--trace`` file: recorded events in Chrome's trace-event form, for Perfetto.

Each track is a thread of one process. Events that share a flow number (one group of a plan) are
tied by arrows in the order they happened: from the source line to its dispatch to its download.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.accel.telemetry import Event

TRACKS = ("Script", "Planner", "Compile", "Upload", "Device", "Download", "Host", "UI")
PROCESS = 1
Row = dict[str, Any]


def build(events: Iterable[Event], process_name: str = "fuselab") -> Row:
    """The trace of ``events`` (times in perf_counter seconds) as a JSON object."""
    ordered = sorted(events, key=lambda e: e.start)
    origin = ordered[0].start if ordered else 0.0
    threads = {name: number for number, name in enumerate(_tracks(ordered), start=1)}
    rows = [_name("process_name", 0, process_name)]
    rows += [_name("thread_name", number, name) for name, number in threads.items()]
    rows += [_name("thread_sort_index", n, n, key="sort_index") for n in threads.values()]
    rows += [_slice(e, threads[e.track], origin) for e in ordered]
    rows += _arrows(ordered, threads, origin)
    return {"traceEvents": rows, "displayTimeUnit": "ms"}


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


def _arrows(events: Sequence[Event], threads: dict[str, int], origin: float) -> list[Row]:
    flows: dict[int, list[Event]] = defaultdict(list)
    for event in events:
        if event.flow:
            flows[event.flow].append(event)
    rows: list[Row] = []
    for flow, members in flows.items():
        last = len(members) - 1
        for place, event in enumerate(members if last else []):
            phase = "s" if place == 0 else "f" if place == last else "t"
            row = {"ph": phase, "id": flow, "name": "value", "cat": "flow", "pid": PROCESS}
            row |= {"tid": threads[event.track], "ts": _microseconds(event.start - origin)}
            rows.append(row | {"bp": "e"} if phase == "f" else row)
    return rows


def _microseconds(seconds: float) -> float:
    return round(seconds * 1e6, 3)
