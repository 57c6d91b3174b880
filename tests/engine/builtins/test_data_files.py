"""Text, spreadsheets, pictures and sound come back from files as they were written."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

from app.engine.builtins.files.mat_reader import read_level5
from app.engine.values import size_of
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session()
    made.run(f"d = '{tmp_path}/';")
    return made


def test_matrices(session: Session) -> None:
    session.run("writematrix(magic(3), [d 'a.csv']); csvwrite([d 'b.csv'], [1 2; 3 4]);")
    assert session.holds("isequal(readmatrix([d 'a.csv']), magic(3))")
    assert session.holds("isequal(csvread([d 'b.csv'], 1, 0), [3 4])")
    session.run("dlmwrite([d 'c.txt'], [1 2.5; 3 4], 'delimiter', '\\t', 'precision', 3);")
    assert session.value("fileread([d 'c.txt'])") == "1\t2.5\n3\t4\n"
    assert session.holds("isequal(dlmread([d 'c.txt']), [1 2.5; 3 4])")
    session.run("dlmwrite([d 'e.txt'], 7, ';', 0, 2);")
    assert session.value("fileread([d 'e.txt'])") == ";;7\n"


def test_header_lines_are_left_out(session: Session, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a,b\n1,2\n3,\n")
    assert session.holds("isequaln(readmatrix([d 'h.csv']), [1 2; 3 NaN])")
    session.run("[A, delimiter, n] = importdata([d 'h.csv']);")
    assert session.holds("isequal(A.colheaders, {'a', 'b'}) && n == 1 && delimiter == ','")


def test_workbooks_are_imported_as_their_numbers_and_texts(session: Session) -> None:
    session.run(
        "T = table([1; 2; 3], [4; 5; 6], 'VariableNames', {'num', 'val'});"
        "writetable(T, [d 'n.xlsx']); A = importdata([d 'n.xlsx']);"
        "writematrix(magic(3), [d 's.xlsx']);"
        "B = importdata([d 's.xlsx']); writetable(T, [d 's.xlsx'], 'Sheet', 'b');"
        "C = importdata([d 's.xlsx']); writecell({'x', 1, 2; 'y', 3, 4}, [d 'r.xlsx']);"
        "R = importdata([d 'r.xlsx']);"
    )
    assert session.holds("isequal(A.data, [1 4; 2 5; 3 6]) && isequal(A.colheaders, {'num' 'val'})")
    assert session.holds("isequal(B, magic(3)) && isequal(C.data.Sheet1, magic(3))")
    assert session.holds("isequal(C.textdata, struct('b', {{'num' 'val'}}))")
    assert session.holds("isequal(R.data, [1 2; 3 4]) && isequal(R.rowheaders, {'x'; 'y'})")


@pytest.mark.parametrize("suffix", ["csv", "txt", "xlsx"])
def test_tables(session: Session, suffix: str) -> None:
    session.run(
        "T = table({'Al'; 'Bo, \"b\"'}, [1.5; NaN], datetime(2020, 1, [1; 2]), "
        "'VariableNames', {'name', 'x', 'when'});"
        f"writetable(T, [d 't.{suffix}']); R = readtable([d 't.{suffix}']);"
    )
    assert session.holds("isequal(R.name, T.name) && isequaln(R.x, T.x)")
    assert session.holds("isequal(R.when, T.when) && isequal(class(R.when), 'datetime')")


def test_cells_and_lines(session: Session) -> None:
    session.run("writecell({1, 'a'; 'b', 2.5}, [d 'c.csv']); writelines([\"x\" \"y\"], [d 'l']);")
    assert session.holds("isequal(readcell([d 'c.csv']), {1, 'a'; 'b', 2.5})")
    assert session.holds("isequal(readlines([d 'l'], 'EmptyLineRule', 'skip'), [\"x\"; \"y\"])")


def test_workbooks(session: Session) -> None:
    session.run("xlswrite([d 'q.xlsx'], {1, 'a'; 2, 'b'}); [n, t, r] = xlsread([d 'q.xlsx']);")
    assert session.holds("isequal(n, [1; 2]) && strcmp(t{2, 2}, 'b') && isequal(r{1, 1}, 1)")
    session.run("writematrix([5 6], [d 'q.xlsx'], 'Sheet', 'more', 'Range', 'B2');")
    assert session.holds(
        "isequal(readmatrix([d 'q.xlsx'], 'Sheet', 'more', 'Range', 'B2:C2'), [5 6])"
    )


def test_merged_and_linked_ranges_of_a_sheet_make_no_cells(
    session: Session, tmp_path: Path
) -> None:
    session.run("writecell({1, 'a'}, [d 'm.xlsx']);")
    whole = b"</sheetData><mergeCells>"
    whole += b"".join(b'<mergeCell ref="%c1:%c1048576"/>' % (c, c) for c in b"CDEFG")
    whole += b'</mergeCells><hyperlinks><hyperlink ref="A1:XFD1048576" location="x"/></hyperlinks>'
    with ZipFile(tmp_path / "m.xlsx") as book, ZipFile(tmp_path / "n.xlsx", "w") as other:
        for name in book.namelist():
            content = book.read(name)
            if "sheet1" in name:
                content = content.replace(b"</sheetData>", whole)
            other.writestr(name, content)
    assert session.holds("isequal(readcell([d 'n.xlsx']), {1, 'a'})")


@pytest.mark.parametrize(
    "picture",
    ["uint8(reshape(0:59, 4, 5, 3))", "uint8(magic(4))", "uint16(magic(4) * 999)", "eye(3) > 0"],
)
def test_pictures(session: Session, picture: str) -> None:
    session.run(f"A = {picture}; imwrite(A, [d 'p.png']); B = imread([d 'p.png']);")
    assert session.holds("isequal(A, B) && strcmp(class(A), class(B))")
    assert session.holds("imfinfo([d 'p.png']).Width == size(A, 2)")


def test_sound(session: Session) -> None:
    session.run("y = sin((0:99)' / 5) * [0.5 0.25]; audiowrite([d 's.wav'], y, 8000);")
    session.run("[z, rate] = audioread([d 's.wav']); i = audioinfo([d 's.wav']);")
    assert session.holds("max(abs(y(:) - z(:))) < 1e-4 && rate == 8000 && i.NumChannels == 2")


def test_formatted_reading(session: Session, tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("1,2\n3,4\n")
    session.run("f = fopen([d 'f.txt']); a = fscanf(f, '%d,%d\\n', [2 Inf]); frewind(f);")
    session.run("c = textscan(f, '%d %f', 'Delimiter', ','); fclose(f);")
    assert session.holds("isequal(a, [1 3; 2 4]) && isequal(c, {int32([1; 3]), [2; 4]})")
    assert isinstance(session.value("c{1}"), np.ndarray)


@pytest.mark.parametrize(
    ("text", "template", "size", "found", "ended"),
    [
        ("abc", "%c", 3, "'abc'", False),
        ("abc", "%c", 4, "'abc'", True),
        ("abc", "%3c", 1, "'abc'", False),
        ("ab", "%3c", 1, "'ab'", True),
        ("5", "%d", 1, "5", True),
        ("5", "%1d", 1, "5", False),
        ("5\n", "%d", 1, "5", False),
        ("5\n", "%d\\n", 1, "5", True),
        ("5,", "%d,", 1, "5", False),
        ("word", "%s", 1, "'word'", True),
        ("ab5", "%[a-z]", 1, "'ab'", False),
    ],
)
def test_the_end_is_met_when_it_is_looked_behind(
    session: Session, tmp_path: Path, text: str, template: str, size: int, found: str, ended: bool
) -> None:
    (tmp_path / "f.txt").write_text(text)
    session.run(f"f = fopen([d 'f.txt']); a = fscanf(f, '{template}', {size}); e = feof(f);")
    assert session.holds(f"isequal(a, {found}) && fclose(f) == 0")
    assert session.holds("e") is ended


def test_integers_end_where_those_of_c_do(session: Session) -> None:
    for text, template, found in (
        ("08 0778", "%i", "[0; 8; 63; 8]"),
        ("-1", "%u", "4294967295"),
        ("-99999999999", "%x", "4294967295"),
        ("-99999999999 99999999999", "%d", "[-2147483648; 2147483647]"),
        ("40000", "%hd", "32767"),
        ("-5", "%1d", "[]"),
        ("-9223372036854775809", "%ld", "intmin('int64')"),
        ("18446744073709551615", "%lu", "intmax('uint64')"),
        ("3 4", "%ld %f", "[3; 4]"),
    ):
        session.run(f"a = sscanf('{text}', '{template}'); b = {found};")
        assert session.holds("isequal(a, b) && isa(a, class(b))"), (text, template)


@pytest.mark.parametrize("size", ["-1", "1.5", "NaN", "[Inf 2]", "[2 3 4]", "[-1 2]"])
def test_sizes_of_reads_are_checked(session: Session, tmp_path: Path, size: str) -> None:
    (tmp_path / "f.txt").write_text("1 2")
    session.run("f = fopen([d 'f.txt']);")
    for call in (f"fscanf(f, '%d', {size})", f"fread(f, {size})", f"sscanf('1', '%d', {size})"):
        with pytest.raises(MatlabError, match="Size must be n, Inf"):
            session.run(call)
    assert session.holds("isempty(fread(f, [0 Inf])) && isempty(fscanf(f, '%d', [0 Inf]))")
    session.run("fclose(f);")


def test_strings_are_written_as_text(session: Session, tmp_path: Path) -> None:
    session.run("f = fopen([d 'f.txt'], 'w'); n = fwrite(f, \"text\"); fclose(f);")
    assert session.holds("n == 4")
    assert (tmp_path / "f.txt").read_text() == "text"


def test_missing_files_are_named(session: Session) -> None:
    for call in ("readtable", "readmatrix", "csvread", "imread", "audioread"):
        with pytest.raises(MatlabError):
            session.run(f"{call}([d 'none.wav'])")


def test_what_was_never_written_into_a_netcdf_file_is_missing(
    session: Session, tmp_path: Path
) -> None:
    """The library leaves there what memory held, or nothing where the file goes on."""
    session.run(
        f"f = '{tmp_path / 'n.nc'}';"
        "nccreate(f, 'c', 'Dimensions', {'s', 3, 't', Inf}); ncwrite(f, 'c', [1 2 3; 4 5 6]');"
        "nccreate(f, 'a', 'Dimensions', {'r', 4}); nccreate(f, 'k', 'Dimensions', {'r'}, "
        "'Datatype', 'int16'); nccreate(f, 'i', 'Dimensions', {'t'}, 'Datatype', 'int16');"
    )
    assert (
        session.run("disp(all(isnan(ncread(f, 'a'))) && all(ncread(f, 'k') == -32767))").strip()
        == "1"
    )
    assert session.run("disp(ncread(f, 'i')')").split() == ["-32767"] * 2
    session.run("ncwrite(f, 'i', int16([7 8]))")
    assert session.run("disp([ncread(f, 'i')'; ncread(f, 'c')])").split() == list("78142536")
    assert session.run("d = ncinfo(f).Dimensions; disp([d.Unlimited; d.Length])").split() == [
        *("1", "0", "0", "2", "3", "4")
    ]


def test_a_dimension_without_limit_stands_last(session: Session, tmp_path: Path) -> None:
    with pytest.raises(MatlabError, match="must be the last one"):
        session.run(f"nccreate('{tmp_path / 'n.nc'}', 'c', 'Dimensions', {{'t', Inf, 's', 3}})")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("nccreate(f, 'c', 'Format', 'netcdf5')", "classic, 64bit, netcdf4_classic, netcdf4"),
        ("nccreate(f, 'b'); nccreate(f, 'c', 'Format', 'netcdf4')", "has the format 'classic'"),
        ("nccreate(f, 'c', 'DeflateLevel', 4)", "DeflateLevel needs the Format 'netcdf4'"),
        (
            "nccreate(f, 'c', 'Datatype', 'uint16', 'Format', 'netcdf4_classic')",
            "no class 'uint16'",
        ),
        ("nccreate(f, 'c', 'Dimensions', {'r'}, 'Format', 'netcdf4')", "'r' needs a length"),
        ("for k = 1:2, nccreate(f, 'c', 'Format', 'netcdf4'), end", "has 'c' already"),
        ("nccreate(f, 'c', 'Format', 'netcdf4'); ncwrite(f, 'q', 1)", "'q' was not found"),
    ],
)
def test_what_netcdf_files_refuse(session: Session, tmp_path: Path, code: str, told: str) -> None:
    with pytest.raises(MatlabError, match=told):
        session.run(f"f = '{tmp_path / 'n.nc'}'; {code}")


def test_records_of_classic_netcdf_files(session: Session, tmp_path: Path) -> None:
    """Every variable has all records, and what has none lies before them."""
    session.run("""f = [d 'records.nc']; nccreate(f, 'a', 'Dimensions', {'x', 2, 'time', Inf});
        nccreate(f, 't', 'Dimensions', {'time'}); nccreate(f, 'n', 'Datatype', 'int32');
        ncwrite(f, 'a', [1 3; 2 4]); ncwrite(f, 't', [10 20]); ncwrite(f, 'n', 1234567);
        ncwrite(f, 'a', [12345.5; 6], [1 3]);""")
    assert session.holds("isequaln(ncread(f, 't'), [10; 20; NaN])")
    assert session.holds("isequal(ncread(f, 'a'), [1 3 12345.5; 2 4 6])")
    assert session.holds("isequal({ncinfo(f).Variables.Name}, {'a', 't', 'n'})")
    content = (tmp_path / "records.nc").read_bytes()
    assert content.index(struct.pack(">i", 1234567)) < content.index(struct.pack(">d", 3.0))


def test_netcdf_4_files_hold_what_the_classic_format_cannot(
    session: Session, tmp_path: Path
) -> None:
    """By the conventions of the netCDF library, which reads them and adds to them."""
    import h5py

    file = tmp_path / "n.nc"
    session.run(
        f"f = '{file}'; nccreate(f, 'v', 'Dimensions', {{'x', 3, 't', Inf}}, 'Format', 'netcdf4',"
        "'DeflateLevel', 5, 'Shuffle', true, 'ChunkSize', [3 2], 'FillValue', -1);"
        "ncwrite(f, 'v', [1 2; 3 4; 5 NaN]); ncwrite(f, 'v', [7; 8; 9], [1 4]);"
        "nccreate(f, 't', 'Dimensions', {'t'}, 'Datatype', 'int64');"
        "ncwrite(f, 't', int64([10 20 30 2^60]));"
        "nccreate(f, '/g/h/w', 'Dimensions', {'x', 'y', Inf}, 'Datatype', 'uint16');"
        "ncwrite(f, '/g/h/w', [1 2; 3 4; 5 6.6]); ncwriteatt(f, '/g', 'note', 'inner');"
        "nccreate(f, 's', 'Dimensions', {'x', 'q', 2}, 'Datatype', 'string');"
        'ncwrite(f, \'s\', ["a" "b"; "c" "dé"; "e" "f"]);'
        "nccreate(f, 'c', 'Dimensions', {'n', 5}, 'Datatype', 'char'); ncwrite(f, 'c', 'hello');"
        "nccreate(f, 'one'); ncwriteatt(f, 'one', 'scale_factor', 0.5); ncwrite(f, 'one', 4);"
        "ncwriteatt(f, '/', 'title', 'all'); i = ncinfo(f);"
    )
    for fact in (
        "isequaln(ncread(f, 'v'), [1 2 NaN 7; 3 4 NaN 8; 5 NaN NaN 9])",
        "isequal(ncread(f, 't'), int64([10; 20; 30; 2^60])) && ncread(f, 'one') == 4",
        "isequal(ncread(f, '/g/h/w'), uint16([1 2; 3 4; 5 7]))",
        'isequal(ncread(f, \'s\'), ["a" "b"; "c" "dé"; "e" "f"])',
        "isequal(ncread(f, 'c'), 'hello') && isequal(ncreadatt(f, '/', 'title'), 'all')",
        "isequal(ncreadatt(f, '/g', 'note'), 'inner') && isequal(i.Format, 'netcdf4')",
        "isequal(i.Groups.Groups.Variables.Size, [3 2])",
        "isequal(sort({i.Dimensions.Name}), {'n', 'q', 't', 'x'})",
    ):
        assert session.holds(fact), fact
    with h5py.File(file) as held:
        assert held["v"].dims[0][0] == held["t"]
        assert (
            held["x"].attrs["NAME"]
            == b"This is a netCDF dimension but not a netCDF variable.%11d" % 3
        )
        assert (held["one"][()], held["v"].compression_opts, held["v"].shuffle) == (8, 5, True)
        ids = [held[n].attrs["_Netcdf4Dimid"] for n in ("x", "t", "g/h/y", "q", "n")]
        assert ids == [0, 1, 2, 3, 4]
        for node in (held["/"], held["g"], held["v"], held["x"]):
            assert node.id.get_create_plist().get_attr_creation_order()


def test_values_are_written_with_steps_and_scaled(session: Session, tmp_path: Path) -> None:
    for form in ("classic", "64bit", "netcdf4_classic", "netcdf4"):
        session.run(
            f"f = '{tmp_path / form}.nc'; nccreate(f, 'v', 'Dimensions', {{'x', 2, 'y', 3}},"
            f"'Datatype', 'int16', 'FillValue', -9, 'Format', '{form}');"
            "ncwriteatt(f, 'v', 'scale_factor', 0.5); ncwriteatt(f, 'v', 'add_offset', 1);"
            "ncwrite(f, 'v', [1 2 3; 4 5 NaN]); ncwrite(f, 'v', [7 8], [1 1], [1 2]);"
        )
        assert session.holds("isequaln(ncread(f, 'v'), [7 2 8; 4 5 NaN])"), form
        assert session.holds(f"strcmp(ncinfo(f).Format, '{form}')")


def test_variables_of_netcdf_files_are_kept_as_the_library_is_told(
    session: Session, tmp_path: Path
) -> None:
    """What has no values yet, has some, is a dimension, or stands before others."""
    h5py = pytest.importorskip("h5py")
    file = tmp_path / "a.nc"
    session.run(
        f"f = '{file}'; n = netcdf.create(f, 'NETCDF4'); x = netcdf.defDim(n, 'x', 6);"
        "t = netcdf.defDim(n, 't', 'NC_UNLIMITED'); a = netcdf.defVar(n, 'a', 'double', [x t]);"
        "b = netcdf.defVar(n, 'b', 'int', x); c = netcdf.defVar(n, 'x', 'float', x);"
        "netcdf.putAtt(n, b, 'units', 'm'); netcdf.putVar(n, c, single(1:6));"
        "netcdf.putVar(n, a, [0 0], [6 2], reshape(1:12, 6, 2));"
        "netcdf.defVarDeflate(n, a, true, true, 5); netcdf.defVarChunking(n, a, 'CHUNKED', [3 2]);"
        "netcdf.defVarFill(n, b, false, -5); netcdf.defVarFletcher32(n, b, 'CHECKSUM');"
        "netcdf.putVar(n, b, 0, 2, int32([1 2])); netcdf.defVarDeflate(n, c, false, true, 1);"
        "netcdf.putVar(n, a, [0 2], [6 1], 13:18);"
    )
    for fact in (
        "isequal(ncread(f, 'a'), reshape(1:18, 6, 3)) && isequal(ncread(f, 'x'), single(1:6)')",
        "isequal(ncread(f, 'b'), int32([1; 2; -5; -5; -5; -5]))",
        "isequal(ncread(f, 'a', [2 2], [2 Inf], [3 1]), [8 14; 11 17])",
        "isequal(netcdf.getVar(n, a, [1 1], [2 2], [3 1]), [8 14; 11 17])",
        "strcmp(ncreadatt(f, 'b', 'units'), 'm') && ncreadatt(f, 'b', '_FillValue') == -5",
        "isequal({ncinfo(f).Variables.Name}, {'a', 'b', 'x'})",
        "isequal({ncinfo(f).Dimensions.Name}, {'x', 't'})",
        "isequal(ncinfo(f, 'a').ChunkSize, [3 2]) && ncinfo(f, 'a').DeflateLevel == 5",
    ):
        assert session.holds(fact), fact
    session.run("[s, d, l] = netcdf.inqVarDeflate(n, a); [k, z] = netcdf.inqVarChunking(n, a);")
    assert session.holds("s && d && l == 5 && strcmp(k, 'CHUNKED') && isequal(z, [3 2])")
    session.run("[k, v] = netcdf.inqVarFill(n, b); o = netcdf.setFill(n, 'NC_NOFILL');")
    assert session.holds("~k && isequal(v, int32(-5)) && o == 0 && netcdf.setFill(n, 0) == 256")
    assert session.holds("strcmp(netcdf.inqVarFletcher32(n, b), 'CHECKSUM')")
    with h5py.File(file) as held:
        assert held["a"].dims[0][0] == held["t"]
        assert held["b"].dims[0][0] == held["a"].dims[1][0] == held["x"]
    for call, told in (
        ("netcdf.defVarDeflate(n, a, true, true, 10)", "from 0 to 9"),
        ("netcdf.defVarChunking(n, b, 'CHUNKED', 7)", "from 1 to its length"),
        ("netcdf.defVarChunking(n, a, 'CONTIGUOUS')", "kept in chunks"),
        ("ncread(f, 'a', [1 1], [7 1])", "outside the variable"),
        ("netcdf.getVar(n, a, [0 0], [1 1], [0 1])", "exceeds dimension bound"),
    ):
        with pytest.raises(MatlabError, match=told):
            session.run(f"{call};")
    session.run("netcdf.close(n); n = netcdf.create([f '3'], 'CLOBBER');")
    session.run("v = netcdf.defVar(n, 'v', 'double', netcdf.defDim(n, 'x', 6));")
    with pytest.raises(MatlabError, match="netcdf-4 operation"):
        session.run("netcdf.defVarDeflate(n, v, true, true, 5)")


def test_a_short_file_asks_for_no_memory(session: Session, tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    session.run(f"imwrite(zeros(8, 'uint8'), '{picture}')")
    data = bytearray(picture.read_bytes())
    data[20:24] = (9_000_000).to_bytes(4, "big")
    data[29:33] = zlib.crc32(data[12:29]).to_bytes(4, "big")
    picture.write_bytes(data)
    with pytest.raises(MatlabError, match=r"file format|fewer pixels"):
        session.run(f"p = imread('{picture}');")


def test_a_variable_of_a_mat_file_is_no_longer_than_it_says(tmp_path: Path) -> None:
    inner = struct.pack("<II", 14, 16) + bytes(100_000)
    packed = zlib.compress(inner)
    head = b"MATLAB 5.0".ljust(124) + b"\0\1IM"
    file = tmp_path / "long.mat"
    file.write_bytes(head + struct.pack("<II", 15, len(packed)) + packed)
    with pytest.raises(MatlabError, match="longer than it says"):
        read_level5(file)


def _element(kind: int, body: bytes) -> bytes:
    return struct.pack("<II", kind, len(body)) + body + bytes(-len(body) % 8)


@pytest.mark.parametrize(
    ("kind", "rest", "size"),
    [
        (2, struct.pack("<HHi", 5, 4, 32) + _element(1, b""), (2_000_000_000, 1)),
        (4, _element(16, b""), (0, 0)),
    ],
    ids=["struct without fields", "text without letters"],
)
def test_sizes_without_content_take_no_memory(
    tmp_path: Path, kind: int, rest: bytes, size: tuple[int, int]
) -> None:
    head = b"MATLAB 5.0".ljust(124) + b"\0\1IM"
    shape = struct.pack("<ii", 2_000_000_000, 1)
    body = _element(6, struct.pack("<II", kind, 0)) + _element(5, shape) + _element(1, b"s") + rest
    file = tmp_path / "many.mat"
    file.write_bytes(head + _element(14, body))
    assert size_of(read_level5(file)["s"]) == size


@pytest.mark.parametrize(
    ("kind", "shape", "rest", "told"),
    [
        (99, (1, 1), _element(9, bytes(8)), "no class 99"),
        (6, (-1, 1), _element(9, bytes(8)), "-1 by 1 elements"),
        (2, (1, 1), struct.pack("<HHi", 5, 4, -8) + _element(1, b"a"), "-8 letters"),
    ],
    ids=["class", "size", "fields"],
)
def test_what_a_mat_file_says_of_itself_is_damage_where_it_cannot_be(
    tmp_path: Path, kind: int, shape: tuple[int, int], rest: bytes, told: str
) -> None:
    head = b"MATLAB 5.0".ljust(124) + b"\0\1IM"
    body = _element(6, struct.pack("<II", kind, 0)) + _element(5, struct.pack("<ii", *shape))
    file = tmp_path / "odd.mat"
    file.write_bytes(head + _element(14, body + _element(1, b"s") + rest))
    with pytest.raises(MatlabError, match=told):
        read_level5(file)


def test_names_that_are_none_are_changed_when_variables_are_loaded(
    session: Session, tmp_path: Path
) -> None:
    head = b"MATLAB 5.0".ljust(124) + b"\0\1IM"
    body = _element(6, struct.pack("<II", 6, 0)) + _element(5, struct.pack("<ii", 1, 1))
    body += _element(1, b"1;system('x')") + _element(9, bytes(8))
    (tmp_path / "name.mat").write_bytes(head + _element(14, body))
    session.run("s = load([d 'name.mat']); f = fieldnames(s); load([d 'name.mat']);")
    assert session.holds("isvarname(f{1}) && exist(f{1}, 'var') && strncmp(lastwarn, '''1;', 3)")


def test_a_film_without_its_end_says_so(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "a.avi"
    session.run(f"v = VideoWriter('{file}'); open(v); p = zeros(20, 30, 3, 'uint8');")
    session.run("for k = 1:3, writeVideo(v, p); end, close(v)")
    assert session.holds(f"size(read(VideoReader('{file}')), 4) == 3")
    file.write_bytes(file.read_bytes()[:-400])
    with pytest.raises(MatlabError, match="400 are missing"):
        session.run(f"VideoReader('{file}')")


def test_a_text_file_without_rows_has_empty_columns(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"name;value\n\0\0\0")
    session.run(f"d = tabularTextDatastore('{file}'); t = read(d);")
    assert session.holds("isequal(size(t), [0 2]) && ~hasdata(d)")


WRITERS = {
    "a.bmp": "imwrite(uint8(magic(90)), '{file}')",
    "a.tif": "imwrite(uint8(magic(90)), '{file}')",
    "a.png": "imwrite(uint8(magic(90)), '{file}')",
    "a.mat": "x = rand(90); save('{file}', 'x')",
    "a.csv": "writematrix(magic(90), '{file}')",
    "a.wav": "audiowrite('{file}', zeros(900, 1), 8000)",
    "b.pdf": "plot(1:3); exportgraphics(gcf, '{file}')",
    "b.svg": "plot(1:3); saveas(gcf, '{file}')",
    "b.png": "plot(1:3); saveas(gcf, '{file}')",
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_by_all_that_write(session: Session, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.symlink_to("/dev/full")
    with pytest.raises(MatlabError, match="No space left"):
        session.run(WRITERS[name].replace("{file}", str(file)))


@pytest.mark.parametrize("version", ["-v7", "-v6", "-v7.3"])
def test_a_variable_that_does_not_fit_leaves_the_others(
    session: Session, tmp_path: Path, version: str
) -> None:
    resource = pytest.importorskip("resource")
    file, link = tmp_path / "a.mat", tmp_path / "link.mat"
    session.run(f"x = 7; y = rand(300); save('{file}', 'x', '{version}')")
    file.chmod(0o640)
    link.symlink_to(file)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(MatlabError, match="Unable to write"):
            session.run(f"save('{link}', 'y', '-append')")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert session.run(f"clear x; load('{file}'); disp(x)").strip() == "7"
    session.run(f"save('{link}', 'y', '-append')")
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.mat", "link.mat"]


def test_parts_of_a_file_are_read_after_each_other(session: Session) -> None:
    """What textscan replaces (line ends, comments, header lines) does not move the file."""
    session.run("f = fopen([d 'a.txt'], 'w'); fprintf(f, 'h\\r\\n1 2 \"a; b\"\\r\\n3 4\\r\\n5 6');")
    session.run("fclose(f); f = fopen([d 'a.txt']); o = {'CommentStyle', {'\"', '\"'}};")
    session.run("[a, p] = textscan(f, '%f %f', 1, 'HeaderLines', 1, o{:}); q = ftell(f);")
    session.run("b = textscan(f, '%f %f', 1, o{:}); [c, r] = textscan(f, '%f %f'); fclose(f);")
    assert session.holds("isequal([a; b; c], {1, 2; 3, 4; 5, 6})")
    assert session.holds("isequal([p, r], [q, 23])")


@pytest.mark.parametrize(
    ("wanted", "identifier"),
    [
        ("[90 120]", "endOfFile"),
        ("[200 Inf]", "endOfFile"),
        ("[3 2]", "invalidRange"),
        ("[0 5]", "invalidRange"),
        ("1:3", "invalidRange"),
        ("[1.5 2]", "invalidRange"),
        ("[1 -Inf]", "invalidRange"),
        ("[Inf Inf]", "invalidRange"),
    ],
)
def test_samples_that_are_not_there_are_not_read(
    session: Session, tmp_path: Path, wanted: str, identifier: str
) -> None:
    name = tmp_path / "a.wav"
    session.run(f"audiowrite('{name}', zeros(100, 1), 8000);")
    session.run(f"try, audioread('{name}', {wanted}); e = ''; catch p, e = p.identifier; end")
    assert str(session.value("e")) == f"MATLAB:audiovideo:audioread:{identifier}"
    session.run(
        f"n = [numel(audioread('{name}', [91 Inf])) numel(audioread('{name}', [100 100]))];"
    )
    assert session.value("n").tolist() == [[10, 1]]


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_a_broken_archive_is_named(session: Session, tmp_path: Path, form: str) -> None:
    name = tmp_path / f"broken.{form}"
    name.write_bytes(b"PK\3\4 and nothing more")
    session.run(f"try, un{form}('{name}'); catch p, e = p.message; end")
    said = str(session.value("e"))
    assert str(name) in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("form", "data", "new"),
    [
        ("'double'", "m.Data", "m.Data(2) = 50;"),
        ("'double'", "m.Data(1:3)", "m.Data(2) = 50;"),
        ("{'double', [3 1], 'p'}", "m.Data.p", "m.Data.p = [7; 50; 9];"),
    ],
)
def test_what_was_read_of_a_mapped_file_stays(
    session: Session, tmp_path: Path, form: str, data: str, new: str
) -> None:
    """Whatever is written to the file later, also when it is cut: the pages are gone then."""
    session.run(
        f"n = '{tmp_path}/m.bin'; f = fopen(n, 'w'); fwrite(f, 1:3, 'double'); fclose(f);"
        f"m = memmapfile(n, 'Format', {form}, 'Writable', true); d = {data}; {new} e = {data};"
        "f = fopen(n, 'w'); fclose(f);"
    )
    assert session.value("isequal(d, [1; 2; 3]) && e(2) == 50") is True


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("h5create(n, '/y', [2 2], 'ChunkSize', [5 5])", "Chunk shape"),
        ("h5write(n, '/x', ones(2))", "broadcast"),
    ],
)
def test_inputs_that_do_not_fit_a_file_are_told_beside_it(
    session: Session, tmp_path: Path, code: str, said: str
) -> None:
    session.run(
        f"cd('{tmp_path}'); n = 'w.h5'; h5create(n, '/x', [3 3]); x = 1; save('q.mat', 'x')"
    )
    with pytest.raises(MatlabError, match="Either the other inputs do not fit it") as told:
        session.run(f"{code};")
    assert said in told.value.message
