"""Data read part by part: tabularTextDatastore, tall arrays, mapreduce."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.engine.builtins.files import tabular_text
from app.errors import MatlabError
from tests.engine.parallel.running import Owner


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owner]:
    folder = tmp_path_factory.mktemp("tall")
    rows = [f"{k % 7},{k / 8},{'abc'[k % 3]}" for k in range(1, 501)]
    (folder / "a.csv").write_text("a,b,name\n" + "\n".join(rows[:300]) + "\n")
    (folder / "b.csv").write_text("a,b,name\n" + "\n".join(rows[300:]))
    (folder / "holes.csv").write_text("a,b\n1,2\n,4\nNA,6\n")
    (folder / "words.csv").write_bytes(
        b'\xef\xbb\xbf1,"a,""b""",x\r\n2,\xc3\xa4,\r\nNaN,c,y\r\n' + b"4,d,z\r\n" * 3
    )
    (folder / "numbers.bin").write_bytes(np.arange(1000.0).tobytes())
    (folder / "bad.csv").write_text("a,b\n" + "1,2\n" * 20_000 + "x,2\n")
    made = Owner()
    made.run(f"cd('{Path(folder).as_posix()}'); files = {{'a.csv', 'b.csv'}};")
    made.run(
        "for k = 1:2, writetable(table((1:5)' + 10*k, repmat({'ab'}, 5, 1), 'VariableNames', {'x', 's'}), sprintf('book%d.xlsx', k)); end"
    )
    made.run(
        "writetable(table((1:3)', {'p'; 'q'; 'r'}, 'VariableNames', {'x', 's'}), 'book1.xlsx', 'Sheet', 'more');"
    )
    made.run("ds = tabularTextDatastore(files, 'ReadSize', 70); T = readall(ds);")
    yield made
    made.close()


