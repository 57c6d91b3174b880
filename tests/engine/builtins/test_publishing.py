"""publish, export, snapnow: scripts and what they give as documents."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api import Session
from app.engine.builtins.graphics import publishing
from app.errors import MatlabError

SCRIPT = """%% A title
% Some *bold* words.
x = 4;
y = x^2
%% A plot
plot(1:5)
snapnow
plot(5:-1:1)
%%
error('my:id', 'broken %d', 3)
"""


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.chdir(tmp_path)
    Path("a.m").write_text(SCRIPT)
    drawn: list[int] = []

    def draw(_target: object, path: Path, _dpi: float) -> None:
        from PIL import Image

        drawn.append(1)
        Image.new("RGB", (9, 9), (len(drawn), 0, 0)).save(path)

    monkeypatch.setattr(publishing, "write_figure", draw)
    with Session(device="cpu") as opened:
        yield opened


def test_a_script_is_run_and_written_with_what_it_gave(session: Session, tmp_path: Path) -> None:
    session.eval("d = publish('a.m');")
    path = Path(session["d"])
    assert path == tmp_path / "html" / "a.html"
    page = path.read_text()
    assert "<h1" in page
    assert "y = 16" in page
    assert "broken 3" in page
    assert page.count("<figure>") == 2
    shown = re.sub(r"</?span[^>]*>", "", page)
    assert shown.index("plot(1:5)") < shown.index("<figure>") < shown.index("plot(5:-1:1)")
    assert path.with_suffix(".png").is_file()
    assert session["x"] == 4


def test_options_are_honoured(session: Session, tmp_path: Path) -> None:
    session.eval(
        "d = publish('a', struct('evalCode', false, 'showCode', false, 'outputDir', 'o'));"
    )
    page = (tmp_path / "o" / "a.html").read_text()
    assert "bold" in page
    assert "snapnow" not in page
    assert "y = 16" not in page
    session.eval("e = export('a.m', 'b.md', Run=true, HideCode=true);")
    text = (tmp_path / "b.md").read_text()
    assert "```matlab" not in text
    assert "16" in text
    Path("twice.m").write_text("function y = twice(x)\n%% Its work\ny = 2*x\nend\n")
    session.eval("publish('twice', 'codeToEvaluate', 'twice(21);');")
    assert "y = 42" in (tmp_path / "html" / "twice.html").read_text()


@pytest.mark.parametrize(
    ("options", "across", "down"),
    [("'maxWidth', 300", 300, 200), ("'maxHeight', 150", 225, 150), ("'maxWidth', 5000", 900, 600)],
)
def test_large_pictures_are_drawn_smaller(
    session: Session, monkeypatch: pytest.MonkeyPatch, options: str, across: int, down: int
) -> None:
    def draw(_target: object, path: Path, dpi: float) -> None:
        from PIL import Image

        Image.new("RGB", (round(6 * dpi), round(4 * dpi))).save(path)

    monkeypatch.setattr(publishing, "write_figure", draw)
    Path("drawn.m").write_text("plot(1:3)\n")
    session.eval(f"publish('drawn', {options});")
    page = Path("html/drawn.html").read_text()
    head = base64.b64decode(page.split("data:image/png;base64,")[1][:40])
    size = [int.from_bytes(head[k : k + 4]) for k in (16, 20)]
    assert size == [across, down]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("publish('a', 'doc')", "'html', 'pdf', 'latex'"),
        ("publish('a', 'maxHeight', -5)", "positive"),
        ("publish('a', 'maxWidth', 0.5)", "maxWidth = 0.5"),
        ("publish('a', 'stylesheet', 's.xsl')", "stylesheet"),
        ("publish('a', 'catchError', false)", "broken 3"),
        ("publish('nowhere')", "There is no file 'nowhere'"),
        ("export('a.m', 'a.m')", "over itself"),
        ("export('a.m', 'a.docx')", ".docx"),
        ("export('a.m', 'PageSize', 'A4')", "PageSize"),
    ],
)
def test_what_is_not_done_is_refused(session: Session, code: str, told: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.eval(code)
    assert told in caught.value.message
