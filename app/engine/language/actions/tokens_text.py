"""What every action reads: the tokens as places in the text."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.language import ast
from app.engine.language.diagnostics import Diagnostic, Fix, Severity
from app.engine.language.tokens import Dialect, TokenStream
from app.source import Span


class TokenText:
    """The text behind the tokens of one parse; a token is known by its index."""

    def __init__(self, text: str, stream: TokenStream, dialect: Dialect) -> None:
        self.text = text
        self.stream = stream
        self.starts, self.ends, self.kinds = stream.starts, stream.ends, stream.kinds
        self.dialect = dialect

    def word(self, token: int) -> str:
        """The text of a token."""
        return self.text[self.starts[token] : self.ends[token]]

    def span(self, token: int) -> Span:
        """The place of a token."""
        return Span(self.starts[token], self.ends[token])

    def between(self, first: int, last: int) -> Span:
        """The place from one token to another, both included."""
        return Span(self.starts[first], self.ends[last])

    def problem(self, span: Span, message: str, fix: Fix | None = None) -> None:
        """Report a construct that parses but means nothing."""
        self.stream.diagnostics.append(Diagnostic(span, Severity.ERROR, "syntax", message, fix))

    def distinct(self, parameters: Iterable[ast.Parameter]) -> tuple[ast.Parameter, ...]:
        """The parameters; one that has the name of another is reported."""
        found = tuple(parameters)
        names = [p.name for p in found]
        for place, parameter in enumerate(found):
            if parameter.name != "~" and parameter.name in names[:place]:
                self.problem(parameter.span, f"The parameter '{parameter.name}' appears twice.")
        return found
