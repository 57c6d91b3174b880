"""``memmapfile``: the bytes of a file as arrays, read when they are needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app import memory
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import option_pairs, real_number
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Cell,
    NativeObject,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    is_cell,
    object_array,
    text_of,
    true_value,
)
from app.errors import MatlabError

Field = tuple[str, tuple[int, ...], str]
"""The class of a part of a record, its size, and its name."""
_NAMES = ("Writable", "Offset", "Format", "Repeat", "Filename")


@native_type
class MemoryMap(PropertyObject):
    """A file seen as numbers; a handle.

    Attributes:
        path: the file.
        form: the parts of one record; one part without a name is a plain array.
        offset: bytes before the first record.
        repeat: number of records; infinite for as many as there are.
        writable: whether assignments change the file.
    """

    class_name = "memmapfile"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self, path: Path, form: list[Field]) -> None:
        self.path, self.form = path, form
        self.offset, self.repeat, self.writable = 0, np.inf, False

    def record(self) -> np.dtype[Any]:
        """The layout of one record."""
        return np.dtype(
            [(n or "x", DTYPE_OF_CLASS[c], (int(np.prod(s)),)) for c, s, n in self.form]
        )

    def mapped(self) -> Any:
        """The records, on the file."""
        layout = self.record()
        size = self.path.stat().st_size - self.offset
        count = max(0, size // layout.itemsize)
        if np.isfinite(self.repeat):
            if self.repeat > count:
                text = "The file is smaller than the records that were asked for."
                raise MatlabError("MATLAB:memmapfile:fileTooSmall", text)
            count = int(self.repeat)
        if not count:
            return np.zeros(0, dtype=layout)
        return np.memmap(self.path, layout, "r+" if self.writable else "r", self.offset, (count,))

    def data(self, *places: Value) -> Value:
        """``m.Data`` and ``m.Data(places)``: of the file as it is now, and of no later one."""
        found = self.mapped()
        if len(self.form) == 1 and not self.form[0][2]:
            column = np.asarray(found["x"]).reshape(-1, 1)
            if not places:
                memory.require(column.nbytes, f"the data of '{self.path}'")
            taken = paren(canonical(column), *places) if places else column
            return canonical(np.array(as_array(taken), order="F"))
        return paren(self._records(found), *places) if places else self._records(found)

    def _records(self, found: Any) -> Value:
        """Those of several parts as a struct, or an array of such."""
        columns = {
            n: [self._field_array(row, s) for row in np.asarray(found[n])] for _, s, n in self.form
        }
        if len(found) == 1:
            return Struct({n: v[0] for n, v in columns.items()})
        shape = (len(found), 1)
        return StructArray({n: object_array(v, shape) for n, v in columns.items()}, shape)

    def _field_array(self, row: Array, size: tuple[int, ...]) -> Value:
        return canonical(np.array(row).reshape(size, order="F"))

    def store(self, value: Value) -> None:
        """Write values back to the file."""
        if not self.writable:
            text = "The file cannot be changed: it was mapped with Writable false."
            raise MatlabError("MATLAB:memmapfile:notWritable", text)
        target = self.mapped()
        if len(self.form) == 1 and not self.form[0][2]:
            new = as_array(value).ravel(order="F")
            if new.size != target["x"].size:
                text = "An assignment must not change the number of elements."
                raise MatlabError("MATLAB:memmapfile:sizeMismatch", text)
            target["x"][:] = new.reshape(target["x"].shape)
        else:
            if not isinstance(value, Struct):
                text = "An assignment needs a struct with the fields of the format."
                raise MatlabError("MATLAB:memmapfile:dataIsNotStruct", text)
            for _, size, name in self.form:
                part = value.fields[name]
                rows = [part] if isinstance(value, Struct) else part.ravel(order="F").tolist()
                for k, row in enumerate(rows):
                    target[name][k] = as_array(row).reshape(size, order="F").ravel(order="F")
        if isinstance(target, np.memmap):
            target.flush()

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``m.Data``, ``m.Data(k)`` and the other properties."""
        if name != "Data":
            return super().get_member(ctx, name, args, nargout)
        return self.data(*(args or ()))

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``m.Data = …`` writes the file; the other properties are settings."""
        if name == "Data":
            self.store(value)
        else:
            configure(self, {name.lower(): value})
        return self

    def properties(self) -> dict[str, Value]:
        """All but the data."""
        plain = len(self.form) == 1 and not self.form[0][2]
        rows = [[c, canonical(np.array([s], dtype=float)), n] for c, s, n in self.form]
        form: Value = (
            self.form[0][0]
            if plain
            else Cell(
                object_array([v for k in range(3) for v in (r[k] for r in rows)], (len(rows), 3))
            )
        )
        return {
            "Filename": str(self.path),
            "Writable": self.writable,
            "Offset": float(self.offset),
            "Format": form,
            "Repeat": float(self.repeat),
        }

    def members(self) -> list[str]:
        """The properties."""
        return [*_NAMES, "Data"]

    def show(self, name: str, style: Any) -> str:
        """The properties, one line each."""
        shown = self.properties() | {"Format": self.form[0][0]}
        return "".join(f"{k:>12}: {v}\n" for k, v in shown.items())


def _form(v: Value) -> list[Field]:
    if not is_cell(v):
        return [(_class(v), (1, 1), "")]
    if v.data.ndim != 2 or v.data.shape[1] != 3:
        text = "The format must be a class, or a cell with a class, a size and a name per row."
        raise MatlabError("MATLAB:memmapfile:invalidFormat", text)
    return [
        (_class(c), tuple(int(n) for n in as_array(s).ravel()), text_of(n))
        for c, s, n in v.data.tolist()
    ]


def _class(v: Value) -> str:
    word = text_of(v)
    if word not in DTYPE_OF_CLASS or word in ("char", "logical"):
        raise MatlabError("MATLAB:memmapfile:invalidClass", f"'{word}' is not a numeric class.")
    return word


def configure(m: MemoryMap, options: dict[str, Value]) -> None:
    """Set properties."""
    for name, value in options.items():
        if name == "format":
            m.form = _form(value)
        elif name == "writable":
            m.writable = true_value(value)
        elif name in ("offset", "repeat"):
            number = real_number(value)
            if number < 0 or (np.isfinite(number) and number != int(number)):
                text = f"{name.title()} must be a nonnegative whole number."
                raise MatlabError("MATLAB:memmapfile:invalidNumber", text)
            m.__dict__[name] = int(number) if np.isfinite(number) else number
        else:
            raise MatlabError("MATLAB:memmapfile:unknownProperty", f"There is no option '{name}'.")


@builtin(
    "memmapfile",
    reads_file=True,
    category="files",
    signatures=("m = memmapfile(file)", "m = memmapfile(file, name, value, ...)"),
    cases=(
        "f = fopen('a.bin', 'w'); fwrite(f, 1:6, 'int16'); fclose(f); "
        "m = memmapfile('a.bin', 'Format', 'int16'); isequal(m.Data', int16(1:6))",
        "f = fopen('a.bin', 'w'); fwrite(f, 1:6, 'double'); fclose(f); "
        "m = memmapfile('a.bin', 'Format', {'double', [1 3], 'x'}); "
        "isequal(m.Data(2).x, 4:6)",
        "f = fopen('a.bin', 'w'); fwrite(f, 1:3); fclose(f); m = memmapfile('a.bin', "
        "'Writable', true); m.Data(2) = 9; isequal(double(m.Data'), [1 9 3])",
    ),
    see=("fread", "matfile"),
)
def memmapfile(file: Value, *options: Value) -> Value:
    """The bytes of a file as an array, or as records: ``m.Data`` reads and writes them.

    Options: Format (a class, or a cell of class, size and name per row), Offset, Repeat, Writable.
    """
    path = Path(text_of(file)).expanduser()
    if not path.is_file():
        raise MatlabError("MATLAB:memmapfile:inaccessibleFile", f"Cannot access file '{path}'.")
    made = MemoryMap(path.resolve(), [("uint8", (1, 1), "")])
    configure(made, option_pairs("memmapfile", options))
    return made
