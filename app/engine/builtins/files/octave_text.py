"""Text files of Octave's ``save``: reading them and writing them (``save -text``)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator

import numpy as np

from app.engine.builtins.files.octave_values import (
    cell_of,
    chars_of,
    check_handle_kind,
    diagonal,
    full,
    handle,
    permutation,
    range_of,
    readers_by_type,
    refusal,
    rows_of_chars,
    sparse,
    structs_of,
)
from app.engine.operators.number_text import named
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    SparseMatrix,
    Struct,
    StructArray,
    Value,
    as_array,
    char_codes,
    class_of,
)

_HEADER = re.compile(r"[ \t\r\n]*[#%] ?(\w[\w, ]*?): ?(.*?)\r?\n")
_DAMAGE = (ValueError, IndexError, KeyError, StopIteration, OverflowError)


def read_octave_text(data: bytes, what: str, names: Callable[[str], bool]) -> dict[str, Value]:
    """The variables of a file whose names ``names`` accepts; errors call the file ``what``."""
    reader = _Reader(data.decode("latin-1"))
    found: dict[str, Value] = {}
    try:
        for name in reader.variables():
            value = reader.value()
            if names(name):
                found[name] = value
    except _DAMAGE as problem:
        raise refusal(what, f"the text is damaged: {problem}") from problem
    return found


class _Reader:
    """Goes through the text of a file; texts in it are of given length, so lines do not suffice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        nothing = dict.fromkeys(("null_matrix", "null_string", "null_sq_string"), self.nothing)
        self.readers = readers_by_type(self) | nothing

    def variables(self) -> Iterator[str]:
        """The names of the variables one after the other; behind each stands its value."""
        while (found := self.header()) is not None:
            if found[0] == "name":
                yield found[1]

    def header(self) -> tuple[str, str] | None:
        """The next line ``# word: value``; None where there is none, and nothing is taken."""
        found = _HEADER.match(self.text, self.at)
        while found is not None and found[1] == "Created by Octave":
            self.at = found.end()
            found = _HEADER.match(self.text, self.at)
        if found is None:
            comment = re.compile(r"\s*[#%][^\n]*\n").match(self.text, self.at)
            if comment is None:
                return None
            self.at = comment.end()
            return self.header()
        self.at = found.end()
        return found[1], found[2].strip()

    def named(self, word: str) -> str:
        """The value of the header that must come now."""
        found = self.header()
        if found is None or found[0] != word:
            raise ValueError(f"'# {word}:' is expected")
        return found[1]

    def line(self) -> str:
        """The next line with something in it."""
        while True:
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            found, self.at = self.text[self.at : end].strip(), end + 1
            if found:
                return found
            if self.at > len(self.text):
                raise StopIteration("the file ends early")

    def words(self, count: int) -> list[str]:
        """So many numbers, over as many lines as they take."""
        found: list[str] = []
        while len(found) < count:
            found += self.line().split()
        return found[:count]

    def numbers(self, count: int, kind: str) -> Array:
        """So many numbers as an array of a class."""
        words = self.words(count)
        if kind.startswith("complex"):
            parts = [w.strip("()").split(",") for w in words]
            return np.array([complex(_number(r), _number(i)) for r, i in parts], np.complex128)
        if kind.lstrip("u").startswith("int"):
            return np.array([int(w) for w in words], kind.split(maxsplit=1)[0])
        return np.array([_number(w) for w in words])

    def shape(self) -> tuple[tuple[int, ...], bool]:
        """The size that comes now, and whether numbers then go through the rows first."""
        word, value = self.header() or ("", "")
        if word == "rows":
            return (int(value), int(self.named("columns"))), True
        if word != "ndims":
            raise ValueError("a size is expected")
        return tuple(int(w) for w in self.words(int(value))), False

    def value(self) -> Value:
        """The value behind ``# name:``."""
        kind = self.named("type").removeprefix("global ")
        plain = kind.removeprefix("float ")
        read = self.readers.get(plain)
        if read is not None:
            made = read(plain)
        elif plain.endswith("scalar"):
            made = full(self.numbers(1, plain).reshape(1, 1))
        elif plain.endswith("matrix"):
            made = self.matrix(plain)
        else:
            raise ValueError(f"values of type '{kind}' cannot be read")
        return full(_as_single(as_array(made))) if plain != kind else made

    def matrix(self, kind: str) -> Value:
        """A full matrix of numbers."""
        shape, by_rows = self.shape()
        numbers = self.numbers(int(np.prod(shape)), kind)
        return full(numbers.reshape(shape, order="C" if by_rows else "F"))

    def string(self, kind: str) -> Value:
        """A row or rows of text, or characters of more dimensions."""
        word, value = self.header() or ("", "")
        if word == "ndims":
            shape = tuple(int(w) for w in self.words(int(value)))
            return chars_of(self.characters(int(np.prod(shape))), shape)
        count = int(value)
        if word == "length":
            return chars_of(self.characters(count), (1, count))
        return rows_of_chars([self.characters(int(self.named("length"))) for _ in range(count)])

    def characters(self, count: int) -> str:
        """So many characters as they stand, and the end of their line."""
        found = self.text[self.at : self.at + count]
        if len(found) < count:
            raise ValueError("the file ends within a text")
        self.at += count + 1
        return found

    def elements(self, count: int) -> list[Value]:
        """Values with names that do not matter."""
        found: list[Value] = []
        for _ in range(count):
            self.named("name")
            found.append(self.value())
        return found

    def cell(self, kind: str) -> Value:
        """A cell; its elements come column by column."""
        shape, _ = self.shape()
        return cell_of(self.elements(int(np.prod(shape))), shape)

    def struct(self, kind: str) -> Value:
        """A struct, or an array of them whose fields are cells."""
        word, value = self.header() or ("", "")
        shape: tuple[int, ...] = (1, 1)
        if word == "ndims":
            shape = tuple(int(w) for w in self.words(int(value)))
            value = self.named("length")
        fields: dict[str, Value] = {}
        for _ in range(int(value)):
            name = self.named("name")
            fields[name] = self.value()
        return Struct(fields) if kind == "scalar struct" else structs_of(fields, shape)

    def sparse(self, kind: str) -> Value:
        """A sparse matrix: places and numbers."""
        count, rows = int(self.named("nnz")), int(self.named("rows"))
        columns = int(self.named("columns"))
        words = self.words(3 * count)
        data = [w.strip("()").split(",") for w in words[2::3]]
        numbers = [complex(*map(_number, d)) if len(d) > 1 else _number(d[0]) for d in data]
        places = np.array([int(w) for w in words[0::3]]), np.array([int(w) for w in words[1::3]])
        dtype = bool if "bool" in kind else complex if "complex" in kind else float
        return sparse(np.array(numbers, dtype), places[0] - 1, places[1] - 1, (rows, columns))

    def steps(self, kind: str) -> Value:
        """A range by its base, limit and step."""
        self.header()
        base, limit, step = map(_number, self.words(3))
        return range_of(base, limit, step)

    def logical(self, kind: str) -> Value:
        """Truth values."""
        if kind == "bool":
            return bool(int(self.words(1)[0]))
        return full(as_array(self.matrix("matrix")) != 0)

    def diagonal(self, kind: str) -> Value:
        """A diagonal matrix by its diagonal."""
        rows, columns = int(self.named("rows")), int(self.named("columns"))
        return diagonal(self.numbers(min(rows, columns), kind), (rows, columns))

    def permutation(self, kind: str) -> Value:
        """A permutation matrix by the order of its rows or columns."""
        count, orient = int(self.named("size")), self.named("orient")
        return permutation(self.numbers(count, "").astype(int) - 1, by_rows=orient == "r")

    def function(self, kind: str) -> Value:
        """A handle; older files have what it has taken along before its text."""
        if self.header_if("octaveroot") is not None:
            check_handle_kind(self.header_if("subtype") or "")
        name = self.line()
        if name != "@<anonymous>":
            return handle(name, {})
        taken = self.taken()
        text = self.line()
        return handle(text, taken or self.taken())

    def header_if(self, word: str) -> str | None:
        """The value of the next header if it is ``# word:``; else None, and nothing is taken."""
        before, found = self.at, self.header()
        if found is not None and found[0] == word:
            return found[1]
        self.at = before
        return None

    def taken(self) -> dict[str, Value]:
        """Variables of a handle, if they come now."""
        return {self.named("name"): self.value() for _ in range(int(self.header_if("length") or 0))}

    def nothing(self, kind: str) -> Value:
        """``[]`` and ``''`` as they are written."""
        return "" if "string" in kind or "str" in kind else full(np.zeros((0, 0)))


