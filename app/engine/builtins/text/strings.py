"""Making and changing text: case, trimming, joining, splitting, replacing, padding."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, option_pairs
from app.engine.arguments.size_arguments import check_room
from app.engine.builtins.text.pattern_class import searcher
from app.engine.declarations.registry import builtin
from app.engine.operators.element_arrays import data_of
from app.engine.operators.joined_text import joined_text
from app.engine.operators.number_text import char_rows
from app.engine.operators.operators import plus
from app.engine.operators.string_operators import to_strings
from app.engine.operators.texts import is_text, map_text, same_kind
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    StringArray,
    Value,
    as_array,
    canonical,
    char_value,
    class_of,
    filled_objects,
    int_of,
    is_cell,
    is_cellstr,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.engine.values.print_formats import render, unescape
from app.errors import MatlabError

_FAMILY = "strings"
_BLANKS = " \t\n\v\f\r\0"
_CODE_BYTES = 4
"""Of a character in an array of them."""


@builtin(
    "strtrim",
    category=_FAMILY,
    signatures=("s = strtrim(text)",),
    cases=("strcmp(strtrim('  a b '), 'a b')",),
    see=("deblank",),
)
def strtrim(text: Value) -> Value:
    """Remove leading and trailing white space."""
    if type(text) is CharArray and text.shape[0] > 1:
        rows = text.rows()
        first = min((len(r) - len(r.lstrip(_BLANKS)) for r in rows if r.strip(_BLANKS)), default=0)
        last = max(len(r.rstrip(_BLANKS)) for r in rows)
        return char_rows([r[first:last] for r in rows])
    return map_text(lambda t: t.strip(_BLANKS), text, "strtrim")


@builtin(
    "deblank",
    category=_FAMILY,
    signatures=("s = deblank(text)",),
    cases=("strcmp(deblank(' a '), ' a')",),
    see=("strtrim",),
)
def deblank(text: Value) -> Value:
    """Remove trailing white space."""
    if type(text) is CharArray and text.shape[0] > 1:
        rows = text.rows()
        width = max(len(r.rstrip(_BLANKS)) for r in rows)
        if not width:
            return ""
        return char_rows([r[:width] for r in rows])
    if is_numeric_like(text) and numel(text) == 0:
        return text
    return map_text(lambda t: t.rstrip(_BLANKS), text, "deblank")


@builtin(
    "strip",
    category=_FAMILY,
    signatures=("s = strip(text)", "s = strip(text, side, chars)"),
    cases=("strcmp(strip(' a '), 'a')",),
    see=("strtrim",),
)
def strip(text: Value, side: Value = "both", chars: Value | None = None) -> Value:
    """Remove white space or given characters from the ends."""
    where = text_of(side).lower()
    drop = _BLANKS if chars is None else text_of(chars)
    if where not in ("both", "left", "right"):
        where, drop = "both", text_of(side)
    cut = {"both": str.strip, "left": str.lstrip, "right": str.rstrip}[where]
    return map_text(lambda t: cut(t, drop), text, "strip")


@builtin(
    "blanks", category=_FAMILY, signatures=("s = blanks(n)",), cases=("strcmp(blanks(2), '  ')",)
)
def blanks(n: Value) -> Value:
    """A text of n blanks."""
    size = as_array(n)
    if size.size != 1 or not 0 <= size.flat[0].real < np.inf or size.flat[0].real % 1:
        message = "Input must be a nonnegative integer scalar."
        raise MatlabError("MATLAB:blanks:InvalidInput", message)
    count = int(size.flat[0].real)
    check_room((1, count), _CODE_BYTES)
    return " " * count if count else CharArray(np.zeros((1, 0), dtype=np.uint32))


@builtin("newline", category=_FAMILY, signatures=("c = newline",), cases=("newline == 10",))
def newline() -> Value:
    """The line feed character."""
    return "\n"


# --- joining ----------------------------------------------------------------------------------


@builtin(
    "strcat",
    category=_FAMILY,
    signatures=("s = strcat(s1, s2, ...)",),
    cases=("strcmp(strcat('a ', 'b'), 'ab')", "isequal(strcat({'a '}, 'b'), {'a b'})"),
    see=("horzcat", "strjoin"),
)
def strcat(*parts: Value) -> Value:
    """Join texts side by side; trailing blanks of char arrays are dropped, of cells kept."""
    if any(isinstance(p, StringArray) for p in parts):
        made: Value = to_strings(parts[0])
        for part in parts[1:]:
            made = plus(made, to_strings(part))
        return made
    if any(is_cell(p) for p in parts):
        return _strcat_cells(parts)
    if not any(is_char(p) for p in parts):
        text = (
            "Inputs must be character vectors, cell arrays of character vectors, or string arrays."
        )
        raise MatlabError("MATLAB:strcat:InvalidInputType", text)
    kept = [p if is_char(p) else _from_codes(p) for p in parts]
    rows = [[r.rstrip() for r in texts_of(p)] for p in kept if numel(p)]
    height = max(map(len, rows), default=0)
    if any(len(r) not in (1, height) for r in rows):
        raise _unequal_sizes()
    spread = [r * height if len(r) == 1 else r for r in rows]
    return char_rows([joined_text(t) for t in zip(*spread, strict=True)]) if rows else ""


def _from_codes(v: Value) -> Value:
    """Numbers as the characters they are codes of; what is no code is 0."""
    codes = as_array(v).real.astype(np.float64)
    return char_value(np.where((codes >= 0) & (codes < 0x110000), codes, 0).astype(np.uint32))


def _unequal_sizes() -> MatlabError:
    text = "All the inputs must be the same size or scalars."
    return MatlabError("MATLAB:strcat:InvalidInputSize", text)


def _strcat_cells(parts: tuple[Value, ...]) -> Value:
    shape = next((p.shape for p in parts if is_cell(p) and p.data.size != 1), (1, 1))
    columns = []
    for p in parts:
        texts = [text_of(x) for x in p.items()] if is_cell(p) else [t.rstrip() for t in texts_of(p)]
        columns.append(texts * int(np.prod(shape)) if len(texts) == 1 else texts)
    if len({len(c) for c in columns}) > 1:
        raise _unequal_sizes()
    return Cell.of([joined_text(t) for t in zip(*columns, strict=True)], shape)


@builtin(
    "strjoin",
    category=_FAMILY,
    signatures=("s = strjoin(list)", "s = strjoin(list, delimiter)"),
    cases=("strcmp(strjoin({'a', 'b'}), 'a b')", "strcmp(strjoin({'a', 'b'}, ', '), 'a, b')"),
    see=("strsplit", "join"),
)
def strjoin(texts: Value, delimiter: Value = " ") -> Value:
    """Join a list of texts with a delimiter between them."""
    if not is_cellstr(texts) and not isinstance(texts, StringArray):
        text = "First input must be a 1-by-N cell array of character vectors or string array."
        raise MatlabError("MATLAB:strjoin:InvalidCellType", text)
    items = texts_of(texts)
    if is_cell(delimiter):
        between = [*texts_of(delimiter), ""]
        return joined_text([t for pair in zip(items, between, strict=False) for t in pair])
    mark = unescape(text_of(delimiter))
    length = sum(map(len, items)) + len(mark) * len(items)
    memory.require_text(length, f"joining {len(items)} texts to {length} characters")
    return same_kind(texts, mark.join(items))


@builtin(
    "join",
    category=_FAMILY,
    signatures=(
        "s = join(str)",
        "s = join(str, delimiter, dim)",
        "s = join(str, dim)",
        "[T, iB] = join(A, B, 'Keys', vars)",
    ),
    cases=('join(["a" "b"]) == "a b"',),
    see=("strjoin",),
)
def join(texts: Value, delimiter: Value = " ", dim: Value | None = None, *options: Value) -> Value:
    """Join the elements of a string array along its last dimension that is not one, or tables.

    ``join(A, B)`` puts beside every row of the table A the row of B with the same key; options
    are Keys, LeftKeys, RightKeys, LeftVariables, RightVariables and KeepOneCopy.
    """
    if options:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    data = texts.data if isinstance(texts, StringArray) else to_strings(texts).data
    if not is_text(delimiter):
        delimiter, dim = " ", delimiter
    axis = int_of(dim) - 1 if dim is not None else (1 if data.shape[1] > 1 else 0)
    moved = np.moveaxis(data, axis, -1)
    lines = moved.reshape(-1, moved.shape[-1]).tolist()
    gaps = _gaps(delimiter, axis, len(lines), max(data.shape[axis] - 1, 0))
    joined = [_joined_texts(row, between) for row, between in zip(lines, gaps, strict=True)]
    shape = tuple(1 if i == axis else n for i, n in enumerate(data.shape))
    made = Cell if is_cell(texts) else StringArray
    return made(np.array(joined, dtype=object).reshape(shape))


def _gaps(delimiter: Value, axis: int, lines: int, gaps: int) -> list[list[str]]:
    """The delimiters of every line: one for all, or one for each gap of one or of every line."""
    texts = texts_of(delimiter)
    if len(texts) == 1:
        return [texts * gaps] * lines
    table = np.array(texts, dtype=object).reshape(size_of(delimiter), order="F")
    rows = np.moveaxis(table, axis, -1).reshape(-1, table.shape[axis]).tolist()
    if table.shape[axis] != gaps or len(rows) not in (1, lines):
        text = "There must be one delimiter, or one for every gap."
        raise MatlabError("MATLAB:string:InvalidDelimiterSize", text)
    return rows * lines if len(rows) == 1 else rows


def _joined_texts(row: list[str | None], between: list[str]) -> str | None:
    """Texts with delimiters between them, one for all gaps or one for each."""
    if any(t is None for t in row):
        return None
    return joined_text([f"{t}{gap}" for t, gap in zip(row, [*between, ""], strict=True)])


@builtin(
    "append",
    category=_FAMILY,
    signatures=("s = append(s1, s2, ...)",),
    cases=("strcmp(append('a ', 'b'), 'a b')",),
    see=("strcat",),
)
def append(*parts: Value) -> Value:
    """Join texts, keeping all blanks."""
    if any(isinstance(p, StringArray) for p in parts):
        return strcat(*parts)
    if any(is_cell(p) for p in parts):
        return _strcat_cells(parts)
    return "".join(text_of(p) for p in parts)


@builtin(
    "strvcat",
    category=_FAMILY,
    signatures=("C = strvcat(t1, t2, ...)",),
    cases=("isequal(size(strvcat('a', 'bcd')), [2 3])",),
    see=("char",),
)
def strvcat(*parts: Value) -> Value:
    """Stack texts as rows, padded with blanks; empty texts vanish."""
    rows = [r for p in parts for r in _rows_of(p) if r]
    return char_rows(rows) if rows else ""


def _rows_of(v: Value) -> list[str]:
    if is_cell(v):
        return [r for x in v.items() for r in _rows_of(x)]
    if is_text(v):
        return texts_of(v)
    codes = as_array(v).astype(np.uint32)
    return texts_of(char_value(codes))


# --- replacing --------------------------------------------------------------------------------


@builtin(
    "strrep",
    category=_FAMILY,
    signatures=("s = strrep(text, old, new)",),
    cases=("strcmp(strrep('abab', 'a', 'x'), 'xbxb')",),
    see=("regexprep", "replace"),
)
def strrep(ctx: CallContext, text: Value, old: Value, new: Value, *options: Value) -> Value:
    """Replace a text by another; in Octave's dialect 'overlaps' may be false."""
    if options and not ctx.settings.octave:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    overlaps = flag(option_pairs("strrep", options, "overlaps"), "overlaps", True)
    if not is_text(text):
        message = (
            "Inputs must be character vectors, cell arrays of character vectors, or string arrays."
        )
        raise MatlabError("MATLAB:strrep:cellOrCharInput", message)
    if is_numeric_like(old) and not is_char(old):
        return text
    if numel(old) > 1 and not isinstance(old, str):
        pairs = zip(texts_of(old), texts_of(new), strict=True)
        each = [
            _with_replacements(t, *p, overlaps=overlaps)
            for t, p in zip(texts_of(text), pairs, strict=True)
        ]
        return Cell.of(each, size_of(text))
    before, after = text_of(old), "" if numel(new) == 0 and is_numeric_like(new) else text_of(new)
    return map_text(
        lambda t: _with_replacements(t, before, after, overlaps=overlaps), text, "strrep"
    )


