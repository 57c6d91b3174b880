"""Panels in tabbed areas around the editor.

``DockHost`` is the small interface the window uses: show, hide, move, float, save, restore.
Areas are tab strips in nested splitters::

    left   │ editor  │ right
    left2  │         │
    middle ─────────── right2
    bottom ───────────
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, overload

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QMenu,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.ui.support.placing import brought_on_screen
from app.ui.support.theme import theme
from app.ui.widgets.panel_specs import Layout, PanelName, PanelSpec, W
from app.ui.widgets.tab_drag import DraggableTabs, DropTarget

AREAS = ("left", "left2", "middle", "bottom", "right", "right2")
_AREA_TITLES = {
    "left": "Left, top",
    "left2": "Left, bottom",
    "middle": "Below the editor",
    "bottom": "Bottom",
    "right": "Right, top",
    "right2": "Right, bottom",
}
_JOINED = {"middle": "bottom"}
"""Panels of an area that is closed join those of another one: the editor keeps its room."""
_WIDE = Qt.Orientation.Horizontal
_SMOOTH = Qt.TransformationMode.SmoothTransformation


class _PanelDrag(QLabel):
    """A panel on its way: a small picture of it at the mouse, and the area that would take it."""

    def __init__(self, host: DockHost, panel: str, picture: QPixmap) -> None:
        super().__init__(host.window())
        self._host = host
        self._panel = panel
        self._over: DockArea | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setPixmap(picture)
        self.resize(self.sizeHint())
        self.show()

    def follow(self, place: QPoint) -> None:
        """The mouse is at a place of the screen."""
        self.move(self.window().mapFromGlobal(place) + QPoint(12, 12))
        self._lead_to(self._host.area_at(place))

    def _lead_to(self, area: DockArea | None) -> None:
        if area is not self._over:
            for one, lit in ((self._over, False), (area, True)):
                if one is not None:
                    one.light_up(on=lit)
            self._over = area

    def drop(self, place: QPoint) -> None:
        """The panel goes to the area there; where none is, it gets a window of its own."""
        area = self._host.area_at(place)
        self.cancel()
        if area is None:
            self._host.float_panel(self._panel, place)
        else:
            area.take(self._panel)

    def cancel(self) -> None:
        """The panel stays where it was."""
        self._lead_to(None)
        self.hide()
        self.deleteLater()


class _AreaTabs(DraggableTabs):
    """The tab strip of an area; a tab can be dragged to another area."""

    def __init__(self, area: DockArea) -> None:
        super().__init__()
        self._area = area
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def begin_drag(self) -> _PanelDrag:
        """A panel leaves its strip."""
        picture = self._area.grab().scaledToWidth(160, _SMOOTH)
        return _PanelDrag(self._area.host, self._area.ids()[self.currentIndex()], picture)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The tab of the panel that has the keyboard is lit."""
        super().paintEvent(event)
        focus = QApplication.focusWidget()
        if focus is not None and self._area.isAncestorOf(focus):
            tab = self.tabRect(self.currentIndex())
            painter = QPainter(self)
            painter.fillRect(QRect(tab.topLeft(), QSize(tab.width(), 2)), theme().colour("accent"))
            if self.hasFocus():
                painter.setPen(theme().colour("accent"))
                painter.drawRect(tab.adjusted(0, 0, -1, -1))
            painter.end()


class DockArea(QTabWidget):
    """One area: a tab widget that takes panels dropped on it and hides when empty."""

    def __init__(self, host: DockHost, name: str) -> None:
        super().__init__()
        self.host = host
        self.name = name
        self.setObjectName("DockArea")
        self.setAccessibleName(_AREA_TITLES[name])
        self.setTabBar(_AreaTabs(self))
        self.setDocumentMode(True)
        self.setMinimumSize(150, 60)
        self._target = DropTarget(self)
        self.tabBar().setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tabBar().customContextMenuRequested.connect(self._menu)
        self.tabBar().tabBarClicked.connect(self._focus_clicked)
        self.tabBar().tabBarDoubleClicked.connect(self._double_clicked)
        self.hide()

    def ids(self) -> list[str]:
        """The panels here, in the order of their tabs."""
        widgets = (self.widget(i) for i in range(self.count()))
        return [w.panel for w in widgets if isinstance(w, _Slot)]

    def light_up(self, *, on: bool) -> None:
        """Show that what is dragged would go here."""
        if on:
            self._target.show_at(self.rect())
        else:
            self._target.hide()

    def take(self, panel: str) -> None:
        """Move a panel here, with the keyboard."""
        self.host.move_panel(panel, self.name)
        self._focus_clicked(self.currentIndex())

    def _focus_clicked(self, index: int) -> None:
        """Who clicks a panel's tab means that panel with the next key, too."""
        panel = self.widget(index)
        if panel is not None:
            self.setCurrentIndex(index)
            panel.setFocus(Qt.FocusReason.MouseFocusReason)

    def _double_clicked(self, index: int) -> None:
        if index >= 0:
            self.host.float_panel(self.ids()[index])

    def _menu(self, position: QPoint) -> None:
        index = self.tabBar().tabAt(position)
        if index >= 0:
            menu = self.host.panel_menu(self.ids()[index])
            menu.exec(self.tabBar().mapToGlobal(position))
            menu.deleteLater()