TRUE = [
    "d = spreadsheetDatastore('book*.xlsx'); n = []; while hasdata(d), [x, info] = read(d); n(end + 1) = height(x); end, t = isequal(n, [8 5]) && endsWith(info.Filename, 'book2.xlsx');",
    "d = spreadsheetDatastore({'book1.xlsx', 'book2.xlsx'}, 'ReadSize', 'sheet'); n = []; while hasdata(d), n(end + 1) = height(read(d)); end, t = isequal(n, [5 3 5]) && numpartitions(d) == 3;",
    "d = spreadsheetDatastore('book1.xlsx', 'ReadSize', 2); n = []; while hasdata(d), n(end + 1) = height(read(d)); end, t = isequal(n, [2 2 1 2 1]);",
    "d = spreadsheetDatastore('book1.xlsx', 'Sheets', 'more', 'TextType', 'string'); x = readall(d); t = isequal(x.s, [\"p\"; \"q\"; \"r\"]) && isequal(d.Sheets, 'more');",
    "d = spreadsheetDatastore('book1.xlsx'); d.Sheets = 2; d.SelectedVariableNames = 'x'; x = readall(d); t = isequal(x.x, [1; 2; 3]) && width(x) == 1;",
    "d = spreadsheetDatastore('book1.xlsx', 'VariableTypes', {'single', 'char'}, 'Range', 'A1:B3', 'Sheets', 1); x = read(d); t = isa(x.x, 'single') && height(x) == 2;",
    "d = spreadsheetDatastore('book*.xlsx'); x = tall(d); [m, k] = gather(sum(x.x), height(x)); t = m == sum(11:15) + sum(21:25) + 6 && k == 13;",
    "d = spreadsheetDatastore('book*.xlsx'); p = partition(d, 2, 2); q = partition(d, 'Files', 1); t = height(readall(p)) == 5 && height(readall(q)) == 8 && isequal(sheetnames(d, 1), [\"Sheet1\"; \"more\"]);",
    "d = datastore('book2.xlsx'); t = isa(d, 'matlab.io.datastore.SpreadsheetDatastore') && height(preview(d)) == 5 && isequal(d.VariableNames, {'x', 's'});",
    "p = partition(ds, 'Files', 2); s = subset(ds, [false true]); t = height(readall(p)) == 200 && height(readall(s)) == 200 && numpartitions(ds) == 2;",
    "n = 0; k = 0; reset(ds); while hasdata(ds), t = read(ds); n = n + height(t); k = k + 1; end; t = n == 500 && k == 8;",
    "reset(ds); [x, info] = read(ds); t = height(x) == 70 && endsWith(info.Filename, 'a.csv');",
    "reset(ds); p = preview(ds); t = height(p) == 8 && progress(ds) < 0.05;",
    "d = tabularTextDatastore(files, 'SelectedVariableNames', {'name', 'a'}); x = read(d); t = isequal(x.Properties.VariableNames, {'name', 'a'});",
    "d = datastore('a.csv', 'ReadSize', 'file'); t = height(read(d)) == 300 && ~hasdata(d);",
    "d = tabularTextDatastore('holes.csv', 'TreatAsMissing', 'NA'); x = readall(d); t = isequaln(x.a, [1; NaN; NaN]);",
    "d = tabularTextDatastore(files); p = partition(d, 2, 2); t = height(readall(p)) == 200;",
    "x = tall(ds); [m, s, n] = gather(mean(x.b), std(x.b), height(x)); t = abs(m - mean(T.b)) < 1e-12 && abs(s - std(T.b)) < 1e-12 && n == 500;",
    "x = tall(ds); t = isequal(gather(x.a(x.b > 20)), T.a(T.b > 20));",
    "x = tall(ds); t = isequal(gather(x(x.a == 3, :)), T(T.a == 3, :));",
    "x = tall(ds); z = (x.b - mean(x.b))./std(x.b); t = abs(gather(sum(z.^2)) - 499) < 1e-9;",
    "x = tall(ds); x.c = 2*x.a + 1; t = gather(max(x.c)) == 13 && gather(min(x.c)) == 1;",
    "x = tall(ds); t = isequal(gather(histcounts(x.a, 0:7)), histcounts(T.a, 0:7));",
    "x = tall(ds); [n, e] = histcounts(x.b); [m, f] = histcounts(T.b); h = histogram(x.b, 6, 'Normalization', 'pdf');\n"
    "t = isequal(gather(n), m) && isequal(e, f) && isequal(h.Values, histcounts(T.b, 6, 'Normalization', 'pdf'));",
    "x = tall(ds); t = isequal(gather(unique(x.name)), {'a'; 'b'; 'c'}) && gather(median(x.b)) == median(T.b);",
    "x = tall(ds); t = isequal(gather(head(x, 3)), T(1:3, :)) && isequal(gather(tail(x.a, 2)), T.a(499:500));",
    "x = tall(ds); t = gather(nnz(strcmp(x.name, 'a') & ~isnan(x.b))) == nnz(strcmp(T.name, 'a'));",
    "x = tall(magic(4)); t = isequal(gather(sum(x)), 34*ones(1, 4)) && isequal(gather(sum(x, 2)), 34*ones(4, 1)) && gather(sum(x, 'all')) == 136;",
    "x = tall([1; 2; NaN]); t = gather(mean(x, 'omitnan')) == 1.5 && isnan(gather(sum(x))) && gather(sum(x, 'omitnan')) == 3;",
    "x = tall(zeros(0, 1)); t = gather(sum(x)) == 0 && gather(height(x)) == 0 && isempty(gather(x + 1));",
    "x = tall(arrayDatastore((1:10)', 'ReadSize', 3)); t = isequal(gather(x.^2), ((1:10).^2)') && istall(x);",
    "x = tall(ds); y = var(x.b, 1); t = abs(gather(y) - var(T.b, 1)) < 1e-9 && isequal(gather(5), 5);",
    "d = tabularTextDatastore('words.csv', 'ReadVariableNames', false, 'ReadSize', 2); n = 0; c = {};\n"
    "while hasdata(d), x = read(d); n = n + height(x); c = [c; x.Var2]; end\n"
    "x = readall(d); t = n == 6 && isequaln(x.Var1, [1; 2; NaN; 4; 4; 4]) && isequal(c(1:3), {'a,\"b\"'; char(228); 'c'}) && isempty(x.Var3{2});",
    "x = tall(tabularTextDatastore('bad.csv')); t = gather(sum(x.b)) == 40002;",
    "f = fileDatastore('numbers.bin', 'ReadFcn', @some, 'ReadMode', 'partialfile', 'UniformRead', true);\n"
    "x = tall(f); [m, n, h] = gather(mean(x), numel(x), histcounts(x, 0:250:1000));\n"
    "t = m == 499.5 && n == 1000 && isequal(h, 250*ones(1, 4)) && isequal(size(preview(f)), [300 1]) && isequal(readall(f), (0:999)');\n"
    "function [d, at, done] = some(file, at)\nif isempty(at), at = 0; end\ni = fopen(file); fseek(i, at, 'bof');\n"
    "d = fread(i, 300, 'double'); at = ftell(i); done = at == 8000; fclose(i);\nend",
    "f = fileDatastore('numbers.bin', 'ReadFcn', @block, 'ReadMode', 'bytes', 'BlockSize', 3200, 'UniformRead', true);\n"
    "x = tall(f); k = 0; while hasdata(f), [d, i] = read(f); k = k + 1; end\n"
    "t = gather(max(x)) == 999 && k == 3 && numel(d) == 200 && i.Offset == 6400;\n"
    "function d = block(file, offset, count)\ni = fopen(file); fseek(i, offset, 'bof'); d = fread(i, count/8, 'double'); fclose(i);\nend",
    "d = tabularTextDatastore('holes.csv', 'TreatAsMissing', 'NA', 'MissingValue', 0); t = isequal(table2array(readall(d)), [1 2; 0 4; 0 6]);",
    "d = tabularTextDatastore(pwd, 'FileExtensions', {'.csv'}); t = numel(d.Files) == 5 && isequal(tabularTextDatastore('a.csv').VariableTypes, {'double', 'double', 'char'});",
    "d = tabularTextDatastore('a.csv'); d.SelectedVariableNames = {'name', 'a'}; d.SelectedFormats = {'%C', '%d'}; x = read(d);\n"
    "d.VariableNames = {'p', 'q', 'r'}; d.VariableTypes{1} = 'single'; y = d.readall(); t = iscategorical(x.name) && isa(x.a, 'int32') && isa(y.p, 'single') && iscategorical(y.r);",
    "d = tabularTextDatastore('b.csv', 'ReadVariableNames', false, 'NumHeaderLines', 1, 'VariableNames', [\"k\" \"n\" \"o\"], 'TextscanFormats', {'%f', '%f', '%q'}); t = isequal(readall(d).n, T.b(301:end));",
    "writelines(\"a,b\", 'header.txt'); d = tabularTextDatastore('header.txt'); x = tall(d); [n, m] = gather(sum(x.a), size(x, 1)); t = n == 0 && m == 0 && isempty(preview(d)) && isequal(readall(d).Properties.VariableNames, {'a', 'b'}); delete('header.txt');",
    "writelines([\"a,b\"; \"1,2\"; \"# no\"; \"3,4\"], 'remarks.txt'); d = tabularTextDatastore('remarks.txt', 'CommentStyle', '#'); t = isequal(readall(d).a, [1; 3]); delete('remarks.txt');",
    "writelines([\"## from 2025\"; \"#a,b\"; \"1,2\"; \"## no\"; \"3,4\"], 'remarks.txt'); d = tabularTextDatastore('remarks.txt', 'CommentStyle', '##', 'VariableNamingRule', 'preserve');\n"
    "x = readall(d); t = isequal(x.Properties.VariableNames, {'#a', 'b'}) && isequal(x{:, :}, [1 2; 3 4]); delete('remarks.txt');",
    "x = tall(ds); x(x.a > 2, :) = []; y = x.b; y(y > 30) = 0; z = tall(ds); t = gather(max(x.a)) == 2 && gather(max(y)) == 30 && isequal(gather(z{:, {'a', 'b'}}), T{:, {'a', 'b'}});",
    "x = tall((1:10)'); x(x > 5) = -1; t = gather(range(x)) == 6 && strcmp(classUnderlying(x), 'double') && gather(sum(x == -1)) == 5;",
    "d = arrayDatastore((1:6)'); f = transform(d, @(c) {2*c{1}}); c = combine(arrayDatastore((1:3)'), f); k = 0; while hasdata(c), r = read(c); k = k + r{2}; end\n"
    "g = transform(arrayDatastore((1:2)'), arrayDatastore((3:4)'), @(a, b) {a{1} + b{1}}); t = k == 12 && isequal(vertcat(readall(f)), num2cell(2*(1:6)')) && isequal(readall(g), {4; 6});",
    "d = tabularTextDatastore(files, 'ReadSize', 60); f = transform(d, @(s) 2*s.a); x = read(f); p = preview(f); n = size(readall(f), 1); y = read(f);\n"
    "t = isequal(p, x) && isequal(x, 2*T.a(1:60)) && n == 500 && isequal(y, 2*T.a(61:120));",
    "c = combine(arrayDatastore((1:4)'), arrayDatastore((5:8)')); read(c); p = preview(c); k = copy(c); x = read(k); y = read(c);\n"
    "t = isequal(p, {1, 5}) && isequal(x, {2, 6}) && isequal(y, x) && isequal(progress(c), 0.5);",
    "c = combine(arrayDatastore((1:4)'), transform(arrayDatastore((5:8)'), @(v) {10*v{1}})); s = shuffle(c); r = cell2mat(readall(s));\n"
    "t = isequal(sortrows(r), [1:4; 50:10:80]') && isequal(readall(subset(c, [4 2])), {4, 80; 2, 60}) && isequal(readall(partition(c, 2, 2)), {3, 70; 4, 80})\n"
    "t = t && numpartitions(c) == 4 && numobservations(c) == 4;",
    "f = fileDatastore(files, 'ReadFcn', @(n) n); read(f); p = partition(f, 2, 2); t = endsWith(preview(f), 'a.csv') && endsWith(read(f), 'b.csv') && endsWith(read(p), 'b.csv') && ~hasdata(p);",
    "x = tall(transform(tabularTextDatastore(files), @(s) s(s.a > 3, {'a', 'b'}))); t = gather(sum(x.a)) == sum(T.a(T.a > 3));",
    "d = arrayDatastore((1:6)'); p = partition(d, 2, 2); s = subset(d, [2 4]); h = shuffle(d); t = isequal(cell2mat(readall(p)), (4:6)') && isequal(readall(s), {2; 4}) && isequal(sort(cell2mat(readall(h))), (1:6)') && numpartitions(d) == 6;",
    "o = mapreduce(ds, @(d, ~, s) add(s, 'n', height(d)), @(k, v, s) add(s, k, getnext(v)), 'OutputType', 'TabularText', 'OutputFolder', fullfile(tempname, 'x'), 'Display', 'off');\n"
    "t = isa(o, 'matlab.io.datastore.TabularTextDatastore') && isequal(readall(o).Key, {'n'}) && readall(o).Value == 70;",
    "x = tall([1 2; 3 NaN]); t = isequaln(gather(mean(x)), [2 NaN]) && isequal(gather(mean(x, 'omitnan')), [2 2]) && isequaln(gather(var(x)), [2 NaN]) && isequal(gather(std(x, 'omitnan')), [sqrt(2) 0]);",
    "x = tall(single([1; 2])); t = isa(gather(x + 1), 'single') && gather(mean(x)) == 1.5 && isnan(gather(mean(tall(zeros(0, 1)))));",
    "o = mapreduce(ds, @mapper, @reducer); r = readall(o); t = isequal(r.Key, {'a'; 'b'; 'c'}) && sum([r.Value{:}]) == sum(T.a);\n"
    "function mapper(d, ~, s)\nfor n = unique(d.name)', add(s, n{1}, sum(d.a(strcmp(d.name, n{1})))); end\nend\n"
    "function reducer(k, v, s)\nn = 0; while hasnext(v), n = n + getnext(v); end\nadd(s, k, n);\nend",
]


