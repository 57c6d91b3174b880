"""Parquet files in programs: parquetread, parquetwrite, parquetinfo."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.engine import stoppable
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.files.parquet_columns import arrow
from app.engine.builtins.files.parquet_files import (
    OPTIONS,
    Footer,
    Packing,
    read_groups,
    wanted_of,
    write_file,
    written_columns,
)
from app.engine.builtins.files.parquet_footer import StoredColumn
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    StringArray,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "files"
_COMPRESSIONS = "snappy brotli gzip zstd lz4 uncompressed"
_ENCODINGS = "auto dictionary plain"


def _file_named(name: Value) -> Path:
    return Path(text_of(name)).expanduser()


@builtin(
    "parquetread",
    reads_file=True,
    category=_FAMILY,
    signatures=(
        "T = parquetread(file)",
        "T = parquetread(file, 'SelectedVariableNames', names, 'RowFilter', rf, 'RowGroups', k, "
        "'OutputType', t, 'RowTimes', times, 'VariableNamingRule', rule)",
        "TT = parquetread(file, 'SampleRate', f, 'StartTime', t)",
        "TT = parquetread(file, 'TimeStep', dt, 'StartTime', t)",
    ),
    cases=(
        "parquetwrite('t.parquet', table([1; 2], [\"a\"; missing])); "
        "isequaln(parquetread('t.parquet').Var2, [\"a\"; missing])",
    ),
    see=("parquetwrite", "parquetinfo", "parquetDatastore", "rowfilter", "readtable"),
)
def parquetread(name: Value, *args: Value) -> Value:
    """A table from a Parquet file; needs the addition ``pip install 'fuselab[parquet]'``.

    Whole numbers and logicals of which some are missing become doubles with NaN, texts strings,
    points in time datetimes (with their time zone), times of day and lengths of time durations,
    dictionaries of texts categoricals, decimals doubles, groups tables, lists and maps cells.
    ``OutputType`` is 'table', 'timetable' or 'auto', which is a timetable where an option gives its
    times: ``RowTimes`` (a variable's name, or times), ``SampleRate`` or ``TimeStep``.
    ``RowGroups`` numbers the parts of the file that are read, ``RowFilter`` is a condition on
    variables (``rowfilter``), and names are made valid unless ``VariableNamingRule`` is 'preserve'.
    """
    options = option_pairs("parquetread", args, f"{OPTIONS} RowGroups")
    footer = Footer(_file_named(name))
    wanted = wanted_of("parquetread", footer, options)
    groups = _row_groups(options["rowgroups"], footer) if "rowgroups" in options else None
    every = range(footer.groups) if groups is None else groups
    read = stoppable.beside(lambda: read_groups(footer, wanted, every))
    return stoppable.beside(lambda: wanted.table(footer, read, {}))


def _row_groups(value: Value, footer: Footer) -> list[int]:
    """0-based row groups that an option numbers from 1."""
    numbers = as_array(value).ravel(order="F").tolist() if is_numeric_like(value) else [0]
    for number in numbers:
        if number != int(number) or not 1 <= number <= footer.groups:
            text = f"'{footer.path}' has {footer.groups} row groups, numbered from 1."
            raise MatlabError("MATLAB:parquetread:invalidRowGroups", text)
    return [int(number) - 1 for number in numbers]


@builtin(
    "parquetwrite",
    category=_FAMILY,
    signatures=(
        "parquetwrite(file, T)",
        "parquetwrite(file, T, 'VariableCompression', c, 'VariableEncoding', e, "
        "'RowGroupHeights', n, 'Version', v)",
    ),
    cases=(
        "parquetwrite('t.parquet', table([1; 2; 3]), 'RowGroupHeights', 2); "
        "isequal(parquetread('t.parquet', 'RowGroups', 2).Var1, 3)",
    ),
    see=("parquetread", "parquetinfo", "writetable"),
)
def parquetwrite(name: Value, t: Value, *args: Value) -> None:
    """Write a table into a Parquet file; needs the addition ``pip install 'fuselab[parquet]'``.

    Row times and names of rows become the first variable. Tables in tables become groups, cells
    lists (cells of texts: texts), categoricals dictionaries. ``VariableCompression`` is 'snappy'
    unless it is 'brotli', 'gzip', 'zstd', 'lz4' or 'uncompressed', ``VariableEncoding``
    'dictionary', 'plain' or 'auto' (plain for logicals alone): one word for all, or one for each
    variable. ``RowGroupHeights`` says how many rows the parts of the file have, or one number for
    all, ``Version`` is '2.0' or '1.0'.
    """
    table = table_argument(t, "parquetwrite")
    known = "VariableCompression VariableEncoding RowGroupHeights Version"
    options = option_pairs("parquetwrite", args, known)
    columns = written_columns(table)
    version = options.get("version", "2.0")
    word = one_of("parquetwrite", "Version", version, "2.0 1.0")
    compressions = _words("VariableCompression", options, _COMPRESSIONS, columns.num_columns)
    encodings = _words("VariableEncoding", options, _ENCODINGS, columns.num_columns)
    is_logical = [arrow().types.is_boolean(field.type) for field in columns.schema]
    packing = Packing(
        {"2.0": "2.6", "1.0": "1.0"}[word],
        ["none" if c == "uncompressed" else c for c in compressions],
        [
            e == "dictionary" or (e == "auto" and not flag)
            for e, flag in zip(encodings, is_logical, strict=True)
        ],
        _heights(options.get("rowgroupheights"), table),
    )
    stoppable.beside(lambda: write_file(_file_named(name), columns, packing))


def _words(option: str, options: dict[str, Value], known: str, count: int) -> list[str]:
    """One word of the ``known`` ones for each variable; the first one unless told otherwise."""
    given = options.get(option.lower())
    if given is None:
        return [known.split(maxsplit=1)[0]] * count
    words = [one_of("parquetwrite", option, w, known) for w in texts_of(given, option)]
    if len(words) not in (1, count):
        text = f"{option} is one word, or {count} words, one for each variable."
        raise MatlabError(f"MATLAB:parquetwrite:invalid{option}", text)
    return words * count if len(words) == 1 else words


def _heights(given: Value | None, table: Table) -> list[int]:
    """The rows of each row group."""
    if given is None:
        return []
    numbers = as_array(given).ravel(order="F").tolist() if is_numeric_like(given) else []
    whole = [int(n) for n in numbers if n == int(n) and n >= 1]
    if len(whole) < max(len(numbers), 1):
        text = "RowGroupHeights are positive whole numbers."
        raise MatlabError("MATLAB:parquetwrite:invalidRowGroupHeights", text)
    if len(whole) == 1:
        full, rest = divmod(table.height, whole[0])
        return [whole[0]] * full + [rest] * (rest > 0)
    if sum(whole) != table.height:
        text = f"RowGroupHeights are {sum(whole)} rows together; the table has {table.height}."
        raise MatlabError("MATLAB:parquetwrite:invalidRowGroupHeights", text)
    return whole


@native_type
class ParquetInfo(PropertyObject):
    """What ``parquetinfo`` gives.

    Attributes:
        footer: what the file says of itself.
    """

    class_name = "matlab.io.parquet.ParquetInfo"

    def __init__(self, footer: Footer) -> None:
        self.footer = footer

    def properties(self) -> dict[str, Value]:
        """Size, row groups and variables of the file."""
        footer = self.footer
        columns = range(len(footer.schema))
        first = [next(footer.stored(k), None) for k in columns]
        version = str(footer.facts.format_version)
        return {
            "Filename": StringArray.scalar(footer.path),
            "FileSize": float(Path(footer.path).stat().st_size),
            "NumRowGroups": float(footer.groups),
            "RowGroupHeights": canonical(np.array([footer.heights], dtype=float).reshape(1, -1)),
            "VariableNames": StringArray.of(footer.schema.names),
            "VariableTypes": StringArray.of(
                [footer.class_at(k, footer.has_gaps(k)) for k in columns]
            ),
            "VariableCompression": StringArray.of(
                [c.compression if c is not None else "uncompressed" for c in first]
            ),
            "VariableEncoding": StringArray.of([_encoding(c) for c in first]),
            "Version": StringArray.scalar("1.0" if version.startswith("1.") else "2.0"),
        }


def _encoding(column: StoredColumn | None) -> str:
    """How the values of a stored column are encoded."""
    words = () if column is None else column.encodings
    if any("dictionary" in w for w in words):
        return "dictionary"
    return next((w for w in words if w not in ("rle", "bit_packed", "plain")), "plain")


@builtin(
    "parquetinfo",
    reads_file=True,
    category=_FAMILY,
    signatures=("info = parquetinfo(file)",),
    cases=(
        "parquetwrite('t.parquet', table(int8([1; 2]))); "
        "parquetinfo('t.parquet').VariableTypes == \"int8\"",
    ),
    see=("parquetread", "parquetwrite", "rowfilter"),
)
def parquetinfo(name: Value) -> Value:
    """What is in a Parquet file: properties Filename, FileSize, NumRowGroups, RowGroupHeights,
    VariableNames, VariableTypes (the classes that parquetread gives), VariableCompression,
    VariableEncoding, Version. Needs the addition ``pip install 'fuselab[parquet]'``."""
    return ParquetInfo(Footer(_file_named(name)))
