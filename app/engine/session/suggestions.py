"""What a misspelt name may have meant, told below the error that left a run."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator
from itertools import chain

from app.engine.interpreter.frames import is_matlab, unit_of
from app.engine.interpreter.interpreter import Interpreter
from app.errors import MatlabError
from app.late_pattern import late_pattern

_UNKNOWN_NAME = late_pattern(r"Unrecognized function or variable '(\w+)'\.$")
_UNKNOWN_FIELD = late_pattern(r'Unrecognized field name "(\w+)"\.$')


def suggest(error: MatlabError, interpreter: Interpreter) -> None:
    """Add the nearest known name to what is told of an error about an unknown one."""
    from app.engine.analysis.known import builtin_names, closest_name

    names: Iterable[str] = error.known
    if unknown := _UNKNOWN_NAME.search(error.message):
        of_base = chain(interpreter.workspace, interpreter.path.names())
        names = chain(_of_frames(error), of_base, builtin_names())
    elif not (unknown := _UNKNOWN_FIELD.search(error.message)):
        return
    if error.details:
        return
    if found := closest_name(unknown[1], (n for n in names if n != unknown[1])):
        error.details = f"Did you mean '{found}'?"


def _of_frames(error: MatlabError) -> Iterator[str]:
    """The variables of the functions that the error went through, and their files' functions."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if is_matlab(frame):
            yield from (name for name in frame.f_locals if name.isidentifier())
            yield from unit_of(frame).local
