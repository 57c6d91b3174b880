"""Texts, places and findings of the engine in the protocol's terms.

The engine counts characters of a text with ``\\n`` line ends; the protocol counts lines and the
client's code units. Lines and columns are what both sides share.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from app.engine.language import Diagnostic
from app.engine.session.language_service import (
    Document,
    OutlineEntry,
    document_near,
    open_document,
)
from app.source import SourceText, Span

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
SYMBOLS = {
    "function": types.SymbolKind.Function,
    "method": types.SymbolKind.Method,
    "class": types.SymbolKind.Class,
    "property": types.SymbolKind.Property,
    "event": types.SymbolKind.Event,
    "member": types.SymbolKind.EnumMember,
    "section": types.SymbolKind.Namespace,
}
COMPLETIONS = {
    "variable": types.CompletionItemKind.Variable,
    "parameter": types.CompletionItemKind.Variable,
    "function": types.CompletionItemKind.Function,
    "builtin": types.CompletionItemKind.Function,
    "keyword": types.CompletionItemKind.Keyword,
    "field": types.CompletionItemKind.Field,
    "option": types.CompletionItemKind.Value,
}
FOLDS = {
    "comment": types.FoldingRangeKind.Comment,
    "section": types.FoldingRangeKind.Region,
}


def path_of(uri: str) -> Path:
    """The file a URI names; a name of its own for what is not a file.

    Raises JsonRpcInvalidParams for what no file can be called.
    """
    path = Path(to_fs_path(uri) or uri)
    try:
        path.is_file()
    except (OSError, ValueError) as problem:
        raise JsonRpcInvalidParams(f"No file has the name of this document: {problem}") from None
    return path


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return from_fs_path(str(path)) or path.as_uri()


class Text:
    """One text as both sides see it.

    Attributes:
        document: the protocol's document.
    """

    def __init__(self, document: TextDocument) -> None:
        self.document = document

    @cached_property
    def source(self) -> SourceText:
        """The text as the engine reads it."""
        name = str(path_of(self.document.uri))
        return SourceText(name, self.document.source.replace("\r\n", "\n").replace("\r", "\n"))

    @cached_property
    def lines(self) -> list[str]:
        """The lines as the protocol has them: no other character than the engine's ends one."""
        return self.source.text.split("\n")

    @cached_property
    def parsed(self) -> Document:
        """What the engine knows of it."""
        return open_document(self.source)

    def near(self, offset: int) -> Document:
        """What the engine knows around a place: at once, however long the text is."""
        return document_near(self.source, offset)

    def offset(self, position: types.Position) -> int:
        """Characters before ``position``; a place beyond a line's end is its end."""
        codec = self.document.position_codec
        place = codec.position_from_client_units(self.lines, position)
        starts = self.source.line_starts
        if place.line >= len(starts):
            return len(self.source.text)
        return starts[place.line] + min(place.character, len(self.source.line_text(place.line + 1)))

    def position(self, offset: int) -> types.Position:
        """The place of a character."""
        place = self.source.place(min(offset, len(self.source.text)))
        plain = types.Position(place.line - 1, place.column - 1)
        return self.document.position_codec.position_to_client_units(self.lines, plain)

    def range(self, span: Span) -> types.Range:
        """The place of a part."""
        return types.Range(self.position(span.start), self.position(span.end))

    def diagnostic(self, found: Diagnostic) -> types.Diagnostic:
        """A remark."""
        tags = [types.DiagnosticTag.Unnecessary] if found.code.startswith("unused") else None
        return types.Diagnostic(
            self.range(found.span),
            found.message,
            SEVERITIES[found.severity],
            found.code,
            source="fuselab",
            tags=tags,
        )

    def symbol(self, entry: OutlineEntry) -> types.DocumentSymbol:
        """A part of the outline; its name is at its first line."""
        whole = self.range(entry.span)
        line = self.source.line_text(entry.line)
        first = types.Range(whole.start, self.position(entry.span.start + len(line.strip())))
        if first.end > whole.end:
            first = types.Range(whole.start, whole.end)
        kind = SYMBOLS[entry.kind]
        return types.DocumentSymbol(entry.name, kind, whole, first, children=[])
