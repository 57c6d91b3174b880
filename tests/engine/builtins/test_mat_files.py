"""load and save: every version round-trips, and other programs understand the files."""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

VALUES = """
x = magic(4); a = int8([1 -2; 3 4]); s.f = 1; s.g = 'grün'; c = {1, 'ab'; true, []};
l = [true false]; z = [1+2i 3]; t(2).q = 5; e = ''; sp = sparse([1 0; 0 3]); C = ['ab'; 'cd'];
em = struct('a', {}); f = single(2.5); n = zeros(0, 3); p = rand(2, 3, 2); w = {};
str = ["a" missing; "b" "c"]; h = @(x) x + 1; kc = 3; hc = @(x) x * kc; d = datetime(2020, 1, [1 2]); u = hours(3);
cs = single([1+2i 3]); lo = intmin('int64'); hi = intmax('uint64'); sl = sparse([true false; true true]);
nd = reshape(int16(1:24), 2, 3, 4); nc = {1, {2, {3, 'x'}}; struct('a', {{1}}), {}}; cc = repmat('x', [2 2 2]);
sz = sparse([1i 0; 0 2]); st = struct('a', {1; 2; 3}, 'b', {'x'; {}; []}); eb = true(0, 3); ec = cell(0, 2);
ei = zeros(2, 0, 'int8'); no = sparse(3, 2); v = [NaN Inf -Inf -0];
T = table([1; 2], {'p'; 'q'}); m = containers.Map({'k'}, {7}); k = categorical({'r', 'g'});
"""
NAMES = (
    "x a s c l z t e sp C em f n p w str d u T k cs lo hi sl nd nc cc sz st eb ec ei no v".split()
)


@pytest.fixture
def session() -> Session:
    made = Session()
    made.run(VALUES)
    return made


def test_a_variable_without_a_name_is_damage(tmp_path: Path) -> None:
    """In a file of level 4, which has nothing that needs no name."""
    session, place = Session(), tmp_path / "v4.mat"
    for name in (b"x\0", b"\0\0"):
        place.write_bytes(struct.pack("<5i", 0, 1, 1, 0, len(name)) + name + struct.pack("<d", 5))
        if name[0]:
            session.run(f"s = load('{place}');")
            assert session.holds("s.x == 5")
            continue
        for use in (
            "load('{}')",
            "whos('-file', '{}')",
            "m = matfile('{}', 'Writable', 1); m.y = 1",
        ):
            with pytest.raises(MatlabError, match="has no name"):
                session.run(use.format(place))


def test_a_file_that_matfile_cannot_write_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.engine.builtins.files import mat_hdf

    session, place = Session(), tmp_path / "m.mat"
    session.run(f"x = 1:3; save('{place}', 'x', '-v7.3')")
    before, put = place.read_bytes(), mat_hdf._put

    def full(file: object, parent: object, name: str, value: object) -> object:
        if name == "y":
            raise OSError(28, "No space left on device")
        return put(file, parent, name, value)

    monkeypatch.setattr(mat_hdf, "_put", full)
    with pytest.raises(MatlabError, match=r"Unable to write file .*No space left"):
        session.run(f"m = matfile('{place}', 'Writable', true); m.y = 1;")
    assert place.read_bytes() == before


def test_an_empty_array_of_a_damaged_file_has_no_elements(tmp_path: Path) -> None:
    """Its size is believed: a thousand million cells took 8 GB."""
    import h5py

    session, place = Session(), tmp_path / "e.mat"
    session.run(f"c = cell(0, 3); s = struct(); save('{place}', 'c', 's', '-v7.3'); clear")
    session.run(f"load('{place}')")
    assert session.holds("isequal(c, cell(0, 3)) && isequal(s, struct())")
    with h5py.File(place, "r+") as file:
        file["c"][...] = np.array([1, 1 << 30], np.uint64).reshape(file["c"].shape)
    with pytest.raises(MatlabError, match="it is damaged"):
        session.run(f"load('{place}')")


@pytest.mark.parametrize("where", ["x", "q/a", "#refs#", "sp/data"])
@pytest.mark.parametrize(
    "code",
    [
        "s = load('{0}');",
        "whos('-file', '{0}')",
        "m = matfile('{0}', 'Writable', true); m.z = 7;",
    ],
)
def test_numbers_of_no_class_are_damage(where: str, code: str, tmp_path: Path) -> None:
    """Of 16 bytes, in a variable, a field, a cell and a sparse matrix."""
    import h5py

    session, place = Session(), tmp_path / "wide.mat"
    session.run("x = magic(3); c = {1}; q.a = 1; sp = sparse([1 0; 0 2]);")
    session.run(f"save('{place}', 'x', 'c', 'q', 'sp', '-v7.3');")
    with h5py.File(place, "r+") as file:
        name = where if where != "#refs#" else f"#refs#/{next(iter(file['#refs#']))}"
        attributes, shape = dict(file[name].attrs), file[name].shape
        del file[name]
        wide = file.create_dataset(name, data=np.ones(shape, np.longdouble))
        wide.attrs.update(attributes)
    before = place.read_bytes()
    with pytest.raises(MatlabError, match=r"wide\.mat' cannot be read.*have no class"):
        session.run(code.format(place))
    assert place.read_bytes() == before


