"""Comparing text, and finding it by place: strcmp and kin, strfind, validatestring."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import repeat
from typing import cast

import numpy as np

from app.engine.arguments.checks import flag, option_pairs, subject_of
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import is_text
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    StringArray,
    Value,
    as_array,
    char_codes,
    int_of,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
Test = Callable[[str, str], bool]


def _scalar_text(v: Value) -> str | None:
    """The text of a char row or missing-free scalar string; None for anything else."""
    if type(v) is str:
        return v
    if type(v) is StringArray and v.data.size == 1:
        return v.data.flat[0]  # type: ignore[no-any-return]
    return text_of(v) if type(v) is CharArray and v.data.size == 0 else None


def _parts(v: Value) -> Array | None:
    if isinstance(v, Cell | StringArray):
        return v.data
    return None


def compare(test: Test, a: Value, b: Value) -> Value:
    """Texts, or arrays of texts element by element; anything that is no text is unequal."""
    x, y = _parts(a), _parts(b)
    if x is None and y is None:
        return _compare_two(test, a, b)
    if x is not None and type(b) is str:
        found = [test(t, b) if type(t) is str else _compare_two(test, t, b) for t in x.flat]
        return unwrap(np.array(found, dtype=bool).reshape(x.shape))
    if y is not None and type(a) is str:
        found = [test(a, t) if type(t) is str else _compare_two(test, a, t) for t in y.flat]
        return unwrap(np.array(found, dtype=bool).reshape(y.shape))
    if x is not None and y is not None and x.size != 1 and y.size != 1 and x.shape != y.shape:
        if isinstance(a, StringArray) and isinstance(b, StringArray):
            return False
        text = "Inputs must be the same size or either one can be a scalar."
        raise MatlabError("MATLAB:strcmp:InputsSizeMismatch", text)
    x = x if x is not None else _single(a)
    y = y if y is not None else _single(b)
    shape = x.shape if x.size != 1 else y.shape
    pairs = np.broadcast(x.reshape(-1), y.reshape(-1))
    flat = [_compare_two(test, p, q) for p, q in pairs]
    return unwrap(np.array(flat, dtype=bool).reshape(shape))


def _all_texts(values: Array) -> bool:
    """Whether all elements are character vectors; joining them asks each in 10 ns."""
    try:
        "".join(values.ravel(order="K").tolist())
    except TypeError:
        return False
    return True


_MANY = 64
"""Texts that are compared in less time all together than one by one."""


def _begin_with(texts: list[str], head: str, whole: bool, fold: bool = False) -> Array | None:
    """Which of the texts begin with ``head``, or are it, in any case (``fold``); their characters
    lie after each other, with a NUL behind each. None for few texts and those of other than ASCII.
    """
    if len(texts) < _MANY:
        return None
    joined = "\0".join(texts)
    if not (joined.isascii() and head.isascii()):
        return None
    if fold:
        joined, head = joined.lower(), head.lower()
    wanted = head + "\0" * whole
    codes = np.frombuffer((joined + "\0" * (len(wanted) + 1)).encode("ascii"), np.uint8)
    starts = np.zeros(len(texts), np.intp)
    ends = np.flatnonzero(codes[: len(joined)] == 0)
    if ends.size != starts.size - 1 or "\0" in head:
        return None
    np.add(ends, 1, out=starts[1:])
    found = np.ones(starts.size, np.bool_)
    for place, code in enumerate(wanted.encode("ascii")):
        found &= codes[starts + place] == code
    return found


def _of_texts(texts: Array, found: list[bool] | Array) -> Value:
    """Answers to texts, column by column, as logicals of their shape."""
    flags = np.frombuffer(bytearray(found), np.bool_) if isinstance(found, list) else found
    return unwrap(flags.reshape(texts.shape, order="F"))


def _single(v: Value) -> Array:
    data = np.empty((1, 1), dtype=object)
    data[0, 0] = v
    return data


def _compare_two(test: Test, a: Value, b: Value) -> bool:
    p, q = _scalar_text(a), _scalar_text(b)
    if p is not None and q is not None:
        return test(p, q)
    if type(a) is CharArray and type(b) is CharArray and a.shape == b.shape:
        return all(test(r, s) for r, s in zip(a.rows(), b.rows(), strict=True))
    return False


@builtin(
    "strcmp",
    category=_FAMILY,
    signatures=("tf = strcmp(s1, s2)",),
    cases=(
        "strcmp('a', 'a')",
        "~strcmp('a', 'A')",
        "isequal(strcmp({'a', 'b'}, 'a'), [true false])",
        "~strcmp('a', 5)",
    ),
    see=("strcmpi", "strncmp"),
)
def strcmp(a: Value, b: Value) -> Value:
    """True where texts are equal."""
    if type(a) is str and type(b) is str:
        return a == b
    if type(a) is str:
        a, b = b, a
    if type(a) is Cell and type(b) is str and _all_texts(a.data):
        return unwrap(np.equal(a.data, _single(b)))
    if type(a) is type(b) is Cell and a.shape == b.shape and all(map(_all_texts, (a.data, b.data))):
        return unwrap(np.equal(a.data, b.data))
    return compare(operator.eq, a, b)


@builtin(
    "strcmpi",
    category=_FAMILY,
    signatures=("tf = strcmpi(s1, s2)",),
    cases=("strcmpi('a', 'A')",),
    see=("strcmp",),
)
def strcmpi(a: Value, b: Value) -> Value:
    """True where texts are equal but for case."""
    if type(a) is str:
        a, b = b, a
    if type(a) is Cell and type(b) is str and _all_texts(a.data):
        wanted, texts = b.lower(), cast("list[str]", a.items())
        found = _begin_with(texts, wanted, whole=True, fold=True)
        if found is not None:
            return _of_texts(a.data, found)
        return _of_texts(a.data, [t == wanted for t in map(str.lower, texts)])
    return compare(lambda p, q: p.lower() == q.lower(), a, b)


@builtin(
    "strncmp",
    category=_FAMILY,
    signatures=("tf = strncmp(s1, s2, n)",),
    cases=("strncmp('abc', 'abd', 2)", "~strncmp('ab', 'abc', 3)", "strncmp('ab', 'ab', 4)"),
    see=("strcmp",),
)
def strncmp(a: Value, b: Value, n: Value) -> Value:
    """True where the first n characters are equal."""
    k = int_of(n)
    if type(a) is str:
        a, b = b, a
    if type(a) is Cell and type(b) is str and _all_texts(a.data):
        head, texts = b[:k], cast("list[str]", a.items())
        found = _begin_with(texts, head, whole=len(head) < k)
        if found is not None:
            return _of_texts(a.data, found)
        if len(head) == k:
            return _of_texts(a.data, list(map(str.startswith, texts, repeat(head))))
        return _of_texts(a.data, [t[:k] == head for t in texts])
    return compare(lambda p, q: p[:k] == q[:k], a, b)


@builtin(
    "strncmpi",
    category=_FAMILY,
    signatures=("tf = strncmpi(s1, s2, n)",),
    cases=("strncmpi('ABc', 'abd', 2)",),
    see=("strncmp",),
)
def strncmpi(a: Value, b: Value, n: Value) -> Value:
    """True where the first n characters are equal but for case."""
    k = int_of(n)
    if type(a) is str:
        a, b = b, a
    if type(a) is Cell and type(b) is str and _all_texts(a.data):
        head, texts = b[:k].lower(), cast("list[str]", a.items())
        found = _begin_with(texts, head, whole=len(head) < k, fold=True)
        if found is not None:
            return _of_texts(a.data, found)
        return _of_texts(a.data, [t[:k].lower() == head for t in texts])
    return compare(lambda p, q: p[:k].lower() == q[:k].lower(), a, b)


# --- searching --------------------------------------------------------------------------------


FEW, SHORT = 24, 8
"""So many matches of so short a pattern are found one by one; more are found all at once."""


def _many_positions(text: str, pattern: str) -> Array | None:
    """0-based starts of ``pattern``, overlapping ones included; None of few or a long one."""
    if not 0 < len(pattern) <= SHORT or text.count(pattern) <= FEW:
        return None
    starts = len(text) - len(pattern) + 1
    codes = char_codes(text)[0]
    alike: Array = codes[:starts] == ord(pattern[0])
    for k, letter in enumerate(pattern[1:], 1):
        alike &= codes[k : k + starts] == ord(letter)
    places: Array = alike.nonzero()[0]
    return places


def positions(text: str, pattern: str) -> list[int]:
    """1-based starts of ``pattern``, overlapping ones included."""
    many = _many_positions(text, pattern)
    if many is not None:
        return [place + 1 for place in many.tolist()]
    return _few_positions(text, pattern)


def _few_positions(text: str, pattern: str) -> list[int]:
    found, at = [], text.find(pattern) if pattern else -1
    while at >= 0:
        found.append(at + 1)
        at = text.find(pattern, at + 1)
    return found


def _runs(numbers: Array, pattern: Array) -> list[int]:
    """1-based starts of ``pattern`` among numbers, overlapping ones included."""
    if not 0 < pattern.size <= numbers.size:
        return []
    windows = np.lib.stride_tricks.sliding_window_view(numbers, pattern.size)
    return (np.flatnonzero((windows == pattern).all(axis=1)) + 1).tolist()


def _row(numbers: list[int], *, empty: Value = EMPTY) -> Value:
    return unwrap(np.array([numbers], dtype=np.float64)) if numbers else empty


@builtin(
    "strfind",
    most=4,
    words="forcecelloutput",
    category=_FAMILY,
    signatures=("k = strfind(text, pattern)", "k = strfind(..., 'ForceCellOutput', tf)"),
    cases=("isequal(strfind('abcabc', 'bc'), [2 5])", "isempty(strfind('abc', 'x'))"),
    see=("contains", "regexp", "strrep"),
)
def strfind(text: Value, pattern: Value, *options: Value) -> Value:
    """Where a pattern occurs in a text."""
    if is_numeric_like(text) and not is_char(text):
        return _row(_runs(as_array(text).ravel(order="F"), as_array(pattern).ravel(order="F")))
    wanted = text_of(pattern, "Pattern")
    forced = flag(option_pairs("strfind", options, "ForceCellOutput"), "forcecelloutput")
    if forced and not isinstance(text, Cell | StringArray):
        return Cell.of([strfind(text, pattern)])
    if forced or isinstance(text, Cell) or (isinstance(text, StringArray) and text.data.size != 1):
        return Cell.of([_row(positions(t, wanted)) for t in texts_of(text)], size_of(text))
    source = text_of(text, "First argument")
    many = _many_positions(source, wanted)
    if many is not None:
        return (many + 1.0).reshape(1, -1)
    none = EMPTY if not source or type(text) is not str else np.zeros((1, 0))
    return _row(_few_positions(source, wanted), empty=EMPTY if size_of(text) != (1, 0) else none)


@builtin(
    "index",
    category=_FAMILY,
    signatures=("k = index(text, pattern)",),
    cases=("index('abcb', 'b') == 2",),
    see=("strfind",),
)
def index(text: Value, pattern: Value, direction: Value = "first") -> Value:
    """First (or last) place of a pattern, 0 when there is none (Octave's)."""
    word = text_of(direction)
    if word not in ("first", "last") or not is_text(text):
        raise MatlabError("Octave:undefined-function", "index: the text or direction is invalid.")
    found = [positions(t, text_of(pattern)) for t in texts_of(text)]
    places = [float(p[0 if word == "first" else -1]) if p else 0.0 for p in found]
    return unwrap(np.array(places).reshape(-1, 1))


@builtin(
    "validatestring",
    category=_FAMILY,
    signatures=(
        "str = validatestring(str, options)",
        "str = validatestring(str, options, funcName, varName, pos)",
    ),
    cases=("strcmp(validatestring('gre', {'green', 'red'}), 'green')",),
    see=("strcmpi",),
)
def validatestring(text: Value, options: Value, *where: Value) -> Value:
    """The option that a text abbreviates; an error when none or several match."""
    if (is_char(text) and size_of(text)[0] > 1) or not isinstance(options, Cell | StringArray):
        message = "Expected a text and a list of texts to match it with."
        raise MatlabError("MATLAB:validatestring:invalidInput", message)
    if any(is_char(w) and size_of(w)[0] > 1 for w in where) or len(where) > 3:
        message = "The names of the function and variable must be texts."
        raise MatlabError("MATLAB:validatestring:invalidInput", message)
    wanted, choices = text_of(text), texts_of(options)
    exact = [c for c in choices if c.lower() == wanted.lower()]
    found = exact or [c for c in choices if c.lower().startswith(wanted.lower())]
    if len(found) > 1 and all(f.lower().startswith(min(found, key=len).lower()) for f in found):
        found = [min(found, key=len)]
    if len(found) != 1:
        prefix, subject = subject_of(where)
        family = f"MATLAB:{prefix[:-2]}" if prefix else "MATLAB"
        names = ", ".join(f"'{c}'" for c in choices)
        kind, how = "unrecognized", "did not match any of the valid values"
        if found:
            kind, how = "ambiguous", "matched more than one valid value"
        raise MatlabError(
            f"{family}:{kind}StringChoice",
            f"Expected {subject} to match one of these values:\n\n{names}\n\n"
            f"The input, '{wanted}', {how}.",
        )
    return StringArray.scalar(found[0]) if type(text) is StringArray else found[0]


@builtin(
    "strmatch",
    category=_FAMILY,
    signatures=("k = strmatch(text, list)",),
    cases=("isequal(strmatch('ap', {'apple', 'pear'}), 1)",),
    see=("strncmp",),
)
def strmatch(text: Value, choices: Value, exact: Value = "") -> Value:
    """Indices of texts that begin with (or equal) a text."""
    if isinstance(text, Cell) and text.data.size == 0:
        return EMPTY
    if not is_text(text) or (is_char(text) and size_of(text)[0] > 1) or not is_text(choices):
        raise MatlabError("MATLAB:strmatch:InvalidInput", "Inputs must be texts.")
    if is_string(text) and numel(text) != 1:
        raise MatlabError("MATLAB:strmatch:InvalidInput", "The text must be one.")
    wanted = text_of(text.data.flat[0] if isinstance(text, Cell) else text)
    bare = wanted.rstrip(" \0")
    hits = [
        i + 1.0
        for i, c in enumerate(texts_of(choices))
        if (c.rstrip(" \0") == bare if text_of(exact) else _begins(c, wanted))
    ]
    return unwrap(np.array(hits).reshape(-1, 1)) if hits else EMPTY


def _begins(choice: str, wanted: str) -> bool:
    """Whether a text begins with another; an empty one only matches empty texts."""
    return choice.startswith(wanted) if wanted else not choice
