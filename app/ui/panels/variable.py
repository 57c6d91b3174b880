"""The variable editor: a paged grid, slices of higher dimensions, statistics on demand."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QKeyCombination, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSpinBox,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.engine.inspected import (
    ComputeStatistics,
    InspectOverview,
    OverviewReady,
    StatisticsReady,
    VariablePage,
)
from app.engine.protocol import SetVariable, UndoVariable
from app.engine.run_state import RunState
from app.ui.panels.heat_map import HeatMap
from app.ui.panels.panel import Context
from app.ui.panels.variable_field import CellWriting
from app.ui.panels.variable_selection import Selection
from app.ui.panels.variable_text import cells_of, number_text, pasted_code, refused_cell
from app.ui.panels.variable_widths import ColumnWidths
from app.ui.run_model.paged_model import MOST_ROWS, PagedModel
from app.ui.support import formats
from app.ui.widgets.panel_parts import bar, beside, label
from app.ui.widgets.row_table import ROW_HEIGHT

MEASURE = "Min · max · mean · NaN"
_KEYS = QKeySequence.StandardKey
_REDO = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Y)


def _redoes(event: QKeyEvent) -> bool:
    """The desktop's key for it, or the one that the menu shows."""
    return event.matches(_KEYS.Redo) or event.keyCombination() == _REDO


def _types(event: QKeyEvent) -> bool:
    """A key that writes a letter."""
    held = event.modifiers() & ~(
        Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
    )
    return event.text().isprintable() and bool(event.text().strip()) and not held


def _is_plain(event: QKeyEvent, *keys: Qt.Key) -> bool:
    """One of the keys, without Control, Shift or Alt."""
    held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in keys and held == Qt.KeyboardModifier.NoModifier


