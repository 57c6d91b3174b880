"""Datastores of files with tables: what reading them part by part has in common.

A subclass says how the next rows are read. Who goes through all the data has the next part read
beside what is done with those before (``readahead``).
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Self

from app.engine.arguments.checks import option_pairs, split_pairs
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.property_objects import PropertyObject
from app.engine.values import (
    Cell,
    Struct,
    Value,
    as_array,
    float_of,
    int_of,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
    true_value,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_PREVIEWED = 8


def stored_files(
    function: str, location: Value, args: tuple[Value, ...], endings: Sequence[str]
) -> tuple[list[str], tuple[Value, ...]]:
    """The files that names, folders and patterns stand for, and the other options of a call.

    Args:
        function: the datastore's name.
        location: texts.
        args: names and values; FileExtensions and IncludeSubfolders are of here.
        endings: the endings of files in folders, as ``.csv``, unless FileExtensions names others.

    Raises:
        MatlabError: there are none.
    """
    own, rest = split_pairs(args, ("fileextensions", "includesubfolders"))
    given = option_pairs(function, own, "FileExtensions IncludeSubfolders")
    chosen = given.get("fileextensions")
    wanted = [e.lower() for e in texts_of(chosen)] if chosen is not None else endings
    below = true_value(given.get("includesubfolders", False))
    found: list[str] = []
    for word in texts_of(location, "location"):
        path = Path(word).expanduser()
        if path.is_dir():
            inside = path.rglob("*") if below else path.glob("*")
            found += sorted(str(f) for f in inside if f.suffix.lower() in wanted and f.is_file())
            continue
        named = [str(path)] if path.is_file() else sorted(glob(str(path)))  # noqa: PTH207 - patterns may be absolute
        found += [f for f in named if chosen is None or Path(f).suffix.lower() in wanted]
    if not found:
        text = f"Cannot find files or folders matching: '{texts_of(location, 'location')[0]}'."
        raise MatlabError("MATLAB:datastoreio:pathlookup:fileNotFound", text)
    return [str(Path(f).resolve()) for f in found], tuple(rest)


def own_size(value: Value, words: Sequence[str], kind: str) -> int | str:
    """A ReadSize: a number of rows, or one of the words.

    Raises:
        MatlabError: it is neither; ``kind`` is a part of the identifier.
    """
    if is_text_scalar(value) and text_of(value).lower() in words:
        return text_of(value).lower()
    number = float_of(value) if numel(value) == 1 and not is_text_scalar(value) else 0.0
    if not number.is_integer() or number < 1:
        shown = " or ".join(f"'{w}'" for w in words)
        text = f"ReadSize must be a positive whole number or {shown}."
        raise MatlabError(f"MATLAB:datastoreio:{kind}:invalidReadSize", text)
    return int(number)


def chosen_names(known: Sequence[str], value: Value, kind: str) -> tuple[str, ...]:
    """The names of variables that a value lists, all among the ``known`` ones.

    Raises:
        MatlabError: one is not; ``kind`` is a part of the identifier.
    """
    names = tuple(texts_of(value, "SelectedVariableNames"))
    missed = next((n for n in names if n not in known), None)
    if missed is not None:
        text = f"There is no variable '{missed}'; the files have {', '.join(known)}."
        raise MatlabError(f"MATLAB:datastoreio:{kind}:invalidVariableName", text)
    return names


class _Ahead:
    """What is read in a thread beside before somebody asks for it."""

    def __init__(self) -> None:
        self._coming: Future[tuple[Table, str]] | None = None

    @property
    def begun(self) -> bool:
        """Whether something was, and was not taken."""
        return self._coming is not None

    def begin(self, read: Callable[[], tuple[Table, str]]) -> None:
        """Read."""
        coming: Future[tuple[Table, str]] = Future()
        self._coming = coming

        def work() -> None:
            try:
                coming.set_result(read())
            except Exception as problem:  # raised where the rows are asked for
                coming.set_exception(problem)

        threading.Thread(target=work, name="fuselab-reader", daemon=True).start()

    def taken(self) -> tuple[Table, str]:
        """What was read."""
        assert self._coming is not None
        coming, self._coming = self._coming, None
        return coming.result()

    def dropped(self) -> None:
        """Wait for what is being read, which nobody will ask for."""
        if self._coming is not None:
            self._coming.exception()
            self._coming = None


class TableStore(PropertyObject):
    """Files with tables, read part by part.

    Attributes:
        files: their names.
        kind: the name of the class in identifiers of errors.
        travels: a worker would not have the files open.
    """

    is_handle = True
    kind = ""

    def __init__(self, files: list[str]) -> None:
        self.files = files
        self._ahead = _Ahead()

    # --- what a subclass says ---

    @abstractmethod
    def _has_more(self) -> bool:
        """Whether there are rows that were not begun to be read."""

    @abstractmethod
    def _rewind(self) -> None:
        """Begin again with the first row."""

    @abstractmethod
    def _read_now(self, rows: int) -> tuple[Table, str]:
        """The next rows and the file they are from: so many, or a read's for -1."""

    @abstractmethod
    def copied(self) -> Self:
        """The same, from the first row."""

    @abstractmethod
    def _rows_ahead(self) -> None:
        """Have every read be as large as suits who goes through all rows."""

    @abstractmethod
    def no_rows(self) -> Table:
        """A table of the variables that are read, without rows."""

    @property
    @abstractmethod
    def progress(self) -> float:
        """How much was read, from 0 to 1."""

    @abstractmethod
    def whole_files(self) -> Self:
        """A copy that reads a file at a time."""

    def files_of_units(self) -> list[str]:
        """The file of each thing that can be read by itself."""
        return self.files

    @abstractmethod
    def subset_of(self, places: list[int]) -> Self:
        """A copy of some of the things that can be read by themselves, by 0-based places."""

    # --- reading ---

    def reset(self) -> None:
        """Begin again with the first row."""
        self._ahead.dropped()
        self._rewind()

    @property
    def has_data(self) -> bool:
        """Whether there are rows that were not read."""
        return self._ahead.begun or self._has_more()

    def read(self, rows: int = -1) -> tuple[Table, str]:
        """The next rows, and the file they are from.

        Raises:
            MatlabError: there are no more.
        """
        if not self.has_data:
            text = "No more data to read. Use reset to begin again."
            raise MatlabError(f"MATLAB:datastoreio:{self.kind}:noMoreData", text)
        if not self._ahead.begun:
            return self._read_now(rows)
        found = self._ahead.taken()
        if self._has_more():
            self._ahead.begin(lambda: self._read_now(-1))
        return found

    def read_ahead(self) -> Self:
        """From now on the next rows are read while those before are worked on; gives itself."""
        self._rows_ahead()
        self.reset()
        if self.has_data:
            self._ahead.begin(lambda: self._read_now(-1))
        return self

    # --- as an object ---

    def set_member(self, ctx: Context, name: str, value: Value) -> TableStore:
        """A property that can be set; reading begins again."""
        setter = self.setters().get(name)
        if setter is None:
            text = f"'{name}' of a {self.class_name} cannot be set."
            raise MatlabError("MATLAB:class:SetProhibited", text)
        setter(value)
        self.reset()
        return self

    @abstractmethod
    def setters(self) -> dict[str, Callable[[Value], None]]:
        """What sets the properties that can be set."""

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``read``, ``readall``, ``preview``, ``hasdata``, ``reset``, ``partition`` …."""
        known: dict[str, Callable[[Context, tuple[Value, ...], int], Value]] = {
            "read": lambda ctx, args, n: _read_with_facts(self, n),
            "readall": lambda ctx, args, n: _whole_table(self, ctx),
            "preview": lambda ctx, args, n: _first_rows(self),
            "hasdata": lambda ctx, args, n: self.has_data,
            "reset": lambda ctx, args, n: _after_reset(self),
            "progress": lambda ctx, args, n: self.progress,
            "copy": lambda ctx, args, n: self.copied(),
            "readahead": lambda ctx, args, n: self.read_ahead(),
            "numpartitions": lambda ctx, args, n: float(len(self.files_of_units())),
            "numobservations": lambda ctx, args, n: float(len(self.files_of_units())),
            "partition": lambda ctx, args, n: _partition(self, *args[1:3]),
            "subset": lambda ctx, args, n: _chosen_units(self, args[1]),
            "shuffle": lambda ctx, args, n: _chosen_units(
                self, ctx.call("randperm", (float(len(self.files_of_units())),))[0]
            ),
            **dict.fromkeys(("isPartitionable", "isSubsettable", "isShuffleable"), _yes),
        }
        return {name: _with_inputs(name, call) for name, call in known.items()}

    def file_cell(self) -> Cell:
        """The names of the files as a column."""
        return Cell.of(tuple(self.files), (len(self.files), 1))


def _after_reset(store: TableStore) -> Value:
    store.reset()
    return ()


def _read_with_facts(store: TableStore, nargout: int) -> Value:
    made, file = store.read()
    if nargout < 2:
        return made
    return (made, Struct({"Filename": file, "NumberOfRows": float(made.height)}))


def _whole_table(store: TableStore, ctx: Context) -> Value:
    whole, parts = store.whole_files(), []
    while whole.has_data:
        parts.append(whole.read()[0])
    return ctx.call("vertcat", tuple(parts))[0] if parts else store.no_rows()


def _first_rows(store: TableStore) -> Table:
    copied = store.copied()
    return copied.read(_PREVIEWED)[0] if copied.has_data else store.no_rows()


def _partition(store: TableStore, count: Value, index: Value) -> TableStore:
    files = store.files_of_units()
    if is_text_scalar(count):
        return _partition_by_file(store, text_of(count), index)
    parts, part = int_of(count), int_of(index)
    if not 1 <= part <= parts:
        text = "partition takes the number of parts and the number of one of them."
        raise MatlabError("MATLAB:datastoreio:splittabledatastore:invalidPartition", text)
    first, last = ((part - k) * len(files) // parts for k in (1, 0))
    return store.subset_of(list(range(first, last)))


def _partition_by_file(store: TableStore, word: str, index: Value) -> TableStore:
    names = list(dict.fromkeys(store.files_of_units()))
    wanted = text_of(index) if is_text_scalar(index) else ""
    at = int_of(index) - 1 if not wanted else -1
    if wanted:
        path = str(Path(wanted).expanduser().resolve())
        at = names.index(path) if path in names else -1
    if word.lower() != "files" or not 0 <= at < len(names):
        text = "partition(ds, 'Files', k) takes the number or the name of one of the files."
        raise MatlabError("MATLAB:datastoreio:splittabledatastore:invalidPartition", text)
    files = store.files_of_units()
    return store.subset_of([k for k, f in enumerate(files) if f == names[at]])


def _chosen_units(store: TableStore, which: Value) -> TableStore:
    count = len(store.files_of_units())
    flags = as_array(which).ravel(order="F")
    if flags.dtype.kind == "b":
        places = [k for k, flag in enumerate(flags.tolist()) if flag]
    else:
        places = [int(k) - 1 for k in flags.tolist()]
    if not all(0 <= k < count for k in places):
        text = f"The datastore has {count} things to choose from, numbered from 1."
        raise MatlabError("MATLAB:datastoreio:subset:indexOutOfBounds", text)
    return store.subset_of(places)


_INPUTS = {"partition": (3, 3), "subset": (2, 2)}


def _with_inputs(name: str, call: Callable[..., Value]) -> Callable[..., Value]:
    """A method that refuses inputs which it does not have."""
    least, most = _INPUTS.get(name, (1, 1))

    def checked(ctx: Context, args: tuple[Value, ...], nargout: int) -> Value:
        if not least <= len(args) <= most:
            few = "Not enough" if len(args) < least else "Too many"
            raise MatlabError(
                f"MATLAB:{'minrhs' if len(args) < least else 'TooManyInputs'}",
                f"{few} input arguments: {name} of a datastore takes {least - 1}.",
            )
        return call(ctx, args, nargout)

    return checked


def _yes(ctx: Context, args: tuple[Value, ...], nargout: int) -> Value:
    return True
