"""The functions and classes of a text, and of a workspace, kept until their files change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from app.engine.session import language_service as service
from app.lsp.convert import Text, uri_of

Symbols = tuple[types.WorkspaceSymbol, ...]


class WorkspaceSymbols:
    """What the outlines of files name.

    Args:
        version_of: the version of a document that the client has open; None for other files.
        text_at: the text of a document or file.
    """

    def __init__(
        self, version_of: Callable[[str], int | None], text_at: Callable[[str], Text]
    ) -> None:
        self._version_of, self._text_at = version_of, text_at
        self._kept: dict[str, tuple[object, Symbols]] = {}

    def of(self, file: Path, wanted: str) -> Symbols:
        """The symbols of one file whose names hold ``wanted``, which is in lower case."""
        uri = uri_of(file)
        stamp = self._stamp(file, uri)
        kept = self._kept.get(uri)
        if kept is None or kept[0] != stamp:
            if self._version_of(uri) is None and wanted not in service.text_of(file).lower():
                return ()  # names stand in the text: most files need not be understood
            text = self._text_at(uri)
            kept = self._kept[uri] = stamp, _workspace_symbols(text)
        return tuple(symbol for symbol in kept[1] if wanted in symbol.name.lower())

    def _stamp(self, file: Path, uri: str) -> object:
        version = self._version_of(uri)
        if version is not None:
            return version
        try:
            facts = file.stat()
        except OSError:  # gone since its folder was read
            return None
        return facts.st_mtime_ns, facts.st_size


def _workspace_symbols(text: Text) -> Symbols:
    return tuple(
        types.WorkspaceSymbol(
            types.Location(text.document.uri, symbol.selection_range), symbol.name, symbol.kind
        )
        for symbol in map(text.symbol, service.outline(text.parsed))
        if symbol.kind != types.SymbolKind.Namespace
    )


def nested_symbols(text: Text) -> list[types.DocumentSymbol]:
    """The outline of a text; what lies in a class or a function is its children."""
    top: list[types.DocumentSymbol] = []
    path: list[types.DocumentSymbol] = []
    for entry in service.outline(text.parsed):
        made = text.symbol(entry)
        del path[entry.depth :]
        siblings = list(path[-1].children or []) if path else top
        siblings.append(made)
        if path:
            path[-1].children = siblings
        path.append(made)
    return top
