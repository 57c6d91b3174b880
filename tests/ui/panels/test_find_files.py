"""Find in files: options, limits, unreadable files, opening a hit."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from app.ui.panels.find_files import NOT_YET, NOTHING, TEXT, WHAT, FindFilesPanel
from app.ui.run_model.file_search import Query, nearest, replace_matches, search
from app.ui.shell.main_window import MainWindow


def folder(tmp_path: Path) -> Path:
    """Some files."""
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    (root / "a.m").write_text("x = Sum(1);\ny = summary;\n")
    (root / "sub" / "b.m").write_text("sum(x)\n")
    (root / "c.txt").write_text("sum\n")
    (root / "broken.m").write_bytes(b"sum\0sum")
    return root


def found(query: Query) -> list[tuple[str, int]]:
    """File names and lines."""
    return [(hit.file.name, hit.line) for hit in search(query, lambda: False)[0]]


def test_options(tmp_path: Path) -> None:
    root = folder(tmp_path)
    assert found(Query("sum", root)) == [("a.m", 1), ("a.m", 2), ("b.m", 1)]
    assert found(Query("sum", root, case=True)) == [("a.m", 2), ("b.m", 1)]
    assert found(Query("sum", root, word=True)) == [("a.m", 1), ("b.m", 1)]
    assert found(Query(r"su.\(\w", root, regex=True)) == [("a.m", 1), ("b.m", 1)]
    assert "Not a regular expression" in search(Query("(", root, regex=True), lambda: False)[1]
    assert search(Query("sum", root), lambda: True)[0] == []


def test_a_hit_opens_at_its_line(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.current_folder = folder(tmp_path)
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    panel.field.setText("summary")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 1)
    assert panel._summary.text() == "1 line in 1 file"
    panel.table.selectRow(0)
    panel._open()
    editor = window.editors.current()
    assert editor is not None
    assert (editor.name, editor.caret_line) == ("a.m", 2)


def test_marks_stay_in_rows_that_are_chosen_or_pointed_at(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.current_folder = folder(tmp_path)
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    window.resize(1280, 800)
    window.show()
    panel.field.setText("sum")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 3)
    table, view = panel.table, panel.table.viewport()

    def colours(row: int) -> list[str]:
        """Behind the match, beside the text, and in the first column."""
        rect, first = (table.visualRect(panel.model.index(row, c)) for c in (TEXT, 0))
        spots = [(first.right() - 3, first.bottom() - 3), (rect.right() - 3, rect.bottom() - 3)]
        left = rect.left() + table.fontMetrics().horizontalAdvance("y = s") + 8
        picture = view.grab().toImage()
        return [picture.pixelColor(x, y).name() for x, y in [(left, rect.bottom() - 5), *spots]]

    row = [hit.text for hit in panel.model.rows].index("y = summary;")
    plain = colours(row)
    assert plain[0] != plain[1] == plain[2]
    table._point_at(row)
    under = colours(row)
    assert under[0] != under[1] == under[2] != plain[2], "the pointer is over the whole row"
    table._point_at(-1)
    table.selectRow(row)
    chosen = colours(row)
    assert chosen[0] != chosen[1] == chosen[2] not in (plain[2], under[2])
    table.clearSelection()
    assert colours(row) == plain


def test_what_is_not_saved_yet_is_searched(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    root = window.current_folder = folder(tmp_path).resolve()
    editor = window.editors.open(root / "a.m")
    assert editor is not None
    editor.insertText(0, "% fresh\nfreshly = 1;\n")
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    panel.field.setText("fresh")
    qtbot.waitUntil(lambda: [hit.line for hit in panel.model.rows] == [1, 2])
    panel.show_references("summary")
    qtbot.waitUntil(lambda: [hit.line for hit in panel.model.rows] == [4])
    panel.field.setText("fresh")
    qtbot.waitUntil(lambda: len(panel.model.rows) == 2)
    panel.replacement.setText("new")
    assert panel.replace_all() == 2
    assert editor.text().startswith("% new\nnewly = 1;\nx")
    assert "fresh" not in (root / "a.m").read_text()


@pytest.mark.parametrize(
    ("wanted", "instead", "after", "count"),
    [
        (r"^\s*x", "<$0>", "<x> = 1;\n<  x>x = 2;\n", 2),
        (r"(\w) = (\d)", r"$2\t$1\$\\", "1\tx$\\;\n  x2\tx$\\;\n", 2),
        ("x+", "$&$&", "xx = 1;\n  xxxx = 2;\n", 2),
    ],
)
def test_what_is_replaced_in_files_is_what_was_found(
    wanted: str, instead: str, after: str, count: int
) -> None:
    query = Query(wanted, Path(), regex=True)
    assert replace_matches(query, instead, "x = 1;\n  xx = 2;\n") == (after, count)


def test_files_that_cannot_be_replaced_in_are_told(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    root = window.current_folder = folder(tmp_path).resolve()
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    panel._options[2].setChecked(True)
    panel.field.setText("(x)")
    qtbot.waitUntil(lambda: len(panel.model.rows) > 0)
    before = {file: file.read_text() for file in root.rglob("*.m")}
    panel.replacement.setText("$7")
    assert panel.replace_all() == 0
    assert "there is no group 7" in window.status._notice.text()
    assert {file: file.read_text() for file in root.rglob("*.m")} == before


def test_what_was_replaced_is_put_back(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """In open files and in others; not where somebody has written something else since."""
    root = window.current_folder = folder(tmp_path).resolve()
    (root / "win.m").write_bytes('sum = "ä";\r\nsum\r\n'.encode("latin-1"))
    (root / "kept.m").write_text("sum(2)\n")
    (root / "kept.m").chmod(0o444)
    editor = window.editors.open(root / "a.m")
    assert editor is not None
    before = {file: file.read_bytes() for file in root.rglob("*.m")}
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    panel.field.setText("sum")
    qtbot.waitUntil(lambda: len(panel.model.rows) == 6)
    assert panel.undo_button.isHidden()
    panel.replacement.setText("total")
    assert panel.replace_all() == 5
    assert "(kept.m: it is write-protected)" in window.status._notice.text()
    assert (root / "win.m").read_bytes() == 'total = "ä";\r\ntotal\r\n'.encode("latin-1")
    (root / "sub" / "b.m").write_text("other\n")
    qtbot.mouseClick(panel.undo_button, Qt.MouseButton.LeftButton)
    assert "(b.m: it has changed since)" in window.status._notice.text()
    assert (root / "sub" / "b.m").read_text() == "other\n"
    assert editor.text() == before.pop(root / "a.m").decode()
    del before[root / "sub" / "b.m"]
    assert {file: file.read_bytes() for file in before} == before
    assert panel.undo_button.isHidden()


def test_the_nearest_files_come_first_and_what_cannot_be_read_is_passed_over(
    tmp_path: Path,
) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "round").symlink_to(tmp_path)
    for name in ("z.m", "a/deep/one.m", "a/two.m", ".hidden/three.m", "other.txt"):
        (tmp_path / name).write_text("")
    found = [str(p.relative_to(tmp_path)) for p in nearest(tmp_path, 10, 10.0)]
    assert found == ["z.m", "a/two.m", "a/deep/one.m"]
    assert len(nearest(tmp_path, 2, 10.0)) == 2
    assert nearest(tmp_path / "gone", 10, 10.0) == []
    assert nearest(tmp_path, 10, 0.0) == []


def test_references_are_replaced_where_they_are_listed_only(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    root = window.current_folder = tmp_path.resolve()
    text = "x = 1; % x is a max\ny = max(x); disp('x')\nX = x; s.x = 2;\n"
    (root / "a.m").write_text(text)
    (root / "b.m").write_text(text)
    editor = window.editors.open(root / "a.m")
    assert editor is not None
    window.commands.run("edit.references")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 6)
    assert panel._summary.text() == "6 references in 2 files"
    panel.replacement.setText("time")
    assert panel.replace_all() == 6
    wanted = "time = 1; % x is a max\ny = max(time); disp('x')\nX = time; s.x = 2;\n"
    assert (editor.text(), (root / "b.m").read_text()) == (wanted, wanted)
    qtbot.waitUntil(lambda: panel.model.rowCount() == 0)
    editor.undo()
    assert editor.text() == text
    panel.field.setText("is a")
    qtbot.waitUntil(lambda: panel.model.rowCount() == 2)
    panel.replacement.setText("was a")
    assert panel.replace_all() == 2
    editor.setSavePoint()


def test_a_list_without_lines_says_why(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.current_folder = folder(tmp_path)
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)

    def said() -> tuple[str, str]:
        nothing = panel.nothing
        is_shown = panel.pages.currentWidget() is nothing
        return (nothing.title_label.text(), nothing.text_label.text()) if is_shown else ("", "")

    assert said() == (NOT_YET, WHAT)
    panel.field.setText("nowhere")
    qtbot.waitUntil(lambda: said()[0] == NOTHING)
    assert said()[1] == "No line in the code below project matches “nowhere”."
    panel.field.setText("sum")
    qtbot.waitUntil(lambda: said() == ("", ""))
    panel._options[2].setChecked(True)
    panel.field.setText("(")
    qtbot.waitUntil(lambda: said()[1].startswith("Not a regular expression"))
    panel.field.clear()
    qtbot.waitUntil(lambda: said() == (NOT_YET, WHAT))


def test_what_references_are_listed_of_can_be_cleared(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.current_folder = folder(tmp_path)
    window.commands.run("edit.find_files")
    panel = window.panel("find")
    assert isinstance(panel, FindFilesPanel)
    panel.show_references("summary")
    assert not panel._timer.isActive()
    button = panel.field.findChild(QToolButton)
    assert button is not None
    qtbot.waitUntil(button.isVisible)
    qtbot.waitUntil(lambda: panel._summary.text() == "1 reference in 1 file")
    button.click()
    qtbot.waitUntil(lambda: panel.nothing.title_label.text() == NOT_YET)
