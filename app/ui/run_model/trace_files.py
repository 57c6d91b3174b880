"""Spans of the timeline as Chrome trace-event files, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from app import paths

SpanRow = tuple[str, str, float, float, dict[str, Any]]


def write(spans: Iterable[SpanRow], path: Path) -> None:
    """Write spans so that Perfetto shows a thread per track."""
    tracks: dict[str, int] = {}
    rows: list[dict[str, Any]] = []
    for track, name, start, duration, args in spans:
        thread = tracks.setdefault(track, len(tracks) + 1)
        rows.append(
            {
                "ph": "X",
                "pid": 1,
                "tid": thread,
                "cat": track,
                "name": name,
                "ts": start,
                "dur": duration,
                "args": args,
            }
        )
    names = [
        {"ph": "M", "pid": 1, "tid": thread, "name": "thread_name", "args": {"name": track}}
        for track, thread in tracks.items()
    ]
    text = json.dumps({"traceEvents": [*names, *rows], "displayTimeUnit": "ms"}, default=str)
    path.write_text(text, encoding="utf-8")


def read(path: Path) -> list[SpanRow]:
    """The spans of a trace that we, or Chrome's tools, have written.

    Raises OSError where it cannot be read, and ValueError where it is something else.
    """
    try:
        paths.check_file(path)
        return _spans(path.read_text(encoding="utf-8"))
    except (AttributeError, KeyError, OverflowError, TypeError, RecursionError) as problem:
        raise ValueError(f"{type(problem).__name__}: {problem}") from problem


def _spans(text: str) -> list[SpanRow]:
    events = json.loads(text)
    rows = events["traceEvents"] if isinstance(events, dict) else events
    names = {
        (row["pid"], row["tid"]): str(row["args"]["name"])
        for row in rows
        if row["ph"] == "M" and row["name"] == "thread_name"
    }
    return [
        (
            names.get((row["pid"], row["tid"]), str(row.get("cat", row["tid"]))),
            str(row["name"]),
            float(row["ts"]),
            float(row.get("dur", 0.0)),
            dict(row.get("args", {})),
        )
        for row in rows
        if row["ph"] == "X"
    ]
