"""A part of the campaigns for every run of the tests; see the modules for the rest."""

from __future__ import annotations

import warnings
import zipfile
import zlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from app.engine.builtins.files.hdf_lengths import Stored
from app.engine.protocol import Event
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText
from tests.fuzz import corpus
from tests.fuzz.readers import Campaign


def test_damaged_files_end_in_values_or_errors(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    kinds = set(corpus.READERS) - ({".parquet"} if find_spec("pyarrow") is None else set())
    assert {Path(name).suffix for name in campaign.corpus} == kinds
    found = [finding for seed in range(500) if (finding := campaign.one(seed))]
    campaign.close()
    assert not found, "\n".join(map(str, found))


def test_a_picture_that_its_strips_do_not_cover_is_damaged(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus["a.tif"])
    height = data.index(b"\x01\x01\x04\0\x01\0\0\0") + 8  # the entry of ImageLength
    data[height : height + 4] = (2000).to_bytes(4, "little")
    (tmp_path / "tall.tif").write_bytes(data)
    ended = campaign._run("p = imread('tall.tif');")[0]
    campaign.close()
    assert ended == "MATLAB:imread:invalidFile"


@pytest.mark.parametrize("at", [20, 24], ids=["scale", "rate"])
def test_a_film_without_a_rate_is_damaged(tmp_path: Path, at: int) -> None:
    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus["a.avi"])
    place = data.index(b"vids") + at
    data[place : place + 4] = bytes(4)
    (tmp_path / "still.avi").write_bytes(data)
    ended = campaign._run("v = VideoReader('still.avi'); n = v.Duration;")
    campaign.close()
    assert ended[0] == "MATLAB:audiovideo:VideoReader:UnsupportedFormat", ended


@pytest.mark.parametrize("name", ["a.mat", "b.mat"])
def test_a_cut_mat_file_is_no_part_of_one(tmp_path: Path, name: str) -> None:
    campaign = Campaign(tmp_path)
    data = campaign.corpus[name]
    whole = campaign._run(f"s = load('{name}'); n = numel(fieldnames(s));")
    assert whole == ("ok", "")
    silent = 0
    for cut in range(1, len(data), 3):
        (tmp_path / "cut.mat").write_bytes(data[:cut])
        silent += campaign._run("s = load('cut.mat');")[0] == "ok"
    campaign.close()
    assert silent <= 10, "only a cut between two variables cannot be seen"


@pytest.mark.parametrize(
    ("mark", "at", "value"),
    [
        (b"\x19\0\0\0\x10\0\0\0\x13", 1, 0x2E),  # a type of variable length that is none
        (b"GCOL", 16 + 8 + 1, 9),  # an entry of the heap that ends between two others
        (b"GCOL", 16 + 8 + 7, 9),  # and one beyond every end
        (b"\x11\x20\x3f\0\x08\0\0\0\0\0", 8, 8),  # a number whose bits are not in its bytes
        (b"\x05\0\x08\0\x01\0\0\0", 15, 0x80),  # a value for what is missing of negative length
    ],
)
def test_what_the_library_of_hdf5_crashes_or_hangs_on_is_damaged(
    tmp_path: Path, mark: bytes, at: int, value: int
) -> None:
    campaign = Campaign(tmp_path)
    campaign._run("clear; s = struct('long_name', 1, 'b', {{'c', 2}}); save('s.mat', '-v7.3');")
    data = bytearray((tmp_path / "s.mat").read_bytes())
    data[data.index(mark) + at] = value
    (tmp_path / "bad.mat").write_bytes(data)
    ended = [campaign._run(f"t = {way};")[0] for way in ("load('bad.mat')", "h5info('bad.mat')")]
    campaign.close()
    ours = ("invalidFile", "libraryError")
    assert all(identifier.endswith(ours) for identifier in ended), ended


def test_what_the_library_of_pictures_reads_all_the_same_is_no_warning(tmp_path: Path) -> None:
    """A directory of icons that has the size of none of them, and an animation without frames."""
    campaign = Campaign(tmp_path)
    icon = bytearray(campaign.corpus["a.ico"])
    icon[6 : 6 + 32 : 16] = b"\x11\x13"
    still = campaign.corpus["a.png"]
    body = b"acTL" + bytes(8)
    frames = (8).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for name, data in (("i.ico", bytes(icon)), ("p.png", still[:33] + frames + still[33:])):
            place = campaign._put(name, data)
            assert campaign._run(f"p = imread('{place}');")[0] == "ok"
    campaign.close()
    assert not said


