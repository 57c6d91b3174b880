"""What the settings say about editors, put into effect."""

from __future__ import annotations

import re

from pyside6_scintilla import Scintilla

from app.settings import Settings
from app.ui.editor.code_editor import CodeEditor
from app.ui.editor.text_changes import one_step
from app.ui.support.theme import scintilla_colour, theme

_BLANKS_AT_END = re.compile(r"(?<![ \t])[ \t]++(?=\n|\Z)")


def apply_settings(editor: CodeEditor, settings: Settings) -> None:
    """Make an editor behave and look as the settings say."""
    editor.setTabWidth(settings.editor_tab_width)
    editor.setIndent(settings.editor_tab_width)
    editor.setUseTabs(settings.editor_tabs)
    wrap = Scintilla.Wrap
    editor.setWrapMode(wrap.Word if settings.editor_wrap else wrap.None_)
    editor.setWrapIndentMode(Scintilla.WrapIndentMode.Indent)
    space = Scintilla.WhiteSpace
    editor.setViewWS(space.VisibleAlways if settings.editor_whitespace else space.Invisible)
    editor.close_brackets = settings.editor_close_brackets
    editor.close_blocks = settings.editor_close_blocks
    _show_rulers(editor, settings.editor_rulers)


def _show_rulers(editor: CodeEditor, columns: str) -> None:
    editor.multiEdgeClearAll()
    wanted = [int(column) for column in re.findall(r"\d+", columns)]
    mode = Scintilla.EdgeVisualStyle
    editor.setEdgeMode(mode.MultiLine if wanted else mode.None_)
    for column in wanted:
        editor.multiEdgeAddLine(column, scintilla_colour(theme()["border"]))


def tidy(editor: CodeEditor, settings: Settings) -> None:
    """Change what is to be changed before saving, as one step to undo; carets stay."""
    text = editor.text()
    spans = [m.span() for m in _BLANKS_AT_END.finditer(text)] if settings.editor_trim else []
    newline = settings.editor_final_newline and text and not text.rstrip(" \t").endswith("\n")
    if not spans and not newline:
        return
    with one_step(editor):
        for first, last in reversed(spans):
            start = len(text[:first].encode())
            editor.deleteRange(start, last - first)
        if newline:
            editor.appendText(1, "\n")