@lru_cache(maxsize=256)
def _overlaps_itself(text: str) -> bool:
    """Whether a text may begin before the same text ends."""
    return any(text.startswith(text[k:]) for k in range(1, len(text)))


def _with_replacements(text: str, old: str, new: str, *, overlaps: bool) -> str:
    """Every occurrence replaced; overlapping ones, too, where ``overlaps``."""
    if not old or text.find(old) < 0:
        return text
    if len(text) // len(old) * len(new) >= memory.LARGE:
        length = len(text) + text.count(old) * len(new)
        memory.require_text(length, f"a text of up to {length} characters")
    if not overlaps or not _overlaps_itself(old):
        return text.replace(old, new)
    out, done, at = [], 0, text.find(old)
    while at >= 0:
        out.append(text[done:at] + new)
        done = at + len(old)
        at = text.find(old, at + 1)
    return "".join(out) + text[done:]


@builtin(
    "replace",
    category=_FAMILY,
    signatures=("s = replace(text, old, new)",),
    cases=("strcmp(replace('ab', 'a', 'x'), 'xb')", 'replace("a12", digitsPattern, "#") == "a#"'),
    see=("strrep", "pattern"),
)
def replace(text: Value, old: Value, new: Value) -> Value:
    """Replace texts, or what matches a pattern, by others."""
    news = texts_of(new)
    if len(news) == 1:
        return map_text(lambda t: searcher(old).sub(lambda m: news[0], t), text, "replace")
    table = dict(zip(texts_of(old), news, strict=True))
    return map_text(lambda t: searcher(old).sub(lambda m: table[m.group()], t), text, "replace")


