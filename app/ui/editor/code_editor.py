"""The editor of one ``.m`` file."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget
from pyside6_scintilla import Scintilla

from app.textfile import TextFile
from app.ui.editor import limits, marks, section_marks
from app.ui.editor.blocks import Blocks
from app.ui.editor.breakpoints import Breakpoints
from app.ui.editor.marks import Indicator, Margin, Marker
from app.ui.editor.pairs import Pairs
from app.ui.editor.run_annotations import Bracket, Note
from app.ui.editor.surface import MATLAB, PLAIN, Style, Surface, show_place
from app.ui.run_model.line_parts import Part
from app.ui.support.theme import scintilla_colour, theme

_FOLD_MASK = 0xFE000000
_HISTORY_MASK = 0x01E00000
_NOTE_STYLES = {"device": 60, "host": 61, "transfer": 62, "error": 63}
MANY_LINES = 100
_TRAVEL = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_ALL_HELD = 1 | 2 | 4  # Shift, Control and Alt as Scintilla counts them
_COLUMN_KEYS = {
    Scintilla.Keys.Down: Scintilla.Message.LineDownRectExtend,
    Scintilla.Keys.Up: Scintilla.Message.LineUpRectExtend,
    Scintilla.Keys.Left: Scintilla.Message.CharLeftRectExtend,
    Scintilla.Keys.Right: Scintilla.Message.CharRightRectExtend,
}
_BRACES = "()[]{}"


class CodeEditor(Surface):
    """A ``.m`` file with margins, folding, marks of the run, and comfortable typing.

    Attributes:
        path: the file, or None before it is saved for the first time.
        stops: the breakpoints.
        file: encoding and line end of the file as read.
        large: the text is beyond what is understood while typing (see ``limits``).
        close_brackets: brackets and quotes are closed as they are opened.
        close_blocks: the ``end`` of a block appears as the block is begun.
    """

    caret_moved = Signal()
    breakpoints_changed = Signal()
    modified_changed = Signal(bool)
    zoomed = Signal(int)
    menu_wanted = Signal(QPoint)
    travelled = Signal(int)

    def __init__(self, file: TextFile, path: Path | None, parent: QWidget | None = None) -> None:
        matlab = path is None or path.suffix in {".m", ""}
        self.large = limits.is_large(file.text)
        super().__init__(MATLAB if matlab and not self.large else PLAIN, parent)
        if self.large:
            self.drop_line_index()
        self.path = path
        self.file = file
        self.untitled = ""
        self.stops = Breakpoints(self)
        self.setAccessibleName("Editor")
        self._set_up_margins()
        self._set_up_typing()
        self.setText(file.text)
        self.emptyUndoBuffer()
        self.setSavePoint()
        if not self.large:
            options = Scintilla.ChangeHistoryOption
            self.setChangeHistory(options.Enabled | options.Markers)
        self.apply_theme()
        self._typed = False
        self.close_brackets = self.close_blocks = True
        self._blocks = Blocks(self, lambda: self.close_blocks)
        pairs = Pairs(self, lambda: self.close_brackets)
        self.key_handlers += [self._on_escape, self._blocks.on_key, pairs.on_key]
        self._connect()
        section_marks.mark_all(self)

    # --- set-up -----------------------------------------------------------------------

    def _set_up_margins(self) -> None:
        symbol, number = Scintilla.MarginType.Back, Scintilla.MarginType.Number
        groups = sum(1 << m for m in marks.GROUP_MARKERS)
        dots = sum(1 << m for m in marks.STOP_MARKERS)
        self.setMargins(len(Margin))
        for margin, kind, mask, width in (
            (Margin.TIMES, Scintilla.MarginType.RText, 0, 0),
            (Margin.BREAKPOINTS, symbol, dots, 18),
            (Margin.NUMBERS, number, 0, 36),
            (Margin.HEAT, symbol, sum(1 << m for m in marks.HEAT_MARKERS), 5),
            (Margin.GROUPS, symbol, groups, 14),
            (Margin.CHANGES, symbol, _HISTORY_MASK, 3),
            (Margin.FOLDS, symbol, _FOLD_MASK, 14),
        ):
            self.setMarginTypeN(margin, kind)
            self.setMarginMaskN(margin, mask)
            self.setMarginWidthN(margin, width)
        self.setMarginSensitiveN(Margin.BREAKPOINTS, True)
        self.setMarginSensitiveN(Margin.FOLDS, True)
        automatic = Scintilla.AutomaticFold
        self.setAutomaticFold(automatic.Show | automatic.Click | automatic.Change)
        self._update_number_width()

    def _set_up_typing(self) -> None:
        self.setCaretLineVisible(True)
        self.setCaretLineVisibleAlways(False)
        self.setIndentationGuides(Scintilla.IndentView.LookBoth)
        self.setTabIndents(True)
        self.setBackSpaceUnIndents(True)
        self.setMultipleSelection(True)
        self.setAdditionalSelectionTyping(True)
        self.setMultiPaste(Scintilla.MultiPaste.Each)
        self.setVirtualSpaceOptions(Scintilla.VirtualSpace.RectangularSelection)
        self.setEOLMode(Scintilla.EndOfLine.Lf)
        self.setPasteConvertEndings(True)
        self.setYCaretPolicy(0x0D, 3)
        self.eOLAnnotationSetVisible(Scintilla.EOLAnnotationVisible.Standard)
        self.setMouseDwellTime(500)
        for key, message in _COLUMN_KEYS.items():  # as with Alt+Shift, which some desktops take
            self.assignCmdKey(key | _ALL_HELD << 16, message)

    def _connect(self) -> None:
        flags = Scintilla.ModificationFlags
        self.setModEventMask(flags.InsertText | flags.DeleteText)
        self.updateUi.connect(self._on_update)
        self.marginClicked.connect(self._on_margin)
        self.savePointChanged.connect(self.modified_changed)
        self.linesAdded.connect(self._on_lines_added)
        self.modified.connect(self._on_modified)
        self.zoom.connect(self._on_zoom)  # type: ignore[attr-defined]
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self.menu_wanted)

    def apply_theme(self) -> None:
        """Colours, and the pictures in the margins, which are drawn in them."""
        super().apply_theme()
        current = theme()
        self._tint_caret_line(on=True)
        for side, style in _NOTE_STYLES.items():
            self.styleSetFore(style, scintilla_colour(current[side]))
            self.styleSetSizeFractional(style, 875)
        self._define_backgrounds()
        self._define_pictures()
        self._define_folds()
        self._define_indicators()
        for margin in (Margin.FOLDS, Margin.GROUPS, Margin.HEAT, Margin.CHANGES):
            self.setMarginBackN(margin, scintilla_colour(current[self.ground]))
        self.setFoldMarginColour(True, scintilla_colour(current[self.ground]))
        self.setFoldMarginHiColour(True, scintilla_colour(current[self.ground]))

    def _tint_caret_line(self, *, on: bool) -> None:
        """Scintilla forgets the colour while the line is not shown."""
        self.setCaretLineVisible(on)
        if on:
            colour = scintilla_colour(theme()["caret_line"]) | 0xFF000000
            self.setElementColour(Scintilla.Element.CaretLineBack, colour)

    def _define_backgrounds(self) -> None:
        current = theme()
        for marker, token in (
            (Marker.SECTION, "hover"),
            (Marker.CHOSEN, "device_soft"),
            (Marker.ERROR_LINE, "error_soft"),
            (Marker.EXECUTION_LINE, "pause_soft"),
        ):
            self.markerDefine(marker, Scintilla.MarkerSymbol.Background)
            self.markerSetBack(marker, scintilla_colour(current[token]))

    def _define_pictures(self) -> None:
        scale = 1.0  # Scintilla paints marker pictures in device-independent pixels
        height = self.textHeight(0)
        self.rGBAImageSetScale(round(100 * scale))
        for marker, image in marks.pictures(theme().name, height, scale):
            self._define_image(marker, image)

    def _define_image(self, marker: int, image: QImage) -> None:
        self.rGBAImageSetWidth(image.width())
        self.rGBAImageSetHeight(image.height())
        pixels = ctypes.create_string_buffer(bytes(image.constBits()), image.sizeInBytes())
        address = ctypes.addressof(pixels)
        self.send(Scintilla.Message.MarkerDefineRGBAImage, marker, address)

    def _define_folds(self) -> None:
        symbol, outline = Scintilla.MarkerSymbol, Scintilla.MarkerOutline
        shapes = {
            outline.Folder: symbol.Arrow,
            outline.FolderEnd: symbol.Arrow,
            outline.FolderOpen: symbol.ArrowDown,
            outline.FolderOpenMid: symbol.ArrowDown,
            outline.FolderSub: symbol.Empty,
            outline.FolderTail: symbol.Empty,
            outline.FolderMidTail: symbol.Empty,
        }
        faint = scintilla_colour(theme()["faint"])
        for number, shape in shapes.items():
            self.markerDefine(number, shape)
            self.markerSetFore(number, faint)
            self.markerSetBack(number, faint)
        for number, token in (
            (outline.HistoryModified, "accent"),
            (outline.HistorySaved, "device"),
            (outline.HistoryRevertedToOrigin, "lazy"),
            (outline.HistoryRevertedToModified, "accent"),
        ):
            self.markerDefine(number, symbol.Bar)
            self.markerSetFore(number, scintilla_colour(theme()[token]))
            self.markerSetBack(number, scintilla_colour(theme()[token]))

    def _define_indicators(self) -> None:
        style = Scintilla.IndicatorStyle
        current = theme()
        for indicator, kind, token in (
            (Indicator.ERROR, style.SquiggleLow, "error"),
            (Indicator.WARNING, style.SquiggleLow, "warning"),
            (Indicator.INFO, style.Dots, "accent"),
            (Indicator.COST, style.Dots, "accent"),
            (Indicator.STOP, style.Hidden, "accent"),
            (Indicator.RUN, style.Hidden, "accent"),
            (Indicator.FOUND, style.RoundBox, "transfer"),
            (Indicator.OCCURRENCE, style.RoundBox, "accent"),
            (Indicator.BLOCK, style.RoundBox, "accent"),
            (Indicator.READ, style.RoundBox, "both"),
            (Indicator.WRITTEN, style.RoundBox, "heat"),
            (Indicator.RESIDENT, style.CompositionThin, "device"),
            (Indicator.PART, style.RoundBox, "accent"),
        ):
            self.indicSetStyle(indicator, kind)
            self.indicSetFore(indicator, scintilla_colour(current[token]))
            self.indicSetUnder(indicator, True)
            self.indicSetAlpha(indicator, 50)
            self.indicSetOutlineAlpha(indicator, 120)
        for indicator, token in (
            (Indicator.SECTION_TITLE, "section"),
            (Indicator.FUNCTION, "function"),
            (Indicator.OWN_FUNCTION, "type"),
        ):
            self.indicSetStyle(indicator, style.TextFore)
            self.indicSetFore(indicator, scintilla_colour(current.syntax[token]))

    # --- what is shown ----------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name on the tab."""
        return self.path.name if self.path else self.untitled

    @property
    def modified_text(self) -> bool:
        """True when the text differs from the file."""
        return bool(self.modify())

    @property
    def caret_column(self) -> int:
        """The column of the caret, from 1."""
        return self.column(self.currentPos()) + 1

    def caret_offset(self) -> int:
        """The caret as a number of characters from the start."""
        return self.offset_of(self.currentPos())

    def word_at(self, position: int) -> str:
        """The word that holds a byte position."""
        start = self.wordStartPosition(position, True)
        return self.slice(start, self.wordEndPosition(position, True))

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the caret on a line (from 1); what was out of sight comes to the middle."""
        number = min(max(line, 1), self.lineCount()) - 1
        show_place(self, number, max(column, 1) - 1)

    def show_run_annotations(
        self, brackets: Iterable[Bracket], notes: Iterable[Note], heat: Mapping[int, int]
    ) -> None:
        """Show what a run found out about the lines."""
        self.clear_run_annotations()
        for line, level in heat.items():
            self.markerAdd(line - 1, marks.HEAT_MARKERS[level])
        for bracket in brackets:
            self.markerAdd(bracket.line - 1, marks.group_marker(bracket.side, bracket.part))
        for note in notes:
            self.eOLAnnotationSetText(note.line - 1, "    " + note.text)
            self.eOLAnnotationSetStyle(note.line - 1, _NOTE_STYLES[note.side])

    def folds(self) -> list[int]:
        """The folded lines, from 0."""
        found, line = [], self.contractedFoldNext(0)
        while line >= 0:
            found.append(line)
            line = self.contractedFoldNext(line + 1)
        return found

    def fold_lines(self, lines: Iterable[int]) -> None:
        """Fold these lines again; the lexer says first where blocks begin."""
        wanted = list(lines)
        if wanted:
            self.colourise(self.endStyled(), -1)
        for line in wanted:
            self.foldLine(line, 0)

    def show_times(self, times: Mapping[int, tuple[str, str]]) -> None:
        """Show (host, device) times of lines in the margin; no times, no margin."""
        self.marginTextClearAll()
        widest = 0
        for line, (host, device) in times.items():
            text = "  ".join(part for part in (host, device) if part)
            styles = bytes([_NOTE_STYLES["host"]]) * len(host.encode())
            styles += bytes([_NOTE_STYLES["device"]]) * (len(text.encode()) - len(styles))
            self.marginSetText(line - 1, text)
            self.marginSetStyles(line - 1, styles.decode("ascii"))
            widest = max(widest, self.textWidth(_NOTE_STYLES["host"], text))
        self.setMarginWidthN(Margin.TIMES, widest + 12 if times else 0)

    def focus_lines(self, lines: Iterable[int], side: str) -> None:
        """Tint the lines of the group that is chosen in the Fusion panel."""
        self.markerDeleteAll(Marker.CHOSEN)
        self.markerSetBack(Marker.CHOSEN, scintilla_colour(theme()[f"{side}_soft"]))
        for line in lines:
            self.markerAdd(line - 1, Marker.CHOSEN)

    def focus_parts(self, parts: Iterable[Part]) -> None:
        """Frame the parts of lines that the chosen operations compute."""
        self.clear_indicator(Indicator.PART)
        self.setIndicatorCurrent(Indicator.PART)
        for line, start, end in parts:
            text, first = self.line_text(line - 1), self.positionFromLine(line - 1)
            before = len(text[:start].encode())
            self.indicatorFillRange(first + before, len(text[start:end].encode()))

    def chosen_part(self) -> Part:
        """What is selected in the line of the caret; without a selection the caret."""
        first = self.positionFromLine(self.caret_line - 1)
        ends = (self.selectionStart(), self.selectionEnd())
        here = ends if ends[0] >= first else (self.currentPos(), self.currentPos())
        start, end = (self.countCharacters(first, position) for position in here)
        return Part(self.caret_line, start, end)

    def clear_run_annotations(self) -> None:
        """Forget what the last run said."""
        self.eOLAnnotationClearAll()
        for marker in (*marks.GROUP_MARKERS, *marks.HEAT_MARKERS, Marker.CHOSEN):
            self.markerDeleteAll(marker)

    def show_error(self, line: int, message: str) -> None:
        """Mark the line of an error and say behind the line what it is."""
        self.markerAdd(line - 1, Marker.ERROR_LINE)
        self.eOLAnnotationSetText(line - 1, f"    {message}")
        self.eOLAnnotationSetStyle(line - 1, _NOTE_STYLES["error"])

    def reveal(self, line: int) -> None:
        """Scroll to a line (from 1); the caret stays where it is."""
        self.ensureVisible(line - 1)
        start = self.positionFromLine(line - 1)
        self.scrollRange(start, start)

    def clear_errors(self) -> None:
        """Take all error marks away."""
        line = self.markerNext(0, 1 << Marker.ERROR_LINE)
        while line >= 0:
            self._forget_run_annotation(line)
            line = self.markerNext(line + 1, 1 << Marker.ERROR_LINE)
        self.markerDeleteAll(Marker.ERROR_LINE)

    def show_execution(self, line: int | None) -> None:
        """Mark where the script stands; None when it stands nowhere here."""
        self.markerDeleteAll(Marker.EXECUTION)
        self.markerDeleteAll(Marker.EXECUTION_LINE)
        self._tint_caret_line(on=not line)
        if line:
            self.markerAdd(line - 1, Marker.EXECUTION)
            self.markerAdd(line - 1, Marker.EXECUTION_LINE)
            self.go_to(line)

    # --- events -----------------------------------------------------------------------

    def _on_escape(self, event: QKeyEvent) -> bool:
        """Escape clears what is highlighted, and does whatever else it does."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear_indicator(Indicator.FOUND)
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The buttons beside the wheel go back (-1) and forward (1)."""
        step = _TRAVEL.get(event.button())
        if step is None:
            super().mousePressEvent(event)
        else:
            self.travelled.emit(step)

    def paste(self) -> None:
        """Insert what is in the clipboard; whole lines find their place."""
        self._blocks.paste(super().paste)

    def _on_update(self, what: int) -> None:
        if self._typed or what & Scintilla.Update.Selection:  # marks of a run move no caret
            self._typed = False
            self._match_brace()
            self.caret_moved.emit()

    def _match_brace(self) -> None:
        position = self.currentPos()
        for candidate in (position - 1, position):
            if candidate >= 0 and chr(self.charAt(candidate) & 0xFF) in _BRACES:
                other = self.braceMatch(candidate, 0)
                if other >= 0:
                    self.braceHighlight(candidate, other)
                else:
                    self.braceBadLight(candidate)
                return
        self.braceHighlight(-1, -1)

    def _on_margin(self, position: int, _modifiers: int, margin: int) -> None:
        if margin == Margin.BREAKPOINTS:
            self.stops.toggle(self.lineFromPosition(position) + 1)

    def _on_lines_added(self, _count: int) -> None:
        self._update_number_width()
        if self.stops.all():
            self.breakpoints_changed.emit()

    def _on_modified(
        self, _what: int, position: int, _length: int, added: int, *_rest: object
    ) -> None:
        line, self._typed = self.lineFromPosition(position), True
        self.setScrollWidthTracking(True)
        self._forget_run_annotation(line)
        if added > MANY_LINES:
            section_marks.mark_all(self)
            return
        for number in range(line, min(line + max(added, 0) + 1, self.lineCount())):
            section_marks.mark(self, number)

    def _forget_run_annotation(self, line: int) -> None:
        if self.eOLAnnotationText(line).size():
            self.eOLAnnotationSetText(line, "")

    def _on_zoom(self, level: int) -> None:
        self._define_pictures()
        self._update_number_width()
        self.zoomed.emit(level)

    def _update_number_width(self) -> None:
        digits = "9" * max(3, len(str(self.lineCount())))
        self.setMarginWidthN(Margin.NUMBERS, self.textWidth(Style.LineNumber, digits) + 8)
