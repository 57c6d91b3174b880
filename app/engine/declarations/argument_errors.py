"""What a builtin says when what it is built on refuses the arguments it was given.

Checks that a declaration makes itself come first and are more precise. Two kinds of exceptions are
the user's mistake beside them: what arithmetic says of sizes that do not fit (a closed list, told
as MATLAB tells it of its own functions written in MATLAB), and a ``ValueError``, ``RuntimeError``
or the like that a library raises in its own code. Any other Python exception is a bug of ours and
stays one.
"""

from __future__ import annotations

import re
from types import TracebackType
from typing import TYPE_CHECKING

from app import memory
from app.engine.arguments.checks import UNPAIRED
from app.engine.arguments.operation_rules import undefined_for_class
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
from app.errors import (
    FuselabError,
    MatlabError,
    concatenation_error,
    conversion_error,
    inner_error,
    size_error,
)
from app.late_pattern import late_pattern
from app.log import topic
from app.records import record

if TYPE_CHECKING:
    from app.engine.declarations.registry import Builtin

_LOG = topic("builtins")
_PACKAGE = f"{__name__.partition('.')[0]}."
_MOST_SHOWN = 4
_CONTAINERS = (Cell, Struct, StructArray, FunctionHandle)
_CONVERSIONS = frozenset((*INTEGER_CLASSES, "double", "single", "logical", "cast"))


@record
class Refusal:
    """One thing that array arithmetic says, and MATLAB's error for it.

    Attributes:
        said: what the exception's text matches.
        identifier: MATLAB's; ``{name}`` is the builtin's.
        text: MATLAB's message.
    """

    said: re.Pattern[str]
    identifier: str
    text: str


def _refusal(said: str, identifier: str, text: str) -> Refusal:
    return Refusal(late_pattern(said), f"MATLAB:{identifier}", text)


def _refusal_as(said: str, error: MatlabError) -> Refusal:
    return Refusal(late_pattern(said), error.identifier, error.message)


_TOO_LARGE = (
    r"Maximum allowed (dimension|size) exceeded|array is too big|^(Python )?int too large"
    r"|^integer division result too large|cannot fit 'int' into|of integral type"
)


def is_too_large(problem: Exception) -> bool:
    """Whether arithmetic says that a number or an array is larger than any may be."""
    return re.search(_TOO_LARGE, str(problem)) is not None


_OF_ARITHMETIC = (
    _refusal_as(
        r"broadcast|shape mismatch|inconsistent shapes|same (shape|number of rows)"
        r"|shapes must match|^(boolean|condition|mask) "
        r"|different number of values",
        size_error(),
    ),
    _refusal(
        r"^zip\(\) argument \d is (shorter|longer)",
        "{name}:ArgNameValueMismatch",
        UNPAIRED,
    ),
    _refusal_as(r"^matmul: |not aligned|dimension mismatch", inner_error()),
    _refusal_as(r"concatenat\w+ axis must match|same number of dimensions", concatenation_error()),
    _refusal(
        r"out of bounds for (axis \d )?(with )?size 0",
        "badsubscript",
        "Index exceeds the number of array elements. Index must not exceed 0.",
    ),
    _refusal(
        r"cannot convert float (NaN|infinity)",
        "{name}:expectedInteger",
        "Expected input to be integer-valued.",
    ),
    _refusal(
        r"zero-size array|need at least one array|cannot be empty|empty sequence",
        "{name}:expectedNonempty",
        "Expected input to be nonempty.",
    ),
    _refusal(
        r"^the (eigen|singular )values do not converge$",
        "{name}:NoConvergence",
        "The eigenvalues or singular values do not converge.",
    ),
    _refusal(
        r"^matrices must be square and of one size$",
        "{name}:square",
        "Matrices must be square and of one size.",
    ),
    _refusal(
        r"^matrices must be finite$",
        "{name}:matrixWithNaNInf",
        "Matrices must not contain NaN or Inf.",
    ),
    _refusal(
        r"cannot reshape", "getReshapeDims:notSameNumel", "Number of elements must not change."
    ),
    _refusal(
        r"negative dimensions|may not contain negative|must have no negative elements",
        "{name}:expectedNonnegative",
        "Expected input to be nonnegative.",
    ),
    _refusal(_TOO_LARGE, "array:SizeLimitExceeded", memory.TOO_LARGE),
    _refusal(
        r"ufunc .*not support|does not support argument|^Complex type not supported",
        "{name}:invalidType",
        "The function is not defined for the class of one of its inputs.",
    ),
)