@builtin(
    "erase",
    category=_FAMILY,
    signatures=("s = erase(text, pattern)",),
    cases=("strcmp(erase('abc', 'b'), 'ac')",),
    see=("replace", "pattern"),
)
def erase(text: Value, pattern: Value) -> Value:
    """Remove texts, or what matches a pattern."""
    sought = searcher(pattern)
    return map_text(lambda t: sought.sub("", t), text, "erase")


@builtin(
    "reverse",
    category=_FAMILY,
    signatures=("s = reverse(text)",),
    cases=("strcmp(reverse('abc'), 'cba')",),
    see=("flip",),
)
def reverse(text: Value) -> Value:
    """Characters in reverse order."""
    return map_text(lambda t: t[::-1], text, "reverse")


def declare_cut(name: str, case: str, summary: str, *, after: bool) -> None:
    """Declare a function that keeps what stands before or after a text, pattern or position."""

    def part(text: Value, edge: Value) -> Value:
        if is_numeric_like(edge) and not is_char(edge):
            k = int_of(edge)
            return map_text(lambda t: t[k:] if after else t[: k - 1], text, name)
        sought = searcher(edge)

        def cut(t: str) -> str:
            found = sought.search(t)
            if found is None:
                return None if isinstance(text, StringArray) else ""  # type: ignore[return-value]
            return t[found.end() :] if after else t[: found.start()]

        return map_text(cut, text, name)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"s = {name}(text, place)",),
        cases=(case,),
        text=summary,
        see=("extractBetween", "extract", "pattern"),
    )(part)


