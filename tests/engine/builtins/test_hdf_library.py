"""HDF5's own functions write what h5py and h5read read, and the other way round."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

_FILE = "f = H5F.create([d 'a.h5'], 'H5F_ACC_TRUNC', 'H5P_DEFAULT', 'H5P_DEFAULT');"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    made = Session()
    made.run(f"d = '{tmp_path}/';")
    return made


def test_blocks_of_a_chunked_data_set_that_grows(session: Session, tmp_path: Path) -> None:
    session.run(
        f"{_FILE} p = H5P.create('H5P_DATASET_CREATE'); H5P.set_chunk(p, [2 3]);"
        "H5P.set_deflate(p, 5); most = H5ML.get_constant_value('H5S_UNLIMITED');"
        "s = H5S.create_simple(2, [2 3], [most 3]); g = H5G.create(f, 'g', 0);"
        "x = H5D.create(g, 'x', 'H5T_NATIVE_INT', s, p); H5D.set_extent(x, [4 3]);"
        "part = H5D.get_space(x); m = H5S.create_simple(2, [2 3], []);"
        "H5S.select_hyperslab(part, 'H5S_SELECT_SET', [2 0], [], [2 3], []);"
        "H5D.write(x, 'H5ML_DEFAULT', m, part, 'H5P_DEFAULT', int32([1 4; 2 5; 3 6]));"
        "[n, sizes, limits] = H5S.get_simple_extent_dims(H5D.get_space(x));"
        "y = H5D.read(x); z = H5D.read(x, 'H5ML_DEFAULT', m, part, 'H5P_DEFAULT');"
    )
    assert session.holds("isequal(y, int32([0 0 1 4; 0 0 2 5; 0 0 3 6])) && isa(y, 'int32')")
    assert session.holds(
        "isequal(z, [1 4; 2 5; 3 6]) && isequal({n, sizes, limits}, {2, [4 3], [-1 3]})"
    )
    assert session.holds(
        "strcmp(H5I.get_name(x), '/g/x') && H5P.get_layout(H5D.get_create_plist(x)) == 2"
    )
    session.run("H5D.close(x); H5F.close(f);")
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["g/x"][...].tolist() == [[0] * 3, [0] * 3, [1, 2, 3], [4, 5, 6]]
        assert file["g/x"].compression == "gzip"


def test_texts_of_one_length_and_of_any(session: Session, tmp_path: Path) -> None:
    session.run(
        f"{_FILE} t = H5T.copy('H5T_C_S1'); H5T.set_size(t, 3);"
        "a = H5D.create(f, 'a', t, H5S.create_simple(1, 2, []), 'H5P_DEFAULT');"
        "H5D.write(a, t, 'H5S_ALL', 'H5S_ALL', 'H5P_DEFAULT', ['abc'; 'def']');"
        "v = H5T.copy('H5T_C_S1'); H5T.set_size(v, 'H5T_VARIABLE');"
        "u = H5A.create(a, 'unit', v, H5S.create('H5S_SCALAR'), 'H5P_DEFAULT');"
        "H5A.write(u, 'H5ML_DEFAULT', 'µm'); one = H5A.read(u); two = H5D.read(a)';"
    )
    assert session.holds("isequal(one, {'µm'}) && isequal(two, ['abc'; 'def'])")
    assert session.holds("H5A.get_num_attrs(a) == 1 && H5T.is_variable_str(H5A.get_type(u))")
    session.run("clear a u; H5F.close(f)")
    with h5py.File(tmp_path / "a.h5") as file:
        assert file["a"][...].tolist() == [b"abc", b"def"]
        assert file["a"].attrs["unit"] == "µm"


def test_complex_numbers_records_and_links(session: Session, tmp_path: Path) -> None:
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["z"] = np.array([[1 + 2j, 3], [4, 5], [6, 7j]])
        file["r"] = np.array([(1, 2.5), (3, 4.5)], [("n", ">i2"), ("x", "f8")])
    session.run(
        "f = H5F.open([d 'b.h5'], 'H5F_ACC_RDWR', 'H5P_DEFAULT'); r = H5D.read(H5D.open(f, 'r'));"
        "H5L.create_soft('/z', f, 'other', 0, 0); z = H5D.read(H5D.open(f, 'other'));"
        "r.x = r.x + 1; H5D.write(H5D.open(f, 'r'), 0, 0, 0, 0, r); again = H5D.read(H5D.open(f, 'r'));"
    )
    assert session.holds("isequal(z, [1+2i 4 6; 3 5 7i])")
    assert session.holds("isequal(again.x, [3.5; 5.5]) && isequal(again.n, int16([1; 3]))")
    assert session.holds("H5L.exists(f, 'other', 0) && ~H5L.exists(f, 'none', 0)")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("H5F.open([d 'none.h5'])", "does not exist"),
        ("H5F.open([d 'text.h5'])", "Unable to open the HDF5 file"),
        ("H5F.opne('x')", "H5F.opne is not supported. There is: close, create,"),
        ("H5D.open(f, 'none')", "H5D.open: the HDF5 library refused"),
        ("H5D.read(7)", "An identifier of the HDF5 library (H5ML.id) is needed."),
        ("H5T.copy('H5T_NATIVE_WORD')", "'H5T_NATIVE_WORD' is not a constant"),
        (
            "H5D.read(H5D.open(f, 'x')); H5D.write(H5D.open(f, 'x'), 0, 0, 0, 0, 1:3)",
            "3 elements; 6",
        ),
        ("H5F.close(f); H5G.open(f, '/')", "H5G.open: the HDF5 library refused"),
    ],
)
def test_what_is_refused(session: Session, tmp_path: Path, code: str, told: str) -> None:
    (tmp_path / "text.h5").write_text("no such file")
    session.run("h5create([d 'c.h5'], '/x', [2 3]); f = H5F.open([d 'c.h5'], 'H5F_ACC_RDWR', 0);")
    with pytest.raises(MatlabError) as problem:
        session.run(code)
    assert told in problem.value.message


def test_how_data_sets_are_kept_and_described(session: Session, tmp_path: Path) -> None:
    session.run(
        "h5create([d 'e.h5'], '/z', [10 Inf], ChunkSize=[5 4], Deflate=9, Shuffle=true,"
        " Fletcher32=true, Datatype='int16', FillValue=7);"
        "h5write([d 'e.h5'], '/z', ones(10, 2), [1 2], [10 2]); z = h5read([d 'e.h5'], '/z');"
        "i = h5info([d 'e.h5'], '/z'); h5create([d 'e.h5'], '/s', [2 1], Datatype='string');"
        "h5write([d 'e.h5'], '/s', [\"a\"; \"bü\"]); s = h5read([d 'e.h5'], '/s');"
    )
    assert session.holds(
        'isequal(z, int16([7*ones(10, 1) ones(10, 2)])) && isequal(s, ["a"; "bü"])'
    )
    assert session.holds(
        "isequal({i.Datatype.Class, i.Datatype.Type}, {'H5T_INTEGER', 'H5T_STD_I16LE'})"
    )
    assert session.holds("isequal(i.Dataspace.MaxSize, [10 Inf]) && isequal(i.ChunkSize, [5 4])")
    with h5py.File(tmp_path / "e.h5") as file:
        data = file["z"]
        assert (data.compression, data.compression_opts, data.shuffle, data.fletcher32) == (
            "gzip",
            9,
            True,
            True,
        )


def test_types_of_other_programs_are_read(session: Session, tmp_path: Path) -> None:
    import h5py

    place = tmp_path / "o.h5"
    with h5py.File(place, "w") as file:
        file["compound"] = np.array([(1, 2.5), (3, 4.5)], [("a", "i4"), ("b", "f8")])
        file["lengths"] = np.array([np.arange(2), np.arange(3)], h5py.vlen_dtype("i4"))
        file["half"] = np.array([1.5, 2.5], np.float16)
        file["pair"] = np.array([(1.0, 2.0)], [("r", "f8"), ("i", "f8")])
        file["nothing"] = h5py.Empty("f8")
    session.run(f"s = h5read('{place}', '/compound'); c = h5read('{place}', '/lengths');")
    session.run(f"i = h5info('{place}'); h = h5read('{place}', '/half');")
    assert session.holds("isequal(s, struct('a', int32([1; 3]), 'b', [2.5; 4.5]))")
    assert session.holds("isequal(c, {int32([0; 1]); int32([0; 1; 2])})")
    assert session.holds("isa(h, 'single') && isequal(h, [1.5; 2.5])")
    assert session.holds(f"h5read('{place}', '/pair') == 1 + 2i")
    assert session.holds(f"isempty(h5read('{place}', '/nothing'))")
    assert session.holds("strcmp(i.Datasets(3).Datatype.Class, 'H5T_VLEN')")


def test_enumerations_compounds_and_arrays_are_made(session: Session, tmp_path: Path) -> None:
    session.run(
        "f = H5F.create([d 't.h5']); s = H5S.create_simple(1, 3, 3);"
        "t = H5T.enum_create('H5T_NATIVE_INT'); H5T.enum_insert(t, 'RED', 2);"
        "H5T.enum_insert(t, 'BLUE', 5); e = H5D.create(f, '/c', t, s, 'H5P_DEFAULT');"
        "H5D.write(e, 'H5ML_DEFAULT', 'H5S_ALL', 'H5S_ALL', 'H5P_DEFAULT', [2 5 2]);"
        "c = H5D.read(e);"
        "b = H5T.enum_create('H5T_STD_I8LE'); H5T.enum_insert(b, 'FALSE', 0);"
        "H5T.enum_insert(b, 'TRUE', 1); g = H5D.create(f, '/b', b, s, 'H5P_DEFAULT');"
        "H5D.write(g, 'H5ML_DEFAULT', 'H5S_ALL', 'H5S_ALL', 'H5P_DEFAULT', [true false true]);"
        "m = H5T.create('H5T_COMPOUND', 16); H5T.insert(m, 'a', 0, 'H5T_NATIVE_DOUBLE');"
        "H5T.insert(m, 'b', 8, 'H5T_NATIVE_INT'); H5T.pack(m);"
        "a = H5T.array_create('H5T_NATIVE_DOUBLE', [2 3]); v = H5T.vlen_create('H5T_NATIVE_INT');"
        "k = H5D.get_type(e); H5T.commit(f, 'colours', k);"
    )
    assert session.holds("isequal(c, int32([2; 5; 2])) && isequal(H5D.read(g), int8([1; 0; 1]))")
    assert session.holds("H5T.get_nmembers(k) == 2 && strcmp(H5T.get_member_name(k, 1), 'BLUE')")
    assert session.holds("H5T.get_member_value(k, 1) == 5 && H5T.get_member_index(k, 'RED') == 0")
    assert session.holds("H5T.get_size(m) == 12 && H5T.get_member_offset(m, 1) == 8")
    assert session.holds("H5T.equal(H5T.get_member_type(m, 1), 'H5T_NATIVE_INT')")
    assert session.holds("isequal(H5T.get_array_dims(a), [2 3]) && H5T.get_array_ndims(a) == 2")
    assert session.holds("H5T.detect_class(v, 'H5T_VLEN') && ~H5T.detect_class(v, 'H5T_STRING')")
    assert session.holds("H5T.enum_valueof(H5T.open(f, 'colours'), 'BLUE') == 5")
    session.run("H5F.close(f); i = h5info([d 't.h5']); t = i.Datasets(2).Datatype;")
    assert session.holds("strcmp(t.Type.Member(2).Name, 'BLUE') && t.Type.Member(2).Value == 5")
    assert session.holds("strcmp(t.Type.Type, 'H5T_STD_I32LE')")
    assert session.holds("strcmp(i.Datatypes.Name, 'colours')")


def test_links_are_followed_described_and_visited(session: Session, tmp_path: Path) -> None:
    session.run(
        "f = H5F.create([d 'l.h5']); g = H5G.create(f, 'g', 0); h = H5G.create(g, 'h', 0);"
        "H5L.create_soft('/g/h', f, 's', 0, 0); H5L.create_external('no.h5', '/q', f, 'x', 0, 0);"
        "[st, last, names] = H5L.iterate(f, 'H5_INDEX_NAME', 'H5_ITER_DEC', [],"
        " @(g, name, data) deal(0, [data {name}]), {});"
        "[stopped, ~, one] = H5L.iterate(f, 'H5_INDEX_NAME', 'H5_ITER_INC', 1,"
        " @(g, name, data) deal(1, name), '');"
        "[~, seen] = H5O.visit(f, 'H5_INDEX_NAME', 'H5_ITER_INC',"
        " @(g, name, data) deal(0, [data {name}]), {});"
        "H5O.copy(f, 'g', f, 'again', 'H5P_DEFAULT', 'H5P_DEFAULT'); o = H5O.get_info(h);"
    )
    assert session.holds("st == 0 && last == 3 && isequal(names, {'x', 's', 'g'})")
    assert session.holds("stopped == 1 && isequal(one, 's') && isequal(seen, {'.', 'g', 'g/h'})")
    assert session.holds("isequal(H5L.get_val(f, 'x', 0), {'no.h5'; '/q'})")
    assert session.holds("isequal(H5L.get_val(f, 's', 0), {'/g/h'})")
    kind = "H5ML.get_constant_value('H5L_TYPE_EXTERNAL')"
    assert session.holds(f"getfield(H5L.get_info(f, 'x', 0), 'type') == {kind}")
    assert session.holds("strcmp(H5L.get_name_by_idx(f, 'g', 'H5_INDEX_NAME', 0, 0, 0), 'h')")
    assert session.holds("o.type == H5ML.get_constant_value('H5O_TYPE_GROUP') && o.rc == 1")
    session.run("H5F.close(f); i = h5info([d 'l.h5']); t = evalc('h5disp([d ''l.h5''])');")
    assert session.holds("isequal({i.Links.Type}, {'soft link', 'external link'})")
    assert session.holds("isequal({i.Groups.Name}, {'/again', '/g'})")
    assert session.holds("contains(t, 'external link ''x'':  no.h5 /q')")
