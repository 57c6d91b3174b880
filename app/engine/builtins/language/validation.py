"""Checking arguments: validateattributes and the mustBe… validators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from app import paths
from app.engine.arguments.checks import subject_of
from app.engine.builtins.arrays.predicates import is_a
from app.engine.capture.term_arrays import real_term_of
from app.engine.capture.terms import Term
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    Cell,
    DeviceArray,
    StringArray,
    Value,
    as_array,
    class_of,
    float_of,
    int_of,
    is_cellstr,
    is_complex,
    is_numeric,
    is_numeric_like,
    is_text_scalar,
    numel,
    size_of,
    text_of,
    texts_of,
    true_value,
)
from app.errors import MatlabError

_FAMILY = "argument checks"
_CHECK = HostOnly("looks at data only where the check is about them", lazy=True)
Test = Callable[[Value], bool]
Elements: TypeAlias = Any
"""An array, or a term of the graph: both have the operators that comparisons are made of."""


def _numbers(v: Value) -> Array:
    return as_array(v).real if is_numeric_like(v) else np.zeros(0)


def _elements(v: Value) -> Elements:
    """Real parts that are compared where they are: a term of the graph, or an array."""
    if type(v) is DeviceArray and v.size:
        found = real_term_of(v)
        if found is not None:
            return found.floating()
    return _numbers(v)


def _all(truths: Elements) -> bool:
    """Whether all of these are true, of which a graph is asked for one number."""
    return true_value(truths.all().value) if isinstance(truths, Term) else bool(np.all(truths))


def _test_of_all(test: Callable[[Elements], Elements]) -> Test:
    return lambda v: is_numeric_like(v) and _all(test(_elements(v)))


def _test_on_host(test: Callable[[Array], Elements]) -> Test:
    return lambda v: is_numeric_like(v) and bool(np.all(test(_numbers(v))))


def _is_no_nan(a: Elements) -> Elements:
    return ~(a.isnan() if isinstance(a, Term) else np.isnan(a))


def _is_finite(a: Elements) -> Elements:
    return a.isfinite() if isinstance(a, Term) else np.isfinite(a)


def _is_integer(a: Elements) -> Elements:
    return _is_finite(a) & _is(a, a.floor() if isinstance(a, Term) else np.floor(a))


def _is(a: Elements, b: Elements) -> Elements:
    """Where two are equal."""
    return a.eq(b) if isinstance(a, Term) else a == b


def _steps(test: Callable[[Array], Elements]) -> Test:
    return lambda v: bool(np.all(test(np.diff(_numbers(v).astype(float).ravel(order="F")))))


def _is_vector(v: Value) -> bool:
    return len(size_of(v)) == 2 and 1 in size_of(v)


_SIMPLE: dict[str, Test] = {
    "2d": lambda v: len(size_of(v)) == 2,
    "3d": lambda v: len(size_of(v)) <= 3,
    "column": lambda v: len(size_of(v)) == 2 and size_of(v)[1] == 1,
    "row": lambda v: len(size_of(v)) == 2 and size_of(v)[0] == 1,
    "scalar": lambda v: numel(v) == 1,
    "vector": _is_vector,
    "square": lambda v: len(size_of(v)) == 2 and size_of(v)[0] == size_of(v)[1],
    "nonempty": lambda v: numel(v) > 0,
    "nonsparse": lambda v: not hasattr(v, "matrix"),
    "binary": _test_of_all(lambda a: _is(a, 0.0) | _is(a, 1.0)),
    "even": _test_on_host(lambda a: a % 2 == 0),
    "odd": _test_on_host(lambda a: a % 2 == 1),
    "integer": _test_of_all(_is_integer),
    "real": lambda v: not is_complex(v),
    "finite": _test_of_all(_is_finite),
    "nonnan": _test_of_all(_is_no_nan),
    "nonnegative": _test_of_all(lambda a: a >= 0),
    "nonzero": _test_of_all(lambda a: ~_is(a, 0.0)),
    "positive": _test_of_all(lambda a: a > 0),
    "decreasing": _steps(lambda d: d < 0),
    "increasing": _steps(lambda d: d > 0),
    "nondecreasing": _steps(lambda d: d >= 0),
    "nonincreasing": _steps(lambda d: d <= 0),
    "diag": lambda v: bool((_numbers(v) == np.diag(np.diag(_numbers(v)))).all()),
}
_WORDS = {
    "2d": "two-dimensional",
    "3d": "three-dimensional",
    "column": "a column vector",
    "row": "a row vector",
    "scalar": "a scalar",
    "vector": "a vector",
    "square": "a square matrix",
    "integer": "integer-valued",
    "nonnan": "non-NaN",
    "increasing": "strictly increasing",
    "decreasing": "strictly decreasing",
    "diag": "a diagonal matrix",
}
_BOUNDS: dict[str, tuple[str, Callable[[Elements, float], Elements]]] = {
    ">": ("greater than", lambda a, b: a > b),
    ">=": ("greater than or equal to", lambda a, b: a >= b),
    "<": ("less than", lambda a, b: a < b),
    "<=": ("less than or equal to", lambda a, b: a <= b),
}
_COUNTS: dict[str, Callable[[Value], int]] = {
    "numel": numel,
    "ncols": lambda v: size_of(v)[1],
    "nrows": lambda v: size_of(v)[0],
    "ndims": lambda v: len(size_of(v)),
}

_COUNTED = {
    "numel": "be an array with number of elements equal to",
    "ncols": "be an array with number of columns equal to",
    "nrows": "be an array with number of rows equal to",
    "ndims": "be an array with number of dimensions equal to",
}
_NAMES = {
    "nonnan": "NonNaN",
    "nonzero": "NonZero",
    "nondecreasing": "NonDecreasing",
    "nonincreasing": "NonIncreasing",
    "numel": "Numel",
    "ncols": "Numcols",
    "nrows": "Numrows",
    "ndims": "Numdims",
    ">": "notGreater",
    ">=": "notGreaterEqual",
    "<": "notLess",
    "<=": "notLessEqual",
}
"""Attributes whose names in identifiers are not simply themselves."""


_OCTAVES = {
    "size": ("incorrect-size", "be of size"),
    "numel": ("incorrect-numel", "have a number of elements of"),
    "ncols": ("incorrect-numcols", "have a number of columns of"),
    "nrows": ("incorrect-numrows", "have a number of rows of"),
    "ndims": ("incorrect-numdims", "have a number of dimensions of"),
    ">": ("expected-greater", "be greater than"),
    ">=": ("expected-greater-equal", "be greater than or equal to"),
    "<": ("expected-less", "be less than"),
    "<=": ("expected-less-equal", "be less than or equal to"),
}
"""Octave's identifiers and words for attributes with a value."""


