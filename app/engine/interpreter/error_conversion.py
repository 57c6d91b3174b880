"""Any exception as MATLAB's error, with the MATLAB frames it passed through."""

from __future__ import annotations

import math
import sys
import traceback
import warnings
from dataclasses import replace
from types import CodeType, FrameType, TracebackType
from typing import TypeAlias

from numpy.exceptions import ComplexWarning

from app import memory
from app.engine.declarations.argument_errors import (
    error_of_arithmetic,
    error_of_arity,
    is_too_large,
)
from app.engine.interpreter.frames import REST, is_matlab, place_of, unit_of
from app.engine.interpreter.undefined_names import undefined_name
from app.engine.values import NativeObject
from app.errors import (
    FuselabError,
    MatlabError,
    StackFrame,
    refused_access,
    too_many_dimensions,
)
from app.late_pattern import late_pattern
from app.log import topic
from app.source import underlined

_LOG = topic("interp")
warnings.filterwarnings(
    "error", category=ComplexWarning, module=rf"{__name__.split('.')[0]}\.engine\."
)
_TOO_MANY_DIMENSIONS = late_pattern("maximum supported dimension|^number of dimensions must be")
_RECURSION = (
    "Maximum recursion limit reached: functions call one another too deep, or without an end, or "
    "a value is nested too deep. A function that calls itself needs a condition that ends it."
)
_OF_OBJECTS = frozenset(
    name for name in vars(NativeObject) if name.endswith(("_get", "_set", "_member"))
) | {"operate"}
Position: TypeAlias = tuple[int | None, int | None, int | None, int | None]
_MOST_POSITIONS = 64
_POSITIONS: dict[int, tuple[CodeType, list[Position]]] = {}
"""The code objects that failed lately and where their instructions come from."""


def as_matlab(error: BaseException, *, octave: bool = False) -> MatlabError:
    """``error`` as the error a script sees, with its stack filled in.

    In Octave's dialect it has Octave's identifier and message, where they are known.
    """
    found = error if isinstance(error, MatlabError) else _matlab_error_of(error)
    if octave:
        found.speak_octave()
    if not found.stack:
        found.stack = stack_of(error.__traceback__)
    return found


def _matlab_error_of(error: BaseException) -> MatlabError:
    if isinstance(error, RecursionError):
        return MatlabError("MATLAB:recursionLimit", _RECURSION)
    if isinstance(error, MemoryError):
        return memory.refusal(_refused_array(error))
    if isinstance(error, ValueError | IndexError) and _TOO_MANY_DIMENSIONS.search(str(error)):
        return too_many_dimensions()
    if isinstance(error, OverflowError | ValueError) and is_too_large(error):
        return MatlabError("MATLAB:array:SizeLimitExceeded", memory.TOO_LARGE)
    if isinstance(error, ArithmeticError | IndexError | TypeError | ValueError) and (
        told := _error_of_object(error) if _passed_object(error) else None
    ):
        return told
    if isinstance(error, ComplexWarning):
        text = "Expected real numbers; an imaginary part would be lost."
        return MatlabError("MATLAB:expectedReal", text)
    if isinstance(error, UnboundLocalError | NameError) and _in_matlab_code(error):
        name = getattr(error, "name", None) or str(error).split("'")[1]
        if not name.startswith(("#", "@")):
            return undefined_name(name.removesuffix("()"))
    if isinstance(error, KeyError) and _in_matlab_code(error):  # global or persistent below only
        return undefined_name(str(error.args[0]))
    if refused := refused_access(error):
        return MatlabError("MATLAB:fileAccess", f"A file cannot be used: {refused}.")
    problem = traceback.format_exception(error)
    _LOG.error("an internal error reached the script as a MATLAB error:\n%s", "".join(problem))
    text = f"Internal error in Fuselab ({type(error).__name__}: {error})."
    made = MatlabError("Fuselab:internal", text)
    made.__cause__ = error
    return made


