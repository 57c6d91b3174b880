"""How an editor looks and is typed in: margins, markers, indicators, colours, columns."""

from __future__ import annotations

import ctypes

from PySide6.QtGui import QImage
from pyside6_scintilla import Scintilla

from app.ui.editor import marks
from app.ui.editor.marks import Indicator, Margin, Marker
from app.ui.editor.surface import Surface
from app.ui.support.theme import scintilla_colour, theme

_FOLD_MASK = 0xFE000000
NOTE_STYLES = {"device": 60, "host": 61, "transfer": 62, "error": 63}
_ALL_HELD = 1 | 2 | 4  # Shift, Control and Alt as Scintilla counts them
_COLUMN_KEYS = {
    Scintilla.Keys.Down: Scintilla.Message.LineDownRectExtend,
    Scintilla.Keys.Up: Scintilla.Message.LineUpRectExtend,
    Scintilla.Keys.Left: Scintilla.Message.CharLeftRectExtend,
    Scintilla.Keys.Right: Scintilla.Message.CharRightRectExtend,
}
_BRACES = "()[]{}"


def set_up_margins(editor: Surface) -> None:
    """Times, breakpoints, numbers, heat, groups, changes, folds, from the left."""
    symbol, number = Scintilla.MarginType.Back, Scintilla.MarginType.Number
    groups = sum(1 << m for m in marks.GROUP_MARKERS)
    dots = sum(1 << m for m in marks.STOP_MARKERS)
    editor.setMargins(len(Margin))
    for margin, kind, mask, width in (
        (Margin.TIMES, Scintilla.MarginType.RText, 0, 0),
        (Margin.BREAKPOINTS, symbol, dots, 18),
        (Margin.NUMBERS, number, 0, 36),
        (Margin.HEAT, symbol, sum(1 << m for m in marks.HEAT_MARKERS), 5),
        (Margin.GROUPS, symbol, groups, 14),
        (Margin.CHANGES, symbol, sum(1 << m for m in marks.HISTORY_MARKERS), 3),
        (Margin.FOLDS, symbol, _FOLD_MASK, 14),
    ):
        editor.setMarginTypeN(margin, kind)
        editor.setMarginMaskN(margin, mask)
        editor.setMarginWidthN(margin, width)
    editor.setMarginSensitiveN(Margin.BREAKPOINTS, True)
    editor.setMarginSensitiveN(Margin.FOLDS, True)
    automatic = Scintilla.AutomaticFold
    editor.setAutomaticFold(automatic.Show | automatic.Click | automatic.Change)


def set_up_typing(editor: Surface) -> None:
    """Columns, several carets, indentation, ends of lines."""
    editor.setCaretLineVisible(True)
    editor.setCaretLineVisibleAlways(False)
    editor.setIndentationGuides(Scintilla.IndentView.LookBoth)
    editor.setTabIndents(True)
    editor.setBackSpaceUnIndents(True)
    editor.setMultipleSelection(True)
    editor.setAdditionalSelectionTyping(True)
    editor.setMultiPaste(Scintilla.MultiPaste.Each)
    editor.setVirtualSpaceOptions(Scintilla.VirtualSpace.RectangularSelection)
    editor.setEOLMode(Scintilla.EndOfLine.Lf)
    editor.setPasteConvertEndings(True)
    editor.setYCaretPolicy(0x0D, 3)
    editor.eOLAnnotationSetVisible(Scintilla.EOLAnnotationVisible.Standard)
    editor.setMouseDwellTime(500)
    for key, message in _COLUMN_KEYS.items():  # as with Alt+Shift, which some desktops take
        editor.assignCmdKey(key | _ALL_HELD << 16, message)


def show_theme(editor: Surface) -> None:
    """Show margins, marks and remarks in the colours of the theme in use."""
    current = theme()
    tint_caret_line(editor, on=True)
    for side, style in NOTE_STYLES.items():
        editor.styleSetFore(style, scintilla_colour(current[side]))
        editor.styleSetSizeFractional(style, 875)
    _define_backgrounds(editor)
    define_pictures(editor)
    _define_folds(editor)
    _define_indicators(editor)
    for margin in (Margin.FOLDS, Margin.GROUPS, Margin.HEAT, Margin.CHANGES):
        editor.setMarginBackN(margin, scintilla_colour(current[editor.ground]))
    editor.setFoldMarginColour(True, scintilla_colour(current[editor.ground]))
    editor.setFoldMarginHiColour(True, scintilla_colour(current[editor.ground]))


