"""What a builtin says when a library it is built on refuses the arguments it was given.

Checks that a declaration makes itself come first and are more precise; this is for the classes,
sizes and values nobody thought of. The library's own exception stays as the cause.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from app.engine.values import (
    INTEGER_CLASSES,
    Cell,
    FunctionHandle,
    Struct,
    StructArray,
    Value,
    class_of,
    size_of,
)
from app.errors import FuselabError, MatlabError
from app.log import topic

if TYPE_CHECKING:
    from app.engine.builtins.registry import Builtin

_LOG = topic("builtins")
_REFUSALS = (ValueError, TypeError, LookupError, OverflowError, AttributeError)
_MOST_SHOWN = 4
_CONTAINERS = (Cell, Struct, StructArray, FunctionHandle)
_CONVERSIONS = frozenset((*INTEGER_CLASSES, "double", "single", "logical", "cast"))


def refuse(builtin: Builtin, args: tuple[Value, ...], problem: Exception) -> None:
    """Raise MATLAB's error for arguments a library refused; return for another's mistake."""
    if isinstance(problem, MatlabError):
        _refuse_class(builtin.name, args, problem)
    if not isinstance(problem, _REFUSALS) or isinstance(problem, FuselabError):
        return
    if _in_matlab_code(problem.__traceback__):
        return
    shown = ", ".join(_described(v) for v in args[:_MOST_SHOWN]) or "no arguments"
    more = ", ..." if len(args) > _MOST_SHOWN else ""
    _LOG.info("%s refused %s: %r", builtin.name, shown, problem)
    name = builtin.name.rpartition(".")[2]
    text = f"Invalid input to '{name}': {shown}{more}. Its form is {builtin.signatures[0]}."
    raise MatlabError(f"MATLAB:{name}:invalidInput", text) from problem


def _refuse_class(name: str, args: tuple[Value, ...], problem: MatlabError) -> None:
    """A container where numbers are wanted: the function is not defined for its class."""
    if problem.identifier != "MATLAB:invalidConversion" or name in _CONVERSIONS:
        return
    kinds = [class_of(a) for a in args if isinstance(a, _CONTAINERS)]
    for kind in kinds:
        if problem.message == f"Conversion to double from {kind} is not possible." and (
            not _in_matlab_code(problem.__traceback__)
        ):
            text = f"Undefined function '{name}' for input arguments of type '{kind}'."
            raise MatlabError("MATLAB:UndefinedFunction", text) from None


def _described(v: Value) -> str:
    try:
        return f"{class_of(v)} {'x'.join(str(n) for n in size_of(v))}"
    except FuselabError:
        return "an object"


def _in_matlab_code(trace: TracebackType | None) -> bool:
    """True when the error passed through code of a script: the script's call made it."""
    while trace is not None:
        frame = trace.tb_frame
        if "#unit" in frame.f_globals or "#unit" in frame.f_builtins:
            return True
        trace = trace.tb_next
    return False
