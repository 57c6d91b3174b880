"""Thousands of random loop programs: ``python -m tests.engine.jit.sweep [FIRST [COUNT [arrays]]]``.

They work on single numbers, or with ``arrays`` on small arrays, structs and handles. Each is run in the interpreter and in machine code, which must leave the same values, errors, lines
and random numbers; every twentieth that ends well is run in GNU Octave, too, where it is installed.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import warnings
from pathlib import Path
from shutil import which

from app.errors import MatlabError
from app.native import INSTANT, QUICK, THOROUGH
from tests.engine.interpreter.running import STACK
from tests.engine.jit.array_programs import ArrayWriter
from tests.engine.jit.comparing import compare
from tests.engine.jit.octave import ours, plain_program, theirs
from tests.engine.jit.programs import Writer

COUNT, EVERY = 5000, 20


def sweep(first: int, count: int, folder: Path, arrays: bool) -> int:
    """How many programs differ; they are told."""
    different = foreign = 0
    for seed in range(first, first + count):
        try:
            writer = ArrayWriter(seed) if arrays else Writer(seed)
            compare(writer.program(), seed % 4, (INSTANT, QUICK, THOROUGH)[seed % 3])
            if not arrays and seed % EVERY == 0 and which("octave-cli"):
                foreign += _in_octave(seed, folder)
        except AssertionError:
            different += 1
            print(f"seed {seed} differs", flush=True)
    print(f"{count} programs, {different} differ; {foreign} were the same in Octave")
    return different


def _in_octave(seed: int, folder: Path) -> int:
    """1 when the program ends well on both sides."""
    text = plain_program(seed)
    try:
        here = ours(text)
    except MatlabError:
        return 0
    there = theirs([text], folder)
    assert not there or there[0] == here, text
    return len(there)


def main() -> int:
    """Exit code 1 when something differs."""
    warnings.simplefilter("ignore")
    arrays = "arrays" in sys.argv
    given = [int(a) for a in sys.argv[1:] if a != "arrays"]
    first, count = given[0] if given else 0, given[1] if len(given) > 1 else COUNT
    found: list[int] = []
    threading.stack_size(STACK)
    with tempfile.TemporaryDirectory() as folder:
        work = threading.Thread(
            target=lambda: found.append(sweep(first, count, Path(folder), arrays))
        )
        work.start()
        work.join()
    return 1 if found != [0] else 0


if __name__ == "__main__":
    sys.exit(main())