@pytest.mark.parametrize("version", ["-v6", "-v7", "-v7.3"])
def test_everything_comes_back(session: Session, tmp_path: Path, version: str) -> None:
    file = tmp_path / "all.mat"
    session.run(f"save('{file}', '{version}'); S = load('{file}');")
    different = [n for n in NAMES if not session.holds(f"isequaln(S.{n}, {n})")]
    classes = [n for n in NAMES if not session.holds(f"strcmp(class(S.{n}), class({n}))")]
    assert (different, classes) == ([], [])
    assert session.holds(
        "S.h(2) == 3 && S.hc(2) == 6 && S.m('k') == 7 && issparse(S.sp) && islogical(S.l)"
    )


def test_commands_names_patterns_and_appending(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "some.mat"
    session.run(f"save {file} x a -v7\nsave {file} l -append\nclear x a l\nload {file} x l")
    assert session.holds("isequal(x, magic(4)) && exist('l', 'var') && ~exist('a', 'var')")
    session.run(f"R = load('{file}', '-regexp', '^[al]$');")
    assert session.holds("isequal(fieldnames(R), {'a'; 'l'})")
    session.run(f"save('{file}', '-struct', 's'); Q = load('{file}');")
    assert session.holds("isequal(Q, s)")


def test_a_text_file_of_numbers(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "data.txt"
    session.run(f"save {file} x -ascii\nload {file}")
    assert session.holds("isequal(data, x)")
    file.write_text("% head\n1, 2\n3 4 5\n")
    with pytest.raises(MatlabError, match="Number of columns on line 3"):
        session.run(f"load {file}")


def test_missing_files_and_variables_are_errors(session: Session, tmp_path: Path) -> None:
    with pytest.raises(MatlabError, match="Unable to find file or directory"):
        session.run("load no_such_file_here")
    with pytest.raises(MatlabError, match="Variable 'nothing' not found"):
        session.run(f"save {tmp_path / 'q.mat'} nothing")


def test_scipy_reads_and_writes_the_same(session: Session, tmp_path: Path) -> None:
    import scipy.io

    file = tmp_path / "scipy.mat"
    session.run(f"save {file} x a s c z sp C")
    read = scipy.io.loadmat(file)
    assert np.array_equal(read["x"], session.value("x"))
    assert read["a"].dtype == np.int8
    assert read["s"]["g"][0, 0][0] == "grün"
    assert list(read["C"]) == ["ab", "cd"]
    assert read["c"][0, 1][0] == "ab"
    assert np.array_equal(read["sp"].toarray(), [[1, 0], [0, 3]])
    scipy.io.savemat(file, {"v": np.eye(2), "w": "text", "q": {"r": 1.0}, "b": np.array([True])})
    session.run(f"load {file}")
    assert session.holds("isequal(v, eye(2)) && strcmp(w, 'text') && q.r == 1 && islogical(b)")
    scipy.io.savemat(file, {"old": np.array([[1.0, 2.0]])}, format="4")
    assert session.holds(f"isequal(load('{file}').old, [1 2])")


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not installed")
def test_octave_reads_and_writes_the_same(session: Session, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.mat", tmp_path / "theirs.mat"
    names = "x a s c l z t e sp C cs lo hi sl nd nc cc sz st eb ec ei no v".split()
    session.run(f"save {ours} {' '.join(names)}")
    script = f"load {ours}; save -v7 {theirs}"
    subprocess.run(["octave-cli", "-f", "--no-history", "--eval", script], check=True)
    session.run(f"S = load('{theirs}');")
    same = "isequaln(S.{0}, {0}) && strcmp(class(S.{0}), class({0})) && issparse(S.{0}) == issparse({0})"
    different = [n for n in names if not session.holds(same.format(n))]
    assert different == ["sl"]  # Octave reads sparse logicals as sparse numbers


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not installed")
@pytest.mark.parametrize("version", ["-v4", "-v6", "-v7"])
def test_every_class_of_octave_is_read(session: Session, tmp_path: Path, version: str) -> None:
    file = tmp_path / "theirs.mat"
    old = "a = [1 2]; z = 1+2i; t = 'text'; s = sparse([1 0; 0 3]); e = zeros(0, 3);"
    rest = (
        "b = sparse([true false true]); i = int16([1 -2]); j = uint64(5); k = ['ab'; 'cd']; l = true; q = single(2.5);"
        "c = {1, 'x'; [], {2}}; r.x = 3; r.y = 'ab'; w(2).f = 1; n = ones(2, 3, 2);"
    )
    text = old if version == "-v4" else old + rest
    script = f"{text} save {version} {file}"
    subprocess.run(["octave-cli", "-f", "--no-history", "--eval", script], check=True)
    session.run(f"clear; T = load('{file}'); {text}")
    names = [
        n.split("=")[0].strip().split(".")[0].split("(")[0] for n in text.split(";") if "=" in n
    ]
    different = [n for n in dict.fromkeys(names) if not session.holds(f"isequal(T.{n}, {n})")]
    assert different == []
    assert session.holds("issparse(T.s)")


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("call", ["load('{}')", "whos('-file', '{}')"])
@pytest.mark.filterwarnings("error")
def test_numbers_of_other_machines_are_refused(
    session: Session, tmp_path: Path, order: int, call: str
) -> None:
    """A VAX or a Cray wrote them: they were read as if they were IEEE's."""
    name = tmp_path / "a.mat"
    name.write_bytes(struct.pack("<5i", 1000 * order, 1, 1, 0, 2) + b"x\0" + struct.pack("<d", 1.0))
    session.run(f"try, {call.format(name)}; e = ''; catch p, e = [p.identifier ' ' p.message]; end")
    said = str(session.value("e"))
    assert said.startswith("MATLAB:load:unableToReadMatFile")
    assert str(name) in said
