"""One program measured in this process, by Fuselab or by torch: called in fresh processes."""

from __future__ import annotations

import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from app import blas
from tests.benchmarks.peers_suite.suite import SUITE, Entry

Row = dict[str, Any]


def main() -> int:
    """``NAME SIDE N REPEAT``: one line of JSON with the times in ms, in order, and the result."""
    name, side, n, repeat = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    entry = next(entry for entry in SUITE if entry.name == name)
    measured = _torch if side.startswith("torch") else _ours
    sys.stdout.write(json.dumps(measured(entry, side, n, repeat)) + "\n")
    return 0


def _ours(entry: Entry, device: str, n: int, repeat: int) -> Row:
    """Times of the work of the ``.m`` program in one session, whose data are there."""
    blas.begin()  # as the program does, before its libraries are loaded
    from app import settings
    from app.engine.session.session import Session
    from app.engine.values import as_array
    from app.source import SourceText

    def run(text: SourceText) -> None:
        session.run_source(text)
        if session.last_status != "ok":
            raise SystemExit(f"{text.name}: {session.last_report.get('error')}")

    setup, work = entry.text
    session = Session(settings.load({"FUSELAB_DEVICE": device}), lambda event: None, (".",))
    try:
        run(SourceText("setup.m", f"n = {n};\n{setup}"))
        session.interpreter.runtime.synchronize()
        text = SourceText(f"{entry.name}.m", work)
        spent = []
        for _ in range(repeat):
            started = time.perf_counter()
            run(text)
            result = float(as_array(session.interpreter.workspace["result"]).item())
            spent.append((time.perf_counter() - started) * 1000)
        counters = session.last_report["counters"]
    finally:
        session.close()
    return {"ms": spent, "result": result, "counters": counters}


def _torch(entry: Entry, side: str, n: int, repeat: int) -> Row:
    """Times in torch; ``torch.compile`` compiles what the program says is its work."""
    torch = importlib.import_module("torch")
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    work: Callable[[], Any] = entry.torch(torch, n)
    if side == "torch.compile":
        work = torch.compile(work)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    spent = []
    for _ in range(repeat):
        started = time.perf_counter()
        result = float(work())
        spent.append((time.perf_counter() - started) * 1000)
    return {"ms": spent, "result": result}


def warm(spent: list[float]) -> float:
    """The median of what came after the first two."""
    return statistics.median(spent[2:] or spent[-1:])


if __name__ == "__main__":
    sys.exit(main())
