"""A Scintilla view in the colours of the theme, and the languages it can colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget
from pyside6_scintilla import Scintilla, ScintillaEdit

from app.ui.editor.right_to_left import RightToLeft
from app.ui.support.fonts import CodeFont
from app.ui.support.theme import scintilla_colour, theme, theme_hub

Style = Scintilla.StylesCommon
Element = Scintilla.Element
_CHARACTERS = Scintilla.LineCharacterIndexType.Utf32

MATLAB_KEYWORDS = (
    "break case catch classdef continue else elseif end enumeration events for function global if "
    "methods otherwise parfor persistent properties return spmd switch try while arguments"
)
_WGSL_KEYWORDS = (
    "alias break case const const_assert continue continuing default diagnostic discard else "
    "enable false fn for if let loop override requires return struct switch true var while"
)
_WGSL_TYPES = (
    "array atomic bool f16 f32 f64 i32 i64 mat2x2 mat3x3 mat4x4 ptr u32 u64 vec2 vec3 vec4 vec2f "
    "vec3f vec4f vec2u vec3u vec4u storage uniform workgroup private read read_write function"
)
_WGSL_FUNCTIONS = (
    "abs acos all any arrayLength asin atan atan2 bitcast ceil clamp cos cosh countOneBits cross "
    "distance dot exp exp2 floor fma fract inverseSqrt length log log2 max min mix modf normalize "
    "pow round select sign sin sinh sqrt step tan tanh trunc workgroupBarrier storageBarrier main"
)


@dataclass(frozen=True)
class Language:
    """A Lexilla lexer and how its styles map to the syntax colours of the theme."""

    lexer: str
    styles: Mapping[int, str]
    keywords: tuple[str, ...] = ()
    properties: Mapping[str, str] = field(default_factory=dict)


class MarkupStyle(IntEnum):
    """Styles of what a live script has beside its code (see ``markup_styles``)."""

    MARK = 40
    PROSE = 41
    HEADING = 42
    APPENDIX = 43


MATLAB = Language(
    "matlab",
    {
        1: "comment",
        2: "command",
        3: "number",
        4: "keyword",
        5: "string",
        6: "operator",
        7: "default",
        8: "string",
        MarkupStyle.MARK: "comment",
        MarkupStyle.PROSE: "default",
        MarkupStyle.HEADING: "section",
        MarkupStyle.APPENDIX: "comment",
    },
    (MATLAB_KEYWORDS,),
    {"fold": "1", "fold.compact": "0"},
)
WGSL = Language(
    "rust",
    {
        1: "comment",
        2: "comment",
        3: "comment",
        4: "comment",
        5: "number",
        6: "keyword",
        7: "type",
        8: "function",
        13: "string",
        15: "string",
        16: "operator",
        17: "default",
        18: "default",
        19: "attribute",
        20: "default",
    },
    (_WGSL_KEYWORDS, _WGSL_TYPES, _WGSL_FUNCTIONS),
)
PLAIN = Language("null", {})


MOST_BEFORE = 20_000
"""Bytes before the caret that typing looks at: a line of data can be of any length."""
MOST_END = 1000
"""Bytes at either end of a line that typing looks at."""
LINES_BEFORE = 60
"""How many lines above the caret typing looks at; a statement longer than that is rare."""
MOVED = Scintilla.Update.Selection | Scintilla.Update.Content
"""What ``updateUi`` says when the caret may have moved; typing moves it, too."""
KeyHandler = Callable[[QKeyEvent], bool]


def is_enter(event: QKeyEvent) -> bool:
    """True for the keys that end a line; some keyboards and tools have a line feed for it."""
    return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or event.text() in ("\n", "\r")


class Surface(ScintillaEdit):
    """A Scintilla view without frame, with the theme's colours and the code typeface.

    Attributes:
        key_handlers: asked about every key, the first one first, before Scintilla gets it; the
            one that returns True has done everything.
        before_painting: called before the text is painted, such as to colour what was edited.
        ground: the theme's colour behind the text.
        covered: whether a page is shown in its place.
    """

    ground = "editor"

    def __init__(self, language: Language = PLAIN, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.language = language
        self.key_handlers: list[KeyHandler] = []
        self.covered = False
        self.before_painting: list[Callable[[], None]] = []
        self._right_to_left = RightToLeft(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCodePage(65001)
        self.allocateLineCharacterIndex(_CHARACTERS)
        self.setTechnology(Scintilla.Technology.Default)
        self.setFontQuality(Scintilla.FontQuality.QualityLcdOptimized)
        self.setScrollWidthTracking(True)
        self.setScrollWidth(1)
        self.setEndAtLastLine(True)
        self.setCaretPeriod(530)
        self.setCaretWidth(2)
        self.setSelectionLayer(Scintilla.Layer.UnderText)
        self.setCaretLineLayer(Scintilla.Layer.Base)  # below brackets, occurrences, findings
        self.setExtraAscent(2)
        self.setExtraDescent(2)
        self.setMarginLeft(4)
        self.setTabWidth(4)
        self.setIndent(4)
        self.setUseTabs(False)
        self.setMargins(0)
        self.usePopUp(Scintilla.PopUp.Never)
        self._set_lexer()
        self.apply_theme()
        theme_hub().changed.connect(self.apply_theme)

    def _set_lexer(self) -> None:
        if self.language.lexer == "null":
            return
        from lexilla import create_lexer

        lexer = create_lexer(self.language.lexer)
        self.setILexer(lexer.detach())
        for number, words in enumerate(self.language.keywords):
            self.setKeyWords(number, words)
        for key, value in self.language.properties.items():
            self.setProperty(key, value)

    def apply_theme(self) -> None:
        """Take the colours of the theme in use."""
        current = theme()
        back = scintilla_colour(current[self.ground])
        self.styleResetDefault()
        self.styleSetFont(Style.Default, CodeFont.family)
        self.styleSetSize(Style.Default, CodeFont.points)
        self.styleSetFore(Style.Default, scintilla_colour(current.syntax["default"]))
        self.styleSetBack(Style.Default, back)
        self.styleClearAll()
        for style in range(Style.Max + 1):  # else every letter of a long line is measured
            self.styleSetCheckMonospaced(style, True)
        for style, token in self.language.styles.items():
            self.styleSetFore(style, scintilla_colour(current.syntax[token]))
        self._set_predefined()
        self._set_elements()

    def _set_predefined(self) -> None:
        current = theme()
        self.styleSetFore(Style.LineNumber, scintilla_colour(current["faint"]))
        self.styleSetBack(Style.LineNumber, scintilla_colour(current[self.ground]))
        self.styleSetFore(Style.IndentGuide, scintilla_colour(current["border"]))
        self.styleSetFore(Style.BraceLight, scintilla_colour(current.syntax["brace"]))
        self.styleSetBack(Style.BraceLight, scintilla_colour(current["accent_soft"]))
        self.styleSetBold(Style.BraceLight, True)
        self.styleSetFore(Style.BraceBad, scintilla_colour(current["error"]))
        self.styleSetBack(Style.BraceBad, scintilla_colour(current["error_soft"]))
        self.styleSetBack(Style.CallTip, scintilla_colour(current["raised"]))
        self.styleSetFore(Style.CallTip, scintilla_colour(current["text"]))

    def _set_elements(self) -> None:
        current = theme()
        pairs: tuple[tuple[int, str], ...] = (
            (Element.SelectionBack, "selection"),
            (Element.SelectionAdditionalBack, "selection"),
            (Element.SelectionSecondaryBack, "selection"),  # another program has selected, too
            (Element.SelectionInactiveBack, "accent_soft"),
            (Element.SelectionInactiveAdditionalBack, "accent_soft"),
            (Element.Caret, "accent"),
            (Element.CaretAdditional, "accent"),
            (Element.List, "text"),
            (Element.ListBack, "raised"),
            (Element.ListSelected, "text"),
            (Element.ListSelectedBack, "accent_soft"),
            (Element.WhiteSpace, "faint"),
            (Element.FoldLine, "border"),
        )
        for element, token in pairs:
            self.setElementColour(element, scintilla_colour(current[token]) | 0xFF000000)

    def setFocus(self, *_reason: object) -> None:
        """Take the keyboard; Scintilla's message of this name would only draw the caret."""
        QWidget.setFocus(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ask the handlers; a key that none of them wants is Scintilla's."""
        if not any(handler(event) for handler in self.key_handlers):
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text, then the words in it that are read from the right."""
        for act in self.before_painting:
            act()
        words = self._right_to_left.visible_words()
        self._right_to_left.give_cells(words)
        super().paintEvent(event)
        self._right_to_left.paint(event, words)

    # --- carets and selections, in byte positions ---------------------------------------

    def ranges(self) -> list[tuple[int, int]]:
        """Start and end of every selection, in the order of the text."""
        return sorted(
            (self.selectionNStart(n), self.selectionNEnd(n)) for n in range(self.selections())
        )

    def drop_line_index(self) -> None:
        """Count characters only when somebody asks: a large text grows four times as fast."""
        self.releaseLineCharacterIndex(_CHARACTERS)

    def set_ranges(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Select these, the carets at the ends; the last one is the main one."""
        (start, end), *others = ranges
        self.setSelection(end, start)
        for start, end in others:
            self.addSelection(end, start)
        self.scrollCaret()
        self.chooseCaretX()

    def set_carets(self, positions: Sequence[int]) -> None:
        """Put carets there, and select nothing."""
        self.set_ranges([(p, p) for p in positions])

    def word_at(self, position: int) -> str:
        """The word that holds a byte position."""
        start = self.wordStartPosition(position, True)
        return self.slice(start, self.wordEndPosition(position, True))

    def place_on_screen(self, position: int) -> QRect:
        """Where the character at a position stands on the screen."""
        corner = QPoint(self.pointXFromPosition(position), self.pointYFromPosition(position))
        height = self.textHeight(self.lineFromPosition(position))
        return QRect(self.viewport().mapToGlobal(corner), QSize(1, height))

    def clear_indicator(self, indicator: int) -> None:
        """Remove an indicator everywhere."""
        self.setIndicatorCurrent(indicator)
        self.indicatorClearRange(0, self.textLength())

    # --- text, in characters rather than bytes ----------------------------------------

    def text(self) -> str:
        """The whole text."""
        return self.slice(0, self.textLength())

    def slice(self, start: int, end: int) -> str:
        """The text between two byte positions, as far as there is any."""
        end = min(end, self.textLength())
        if not 0 <= start < end:
            return ""
        return bytes(self.textRange(start, end).data()).decode("utf-8", "replace")

    def line_text(self, line: int) -> str:
        """Line ``line`` (from 0) without its end."""
        return self.slice(self.positionFromLine(line), self.lineEndPosition(line))

    def lines(self) -> list[str]:
        """All lines."""
        return self.text().split("\n")

    @property
    def caret_line(self) -> int:
        """The line of the caret, from 1."""
        return self.lineFromPosition(self.currentPos()) + 1

    def blanks(self, columns: int) -> str:
        """Indentation as wide as ``columns``, with tabs where the settings say so."""
        if not self.useTabs():
            return " " * columns
        return "\t" * (columns // self.tabWidth()) + " " * (columns % self.tabWidth())

    def offset_of(self, position: int) -> int:
        """A byte position as a number of characters from the start of the text."""
        line = self.lineFromPosition(position)
        if not self.lineCharacterIndex():  # a large text keeps none
            return self.countCharacters(0, position)
        before = self.indexPositionFromLine(line, _CHARACTERS)
        return before + self.countCharacters(self.positionFromLine(line), position)

    def show_text(self, text: str) -> None:
        """Replace everything, also in a read-only view; nothing to undo remains."""
        locked = self.readOnly()
        self.setReadOnly(False)
        self.setText(whole_characters(text))
        self.emptyUndoBuffer()
        self.setReadOnly(locked)

    def add(self, text: str) -> None:
        """Insert whole characters at the end, also in a read-only view."""
        locked = self.readOnly()
        self.setReadOnly(False)
        self.appendText(len(text.encode("utf-8")), text)
        self.setReadOnly(locked)


def whole_characters(text: str) -> str:
    """``text`` as Scintilla can hold it, which takes UTF-8: halves of characters that stand side
    by side are joined, others shown as U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def read_only(surface: Surface, name: str) -> Surface:
    """Make ``surface`` a quiet viewer: no caret, focus only by click."""
    surface.setReadOnly(True)
    surface.setCaretStyle(Scintilla.CaretStyle.Invisible)
    surface.setAccessibleName(name)
    surface.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    return surface


def tell_moved(surface: Surface) -> None:
    """The caret of a surface was moved: one that is not painted, since a page covers it, tells of
    that only so."""
    if surface.covered:
        surface.updateUi.emit(Scintilla.Update.Selection)


def show_place(surface: Surface, line: int, column: int) -> None:
    """Put the caret on a place, counted from 0; one that was out of sight comes to the middle."""
    surface.ensureVisible(line)
    row = surface.visibleFromDocLine(line) - surface.firstVisibleLine()
    surface.gotoPos(surface.findColumn(line, column))
    if not 0 <= row < surface.linesOnScreen() - 1:
        surface.verticalCentreCaret()
    tell_moved(surface)


def line_ends(editor: Surface, line: int, last: int | None = None) -> str:
    """Line ``line`` (from 0) of an editor, to position ``last`` if given; of a long one the
    beginning and the end, where its block and brackets open and close."""
    first = editor.positionFromLine(line)
    behind = editor.lineEndPosition(line) if last is None else last
    if behind - first <= 2 * MOST_END:
        return editor.slice(first, behind)
    head, tail = editor.positionBefore(first + MOST_END), editor.positionAfter(behind - MOST_END)
    return editor.slice(first, head) + editor.slice(tail, behind)


def text_before(surface: Surface, position: int) -> str:
    """The text up to there, beginning some lines above: what a statement may need."""
    first = max(0, surface.lineFromPosition(position) - LINES_BEFORE)
    begun = "%{\n" if first and in_block_comment(surface, first) else ""
    start = surface.positionAfter(max(surface.positionFromLine(first), position - MOST_BEFORE) - 1)
    return begun + surface.slice(start, position)


def in_block_comment(surface: Surface, line: int) -> bool:
    """True when a line begins inside a comment of several lines, as the colours have it."""
    text, start = surface.line_text(line), surface.positionFromLine(line)
    place = start + len(text) - len(text.lstrip())
    is_comment = surface.language.styles.get(surface.styleAt(place)) == "comment"
    return is_comment and text.lstrip()[:1] not in ("%", "#", "")


def display_lines(surface: Surface) -> int:
    """How many lines the text takes on the screen, where some are broken."""
    if not surface.textLength():
        return 0
    last = surface.lineCount() - 1
    return surface.visibleFromDocLine(last) + surface.wrapCount(last)


def indicated(surface: Surface, indicator: int) -> Iterator[tuple[int, int]]:
    """Start and end of every range that has an indicator."""
    place, end = 0, surface.textLength()
    while place < end:
        upto = surface.indicatorEnd(indicator, place)
        if surface.indicatorValueAt(indicator, place):
            yield place, upto
        if upto <= place:
            return
        place = upto


def lines_above(surface: Surface, line: int, most: int = LINES_BEFORE) -> list[str]:
    """Some lines before ``line`` (from 0): as many, and as much of each, as typing looks at."""
    return [line_ends(surface, n) for n in range(max(0, line - most), line)]