class _Grid(QTableView):
    """Copies and pastes tables, edits, clears and undoes, with the usual keys."""

    copied = Signal()
    cleared = Signal()
    pasted = Signal(str)
    undone = Signal(bool)
    edited = Signal(QModelIndex, str)
    menu_wanted = Signal(QPoint)

    def event(self, event: QEvent) -> bool:
        """Undo, redo, F2 and Delete are ours, not the editor's, while the grid has the keyboard."""
        key = event if isinstance(event, QKeyEvent) else None
        if key is not None and key.type() == QEvent.Type.ShortcutOverride:
            ours = key.matches(_KEYS.Undo) or _redoes(key)
            key.setAccepted(ours or _is_plain(key, Qt.Key.Key_F2, Qt.Key.Key_Delete))
            return key.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(_KEYS.Paste):
            self.pasted.emit(QApplication.clipboard().text())
        elif event.matches(_KEYS.Copy):
            self.copied.emit()
        elif event.matches(_KEYS.Undo) or _redoes(event):
            self.undone.emit(_redoes(event))
        elif _is_plain(event, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.doubleClicked.emit(self.currentIndex())
        elif _is_plain(event, Qt.Key.Key_F2):
            self.edited.emit(self.currentIndex(), "")
        elif _is_plain(event, Qt.Key.Key_Delete):
            self.cleared.emit()
        elif _types(event):
            self.edited.emit(self.currentIndex(), event.text())
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two clicks of the right button are two menus."""
        if event.button() == Qt.MouseButton.LeftButton:
            super().mouseDoubleClickEvent(event)
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu of the selection, or of the element that is clicked outside of it."""
        index = self.indexAt(self.viewport().mapFromGlobal(event.globalPos()))
        if index.isValid() and not self.selectionModel().isSelected(index):
            self.setCurrentIndex(index)
        self.menu_wanted.emit(event.globalPos())


class VariableView(QWidget):
    """One variable in a grid; follows the variable while the script runs."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.model = PagedModel(context.post, self)
        self.grid = _Grid()
        self.setFocusProxy(self.grid)
        self.grid.pasted.connect(self.paste)
        self.writing = CellWriting(context, self.model, self.grid, self._set)
        self.grid.edited.connect(self.writing.begin)
        self.grid.undone.connect(lambda again: context.post(UndoVariable(again)))
        self.grid.menu_wanted.connect(self._show_menu)
        self.heat_map = HeatMap()
        self.heat_map.place_wanted.connect(self.go_to)
        self._title = label("", "title")
        self._about = label("", "muted")
        self._statistics = label("", "muted")
        self._page_boxes: list[QSpinBox] = []
        self._pages = QWidget()
        self._page_row = QHBoxLayout(self._pages)
        self._page_row.setContentsMargins(0, 0, 0, 0)
        self._build()
        self.selection = Selection(context, self.model, self.grid.selectionModel(), self._set)
        self.grid.copied.connect(self.selection.copy)
        self.grid.cleared.connect(self.selection.clear)
        context.bridge.subscribe(VariablePage, self._on_page)
        context.bridge.subscribe(StatisticsReady, self._on_statistics)
        context.bridge.subscribe(OverviewReady, self._on_overview)
        context.run_model.variables_changed.connect(self._on_variables)

    def leave(self) -> None:
        """Hear nothing more: the view is closed."""
        bridge = self.context.bridge
        self.writing.leave()
        bridge.unsubscribe(VariablePage, self._on_page)
        bridge.unsubscribe(StatisticsReady, self._on_statistics)
        bridge.unsubscribe(OverviewReady, self._on_overview)
        self.context.run_model.variables_changed.disconnect(self._on_variables)

    def showEvent(self, event: QShowEvent) -> None:
        """What has changed while nobody looked is shown now."""
        super().showEvent(event)
        if self.model.name:
            self.model.refresh()

    def _build(self) -> None:
        self._set_up_grid()
        self._widths = ColumnWidths(self.grid, self.model)
        self._row = QLineEdit()
        self._row.setPlaceholderText("Go to row")
        self._row.setAccessibleName("Go to row")
        self._row.setFixedWidth(120)
        self._row.returnPressed.connect(self._go_to_row)
        self._measure = QPushButton(MEASURE)
        self._measure.clicked.connect(self._ask_statistics)
        self._plot = QPushButton("Plot")
        self._plot.clicked.connect(self._draw)
        self._up = QPushButton("‹ Back")
        self._up.clicked.connect(self._go_up)
        top = bar(
            self._up,
            self._title,
            self._about,
            self._pages,
            self._row,
            None,
            self._statistics,
            self._measure,
            self._plot,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(top)
        layout.addWidget(beside(self.grid, self.heat_map), 1)

    def _set_up_grid(self) -> None:
        grid = self.grid
        grid.setModel(self.model)
        grid.setAccessibleName("Values")
        grid.setWordWrap(False)
        grid.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        grid.verticalHeader().setMinimumWidth(56)
        grid.setHorizontalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        grid.doubleClicked.connect(self._on_double_click)

    def open_variable(self, name: str, path: tuple[tuple[str, str | int], ...] = ()) -> None:
        """Show a variable."""
        self._statistics.clear()
        self.model.show(name, path)
        self._describe()

    # --- what is shown ----------------------------------------------------------------

    def _describe(self) -> None:
        model = self.model
        self._title.setText(model.place)
        self._up.setVisible(bool(model.path))
        size = formats.size_text(model.size)
        about = f"{size} {model.class_name}" if model.class_name else self._awaited_text()
        if model.grid[0] > MOST_ROWS:
            last = min(model.first_row + MOST_ROWS, model.grid[0])
            about += f"   rows {formats.count(model.first_row + 1)} to {formats.count(last)}"
        if model.kind == "missing":
            about = "is not in the workspace"
        self._about.setText(about)
        self._row.setVisible(model.grid[0] > 50)
        for button in (self._measure, self._plot):
            button.setVisible(model.kind == "numeric" and not model.path)

    def _awaited_text(self) -> str:
        """What is known of a variable before its values come."""
        model, run_model = self.model, self.context.run_model
        known = [v for v in run_model.variables if v.name == model.name and not model.path]
        parts = [f"{formats.size_text(v.size)} {v.class_name}" for v in known]
        return ", ".join(
            [*parts, "its values appear as soon as the script allows" if run_model.busy else "…"]
        )

    def _set(self, target: str, code: str) -> None:
        """Assign; while a script runs that waits, and is said."""
        self.context.post(SetVariable(target, code))
        if self.context.run_model.state == RunState.RUNNING:
            self.context.notify(f"{target} is set as soon as the script has ended")

    def _ask_overview(self) -> None:
        """A picture of the whole, for matrices that do not fit on the screen."""
        rows, columns = self.model.grid
        wanted = self.model.kind == "numeric" and not self.model.path and rows > 8 and columns > 8
        if wanted:
            self.context.post(InspectOverview(self.model.name, self.model.page))
        else:
            self.heat_map.show_overview(None)

    def _on_overview(self, event: OverviewReady) -> None:
        if event.name == self.model.name:
            self.heat_map.show_overview(event)

    def _ask_statistics(self) -> None:
        """Compute them, or stop doing so."""
        if self._measure.text() == MEASURE:
            self._measure.setText("Cancel")
            self._statistics.setText("…")
            self.context.post(ComputeStatistics(self.model.name))
        else:
            self.context.bridge.stop_run()

    def _draw(self) -> None:
        rows, columns = self.model.grid
        call = "imagesc" if rows > 8 and columns > 8 else "plot"
        self.context.run_code(f"figure; {call}({self.model.name}); title('{self.model.name}')")

    def _on_page(self, answer: VariablePage) -> None:
        if answer.request.exact:
            self.selection.copying.take(answer)
            return
        pages = answer.size[2:]
        before = (self.model.size, self.model.kind)
        chosen = self.grid.currentIndex()
        place = max(chosen.row(), 0), max(chosen.column(), 0)
        if self.model.take(answer):
            self._widths.fit(answer)
            if not self.grid.currentIndex().isValid():  # another size: the place stays
                self.grid.setCurrentIndex(self.model.index(*place))
            self._describe()
            if (self.model.size, self.model.kind) != before or not self.heat_map.isVisible():
                self._ask_overview()
            if len(pages) != len(self._page_boxes):
                self._show_page_boxes(pages)

    def _show_page_boxes(self, pages: tuple[int, ...]) -> None:
        layout = self._page_row
        for box in self._page_boxes:
            layout.removeWidget(box)
            box.deleteLater()
        self._page_boxes = []
        for number, extent in enumerate(pages, 3):
            box = QSpinBox()
            box.setRange(1, max(1, extent))
            box.setPrefix(f"dim {number}: ")
            box.setAccessibleName(f"Index of dimension {number}")
            box.valueChanged.connect(self._change_page)
            layout.addWidget(box)
            self._page_boxes.append(box)

    def _change_page(self) -> None:
        self.model.show_page(tuple(box.value() - 1 for box in self._page_boxes))
        self._ask_overview()

    def _on_variables(self) -> None:
        if self.model.name and self.isVisible():
            self.model.refresh()

    def _on_statistics(self, event: StatisticsReady) -> None:
        self._measure.setText(MEASURE)
        if event.name == self.model.name:
            parts = [f"{name} {number_text(value)}" for name, value in event.values.items()]
            self._statistics.setText("   ".join(parts))

    # --- moving -----------------------------------------------------------------------

    def _go_to_row(self) -> None:
        text = self._row.text().replace(" ", "").replace(",", "")
        if not text.isdigit():
            return
        self.go_to(int(text) - 1, 0)

    def go_to(self, row: int, column: int) -> None:
        """Show an element (from 0), whatever the size of the variable."""
        if row >= self.model.first_row + self.model.rowCount() or row < self.model.first_row:
            self.model.show_from(row - row % MOST_ROWS)
            self._describe()
        index = self.model.index(row - self.model.first_row, column)
        self.grid.setCurrentIndex(index)
        self.grid.scrollTo(index, QTableView.ScrollHint.PositionAtCenter)

    def paste(self, text: str) -> None:
        """Put a table from a spreadsheet into the variable, from the chosen element on."""
        cells, index, model = cells_of(text), self.grid.currentIndex(), self.model
        code = pasted_code(cells, model.kind, model.class_name)
        if not index.isValid() or not code:
            wrong = refused_cell(cells) if model.kind == "numeric" else ""
            what = f"“{wrong}” is not a number and" if wrong else "That"
            self.context.notify(f"{what} cannot be pasted into this {model.class_name or 'value'}")
            return
        rows = range(index.row(), index.row() + len(cells))
        columns = range(index.column(), index.column() + len(cells[0]))
        self._set(f"{model.place}({model.block(rows, columns)})", code)

    def menu(self) -> QMenu:
        """What can be done with the selected elements."""
        menu, index = QMenu(self), self.grid.currentIndex()
        clipboard = QApplication.clipboard()
        menu.addAction("Copy", QKeySequence("Ctrl+C"), self.selection.copy)
        menu.addAction("Paste", QKeySequence("Ctrl+V"), lambda: self.paste(clipboard.text()))
        if index.isValid() and self.model.target(index):
            menu.addAction("Edit", QKeySequence("F2"), partial(self.writing.begin, index))
            menu.addAction("Clear", QKeySequence("Del"), self.selection.clear)
        self.selection.add_to(menu)
        return menu

    def _show_menu(self, place: QPoint) -> None:
        menu = self.menu()
        menu.exec(place)
        menu.deleteLater()

    def _go_up(self) -> None:
        self.open_variable(self.model.name, self.model.path[:-1])

    def _on_double_click(self, index: QModelIndex) -> None:
        """Dig into containers; edit what is none."""
        model, row = self.model, self.model.first_row + index.row()
        if model.kind == "cell":
            number = row + index.column() * model.size[0]
            self.open_variable(model.name, (*model.path, ("cell", number)))
        elif model.kind in ("struct", "object") and row in model.row_names:
            self.open_variable(model.name, (*model.path, ("field", model.row_names[row])))
        else:
            self.writing.begin(index)
