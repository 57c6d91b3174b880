"""Parts of texts: substr, strtrunc, strchr, rindex, untabify, bytes of text."""

from __future__ import annotations

import codecs

import numpy as np

from app.engine.builtins.text.text_compare import positions
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import map_text
from app.engine.values import (
    EMPTY,
    CharArray,
    Value,
    as_array,
    char_codes,
    char_value,
    int_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_text_scalar,
    numel,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"


@builtin(
    "strtrunc",
    category=_FAMILY,
    signatures=("s = strtrunc(text, n)",),
    cases=("strcmp(strtrunc('abcdef', 3), 'abc')",),
    see=("substr",),
)
def strtrunc(text: Value, n: Value) -> Value:
    """The first n characters (Octave's)."""
    if not (is_char(text) or is_cell(text)):
        problem = "strtrunc: S must be text or a cell of texts."
        raise MatlabError("Octave:undefined-function", problem)
    count = as_array(n)
    if count.size != 1 or count.flat[0] < 0:
        raise MatlabError("Octave:undefined-function", "strtrunc: N must be a positive integer.")
    return map_text(lambda t: t[: int(count.flat[0])], text, "strtrunc")


@builtin(
    "substr",
    category=_FAMILY,
    signatures=("s = substr(text, offset, len)",),
    cases=("strcmp(substr('hello', 2, 3), 'ell')",),
    see=("strtrunc",),
)
def substr(text: Value, offset: Value, length: Value | None = None) -> Value:
    """The characters from an offset on (Octave's)."""
    if any(as_array(v).size != 1 for v in (offset, length) if v is not None):
        raise MatlabError("Octave:undefined-function", "substr: places must be scalars.")
    source, first = text_of(text), int_of(offset)
    first = len(source) + first + 1 if first < 0 else first
    count = len(source) - first + 1 if length is None else int_of(length)
    end = first - 1 + count if count > 0 or length is None else len(source) + count
    empty = length is not None and count == 0
    if first < 1 or end > len(source) or first > len(source) or (end < first and not empty):
        raise MatlabError("Octave:index-out-of-bounds", "substr: the part is outside the text.")
    return "" if empty else source[first - 1 : end]


@builtin(
    "strchr",
    category=_FAMILY,
    signatures=("k = strchr(text, chars)", "k = strchr(text, chars, n)"),
    cases=("isequal(strchr('abcabc', 'ac'), [1 3 4 6])",),
    see=("strfind",),
)
def strchr(text: Value, chars: Value, *options: Value) -> Value:
    """Places of any of several characters (Octave's)."""
    if not is_char(text) or not is_char(chars):
        raise MatlabError("Octave:undefined-function", "strchr: both inputs must be text.")
    wanted = set(text_of(chars))
    places = [i + 1.0 for i, c in enumerate(text_of(text)) if c in wanted]
    if options:
        count = int_of(options[0])
        last = len(options) > 1 and text_of(options[1]) == "last"
        places = places[-count:] if last else places[:count]
    return unwrap(np.array([places])) if places else np.zeros((1, 0))


@builtin(
    "rindex",
    category=_FAMILY,
    signatures=("k = rindex(text, pattern)",),
    cases=("rindex('abcb', 'b') == 4",),
    see=("index",),
)
def rindex(text: Value, pattern: Value) -> Value:
    """Last place of a pattern, 0 when there is none (Octave's)."""
    found = [positions(t, text_of(pattern)) for t in texts_of(text)]
    numbers = np.array([float(p[-1]) if p else 0.0 for p in found])
    return unwrap(numbers.reshape(text.shape if is_cell(text) else (-1, 1), order="F"))


@builtin(
    "findstr",
    words="",
    category=_FAMILY,
    signatures=("k = findstr(s1, s2)",),
    cases=("isequal(findstr('abcbc', 'bc'), [2 4])",),
    see=("strfind",),
)
def findstr(a: Value, b: Value, overlaps: Value = True) -> Value:
    """Where the shorter of two texts occurs in the longer (old name of strfind)."""
    if any(type(v) is CharArray and min(v.shape) > 1 for v in (a, b)):
        raise MatlabError("MATLAB:findstr:InvalidInput", "Inputs must be character vectors.")
    longer, shorter = sorted((text_of(a), text_of(b)), key=len, reverse=True)
    places = positions(longer, shorter)
    if not as_array(overlaps).any():
        kept: list[int] = []
        for k in places:
            if not kept or k >= kept[-1] + len(shorter):
                kept.append(k)
        places = kept
    return unwrap(np.array([places], dtype=np.float64)) if places else EMPTY


@builtin(
    "cstrcat",
    category=_FAMILY,
    signatures=("s = cstrcat(s1, s2, ...)",),
    cases=("strcmp(cstrcat('a ', 'b'), 'a b')",),
    see=("strcat",),
)
def cstrcat(*parts: Value) -> Value:
    """Join texts, keeping all blanks (Octave's)."""
    if not all(is_char(p) for p in parts):
        text = "cstrcat: arguments must be character strings"
        raise MatlabError("Octave:undefined-function", text)
    from app.engine.operators.concatenation import concatenate

    return concatenate(1, parts) if parts else ""


@builtin(
    "untabify",
    words="",
    category=_FAMILY,
    signatures=("s = untabify(text)", "s = untabify(text, width)"),
    cases=("strcmp(untabify(sprintf('\\ta')), '        a')",),
)
def untabify(text: Value, width: Value = 8.0, deblank: Value = False) -> Value:
    """Replace tabs by blanks (Octave's)."""

    def expand(t: str) -> str:
        out = t.expandtabs(int_of(width))
        return out.rstrip() if as_array(deblank).any() else out

    return map_text(expand, text, "untabify")


@builtin(
    "unicode2native",
    category=_FAMILY,
    signatures=("bytes = unicode2native(text, encoding)",),
    cases=(
        "isequal(unicode2native('aB'), uint8([97 66]))",
        "isequal(unicode2native(['a'; 'B']), uint8([97; 66]))",
    ),
    see=("native2unicode",),
)
def unicode2native(text: Value, encoding: Value = "utf-8") -> Value:
    """The bytes of a text: a column for a column of characters."""
    upright = _is_upright(text)
    if not (upright or is_text_scalar(text)) or not is_text_scalar(encoding):
        message = "The text and the encoding must be character vectors or string scalars."
        raise MatlabError("MATLAB:unicode2native:InvalidInput", message)
    if not numel(text):
        return np.zeros((0, 0), dtype=np.uint8)
    data = np.frombuffer(
        "".join(texts_of(text)).encode(_codec("unicode2native", encoding), "replace"),
        dtype=np.uint8,
    )
    return data.reshape((-1, 1) if upright else (1, -1)).copy()


def _is_upright(v: Value) -> bool:
    """Whether it is a column of several characters or numbers."""
    return size_of(v)[1:] == (1,) and numel(v) > 1


def _codec(name: str, encoding: Value) -> str:
    """The encoding's name, checked."""
    try:
        return codecs.lookup(text_of(encoding)).name
    except (LookupError, ValueError):
        text = f"{name} does not know the encoding '{text_of(encoding)}'."
        raise MatlabError(f"MATLAB:{name}:InvalidEncoding", text) from None


@builtin(
    "native2unicode",
    category=_FAMILY,
    signatures=("text = native2unicode(bytes, encoding)",),
    cases=(
        "strcmp(native2unicode(uint8([97 66])), 'aB')",
        "isequal(native2unicode([97; 66]), ['a'; 'B'])",
    ),
    see=("unicode2native",),
)
def native2unicode(data: Value, encoding: Value = "utf-8") -> Value:
    """The text that bytes encode: a column for a column of bytes."""
    if is_char(data):
        return data
    if not is_numeric_like(data) or min(as_array(data).shape) > 1 or not is_text_scalar(encoding):
        message = "The bytes must be a numeric vector, the encoding a text."
        raise MatlabError("MATLAB:native2unicode:InvalidInput", message)
    raw = np.rint(as_array(data).ravel(order="F")).astype(np.uint8).tobytes()
    made = raw.decode(_codec("native2unicode", encoding), "replace")
    return char_value(char_codes(made).reshape(-1, 1)) if _is_upright(data) else made


@builtin(
    "toascii", category=_FAMILY, signatures=("n = toascii(text)",), cases=("toascii('a') == 97",)
)
def toascii(text: Value) -> Value:
    """Code points of a text (Octave's)."""
    return unwrap(as_array(text))