def _define_backgrounds(editor: Surface) -> None:
    current = theme()
    for marker, token in (
        (Marker.SECTION, "hover"),
        (Marker.CHOSEN, "device_soft"),
        (Marker.ERROR_LINE, "error_soft"),
        (Marker.EXECUTION_LINE, "pause_soft"),
    ):
        editor.markerDefine(marker, Scintilla.MarkerSymbol.Background)
        editor.markerSetBack(marker, scintilla_colour(current[token]))


def define_pictures(editor: Surface) -> None:
    """Draw the pictures in the margins as tall as a line."""
    scale = 1.0  # Scintilla paints marker pictures in device-independent pixels
    height = editor.textHeight(0)
    editor.rGBAImageSetScale(round(100 * scale))
    for marker, image in marks.pictures(theme().name, height, scale):
        _define_image(editor, marker, image)


def _define_image(editor: Surface, marker: int, image: QImage) -> None:
    editor.rGBAImageSetWidth(image.width())
    editor.rGBAImageSetHeight(image.height())
    pixels = ctypes.create_string_buffer(bytes(image.constBits()), image.sizeInBytes())
    address = ctypes.addressof(pixels)
    editor.send(Scintilla.Message.MarkerDefineRGBAImage, marker, address)


def _define_folds(editor: Surface) -> None:
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
        editor.markerDefine(number, shape)
        editor.markerSetFore(number, faint)
        editor.markerSetBack(number, faint)
    for number, token in marks.HISTORY_MARKERS.items():
        editor.markerDefine(number, symbol.Bar)
        editor.markerSetFore(number, scintilla_colour(theme()[token]))
        editor.markerSetBack(number, scintilla_colour(theme()[token]))


def _define_indicators(editor: Surface) -> None:
    style = Scintilla.IndicatorStyle
    current = theme()
    for indicator, kind, token in (
        (Indicator.ERROR, style.SquiggleLow, "error"),
        (Indicator.WARNING, style.SquiggleLow, "warning"),
        (Indicator.INFO, style.Dots, "accent"),
        (Indicator.COST, style.Dots, "accent"),
        (Indicator.STOP, style.Hidden, "accent"),
        (Indicator.RUN, style.Hidden, "accent"),
        (Indicator.SEARCHED, style.FullBox, "faint"),
        (Indicator.FOUND, style.RoundBox, "transfer"),
        (Indicator.OCCURRENCE, style.RoundBox, "accent"),
        (Indicator.BLOCK, style.RoundBox, "accent"),
        (Indicator.READ, style.RoundBox, "both"),
        (Indicator.WRITTEN, style.RoundBox, "heat"),
        (Indicator.RESIDENT, style.CompositionThin, "device"),
        (Indicator.PART, style.RoundBox, "accent"),
    ):
        editor.indicSetStyle(indicator, kind)
        editor.indicSetFore(indicator, scintilla_colour(current[token]))
        editor.indicSetUnder(indicator, True)
        editor.indicSetAlpha(indicator, 50)
        editor.indicSetOutlineAlpha(indicator, 120)
    for indicator, token in (
        (Indicator.SECTION_TITLE, "section"),
        (Indicator.FUNCTION, "function"),
        (Indicator.OWN_FUNCTION, "type"),
    ):
        editor.indicSetStyle(indicator, style.TextFore)
        editor.indicSetFore(indicator, scintilla_colour(current.syntax[token]))


def tint_caret_line(editor: Surface, *, on: bool) -> None:
    """Scintilla forgets the colour while the line is not shown."""
    editor.setCaretLineVisible(on)
    if on:
        colour = scintilla_colour(theme()["caret_line"]) | 0xFF000000
        editor.setElementColour(Scintilla.Element.CaretLineBack, colour)


def match_brace(editor: Surface) -> None:
    """Light up the brace at the caret and its partner."""
    position = editor.currentPos()
    for candidate in (position - 1, position):
        if candidate >= 0 and chr(editor.charAt(candidate) & 0xFF) in _BRACES:
            other = editor.braceMatch(candidate, 0)
            if other >= 0:
                editor.braceHighlight(candidate, other)
            else:
                editor.braceBadLight(candidate)
            return
    editor.braceHighlight(-1, -1)
