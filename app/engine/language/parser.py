"""Tokens to syntax tree: a loop over lark's LALR table that survives errors.

At a token that fits nowhere, one diagnostic is made; the innermost statement list goes on behind
the statement, and a broken block header keeps its block.
"""

from __future__ import annotations

import re
from typing import Any

from app.engine.language import ast, grammar, messages
from app.engine.language.actions import Actions
from app.engine.language.diagnostics import Diagnostic, Severity
from app.engine.language.lexer import tokenize
from app.engine.language.tokens import MATLAB, OCTAVE, Dialect, TokenStream
from app.records import record
from app.source import SourceText, Span

# A text with one of these that is no MATLAB may well be Octave's.
_OCTAVE_MARKS = re.compile(
    r'\\"|^\s*#|\bend(?:if|for|while|function|switch)\b|unwind_protect', re.MULTILINE
)
MOST_ERRORS = 100
# Symbols that a list of statements, declarations, methods… takes next.
_LISTS = frozenset(
    {"simple", "declaration", "class_block", "end_methods", "end_events", "member", "end_switch"}
)
# Tokens that complete a broken header.
_REPAIRS = {
    "IF": ["NAME", "NL"],
    "ELSEIF": ["NAME", "NL"],
    "WHILE": ["NAME", "NL"],
    "SWITCH": ["NAME", "NL"],
    "CASE": ["NAME", "NL"],
    "FOR": ["NAME", "EQ", "NAME", "NL"],
    "PARFOR": ["NAME", "EQ", "NAME", "NL"],
    "FUNCTION": ["NAME", "NL"],
    "CLASSDEF": ["NAME", "NL"],
    "UNTIL": ["NAME"],
    "PROPERTIES": ["NL"],
    "METHODS": ["NL"],
    "EVENTS": ["NL"],
    "ENUMERATION": ["NL"],
    "ARGUMENTS": ["NL"],
    "SPMD": [],
}
# What closes a block at the end of the text, and what must follow.
_FINISH = {
    "END": ["NL"],
    "FEND": ["NL"],
    "UNTIL": ["NAME", "NL"],
    "CLEANUP": ["END", "NL"],
}


@record
class ParseResult:
    """What a text holds.

    Attributes:
        file: the tree of everything that could be parsed.
        diagnostics: the syntax errors, in order.
        comments: where the comments are.
        blocks: spans of all closed blocks, from opener to closer.
        dialect: the dialect the text was read in; a text that is
            Octave's and not MATLAB's is read as Octave's although MATLAB was asked for.
    """

    file: ast.File
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Span, ...] = ()
    blocks: tuple[Span, ...] = ()
    dialect: Dialect = MATLAB

    @property
    def ok(self) -> bool:
        """True without errors."""
        return not self.diagnostics


def parse(source: SourceText, dialect: Dialect = MATLAB) -> ParseResult:
    """Parse a whole text; errors never raise."""
    result = _parse(source.text, dialect)
    if result.diagnostics and dialect is MATLAB and _OCTAVE_MARKS.search(source.text):
        octave = _parse(source.text, OCTAVE)
        if not octave.diagnostics:
            return octave
    return result


def parse_expression(
    source: SourceText, dialect: Dialect = MATLAB
) -> tuple[ast.Expr | None, tuple[Diagnostic, ...]]:
    """Parse one expression; None with diagnostics when it is none."""
    stream = tokenize(source.text, dialect, expression=True)
    machine = Machine(source.text, stream, dialect, "single")
    value = machine.run(stop_at_error=True)
    found = tuple(sorted(stream.diagnostics, key=lambda d: d.span))
    return (None if found else value), found


def _parse(text: str, dialect: Dialect) -> ParseResult:
    stream = tokenize(text, dialect)
    file = Machine(text, stream, dialect, "file").run()
    found = tuple(sorted(stream.diagnostics, key=lambda d: d.span))
    return ParseResult(file, found, tuple(stream.comments), tuple(stream.blocks), dialect)


