"""Pipes and devices in the place of files: read by nobody, so that nothing waits or has no end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app import textfile
from app.engine.analysis.test_discovery import discover
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

READERS = {
    "p.png": "imread(f)",
    "p.gif": "imread(f, 'Frames', 'all')",
    "p.csv": "readtable(f)",
    "n.csv": "csvread(f)",
    "p.txt": "fileread(f)",
    "l.txt": "readlines(f)",
    "i.txt": "importdata(f)",
    "p.xlsx": "readcell(f)",
    "p.wav": "audioread(f)",
    "p.json": "readstruct(f)",
    "p.mat": "load(f)",
    "p.dcm": "dicominfo(f)",
    "p.avi": "VideoReader(f)",
    "p.m": "run(f)",
    "q.m": "checkcode(f)",
    "r.m": "r(1)",
    "s.mlx": "run(f)",
    "t.txt": "textread(f)",
    "t.csv": "tabularTextDatastore(f)",
    "u.m": "publish(f)",
    "z.txt": "zip('z.zip', f)",
    "g.txt": "gzip(f)",
    "z.zip": "unzip(f)",
    "c.txt": "copyfile(f, 'd.txt')",
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes that have names are POSIX's")
@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str, name: str) -> None:
    file = tmp_path / name
    if kind == "pipe":
        os.mkfifo(file)
    else:
        file.symlink_to("/dev/zero")
    session = Session()
    session.run(f"cd('{tmp_path}'); f = '{file}';")
    with pytest.raises(MatlabError) as told:
        session.run(f"{READERS[name]};")
    names = {file.name, file.resolve().name}  # a datastore knows where a link leads
    assert any(n in told.value.message for n in names) or name == "p.avi"
    assert told.value.identifier != "Fuselab:internal"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes that have names are POSIX's")
def test_a_folder_is_copied_without_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    (tmp_path / "from/a.txt").write_text("text", encoding="ascii")
    (tmp_path / "from/zero").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "from/pipe")
    session = Session()
    session.run(f"cd('{tmp_path}'); [fine, said] = copyfile('from', 'to');")
    assert session.holds("~fine && contains(said, 'zero') && contains(said, 'pipe')")
    assert [file.name for file in (tmp_path / "to").iterdir()] == ["a.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes that have names are POSIX's")
def test_looking_through_a_folder_waits_for_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "@made").mkdir()
    for name in ("tester.m", "plain.m", "@made/made.m", "@made/way.m"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "zero.m").symlink_to("/dev/zero")
    assert not discover([tmp_path]).tests
    session = Session()
    session.run(f"cd('{tmp_path}'); w = which('nothing_here');")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="a folder of POSIX")
def test_what_the_process_was_given_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"x = 1;\n")
    os.close(write)
    try:
        assert textfile.read(Path(f"/dev/fd/{read}")).text == "x = 1;\n"
    finally:
        os.close(read)
