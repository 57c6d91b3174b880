"""Functions of one array applied element by element: class rules and one-line declarations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.arguments.operation_rules import Rules, undefined_for_class
from app.engine.declarations.device_support import DeviceForm, Elementwise
from app.engine.declarations.registry import builtin
from app.engine.operators import operator_overloads
from app.engine.values import Array, SparseMatrix, Value, as_array, canonical, class_of
from app.errors import MatlabError

Map = Callable[[Array], Any]
_DOUBLE = np.dtype(np.float64)


def wrong_input(name: str, v: Value) -> MatlabError:
    """What a reduction says of a class it does not take; some have an identifier of their own."""
    if name not in {"sum", "prod", "max", "min"} or class_of(v) not in {"cell", "struct"}:
        return undefined_for_class(name, v)
    text = "Invalid data type. First argument must be numeric or logical."
    return MatlabError(f"MATLAB:{name}:wrongInput", text)


def float_array(name: str, v: Value) -> Array:
    """``v`` as a float array (logical and char become double); integers are an error.

    In Octave's dialect integers become double, too.
    """
    a = as_array(v)
    kind = a.dtype.kind
    if kind == "b" or (Rules.octave and kind in "iu"):
        return a.astype(np.float64)
    if kind in "iu":
        raise undefined_for_class(name, v)
    return a


def map_float(name: str, function: Map, v: Value) -> Value:
    """``function`` of a float array."""
    if type(v) is np.ndarray and v.dtype is _DOUBLE and 1 < v.size < stoppable.LARGE_ARRAY:
        made = np.asarray(function(v))
        return made if made.dtype is _DOUBLE and made.flags.f_contiguous else canonical(made)
    if type(v) is SparseMatrix:
        return sparse_map(name, function, v)
    if type(v) is not np.ndarray and not isinstance(v, float | complex | np.ndarray | bool):
        result = operator_overloads.overload_result(name, v)
        if result is not NotImplemented:
            return result
    return canonical(np.asarray(stoppable.applied(function, float_array(name, v))))


def sparse_map(name: str, function: Map, v: SparseMatrix) -> Value:
    """The function of a sparse matrix, which is sparse again."""
    from app.engine.values import compressed_columns

    return compressed_columns.mapped(function, v)


def complex_outside(
    function: Map, outside: Callable[[Array], Any], *, conjugate: bool = False
) -> Map:
    """``function`` that answers in complex numbers when some element is ``outside``."""

    def mapped(a: Array) -> Any:
        if a.dtype.kind == "c":
            return function(a)
        out = outside(a)
        if not np.any(out):
            return function(a)
        wide = a.astype(np.complex64 if a.dtype == np.float32 else np.complex128)
        if conjugate:
            wide = np.where(a > 1, wide.conj(), wide)
        found = function(wide)
        inside = ~out  # NaN, too: what has a real answer has no imaginary part
        found[inside] = function(a[inside])
        return found

    return mapped


def safe_scalar(function: Callable[[float], float], full: Map) -> Callable[[float], Value]:
    """The C library's function for one double; special values take the array's way."""

    def scalar(x: float) -> Value:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return canonical(np.asarray(full(np.array([[x]]))))

    return scalar


def declare_map(
    name: str,
    function: Map,
    summary: str,
    *,
    category: str = "elementary maths",
    scalar: Callable[[float], float] | None = None,
    device: DeviceForm | None = None,
    cases: tuple[str, ...] = (),
    see: tuple[str, ...] = (),
) -> None:
    """Declare ``Y = name(X)`` for float arrays.

    The device form is the graph's operation of that name, unless ``device`` says otherwise.
    """
    form = device or Elementwise(name)

    def call(x: Value) -> Value:
        if scalar is not None and type(x) is float:
            return fast(x)
        return map_float(name, function, x)

    fast = safe_scalar(scalar, function) if scalar is not None else call
    builtin(
        name,
        category=category,
        signatures=(f"Y = {name}(X)",),
        device=form,
        cases=cases,
        see=see,
        scalar=fast if scalar is not None else None,
        text=summary,
    )(call)
