"""A second view on the document in front: other lines of the same text, beside or below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QTabWidget, QWidget

from app.textfile import TextFile
from app.ui.editor.code_editor import CodeEditor
from app.ui.widgets.panel_parts import IconButton, bar, column, label


class SecondView(CodeEditor):
    """Shares text, undo history, markers and breakpoints with the editor it was made of."""

    def __init__(self, main: CodeEditor) -> None:
        super().__init__(TextFile("", main.file.encoding, main.file.newline), main.path)
        self.main = main
        self.stops = main.stops
        self.before_painting = main.before_painting
        self.untitled = main.untitled
        self.setDocPointer(main.docPointer())
        self.setAccessibleName("Editor, second view")
        self.go_to(main.caret_line)

    def _on_modified(self, *_what: object) -> None:
        """The first view marks the lines of the text that they share."""
        self._typed = True
        self.setScrollWidthTracking(True)


class SplitArea(QSplitter):
    """The tabs, and when wanted the second view of the editor in front."""

    opened = Signal(object)

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._tabs = tabs
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(tabs)
        self.second: SecondView | None = None
        self._frame: QWidget | None = None

    def toggle(self, editor: CodeEditor | None, orientation: Qt.Orientation) -> None:
        """Open the second view, turn it, or close it."""
        shown = self.second is not None
        if shown and orientation == self.orientation():
            self.show_second(None)
            return
        self.setOrientation(orientation)
        if not shown:
            self.show_second(editor)
        self._share_room()

    def follow(self, editor: CodeEditor | None) -> None:
        """Another editor came to the front: the second view, if there is one, shows it too."""
        if self.second is not None and self.second.main is not editor:
            self.show_second(editor)

    def show_second(self, editor: CodeEditor | None) -> None:
        """Show a second view of ``editor``; None closes it."""
        before, self._frame, self.second = self._frame, None, None
        sizes = self.sizes()
        if before is not None:
            before.hide()
            before.setParent(None)
            before.deleteLater()
        if editor is not None:
            self.second = SecondView(editor)
            self._frame = self._framed_view(self.second)
            self.addWidget(self._frame)
            self.opened.emit(self.second)
            if before is not None:
                self.setSizes(sizes)

    def _framed_view(self, view: SecondView) -> QWidget:
        """The view below a strip with the file's name and a button that closes it."""
        close = IconButton("close", "Close the second view", lambda: self.show_second(None))
        strip = bar(label(view.name, "muted"), None, close)
        strip.setFixedHeight(self._tabs.tabBar().height())
        return column(strip, view)

    def _share_room(self) -> None:
        self.setSizes([1000, 1000])