def _as_single(a: Array) -> Array:
    return a.astype(np.complex64 if a.dtype.kind == "c" else np.float32)


def _number(word: str) -> float:
    return float("nan") if word == "NA" else float(word)


# --- writing ----------------------------------------------------------------------------------


def octave_text(variables: dict[str, Value]) -> str:
    """Variables as Octave's ``save -text`` writes them, one latin-1 character a byte."""
    lines = ["# Created by Fuselab"]
    for name, value in variables.items():
        lines += _written(name, value)
    return "\n".join(lines) + "\n"


def _written(name: str, value: Value) -> list[str]:
    return [f"# name: {name}", *_written_value(value), "", ""]


def _written_value(v: Value) -> list[str]:
    if isinstance(v, str | CharArray):
        return _written_text(v)
    if isinstance(v, Cell):
        inner = [x for item in v.items() for x in _written("<cell-element>", item)]
        return ["# type: cell", *_written_shape(v.shape, plain=True), *inner]
    if isinstance(v, Struct):
        inner = [x for k, item in v.fields.items() for x in _written(k, item)]
        return ["# type: scalar struct", "# ndims: 2", " 1 1", f"# length: {len(v.fields)}", *inner]
    if isinstance(v, StructArray):
        cells = {k: Cell(c) for k, c in v.fields.items()}
        inner = [x for k, item in cells.items() for x in _written(k, item)]
        return ["# type: struct", *_written_shape(v.shape), f"# length: {len(cells)}", *inner]
    if isinstance(v, SparseMatrix):
        return _written_sparse(v)
    return _written_numbers(as_array(v), class_of(v))