def test_a_damaged_mark_of_a_dimension_is_none(tmp_path: Path) -> None:
    """Another text of its length, which the library frees twice."""
    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus["c.nc"])
    at = data.index(b"DIMENSION_SCALE")
    data[at + 5] = ord("X")
    (tmp_path / "mark.nc").write_bytes(data)
    assert campaign._run("i = ncinfo('mark.nc'); ncdisp('mark.nc')")[0] != "Fuselab:internal"
    assert campaign._run("ncwrite('mark.nc', 'x', 4:-1:1);")[0] != "Fuselab:internal"
    assert campaign._run("i = ncinfo('c.nc'); assert(strcmp(i.Dimensions(1).Name, 'r'))")[0] == "ok"
    campaign.close()


def test_dimensions_that_are_no_references_are_damage(tmp_path: Path) -> None:
    """The library takes whatever the file says they are for references, and follows them."""
    import h5py

    campaign = Campaign(tmp_path)
    with h5py.File(tmp_path / "lists.nc", "w") as file:
        places = np.array([(1, 0)], dtype=[("length", "<i8"), ("place", "<i8")])
        file.create_dataset("x", data=np.arange(3.0)).attrs.create("DIMENSION_LIST", places)
    ended = campaign._run("ncdisp('lists.nc')")[0]
    campaign.close()
    assert ended == "MATLAB:ncdisp:invalidFile"


@pytest.mark.parametrize(
    ("name", "at", "value", "code"),
    [
        ("c.nc", 1, 0, "ncwrite(f, 'x', 4:-1:1)"),
        ("c.nc", 8, 0, "ncwriteatt(f, 'x', 'a', 1)"),  # the next part is said to be empty
        ("c.nc", None, 1, "nccreate(f, 'w', 'Dimensions', {'r', 4})"),
        ("c.nc", None, 1, "h5writeatt(f, '/r', 'a', 1)"),
        ("c.h5", 6, 1, "h5write(f, '/x', 1:100)"),
        ("c.h5", 6, 1, "h5create(f, '/y', 3)"),
        ("c.h5", 6, 1, "h = H5F.open(f, 'H5F_ACC_RDWR', 'H5P_DEFAULT'); H5F.close(h)"),
        ("c.h5", 6, 1, "x = h5read(f, '/x')"),
    ],
)
def test_a_file_whose_parts_are_not_where_it_says_is_left_alone(
    tmp_path: Path, name: str, at: int | None, value: int, code: str
) -> None:
    """The place of the first part of a data set, or the mark of a dimension, is another one: what
    the library does then may end the process, often only when another file is closed."""
    import h5py

    campaign = Campaign(tmp_path)
    data = bytearray(campaign.corpus[name])
    if at is None:
        data[data.index(b"DIMENSION_SCALE")] = value
    else:
        with h5py.File(tmp_path / name) as file:
            part = file["x"].id.get_chunk_info(0).byte_offset
        data[data.index(part.to_bytes(8, "little")) + at] = value
    place = campaign._put(name, bytes(data))
    status, message = campaign._run(f"f = '{place}'; {code};")
    assert status.endswith(("invalidFile", "libraryError", "fileOpenErr"))
    assert "it is damaged" in message
    assert place.read_bytes() == data
    place.write_bytes(campaign.corpus[name])
    assert campaign._run(f"{code};")[0] == "ok"
    campaign.close()


def test_a_value_of_variable_length_is_no_longer_than_its_file(tmp_path: Path) -> None:
    """The library makes room for it first: up to 4 GB for the name of a field."""
    campaign = Campaign(tmp_path)
    campaign._run("clear; s = struct('long_name', 1, 'b', {{'c', 2}}); save('s.mat', '-v7.3');")
    data = bytearray((tmp_path / "s.mat").read_bytes())
    length = data.index((9).to_bytes(4, "little"), data.index(b"MATLAB_fields\0") + 48)
    assert campaign._run("t = load('s.mat'); assert(isequal(t.s, s))") == ("ok", "")
    data[length + 3] = 0x7F
    (tmp_path / "bad.mat").write_bytes(data)
    status, message = campaign._run("t = load('bad.mat');")
    campaign.close()
    assert (status, "(it is damaged)" in message) == ("MATLAB:load:invalidFile", True)


