"""Columns from delimited text by a format: the reader behind textscan, strread and textread."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import Any

import numpy as np

from app.engine.builtins.text.scanning import number
from app.engine.builtins.text.textscan_formats import Options, Spec
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    is_char,
    is_string,
    object_array,
)
from app.errors import MatlabError

_SAID = "[-+]?(?:[iI]nf|[nN]a[nN]|NA|(?:\\d+\\.?\\d*|\\.\\d+)(?:[%s][-+]?\\d+)?)"
_TEXTS = "sqDTC["
"""Kinds of fields that are read as text."""
_CLASSES = {
    "d8": "i1",
    "d16": "i2",
    "d32": "i4",
    "d64": "i8",
    "d": "i4",
    "u8": "u1",
    "u16": "u2",
    "u32": "u4",
    "u64": "u8",
    "u": "u4",
    "f32": "f4",
}


class Fields:
    """A position in a text that moves from field to field."""

    def __init__(self, text: str, options: Options) -> None:
        self.edits: list[list[tuple[int, int]]] = []
        self.text = text
        self._replace(re.escape(options.line_end) if options.line_end else "\r\n?", "\n")
        for _ in range(options.header_lines):
            self._replace(r"\A[^\n]*(\n|\Z)", "")
        if options.comments:
            self._replace(_comment(options.comments), "")
        self.options = options
        ordered = sorted(options.delimiters, key=len, reverse=True)
        blanks = "".join(c for c in options.whitespace if c not in options.delimiters and c != "\n")
        blanks += "" if ordered else "\n"
        self.blank = re.compile(f"[{re.escape(blanks)}]*" if blanks else "")
        stops = "|".join(re.escape(d) for d in (*ordered, "\n"))
        self.delimiter = re.compile(stops)
        ends = stops if ordered else f"{stops}|[{re.escape(blanks)}]"
        self.word = re.compile(rf"(?:(?!{ends}).)*", re.DOTALL)
        letters = re.escape(options.exponents) or "^\\s\\S"  # no letter at all
        self.exponent = re.compile(f"[{letters}]")
        self.number = re.compile(_SAID % letters)
        self.at = 0
        if options.collapse:
            self.skip_delimiters()

    def _replace(self, pattern: str, by: str) -> None:
        """Replace what matches; ``edits`` keeps how much further on later positions were."""
        kept, shifts, length, gap, at = [], [(0, 0)], 0, 0, 0
        for match in re.finditer(pattern, self.text, re.DOTALL):
            kept += [self.text[at : match.start()], by]
            length += match.start() - at + len(by)
            gap += match.end() - match.start() - len(by)
            shifts.append((length, gap))
            at = match.end()
        self.text = "".join([*kept, self.text[at:]])
        self.edits.append(shifts)

    def position(self) -> int:
        """Where this is in the text that was given, whose line ends and comments were replaced."""
        at = self.at
        for shifts in reversed(self.edits):
            at += shifts[bisect_right(shifts, at, key=itemgetter(0)) - 1][1]
        return at

    def skip_delimiters(self) -> None:
        """Move over delimiters that follow each other on a line."""
        while True:
            self.skip_blank()
            match = self.delimiter.match(self.text, self.at)
            if match is None or match.group() == "\n":
                return
            self.at = match.end()

    def skip_blank(self) -> None:
        """Move over white space."""
        match = self.blank.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def finished(self) -> bool:
        """Whether nothing but white space and line ends is left."""
        return not self.text[self.at :].strip(self.options.whitespace + "\n")

    def skip_lines(self) -> None:
        """Move over empty lines before a row."""
        while self.at < len(self.text):
            self.skip_blank()
            if not self.text.startswith("\n", self.at):
                return
            self.at += 1

    def at_line_end(self) -> bool:
        """Whether the line ends here."""
        return self.at >= len(self.text) or self.text[self.at] == "\n"

    def leave(self, *, last: bool) -> bool:
        """Move behind the delimiter after a field; False when the line ended."""
        self.skip_blank()
        match = self.delimiter.match(self.text, self.at)
        if match is None:
            return self.at < len(self.text)
        if match.group() == "\n":
            if last:
                self.at = match.end()
            return False
        self.at = match.end()
        if self.options.collapse:
            self.skip_delimiters()
        return True

    def take(self, spec: Spec) -> Any:
        """The value of a field; None when the text does not fit."""
        if spec.kind == "c":
            end = self.at + (spec.width or 1)
            value, self.at = self.text[self.at : end], end
            return value
        self.skip_blank()
        if spec.kind in "sqDTC":
            return self._text(spec)
        if spec.kind == "[":
            match = re.compile(spec.text).match(self.text, self.at)
            assert match is not None
            self.at = match.end()
            return match.group()
        return self._number(spec)

    def mismatch(self, row: int, column: int) -> MatlabError:
        """The error for a field that is no number."""
        shown = self.text[self.at :].partition("\n")[0][:20]
        text = (
            "Mismatch between file and format character vector.\nTrouble reading 'Numeric' field "
            f"from file (row number {row}, field number {column}) ==> {shown}"
        )
        return MatlabError("MATLAB:textscan:handleErrorAndShowInfo", text)

    def _text(self, spec: Spec) -> str:
        if self.text.startswith('"', self.at) and spec.kind in "qDTC":
            match = re.compile(r'"((?:[^"]|"")*)"').match(self.text, self.at)
            if match:
                self.at = match.end()
                return match.group(1).replace('""', '"')
        match = self.word.match(self.text, self.at)
        assert match is not None
        word = match.group()[: spec.width or None]
        self.at += len(word)
        return word.rstrip(self.options.whitespace)

    def _number(self, spec: Spec) -> Any:
        for word in self.options.treat_as_empty:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return self.options.empty_value
        end = self.at + spec.width if spec.width else len(self.text)
        match = self.number.match(self.text, self.at, end)
        if match is None:
            if self.at_line_end() or self.delimiter.match(self.text, self.at):
                return self.options.empty_value
            return None
        self.at = match.end()
        return self._imaginary(number("f", self.exponent.sub("e", match.group())))

    def _imaginary(self, real: Any) -> Any:
        tail = re.compile(r"([-+](?:\d++\.?\d*+|\.\d+)(?:[eE][-+]?\d+)?)[ij]").match(
            self.text, self.at
        )
        if tail is None:
            return real
        self.at = tail.end()
        return complex(real, float(tail.group(1)))


def _comment(marks: list[str]) -> str:
    """The pattern of a comment: from a mark to the end of the line, or to another mark."""
    if len(marks) > 1:
        return f"{re.escape(marks[0])}.*?{re.escape(marks[1])}"
    return rf"{re.escape(marks[0])}[^\n]*"


def read_columns(fields: Fields, specs: list[Spec], repeat: float) -> list[list[Any]]:
    """The values of every field that is kept, row after row."""
    columns: list[list[Any]] = [[] for s in specs if s.kind != "t" and not s.skip]
    rows = 0
    while rows < repeat:
        fields.skip_lines()
        if fields.at >= len(fields.text):
            break
        start = fields.at
        if not _row(fields, specs, columns) or fields.at == start:
            break
        rows += 1
    return columns


def _row(fields: Fields, specs: list[Spec], columns: list[list[Any]]) -> bool:
    """Read one row; False when the text does not fit or ends."""
    k, ended = 0, False
    padded = bool(fields.options.delimiters)
    for i, spec in enumerate(specs):
        last = i == len(specs) - 1
        if spec.kind == "t":
            fields.skip_blank()
            if fields.text.startswith(spec.text, fields.at):
                fields.at += len(spec.text)
            continue
        if ended or (not padded and fields.finished()):
            if not padded or (fields.at >= len(fields.text) and columns and columns[0][1:]):
                return False
            value: Any = "" if spec.kind in "c" + _TEXTS else fields.options.empty_value
        else:
            value = fields.take(spec)
        if value is None:
            if not fields.options.stops_quietly:
                raise fields.mismatch(len(columns[0]) + (not k), i + 1)
            return False
        if not spec.skip:
            columns[k].append(value)
            k += 1
        follows = not last and specs[i + 1].kind == "t"
        if not ended and not follows and not spec.width:
            ended = not fields.leave(last=last) and padded
    if ended:
        fields.at += fields.text.startswith("\n", fields.at)
    return True


def column_value(spec: Spec, values: list[Any], options: Options) -> Value:
    """A column as a value: numbers in their class, texts as strings or a cell."""
    if spec.kind in _TEXTS:
        if spec.kind in "sq[" and options.strings:
            return StringArray.of([str(x) for x in values], (len(values), 1))
        return Cell(object_array(values, (len(values), 1)))
    if spec.kind == "c":
        from app.engine.operators.number_text import char_rows

        return char_rows([str(v) for v in values]) if values else ""
    if any(isinstance(v, complex) for v in values):
        return np.array(values, dtype=np.complex128).reshape(-1, 1)
    a = np.array(values, dtype=np.float64).reshape(-1, 1)
    code = _CLASSES.get(spec.kind)
    if code is None or (code[0] in "iu" and not options.integers):
        return a
    from app.engine.operators.arithmetic import cast

    return cast(a, np.dtype(code))


def looks_like_format(v: Value) -> bool:
    """Whether an argument is a format rather than the name of an option."""
    return is_char(v) or is_string(v)
