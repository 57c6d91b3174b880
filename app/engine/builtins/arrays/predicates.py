"""Questions about class, kind and content: is…, class, isa, isequal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.arrays import array_forms
from app.engine.capture.device_arrays import is_gpu_array
from app.engine.declarations.device_support import METADATA, DeviceForm, Elementwise, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.comparison import related
from app.engine.operators.element_arrays import data_of
from app.engine.values import (
    INTEGER_CLASSES,
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    class_of,
    host,
    is_cellstr,
    is_char,
    is_empty,
    is_numeric,
    is_numeric_like,
    is_struct,
    numel,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "questions"


def _with_name(test: Callable[[Value], bool]) -> Callable[[Value], Value]:
    """A function of one named argument, whatever ``test`` is."""

    def call(a: Value) -> Value:
        return test(a)

    return call


def declare_question(name: str, test: Callable[[Value], bool], summary: str, *cases: str) -> None:
    """Declare ``tf = name(A)`` that needs class and size only."""
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"tf = {name}(A)",),
        device=METADATA,
        cases=cases,
        text=summary,
    )(_with_name(test))


def _vector(a: Value) -> bool:
    size = size_of(a)
    return len(size) == 2 and 1 in size


declare_question(
    "isnumeric",
    is_numeric,
    "True for double, single and integer arrays.",
    "isnumeric(1)",
    "~isnumeric('a')",
    "~isnumeric(true)",
)
declare_question(
    "islogical",
    lambda a: class_of(a) == "logical",
    "True for logical arrays.",
    "islogical(true)",
    "~islogical(1)",
)
declare_question(
    "isbool",
    lambda a: class_of(a) == "logical",
    "True for logical arrays (Octave's).",
    "isbool(true)",
)
declare_question(
    "ischar",
    lambda a: isinstance(a, str | CharArray),
    "True for char arrays.",
    "ischar('a')",
    '~ischar("a")',
)
declare_question(
    "isstring",
    lambda a: isinstance(a, StringArray),
    "True for string arrays.",
    'isstring("a")',
    "~isstring('a')",
)
declare_question(
    "iscell", lambda a: isinstance(a, Cell), "True for cell arrays.", "iscell({})", "~iscell(1)"
)
declare_question(
    "isstruct",
    lambda a: isinstance(a, Struct | StructArray),
    "True for structs.",
    "isstruct(struct())",
)
declare_question(
    "iscellstr",
    is_cellstr,
    "True for cells that hold only char arrays.",
    "iscellstr({'a'})",
    "~iscellstr({1})",
)
declare_question(
    "isfloat",
    lambda a: class_of(a) in ("double", "single"),
    "True for double and single.",
    "isfloat(1)",
    "~isfloat(int8(1))",
)
declare_question(
    "isinteger",
    lambda a: class_of(a) in INTEGER_CLASSES,
    "True for integer classes.",
    "isinteger(int8(1))",
    "~isinteger(1)",
)
declare_question(
    "isscalar", lambda a: numel(a) == 1, "True for 1-by-1.", "isscalar(5)", "~isscalar([])"
)
declare_question(
    "isvector", _vector, "True for 1-by-N and N-by-1.", "isvector([1 2])", "~isvector(ones(2))"
)
declare_question(
    "isrow",
    lambda a: len(size_of(a)) == 2 and size_of(a)[0] == 1,
    "True for 1-by-N.",
    "isrow([1 2])",
    "~isrow([1; 2])",
)
declare_question(
    "iscolumn",
    lambda a: len(size_of(a)) == 2 and size_of(a)[1] == 1,
    "True for N-by-1.",
    "iscolumn([1; 2])",
)
declare_question(
    "ismatrix",
    lambda a: len(size_of(a)) == 2,
    "True for two dimensions.",
    "ismatrix(ones(2))",
    "~ismatrix(ones(2, 2, 2))",
)
declare_question(
    "issquare",
    lambda a: len(size_of(a)) == 2 and len(set(size_of(a))) == 1,
    "True for square matrices (Octave's).",
    "issquare(ones(2))",
)
declare_question(
    "issparse", lambda a: isinstance(a, SparseMatrix), "True for sparse matrices.", "~issparse(1)"
)
declare_question("isjava", lambda a: False, "False: there are no Java objects here.", "~isjava(1)")
declare_question(
    "isStringScalar",
    lambda a: isinstance(a, StringArray) and a.data.size == 1,
    "True for a single string.",
    'isStringScalar("a")',
)


# --- numbers ----------------------------------------------------------------------------------


def _flags(v: Value, name: str, test: Callable[[Array], Any], otherwise: bool) -> Value:
    """``test`` of every number; ``otherwise`` for integers, logicals and chars."""
    if type(v) is SparseMatrix:
        v = v.dense()
    if isinstance(v, Cell | Struct | StructArray | FunctionHandle) or not is_numeric_like(v):
        if name == "isnan" and isinstance(v, NativeObject) and hasattr(v, "is_missing"):
            return unwrap(v.is_missing())
        raise undefined_for_class(name, v)
    a = as_array(v)
    if a.dtype.kind not in "fc" or is_char(v):
        return unwrap(np.full(a.shape, otherwise))
    return unwrap(np.asarray(test(a)))


def _form(op: str) -> DeviceForm:
    return Elementwise(op)


@builtin(
    "isnan",
    category=_FAMILY,
    signatures=("tf = isnan(A)",),
    device=_form("isnan"),
    scalar=math.isnan,
    cases=("isnan(NaN)", "isequal(isnan([1 NaN]), [false true])", "~isnan('a')"),
    see=("isinf", "isfinite"),
)
def isnan(a: Value) -> Value:
    """True where an element is NaN."""
    if isinstance(a, StringArray):
        return unwrap(np.zeros(a.shape, dtype=bool))
    return _flags(a, "isnan", np.isnan, otherwise=False)


@builtin(
    "anynan",
    category=_FAMILY,
    signatures=("tf = anynan(A)",),
    device=term_form(array_forms.anynan),
    cases=("anynan([1 NaN])", "~anynan([1 2])"),
    see=("isnan",),
)
def anynan(a: Value) -> Value:
    """True when some element is NaN."""
    return bool(np.any(as_array(isnan(host(a)))))


@builtin(
    "isinf",
    category=_FAMILY,
    signatures=("tf = isinf(A)",),
    device=_form("isinf"),
    cases=("isinf(-Inf)", "~isinf(1)"),
    see=("isnan",),
)
def isinf(a: Value) -> Value:
    """True where an element is infinite."""
    return _flags(a, "isinf", np.isinf, otherwise=False)


@builtin(
    "isfinite",
    category=_FAMILY,
    signatures=("tf = isfinite(A)",),
    device=_form("isfinite"),
    cases=("isfinite(1)", "~isfinite(NaN)"),
    see=("isnan", "isinf"),
)
def isfinite(a: Value) -> Value:
    """True where an element is neither infinite nor NaN."""
    return _flags(a, "isfinite", np.isfinite, otherwise=True)


@builtin(
    "ismissing",
    category=_FAMILY,
    signatures=("tf = ismissing(A)", "tf = ismissing(A, indicator)"),
    device=term_form(array_forms.ismissing),
    cases=(
        "isequal(ismissing([1 NaN]), [false true])",
        "isequal(ismissing([1 -99 NaN], [-99 NaN]), [false true true])",
        "isequal(ismissing([1 -99 NaN], -99), [false true false])",
        'isequal(ismissing(["a" missing "NA"], ["NA" missing]), [false true true])',
        "isequal(ismissing({'a' '' 'NA'}, {'NA'}), [false false true])",
        "isequal(ismissing('a-b', '-'), [false true false])",
    ),
    see=("isnan", "standardizeMissing"),
)
def ismissing(a: Value, indicator: Value | None = None) -> Value:
    """True where an element is missing: NaN, missing string, empty text in a cell, blank char; or
    where it is one of the given indicators, and only there."""
    if indicator is not None:
        return _is_one_of(a, indicator.items() if isinstance(indicator, Cell) else [indicator])
    if isinstance(a, StringArray):
        return unwrap(np.array([t is None for t in a.data.flat], dtype=bool).reshape(a.shape))
    if isinstance(a, Cell):
        blank = [isinstance(x, str) and not x for x in a.data.flat]
        return unwrap(np.array(blank, dtype=bool).reshape(a.shape))
    if is_char(a):
        return unwrap(data_of(a) == 32)
    return _flags(a, "isnan", np.isnan, otherwise=False)


def _is_one_of(a: Value, marks: list[Value]) -> Value:
    if isinstance(a, StringArray | Cell):
        texts = [t for m in marks if is_char(m) or isinstance(m, StringArray) for t in _texts(m)]
        same = [t in texts for t in a.data.flat]
        return unwrap(np.array(same, dtype=bool).reshape(a.shape))
    data = data_of(a)
    found = np.zeros(data.shape, dtype=bool)
    for mark in marks:
        if is_char(mark) == is_char(a) and not isinstance(mark, StringArray):
            values = as_array(mark) if not is_char(mark) else data_of(mark)
            found |= np.isin(data, values)
            if data.dtype.kind == "f" and np.isnan(values).any():
                found |= np.isnan(data)
    return unwrap(found)


def _texts(mark: Value) -> list[str | None]:
    return list(mark.data.flat) if isinstance(mark, StringArray) else [text_of(mark)]


# --- class ------------------------------------------------------------------------------------


@builtin(
    "class",
    category=_FAMILY,
    device=METADATA,
    signatures=("name = class(A)", "obj = class(s, name, parent, ...)"),
    cases=("strcmp(class(1), 'double')", "strcmp(class('a'), 'char')"),
    see=("isa",),
)
def class_(ctx: Context, a: Value, *named: Value) -> Value:
    """Name of the class of a value.

    In the constructor of an ``@`` folder, ``class(s, name, ...)`` makes an object of a struct.
    """
    if named:
        return ctx.objects.named_struct(a, text_of(named[0]), named[1:])
    return "gpuArray" if is_gpu_array(a) else class_of(a)


@builtin(
    "superiorfloat",
    category=_FAMILY,
    least=1,
    signatures=("name = superiorfloat(A, B, ...)",),
    cases=(
        "strcmp(superiorfloat(1, single(2)), 'single')",
        "strcmp(superiorfloat(1, true, 'a'), 'double')",
    ),
    see=("class", "isfloat"),
)
def superiorfloat(*values: Value) -> Value:
    """Name the floating-point class of what is computed of values: single where one of them is."""
    classes = {class_of(v) for v in values}
    if not classes <= {"single", "double", "char", "logical"}:
        text = "Inputs must be floats, that is single or double."
        raise MatlabError("MATLAB:datatypes:superiorfloat", text)
    return "single" if "single" in classes else "double"


_GROUPS: dict[str, Callable[[str], bool]] = {
    "numeric": lambda c: c in ("double", "single") or c in INTEGER_CLASSES,
    "float": lambda c: c in ("double", "single"),
    "integer": lambda c: c in INTEGER_CLASSES,
}


def is_a(v: Value, name: str) -> bool:
    """Whether ``v`` belongs to a class, a superclass of its class, or a group of classes."""
    kind = class_of(v)
    if kind == name or (name == "gpuArray" and is_gpu_array(v)):
        return True
    if name in _GROUPS:
        held = v.properties.get("#value") if isinstance(v, ObjectValue) else None
        return _GROUPS[name](kind if held is None else class_of(held))
    if isinstance(v, ObjectValue | ObjectArray):
        ancestors = getattr(v.class_info, "ancestors", None)
        names = ancestors() if callable(ancestors) else getattr(v.class_info, "superclasses", ())
        if any(getattr(n, "name", n) == name for n in names):
            return True
        return name == "handle" and isinstance(v, HandleObject)
    if isinstance(v, NativeObject):
        return name in v.superclasses or (name == "handle" and v.is_handle)
    return False


@builtin(
    "isa",
    category=_FAMILY,
    signatures=("tf = isa(A, className)",),
    device=METADATA,
    cases=("isa(1, 'double')", "isa(int8(1), 'integer')", "isa(1, 'numeric')"),
    see=("class",),
)
def isa(a: Value, name: Value) -> Value:
    """True when a value is of a class or of a group: numeric, float, integer."""
    names = texts_of(name)
    found = [is_a(a, n) for n in names]
    return (
        found[0] if len(found) == 1 else unwrap(np.array(found, dtype=bool).reshape(size_of(name)))
    )


# --- equality ---------------------------------------------------------------------------------


def equal(a: Value, b: Value, *, nan_equal: bool = False) -> bool:
    """Equal size and equal contents; classes may differ among numbers."""
    a, b = host(a), host(b)
    for x, other in ((a, b), (b, a)):
        if isinstance(x, NativeObject):
            itself = x is other and x.is_handle  # which it may hold
            return itself or (x.equals_missing(other) if nan_equal else x.equals(other))
    if isinstance(a, StringArray) or isinstance(b, StringArray):
        return _equal_strings(a, b, nan_equal=nan_equal)
    if isinstance(a, SparseMatrix) and isinstance(b, SparseMatrix):
        return a.shape == b.shape and _equal_sparse(a.matrix, b.matrix, nan_equal=nan_equal)
    if is_numeric_like(a) and is_numeric_like(b):
        return _equal_numbers(a, b, nan_equal=nan_equal)
    if isinstance(a, Cell) and isinstance(b, Cell):
        return a.shape == b.shape and all(
            equal(x, y, nan_equal=nan_equal) for x, y in zip(a.data.flat, b.data.flat, strict=True)
        )
    if isinstance(a, Struct | StructArray) and isinstance(b, Struct | StructArray):
        return _equal_structs(a, b, nan_equal=nan_equal)
    if isinstance(a, FunctionHandle) and isinstance(b, FunctionHandle):
        return a is b or (bool(a.name) and a.name == b.name)
    if isinstance(a, ObjectValue) and isinstance(b, ObjectValue):
        return _equal_objects(a, b, nan_equal=nan_equal)
    if isinstance(a, ObjectArray) and isinstance(b, ObjectArray):
        return a.shape == b.shape and all(
            _equal_objects(x, y, nan_equal=nan_equal)
            for x, y in zip(a.data.flat, b.data.flat, strict=True)
        )
    return False


def _equal_numbers(a: Value, b: Value, *, nan_equal: bool) -> bool:
    if size_of(a) != size_of(b):
        return False
    if type(a) is str and type(b) is str:
        return a == b
    x, y = as_array(a), as_array(b)
    if nan_equal and x.dtype.kind in "fc" and y.dtype.kind in "fc":
        return bool(np.all((x == y) | (np.isnan(x) & np.isnan(y))))
    return bool(related(np.equal, x, y).all())


def _equal_sparse(x: Any, y: Any, *, nan_equal: bool) -> bool:
    """Equal nonzeros at equal places, without ever being full."""
    p, q = x.tocsc(), y.tocsc()
    p.sort_indices()
    q.sort_indices()
    if p.nnz != q.nnz or not np.array_equal(p.indptr, q.indptr):
        return False
    same = np.array_equal(p.data, q.data, equal_nan=nan_equal and p.dtype.kind in "fc")
    return same and np.array_equal(p.indices, q.indices)


def _equal_strings(a: Value, b: Value, *, nan_equal: bool) -> bool:
    if isinstance(a, Cell) or isinstance(b, Cell):
        if not (is_cellstr(a) or is_cellstr(b)) or size_of(a) != size_of(b):
            return False
    elif not all(isinstance(v, StringArray | str | CharArray) for v in (a, b)):
        return False
    x = a.data if isinstance(a, StringArray) else np.array(texts_of(a), dtype=object)
    y = b.data if isinstance(b, StringArray) else np.array(texts_of(b), dtype=object)
    same = x.shape == y.shape or x.size == y.size == 1 or isinstance(a, Cell) or isinstance(b, Cell)
    return same and all(
        (p is not None or nan_equal) and p == q
        for p, q in zip(x.ravel(order="F"), y.ravel(order="F"), strict=True)
    )


def _equal_structs(a: Value, b: Value, *, nan_equal: bool) -> bool:
    if not is_struct(a) or not is_struct(b):
        return False
    if size_of(a) != size_of(b) or set(a.fields) != set(b.fields):
        return False
    if isinstance(a, Struct) and isinstance(b, Struct):
        return all(equal(x, b.fields[k], nan_equal=nan_equal) for k, x in a.fields.items())
    if isinstance(a, Struct) or isinstance(b, Struct):
        return False
    return all(
        equal(x, y, nan_equal=nan_equal)
        for k in a.fields
        for x, y in zip(a.fields[k].flat, b.fields[k].flat, strict=True)
    )


def _equal_objects(a: ObjectValue, b: ObjectValue, *, nan_equal: bool) -> bool:
    if a is b:
        return True
    if a.class_info is not b.class_info:
        return False
    return a.properties.keys() == b.properties.keys() and all(
        equal(x, b.properties[k], nan_equal=nan_equal) for k, x in a.properties.items()
    )


@builtin(
    "isequal",
    category=_FAMILY,
    signatures=("tf = isequal(A, B, ...)",),
    device=term_form(array_forms.isequal),
    cases=(
        "isequal([1 2], [1 2])",
        "~isequal(NaN, NaN)",
        "isequal('a', 97)",
        "isequal(struct('a', 1), struct('a', 1))",
        "isequal({1, 'a'}, {1, 'a'})",
    ),
    see=("isequaln", "eq"),
)
def isequal(a: Value, b: Value, *more: Value) -> Value:
    """True when all arguments have the same size and contents."""
    return all(equal(a, other) for other in (b, *more))


@builtin(
    "isequaln",
    category=_FAMILY,
    signatures=("tf = isequaln(A, B, ...)",),
    device=term_form(array_forms.isequaln),
    cases=("isequaln(NaN, NaN)",),
    see=("isequal",),
)
def isequaln(a: Value, b: Value, *more: Value) -> Value:
    """Like isequal, with NaN equal to NaN."""
    return all(equal(a, other, nan_equal=True) for other in (b, *more))


@builtin(
    "isequalwithequalnans",
    category=_FAMILY,
    signatures=("tf = isequalwithequalnans(A, B, ...)",),
    cases=("isequalwithequalnans(NaN, NaN)",),
    see=("isequaln",),
)
def isequalwithequalnans(a: Value, b: Value, *more: Value) -> Value:
    """Old name of isequaln."""
    return isequaln(a, b, *more)


@builtin(
    "isnull",
    category=_FAMILY,
    signatures=("tf = isnull(A)",),
    device=METADATA,
    cases=("isnull([])",),
)
def isnull(a: Value) -> Value:
    """True for an empty array (Octave's)."""
    return is_empty(a)