declare_cut(
    "extractBefore",
    "strcmp(extractBefore('a=b', '='), 'a')",
    after=False,
    summary="The part before a text, pattern or position; missing where it is not found.",
)
declare_cut(
    "extractAfter",
    "strcmp(extractAfter('a=b', '='), 'b')",
    after=True,
    summary="The part after a text, pattern or position; missing where it is not found.",
)


@builtin(
    "pad",
    category=_FAMILY,
    signatures=("s = pad(str, n)", "s = pad(str, n, side, char)"),
    cases=('pad("a", 3) == "a  "',),
    see=("strip",),
)
def pad(text: Value, width: Value | None = None, side: Value = "right", fill: Value = " ") -> Value:
    """Extend texts with blanks to a width."""
    if width is not None and (is_char(width) or is_string(width)):
        width, side, fill = None, width, side if text_of(side) != "right" else fill
    if text_of(side).lower() not in ("left", "right", "both"):
        side, fill = "right", side
    texts = texts_of(text)
    n = int_of(width) if width is not None else max(map(len, texts), default=0)
    memory.require_text(n, f"padding to {n} characters")
    memory.require(float(n) * len(texts), f"padding {len(texts)} texts to {n} characters")
    makers = {"right": str.ljust, "left": str.rjust, "both": str.center}
    if text_of(side).lower() not in makers:
        raise MatlabError("MATLAB:string:InvalidSide", "The side must be left, right or both.")
    if len(text_of(fill)) != 1:
        raise MatlabError("MATLAB:string:InvalidPadCharacter", "The padding is one character.")
    make = makers[text_of(side).lower()]
    return map_text(lambda t: make(t, n, text_of(fill)), text, "pad")


