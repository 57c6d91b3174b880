"""Programs run by several sessions at once print what they print alone.

``python -m tests.api.sessions_at_once [COUNT [THREADS [DEVICE]]]`` runs that many transcripts of
``tests/conformance`` (all of them without) on every thread, each thread in an order of its own.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import app as fuselab
from app.engine.protocol import Event, OutputText
from app.errors import MatlabError
from tests.support.conformance import FOLDER, transcript_name, transcripts

STACK_BYTES = 256 << 20


def printed(path: Path, device: str) -> str:
    """What a script prints in a session of its own; a failure is printed too."""
    text = path.read_text(encoding="utf-8")
    octave = "% dialect: matlab" not in text
    found: list[str] = []

    def take(event: Event) -> None:
        if isinstance(event, OutputText) and event.stream == "out":
            found.append(event.text)

    with fuselab.Session(device, path=(FOLDER,), octave=octave, capture_threshold=2) as session:
        session.listen(take)
        try:
            session.eval(text, name=str(path))
        except MatlabError as problem:
            found.append(f"error: {problem.message}\n")
    return "".join(found)


def run_all(orders: Sequence[Sequence[Path]], device: str) -> list[dict[Path, str]]:
    """What each thread's scripts print, all threads at once."""
    results: list[dict[Path, str]] = [{} for _ in orders]

    def work(order: Sequence[Path], result: dict[Path, str]) -> None:
        for path in order:
            result[path] = printed(path, device)

    before = threading.stack_size(STACK_BYTES)  # transcripts recurse deeply
    try:
        pairs = zip(orders, results, strict=True)
        threads = [threading.Thread(target=work, args=pair) for pair in pairs]
        for thread in threads:
            thread.start()
    finally:
        threading.stack_size(before)
    for thread in threads:
        thread.join()
    return results


def differences(count: int | None, threads: int, device: str, seed: int = 1) -> list[str]:
    """Scripts that print something else, or nothing, when others run at the same time."""
    choose = random.Random(seed)
    scripts = transcripts()
    scripts = scripts if count is None else choose.sample(scripts, count)
    (alone,) = run_all([scripts], device)
    together = run_all([choose.sample(scripts, len(scripts)) for _ in range(threads)], device)
    return [
        f"{transcript_name(path)} on thread {number}"
        for number, result in enumerate(together)
        for path in scripts
        if result.get(path) != alone[path]
    ]


def main() -> int:
    """The campaign; 0 when nothing differs."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else None
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    device = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    found = differences(count, threads, device)
    sys.stdout.write("\n".join([*found, f"{len(found)} differ"]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