@builtin(
    "validateattributes",
    category=_FAMILY,
    device=_CHECK,
    signatures=(
        "validateattributes(A, classes, attributes)",
        "validateattributes(A, classes, attributes, funcName, varName, argIndex)",
    ),
    cases=(
        "try, validateattributes(-1, {'numeric'}, {'positive'}), catch e, end; "
        "endsWith(e.identifier, 'expectedPositive')",
    ),
    see=("inputParser", "validatestring"),
)
def validateattributes(a: Value, classes: Value, attributes: Value, *where: Value) -> Value:
    """Stop with an error unless a value is of given classes and has given attributes."""
    prefix, subject = subject_of(where)
    family = f"MATLAB:{prefix[:-2]}" if prefix else "MATLAB"
    wanted = texts_of(classes) if numel(classes) else []
    if wanted and not any(is_a(a, c) for c in wanted):
        text = (
            f"Expected {subject} to be one of these types:\n\n{', '.join(wanted)}\n\n"
            f"Instead its type was {class_of(a)}."
        )
        listed = "\n  ".join(wanted)
        raise MatlabError(f"{family}:invalidType", text).as_in_octave(
            "Octave:invalid-type",
            f"{prefix}{subject} must be of class:\n\n  {listed}\n\nbut was of class {class_of(a)}",
        )
    items = attributes.items() if isinstance(attributes, Cell) else [attributes]
    position = 0
    while position < len(items):
        name = text_of(items[position]).lower()
        position += 1
        if name in _SIMPLE:
            if not _SIMPLE[name](a):
                raise MatlabError(
                    f"{family}:expected{_NAMES.get(name, name.capitalize())}",
                    f"Expected {subject} to be {_WORDS.get(name, name)}.",
                ).as_in_octave(f"Octave:expected-{name}", f"{prefix}{subject} must be {name}")
            continue
        if position >= len(items):
            raise MatlabError("MATLAB:validateattributes:unknown", f"Unknown attribute '{name}'.")
        try:
            _check_with(name, a, items[position], family, f"Expected {subject} to")
        except MatlabError as error:
            if name in _OCTAVES:
                from app.engine.builtins.text.text_output import mat2str

                kind, words = _OCTAVES[name]
                shown = mat2str(items[position])
                error.as_in_octave(f"Octave:{kind}", f"{prefix}{subject} must {words} {shown}")
            raise
        position += 1
    return ()


