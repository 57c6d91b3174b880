"""The file tree: names that are changed, files that are removed; and dialogs that ask for files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QFile, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFileDialog, QLineEdit, QStyle, QStyleOptionFrame, QTreeView
from pytestqt.qtbot import QtBot

from app.ui.panels.files import FilesPanel
from app.ui.panels.panel import Context


@pytest.fixture
def panel(context: Context, qtbot: QtBot, tmp_path: Path) -> Iterator[FilesPanel]:
    """The files of a folder with a script and a folder, the script chosen."""
    (tmp_path / "sub.d").mkdir()
    (tmp_path / "gpu.old.m").write_text("x = 1\n")
    panel = FilesPanel(context, tmp_path)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    panel.reveal(tmp_path / "gpu.old.m")
    qtbot.waitUntil(lambda: panel.tree.currentIndex().data() == "gpu.old.m")
    yield panel
    panel.git.close()


def _field(panel: FilesPanel) -> QLineEdit:
    found = panel.tree.viewport().findChild(QLineEdit)
    assert found is not None
    return found


def _option(field: QLineEdit) -> QStyleOptionFrame:
    option = QStyleOptionFrame()
    field.initStyleOption(option)
    return option


def test_a_name_is_changed_without_its_ending(panel: FilesPanel, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.tree, Qt.Key.Key_F2)
    field = _field(panel)
    assert (field.text(), field.selectedText()) == ("gpu.old.m", "gpu.old")
    room = field.style().subElementRect(
        QStyle.SubElement.SE_LineEditContents, _option(field), field
    )
    assert room.height() >= QFontMetrics(field.font()).height()
    qtbot.keyClicks(field, "new")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil((panel.folder / "new.m").exists)


def test_the_name_of_a_folder_is_changed_as_a_whole(panel: FilesPanel, qtbot: QtBot) -> None:
    panel._edit(panel.folder / "sub.d")
    assert _field(panel).selectedText() == "sub.d"


def test_the_key_that_deletes_moves_a_file_to_the_trash(
    panel: FilesPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str] = []
    monkeypatch.setattr(QFile, "moveToTrash", lambda path: (not gone.append(path), ""))
    qtbot.keyClick(panel.tree, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert gone == []
    qtbot.keyClick(panel.tree, Qt.Key.Key_Delete)
    assert gone == [str(panel.folder / "gpu.old.m")]


def test_sizes_and_dates_are_whole_in_dialogs(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.m").write_bytes(b"%" * 888)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    with qtbot.waitExposed(dialog):
        dialog.show()
    tree = dialog.findChild(QTreeView)
    assert tree is not None
    qtbot.waitUntil(lambda: tree.model().rowCount(tree.rootIndex()) == 1)
    cut = [n for n in (1, 3) if tree.sizeHintForColumn(n) > tree.columnWidth(n)]
    assert cut == []