class Machine:
    """The LALR automaton with its stacks."""

    def __init__(self, text: str, stream: TokenStream, dialect: Dialect, start: str) -> None:
        self.table = grammar.table()
        self.stream = stream
        self.text = text
        self.actions = Actions(text, stream, dialect)
        self.methods = [
            self.actions.named(rule.action) if rule.action else None for rule in self.table.rules
        ]
        self.last_state = self.table.ends[start]
        self.states = [self.table.starts[start]]
        self.values: list[Any] = []
        self.failed_at = -1
        self.closings = 0

    def run(self, *, stop_at_error: bool = False) -> Any:
        """Parse all tokens; the value of the start symbol."""
        token = 0
        kinds = self.stream.kinds
        while True:
            stopped = self._advance(token)
            if stopped < 0:
                return self.values[-1]
            self._report(stopped)
            if stop_at_error or len(self.stream.diagnostics) > MOST_ERRORS:
                return self._surrender()
            token = self._finish(stopped) if kinds[stopped] == "$END" else self._recover(stopped)
            if token < 0:
                return self._surrender()

    def _advance(self, token: int) -> int:
        """Run from ``token`` on: the index of a token that does not fit, or -1 at the end."""
        states, values, methods = self.states, self.values, self.methods
        table = self.table
        actions, gotos, rules, kinds = table.actions, table.gotos, table.rules, self.stream.kinds
        for index in range(token, len(kinds)):
            kind = kinds[index]
            action = actions[states[-1]].get(kind, 0)
            while action < 0:
                rule = rules[~action]
                method = methods[~action]
                size = rule.size
                if size == 0:
                    value = method() if method else None
                elif size == 1:
                    value = method(values.pop()) if method else values.pop()
                    states.pop()
                else:
                    parts = values[-size:]
                    del values[-size:], states[-size:]
                    value = method(*parts) if method else parts[0]
                state = gotos[states[-1]][rule.origin][kind]
                states.append(state)
                values.append(value)
                if kind == "$END" and state == self.last_state:
                    return -1
                action = actions[state].get(kind, 0)
            if action == 0:
                return index
            states.append(action)
            values.append(index)
        return len(kinds) - 1

    # --- errors ----------------------------------------------------------------------------------

    def _report(self, token: int) -> None:
        place = Span(
            self.stream.starts[token], max(self.stream.ends[token], self.stream.starts[token])
        )
        found = self.stream.diagnostics
        if any(d.span.end >= place.start and d.span.start <= place.end for d in found[-1:]):
            return
        message, span = messages.explain(self, token)
        found.append(Diagnostic(span, Severity.ERROR, "syntax", message))

    def _surrender(self) -> ast.File:
        """The tree of what was finished."""
        block = self.values[0] if self.values and isinstance(self.values[0], list) else []
        return self.actions.file(block)

    def level(self) -> int:
        """Height of the stack at which the innermost list goes on."""
        gotos = self.table.plain_gotos
        for height in range(len(self.states) - 1, -1, -1):
            if not _LISTS.isdisjoint(gotos[self.states[height]]):
                return height
        return 0

    def _recover(self, token: int) -> int:
        """Drop the broken statement; the index of the token to go on with."""
        level = self.level()
        header = next(
            (v for v in self.values[level:] if isinstance(v, int) and self._opens(v)), None
        )
        again = token == self.failed_at
        self.failed_at = token
        if header is not None and not again:
            return self._repair_header(level, header, token)
        dropped = len(self.states) - 1 - level
        del self.states[level + 1 :], self.values[level:]
        if dropped and not again and self.stream.kinds[token] in messages.STATEMENT_WORDS:
            return token
        return self._next_statement(token + (1 if again or not dropped else 0))

    def _opens(self, token: int) -> bool:
        return self.stream.kinds[token] in _REPAIRS

    def _repair_header(self, level: int, header: int, token: int) -> int:
        height = next(h for h in range(level, len(self.values)) if self.values[h] is header)
        del self.states[height + 2 :], self.values[height + 1 :]
        after = self._next_statement(token)
        self._insert(after, _REPAIRS[self.stream.kinds[header]], self.stream.starts[token])
        return after

    def _next_statement(self, token: int) -> int:
        """The token behind the next separator, or the next keyword that begins a statement."""
        kinds = self.stream.kinds
        while kinds[token] != "$END":
            if kinds[token] in ("NL", "SEMI"):
                return token + 1
            if token > self.failed_at and kinds[token] in messages.STATEMENT_WORDS:
                return token
            token += 1
        return token

    def _finish(self, token: int) -> int:
        """At the end of the text: close the innermost open block; -1 when nothing can be closed."""
        self.closings += 1
        level = self.level()
        del self.states[level + 1 :], self.values[level:]
        row = self.table.actions[self.states[-1]]
        closer = next((kind for kind in _FINISH if row.get(kind, 0)), None)
        if closer is None or self.closings > len(self.stream.kinds):
            return -1
        self._insert(token, [closer, *_FINISH[closer]], len(self.text))
        return token

    def _insert(self, token: int, kinds: list[str], offset: int) -> None:
        """Put tokens that are not in the text before ``token``."""
        self.stream.kinds[token:token] = kinds
        self.stream.starts[token:token] = [offset] * len(kinds)
        self.stream.ends[token:token] = [offset] * len(kinds)