@pytest.mark.parametrize("program", TRUE)
def test_true(owner: Owner, program: str) -> None:
    owner.run(program)
    assert owner.value("t") is True


FAILS = [
    ("x = tall(ds); x';", "MATLAB:bigdata:array:TransposeNotSupported"),
    ("x = tall(ds); x.a(7);", "MATLAB:bigdata:array:IndexingNotSupported"),
    (
        "gather(sum(tall((1:4)') + tall(ds).a));",
        "MATLAB:bigdata:array:IncompatibleTallStrictSize",
    ),
    ("d = tabularTextDatastore('nowhere.csv');", "MATLAB:datastoreio:pathlookup:fileNotFound"),
    (
        "d = tabularTextDatastore('a.csv', 'SelectedVariableNames', 'z');",
        "MATLAB:datastoreio:tabulartextdatastore:invalidVariableName",
    ),
    (
        "readall(tabularTextDatastore('bad.csv'));",
        "MATLAB:datastoreio:tabulartextdatastore:badNumber",
    ),
    (
        "d = tabularTextDatastore('a.csv'); d.VariableNames = {'a'};",
        "MATLAB:datastoreio:tabulartextdatastore:invalidVariableName",
    ),
    (
        "d = tabularTextDatastore('a.csv'); d.SelectedFormats = '%f';",
        "MATLAB:datastoreio:tabulartextdatastore:invalidFormat",
    ),
    ("x = tall(ds); x(3, :) = [];", "MATLAB:bigdata:array:SubsasgnNotSupported"),
    (
        "partition(arrayDatastore((1:3)'), 2, 3);",
        "MATLAB:datastoreio:splittabledatastore:invalidPartition",
    ),
    ("combine(3);", "MATLAB:io:datastore:combine:Inputs"),
    ("transform(ds);", "MATLAB:io:datastore:transform:Inputs"),
    (
        "d = tabularTextDatastore('a.csv', 'ReadSize', 0);",
        "MATLAB:datastoreio:tabulartextdatastore:invalidReadSize",
    ),
]


