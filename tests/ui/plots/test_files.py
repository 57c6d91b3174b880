"""Figures written by scripts, without a window."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.figures.conftest import Plotter


@pytest.mark.parametrize(("name", "start"), [
    ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.svg", b"<?xml"),
])  # fmt: skip
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


def test_one_of_several_axes(m: Plotter, tmp_path: Path) -> None:
    m.subplot(1, 2, 1)
    m.plot([1, 2])
    second = m.subplot(1, 2, 2, nargout=1)
    m.exportgraphics(second, str(tmp_path / "b.png"), "Resolution", 96)
    assert (tmp_path / "b.png").exists()


@pytest.mark.parametrize("call", [
    ("print", ("-dwmf", "x")), ("print", ()), ("saveas", (1.0, "x.png")),
    ("exportgraphics", (1.0, "x.png")),
])  # fmt: skip
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
        "import sys; from app.engine.builtins.registry import load_all; load_all();"
        "assert not [n for n in sys.modules if n.startswith(('PySide6', 'pyqtgraph', 'wgpu'))]"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
