"""Operators on what is not a plain number: strings, sparse matrices, objects, and errors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from app.engine import stoppable
from app.engine.values import (
    DTYPE_OF_CLASS,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Value,
    class_of,
)
from app.errors import MatlabError

_NUMERIC = frozenset(DTYPE_OF_CLASS) | {"char"}
_WITHOUT_METHODS = frozenset((float, bool, complex, np.ndarray, str, SparseMatrix, StringArray))
"""Types of values that have no class of their own: the common ones."""


class _Overloads(threading.local):
    """Where the interpreter that runs on this thread plugs in operator overloading.

    Attributes:
        call: ``call(name, args)`` runs the class's method, or gives NotImplemented when the
            class has none; None until an interpreter is there.
    """

    call: Callable[[str, tuple[Value, ...]], Any] | None = None


Overloads = stoppable.carried(_Overloads())


@contextmanager
def past_methods(default: Callable[[str, tuple[Value, ...]], Any]) -> Iterator[None]:
    """Operators mean ``default`` here, whatever methods the classes of their operands have."""
    held, Overloads.call = Overloads.call, default
    try:
        yield
    finally:
        Overloads.call = held


def are_numbers(*args: Value) -> bool:
    """Whether all operands are of classes that numeric operators take."""
    return all(class_of(a) in _NUMERIC for a in args)


def unsupported_operands(symbol: str, *args: Value) -> MatlabError:
    """The error for an operator that does not take these classes: it names the one at fault."""
    classes = [class_of(a) for a in args]
    at_fault = next((c for c in classes if c not in _NUMERIC), classes[0])
    text = f"Operator '{symbol}' is not supported for operands of type '{at_fault}'."
    return MatlabError("MATLAB:UndefinedFunction", text)


def overload_result(name: str, *args: Value) -> Value:
    """The result of an overloaded operator or NotImplemented."""
    if _WITHOUT_METHODS.issuperset(map(type, args)):
        return NotImplemented
    if Overloads.call is not None and any(isinstance(a, ObjectValue | ObjectArray) for a in args):
        result = Overloads.call(name, args)
        if result is not NotImplemented:
            return result
    for a in args:
        if isinstance(a, NativeObject):
            result = a.operate(name, args)
            if result is not NotImplemented:
                return result
    return NotImplemented


def binary(name: str, symbol: str, a: Value, b: Value) -> Value:
    """``a symbol b`` where at least one side is not a plain number."""
    if type(a) not in _WITHOUT_METHODS or type(b) not in _WITHOUT_METHODS:
        result = overload_result(name, a, b)
        if result is not NotImplemented:
            return result
    result = NotImplemented
    if type(a) is SparseMatrix or type(b) is SparseMatrix:
        result = _of_sparse()(name, a, b)
    elif isinstance(a, StringArray) or isinstance(b, StringArray):
        from app.engine.operators import string_operators

        result = string_operators.binary(name, a, b)
    elif name in ("eq", "ne"):
        result = _identity(name, a, b)
    if result is NotImplemented:
        raise unsupported_operands(symbol, a, b)
    return result


@cache
def _of_sparse() -> Callable[[str, Value, Value], Value]:
    from app.engine.operators.sparse_arithmetic import binary as of_sparse

    return of_sparse


def _identity(name: str, a: Value, b: Value) -> Value:
    """``==`` and ``~=`` of handle objects and function handles."""
    if isinstance(a, FunctionHandle) and isinstance(b, FunctionHandle):
        same = a is b or (bool(a.name) and a.name == b.name)
        return same == (name == "eq")
    if isinstance(a, ObjectValue) and isinstance(b, ObjectValue):
        return (a is b) == (name == "eq")
    if isinstance(a, NativeObject) and isinstance(b, NativeObject):
        return a.equals(b) == (name == "eq")
    return NotImplemented


def unary(name: str, symbol: str, a: Value) -> Value:
    """A unary operator on something that is not a plain number."""
    result = overload_result(name, a)
    if result is NotImplemented and isinstance(a, SparseMatrix):
        from app.engine.operators import sparse_arithmetic

        result = sparse_arithmetic.unary(name, a)
    if result is NotImplemented:
        text = f"Unary operator '{symbol}' is not supported for operand of type '{class_of(a)}'."
        raise MatlabError("MATLAB:UndefinedFunction", text)
    return result