@builtin(
    "strlength",
    category=_FAMILY,
    signatures=("n = strlength(text)",),
    cases=("strlength('abc') == 3",),
    see=("length",),
)
def strlength(text: Value) -> Value:
    """Number of characters of every text."""
    counts = np.array([float(len(t)) for t in texts_of(text)])
    if isinstance(text, StringArray):
        counts[[t is None for t in text.data.ravel(order="F").tolist()]] = np.nan
    shape = text.shape if isinstance(text, Cell | StringArray) else (counts.size, 1)
    return unwrap(counts.reshape(shape, order="F"))


@builtin(
    "strjust",
    category=_FAMILY,
    signatures=("s = strjust(text, side)",),
    cases=("strcmp(strjust('a ', 'right'), ' a')",),
    see=("strtrim",),
)
def strjust(text: Value, side: Value = "right") -> Value:
    """Move the text of every row to a side."""
    if not (is_char(text) or is_string(text)) or len(size_of(text)) > 2:
        raise MatlabError("MATLAB:strjust:InvalidInput", "Input must be a character array.")
    makers: dict[str, Any] = {"right": str.rjust, "left": str.ljust, "center": _centred_text}
    if text_of(side).lower() not in makers:
        raise MatlabError("MATLAB:strjust:InvalidSide", "The side must be left, right or center.")
    make = makers[text_of(side).lower()]
    return map_text(lambda t: make(t.strip(), len(t)), text, "strjust")


def _centred_text(text: str, width: int) -> str:
    left = (width - len(text)) // 2
    return (" " * left + text).ljust(width)


@builtin(
    "do_string_escapes",
    category=_FAMILY,
    signatures=("s = do_string_escapes(text)",),
    cases=("numel(do_string_escapes('a\\nb')) == 3",),
)
def do_string_escapes(text: Value) -> Value:
    """Replace escape sequences by the characters they mean (Octave's)."""
    return unescape(text_of(text))