@pytest.mark.parametrize(("program", "identifier"), FAILS)
def test_fails(owner: Owner, program: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        owner.run(program)
    assert caught.value.identifier == identifier


def test_what_is_asked_for_together_is_read_once(owner: Owner) -> None:
    owner.run(
        "global reads\nreads = 0;\n"
        "f = fileDatastore({'a.csv', 'b.csv'}, 'ReadFcn', @counted, 'UniformRead', true);\n"
        "x = tall(f); [s, m, c] = gather(sum(x), max(x), numel(x)); t = reads;\n"
        "function d = counted(file)\nglobal reads\nreads = reads + 1; t = readtable(file); d = t.a;\nend"
    )
    assert owner.value("t") == 2.0
    assert owner.value("c") == 500.0


def test_no_part_is_kept_for_later() -> None:
    """Each part is computed before the next is read: the memory of a sum is that of a part."""
    owner = Owner()
    owner.run(
        "d = arrayDatastore(rand(40*70000, 1), 'ReadSize', 70000, 'OutputType', 'same');"
        "x = tall(d); z = 2*x + 1;"
    )
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    runtime.recorder.boundaries.clear()
    before = runtime.recorder.counters.plans
    owner.run("[m, s] = gather(mean(z), std(z));")
    assert runtime.recorder.counters.plans - before >= 40
    assert not any(str(b.reason) == "graph-limit" for b in runtime.recorder.boundaries.values())
    owner.close()


def test_an_error_of_rows_read_ahead_is_raised_and_reading_can_begin_again(owner: Owner) -> None:
    owner.run("x = tall(tabularTextDatastore('bad.csv'));")
    for _ in range(2):
        with pytest.raises(MatlabError, match="'x' is not a number"):
            owner.run("gather(sum(x.a));")
    owner.run("t = gather(max(x.b)) == 2;")
    assert owner.value("t") is True


def test_parts_of_a_file_that_is_read_in_pieces(
    owner: Owner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tabular_text, "_BLOCK", 64)
    lines = [f"{k},{'x' * (k % 150)}" for k in range(200)]
    (tmp_path / "long.csv").write_text("k,word\n" + "\n".join(lines))
    owner.run(
        f"d = tabularTextDatastore('{(tmp_path / 'long.csv').as_posix()}', 'ReadSize', 7);"
        "n = 0; s = 0; while hasdata(d), x = read(d); n = n + 1; s = s + sum(x.k); end;"
        "x = readall(d); w = cellfun(@numel, x.word);"
        "t = n == 29 && s == 19900 && isequal(w, mod((0:199)', 150)) && gather(sum(tall(d).k)) == s;"
    )
    assert owner.value("t") is True


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("spreadsheetDatastore('book1.xlsx', 'Sheets', 'none')", "no worksheet 'none' in"),
        ("spreadsheetDatastore('book1.xlsx', 'Sheets', 3)", "which has Sheet1, more"),
        ("spreadsheetDatastore('book1.xlsx', 'ReadSize', 'rows')", "'file' or 'sheet'"),
        ("spreadsheetDatastore('a.csv')", "is not the name of a workbook"),
        ("d = spreadsheetDatastore('book1.xlsx'); d.VariableNames = {'a'};", "are 2, one for each"),
    ],
)
def test_what_is_wrong_with_worksheets(owner: Owner, code: str, message: str) -> None:
    with pytest.raises(MatlabError) as raised:
        owner.run(code)
    assert message in raised.value.message
