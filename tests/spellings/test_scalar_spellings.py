"""One loop over single numbers in many spellings is machine code in all of them.

The interpreter does at most the first pass, which may give variables their fields; values, errors
and what is left behind at an error are its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from app.engine.jit.driver import Driver
from app.engine.jit.loop_version import Version
from app.native import QUICK
from tests.engine.jit.comparing import eager, outcome
from tests.spellings.parts import PARTS, parts
from tests.spellings.programs import Computation
from tests.spellings.rewriting import Loop, Spelled, loop_of, plain
from tests.spellings.scalar_programs import ALL, SCALARS

_EVERYWHERE = frozenset(
    (*("in_nested_function", "in_arrayfun", "in_globals_of_functions", "checked", "into_all"),)
)
"""Spellings that are not machine code yet."""
_APART = frozenset(("after_another",))
"""Spellings with loops of their own beside the one that is counted."""
_CAPTURES_NOTHING = {"nested_loops": frozenset(("in_anonymous",))}
"""A counter that an anonymous function reads and does not have is an error."""


class Counted:
    """Passes that the interpreter did, wholly or from some statement on."""

    passes = 0


@contextmanager
def counting() -> Iterator[Counted]:
    """Count within it."""
    found = Counted()
    account, rest = Driver._account, Version._run_rest

    def accounted(self: Driver) -> None:
        found.passes += self._given
        account(self)

    def rested(self: Version, *args: object) -> object:
        found.passes += 1
        return rest(self, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Driver, "_account", accounted)
        patch.setattr(Version, "_run_rest", rested)
        yield found


def interpreted(loop: Loop, spelled: Spelled, folder: Path) -> int:
    """How many passes of a program the interpreter does; both ways of running it agree."""
    folder.mkdir()
    for name, text in spelled.files.items():
        (folder / name).write_text(text)
    program = f"{spelled.before}\n{loop.computation.setup}\n{spelled.text}"
    expected = outcome(program, compiled=False, folder=str(folder))
    with eager(0, QUICK), counting() as counted:
        found = outcome(program, compiled=True, folder=str(folder))
    assert found.error == expected.error, program
    assert found == expected, program
    return counted.passes


@pytest.mark.parametrize(("computation", "part"), parts(SCALARS))
def test_every_spelling_is_machine_code(
    computation: Computation, part: int, tmp_path: Path
) -> None:
    loop = loop_of(computation)
    least = interpreted(loop, plain(loop), tmp_path / "plain")
    pending = _EVERYWHERE | _APART | _CAPTURES_NOTHING.get(computation.name, frozenset())
    slow = {}
    for name, spell in islice(ALL.items(), part, None, PARTS):
        passes = interpreted(loop, spell(loop), tmp_path / name)
        if passes > least + 1 and name not in pending:
            slow[name] = passes
    assert not slow
