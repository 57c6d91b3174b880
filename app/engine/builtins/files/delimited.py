"""Delimited text: splitting into fields, guessing the delimiter and the header, numbers."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from app import paths, textfile
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.text.text_numbers import decimals_of, number_of
from app.engine.values import Array, Value, is_text_scalar, text_of, texts_of
from app.errors import MatlabError

_CANDIDATES = (",", "\t", ";", "|")
_EMPTY = {"", "na", "n/a"}
_MOST_COLUMNS = 1 << 20
"""More than a worksheet has, so that a range without an end has all."""
Rows: TypeAlias = list[list[Any]]
"""Rows of fields: texts, numbers, or None for empty ones."""


@dataclass(slots=True)
class Sheet:
    """Rows of fields of a text file or a worksheet: texts, numbers, or None for empty ones."""

    rows: Rows

    @property
    def width(self) -> int:
        """Fields of the longest row."""
        return max(map(len, self.rows), default=0)

    def padded(self) -> Rows:
        """Rows of equal length."""
        width = self.width
        if all(len(row) == width for row in self.rows):
            return self.rows
        return [[*row, *([None] * (width - len(row)))] for row in self.rows]


READ = "Delimiter Sheet Range NumHeaderLines"
"""Options of every function that reads rows."""

READ_TABLE = (
    f"{READ} HeaderLines CommentStyle ReadVariableNames ReadRowNames VariableNames "
    "VariableNamingRule PreserveVariableNames TextType DatetimeType DurationType TreatAsMissing "
    "TreatAsEmpty EmptyValue DecimalSeparator ThousandsSeparator Format MissingRule"
)
"""Options of the functions that read tables."""

WRITE = "Delimiter Sheet Range WriteMode QuoteStrings"
"""Options of every function that writes rows."""

_WORKBOOKS = (".xls", ".xlsx", ".xlsm", ".xlsb", ".ods")


def file_options(
    function: str, file: Value, args: tuple[Value, ...], known: str
) -> dict[str, Value]:
    """Options of a function on a file, by name in lower case.

    All take FileType (which must be what the file's name says) and Encoding. The name of an XML
    file says that it has no rows, unless FileType says otherwise.

    Raises:
        MatlabError: an option is not among ``known``, or asks for what is not supported.
    """
    pairs = option_pairs(function, args, f"{known} FileType Encoding")
    ending = Path(text_of(file)).suffix.lower()
    if ending == ".xml" and "filetype" not in pairs and "Delimiter" in known.split():
        raise _no_rows_in_xml(function)
    if "filetype" in pairs:
        kind = one_of(function, "FileType", pairs.pop("filetype"), "text spreadsheet")
        is_book = ending in _WORKBOOKS
        if is_book != (kind == "spreadsheet"):
            text = f"{function}: FileType '{kind}' does not fit the name of the file."
            raise MatlabError(f"MATLAB:{function}:FileType", text)
    if "encoding" in pairs and text_of(pairs["encoding"]).lower() in ("", "auto", "system"):
        del pairs["encoding"]
    return pairs


def _no_rows_in_xml(function: str) -> MatlabError:
    """Fields between delimiters are not what an XML file has, whoever reads or writes it."""
    others = "writestruct or xmlwrite" if function.startswith("write") else "readstruct or xmlread"
    text = (
        f"{function} takes delimited text and worksheets, not XML. Use {others}; "
        "'FileType', 'text' takes the file as delimited text."
    )
    return MatlabError(f"MATLAB:{function}:FileType", text)


def encoding_of(options: dict[str, Value], default: str) -> str:
    """The codec that the option Encoding asks for."""
    if "encoding" not in options:
        return default
    word = text_of(options["encoding"])
    try:
        found = codecs.lookup(word).name
    except LookupError as problem:
        text = f"Encoding '{word}' is not known."
        raise MatlabError("MATLAB:textio:unknownEncoding", text) from problem
    return default if found == "utf-8" else found


def not_found(function: str) -> str:
    """The identifier of a missing file's error: the newer functions share theirs."""
    kind = "textio:textio" if function.startswith("read") else function
    return f"MATLAB:{kind}:FileNotFound"


def file_text(name: Value, function: str, encoding: str = "utf-8-sig", most: int = -1) -> str:
    """The text of a file, or MATLAB's error that it is not there.

    ``most``: bytes that are enough; of a longer file the lines are given that end within them.
    """
    path = Path(text_of(name)).expanduser()
    try:
        data = paths.content(path, most)
    except OSError as problem:
        text = f"Unable to find or open '{path}'. Check the path and filename or file permissions."
        raise MatlabError(not_found(function), text) from problem
    if len(data) == most:
        data = data[: data.rfind(b"\n") + 1] or data
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return data.decode("latin-1")


def delimiter_of(text: str) -> str:
    """The delimiter that the lines have most evenly; empty for white space."""
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    best, most = "", 0
    for candidate in _CANDIDATES:
        counts = [line.count(candidate) for line in lines]
        if counts and min(counts) > 0 and min(counts) >= most:
            best, most = candidate, min(counts) + 1
    if best:
        return best
    shares = {c: sum(c in line for line in lines) for c in _CANDIDATES}
    commonest = max(shares, key=lambda c: shares[c])
    return commonest if lines and 2 * shares[commonest] >= len(lines) else ""


def split_text(text: str, delimiter: str | None = None, *others: str) -> Sheet:
    """A text as rows of fields between any of the delimiters, or the one that it seems to have.

    Quoted fields may hold delimiters and, with one delimiter of one character, line ends.
    """
    chosen = delimiter_of(text) if delimiter is None else delimiter
    if others or len(chosen) > 1:
        rows: Rows = [_fields(line, (chosen, *others)) for line in text.splitlines()]
    elif chosen in ("", " "):
        rows = [_words(line) for line in text.splitlines()]
    else:
        rows = textfile.separated_rows(text, chosen)
    while rows and not any(f.strip() for f in rows[-1]):
        rows.pop()
    return Sheet(rows)


def _words(line: str) -> list[str]:
    """The fields between white space; texts in quotes stay whole."""
    if '"' not in line:
        return line.split()
    found = re.findall(r'"((?:[^"]|"")*)"(?=\s|$)|(\S+)', line)
    return [quoted.replace('""', '"') or plain for quoted, plain in found]


def _fields(line: str, delimiters: tuple[str, ...]) -> list[str]:
    """The fields of one line; texts in quotes stay whole."""
    between = "|".join(map(re.escape, sorted(delimiters, key=len, reverse=True)))
    found = re.findall(rf'\s*"((?:[^"]|"")*)"\s*(?:{between}|$)|(.*?)(?:{between}|$)', line)
    fields = [quoted.replace('""', '"') or plain for quoted, plain in found]
    ends_open = any(line.endswith(d) for d in delimiters)
    return fields if ends_open or not line else fields[:-1]


def delimiters_option(options: dict[str, Value]) -> list[str]:
    """The delimiters asked for; none to guess."""
    if "delimiter" not in options:
        return []
    words = {"comma": ",", "tab": "\t", "\\t": "\t", "semi": ";", "space": " ", "bar": "|"}
    given = options["delimiter"]
    texts = [text_of(given)] if is_text_scalar(given) else texts_of(given)
    return [words.get(word, word) for word in texts]


def delimiter_option(options: dict[str, Value]) -> str | None:
    """The one delimiter of what writes, or reads piece by piece; None to guess."""
    found = delimiters_option(options)
    if len(found) > 1:
        text = f"One delimiter is needed here, not {len(found)}."
        raise MatlabError("MATLAB:textio:textio:InvalidDelimiter", text)
    return found[0] if found else None


def to_number(field: Any) -> Any:
    """A field as a number; NaN when it says none."""
    if isinstance(field, str):
        word = field.strip()
        return number_of(word) if word else math.nan
    return math.nan if field is None else field


def to_numbers(fields: Sequence[object]) -> Array:
    """Fields as numbers, in a vector; NaN where one says none."""
    found = decimals_of(fields)
    return np.array(list(map(to_number, fields)) if found is None else found)


def are_numbers(fields: Sequence[object]) -> bool:
    """Whether every field is a number or empty."""
    return decimals_of(fields) is not None or all(map(is_number, fields))


def is_number(field: Any) -> bool:
    """Whether a field is a number or empty."""
    if field is None or isinstance(field, int | float):
        return True
    if not isinstance(field, str):
        return False
    text = field.strip().lower()
    if text in _EMPTY or text == "nan":
        return True
    value = number_of(text)
    return value == value


def numbers(rows: Rows) -> Array:
    """Rows of fields as a matrix, NaN where a field is no number."""
    columns = list(zip(*Sheet(rows).padded(), strict=True))
    if not columns:
        return np.zeros((0, 0))
    return np.stack(list(map(to_numbers, columns)), axis=1)


def is_empty_line(row: Sequence[object]) -> bool:
    """Whether a row was a line of a text without any field; ``,,`` is none."""
    return not row or (not str(row[0] or "").strip() and all(f is None for f in row[1:]))


def lines_of_remarks(rows: Rows) -> int:
    """Lines up to the first empty one, where each has fewer fields than every line below."""
    end = next((k for k, row in enumerate(rows) if is_empty_line(row)), 0)
    below = [len(row) for row in rows[end:] if not is_empty_line(row)]
    return end if below and max(map(len, rows[:end]), default=0) < min(below) else 0


def header_rows(rows: Rows) -> int:
    """How many rows stand before the first that has a number in it."""
    for k, row in enumerate(rows):
        filled = [f for f in row if f is not None and str(f).strip()]
        if any(is_number(f) for f in filled):
            return k
    return 0


def cell_address(text: str) -> tuple[int, int]:
    """Row and column (from 0) of an address such as ``B2``."""
    match = re.fullmatch(r"\$?([A-Za-z]+)\$?(\d+)", text.strip())
    if match is None:
        raise MatlabError("MATLAB:spreadsheet:book:invalidRange", f"'{text}' is no range.")
    column = 0
    for letter in match.group(1).upper():
        column = column * 26 + ord(letter) - 64
    return int(match.group(2)) - 1, column - 1


def column_letters(column: int) -> str:
    """The letters of a worksheet's column, from 1."""
    letters = ""
    while column > 0:
        column, place = divmod(column - 1, 26)
        letters = chr(65 + place) + letters
    return letters


def cut(rows: Rows, area: str) -> Rows:
    """The part of rows that a range such as ``A1:C3`` names; ``2:5`` are whole rows, ``A:C`` whole
    columns."""
    first, _, last = (part.strip() for part in area.partition(":"))
    if first.isdecimal() and last.isdecimal():
        first, last = f"A{first}", f"{column_letters(_MOST_COLUMNS)}{last}"
    elif last and f"{first}{last}".isalpha():
        first, last = f"{first}1", f"{last}{len(rows)}"
    top, left = cell_address(first)
    bottom, right = cell_address(last) if last else (len(rows) - 1, _MOST_COLUMNS)
    return [row[left : right + 1] for row in rows[top : bottom + 1]]
