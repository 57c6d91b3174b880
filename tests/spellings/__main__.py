"""``python -m tests.spellings``: which spellings take what the plain one takes."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import Runtime
from tests.spellings.measuring import device_options, measure, same_bits
from tests.spellings.programs import COMPUTATIONS
from tests.spellings.rewriting import SPELLINGS, loop_of, plain


def main(wanted: list[str]) -> None:
    """Print a table; a dot is a spelling that takes the same and gives the same bits."""
    provider = open_provider()
    runtime = Runtime(device_options(), provider)
    chosen = [c for c in COMPUTATIONS if not wanted or c.name in wanted]
    for computation in chosen:
        loop = loop_of(computation)
        with tempfile.TemporaryDirectory() as folder:
            base = measure(loop, plain(loop), Path(folder), runtime)
        print(computation.name, base.plan, *base.reasons)
        for name, spell in SPELLINGS.items():
            with tempfile.TemporaryDirectory() as folder:
                try:
                    found = measure(loop, spell(loop), Path(folder), runtime)
                except Exception as problem:
                    print(f"    {name}: FAILS {problem!r}")
                    continue
            wrong = same_bits(base.answers, found.answers)
            if wrong:
                print(f"    {name}: WRONG {wrong}")
            if found.plan != base.plan:
                print(f"    {name}: {found.plan if len(wanted) else ''} {set(found.reasons)}")
    runtime.close()
    provider.close()


main(sys.argv[1:])
