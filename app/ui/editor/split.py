"""The tabs, and beside or below them a second view: other lines of a file, or of another one."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypedDict

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu, QSplitter, QTabWidget, QToolButton, QWidget

from app.textfile import TextFile
from app.ui.editor.code_editor import CodeEditor
from app.ui.support.icons import icon
from app.ui.support.theme import theme_hub
from app.ui.widgets.panel_parts import IconButton, bar, column


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


class Landing(NamedTuple):
    """The part of the area in which a dropped file would be seen, beside or below the rest."""

    area: QRect
    orientation: Qt.Orientation


class KeptView(TypedDict):
    """What a session remembers of a second view: bytes, lines and pixels."""

    file: str
    caret: int
    top: int
    beside: bool
    sizes: list[int]


def text_editor(view: CodeEditor) -> CodeEditor:
    """The editor whose text a view shows: the view itself, unless it is a second one."""
    return view.main if isinstance(view, SecondView) else view


_NEAR_EDGE = 0.6
"""Of the way across or down: what is dropped further on opens a second view."""


class SplitArea(QSplitter):
    """The tabs, and when wanted a second view of the editor in front or of another one."""

    opened = Signal(object)
    view_changed = Signal()

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._tabs = tabs
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(tabs)
        self.second: SecondView | None = None
        self._frame: QWidget | None = None
        self._chooser: _FileChooser | None = None
        self._strip: QWidget | None = None
        self._in_second = False  # whether the second view had the keyboard last
        tabs.currentChanged.connect(self._on_tab)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    # --- which view is in use -----------------------------------------------------------

    def front(self) -> CodeEditor | None:
        """The editor of the tab in front."""
        widget = self._tabs.currentWidget()
        return widget if isinstance(widget, CodeEditor) else None

    def focused(self) -> CodeEditor | None:
        """The view that had the keyboard last."""
        return self.second if self._in_second else self.front()

    def views(self) -> list[CodeEditor]:
        """The views that are seen: the tab in front and the second one."""
        return [view for view in (self.front(), self.second) if view is not None]

    def _on_tab(self) -> None:
        front = self.front()
        if self.second is not None and self.second.hasFocus() and front is not None:
            front.setFocus()  # who looks at another tab types there
        self._use_second(on=False)

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is None:
            return
        in_second = new is self.second
        if in_second is not self._in_second and (in_second or self._tabs.isAncestorOf(new)):
            self._use_second(on=in_second)

    def _use_second(self, *, on: bool) -> None:
        self._in_second = on
        self.view_changed.emit()

    # --- the second view ----------------------------------------------------------------

    def toggle(self, editor: CodeEditor | None, orientation: Qt.Orientation) -> None:
        """Open the second view, turn it, or close it."""
        shown = self.second is not None
        if shown and orientation == self.orientation():
            self.show_second(None)
            return
        self.setOrientation(orientation)
        if not shown:
            self.show_second(editor)
        self.setSizes([1000, 1000])

    def landing(self, place: QPoint) -> Landing | None:
        """What a file would take that is dropped at a place of the screen: the second view, or
        the right or the lower half while there is none."""
        here = self.mapFromGlobal(place)
        if self._frame is not None:
            taken = self._frame.geometry()
            return Landing(taken, self.orientation()) if taken.contains(here) else None
        room = self.rect().adjusted(0, self._tabs.tabBar().height(), 0, 0)
        across = (here.x() - room.left()) / max(room.width(), 1)
        down = (here.y() - room.top()) / max(room.height(), 1)
        if not room.contains(here) or max(across, down) < _NEAR_EDGE:
            return None
        if across >= down:
            return Landing(room.adjusted(room.width() // 2, 0, 0, 0), Qt.Orientation.Horizontal)
        return Landing(room.adjusted(0, room.height() // 2, 0, 0), Qt.Orientation.Vertical)

    def show_beside(self, editor: CodeEditor, orientation: Qt.Orientation) -> None:
        """Show a file in the second view, with the keyboard; a new one takes half of the room."""
        is_new = self.second is None
        self.setOrientation(orientation)
        self.show_second(editor)
        if is_new:
            self.setSizes([1000, 1000])
        if self.second is not None:
            self.second.setFocus()

    def show_second(self, editor: CodeEditor | None) -> None:
        """Show a second view of ``editor``; None closes it."""
        typed_here = self.second is not None and self.second.hasFocus()
        before, self._frame, self.second = self._frame, None, None
        self._strip = None
        sizes = self.sizes()
        if before is not None:
            before.hide()
            before.setParent(None)
            before.deleteLater()
        if editor is None:
            self._leave_second(typed_here=typed_here)
            return
        self.second = SecondView(editor)
        self._frame = self._framed_view(self.second)
        self.addWidget(self._frame)
        self.show_name()
        self.opened.emit(self.second)
        if before is not None:
            self.setSizes(sizes)
        if typed_here:
            self.second.setFocus()
        if self._in_second:
            self.view_changed.emit()

    def kept(self) -> KeptView | None:
        """What brings the second view back in another session; None without one."""
        view = self.second
        if view is None:
            return None
        return {
            "file": _file_of(view.main),
            "caret": view.currentPos(),
            "top": view.firstVisibleLine(),
            "beside": self.orientation() == Qt.Orientation.Horizontal,
            "sizes": self.sizes(),
        }

    def bring_back(self, kept: KeptView | None) -> None:
        """Show the second view that was kept, if its file is open."""
        editor = next((e for e in self.editors() if kept and _file_of(e) == kept["file"]), None)
        if kept is None or editor is None:
            return
        beside = Qt.Orientation.Horizontal if kept["beside"] else Qt.Orientation.Vertical
        self.setOrientation(beside)
        self.show_second(editor)
        self.setSizes(kept["sizes"])
        if self.second is not None:
            self.second.gotoPos(kept["caret"])
            self.second.setFirstVisibleLine(kept["top"])

    def _leave_second(self, *, typed_here: bool) -> None:
        front = self.front()
        if self._in_second:
            self._use_second(on=False)
        if typed_here and front is not None:
            front.setFocus()

    def show_name(self) -> None:
        """Tell the name of the file above the second view, and whether it is changed."""
        if self.second is not None and self._chooser is not None:
            main = self.second.main
            self.second.path, self.second.untitled = main.path, main.untitled
            self._chooser.setText(main.name + (" •" if main.modified_text else ""))

    def editors(self) -> list[CodeEditor]:
        """The editors of all open files, in the order of their tabs."""
        pages = (self._tabs.widget(k) for k in range(self._tabs.count()))
        return [page for page in pages if isinstance(page, CodeEditor)]

    def _framed_view(self, view: SecondView) -> QWidget:
        """The view below a strip: which file it shows, and a button that closes it."""
        close = IconButton("close", "Close the second view", lambda: self.show_second(None))
        self._chooser = _FileChooser(self)
        strip = bar(self._chooser, None, close)
        self._strip = strip
        self._fit_strip()
        return column(strip, view)

    def _fit_strip(self) -> None:
        """As high as what is above the first view: lines stand beside each other."""
        page = self._tabs.currentWidget()
        above = 0 if page is None else page.mapTo(self._tabs, QPoint()).y()
        if self._strip is not None:
            self._strip.setFixedHeight(max(above, self._tabs.tabBar().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What is above the first view is known once it has a place."""
        super().resizeEvent(event)
        self._fit_strip()


def _file_of(editor: CodeEditor) -> str:
    return str(editor.path or editor.untitled)


class _FileChooser(QToolButton):
    """Names the file of the second view, and offers the other ones."""

    def __init__(self, area: SplitArea) -> None:
        super().__init__()
        self._area = area
        self.setObjectName("FileChooser")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the name
        self.setToolTip("Show another open file here")
        self.setAccessibleName("File of the second view")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        menu.aboutToShow.connect(partial(self._fill, menu))
        self.setMenu(menu)
        theme_hub().changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        self.setIcon(icon("chevron-down", "muted"))

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        shown = self._area.second
        for editor in self._area.editors():
            action = menu.addAction(editor.name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(shown is not None and shown.main is editor)
            action.triggered.connect(partial(self._choose, editor))

    def _choose(self, editor: CodeEditor) -> None:
        self._area.show_beside(editor, self._area.orientation())
