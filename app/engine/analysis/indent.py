"""Indentation: how deep each line belongs, from the blocks around it.

Only blanks at the beginnings of lines change; what continues a statement over several lines
moves with its first line.
"""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.analysis.navigation import Edit
from app.engine.language import MATLAB, Dialect
from app.engine.language.lexer import tokenize
from app.engine.language.tokens import CLOSERS, OPENERS, SEPARATORS, TokenStream
from app.source import SourceText, Span

MIDDLE = frozenset({"ELSE", "ELSEIF", "CATCH", "CLEANUP"})
_CASES = frozenset({"CASE", "OTHERWISE"})
OPENING = frozenset({"LPAR", "LBRA", "OBRA", "LBRACE", "IBRACE", "VBRACE"})
CLOSING = frozenset({"RPAR", "RBRA", "RBRACE"})


class Levels:
    """Walks the tokens; knows how deep the next statement is."""

    def __init__(self, stream: TokenStream) -> None:
        self.open: list[str] = []
        self.functions_end = "FEND" not in stream.kinds

    def place(self, kind: str) -> int:
        """How deep a line belongs that begins with ``kind``."""
        depth = len(self.open)
        if kind in _CASES:
            return depth - (self.open[-1:] == ["CASE"])
        if kind in CLOSERS:
            return max(0, depth - 1 - (self.open[-1:] == ["CASE"]))
        return max(0, depth - 1) if kind in MIDDLE else depth

    def pass_by(self, kind: str) -> None:
        """Go on behind a token."""
        if kind in _CASES:
            if self.open[-1:] != ["CASE"]:
                self.open.append("CASE")
        elif kind in CLOSERS:
            if self.open[-1:] == ["CASE"]:
                self.open.pop()
            del self.open[-1:]
        elif kind in OPENERS and (kind != "FUNCTION" or self.functions_end):
            self.open.append(kind)


def reindent(source: SourceText, dialect: Dialect = MATLAB, unit: str = "    ") -> tuple[Edit, ...]:
    """Edits that put every line where it belongs."""
    wanted = dict(_indentation_widths(source, dialect, len(unit.expandtabs(4))))
    edits = []
    for line, width in sorted(wanted.items()):
        start = source.line_starts[line - 1]
        text = source.line_text(line)
        blanks = text[: len(text) - len(text.lstrip(" \t"))]
        tab = unit == "\t"
        new = "\t" * (width // 4) + " " * (width % 4) if tab else " " * width
        if new != blanks:
            edits.append(Edit(Span(start, start + len(blanks)), new))
    return tuple(edits)


def indent_level(before: str, dialect: Dialect = MATLAB) -> int:
    """How deep a new line belongs behind ``before``."""
    stream = tokenize(before, dialect)
    levels = Levels(stream)
    for kind in stream.kinds:
        levels.pass_by(kind)
    return len(levels.open)


def _indentation_widths(
    source: SourceText, dialect: Dialect, unit: int
) -> Iterator[tuple[int, int]]:
    """Line and width of its indentation, for every line that is not blank."""
    stream = tokenize(source.text, dialect)
    levels = Levels(stream)
    comments = {source.line_of(span.start): span for span in stream.comments}
    brackets, shift, done, begins = 0, 0, 0, True
    for kind, start in zip(stream.kinds, stream.starts, strict=True):
        line = source.line_of(start)
        if line > done and kind not in ("NL", "FEND"):
            between = done + 1
            while between < line:
                width = len(levels.open) * unit if begins else _width(source, between) + shift
                yield from _comment(source, comments.get(between), between, max(0, width))
                span = comments.get(between)
                between = 1 + (source.line_of(span.end) if span else between)
            if kind == "$END":
                return
            width = levels.place(kind) * unit if begins else _width(source, line) + shift
            if begins:
                shift = width - _width(source, line)
            yield line, max(0, width)
            done = line
        brackets += (kind in OPENING) - (kind in CLOSING)
        levels.pass_by(kind)
        begins = brackets <= 0 and (kind in SEPARATORS or (begins and kind == "FEND"))
        if begins:
            brackets = 0


def _comment(
    source: SourceText, span: Span | None, line: int, width: int
) -> Iterator[tuple[int, int]]:
    """A comment's lines; those of a block comment move together."""
    if source.line_text(line).strip():
        yield line, width
    if span is not None:
        shift = width - _width(source, line)
        for inner in range(line + 1, source.line_of(span.end) + 1):
            if source.line_text(inner).strip():
                yield inner, max(0, _width(source, inner) + shift)


def _width(source: SourceText, line: int) -> int:
    text = source.line_text(line).expandtabs(4)
    return len(text) - len(text.lstrip())
