"""F6 goes from the editor through every panel in front and back; the tab shows who has the keys."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from shiboken6 import isValid

from app.ui.editor.area import EditorArea
from app.ui.widgets.docks import DockArea, DockHost


class FocusCycle(QObject):
    """The places of a window in the order of its areas."""

    def __init__(self, editors: EditorArea, docks: DockHost) -> None:
        super().__init__(docks)
        self._editors = editors
        self._docks = docks
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)
        editors.emptied.connect(self._on_emptied)

    def places(self) -> list[QWidget]:
        """The views of files, then the areas that are seen."""
        areas = [area for area in self._docks.areas.values() if area.isVisible()]
        return [*self._editors.split.views(), *areas]

    def step(self, by: int) -> None:
        """Give the keyboard to the next place (1) or the one before (-1)."""
        places, focus = self.places(), QApplication.focusWidget()
        if not places:
            return
        here = next((n for n, p in enumerate(places) if _holds(p, focus)), -1 if by > 0 else 0)
        place = places[(here + by) % len(places)]
        entry = _entry(place) if isinstance(place, DockArea) else place
        entry.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _on_emptied(self) -> None:
        """What is typed after the last file was closed is meant for the prompt, if it is seen."""
        prompt = self._docks.made("command")
        if prompt is not None and self._docks.is_seen("command"):
            prompt.setFocus()

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        for area in filter(isValid, self._docks.areas.values()):  # the window may be going
            if _holds(area, old) or _holds(area, new):
                area.tabBar().update()


def _holds(place: QWidget, focus: QWidget | None) -> bool:
    return focus is not None and (place is focus or place.isAncestorOf(focus))


def _entry(area: DockArea) -> QWidget:
    """Where the keys of a panel begin: what it names, its list, its first field, or its tab."""
    content = area.currentWidget().focusProxy()
    named = content.focusProxy() if content is not None else None
    if named is not None:
        return named
    found = list(_reachable(content)) if content is not None else []
    lists = [w for w in found if isinstance(w, QAbstractItemView)]
    return next(iter(lists + found), area.tabBar())


def _reachable(content: QWidget) -> Iterator[QWidget]:
    for widget in content.findChildren(QWidget):
        by_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if by_tab and widget.isVisible() and widget.isEnabled():
            yield widget