@pytest.mark.parametrize("form", ["itself", "twice", "none", "fields"])
def test_references_that_lead_too_far_are_damage(tmp_path: Path, form: str) -> None:
    """A cell that holds itself, or each of forty levels twice, and one too large for any memory."""
    import h5py

    campaign = Campaign(tmp_path)
    with h5py.File(tmp_path / "far.mat", "w") as file:
        many = (1 << 20, 1 << 14) if form == "none" else (1, 2)

        def cell(name: str) -> h5py.Dataset:
            made = file.create_dataset(name, many, h5py.ref_dtype, chunks=form == "none" or None)
            made.attrs["MATLAB_class"] = np.bytes_("cell")
            return made

        made = cell("#refs#/0")
        for k in range(1, 41 if form == "twice" else 1):
            inner, made = made, cell(f"#refs#/{k}")
            made[...] = inner.ref
        if form == "itself":
            made[...] = made.ref
        elif form == "fields":
            file.create_group("x").attrs["MATLAB_fields"] = "x"
        if form != "fields":
            file["x"] = made
    expected = "MATLAB:nomem" if form == "none" else "MATLAB:load:invalidFile"
    status, message = campaign._run("s = load('far.mat', 'x');")
    campaign.close()
    assert (status, "object has no" in message) == (expected, False), message


def test_groups_that_are_reached_on_too_many_ways_are_damage(tmp_path: Path) -> None:
    import h5py

    campaign = Campaign(tmp_path)
    with h5py.File(tmp_path / "ways.h5", "w") as file:
        for k in range(1, 41):
            file.create_group(f"a{k}")
            for name in ("left", "right") if k > 1 else ():
                file[f"a{k}/{name}"] = file[f"a{k - 1}"]
    status, _ = campaign._run("i = h5info('ways.h5');")
    campaign.close()
    assert status.endswith("invalidFile")


def _of_any_length(place: Path, kind: str, written_as: str = "earliest") -> None:
    """A file with values of variable length, whose places in the heap follow their lengths."""
    import h5py

    text = h5py.string_dtype()
    with h5py.File(place, "w", userblock_size=512, libver=written_as) as file:
        if kind == "compact":
            made = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            made.set_layout(h5py.h5d.COMPACT)
            space, stored = h5py.h5s.create_simple((2,)), h5py.h5t.py_create(text, logical=True)
            h5py.Dataset(h5py.h5d.create(file.id, b"x", stored, space, made))[...] = ["ab", "c"]
        elif kind == "compound":
            member = np.dtype([("t", text), ("n", "i4"), ("u", text), ("v", text, (2,))])
            file["x"] = np.array([("a", 1, "b", ["c", "d"])], member)
        elif kind == "numbers":
            file["x"] = np.array([np.arange(2), np.arange(3)], h5py.vlen_dtype("i4"))
        elif kind == "lists":
            nested = h5py.vlen_dtype(h5py.vlen_dtype("i4"))
            file.create_dataset("x", (1,), nested)
            file["x"][0] = np.array([np.arange(2), np.arange(3)], h5py.vlen_dtype("i4"))
        else:
            file["x"] = 1
            file["x"].attrs["u"] = ["meter", "m"]
        file["z"] = 1


@pytest.mark.parametrize(
    ("kind", "count"),
    [("compact", 2), ("compound", 4), ("numbers", 2), ("lists", 3), ("attribute", 2)],
)
def test_every_length_in_an_hdf5_file_is_looked_at_before_there_is_room_for_it(
    tmp_path: Path, kind: str, count: int
) -> None:
    place = tmp_path / "any.h5"
    _of_any_length(place, kind)
    data = place.read_bytes()
    told = bytes(3) + (data.index(b"GCOL") - 512).to_bytes(8, "little")  # behind a small length
    at = data.find(told)
    campaign = Campaign(tmp_path)
    ways = ("h5read(f, '/x')", "H5D.read(d); H5F.close(h)")
    if kind == "attribute":
        ways = ("h5readatt(f, '/x', 'u')", "H5A.read(H5A.open(d, 'u')); H5F.close(h)")
    opened = "h = H5F.open(f); d = H5D.open(h, '/x'); x ="
    assert campaign._run(f"f = '{place}'; x = {ways[0]}; {opened} {ways[1]};") == ("ok", "")
    for k in range(count):
        bad = tmp_path / f"bad{k}.h5"  # the library holds the one before open
        bad.write_bytes(data[: at + 2] + b"\x3f" + data[at + 3 :])
        for way in (f"x = {ways[0]}", f"{opened} {ways[1]}"):
            status, message = campaign._run(f"f = '{bad}'; {way};")
            assert message.endswith("it is damaged") or "(it is damaged)" in message, (status, at)
        at = data.find(told, at + 1)
    campaign.close()