class _Slot(QWidget):
    """The place of a panel; the panel is made when the place is first seen.

    It has no layout: what changes in a panel must not arrange and paint the whole window anew.
    """

    def __init__(self, host: DockHost, panel: str) -> None:
        super().__init__(host)
        self.panel = panel
        self.content: QWidget | None = None
        self._host = host
        self.setAccessibleName(host.specs[panel].title)
        self.hide()

    def fill(self) -> QWidget:
        """The panel, made now if it has not been."""
        if self.content is None:
            self.content = self._host.specs[self.panel].make()
            self.content.setParent(self)
            self.content.setGeometry(self.rect())
            self.content.show()
            self.setFocusProxy(self.content)
        return self.content

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The panel fills its place."""
        super().resizeEvent(event)
        if self.content is not None:
            self.content.setGeometry(self.rect())

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        self.fill()
        super().showEvent(event)


class _Floating(QWidget):
    """A panel in a window of its own, which stays over the main one; closing it brings the panel
    back to its area. Files that are dropped on it are the host's."""

    def __init__(self, host: DockHost, panel: str, widget: QWidget, title: str) -> None:
        super().__init__(host, Qt.WindowType.Tool)
        self._host = host
        self._panel = panel
        self.setWindowTitle(title)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(widget)
        widget.show()
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)  # nobody's file is moved
        event.accept()
        for url in event.mimeData().urls():
            self._host.file_dropped.emit(url.toLocalFile(), self._panel)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._host.dock_panel(self._panel)
        event.accept()


_MIDDLES = {"root": 0, "main": 0, "top": 1}
"""Splitters, from the outermost one, and which of their parts holds the editor."""
NEW_SHARE = 1 / 3
"""Of the room of an area that no layout has planned."""


