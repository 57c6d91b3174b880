"""Parquet files: classes of variables, parts of files, datastores, what is refused."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine.builtins.files import parquet_store
from app.errors import MatlabError
from tests.engine.parallel.running import Owner


def test_without_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    owner = Owner()
    for call in ("parquetread('a.parquet')", "parquetwrite('a.parquet', table(1))"):
        with pytest.raises(MatlabError, match=r"pip install 'fuselab\[parquet\]'"):
            owner.run(call)
    owner.close()


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("parquet")
    utc = dt.timezone.utc  # noqa: UP017 - as pyarrow names it
    columns: dict[str, Any] = {
        "whole": pa.array([1, None, 3], pa.int32()),
        "full": pa.array([2**53 + 1, 2, 3], pa.int64()),
        "half": pa.array(np.array([0.5, 1, 2], np.float16)),
        "flag": pa.array([True, None, False]),
        "yes": pa.array([True, False, True]),
        "text": pa.array(["a", None, "ü"]),
        "big": pa.array(["a", "b", None], pa.large_string()),
        "dec": pa.array([Decimal("1003.858"), None, Decimal("-0.001")], pa.decimal128(7, 3)),
        "day": pa.array([dt.date(2020, 2, 29), None, dt.date(1, 1, 1)]),
        "ns": pa.array([1_700_000_000_123_456_789, None, -1], pa.int64()).cast(pa.timestamp("ns")),
        "utc": pa.array(
            [dt.datetime(2020, 6, 1, 12, tzinfo=utc)] * 3, pa.timestamp("ms", "Europe/Berlin")
        ),
        "clock": pa.array([dt.time(1, 2, 3), None, dt.time(0)]),
        "span": pa.array([dt.timedelta(days=-2), None, dt.timedelta(hours=30)]),
        "cat": pa.array(["x", None, "y"]).dictionary_encode(),
        "codes": pa.array([7, 7, 9]).dictionary_encode(),
        "list": pa.array([[1, 2], None, []], pa.list_(pa.int16())),
        "words": pa.array([["a"], ["b", None], []]),
        "map": pa.array([[("k", 1)], [], [("l", 2), ("m", None)]], pa.map_(pa.string(), pa.int8())),
        "group": pa.array([{"a": 1, "b": "x"}, None, {"a": 3, "b": "z"}]),
        "bytes": pa.array([b"\x01\xff", None, b""]),
        "void": pa.nulls(3),
        "odd name": pa.array([1.0, 2.0, 3.0]),
    }
    pq.write_table(pa.table(columns), folder / "types.parquet")
    months = pa.array([(1, 2, 3)], pa.month_day_nano_interval())
    with pytest.raises(pa.ArrowNotImplementedError):  # so that nobody has such columns
        pq.write_table(pa.table({"m": months}), folder / "never.parquet")
    for k, gap in enumerate((False, True)):
        part = {
            "n": pa.array(
                [None if gap and i == 7 else i + 100 * k for i in range(100)], pa.int32()
            ),
            "x": pa.array(np.arange(100.0) + 100 * k),
            "s": pa.array(["ab"[i % 2] for i in range(100)]),
        }
        pq.write_table(pa.table(part), folder / f"part{k}.parquet", row_group_size=40)
    pq.write_table(pa.table({"n": pa.array(["a"])}), folder / "texts.parquet")
    pq.write_table(
        pa.table({"n": pa.array([1, 2], pa.int32()), "b": pa.array([1, None], pa.int32())}),
        folder / "untold.parquet",
        write_statistics=False,
    )
    twins = pa.Table.from_arrays([pa.array([1.0]), pa.array(["x"])], names=["a", "a"])
    pq.write_table(twins, folder / "twins.parquet")
    (folder / "bad.parquet").write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    made = Owner()
    made.run(f"cd('{folder.as_posix()}'); T = parquetread('types.parquet');")
    made.run("parts = {'part0.parquet', 'part1.parquet'}; ds = parquetDatastore(parts);")
    yield made
    made.close()


TRUE = [
    # classes
    "t = isa(T.whole, 'double') && isequaln(T.whole, [1; NaN; 3]);",
    "t = isa(T.full, 'int64') && isequal(T.full, [int64(2)^53 + 1; 2; 3]) && isa(T.half, 'single');",
    "t = isequaln(T.flag, [1; NaN; 0]) && islogical(T.yes) && isequal(T.yes, [true; false; true]);",
    'x = ["a"; missing; "ü"]; t = isequaln(T.text, x) && isstring(T.big) && ismissing(T.big(3));',
    "t = isequaln(T.dec, [1003.858; NaN; -0.001]);",
    "t = T.day(1) == datetime(2020, 2, 29) && isnat(T.day(2)) && T.day(3) == datetime(1, 1, 1);",
    "t = abs(posixtime(T.ns(1)) - 1700000000.123457) < 1e-6 && isnat(T.ns(2));",
    "t = strcmp(T.utc.TimeZone, 'Europe/Berlin') && T.utc.Hour(1) == 14;",
    "t = T.clock(1) == hours(1) + minutes(2) + seconds(3) && isnan(T.clock(2));",
    "t = T.span(1) == days(-2) && T.span(3) == hours(30);",
    "t = iscategorical(T.cat) && isequal(categories(T.cat), {'x'; 'y'}) && isundefined(T.cat(2));",
    "t = isequal(double(T.codes), [7; 7; 9]);",
    "t = iscell(T.list) && isequal(T.list, {int16([1; 2]); []; zeros(0, 1, 'int16')});",
    't = isequaln(T.words(1:2), {"a"; ["b"; missing]});',
    "t = isequal(T.map{1}, table(\"k\", 1, 'VariableNames', {'key', 'value'})) && height(T.map{3}) == 2 && isnan(T.map{3}.value(2));",
    "t = istable(T.group) && isequaln(T.group.a, [1; NaN; 3]) && ismissing(T.group.b(2));",
    "t = isequal(T.bytes{1}, uint8([1; 255])) && isempty(T.bytes{2}) && all(isnan(T.void));",
    "t = ismember('oddName', T.Properties.VariableNames);",
    "x = parquetread('types.parquet', VariableNamingRule='preserve'); t = isequal(x.('odd name'), [1; 2; 3]);",
    "x = parquetread('twins.parquet'); t = isequal(x, table(1, \"x\", 'VariableNames', {'a', 'a_1'}));",
    "x = parquetread('twins.parquet', 'SelectedVariableNames', 'a_1'); t = x.a_1 == \"x\" && width(x) == 1;",
    # what is read
    "x = parquetread('part0.parquet', 'RowGroups', [3 1], 'SelectedVariableNames', {'s', 'x'}); t = isequal(size(x), [60 2]) && x.x(1) == 80 && isequal(x.Properties.VariableNames, {'s', 'x'});",
    "rf = rowfilter(parquetinfo('part1.parquet')); x = parquetread('part1.parquet', 'RowFilter', rf.x > 150 & rf.s == \"a\", 'SelectedVariableNames', \"n\");\n"
    "t = isequal(x.n', 152:2:198) && width(x) == 1;",
    "x = parquetread('types.parquet', 'RowTimes', 'clock', 'SelectedVariableNames', 'yes'); t = istimetable(x) && width(x) == 1 && strcmp(x.Properties.DimensionNames{1}, 'clock');",
    "x = parquetread('part0.parquet', 'SampleRate', 10); t = istimetable(x) && x.Time(2) == seconds(0.1);",
    "x = parquetread('part0.parquet', 'TimeStep', minutes(1), 'StartTime', datetime(2020, 1, 1)); t = x.Time(3) == datetime(2020, 1, 1, 0, 2, 0);",
    "x = parquetread('types.parquet', 'OutputType', 'timetable', 'SelectedVariableNames', {'day', 'yes'}); t = istimetable(x);",
    # what is known of files
    'i = parquetinfo(\'part1.parquet\'); t = i.NumRowGroups == 3 && isequal(i.RowGroupHeights, [40 40 20]) && isequal(i.VariableTypes, ["double" "double" "string"]) && isequal(i.VariableCompression, repmat("snappy", 1, 3));',
    'i = parquetinfo(\'untold.parquet\'); t = isequal(i.VariableTypes, ["int32" "double"]) && i.Version == "2.0" && isfile(i.Filename);',
    # written and read again
    "x = table([1; NaN], single([1; 2]), uint64([1; intmax('uint64')]), [true; false], [\"a\"; missing], 'VariableNames', {'d', 's', 'u', 'l', 't'});\n"
    "x.c = categorical({'p'; 'q'}, {'q', 'p'}, 'Ordinal', true); x.w = datetime(2020, 1, [1; 2], 'TimeZone', 'Asia/Tokyo'); x.h = hours([1; 23]); x.k = {[1; 2]; 3}; x.g = table([1; 2], [\"y\"; \"z\"]);\n"
    "parquetwrite('w.parquet', x); t = isequaln(parquetread('w.parquet'), x);",
    "parquetwrite('w.parquet', table(days([-1; 2]), {'a'; ''})); x = parquetread('w.parquet'); t = isequal(x.Var1, days([-1; 2])) && isequal(x.Var2, [\"a\"; \"\"]);",
    "x = timetable(datetime(2020, 1, [1; 2]), [1; 2]); parquetwrite('w.parquet', x); t = isequal(parquetread('w.parquet', 'RowTimes', 'Time'), x);",
    "parquetwrite('w.parquet', table([1; 2], 'RowNames', {'r'; 's'})); x = parquetread('w.parquet'); t = isequal(x.Row, [\"r\"; \"s\"]);",
    "x = table((1:5)', (1:5)', (1:5)' > 2); parquetwrite('w.parquet', x, 'RowGroupHeights', [2 3], 'VariableCompression', {'gzip', 'brotli', 'uncompressed'}, 'Version', '1.0'); i = parquetinfo('w.parquet');\n"
    't = isequal(i.RowGroupHeights, [2 3]) && isequal(i.VariableCompression, ["gzip" "brotli" "uncompressed"]) && isequal(i.VariableEncoding, ["dictionary" "dictionary" "plain"]) && i.Version == "1.0";',
    "parquetwrite('w.parquet', table((1:5)'), RowGroupHeights=2, VariableEncoding='plain'); i = parquetinfo('w.parquet'); t = isequal(i.RowGroupHeights, [2 2 1]) && i.VariableEncoding == \"plain\";",
    "x = table(zeros(0, 1), strings(0, 1)); parquetwrite('w.parquet', x); t = isequal(parquetread('w.parquet'), x);",
    "c = {table([], []); table([3; 4], [5; 6]); table(1, 2)}; x = table(c, 'VariableNames', {'c'}); parquetwrite('w.parquet', x); y = parquetread('w.parquet'); t = isequal(y.c{2}.Var2, [5; 6]);",
    # datastores
    "reset(ds); n = []; while hasdata(ds), [x, info] = read(ds); n(end + 1) = height(x); end, t = isequal(n, [40 40 20 40 40 20]) && isa(x.n, 'double') && endsWith(info.Filename, 'part1.parquet');",
    "d = parquetDatastore(parts, 'ReadSize', 30); n = []; while hasdata(d), n(end + 1) = height(read(d)); end, t = isequal(n, [30 30 30 10 30 30 30 10]);",
    "d = parquetDatastore(parts, 'ReadSize', 'file'); t = numpartitions(d) == 2 && height(read(d)) == 100 && isequal(readall(d).x', 0:199) && progress(d) == 0.5;",
    "p = partition(ds, 3, 2); q = partition(ds, 'Files', 2); s = subset(ds, [1 6]); t = isequal(readall(p).x', 80:139) && isequal(readall(q).x', 100:199) && height(readall(s)) == 60;",
    "p = partition(ds, 2, 1); t = isa(readall(p).n, 'double');",
    'd = parquetDatastore(\'part0.parquet\'); t = isa(readall(d).n, \'int32\') && isequal(d.VariableTypes, ["int32" "double" "string"]);',
    "d = copy(ds); d.SelectedVariableNames = 'x'; rf = rowfilter(d); d.RowFilter = rf.s == \"b\"; t = isequal(readall(d).x', 1:2:199) && height(preview(d)) == 4;",
    "t = height(preview(ds)) == 8 && isPartitionable(ds) && isSubsettable(ds) && height(readall(shuffle(ds))) == 200;",
    'x = tall(ds); [m, h, k] = gather(mean(x.x), histcounts(x.x, 0:50:200), nnz(x.s == "a")); t = m == 99.5 && isequal(h, [50 50 50 50]) && k == 100;',
    "x = tall(ds); t = isequaln(gather(x(x.x > 195, :)), parquetread('part1.parquet', 'RowFilter', rowfilter([\"x\"]).x > 195));",
    "x = tall(parquetDatastore(parts, 'ReadSize', 7)); t = gather(sum(x.n, 'omitnan')) == sum(0:99) + sum(100:199) - 107;",
    "x = transform(ds, @(p) sum(p.x)); t = sum(readall(x)) == sum(0:199);",
    "y = zeros(1, 2); parfor k = 1:2, x = parquetread(sprintf('part%d.parquet', k - 1)); y(k) = sum(x.x); end, t = isequal(y, [4950 14950]);",
    "d = datastore('part*.parquet'); t = isa(d, 'matlab.io.datastore.ParquetDatastore') && numel(d.Files) == 2;",
    "if ~isfolder('in/deep'), mkdir('in/deep'); copyfile('part0.parquet', 'in/a.pq'); copyfile('part1.parquet', 'in/deep/b.pq'); end\n"
    "d = parquetDatastore('in', 'FileExtensions', '.pq', 'IncludeSubfolders', true); e = parquetDatastore('in', 'FileExtensions', {'.pq'}); t = numel(d.Files) == 2 && numel(e.Files) == 1;",
]


@pytest.mark.parametrize("text", TRUE)
def test_files(owner: Owner, text: str) -> None:
    owner.run(text)
    assert owner.value("t") is True


REFUSED = [
    ("parquetread('bad.parquet')", "bad.parquet' as a Parquet file"),
    ("parquetinfo('bad.parquet')", "bad.parquet' as a Parquet file"),
    ("parquetDatastore({'part0.parquet', 'bad.parquet'})", "bad.parquet' as a Parquet file"),
    ("parquetread('none.parquet')", "Unable to find or open 'none.parquet'"),
    ("parquetDatastore('none*.parquet')", "Cannot find files or folders matching"),
    ("parquetread('part0.parquet', 'RowGroups', 4)", "has 3 row groups"),
    (
        "parquetread('part0.parquet', 'SelectedVariableNames', 'y')",
        "There is no variable 'y'; the files have n, x, s",
    ),
    (
        "parquetread('part0.parquet', 'OutputType', 'table', 'SampleRate', 1)",
        "which has no samplerate",
    ),
    ("parquetread('part0.parquet', 'RowFilter', 3)", "rowfilter"),
    ("parquetread('part0.parquet', 'RowFilter', rowfilter(\"q\").q > 1)", "needs variable 'q'"),
    ("parquetread('part0.parquet', 'Rows', 1)", "parquetread"),
    ("parquetwrite('x.parquet', table([1 2; 3 4]))", "splitvars"),
    ("parquetwrite('x.parquet', table(1i))", "complex"),
    ("parquetwrite('x.parquet', table(calmonths(1)))", "class calendarDuration cannot be written"),
    ("parquetwrite('x.parquet', table({1; \"a\"}))", "double and string"),
    ("parquetwrite('x.parquet', table({magic(3)}))", "holds a matrix"),
    (
        "parquetwrite('x.parquet', table(1), 'VariableCompression', 'zip')",
        "VariableCompression must be one of",
    ),
    ("parquetwrite('x.parquet', table(1), 'RowGroupHeights', 0)", "positive whole numbers"),
    (
        "parquetwrite('x.parquet', table([1; 2]), 'RowGroupHeights', [1 2])",
        "3 rows together; the table has 2",
    ),
    (
        "parquetwrite('x.parquet', table(1), 'VariableEncoding', {'plain', 'plain'})",
        "one word, or 1 words",
    ),
    (
        "d = parquetDatastore({'part0.parquet', 'texts.parquet'}); readall(d)",
        "There is no variable 'x' in",
    ),
    (
        "d = parquetDatastore({'part0.parquet', 'texts.parquet'}, 'SelectedVariableNames', 'n'); readall(d)",
        "of class string in",
    ),
    ("ds.ReadSize = 1.5;", "ReadSize must be a positive whole number or 'file' or 'rowgroup'"),
    ("ds.Files = {};", "'Files' of a matlab.io.datastore.ParquetDatastore cannot be set"),
    ("readall(ds, 'UseParallel', true)", "readall of a datastore takes 0"),
    ("partition(ds, 2, 3)", "number of one of them"),
    ("partition(ds, 'Files', 3)", "number or the name of one of the files"),
    ("subset(ds, 7)", "6 things to choose from"),
    (
        "parquetwrite('y.parquet', table(1)); d = parquetDatastore('y.parquet'); "
        "parquetwrite('y.parquet', table((1:9)')); read(d)",
        "y.parquet' has changed since its datastore was made",
    ),
    (
        "d = parquetDatastore('part0.parquet'); readall(d); read(d); read(d); read(d); read(d)",
        "No more data to read",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused(owner: Owner, text: str, message: str) -> None:
    with pytest.raises(MatlabError) as raised:
        owner.run(f"{text};")
    assert message in raised.value.message


def test_a_file_of_one_row_group_is_read_in_parts(
    owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    monkeypatch.setattr(parquet_store, "_AHEAD_BYTES", 8000)
    monkeypatch.setattr(parquet_store, "_BATCH_ROWS", 300)
    pq.write_table(pa.table({"x": np.arange(10_000.0)}), tmp_path / "one.parquet")
    heights: list[int] = []
    plain = parquet_store.ParquetStore._table

    def noted(store: Any, footer: Any, read: Any) -> Any:
        heights.append(read.num_rows)
        return plain(store, footer, read)

    monkeypatch.setattr(parquet_store.ParquetStore, "_table", noted)
    owner.run(f"x = tall(parquetDatastore('{(tmp_path / 'one.parquet').as_posix()}'));")
    owner.run("t = gather(sum(x.x)) == sum(0:9999);")
    assert owner.value("t") is True
    assert heights == [1000] * 10
    pq.write_table(pa.table({"x": np.arange(5000.0)}), tmp_path / "one.parquet", row_group_size=400)
    heights.clear()
    owner.run(f"x = tall(parquetDatastore('{(tmp_path / 'one.parquet').as_posix()}'));")
    owner.run("t = gather(sum(x.x)) == sum(0:4999);")
    assert owner.value("t") is True
    assert heights == [800] * 6 + [200]


def test_pandas_reads_what_is_written(owner: Owner, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    file = tmp_path / "w.parquet"
    owner.run(
        'x = table([1; 2], int8([3; 4]), [true; false], ["a"; missing], datetime(2020, 1, [1; 2]), '
        "categorical({'p'; 'q'}), days([-1; 2]), 'VariableNames', {'d', 'i', 'l', 't', 'w', 'c', 'h'});"
        f" parquetwrite('{file.as_posix()}', x);"
    )
    frame = pandas.read_parquet(file)
    assert frame["d"].tolist() == [1.0, 2.0]
    assert frame["i"].dtype == np.int8
    assert frame["l"].tolist() == [True, False]
    assert frame["t"].isna().tolist() == [False, True]
    assert frame["w"].tolist() == [pandas.Timestamp(2020, 1, 1), pandas.Timestamp(2020, 1, 2)]
    assert frame["c"].cat.categories.tolist() == ["p", "q"]
    assert frame["h"].tolist() == [pandas.Timedelta(days=-1), pandas.Timedelta(days=2)]


def test_a_table_that_cannot_be_written_leaves_the_file(owner: Owner) -> None:
    owner.run("parquetwrite('kept.parquet', table(7));")
    with pytest.raises(MatlabError):
        owner.run("parquetwrite('kept.parquet', table(1i));")
    owner.run("t = isequal(parquetread('kept.parquet'), table(7));")
    assert owner.value("t") is True


_STATES_A_TYPE = b"\x15\x04\x25\x02\x18\x04Var1"
"""Of a schema: 64 bits, may be missing, called Var1."""
CONTRADICTIONS = (
    (_STATES_A_TYPE, b"\x15\x04\x25\x00\x18\x04Var1"),
    (_STATES_A_TYPE, b"\x15\x02\x25\x02\x18\x04Var1"),
    (_STATES_A_TYPE, b"\x15\x06\x25\x02\x18\x04Var1"),
    (b"\x18\x08" + bytes(8), b"\x88\x07" + bytes(7) + b"\x00"),
    (b"\x18\x08\x09" + bytes(7), b"\x18\x07\x09" + bytes(6) + b"\x88"),
)
"""What is in a footer, and what in its place is against something else there."""


@pytest.mark.parametrize(("whole", "other"), CONTRADICTIONS)
def test_a_footer_that_contradicts_itself(
    owner: Owner, tmp_path: Path, whole: bytes, other: bytes
) -> None:
    """It ends in values or in an error, never the process."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"Var1": [0, 9, None], "Var2": ["a", None, "c"]}), path)
    data = path.read_bytes()
    if whole.startswith(b"\x15"):
        assert whole in data
    path.write_bytes(data.replace(whole, other))
    ends: list[MatlabError] = []
    for call in ("t = parquetread(f)", "i = parquetinfo(f); evalc('disp(i)')"):
        try:
            owner.run(f"f = '{path}'; {call}; clear t i")
        except MatlabError as error:
            ends.append(error)
    assert all(error.identifier == "MATLAB:parquetio:read:invalidFile" for error in ends)
    assert all("a.parquet" in str(error) for error in ends)