def _fail(identifier: str, text: str) -> None:
    raise MatlabError(identifier, text)


def _check_with(name: str, a: Value, limit: Value, family: str, start: str) -> None:
    """Attributes that take a value: size, numel, bounds."""
    if name == "size":
        pattern = as_array(limit).ravel()
        actual = size_of(a)
        fits = len(actual) == pattern.size and all(
            np.isnan(p) or p == n for p, n in zip(pattern, actual, strict=True)
        )
        if not fits:
            shown = "x".join("N" if np.isnan(p) else str(int(p)) for p in pattern)
            real = "x".join(map(str, actual))
            _fail(
                f"{family}:incorrectSize", f"{start} be of size {shown}, but it is of size {real}."
            )
    elif name in _COUNTS:
        if _COUNTS[name](a) != int_of(limit):
            _fail(
                f"{family}:incorrect{_NAMES[name]}",
                f"{start} {_COUNTED[name]} {int_of(limit)}.",
            )
    elif name in _BOUNDS:
        bound = float_of(limit)
        if not _all(_BOUNDS[name][1](_elements(a), bound)):
            words = "a scalar with value" if numel(a) == 1 else "an array with all of the values"
            _fail(f"{family}:{_NAMES[name]}", f"{start} be {words} {name} {bound:g}.")
    else:
        raise MatlabError("MATLAB:validateattributes:unknown", f"Unknown attribute '{name}'.")


# --- mustBe… ----------------------------------------------------------------------------------


_OF_NUMBERS = frozenset(
    ("mustBePositive", "mustBeNonnegative", "mustBeNegative", "mustBeNonpositive", "mustBeInteger")
)


def _is_number(v: Value) -> bool:
    return is_numeric(v) or class_of(v) == "logical"


_SAID = {"mustBeNonempty": "not be empty"}
"""What validators say that is not ``be`` and their words."""


def declare_validator(name: str, test: Test, words: str, example: str) -> None:
    """Declare ``name(value)``, which raises an error unless the test holds."""

    def check(value: Value) -> Value:
        if name in _OF_NUMBERS and (is_complex(value) or not _is_number(value)):
            text = "Value must be real, and numeric or logical."
            raise MatlabError("MATLAB:validators:mustBeNumericOrLogical", text)
        if not test(value):
            said = _SAID.get(name, f"be {words}")
            raise MatlabError(f"MATLAB:validators:{name}", f"Value must {said}.")
        return ()

    builtin(
        name,
        category=_FAMILY,
        device=_CHECK,
        signatures=(f"{name}(value)",),
        cases=(example,),
        text=f"Stop with an error unless the value is {words}.",
    )(check)


