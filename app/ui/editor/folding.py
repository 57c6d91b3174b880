"""Which blocks of a text are folded."""

from __future__ import annotations

from collections.abc import Iterable

from app.ui.editor.surface import Surface


def folds(editor: Surface) -> list[int]:
    """The folded lines, from 0."""
    found, line = [], editor.contractedFoldNext(0)
    while line >= 0:
        found.append(line)
        line = editor.contractedFoldNext(line + 1)
    return found


def fold_lines(editor: Surface, lines: Iterable[int]) -> None:
    """Fold these lines again; the lexer says first where blocks begin."""
    wanted = list(lines)
    if wanted:
        editor.colourise(editor.endStyled(), -1)
    for line in wanted:
        editor.foldLine(line, 0)