def _written_shape(shape: tuple[int, ...], *, plain: bool = False) -> list[str]:
    if plain and len(shape) == 2:
        return [f"# rows: {shape[0]}", f"# columns: {shape[1]}"]
    return [f"# ndims: {len(shape)}", " " + " ".join(map(str, shape))]


def _written_text(v: str | CharArray) -> list[str]:
    codes = char_codes(v)
    if codes.ndim > 2:
        shape = _written_shape(codes.shape)
        return ["# type: string", *shape, "".join(map(chr, codes.ravel(order="F")))]
    rows = ["".join(map(chr, row)).encode("utf-8").decode("latin-1") for row in codes]
    lines = ["# type: string", f"# elements: {len(rows)}"]
    return lines + [x for row in rows for x in (f"# length: {len(row)}", row)]


def _written_sparse(v: SparseMatrix) -> list[str]:
    m = v.matrix.tocoo()
    order = np.lexsort((m.row, m.col))
    kind = {"b": "sparse bool matrix", "c": "sparse complex matrix"}
    lines = [f"# type: {kind.get(m.dtype.kind, 'sparse matrix')}", f"# nnz: {m.nnz}"]
    lines += _written_shape(m.shape, plain=True)
    for k in order:
        lines.append(f"{m.row[k] + 1} {m.col[k] + 1} {_word(m.data[k])}")
    return lines


def _written_numbers(a: Array, kind: str) -> list[str]:
    word = {"double": "", "single": "float ", "logical": "bool"}.get(kind, f"{kind} ")
    if a.dtype.kind == "c":
        word += "complex "
    if a.size == 1 and a.ndim == 2:
        return [f"# type: {word if kind == 'logical' else word + 'scalar'}", _word(a.item())]
    head = f"# type: {word + ' ' if kind == 'logical' else word}matrix"
    if a.ndim > 2 or a.dtype.kind in "iu":
        return [head, *_written_shape(a.shape), *(f" {_word(x)}" for x in a.ravel(order="F"))]
    rows = [" " + " ".join(map(_word, row)) for row in a]
    return [head, *_written_shape(a.shape, plain=True), *rows]


def _word(x: complex | np.generic) -> str:
    if isinstance(x, complex | np.complexfloating):
        return f"({_word(float(x.real))},{_word(float(x.imag))})"
    if isinstance(x, bool | np.bool_ | int | np.integer):
        return str(int(x))
    value = float(x)
    if not math.isfinite(value):
        return named(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
