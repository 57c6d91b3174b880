"""Whether a ``try`` around what failed, or around a call that led there, catches the error; and how
functions such as ``eval`` catch one."""

from __future__ import annotations

from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary

from app.engine.interpreter.error_conversion import position_of
from app.engine.interpreter.frames import is_matlab, unit_of
from app.engine.language import ast, parse
from app.engine.language.walk import statements
from app.errors import MatlabError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

T = TypeVar("T")
Place = tuple[int, int]
"""Line from 1, column from 0."""
_BODIES: WeakKeyDictionary[SourceText, list[tuple[Place, Place]]] = WeakKeyDictionary()


def attempted(interpreter: Interpreter, work: Callable[[], T]) -> T | MatlabError:
    """What work gives, or the error that a script is told of when it fails. What is done about the
    error belongs behind the call: what fails in here counts as caught for the debugger."""
    try:
        return work()
    except Exception as problem:
        return interpreter.failure(problem)


def is_caught(frame: FrameType | None) -> bool:
    """Whether an error where a frame stands ends in a ``catch`` of the frame or of a caller, or in
    a function of ours that has ``attempted`` it."""
    while frame is not None:
        if frame.f_code is attempted.__code__ or (is_matlab(frame) and _is_in_try(frame)):
            return True
        frame = frame.f_back
    return False


def _is_in_try(frame: FrameType) -> bool:
    line, _, column, _ = position_of(frame.f_code, frame.f_lasti)
    place = line or frame.f_lineno, column or 0
    return any(first <= place < end for first, end in _bodies(unit_of(frame).source))


def _bodies(source: SourceText) -> list[tuple[Place, Place]]:
    """Where the statements between ``try`` and ``catch`` begin, and where the last one ends."""
    found = _BODIES.get(source)
    if found is None:
        tries = (n for n in statements(parse(source).file) if isinstance(n, ast.Try) and n.body)
        spans = [(n.body[0].span.start, n.body[-1].span.end) for n in tries]
        found = _BODIES[source] = [(_place(source, a), _place(source, b)) for a, b in spans]
    return found


def _place(source: SourceText, offset: int) -> Place:
    place = source.place(offset)
    return place.line, place.column - 1
