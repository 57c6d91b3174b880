"""Archives that would write outside of the folder they are unpacked to, and those that would not."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

LINK, HARD = tarfile.SYMTYPE, tarfile.LNKTYPE
DEEP = "d" * 247
STEPS = "abcdefghijklmnop"
Member = tuple[str, bytes, str]
"""Name, kind, and what it is a link to."""


def tar_of(path: Path, members: list[Member]) -> None:
    with tarfile.open(path, "w") as archive:
        for name, kind, link in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, link
            content = b"theirs" if kind == tarfile.REGTYPE else b""
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def long_way() -> list[Member]:
    """Links whose true path is longer than any that the system resolves (CVE-2025-4517)."""
    made: list[Member] = []
    way = ""
    for step in STEPS:
        made += [(f"{way}{DEEP}", tarfile.DIRTYPE, ""), (f"{way}{step}", LINK, DEEP)]
        way += f"{DEEP}/"
    last = "/".join(STEPS) + "/" + "l" * 254
    made += [(last, LINK, "../" * len(STEPS)), ("out", LINK, f"{last}/..")]
    return [*made, ("file", HARD, "out/mine"), ("file", tarfile.REGTYPE, "")]


HOSTILE: dict[str, list[Member]] = {
    "long": long_way(),
    "up": [("../mine", tarfile.REGTYPE, "")],
    "link": [("l", LINK, ".."), ("l/mine", tarfile.REGTYPE, "")],
    "absolute": [("l", LINK, "/"), ("l/mine", tarfile.REGTYPE, "")],
    "through": [("d", tarfile.DIRTYPE, ""), ("l", LINK, "d"), ("l/x", tarfile.REGTYPE, "")],
    "turn": [
        ("x/y", tarfile.DIRTYPE, ""),
        ("x/y/l", LINK, "../.."),
        ("s", LINK, "x/y/l/../mine"),
    ],
    "hard": [("h", HARD, "../mine"), ("h", tarfile.REGTYPE, "")],
    "hard to a link": [("x/y/s", LINK, "../../none"), ("h", HARD, "x/y/s")],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_member_and_no_link_leads_out(tmp_path: Path, name: str) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    tar_of(tmp_path / "a.tar", HOSTILE[name])
    with pytest.raises(MatlabError) as told:
        Session().run(f"untar('{tmp_path}/a.tar', '{tmp_path}/t');")
    assert told.value.identifier == "MATLAB:untar:invalidTarFile"
    assert mine.read_text() == "mine"
    links = (p for p in (tmp_path / "t").rglob("*") if p.is_symlink())
    assert all(link.resolve().is_relative_to(tmp_path / "t") for link in links)


def test_links_within_are_made(tmp_path: Path) -> None:
    members = [
        ("d/e/f", tarfile.REGTYPE, ""),
        ("d/e/s", LINK, "../../d/e/f"),
        ("l", LINK, "./d"),
        ("h", HARD, "d/e/f"),
    ]
    tar_of(tmp_path / "a.tar", members)
    session = Session()
    session.run(f"n = untar('{tmp_path}/a.tar', '{tmp_path}/t'); a = fileread([n{{3}} '/e/s']);")
    session.run("assert(strcmp(a, 'theirs')); assert(all(cellfun(@(f) exist(f) > 0, n)))")
    assert (tmp_path / "t/h").read_text() == "theirs"


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_links_that_were_there_are_not_followed(tmp_path: Path, kind: str) -> None:
    """A link to a file gives way; a folder that is a link is refused."""
    mine, into = tmp_path / "mine", tmp_path / "t"
    into.mkdir()
    mine.write_text("mine")
    (into / "f").symlink_to(mine)
    (into / "d").symlink_to(tmp_path)
    for name in ("f", "d/mine"):
        if kind == "tar":
            tar_of(tmp_path / f"{name[0]}.tar", [(name, tarfile.REGTYPE, "")])
        else:
            with zipfile.ZipFile(tmp_path / f"{name[0]}.zip", "w") as archive:
                archive.writestr(name, "theirs")
    session = Session()
    session.run(f"un{kind}('{tmp_path}/f.{kind}', '{into}');")
    with pytest.raises(MatlabError) as told:
        session.run(f"un{kind}('{tmp_path}/d.{kind}', '{into}');")
    assert told.value.identifier == f"MATLAB:un{kind}:invalid{kind.capitalize()}File"
    assert (mine.read_text(), (into / "f").read_text()) == ("mine", "theirs")


def test_names_are_those_of_the_files(tmp_path: Path) -> None:
    """What an archive calls absolute or above lies below the folder, and is told there."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("/a/b", "1")
        archive.writestr("../c", "2")
        archive.writestr("d/", "")
    tar_of(tmp_path / "a.tar", [("/a/b", tarfile.REGTYPE, "")])
    session = Session()
    for kind in ("zip", "tar"):
        session.run(f"n = un{kind}('{tmp_path}/a.{kind}', '{tmp_path}/{kind}');")
        session.run(f"assert(all(cellfun(@(f) exist(f) > 0 && startsWith(f, '{tmp_path}'), n)))")
        assert (tmp_path / kind / "a/b").is_file()
    assert (tmp_path / "zip/c").is_file()
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("copies", [2, 50])
def test_members_of_a_zip_that_share_their_bytes_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    """142 KB were unpacked to 100 GB."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("k", bytes(10_000))
    body = packed.getvalue()
    entry, end = body.rindex(b"PK\1\2"), body.rindex(b"PK\5\6")
    entries = body[entry:end] * copies
    counts = (copies, copies, len(entries), entry, 0)
    last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, *counts)
    (tmp_path / "a.zip").write_bytes(body[:entry] + entries + last)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(MatlabError, match="overlap"):
        Session().run("unzip('a.zip', 'o')")
    assert not list((tmp_path / "o").glob("*"))