declare_validator(
    "mustBePositive",
    _SIMPLE["positive"],
    "positive",
    "try, mustBePositive(0), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBePositive')",
)
declare_validator(
    "mustBeNonnegative", _SIMPLE["nonnegative"], "nonnegative", "mustBeNonnegative(0); true"
)
declare_validator(
    "mustBeNegative", _test_of_all(lambda a: a < 0), "negative", "mustBeNegative(-1); true"
)
declare_validator(
    "mustBeNonpositive", _test_of_all(lambda a: a <= 0), "nonpositive", "mustBeNonpositive(0); true"
)
declare_validator(
    "mustBeFinite",
    _SIMPLE["finite"],
    "finite",
    "try, mustBeFinite([1 Inf]), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBeFinite')",
)
declare_validator("mustBeNonNan", _SIMPLE["nonnan"], "not NaN", "mustBeNonNan([1 2]); true")
declare_validator("mustBeNonzero", _SIMPLE["nonzero"], "nonzero", "mustBeNonzero([1 2]); true")
declare_validator(
    "mustBeInteger",
    _SIMPLE["integer"],
    "integer",
    "try, mustBeInteger(1.5), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBeInteger')",
)
declare_validator(
    "mustBeReal",
    lambda v: is_numeric_like(v) and not is_complex(v),
    "real",
    "mustBeReal([1 2]); true",
)
declare_validator(
    "mustBeNumeric",
    is_numeric,
    "numeric",
    "try, mustBeNumeric('a'), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBeNumeric')",
)
declare_validator(
    "mustBeNumericOrLogical",
    lambda v: is_numeric(v) or class_of(v) == "logical",
    "numeric or logical",
    "mustBeNumericOrLogical(true); true",
)
declare_validator(
    "mustBeFloat",
    lambda v: class_of(v) in ("double", "single"),
    "floating point",
    "mustBeFloat(single(1)); true",
)
declare_validator(
    "mustBeNonempty",
    _SIMPLE["nonempty"],
    "nonempty",
    "try, mustBeNonempty([]), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBeNonempty')",
)
declare_validator(
    "mustBeScalarOrEmpty",
    lambda v: numel(v) <= 1,
    "a scalar or empty",
    "mustBeScalarOrEmpty([]); true",
)
declare_validator("mustBeVector", _is_vector, "a vector", "mustBeVector(1:3); true")
declare_validator(
    "mustBeText",
    lambda v: is_text_scalar(v) or is_cellstr(v) or isinstance(v, StringArray),
    "text",
    "mustBeText({'a', 'b'}); true",
)
declare_validator(
    "mustBeTextScalar",
    is_text_scalar,
    "a character vector or string scalar",
    'mustBeTextScalar("a"); true',
)
declare_validator(
    "mustBeNonzeroLengthText",
    lambda v: is_text_scalar(v) and len(text_of(v)) > 0,
    "text of nonzero length",
    "mustBeNonzeroLengthText('a'); true",
)
declare_validator(
    "mustBeNonsparse", _SIMPLE["nonsparse"], "nonsparse", "mustBeNonsparse([1 0]); true"
)
declare_validator(
    "mustBeValidVariableName",
    lambda v: is_text_scalar(v) and text_of(v).isidentifier(),
    "a valid name",
    "mustBeValidVariableName('x1'); true",
)


def declare_bound(name: str, operator: str, example: str) -> None:
    """Declare ``name(value, limit)``."""
    words, test = _BOUNDS[operator]

    def check(value: Value, limit: Value) -> Value:
        bound = float_of(limit)
        if not _all(test(_elements(value), bound)):
            raise MatlabError(f"MATLAB:validators:{name}", f"Value must be {words} {bound:g}.")
        return ()

    builtin(
        name,
        category=_FAMILY,
        device=_CHECK,
        signatures=(f"{name}(value, c)",),
        cases=(example,),
        text=f"Stop with an error unless the value is {words} c.",
    )(check)


declare_bound(
    "mustBeGreaterThan",
    ">",
    "try, mustBeGreaterThan(1, 2), catch e, end; "
    "strcmp(e.identifier, 'MATLAB:validators:mustBeGreaterThan')",
)
declare_bound("mustBeGreaterThanOrEqual", ">=", "mustBeGreaterThanOrEqual(2, 2); true")
declare_bound("mustBeLessThan", "<", "mustBeLessThan(1, 2); true")
declare_bound("mustBeLessThanOrEqual", "<=", "mustBeLessThanOrEqual(2, 2); true")