class DockHost(QWidget):
    """Holds the editor and all areas; knows where each panel is."""

    visibility_changed = Signal()
    front_changed = Signal()
    arranged = Signal()
    file_dropped = Signal(str, str)
    """A file's path, and the panel in a window of its own that it was dropped on."""

    def __init__(self, editor: QWidget, panels: tuple[PanelSpec, ...]) -> None:
        super().__init__()
        self.specs = {spec.id: spec for spec in panels}
        self._slots = {spec.id: _Slot(self, spec.id) for spec in panels}
        self.areas = {name: DockArea(self, name) for name in AREAS}
        for area in self.areas.values():
            area.currentChanged.connect(lambda _index: self.front_changed.emit())
        self._homes: dict[str, str] = {}
        self._floating: dict[str, _Floating] = {}
        self._sizes: Mapping[str, Sequence[int]] = {}
        self._wanted: dict[str, list[int]] = {}
        """How areas were last divided by a layout or by hand: what a smaller window takes from
        them comes back with the room."""
        self._notes: dict[str, str] = {}
        self._build(editor)

    def _build(self, editor: QWidget) -> None:
        area = self.areas
        vertical, horizontal = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
        self.splitters = {
            "left": _splitter(vertical, area["left"], area["left2"]),
            "right": _splitter(vertical, area["right"], area["right2"]),
        }
        self.splitters["top"] = _splitter(horizontal, self.splitters["left"], editor)
        self.splitters["main"] = _splitter(
            vertical, self.splitters["top"], area["middle"], area["bottom"]
        )
        self.splitters["root"] = _splitter(
            horizontal, self.splitters["main"], self.splitters["right"]
        )
        for name, splitter in self.splitters.items():
            splitter.splitterMoved.connect(partial(self._note_sizes, name))
        self.splitters["root"].setStretchFactor(0, 1)
        self.splitters["top"].setStretchFactor(1, 1)
        self.splitters["main"].setStretchFactor(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitters["root"])

    # --- panels -----------------------------------------------------------------------

    @overload
    def widget(self, panel: PanelName[W]) -> W: ...

    @overload
    def widget(self, panel: str) -> QWidget: ...

    def widget(self, panel: str) -> QWidget:
        """The widget of a panel, made now if nobody has seen it yet."""
        return self._slots[panel].fill()

    @overload
    def made(self, panel: PanelName[W]) -> W | None: ...

    @overload
    def made(self, panel: str) -> QWidget | None: ...

    def made(self, panel: str) -> QWidget | None:
        """The widget of a panel if it has been made."""
        return self._slots[panel].content

    def area_of(self, panel: str) -> str | None:
        """The area that shows ``panel``; None when it is hidden or floating."""
        for name, area in self.areas.items():
            if panel in area.ids():
                return name
        return None

    def area_at(self, place: QPoint) -> DockArea | None:
        """The area at a place of the screen."""
        for area in self.areas.values():
            if area.isVisible() and area.rect().contains(area.mapFromGlobal(place)):
                return area
        return None

    def is_shown(self, panel: str) -> bool:
        """True when the panel has a tab or a window of its own."""
        return panel in self._floating or self.area_of(panel) is not None

    def is_seen(self, panel: str) -> bool:
        """True when nothing stands in front of the panel."""
        return self._slots[panel].isVisible()

    def covering(self, panel: str) -> QWidget | None:
        """The panel that stands in front of it on the tabs of its area."""
        name = self.area_of(panel)
        return None if name is None else self.areas[name].currentWidget()

    def show_panel(self, panel: str) -> None:
        """Give the panel a tab in its home area and select it. Focus stays where it is."""
        if panel in self._floating:
            self._floating[panel].raise_()
            return
        name = self.area_of(panel)
        area = self.areas[name or self._home_of(panel)]
        if name is None:
            fresh = not area.count()
            self._add_tab(area, panel)
            self._update_areas()
            if fresh and self.isVisible():
                self._make_room(area)
        area.setCurrentWidget(self._slots[panel])

    def _home_of(self, panel: str) -> str:
        """Where a panel goes: to where it was, else to its area, or to what is open beside that."""
        area = self.specs[panel].area
        other = _JOINED.get(area, area)
        joins = not self.areas[area].count() and self.areas[other].count()
        return self._homes.get(panel) or (other if joins else area)

    def _add_tab(self, area: DockArea, panel: str) -> None:
        area.addTab(self._slots[panel], "")
        self.annotate(panel, self._notes.get(panel, ""))

    def annotate(self, panel: str, note: str) -> None:
        """Write a few letters, such as a number, behind the title on the panel's tab."""
        self._notes[panel] = note
        name = self.area_of(panel)
        if name is not None:
            area, title = self.areas[name], self.specs[panel].title
            place = area.indexOf(self._slots[panel])
            area.setTabText(place, f"{title}  {note}" if note else title)

    def hide_panel(self, panel: str) -> None:
        """Take the panel away; it keeps its content."""
        self._take(panel)
        self._update_areas()

    def toggle(self, panel: str) -> None:
        """Show the panel, or hide it when it is in front."""
        name = self.area_of(panel)
        if name and self.areas[name].currentWidget() is self._slots[panel]:
            self.hide_panel(panel)
        else:
            self.show_panel(panel)

    def move_panel(self, panel: str, area: str) -> None:
        """Move the panel to another area, in front."""
        self._take(panel)
        self._homes[panel] = area
        self.show_panel(panel)

    def float_panel(self, panel: str, at: QPoint | None = None) -> None:
        """Give the panel a window of its own: at a place, where it was seen, or in the middle."""
        slot = self._slots[panel]
        size = slot.size()
        inside = QPoint(0, 0) if slot.isVisible() else self.rect().center() - slot.rect().center()
        place = at or (slot if slot.isVisible() else self).mapToGlobal(inside)
        self._take(panel)
        window = _Floating(self, panel, self._slots[panel], self.specs[panel].title)
        self._floating[panel] = window
        window.setGeometry(brought_on_screen(QRect(place, size), place))
        if self.isVisible():
            window.show()
        self._update_areas()

    def dock_panel(self, panel: str) -> None:
        """Bring a floating panel back to its area."""
        if panel in self._floating:
            self._take(panel)
            self.show_panel(panel)

    def _take(self, panel: str) -> None:
        slot = self._slots[panel]
        name = self.area_of(panel)
        if name:
            self.areas[name].removeTab(self.areas[name].indexOf(slot))
        slot.setParent(self)
        slot.hide()
        window = self._floating.pop(panel, None)
        if window is not None:
            window.hide()
            window.deleteLater()

    def _make_room(self, area: QWidget) -> None:
        """An area that appears gets the share that its layout has for it, or a third."""
        for name, splitter in self.splitters.items():
            holder = area.parentWidget() or area
            place = max(splitter.indexOf(area), splitter.indexOf(holder))
            planned = self._sizes.get(name) or ()
            share = planned[place] / sum(planned) if any(planned) and place >= 0 else 0.0
            sizes = splitter.sizes()
            lacking = round(sum(sizes) * (share or NEW_SHARE)) - sizes[place]
            if place >= 0 and lacking > sizes[place]:
                sizes[sizes.index(max(sizes))] -= lacking
                sizes[place] += lacking
                splitter.setSizes(sizes)
                self._note_sizes(name)

    def _update_areas(self) -> None:
        for area in self.areas.values():
            area.setVisible(area.count() > 0)
        self.splitters["left"].setVisible(self._has_panels("left", "left2"))
        self.splitters["right"].setVisible(self._has_panels("right", "right2"))
        self.visibility_changed.emit()

    def _has_panels(self, *names: str) -> bool:
        return any(self.areas[name].count() for name in names)

    def panel_menu(self, panel: str) -> QMenu:
        """What can be done with a panel: float, move, hide."""
        menu = QMenu(self)
        _add(menu, "Float", lambda: self.float_panel(panel))
        moves = menu.addMenu("Move to")
        for name in AREAS:
            _add(moves, _AREA_TITLES[name], partial(self.move_panel, panel, name))
        menu.addSeparator()
        _add(menu, "Hide", lambda: self.hide_panel(panel))
        return menu

    # --- arrangements -----------------------------------------------------------------

    def apply(self, layout: Layout) -> None:
        """Show exactly the panels of ``layout``; only those in front are made."""
        for area in self.areas.values():
            area.hide()  # else every tab comes to the front as those before it are taken away
        for panel in self._slots:
            self._take(panel)
        self._homes.clear()
        for name, panels in layout.areas.items():
            area = self.areas[name]
            for panel in panels:
                self._homes[panel] = name
                self._add_tab(area, panel)
            area.setCurrentIndex(0)
        self._update_areas()
        self._sizes = layout.sizes
        if self.isVisible():
            self._share_room()

    def _share_room(self) -> None:
        """Divide the splitters in the layout's proportions, whatever the size of the window."""
        for name in ("root", "main", "top", "left", "right"):
            sizes = self._sizes.get(name)
            splitter = self.splitters[name]
            if sizes:
                widgets = (splitter.widget(n) for n in range(splitter.count()))
                visible = [w is not None and w.isVisible() for w in widgets]
                shown = [s if on else 0 for s, on in zip(sizes, visible, strict=True)]
                room = splitter.width() if splitter.orientation() == _WIDE else splitter.height()
                total = sum(shown) or 1
                splitter.setSizes([round(size * room / total) for size in shown])
            self._note_sizes(name)

    def _note_sizes(self, name: str, *_moved: int) -> None:
        self._wanted[name] = self.splitters[name].sizes()
        self.arranged.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The editor takes what room comes; all give what goes, and have it back."""
        super().resizeEvent(event)
        for name, middle in _MIDDLES.items():
            sizes, wanted = self.splitters[name].sizes(), self._wanted.get(name, [])
            if [bool(size) for size in sizes] != [bool(size) for size in wanted]:
                continue  # areas came or went since
            share = min(1.0, sum(sizes) / max(sum(wanted), 1))
            fair = [round(size * share) for size in wanted]
            fair[middle] += sum(sizes) - sum(fair)
            self.splitters[name].setSizes(fair)

    def showEvent(self, event: QShowEvent) -> None:
        """The room is known only now."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._share_room)
        QTimer.singleShot(0, self, self._show_floating)

    def _show_floating(self) -> None:
        """Floating panels that were brought back before there was a window to stay over."""
        for window in self._floating.values():
            window.show()

    def save(self) -> dict[str, Any]:
        """The arrangement as plain data."""
        return {
            "areas": {name: area.ids() for name, area in self.areas.items()},
            "front": {name: area.currentIndex() for name, area in self.areas.items()},
            "sizes": {name: s.sizes() for name, s in self.splitters.items()},
            "floating": {p: window.geometry().getRect() for p, window in self._floating.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Arrange the panels as ``save`` told; panels that no longer exist are left out."""
        known = {
            name: tuple(p for p in panels if p in self.specs)
            for name, panels in state["areas"].items()
            if name in self.areas
        }
        sizes = {
            name: sizes
            for name, sizes in state["sizes"].items()
            if name in self.splitters and len(sizes) == self.splitters[name].count()
        }
        self.apply(Layout(known, sizes))
        for name, index in state["front"].items():
            if name in self.areas:
                self.areas[name].setCurrentIndex(index)
        for panel, rectangle in state["floating"].items():
            if panel in self.specs:
                self.float_panel(panel)
                place = QRect(*rectangle)
                self._floating[panel].setGeometry(brought_on_screen(place, place.center()))


def _add(menu: QMenu, text: str, action: Callable[[], object]) -> QAction:
    entry = menu.addAction(text)
    entry.triggered.connect(partial(_call, action))
    return entry


def _call(action: Callable[[], object], *_checked: bool) -> None:
    action()


def _splitter(orientation: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for widget in widgets:
        splitter.addWidget(widget)
    return splitter