@pytest.mark.parametrize("written_as", ["earliest", "latest"])
@pytest.mark.parametrize("kind", ["compact", "attribute"])
def test_lengths_in_the_head_of_a_node_are_found_in_either_format(
    tmp_path: Path, kind: str, written_as: str
) -> None:
    """The newer one has a sum over the head, so damage is told before."""
    import h5py

    place = tmp_path / "any.h5"
    _of_any_length(place, kind, written_as)
    with h5py.File(place) as file, place.open("rb") as raw:
        held = file["x"].id if kind == "compact" else file["x"].attrs.get_id("u")
        stored = Stored(held, raw)
        found = list(stored.of_data() if kind == "compact" else stored.of_attribute())
    lengths = [[row[0], row[16]] for row in found if len(row) == 32]
    assert ([2, 1] if kind == "compact" else [5, 1]) in lengths, found


def test_lengths_behind_filters_are_looked_at_too(tmp_path: Path) -> None:
    """Texts in chunks, shuffled and compressed."""
    import h5py

    place = tmp_path / "any.h5"
    with h5py.File(place, "w") as file:
        texts = np.full((4, 4), "text", object)
        how = {"chunks": (2, 2), "compression": "gzip", "shuffle": True}
        file.create_dataset("x", data=texts, dtype=h5py.string_dtype(), **how)
        file.create_dataset("y", (4, 4), "V16", **how)
    campaign = Campaign(tmp_path)
    assert (
        campaign._run(f"x = h5read('{place}', '/x'); assert(all(x == \"text\", 'all'))")[0] == "ok"
    )
    with h5py.File(place, "r+") as file:
        made, plain = file["x"], file["y"]
        told = np.frombuffer(np.int32([4, 2048, 0, 1]).tobytes(), "V16")[0]
        long = np.frombuffer(np.uint32([0x3F000000, 2048, 0, 1]).tobytes(), "V16")[0]
        plain[...] = told
        plain[3, 3] = long
        _, chunk = plain.id.read_direct_chunk((2, 2))
        made.id.write_direct_chunk((2, 2), chunk)
    status, message = campaign._run(f"x = h5read('{place}', '/x');")
    campaign.close()
    assert "it is damaged" in message, (status, message)


@pytest.mark.parametrize(
    ("name", "kept", "code", "identifier"),
    [
        ("d.wav", 700, "audioread(f);", "MATLAB:audioread:invalidFile"),
        ("c.wav", 142, "audioread(f);", "MATLAB:audioread:invalidFile"),
        ("c.mat", 16_000, "m = matfile(f); m.x;", "MATLAB:load:invalidFile"),
        ("c.mat", 16_000, "m = matfile(f)", "MATLAB:load:invalidFile"),
        ("a.mlx", 100, "checkcode(f)", "MATLAB:invalidLiveScript"),
        ("a.ipynb", 100, "checkcode(f)", "MATLAB:invalidLiveScript"),
    ],
)
def test_cut_files_are_refused(
    tmp_path: Path, name: str, kept: int, code: str, identifier: str
) -> None:
    campaign = Campaign(tmp_path)
    place = campaign._put(name, campaign.corpus[name][:kept])
    ended = campaign._run(f"f = '{place}';\n{code}")
    whole = campaign._run(f"f = '{tmp_path / name}';\n{code}")
    campaign.close()
    assert ended[0] == identifier
    assert name in ended[1] or place.name in ended[1]
    assert whole[0] == "ok"


