"""Names made valid and unique: matlab.lang.makeValidName, makeUniqueStrings, namelengthmax."""

from __future__ import annotations

import re

import numpy as np

from app.engine.arguments.checks import option_pairs
from app.engine.declarations.registry import builtin
from app.engine.language.tokens import KEYWORDS
from app.engine.operators.texts import is_text
from app.engine.values import (
    Cell,
    CharArray,
    StringArray,
    Value,
    int_of,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    object_array,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
LONGEST = 63


def valid_name(name: str, style: str = "underscore", prefix: str = "x") -> str:
    """A name of a variable made of any text: blanks go, the letter behind them becomes large."""
    if re.fullmatch(r"[A-Za-z]\w{0,62}", name, re.ASCII) and name not in KEYWORDS:
        return name
    word = re.sub(r"\s+([a-z])?", lambda m: (m.group(1) or "").upper(), name.strip())
    if style == "underscore":
        word = re.sub(r"\W", "_", word, flags=re.ASCII)
    elif style == "delete":
        word = re.sub(r"\W", "", word, flags=re.ASCII)
    else:
        word = re.sub(r"\W", lambda m: f"0x{ord(m.group()):02X}", word, flags=re.ASCII)
    if word in KEYWORDS:
        word = prefix + word[0].upper() + word[1:]
    if not word or not (word[0].isascii() and word[0].isalpha()):
        word = prefix + word
    return word[:LONGEST]


def _which_changed(texts: Value, olds: list[str], news: list[str]) -> Value:
    """Logicals in the shape of the texts."""
    flags = np.array([a != b for a, b in zip(olds, news, strict=True)])
    shape = size_of(texts) if not is_char(texts) else (1, 1)
    return unwrap(flags.reshape(shape, order="F"))


def _texts_like(like: Value, texts: list[str]) -> Value:
    if is_cell(like):
        return Cell(object_array(texts, like.shape))
    if is_string(like):
        return StringArray(object_array(texts, like.shape))
    return texts[0]


@builtin(
    "matlab.lang.makeValidName",
    category=_FAMILY,
    signatures=(
        "[N, changed] = matlab.lang.makeValidName(S)",
        "N = matlab.lang.makeValidName(S, 'ReplacementStyle', style, 'Prefix', p)",
    ),
    cases=(
        "strcmp(matlab.lang.makeValidName('a b'), 'aB')",
        "strcmp(matlab.lang.makeValidName('1x'), 'x1x')",
        "strcmp(matlab.lang.makeValidName('a-b'), 'a_b')",
    ),
    see=("matlab.lang.makeUniqueStrings", "isvarname", "genvarname"),
)
def make_valid_name(texts: Value, *options: Value) -> Value:
    """Valid names of variables from any texts."""
    if not (is_char(texts) or is_string(texts) or is_cell(texts)):
        text = "Input must be a character vector, a string array or a cell array of texts."
        raise MatlabError("MATLAB:makeValidName:InvalidInput", text)
    words = {
        k: text_of(v)
        for k, v in option_pairs("makeValidName", options, "ReplacementStyle Prefix").items()
    }
    style, prefix = words.get("replacementstyle", "underscore"), words.get("prefix", "x")
    if style not in ("underscore", "delete", "hex") or set(words) - {"replacementstyle", "prefix"}:
        raise MatlabError("MATLAB:makeValidName:InvalidOption", "Unknown option or style.")
    if not re.fullmatch(r"[A-Za-z]\w*", prefix, re.ASCII) or prefix in KEYWORDS:
        raise MatlabError("MATLAB:makeValidName:InvalidPrefix", "The prefix must be a valid name.")
    olds = texts_of(texts)
    news = [valid_name(t, style, prefix) for t in olds]
    return _texts_like(texts, news), _which_changed(texts, olds, news)


@builtin(
    "matlab.lang.makeUniqueStrings",
    category=_FAMILY,
    signatures=(
        "[U, changed] = matlab.lang.makeUniqueStrings(S, excluded)",
        "U = matlab.lang.makeUniqueStrings(S, excluded, longest)",
    ),
    cases=(
        "strcmp(matlab.lang.makeUniqueStrings('a', {'a'}), 'a_1')",
        "isequal(matlab.lang.makeUniqueStrings({'a', 'a'}), {'a', 'a_1'})",
    ),
    see=("matlab.lang.makeValidName",),
)
def make_unique_strings(texts: Value, *rest: Value) -> Value:
    """Texts that differ from each other and from those excluded, by numbers at their ends."""
    excluded: set[str] = set()
    if (rest and not is_numeric_like(rest[0])) or (rest and is_char(rest[0])):
        excluded = set(texts_of(rest[0]))
    longest = int_of(rest[1]) if len(rest) > 1 else 1 << 30
    olds = texts_of(texts)
    taken, counts = set(excluded), dict[str, int]()
    news: list[str] = []
    for text in olds:
        word, n = text[:longest], counts.get(text, 0)
        while word in taken:
            n += 1
            tail = f"_{n}"
            word = text[: longest - len(tail)] + tail
        counts[text] = n
        taken.add(word)
        news.append(word)
    return _texts_like(texts, news), _which_changed(texts, olds, news)


@builtin(
    "namelengthmax",
    category=_FAMILY,
    signatures=("n = namelengthmax",),
    cases=("namelengthmax == 63",),
    see=("isvarname",),
)
def namelengthmax() -> Value:
    """Longest length of a name."""
    return float(LONGEST)


@builtin(
    "genvarname",
    category=_FAMILY,
    signatures=("N = genvarname(S)", "N = genvarname(S, excluded)"),
    cases=("strcmp(genvarname('x', {'x'}), 'x1')",),
    see=("matlab.lang.makeValidName",),
)
def genvarname(texts: Value, excluded: Value | None = None) -> Value:
    """Valid, unique names of variables; the newer function is matlab.lang.makeValidName."""
    listed = [v for v in (texts, excluded) if v is not None]
    if any(not is_text(v) or isinstance(v, CharArray) for v in listed):
        text = "Input must be a character vector or a cell array of character vectors."
        raise MatlabError("MATLAB:genvarname:wrongVariableNameType", text)
    taken = set(texts_of(excluded)) if excluded is not None else set()
    counts: dict[str, int] = {}
    news: list[str] = []
    for text in texts_of(texts):
        base = re.sub(r"\W", "_", text, flags=re.ASCII)
        base = base.capitalize() if base in KEYWORDS else base
        named = base[:1].isalpha() and base.lower() not in KEYWORDS
        base = base if named else f"x{base}"
        word, n = base, counts.get(base, 0)
        while word in taken:
            n += 1
            word = f"{base}_{n}" if base[-1].isdigit() else f"{base}{n}"
        counts[base] = n
        taken.add(word)
        news.append(word)
    return _texts_like(texts, news)
