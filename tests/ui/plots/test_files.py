"""Figures written by scripts, without a window."""

from __future__ import annotations

import base64
import re
import sys
import zlib
from pathlib import Path

import pytest

from app.errors import MatlabError
from app.ui.plots import series_item
from app.ui.plots.figure_export import picture, save
from app.ui.plots.host.brush import Brush
from app.ui.plots.series_arrays import Exported
from tests.engine.figures.conftest import Plotter
from tests.faults.file_faults import FULL, Faults
from tests.ui.plots.desk import Desk


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.png", b"\x89PNG"),
        ("a.pdf", b"%PDF"),
        ("a.svg", b"<?xml"),
    ],
)
def test_saveas_writes_the_kind_of_the_ending(
    m: Plotter, tmp_path: Path, name: str, start: bytes
) -> None:
    m.plot([1, 5, 2])
    m.saveas(m.gcf(nargout=1), str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(start)


def test_print_adds_the_ending_and_takes_a_resolution(m: Plotter, tmp_path: Path) -> None:
    m.plot([1, 5, 2])
    m.call("print", (str(tmp_path / "a"), "-dpng", "-r192"), 0)
    from PySide6.QtGui import QImage

    assert QImage(str(tmp_path / "a.png")).width() == 1120


def test_encapsulated_postscript_has_the_size_of_the_figure(m: Plotter, tmp_path: Path) -> None:
    """Every pixel was a point: a figure was as wide as a poster."""
    m.plot([1, 5, 2])
    m.saveas(m.gcf(nargout=1), str(tmp_path / "a.eps"))
    written = (tmp_path / "a.eps").read_bytes()
    assert b"%%BoundingBox: 0 0 420 315\n" in written
    found = re.search(rb"/Width (\d+) /Height (\d+)(?s:.*)>> image\n((?s:.*))~>", written)
    assert found is not None
    across, down = int(found[1]), int(found[2])
    pixels = zlib.decompress(base64.a85decode(found[3]))
    assert len(pixels) == 3 * across * down
    assert across == 1750
    assert len({pixels[k : k + 3] for k in range(0, len(pixels), 3)}) > 2
    with pytest.raises(MatlabError, match="PDF and SVG"):
        m.exportgraphics(m.gcf(nargout=1), str(tmp_path / "b.eps"), "ContentType", "vector")


def test_one_of_several_axes(m: Plotter, tmp_path: Path) -> None:
    m.subplot(1, 2, 1)
    m.plot([1, 2])
    second = m.subplot(1, 2, 2, nargout=1)
    m.exportgraphics(second, str(tmp_path / "b.png"), "Resolution", 96)
    assert (tmp_path / "b.png").exists()


@pytest.mark.parametrize(
    "call",
    [
        ("print", ("-dwmf", "x")),
        ("print", ()),
        ("saveas", (1.0, "x.png")),
        ("exportgraphics", (1.0, "x.png")),
    ],
)
def test_wrong_calls_are_errors(m: Plotter, call: tuple[str, tuple[object, ...]]) -> None:
    name, args = call
    with pytest.raises(MatlabError):
        m.call(name, args, 0)


def test_a_folder_that_does_not_exist(m: Plotter, tmp_path: Path) -> None:
    m.plot([1, 2])
    with pytest.raises(MatlabError, match="Cannot write"):
        m.saveas(m.gcf(nargout=1), str(tmp_path / "no" / "a.png"))


def test_unknown_endings_name_the_known_ones(m: Plotter) -> None:
    m.plot([1, 2])
    with pytest.raises(MatlabError, match=r"\.pdf, .*\.png"):
        m.exportgraphics(m.gcf(nargout=1), "a.doc")


def test_the_engine_imports_no_qt() -> None:
    import subprocess

    code = (
        "import sys; from app.engine.declarations.registry import load_all; load_all();"
        "assert not [n for n in sys.modules if n.startswith(('PySide6', 'pyqtgraph', 'wgpu'))]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.parametrize("ending", [".pdf", ".svg"])
def test_marks_in_a_document_are_as_large_as_on_the_screen(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    desk.run("plot(1:10, '-o')")
    seen = []

    def draw(brush: Brush, _series: Exported) -> None:
        seen.append((brush.window.width, brush.painter.worldTransform().m11()))

    monkeypatch.setitem(series_item.DRAWERS, "line", draw)
    picture(desk.panel.current)
    save(desk.panel.current, tmp_path / f"a{ending}")
    on_screen, in_file = seen[0], seen[-1]
    assert abs(in_file[0] - on_screen[0]) <= 1
    assert in_file[1] == pytest.approx(300 / 96 if ending == ".pdf" else 1.0)


def test_very_many_markers_are_a_picture_in_a_document(desk: Desk, tmp_path: Path) -> None:
    desk.run("x = rand(30000,1); scatter(gather(x), gather(x), 4, 'filled')")
    save(desk.panel.current, tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert "data:image/png" in text
    assert len(text) < 1_000_000


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.pdf"])
def test_a_file_that_cannot_be_written_is_left_as_it_was(
    desk: Desk, tmp_path: Path, name: str
) -> None:
    desk.run("plot([1 5 2])")
    path, faults = tmp_path / name, Faults()
    path.write_bytes(b"old")
    for n in (1, 2):
        faults.arm(n, FULL, lasting=False)
        with faults.installed(), pytest.raises(MatlabError, match="Cannot write"):
            save(desk.panel.current, path)
        assert path.read_bytes() == b"old"
        assert [p.name for p in tmp_path.iterdir()] == [name]
    save(desk.panel.current, path)
    assert path.stat().st_size > 100
