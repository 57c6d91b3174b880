"""A live script as a document: a page of text and cells over the text of its editor.

Only the rows near the screen have widgets; the heights of the others are guessed until they come.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.segments import Segment, segments
from app.ui.documents.cell import Cell
from app.ui.documents.editing import Editing
from app.ui.documents.margin import WIDTH
from app.ui.documents.page_layout import GAP, move_lines, stack
from app.ui.documents.row_host import RowHost
from app.ui.documents.rows import CodeRow, Row, TextRow
from app.ui.documents.run_refresh import RunRefresh
from app.ui.documents.runs import DocumentRuns
from app.ui.documents.section_margin import SectionMargin
from app.ui.documents.text_page import TextSetter, screen_look
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.control_places import live_text
from app.ui.editor.semantic_colouring import Colouring
from app.ui.editor.surface import tell_moved
from app.ui.support.theme import theme, theme_hub

COLUMN = 860
"""The widest the text gets; with outputs beside the code the page takes all there is."""
RIGHT = 28
AHEAD = 300
"""Pixels above and below the screen whose rows are there already."""
PAUSE_MS = 120


class DocumentView(QAbstractScrollArea):
    """The page.

    Args:
        editor: whose text it shows.
        runs: what runs its sections.
        trusted: whether its folder is; until then no control runs anything, and no picture beside
            the file is read.

    Attributes:
        rows: the segments of the document, in order.
        document: as of the last look at the text.
        setter: writes its text.
        outputs_beside: whether outputs stand at the right of their code.
        current: the row that keys act on.
        editing: changes of its lines.
        host: the widgets of the rows.
    """

    link_clicked = Signal(str)

    def __init__(self, editor: CodeEditor, runs: DocumentRuns, trusted: Callable[[], bool]) -> None:
        super().__init__(editor)
        self.setObjectName("DocumentView")
        self.setAccessibleName("Document")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        # Else all below is painted with it, and it with the editor that it covers.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.editor, self.runs, self.trusted = editor, runs, trusted
        self.rows: list[Row] = []
        self.document = LiveDocument("")
        self.setter = TextSetter(self.document, screen_look(), None)
        self.outputs_beside = False
        self.current: Row | None = None
        self.margin = SectionMargin(self)
        self._placing = False
        self.editing = Editing(self)
        self.host = RowHost(self, self.editing.controls.literal_of)
        self._soon = self._timer(self.read_text)
        self._refresh = RunRefresh(self, runs, self.show_outputs, self.margin.find)
        self._fit = self._timer(self._fit_cells)
        self._listen()
        self.setGeometry(editor.rect())

    def open_page(self) -> None:
        """Show the document for the first time, with the outputs that the file stores."""
        self.read_text()
        view = self.document.appendix.get("metadata:view", {})
        self.outputs_beside = view.get("layout") == "onright"
        self.runs.take_stored(self.document)
        self.show_outputs()

    def _timer(self, act: Callable[[], None]) -> QTimer:
        made = QTimer(self)
        made.setSingleShot(True)
        made.timeout.connect(act)
        return made

    def _listen(self) -> None:
        self.editor.modified.connect(self._on_modified)
        self.editor.caret_moved.connect(self._on_editor_caret)
        self.editor.installEventFilter(self)
        theme_hub().changed.connect(self._retheme)
        host = self.host
        host.left.connect(self.editing.leave)
        host.emptied.connect(self.editing.on_emptied)
        host.edit_wanted.connect(self.editing.edit)
        host.delete_wanted.connect(self.editing.delete)
        host.caret_moved.connect(self._on_cell_caret)
        host.focused.connect(self._on_cell_focus)
        host.link_clicked.connect(self._on_link)
        host.line_wanted.connect(self.editing.go_to)
        host.control_changed.connect(self.editing.controls.on_changed)
        host.configure_wanted.connect(self.editing.controls.configure)
        host.remove_wanted.connect(self.editing.controls.remove)
        colouring = self.editor.findChild(Colouring)
        if isinstance(colouring, Colouring):
            colouring.changed.connect(self._colour_calls)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the editor whatever its size is; its keyboard is the page's."""
        if watched is self.editor and self.isVisible():
            if event.type() == QEvent.Type.Resize:
                self.setGeometry(self.editor.rect())
            elif event.type() == QEvent.Type.FocusIn:
                QTimer.singleShot(0, self, self._take_focus)
        return False

    def _take_focus(self) -> None:
        if self.isVisible() and self.editor.hasFocus():
            self.editing.go_to(self.editor.caret_line, self.editor.currentPos())

    # --- the text -------------------------------------------------------------------------

    def _on_modified(
        self, _what: int, position: int, _length: int, added: int, *_rest: object
    ) -> None:
        """Lines came or went: what is below moves at once, the rest after a pause in typing.

        The cells follow once all views have heard of the change.
        """
        line = self.editor.lineFromPosition(position) + 1
        behind, holder = line, self.row_of(self.focused_cell())
        if added > 0 and position == self.editor.positionFromLine(line - 1):
            inside = holder is not None and holder.first == line
            behind = line if inside else line - 1
        self.runs.shift(behind, added)
        typed = holder is not None and holder.first <= line <= holder.last
        if added:
            move_lines(self.rows, behind, added, above=None)
        touched = self.row_at(line)
        if touched is not None and (added or not touched.is_code):  # code is not wrapped
            touched.measured = False
        self._fit.start(0)
        self._soon.start(PAUSE_MS if typed or not added else 0)

    def _fit_cells(self) -> None:
        """Every cell shows the lines of its row."""
        for row in self.rows:
            if isinstance(row.widget, CodeRow):
                row.widget.cell.show_lines(row.first, row.last, is_code=row.is_code)
        self._place()

    def read_text(self, caret: int = 0) -> None:
        """Look at the text anew; rows whose lines are the same keep what shows them.

        ``caret`` is the line (from 1) where somebody is about to write.
        """
        self._soon.stop()
        cell = self.focused_cell()
        caret = caret or (cell.view.caret_line if cell is not None else 0)
        self.document = LiveDocument(live_text(self.editor))
        self._renew_setter()
        known = {(row.is_code, row.first): row for row in self.rows}
        made = [self._row_of(segment, known) for segment in segments(self.document, caret)]
        for row in self.rows:
            if row not in made:
                self.host.hide(row)
        self.rows = made
        if self.current not in made:
            self.current = None
        self.runs.use_sections(self.document.sections())
        self.show_outputs()

    def _renew_setter(self) -> None:
        scale = max(0.5, 1.0 + self.host.zoom / 12)
        path = self.editor.path
        folder = path.parent if path is not None and self.trusted() else None
        self.setter = TextSetter(self.document, screen_look(scale), folder)

    def _row_of(self, segment: Segment, known: dict[tuple[bool, int], Row]) -> Row:
        row = known.pop((segment.is_code, segment.first), None)
        if row is None:
            return Row(segment, segment.first, segment.last)
        changed = row.segment != segment or (row.first, row.last) != (segment.first, segment.last)
        row.segment, row.first, row.last = segment, segment.first, segment.last
        if changed:
            self.host.refresh(row)
        return row

    def row_at(self, line: int) -> Row | None:
        """The row that holds a line, from 1."""
        return next((row for row in self.rows if row.first <= line <= row.last), None)

    def row_of(self, cell: Cell | None) -> Row | None:
        """The row that a cell shows."""
        if cell is None:
            return None
        return next(
            (r for r in self.rows if isinstance(r.widget, CodeRow) and r.widget.cell is cell), None
        )

    def row_in_use(self) -> Row | None:
        """The row with the keyboard, or the current one."""
        return self.row_of(self.focused_cell()) or self.current

    def focused_cell(self) -> Cell | None:
        """The cell with the keyboard."""
        for row in self.rows:
            if isinstance(row.widget, CodeRow) and _has_keyboard(row):
                return row.widget.cell
        return None

    # --- the page -------------------------------------------------------------------------

    def across(self) -> tuple[int, int]:
        """Left edge and width of the rows."""
        room = self.viewport().width() - WIDTH - RIGHT
        width = max(200, room if self.outputs_beside else min(room, COLUMN))
        return WIDTH + max(0, (room - width - WIDTH) // 2), width

    def lay_out(self) -> None:
        """Give all rows their places, and those near the screen their widgets."""
        self._stack()
        self._place()

    def _stack(self) -> None:
        bottom = stack(self.rows, self.editor.textHeight(0))
        high = self.viewport().height()
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, bottom + high // 3 - high))
        bar.setPageStep(high)
        bar.setSingleStep(40)

    def _place(self) -> None:
        """Show the rows near the screen; the first one on it stays where it is."""
        if self._placing:
            return
        self._placing = True
        try:
            for _ in range(6):
                if not self._measure_near():
                    break
        finally:
            self._placing = False
        self.margin.find()

    def _measure_near(self) -> bool:
        """True when heights turned out to be others, so that places have to be found again."""
        bar = self.verticalScrollBar()
        offset, high = bar.value(), self.viewport().height()
        left, width = self.across()
        anchor = next((row for row in self.rows if row.top + row.height > offset), None)
        held, changed = anchor.top if anchor is not None else 0, False
        for row in self.rows:
            near = row.top + row.height > offset - AHEAD and row.top < offset + high + AHEAD
            if not near:
                if row.widget is not None and not _has_keyboard(row):
                    self.host.hide(row)
                continue
            if row.widget is None:
                self.host.show(row)
            if not row.measured:
                changed |= row.measure(width, beside=self.outputs_beside)
        if changed:
            self._stack()
            if anchor is not None and anchor.top != held and offset > 0:
                bar.setValue(offset + anchor.top - held)
            return True
        for row in self.rows:
            if row.widget is not None:
                row.widget.setGeometry(left, row.top - offset, width, row.height)
                row.widget.show()
        return False

    def reveal(self, row: Row, below: int = 0) -> None:
        """Bring a row, or the part ``below`` its top, on the screen."""
        bar, high = self.verticalScrollBar(), self.viewport().height()
        top = row.top + below
        if top < bar.value() + 8:
            bar.setValue(top - 40)
        elif top + min(row.height - below, 60) > bar.value() + high:
            bar.setValue(top - high // 2)
        self._place()

    # --- outputs and sections ---------------------------------------------------------------

    def show_outputs(self) -> None:
        """Show what the lines gave."""
        for row in self.rows:
            if row.is_code:
                self.host.fill_outputs(row)
        self.lay_out()

    def use_outputs_beside(self, *, on: bool) -> None:
        """Put outputs at the right of their code, or below it."""
        self.outputs_beside = on
        self._measure_anew()

    def _measure_anew(self) -> None:
        for row in self.rows:
            row.measured = False
        self.show_outputs()

    def use_zoom(self, level: int) -> None:
        """Make everything larger or smaller."""
        self.host.use_zoom(level)
        self._retheme()

    def _retheme(self) -> None:
        self._renew_setter()
        for row in self.rows:
            if isinstance(row.widget, TextRow):
                self.host.refresh(row)
        self._measure_anew()

    def _colour_calls(self) -> None:
        for row in self.rows:
            self.host.colour(row)

    # --- carets -----------------------------------------------------------------------------

    def _on_cell_caret(self, cell: Cell) -> None:
        """The editor's own caret is where somebody writes: commands ask it."""
        view = cell.view
        if not view.hasFocus():
            return
        self.editor.setSelection(view.currentPos(), view.anchor())
        tell_moved(self.editor)
        spot = QPoint(0, view.pointYFromPosition(view.currentPos()))
        y, height = view.mapTo(self.viewport(), spot).y(), view.textHeight(0)
        bar, high = self.verticalScrollBar(), self.viewport().height()
        if y < 4:
            bar.setValue(bar.value() + y - 24)
        elif y + height > high - 4:
            bar.setValue(bar.value() + y + height - high + 24)

    def _on_editor_caret(self) -> None:
        """Something leads to a line: a search, an error, the debugger."""
        row = self.row_at(self.editor.caret_line)
        if self.isVisible() and row is not None and self.focused_cell() is None:
            below = (self.editor.caret_line - row.first) * self.editor.textHeight(0)
            self.reveal(row, below if row.is_code else 0)
        self.host.mark_selected(row)

    def _on_cell_focus(self, cell: Cell, on: bool) -> None:
        if on:
            self.current = self.row_of(cell)
            self._on_cell_caret(cell)
        self.viewport().update()

    def _on_link(self, url: QUrl) -> None:
        address = url.toString()
        row = self._row_of_place(address[1:]) if address.startswith("#") else None
        if row is not None:
            self.reveal(row)
        else:
            self.link_clicked.emit(address)

    def _row_of_place(self, name: str) -> Row | None:
        """The row of a heading (``line-12``) or of an anchor."""
        line = self.document.line_of(name)
        return self.row_at(line) if line else None

    # --- events -----------------------------------------------------------------------------

    def scrollContentsBy(self, _across: int, _down: int) -> None:
        """Other rows come on the screen."""
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width wraps text elsewhere."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure_anew()
        else:
            self.lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, the margin, and lines between sections."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme().colour("editor"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, width = self.across()
        self.margin.paint(painter, event.rect())
        if self.current is not None and self.hasFocus():
            top = self.current.top - self.verticalScrollBar().value()
            painter.setPen(QPen(theme().colour("accent"), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            area = QRect(left - 6, top - 5, width + 12, self.current.height + 10)
            painter.drawRoundedRect(area, 6, 6)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the triangle below the pointer."""
        self.margin.point_at(event.position().toPoint())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A triangle runs its section; a click beside a row makes it the current one."""
        spot = event.position().toPoint()
        section = self.margin.section_at(spot)
        if section is not None:
            self.runs.toggle(section)
            return
        y = spot.y() + self.verticalScrollBar().value()
        row = next((r for r in self.rows if r.top - GAP <= y <= r.top + r.height), None)
        if row is None and self.rows and y > self.rows[-1].top:
            self.editing.edit(self.rows[-1], at_end=True)
        elif row is not None and row.last < row.first:
            self.editing.edit(row)
        elif row is not None:
            self.editing.select(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between rows, edit, delete; what is not known here scrolls.

        No key is left to the editor that the page covers: nobody sees its caret.
        """
        if not self.editing.on_key(event):
            super().keyPressEvent(event)
        event.accept()

    def close_page(self) -> None:
        """Let go of all figures."""
        for row in self.rows:
            self.host.hide(row)


def _has_keyboard(row: Row) -> bool:
    return isinstance(row.widget, CodeRow) and row.widget.cell.view.hasFocus()
