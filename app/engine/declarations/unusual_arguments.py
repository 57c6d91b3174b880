"""What a builtin says that fails at an argument which is out of the ordinary.

Checks that declarations make (`arguments.checks`) come first and say more. This stands behind
them: numbers that are none, empty arrays, arrays of three dimensions, containers where numbers are
computed with. Where a function fails and was given one of these, the error names the argument, what
is unusual about it and the form that the function has. What failed is logged with its traceback,
and campaigns (``tests/fuzz``) count it as a check that the declaration lacks. A function
that fails at ordinary arguments has a bug of ours, and says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.declarations.argument_errors import in_matlab_code
from app.engine.declarations.device_support import CONTAINER
from app.engine.values import (
    FunctionHandle,
    SparseMatrix,
    Value,
    as_array,
    canonical,
    class_of,
    is_char,
    is_logical,
    is_numeric_like,
    is_string,
    is_text_scalar,
    numel,
    size_of,
    texts_of,
)
from app.errors import FuselabError, MatlabError
from app.late_pattern import late_pattern
from app.log import topic

if TYPE_CHECKING:
    from app.engine.declarations.registry import Builtin

_LOG = topic("builtins")
LOG = _LOG.name
"""Where it is logged which checks are missing."""
UNCHECKED = "%s failed at input number %d, which %s"
"""What is logged where no check of a declaration has seen an argument."""
_OF_LOGICALS = late_pattern(r"numpy boolean (subtract|negative)|to dtype\('bool'\)")
_HALF = late_pattern(r"[\ud800-\udfff]")
_EXACT = 2.0**53
_OF_ARGUMENTS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)


def refuse_unusual(builtin: Builtin, args: tuple[Value, ...], problem: Exception) -> None:
    """Raise MATLAB's error where an argument is out of the ordinary; return where none is."""
    if isinstance(problem, FuselabError) or not isinstance(problem, _OF_ARGUMENTS):
        return
    if in_matlab_code(problem.__traceback__):
        return
    name = builtin.name.rpartition(".")[2]
    takes = builtin.device is CONTAINER and builtin.category != "graphics"
    for number, value in enumerate(args, 1):
        if what := unusual_about(value, takes_containers=takes):
            _LOG.info(UNCHECKED, name, number, what, exc_info=problem)
            text = (
                f"{name} cannot work with input number {number}, which {what}. "
                f"Its form is {builtin.signatures[0]}."
            )
            raise MatlabError(f"MATLAB:{name}:invalidInput", text) from problem


def logicals_as_numbers(args: tuple[Value, ...], problem: Exception) -> tuple[Value, ...] | None:
    """Arguments as MATLAB computes with them, where arithmetic refused truth values: as doubles.

    None where the problem is another one.
    """
    if not isinstance(problem, TypeError) or not _OF_LOGICALS.search(str(problem)):
        return None
    if not any(_is_truth(a) for a in args):
        return None
    return tuple(canonical(as_array(a).astype(np.float64)) if _is_truth(a) else a for a in args)


def _is_truth(value: Value) -> bool:
    return is_logical(value) and not isinstance(value, SparseMatrix)


def unusual_about(value: Value, *, takes_containers: bool = False) -> str:
    """What is out of the ordinary about an argument, as a part of a sentence; empty for nothing."""
    if isinstance(value, FunctionHandle):
        return ""
    try:
        if numel(value) == 0:
            return "" if is_text_scalar(value) else "is empty"
        if len(size_of(value)) > 2:
            return f"has {len(size_of(value))} dimensions"
        if is_char(value) or is_string(value):
            halves = any(_HALF.search(text) for text in texts_of(value))
            return "holds half a character" if halves else ""
        if is_numeric_like(value):
            return _unusual_number(value)
        return "" if takes_containers else f"is of class {class_of(value)}"
    except FuselabError:
        return "is an object"


def _unusual_number(value: Value) -> str:
    numbers = np.asarray(value.matrix.data if isinstance(value, SparseMatrix) else as_array(value))
    if numbers.dtype.kind == "b":
        return "is logical"
    if numbers.dtype.kind == "c":
        return "is complex"
    if np.isnan(numbers).any():
        return "holds NaN"
    if np.isinf(numbers).any():
        return "holds Inf"
    return "holds numbers beyond flintmax" if (np.abs(numbers) > _EXACT).any() else ""