def test_a_text_of_octave_that_ends_within_a_word_is_damaged(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    text = b"# name: x\n# type: string\n# elements: 1\n# length: 5\nabc"
    (tmp_path / "cut.octave").write_bytes(text)
    ended = campaign._run("load('cut.octave');")[0]
    campaign.close()
    assert ended == "MATLAB:load:unableToReadOctaveFile"


def test_pictures_that_the_library_starts_programs_for_are_none(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    head = "%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n"
    (tmp_path / "a.eps").write_text(head)
    ended = [campaign._run(f"x = {read}('a.eps');")[0] for read in ("imread", "imfinfo")]
    campaign.close()
    assert ended == ["MATLAB:imagesci:imread:fileFormat", "MATLAB:imagesci:imfinfo:fileFormat"]


def test_a_workbook_keeps_what_the_library_cannot_write_again(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    assert campaign._run("writetable(table(1), 'w.xlsx');")[0] == "ok"
    extension = b"<extLst><ext uri='{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}'/></extLst></worksheet>"
    made = tmp_path / "more.xlsx"
    with zipfile.ZipFile(tmp_path / "w.xlsx") as old, zipfile.ZipFile(made, "w") as new:
        for item in old.namelist():
            new.writestr(item, old.read(item).replace(b"</worksheet>", extension))
    before = made.read_bytes()
    ended = campaign._run("writetable(table(2), 'more.xlsx');")[0]
    read = campaign._run("t = readtable('more.xlsx'); assert(t.Var1 == 1)")
    campaign.close()
    assert (ended, made.read_bytes()) == ("MATLAB:spreadsheet:book:wouldLose", before)
    assert read[0] == "ok"


def test_what_cannot_be_added_to_a_netcdf_file_leaves_it(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    whole = campaign.corpus["b.nc"]
    place = campaign._put("b.nc", whole[:-3] + b"\xff" * 8)
    before = place.read_bytes()
    bad = campaign._run(f"f = '{place}'; nccreate(f, 'm', 'Dimensions', {{'q', 2, 'w', -1}});")[0]
    assert bad.startswith("MATLAB:")
    assert place.read_bytes() == before
    place.write_bytes(whole[:90])
    assert campaign._run("ncwriteatt(f, '/', 'b', 2);")[0] == "MATLAB:ncwriteatt:invalidFile"
    assert place.read_bytes() == whole[:90]
    good = "f = 'b.nc'; ncwriteatt(f, '/', 'b', 2); assert(ncreadatt(f, '/', 'b') == 2)"
    assert campaign._run(good) == ("ok", "")
    campaign.close()


def test_what_describes_a_picture_that_is_missing_is_damaged(tmp_path: Path) -> None:
    """A DICOM file cut between two elements, and a PNG file whose first chunk is short."""
    campaign = Campaign(tmp_path)
    scan, picture = campaign.corpus["a.dcm"], campaign.corpus["c.png"]
    place = campaign._put("a.dcm", scan[: scan.index(b"\xe0\x7f\x10\x00")])
    ended = [campaign._run(f"x = dicomread('{place}');")]
    place = campaign._put("c.png", picture[:8] + b"\0\0\0\5IHDR" + picture[16:])
    ended += [campaign._run(f"x = {read}('{place}');") for read in ("imread", "VideoReader")]
    campaign.close()
    assert ended[0][0] == "MATLAB:dicomread:invalidFile"
    assert not any(identifier.endswith("invalidInput") for identifier, _ in ended), ended


@pytest.mark.parametrize("seed", [38_666, 43_663, 297_808, 300_800, 302_002])
def test_errors_of_damaged_files_name_them(tmp_path: Path, seed: int) -> None:
    """A map whose values are no cell, a picture with a short header, and what libraries say of a
    heap of HDF5's, of the colours of a workbook and of a moving picture."""
    campaign = Campaign(tmp_path)
    finding = campaign.one(seed)
    campaign.close()
    assert finding is None


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("png", "imread(f)"),
        ("png", "imfinfo(f)"),
        ("json", "readstruct(f)"),
        ("xml", "readstruct(f)"),
        ("xlsx", "detectImportOptions(f)"),
        ("xlsx", "xlswrite(f, 1:3, 2)"),
        ("zip", "unzip(f, 'u')"),
        ("nc", "ncinfo(f)"),
    ],
)
def test_errors_of_no_such_format_name_the_file(tmp_path: Path, kind: str, code: str) -> None:
    campaign = Campaign(tmp_path)
    for content in (b"", b"CDF\1\0\0\0\0\x7f\xff\xff\xff", b"PK\5\6" + b"\xff" * 18, b"{<"):
        place = campaign._put(f"x.{kind}", content)
        status, message = campaign._run(f"f = '{place}'; {code};")
        assert status != "Fuselab:internal"
        assert place.name in message
    campaign.close()


def test_a_text_that_is_not_of_its_encoding_is_read_on_where_the_format_ended(
    tmp_path: Path,
) -> None:
    """The bytes of what was read are counted, not those of the same text in UTF-8."""
    campaign = Campaign(tmp_path)
    (tmp_path / "latin.txt").write_bytes(b"1 2 \xe9\xe9x;\nnext\n")
    for scan in ("textscan(h, '%f')", "fscanf(h, '%f')"):
        code = f"h = fopen('latin.txt'); x = {scan}; at = ftell(h); l = fgetl(h); fclose(h);"
        told = "assert(at == 4 && strcmp(l, char([233 233 'x;'])), '%d %s', at, l)"
        assert campaign._run(f"{code} {told}") == ("ok", "")
    campaign.close()


@pytest.mark.parametrize(
    ("rows", "starts"),
    [((0, 2**30), (0, 1, 2)), ((0, -(2**30)), (0, 1, 2)), ((0, 1), (0, 2**30, 2))],
)
@pytest.mark.parametrize("version", ["v6", "v7.3"])
def test_a_sparse_matrix_that_contradicts_itself_is_damaged(
    tmp_path: Path, version: str, rows: tuple[int, ...], starts: tuple[int, ...]
) -> None:
    """Places outside of it and columns that overlap, which SciPy's code would follow."""
    import h5py
    import numpy as np

    campaign = Campaign(tmp_path)
    campaign._run(f"clear; S = sparse([1 0; 0 2]) * 1i; save('s.mat', '-{version}');")
    place = tmp_path / "s.mat"
    if version == "v7.3":
        with h5py.File(place, "r+") as file:
            file["S/ir"][...], file["S/jc"][...] = (
                np.array(v, "i8").view("u8") for v in (rows, starts)
            )
    else:
        parts = (np.array(whole, "<i4").tobytes() for whole in ((0, 1), (0, 1, 2)))
        data = place.read_bytes()
        for whole, bad in zip(parts, (rows, starts), strict=True):
            data = data.replace(whole, np.array(bad, "<i4").tobytes())
        place.write_bytes(data)
    status, message = campaign._run("T = load('s.mat'); T.S, T.S * [1; 2]")
    campaign.close()
    assert status in {"MATLAB:load:unableToReadMatFile", "MATLAB:load:invalidFile"}
    assert "s.mat" in message


def test_files_that_others_have_left_end_in_values_or_errors(tmp_path: Path) -> None:
    """Encodings, line ends, numbers at limits, nesting, repetition: other damage than a disk's."""
    campaign = Campaign(tmp_path)
    found = [str(finding) for k in range(150) if (finding := campaign.left_by_another(90_000 + k))]
    campaign.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\r1,2\r3,4\r",
        "a,b\r\n1,2\r3,4\n",
        'a,b\r1,"x\ry"\r3,4',
        f"a,b\n1,{'x' * 200_000}\n3,4\n",
    ],
    ids=["old", "mixed", "quoted", "long"],
)
@pytest.mark.parametrize(
    "reader",
    [
        *("readtable(f)", "readcell(f)", "readmatrix(f)"),
        *("importdata(f)", "csvread(f, 1, 0)", "readvars(f)"),
    ],
)
def test_lines_of_every_system_and_fields_of_any_length_are_read(
    tmp_path: Path, text: str, reader: str
) -> None:
    """A text of an old system was a damaged file, a long field an internal error."""
    (tmp_path / "t.csv").write_text(text, newline="")
    events: list[Event] = []
    session = Session(Settings(device="cpu"), events.append)
    code = f"f = '{tmp_path / 't.csv'}'; x = {reader}; assert(~isempty(x))"
    session.run_source(SourceText("<test>", code))
    session.close()
    assert session.last_status == "ok", events