def error_of_arithmetic(problem: Exception, name: str) -> MatlabError | None:
    """The error for what array arithmetic says of operands in ``name``; None for other words."""
    for known in _OF_ARITHMETIC:
        if known.said.search(str(problem)):
            return MatlabError(known.identifier.format(name=name), known.text)
    return None


def refuse(builtin: Builtin, args: tuple[Value, ...], problem: Exception) -> None:
    """Raise MATLAB's error for arguments that were refused; return for another's mistake."""
    if isinstance(problem, MatlabError):
        _refuse_class(builtin.name, args, problem)
    if told := error_of_arity(problem):
        raise told from problem
    if isinstance(problem, FuselabError) or not _is_refusal(problem):
        return
    if in_matlab_code(problem.__traceback__):
        return
    shown = ", ".join(_class_and_size(v) for v in args[:_MOST_SHOWN]) or "no arguments"
    _LOG.info("%s refused %s: %r", builtin.name, shown, problem)
    name = builtin.name.rpartition(".")[2]
    if told := error_of_arithmetic(problem, name):
        raise told from problem
    if isinstance(problem, TypeError) or _is_ours(problem.__traceback__):
        return
    more = ", ..." if len(args) > _MOST_SHOWN else ""
    text = f"Invalid input to '{name}': {shown}{more}. Its form is {builtin.signatures[0]}."
    raise MatlabError(f"MATLAB:{name}:invalidInput", text) from problem


def error_of_arity(problem: BaseException) -> MatlabError | None:
    """The error for a method of an object that was called with too many or too few arguments."""
    if isinstance(problem, TypeError) and _TOO_MANY.search(str(problem)):
        return MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if isinstance(problem, TypeError) and _NOT_ENOUGH.search(str(problem)):
        return MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return None


_TOO_MANY = late_pattern(r"^[\w.<>]+\(\) takes .*positional arguments? but \d+ .*were given")
"""What Python says of a method of an object that was called with more than it takes."""

_NOT_ENOUGH = late_pattern(r"^[\w.<>]+\(\) missing \d+ required positional argument")
"""What Python says of one that was called with less."""


def _is_refusal(problem: Exception) -> bool:
    """Whether arithmetic or a library may have meant the arguments."""
    if isinstance(problem, RecursionError):
        return False
    kinds = ValueError | ArithmeticError | IndexError | TypeError | RuntimeError
    return isinstance(problem, kinds)


def _is_ours(trace: TracebackType | None) -> bool:
    """True when the error was raised in code of Fuselab."""
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or str(trace.tb_frame.f_globals.get("__name__")).startswith(_PACKAGE)


def _refuse_class(name: str, args: tuple[Value, ...], problem: MatlabError) -> None:
    """A container where numbers are wanted: the function is not defined for its class."""
    if problem.identifier != "MATLAB:invalidConversion" or name in _CONVERSIONS:
        return
    for a in args:
        if isinstance(a, _CONTAINERS) and (
            problem.message == conversion_error("double", class_of(a)).message
            and not in_matlab_code(problem.__traceback__)
        ):
            raise undefined_for_class(name, a) from None


def _class_and_size(v: Value) -> str:
    try:
        return f"{class_of(v)} {'x'.join(str(n) for n in size_of(v))}"
    except FuselabError:
        return "an object"


def in_matlab_code(trace: TracebackType | None) -> bool:
    """True when the error passed through code of a script: the script's call made it."""
    while trace is not None:
        frame = trace.tb_frame
        if "#unit" in frame.f_globals or "#unit" in frame.f_builtins:
            return True
        trace = trace.tb_next
    return False