@builtin(
    "compose",
    category=_FAMILY,
    signatures=("s = compose(format, A, ...)", "s = compose(text)"),
    cases=(
        "isequal(compose('%d', [1 2]), {'1', '2'})",
        'isequal(compose("%d-%s", [1; 2], ["a"; "b"]), ["1-a"; "2-b"])',
    ),
    see=("sprintf",),
)
def compose(template: Value, *args: Value) -> Value:
    """A text by the format for every row: the columns of all arrays fill its conversions, and the
    format begins again beside the first text where columns are left."""
    if not args:
        return map_text(unescape, template, "compose")
    forms = texts_of(template)
    if isinstance(template, CharArray):
        template = Cell(object_array(forms, (len(forms), 1)))
    if len(forms) > 1:
        return _composed_by_each(forms, template, args)
    if not forms:
        raise MatlabError("MATLAB:string:MustBeString", "The format of compose must be a text.")
    form = forms[0]
    holes = max(len(re.findall(r"%(?!%)", form.replace("%%", ""))), 1)
    given = [StringArray.scalar(a) if type(a) is str else a for a in args]
    given = [_missing_strings(a) if class_of(a) == "missing" else a for a in given]
    tables = [data_of(a) if isinstance(a, Cell | StringArray) else _as_values(a) for a in given]
    tables = [t.reshape(t.shape[0], -1, order="F") for t in tables]
    height = max(t.shape[0] for t in tables)
    rows = [[x for t in tables for x in t[min(k, t.shape[0] - 1)].tolist()] for k in range(height)]
    parts = [[tuple(row[j : j + holes]) for j in range(0, len(row), holes)] for row in rows]
    texts = [[_composed(form, part, template) for part in row] for row in parts]
    data = np.array(texts, dtype=object).reshape(height, -1)
    return StringArray(data) if isinstance(template, StringArray) else Cell(data)


def _missing_strings(a: Value) -> StringArray:
    return StringArray(filled_objects(size_of(a), None))


def _composed(form: str, values: tuple[Value, ...], template: Value) -> str | None:
    """One text; a missing string among its values leaves nothing of it."""
    if any(v is None for v in values):
        return None if isinstance(template, StringArray) else ""
    return render(form, values)


def _as_values(a: Value) -> Array:
    """The elements of an array, whole numbers in their class: a list of them would be Python's."""
    data = as_array(a)
    if data.dtype.kind not in "iu":
        return data
    return object_array([np.array([[x]]) for x in data.ravel(order="F")], data.shape)


def _composed_by_each(forms: list[str], template: Value, args: tuple[Value, ...]) -> Value:
    """Several formats: a row of them fills its own columns, a column its own rows."""
    shape = size_of(template)
    alone = StringArray.scalar if isinstance(template, StringArray) else str
    across = shape[0] == 1
    tables = [as_array(a) if not isinstance(a, Cell | StringArray) else a.data for a in args]
    height, width = (max(t.shape[k] for t in tables) for k in (0, 1))
    if (width if across else height) != len(forms) and (across or height != 1):
        text = "The formats and the data must have matching sizes."
        raise MatlabError("MATLAB:string:ComposeSizeMismatch", text)
    made = []
    for k, form in enumerate(forms):
        parts = tuple(_line_of(a, k, across=across) for a in args)
        made.append(texts_of(compose(alone(form), *parts)))
    data = np.array(made, dtype=object)
    if isinstance(template, Cell | StringArray):
        return type(template)(data.T if across else data)
    return Cell(data)


def _line_of(a: Value, k: int, *, across: bool) -> Value:
    """Column (or row) ``k`` of an array; the only one where there is one."""
    data = a.data if isinstance(a, Cell | StringArray) else as_array(a)
    axis = 1 if across else 0
    part = np.take(data, [min(k, data.shape[axis] - 1)], axis=axis)
    return type(a)(part) if isinstance(a, Cell | StringArray) else canonical(part)
