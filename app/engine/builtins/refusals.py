"""What a builtin says when a library it is built on refuses the arguments it was given.

Checks that a declaration makes itself come first and are more precise; this is for the classes,
sizes and values nobody thought of. The library's own exception stays as the cause.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

from app.engine.values import Value, class_of, size_of
from app.errors import FuselabError, MatlabError
from app.log import topic

if TYPE_CHECKING:
    from app.engine.builtins.registry import Builtin

_LOG = topic("builtins")
_REFUSALS = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError)
_MOST_SHOWN = 4


def refuse(builtin: Builtin, args: tuple[Value, ...], problem: Exception) -> None:
    """Raise MATLAB's error for arguments a library refused; return for another's mistake."""
    if not isinstance(problem, _REFUSALS) or isinstance(problem, FuselabError | RecursionError):
        return
    if _in_matlab_code(problem.__traceback__):
        return
    shown = ", ".join(_described(v) for v in args[:_MOST_SHOWN]) or "no arguments"
    more = ", ..." if len(args) > _MOST_SHOWN else ""
    _LOG.info("%s refused %s: %r", builtin.name, shown, problem)
    name = builtin.name.rpartition(".")[2]
    text = f"Invalid input to '{name}': {shown}{more}. Its form is {builtin.signatures[0]}."
    raise MatlabError(f"MATLAB:{name}:invalidInput", text) from problem


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
