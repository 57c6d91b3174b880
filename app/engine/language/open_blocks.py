"""Which blocks are open, and whether the functions of this text are closed by ``end``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.source import Span

if TYPE_CHECKING:
    from app.engine.language.lexer import Lexer


class Blocks:
    """The stack of open blocks.

    Attributes:
        top: kind of the innermost open block; empty outside of all.
        fresh: no statement was seen in the function just begun (``arguments`` may follow).
        spans: from opener to closer of each closed block.
    """

    __slots__ = ("fresh", "functions", "spans", "stack", "top", "unclosed")

    def __init__(self) -> None:
        self.stack: list[tuple[str, int]] = []
        self.top = ""
        self.fresh = False
        self.spans: list[Span] = []
        self.functions: list[int] = []
        self.unclosed: set[int] = set()

    def open(self, lexer: Lexer, kind: str) -> None:
        """The last token opened a block."""
        token = len(lexer.kinds) - 1
        if kind == "FUNCTION":
            self.functions.append(token)
            self.unclosed.add(token)
        self.stack.append((kind, token))
        self.top = kind
        self.fresh = kind == "FUNCTION"

    def close(self, lexer: Lexer, kind: str) -> None:
        """The last token closed the innermost block."""
        if kind == "ENDFUNCTION":
            while self.stack and self.stack[-1][0] != "FUNCTION":
                self.stack.pop()
        if self.stack:
            opened, token = self.stack.pop()
            self.spans.append(Span(lexer.starts[token], lexer.ends[-1]))
            self.unclosed.discard(token)
            self.fresh = opened == "ARGUMENTS"
        self.top = self.stack[-1][0] if self.stack else ""

    def close_functions(self, lexer: Lexer) -> None:
        """Insert the closing token of functions that end where the next one begins."""
        if 2 * len(self.unclosed) <= len(self.functions):
            return
        starts = [*self.functions, len(lexer.kinds)]
        added = 0
        for number, token in enumerate(self.functions):
            if token in self.unclosed:
                place = starts[number + 1] + added
                offset = lexer.starts[place] if place < len(lexer.kinds) else len(lexer.text)
                lexer.kinds.insert(place, "FEND")
                lexer.starts.insert(place, offset)
                lexer.ends.insert(place, offset)
                added += 1
