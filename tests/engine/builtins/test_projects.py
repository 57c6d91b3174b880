"""MATLAB projects: the folder of a ``.prj`` file, and what is on its path."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api import Session
from app.errors import MatlabError

INFO = '<?xml version="1.0" encoding="UTF-8"?>\n<Info Ref="code/tools" Type="Relative"/>'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a folder on its path and a script two folders below its root."""
    folder = tmp_path / "My work"
    listed = folder / "resources" / "project" / "EEtUlUb-dLAdf0KpMVivaUlztwA"
    for made in (listed, folder / "code" / "tools", folder / "code" / "scripts"):
        made.mkdir(parents=True)
    (folder / "lake.prj").write_text("<MATLABProject/>")
    (listed / "abcd.xml").write_text(INFO)
    (listed / "goned.xml").write_text(INFO.replace("tools", "gone"))
    (folder / "code" / "tools" / "twice.m").write_text("function y = twice(x)\ny = 2*x;\nend\n")
    return folder


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A session in a folder of no project."""
    with Session(device="cpu") as made:
        made.eval(f"cd('{tmp_path}')")
        yield made


def test_a_script_of_a_project_finds_its_root_and_its_functions(
    root: Path, session: Session
) -> None:
    script = root / "code" / "scripts" / "a.m"
    script.write_text(
        "p = matlab.project.currentProject; f = fullfile(p.RootFolder, 'data');\n"
        "n = p.Name; y = twice(21); same = currentProject == p;\n"
    )
    session.eval(f"run('{script}')")
    assert session["f"] == str(root / "data")
    assert (session["n"], session["y"], session["same"]) == ("lake", 42, True)


def test_a_project_is_opened_by_its_folder_or_file_and_closed(root: Path, session: Session) -> None:
    for place in (root, root / "lake.prj"):
        session.eval(f"p = openProject('{place}'); y = twice(4); a = isLoaded(p); close(p);")
        assert (session["y"], session["a"]) == (8, True)
        with pytest.raises(MatlabError, match="twice"):
            session.eval("twice(4)")


def test_there_is_no_project_where_none_is(session: Session, tmp_path: Path) -> None:
    with pytest.raises(MatlabError, match="No project is currently loaded"):
        session.eval("currentProject()")
    with pytest.raises(MatlabError, match="There is no project in"):
        session.eval(f"openProject('{tmp_path}')")
