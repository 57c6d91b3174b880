"""``tabularTextDatastore``: delimited text files larger than memory, read some rows at a time.

What the columns are follows from the beginning of the first file. Columns of numbers and texts are
parsed by NumPy's reader; rows that it cannot read go through the one of ``readtable``.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.files import delimited
from app.engine.builtins.files.import_options import Plan, Variable, converted_column, detected_plan
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    Value,
    float_of,
    int_of,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_FAMILY = "files"
_HEAD = 1 << 16
_BLOCK = 1 << 22
_ROWS = 20_000
_ENDINGS = ("*.csv", "*.txt", "*.dat", "*.dlm", "*.asc", "*.text")
_FAST = ("double", "char", "string")


def text_files(location: Value) -> list[str]:
    """The files that names, folders and patterns stand for.

    Raises:
        MatlabError: there are none.
    """
    found: list[str] = []
    for word in texts_of(location, "location"):
        path = Path(word).expanduser()
        if path.is_dir():
            found += sorted(str(f) for ending in _ENDINGS for f in path.glob(ending))
        else:
            found += [str(path)] if path.is_file() else sorted(glob(str(path)))  # noqa: PTH207 - patterns may be absolute
    if not found:
        text = f"Cannot find files or folders matching: '{texts_of(location, 'location')[0]}'."
        raise MatlabError("MATLAB:datastoreio:pathlookup:fileNotFound", text)
    return [str(Path(f).resolve()) for f in found]


@native_type
class TabularText(NativeObject):
    """Text files with columns, read some rows at a time.

    Attributes:
        files: their names.
        plan: what their columns are.
        read_size: rows of one read; 0 for a file at a time.
    """

    class_name = "matlab.io.datastore.TabularTextDatastore"
    is_handle = True

    def __init__(self, files: list[str], plan: Plan, delimiter: str, read_size: int) -> None:
        self.files, self.plan, self.delimiter, self.read_size = files, plan, delimiter, read_size
        self._file, self._offset, self._started = 0, 0, False

    # --- reading ---

    def reset(self) -> None:
        """Begin again with the first row."""
        self._file, self._offset, self._started = 0, 0, False

    @property
    def has_data(self) -> bool:
        """Whether there are rows that were not read."""
        while self._file < len(self.files):
            if not self._started:
                self._offset, self._started = self._first_row(), True
            if self._offset < Path(self.files[self._file]).stat().st_size:
                return True
            self._file, self._started = self._file + 1, False
        return False

    @property
    def progress(self) -> float:
        """How much was read, from 0 to 1."""
        sizes = [Path(f).stat().st_size for f in self.files]
        done = sum(sizes[: self._file]) + (self._offset if self._started else 0)
        return min(1.0, done / max(1, sum(sizes)))

    def read(self, rows: int = -1) -> tuple[Table, str]:
        """The next rows, and the file they are from.

        Raises:
            MatlabError: there are no more.
        """
        if not self.has_data:
            text = "No more data to read. Use reset to begin again."
            raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:noMoreData", text)
        file = self.files[self._file]
        block = self._block(file, self.read_size if rows < 0 else rows)
        return self._table(block, file), file

    def _first_row(self) -> int:
        """Where the data of the present file begin."""
        with Path(self.files[self._file]).open("rb") as stream:
            for _ in range(self.plan.skip + self.plan.named):
                stream.readline()
            return stream.tell()

    def _block(self, file: str, rows: int) -> bytes:
        """The text of the next rows; all that are left for 0."""
        with Path(file).open("rb") as stream:
            stream.seek(self._offset)
            block = _lines(stream, rows) if rows else stream.read()
        self._offset += len(block)
        return block

    def _table(self, block: bytes, file: str) -> Table:
        chosen = [(k, v) for k, v in enumerate(self.plan.variables) if v.name in self.plan.selected]
        columns = self._parsed_columns(block, chosen)
        if columns is None:
            columns = self._by_fields(block, chosen, file)
        return Table({n: columns[n] for n in self.plan.selected})

    def _parsed_columns(
        self, block: bytes, chosen: list[tuple[int, Variable]]
    ) -> dict[str, Value] | None:
        """Columns by NumPy's reader; None where it cannot read a row."""
        plain = all(v.kind in _FAST and not v.options for _, v in chosen)
        if not plain or not self.delimiter or not block.strip():
            return None
        numeric = all(v.kind == "double" for _, v in chosen)
        kinds = [(f"c{k}", "f8" if v.kind == "double" else object) for k, v in chosen]
        try:
            read: Array = np.loadtxt(
                io.BytesIO(block),
                dtype=np.float64 if numeric else np.dtype(kinds),
                delimiter=self.delimiter,
                usecols=[k for k, _ in chosen],
                comments=None,
                quotechar='"',
                encoding="utf-8",
                ndmin=2 if numeric else 1,
            )
        except ValueError:
            return None
        made: dict[str, Value] = {}
        for place, (k, variable) in enumerate(chosen):
            column = read[:, place] if numeric else read[f"c{k}"]
            if variable.kind == "double":
                made[variable.name] = column.reshape(-1, 1, order="F").copy(order="F")
            else:
                made[variable.name] = converted_column(column.tolist(), variable)
        return made

    def _by_fields(
        self, block: bytes, chosen: list[tuple[int, Variable]], file: str
    ) -> dict[str, Value]:
        """Columns by the reader of ``readtable``."""
        try:
            text = block.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = block.decode("latin-1")
        rows = delimited.split_text(text, self.delimiter).rows
        rows = [r for r in rows if any(f.strip() for f in r)]
        width = len(self.plan.variables)
        rows = [(r + [""] * width)[:width] for r in rows]
        made = {}
        for k, variable in chosen:
            fields = [r[k] for r in rows]
            if variable.kind == "double":
                _check_numbers(fields, variable, file)
            made[variable.name] = converted_column(fields, variable)
        return made

    # --- as an object ---

    def get_member(
        self, ctx: Context, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``ds.VariableNames`` and the other properties."""
        plan = self.plan
        known: dict[str, Callable[[], Value]] = {
            "Files": lambda: Cell.of(tuple(self.files), (len(self.files), 1)),
            "VariableNames": lambda: Cell.of(tuple(v.name for v in plan.variables)),
            "SelectedVariableNames": lambda: Cell.of(tuple(plan.selected)),
            "VariableTypes": lambda: Cell.of(tuple(v.kind for v in plan.variables)),
            "ReadSize": lambda: float(self.read_size) if self.read_size else "file",
            "NumHeaderLines": lambda: float(plan.skip),
            "ReadVariableNames": lambda: plan.named,
            "Delimiter": lambda: self.delimiter,
        }
        if name not in known:
            raise no_member(self.class_name, name)
        return known[name]()

    def set_member(self, ctx: Context, name: str, value: Value) -> NativeObject:
        """``ds.ReadSize`` and ``ds.SelectedVariableNames``; reading begins again."""
        if name == "ReadSize":
            self.read_size = _read_size(value)
        elif name == "SelectedVariableNames":
            self.plan = replace(self.plan, selected=_selected_names(self.plan, value))
        else:
            text = f"'{name}' of a {self.class_name} cannot be set."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        self.reset()
        return self

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return ["Files", "VariableNames", "SelectedVariableNames", "ReadSize", "Delimiter"]

    def show(self, name: str, style: object) -> str:
        """Its files and variables."""
        names = ", ".join(self.plan.selected)
        return f"  TabularTextDatastore of {len(self.files)} files with {names}\n"

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``read``, ``readall``, ``preview``, ``hasdata``, ``reset``, ``progress``."""
        return {
            "read": lambda ctx, args, n: _read(self, n),
            "readall": lambda ctx, args, n: _whole_table(ctx, self),
            "preview": lambda ctx, args, n: self._copy().read(8)[0],
            "hasdata": lambda ctx, args, n: self.has_data,
            "reset": lambda ctx, args, n: self._after_reset(),
            "progress": lambda ctx, args, n: self.progress,
            "copy": lambda ctx, args, n: self._copy(),
            "numpartitions": lambda ctx, args, n: float(len(self.files)),
            "partition": lambda ctx, args, n: _partition_of(self, args[1:]),
        }

    def _after_reset(self) -> Value:
        self.reset()
        return ()

    def _copy(self) -> TabularText:
        return TabularText(self.files, self.plan, self.delimiter, self.read_size)


def _lines(stream: io.BufferedReader, rows: int) -> bytes:
    """So many lines."""
    parts: list[bytes] = []
    while rows > 0 and (part := stream.read(_BLOCK)):
        count = part.count(b"\n")
        if count < rows:
            parts.append(part)
            rows -= count
            continue
        ends = np.flatnonzero(np.frombuffer(part, np.uint8) == ord("\n"))
        parts.append(part[: int(ends[rows - 1]) + 1])
        break
    return b"".join(parts)


def _check_numbers(fields: list[str], variable: Variable, file: str) -> None:
    missing = ("", *texts_of(variable.options.get("treatasmissing", Cell.empty())))
    for number, field in enumerate(fields):
        if field.strip() not in missing and not delimited.is_number(field):
            text = (
                f"'{field.strip()}' is no number: row {number + 1} of those read from '{file}', "
                f"variable '{variable.name}'. 'TreatAsMissing' names what stands for none."
            )
            raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:badNumber", text)


def _read(store: TabularText, nargout: int) -> Value:
    made, file = store.read()
    if nargout < 2:
        return made
    from app.engine.values import Struct

    return (made, Struct({"Filename": file, "NumberOfRows": float(made.height)}))


def _whole_table(ctx: Context, store: TabularText) -> Value:
    whole, parts = store._copy(), []  # noqa: SLF001 - of this module
    whole.read_size = 0
    while whole.has_data:
        parts.append(whole.read()[0])
    return ctx.call("vertcat", tuple(parts))[0]


def _partition_of(store: TabularText, args: tuple[Value, ...]) -> Value:
    count, index = (int_of(v) for v in (*args, 0.0, 0.0)[:2])
    if not 1 <= index <= count:
        text = "partition takes the number of parts and the number of one of them."
        raise MatlabError("MATLAB:datastoreio:splittabledatastore:invalidPartition", text)
    made = store._copy()  # noqa: SLF001 - of this module
    made.files = made.files[index - 1 :: count]
    return made


def _read_size(value: Value) -> int:
    if is_text_scalar(value) and text_of(value).lower() == "file":
        return 0
    number = float_of(value) if numel(value) == 1 else 0.0
    if is_text_scalar(value) or not number.is_integer() or number < 1:
        text = "ReadSize must be a positive whole number or 'file'."
        raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:invalidReadSize", text)
    return int(number)


def _selected_names(plan: Plan, value: Value) -> tuple[str, ...]:
    names = tuple(texts_of(value, "SelectedVariableNames"))
    known = [v.name for v in plan.variables]
    missed = next((n for n in names if n not in known), None)
    if missed is not None:
        text = f"There is no variable '{missed}'; the files have {', '.join(known)}."
        raise MatlabError("MATLAB:datastoreio:tabulartextdatastore:invalidVariableName", text)
    return names


@builtin(
    "tabularTextDatastore",
    reads_file=True,
    category=_FAMILY,
    device=HostOnly("reads text files part by part"),
    signatures=(
        "ds = tabularTextDatastore(location)",
        "ds = tabularTextDatastore(location, 'ReadSize', n, 'SelectedVariableNames', names, "
        "'TreatAsMissing', t, 'Delimiter', d, 'ReadVariableNames', tf, 'NumHeaderLines', n)",
    ),
    cases=(
        "writetable(table([1; 2], 'VariableNames', {'n'}), 't.csv'); "
        "ds = tabularTextDatastore('t.csv'); t = read(ds); isequal(t.n, [1; 2]) && ~hasdata(ds)",
    ),
    see=("readtable",),
)
def tabular_text_datastore(location: Value, *args: Value) -> Value:
    """Text files with columns, read some rows at a time by ``read`` while ``hasdata``.

    ``location`` names files, folders or patterns. The classes of the columns follow from the
    beginning of the first file. Further options are those of ``readtable``. Quoted fields may not
    hold ends of lines.
    """
    files = text_files(location)
    known = f"{delimited.READ_TABLE} ReadSize SelectedVariableNames"
    options = delimited.file_options("tabularTextDatastore", files[0], args, known)
    size = _read_size(options.pop("readsize", float(_ROWS)))
    chosen = options.pop("selectedvariablenames", None)
    head = _head(files[0])
    with tempfile.TemporaryDirectory() as folder:
        sample = Path(folder) / "head.csv"
        sample.write_bytes(head)
        plan = detected_plan(str(sample), options, "tabularTextDatastore")
    delimiter = delimited.delimiter_option(options)
    if delimiter is None:
        delimiter = delimited.delimiter_of(head.decode("utf-8", "replace"))
    if chosen is not None:
        plan = replace(plan, selected=_selected_names(plan, chosen))
    return TabularText(files, plan, delimiter, size)


def _head(file: str) -> bytes:
    """The first lines of a file."""
    with Path(file).open("rb") as stream:
        head = stream.read(_HEAD)
    return head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1] or head