def _refused_array(error: MemoryError) -> str:
    """The array that NumPy could not make, and its size; else that the rest did not suffice."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if shape is None or dtype is None:
        return "more was needed on the way to the result than is left; "
    size = math.prod(shape) * dtype.itemsize / (1 << 30)
    return f"an array of {'x'.join(map(str, shape))} needs {size:.2f} GB; "


def _error_of_object(error: Exception) -> MatlabError | None:
    """What to say of operands or arguments that a member of an object did not take."""
    return error_of_arity(error) or error_of_arithmetic(error, "operands")


def _passed_object(error: BaseException) -> bool:
    """True where an operator, index or property of an object met operands that do not fit.

    What builtins say of their inputs is told by `argument_errors.refuse` before.
    """
    steps = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code.co_name in _OF_OBJECTS for frame, _ in steps)


def _in_matlab_code(error: BaseException) -> bool:
    """True when MATLAB's own code, not ours, raised the error."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is None or is_matlab(place.tb_frame)


def is_internal(error: MatlabError) -> bool:
    """True for an error that is a bug of ours."""
    return error.identifier == "Fuselab:internal" and not isinstance(error.__cause__, FuselabError)


def stack_of(trace: TracebackType | None) -> tuple[StackFrame, ...]:
    """The MATLAB frames below ``trace`` and those above where it was caught, innermost first."""
    frames: list[StackFrame] = []
    outer = trace.tb_frame.f_back if trace is not None else sys._getframe(1)
    while trace is not None:
        if is_matlab(trace.tb_frame):
            frames.append(_frame(trace.tb_frame, trace.tb_lasti))
        trace = trace.tb_next
    frames.reverse()
    return _merged_frames(frames + _live(outer))


def live_stack(frame: FrameType | None) -> tuple[StackFrame, ...]:
    """The MATLAB frames from ``frame`` outwards."""
    return _merged_frames(_live(frame))


def _merged_frames(frames: list[StackFrame]) -> tuple[StackFrame, ...]:
    """One frame for the rest of a pass and the function whose loop it belongs to."""
    if all(frame.name != REST for frame in frames):
        return tuple(frames)
    made: list[StackFrame] = []
    for frame in frames:
        if made and made[-1].name == REST:
            made[-1] = replace(made[-1], name=frame.name)
        else:
            made.append(frame)
    return tuple(made)


def _live(frame: FrameType | None) -> list[StackFrame]:
    frames: list[StackFrame] = []
    while frame is not None:
        if is_matlab(frame):
            frames.append(_frame(frame, frame.f_lasti))
        frame = frame.f_back
    return frames


def _frame(frame: FrameType, instruction: int) -> StackFrame:
    name, file = place_of(frame)
    line, _, start, _ = position_of(frame.f_code, instruction)
    return StackFrame(name, file, line or 0, 0 if start is None else start + 1)


def position_of(code: CodeType, instruction: int) -> Position:
    """First and last line, first and last column of an instruction.

    Python's own ``f_lineno`` and ``tb_lineno`` decode a code's table from its beginning each time.
    """
    kept = _POSITIONS.get(id(code))
    if kept is None:
        if len(_POSITIONS) >= _MOST_POSITIONS:
            _POSITIONS.clear()
        kept = _POSITIONS[id(code)] = code, list(code.co_positions())
    return kept[1][instruction // 2] if instruction >= 0 else (None, None, None, None)


def caret_of(error: MatlabError, trace: TracebackType | None) -> str:
    """The source line of the innermost MATLAB frame with carets under the expression."""
    innermost = None
    while trace is not None:
        if is_matlab(trace.tb_frame):
            innermost = trace
        trace = trace.tb_next
    if innermost is None:
        return ""
    unit = unit_of(innermost.tb_frame)
    line, start, end = _extent(innermost)
    return underlined(unit.source.line_text(line), start, end)


def _extent(trace: TracebackType) -> tuple[int, int, int]:
    """The line of what failed, where it starts in it and where it ends."""
    line, end_line, start, end = position_of(trace.tb_frame.f_code, trace.tb_lasti)
    if line == end_line and start is not None and end is not None:
        return line or 0, start, end
    return line or 0, start or 0, (start or 0) + 1
