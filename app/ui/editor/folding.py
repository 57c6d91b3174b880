"""Which blocks of a text are folded."""

from __future__ import annotations

from collections.abc import Iterable

from app.ui.editor.surface import Surface

_HEAD = 0x2000
"""Set in the fold level of a line that begins a block."""


def folds(editor: Surface) -> list[int]:
    """The folded lines, from 0."""
    found, line = [], editor.contractedFoldNext(0)
    while line >= 0:
        found.append(line)
        line = editor.contractedFoldNext(line + 1)
    return found


def fold_here(editor: Surface) -> bool:
    """Fold the innermost open block around the caret, if any; the caret goes to its head."""
    editor.colourise(editor.endStyled(), -1)
    line = editor.lineFromPosition(editor.currentPos())
    if not _is_head(editor, line) or not editor.foldExpanded(line):
        line = editor.foldParent(line)
    if line >= 0:
        editor.gotoPos(editor.lineEndPosition(line))
        editor.foldLine(line, 0)
    return line >= 0


def unfold_here(editor: Surface) -> bool:
    """Unfold the block that begins where the caret is, if it is folded."""
    line = editor.lineFromPosition(editor.currentPos())
    if not _is_head(editor, line) or editor.foldExpanded(line):
        return False
    editor.foldLine(line, 1)
    return True


def _is_head(editor: Surface, line: int) -> bool:
    return bool(editor.foldLevel(line) & _HEAD)


def fold_lines(editor: Surface, lines: Iterable[int]) -> None:
    """Fold these lines again; the lexer says first where blocks begin."""
    wanted = list(lines)
    if wanted:
        editor.colourise(editor.endStyled(), -1)
    for line in wanted:
        editor.foldLine(line, 0)
