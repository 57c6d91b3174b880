"""Small helpers of programs: compare_versions, namedargs2cell, parseparams, vectorize, open …."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs
from app.engine.builtins.arrays.native_arrays import RELATIONS
from app.engine.builtins.files.folders import shown_name
from app.engine.builtins.maths.number_theory import sieve
from app.engine.declarations.registry import builtin
from app.engine.interpreter.file_table import table
from app.engine.values import (
    Cell,
    FunctionHandle,
    Struct,
    Value,
    as_array,
    canonical,
    is_char,
    is_numeric_like,
    is_text_scalar,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "programs"
_SIGNS = {
    "==": "eq",
    "!=": "ne",
    "~=": "ne",
    "<": "lt",
    "<=": "le",
    "=<": "le",
    ">": "gt",
    ">=": "ge",
    "=>": "ge",
}


def _version(text: Value) -> tuple[list[tuple[int, ...]], str]:
    """The numbers of a version, and what follows them."""
    if not is_text_scalar(text):
        raise _invalid("compare_versions", "versions must be texts")
    # The release in brackets says nothing more: 24.1.0 (R2024a).
    match = re.fullmatch(r"\s*([\d.]*)([^\s\d.(]\S*)?(?:\s*\(R\w+\))?\s*", text_of(text))
    if match is None or ".." in match.group(1):
        raise _invalid("compare_versions", f"'{text_of(text)}' is no version")
    numbers: list[tuple[int, ...]] = [(int(n),) for n in match.group(1).split(".") if n]
    return numbers, match.group(2) or ""


def _invalid(name: str, text: str) -> MatlabError:
    return MatlabError("Octave:undefined-function", f"{name}: {text}")


@builtin(
    "compare_versions",
    category=_FAMILY,
    signatures=("tf = compare_versions(v1, v2, op)",),
    cases=("compare_versions('1.10', '1.9', '>')",),
    see=("verLessThan",),
)
def compare_versions(first: Value, second: Value, sign: Value) -> Value:
    """Compare two versions such as 1.2.3 by an operator (Octave's)."""
    if not is_text_scalar(sign) or text_of(sign) not in _SIGNS:
        raise _invalid("compare_versions", "the operator is invalid")
    for text in (first, second):
        if not is_text_scalar(text) or not re.match(r"\w", text_of(text)):
            raise _invalid("compare_versions", "a version is invalid")
    (a, tail_a), (b, tail_b) = _version(first), _version(second)
    size = max(len(a), len(b))
    zero = [(0,)]
    left = ([*a, *zero * (size - len(a))], tail_a) if a else ([(-1,)], tail_a)
    right = ([*b, *zero * (size - len(b))], tail_b) if b else ([(-1,)], tail_b)
    return bool(RELATIONS[_SIGNS[text_of(sign)]](left, right))


@builtin(
    "OCTAVE_VERSION",
    category=_FAMILY,
    signatures=("v = OCTAVE_VERSION",),
    cases=("~exist('OCTAVE_VERSION')",),
    see=("compare_versions", "version"),
    octave=True,
)
def octave_version() -> Value:
    """The version of Octave whose rules are followed; there is none without ``--octave``.

    Programs for both ask whether it exists.
    """
    return "7.3.0"


@builtin(
    "namedargs2cell",
    category=_FAMILY,
    signatures=("C = namedargs2cell(S)",),
    cases=("isequal(namedargs2cell(struct('a', 1)), {'a', 1})",),
    see=("struct",),
)
def namedargs2cell(s: Value) -> Value:
    """Names and values of a struct's fields in a row cell."""
    if not isinstance(s, Struct):
        text = "Input must be a scalar structure."
        raise MatlabError("MATLAB:namedargs2cell:MustBeScalarStruct", text)
    return Cell.of([x for pair in s.fields.items() for x in pair])


@builtin(
    "parseparams",
    category=_FAMILY,
    signatures=(
        "[reg, prop] = parseparams(params)",
        "[reg, var1, ...] = parseparams(params, name1, default1, ...)",
    ),
    cases=("isequal(parseparams({1, 2, 'a', 3}), {1, 2})",),
    see=("inputParser",),
)
def parseparams(params: Value, *named: Value) -> Value:
    """Split arguments at the first text: those before it, and names with values (Octave's)."""
    if not isinstance(params, Cell):
        raise _invalid("parseparams", "the arguments must be in a cell")
    items = params.items()
    cut = next((k for k, v in enumerate(items) if is_char(v)), len(items))
    before = Cell(object_array(items[:cut], (1, cut)))
    rest = items[cut:]
    if not named:
        return before, Cell(object_array(rest, (1, len(rest))))
    if len(named) % 2 or len(rest) % 2 or not all(is_char(k) for k in rest[::2]):
        raise _invalid("parseparams", "options must be given as name-value pairs")
    found = option_pairs("parseparams", named)
    for key, value in zip(rest[::2], rest[1::2], strict=True):
        if text_of(key).lower() not in found:
            raise _invalid("parseparams", f"unrecognized option: {text_of(key)}")
        found[text_of(key).lower()] = value
    return (before, *found.values())


@builtin(
    "vectorize",
    category=_FAMILY,
    signatures=("f = vectorize(f)",),
    cases=("strcmp(vectorize('x^2*y'), 'x.^2.*y')",),
    see=("str2func",),
)
def vectorize(ctx: CallContext, f: Value) -> Value:
    """The text of a function or expression with ``.*`` for ``*``, ``./`` and ``.^`` alike."""
    if isinstance(f, FunctionHandle):
        return _with_elementwise_operators(f.text)
    if not is_text_scalar(f):
        text = "Input must be a text or an anonymous function."
        raise MatlabError("MATLAB:vectorize:InvalidInput", text)
    return _with_elementwise_operators(text_of(f))


def _with_elementwise_operators(text: str) -> str:
    return re.sub(r"(?<!\.)([*/^])", r".\1", text)


@builtin(
    "list_primes",
    category=_FAMILY,
    signatures=("p = list_primes(n)",),
    cases=("isequal(list_primes(3), [2 3 5])",),
    see=("primes",),
)
def list_primes(n: Value = 25.0) -> Value:
    """The first n primes (Octave's)."""
    count = as_array(n)
    if count.size != 1 or count.dtype.kind == "c" or not float(count.flat[0]) < 1e8:
        raise _invalid("list_primes", "N must be a real scalar below 1e8")
    wanted = math.ceil(max(float(count.flat[0]), 0))
    if not wanted:
        return np.zeros((0, 0))
    limit = max(15.0, wanted * (math.log(wanted) + math.log(math.log(max(wanted, 3)))))
    return canonical(sieve(int(limit))[:wanted].astype(np.float64).reshape(1, -1))


@builtin(
    "is_valid_file_id",
    category=_FAMILY,
    signatures=("tf = is_valid_file_id(fid)",),
    cases=("is_valid_file_id(1)", "~is_valid_file_id(-1)"),
    see=("fopen",),
)
def is_valid_file_id(ctx: CallContext, fid: Value) -> Value:
    """True for identifiers of open files (Octave's)."""
    if not is_numeric_like(fid) or is_char(fid) or as_array(fid).size != 1:
        return False
    number = as_array(fid).flat[0]
    return bool(number in (0, 1, 2) or number in table(ctx).files)


@builtin(
    "unlink",
    category=_FAMILY,
    signatures=("[err, message] = unlink(file)",),
    cases=("fclose(fopen('old.txt', 'w')); unlink('old.txt'); ~isfile('old.txt')",),
    see=("delete",),
)
def unlink(name: Value, *, nargout: int = 0) -> Value:
    """Delete a file; 0 for success (Octave's)."""
    try:
        Path(text_of(name)).unlink()
    except OSError as problem:
        if not nargout:
            raise _invalid("unlink", f"operation failed: {problem.strerror}") from problem
        return -1.0, problem.strerror or ""
    return (0.0, "") if nargout else ()


@builtin(
    "fileattrib",
    category="files",
    signatures=("[ok, attributes, id] = fileattrib(name)",),
    cases=("[ok, facts] = fileattrib('.'); ok && facts.directory",),
    see=("dir",),
)
def fileattrib(name: Value = ".") -> Value:
    """Facts of a file or folder: its full name and what its owner and others may do."""
    path = Path(text_of(name)).expanduser()
    if not path.exists():
        text = f"Unable to find '{path}'."
        return False, text, "MATLAB:FILEATTRIB:CannotFindFile"
    mode = path.stat().st_mode
    rights: dict[str, Value] = {
        f"{who}{what}": bool(mode >> (shift + bit) & 1)
        for who, shift in (("User", 6), ("Group", 3), ("Other", 0))
        for what, bit in (("Read", 2), ("Write", 1), ("Execute", 0))
    }
    facts: dict[str, Value] = {
        "Name": str(path.resolve()),
        "archive": np.nan,
        "system": np.nan,
        "hidden": np.nan,
        "directory": path.is_dir(),
    }
    return True, Struct({**facts, **rights}), ""


@builtin(
    "what",
    category="files",
    signatures=("what", "s = what(folder)"),
    cases=("writelines(\"x = 1;\", 'x.m'); s = what; any(strcmp(s(1).m, 'x.m'))",),
    see=("dir", "who"),
)
def what(ctx: CallContext, folder: Value = ".", *, nargout: int = 0) -> Value:
    """The MATLAB files of a folder: code, MAT-files, packages and classes."""
    root = Path(text_of(folder)).expanduser().resolve()
    names = sorted(p.name for p in root.iterdir()) if root.is_dir() else []

    def column(kept: list[str]) -> Cell:
        return Cell(object_array(kept, (len(kept), 1)))

    lists: dict[str, list[str]] = {}
    for key, suffix in (("m", ".m"), ("mat", ".mat"), ("mex", ".mexa64")):
        lists[key] = [n for n in names if n.endswith(suffix)]
    for key, mark in (("classes", "@"), ("packages", "+")):
        lists[key] = [n[1:] for n in names if n.startswith(mark)]
    if nargout:
        return Struct({"path": str(root), **{k: column(kept) for k, kept in lists.items()}})
    listed = [*lists["m"], *lists["mat"]]
    shown = "".join(f"{shown_name(n)}\n" for n in listed)
    ctx.write(f"\nMATLAB files in folder {shown_name(str(root))}\n\n{shown}")
    return ()