@builtin(
    "mustBeMember",
    category=_FAMILY,
    device=_CHECK,
    signatures=("mustBeMember(value, S)",),
    cases=(
        "try, mustBeMember('c', {'a', 'b'}), catch e, end; "
        "strcmp(e.identifier, 'MATLAB:validators:mustBeMember')",
    ),
)
def must_be_member(value: Value, allowed: Value) -> Value:
    """Stop with an error unless the value is one of a set."""
    if isinstance(allowed, Cell | StringArray):
        known = texts_of(allowed)
        fits = all(t in known for t in texts_of(value))
        shown = ", ".join(f"'{k}'" for k in known)
    else:
        fits = bool(np.isin(as_array(value), as_array(allowed)).all())
        shown = ", ".join(f"{x:g}" for x in as_array(allowed).ravel())
    if not fits:
        text = f"Value must be a member of this set:\n\n{shown}"
        raise MatlabError("MATLAB:validators:mustBeMember", text)
    return ()


@builtin(
    "mustBeInRange",
    category=_FAMILY,
    device=_CHECK,
    signatures=("mustBeInRange(value, lower, upper)", "mustBeInRange(..., 'exclusive')"),
    cases=(
        "try, mustBeInRange(5, 0, 1), catch e, end; "
        "strcmp(e.identifier, 'MATLAB:validators:mustBeInRange')",
    ),
)
def must_be_in_range(value: Value, lower: Value, upper: Value, *flags: Value) -> Value:
    """Stop with an error unless the value lies between limits."""
    words = {text_of(f).lower() for f in flags}
    a, low, high = _elements(value), float_of(lower), float_of(upper)
    above = a > low if words & {"exclusive", "exclude-lower"} else a >= low
    below = a < high if words & {"exclusive", "exclude-upper"} else a <= high
    if not _all(above & below):
        text = f"Value must be between {low:g} and {high:g}."
        raise MatlabError("MATLAB:validators:mustBeInRange", text)
    return ()


@builtin(
    "mustBeA",
    category=_FAMILY,
    device=_CHECK,
    signatures=("mustBeA(value, classes)",),
    cases=("mustBeA(1, 'double'); true",),
)
def must_be_a(value: Value, classes: Value) -> Value:
    """Stop with an error unless the value belongs to one of some classes."""
    names = texts_of(classes)
    if not any(is_a(value, n) for n in names):
        shown = ", ".join(f"'{n}'" for n in names)
        text = f"Value must be one of the following types: {shown}."
        raise MatlabError("MATLAB:validators:mustBeA", text)
    return ()


def _check_some_text(path: Value) -> None:
    """Stop where the name of a file or folder is empty: that would be the current folder."""
    if not text_of(path):
        text = "Value must be text with one or more characters."
        raise MatlabError("MATLAB:validators:mustBeNonzeroLengthText", text)


@builtin(
    "mustBeFile",
    category=_FAMILY,
    device=_CHECK,
    signatures=("mustBeFile(path)",),
    cases=("writelines(\"\", 'a.txt'); mustBeFile('a.txt'); true",),
)
def must_be_file(path: Value) -> Value:
    """Stop with an error unless a path names a file."""
    _check_some_text(path)
    if not paths.is_file(text_of(path)):
        text = f"The following files do not exist: '{text_of(path)}'."
        raise MatlabError("MATLAB:validators:mustBeFile", text)
    return ()


@builtin(
    "mustBeFolder",
    category=_FAMILY,
    device=_CHECK,
    signatures=("mustBeFolder(path)",),
    cases=("mustBeFolder('.'); true",),
)
def must_be_folder(path: Value) -> Value:
    """Stop with an error unless a path names a folder."""
    _check_some_text(path)
    if not paths.is_folder(text_of(path)):
        text = f"The following folders do not exist: '{text_of(path)}'."
        raise MatlabError("MATLAB:validators:mustBeFolder", text)
    return ()
