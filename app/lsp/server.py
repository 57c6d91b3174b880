"""The features of the language server, each an adapter of the language service.

What is asked about a text is answered from the text and its folder; nothing runs until the client
runs it by the commands ``fuselab.run``, ``fuselab.runSection`` and ``fuselab.debug``. What a run
did is shown as inlay hints at its lines.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcContentModified,
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import TextDocument

from app import __version__, textfile
from app.engine.session import language_service as service
from app.engine.session.language_service import Occurrence, Renaming, Surroundings
from app.lsp.aside import Aside
from app.lsp.convert import COMPLETIONS, FOLDS, Text, path_of, uri_of
from app.lsp.folders import CodeFolders
from app.lsp.incoming import Incoming
from app.lsp.running import Runner
from app.lsp.semantic_tokens import LEGEND, tokens_of
from app.lsp.symbols import WorkspaceSymbols, nested_symbols
from app.records import record
from app.source import Span

MOST_OFFERED = 400
"""The best of what may be typed; the client asks again with every letter."""
WIDEST_TAB = 32
"""Blanks that a step of indentation may have, whatever a client asks for."""
_EXPLAINED = frozenset(("builtin", "function"))
_folders = CodeFolders()
_DOTTED = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)+", re.ASCII)


class _Protocol(LanguageServerProtocol):
    """The protocol, in which a command that is cancelled stops what it runs, and requests that
    are not what the protocol says are answered, too.

    Attributes:
        stop_running: interrupts the session.
    """

    stop_running: Callable[[], None]

    def structure_message(self, data: dict[str, object]) -> object:
        """A message as the library's types; a request that is none is told so."""
        if "jsonrpc" in data and not isinstance(data.get("id"), int | str | None):
            raise JsonRpcInvalidRequest(f"{data['id']!r} does not number a request")
        try:
            return super().structure_message(data)
        except JsonRpcException as problem:
            number = data.get("id")
            if "method" in data and isinstance(number, int | str):
                text = f"This is not a request {data['method']}: {problem.__cause__}"
                refusal = JsonRpcInvalidParams(text)
                self._send_response(number, error=refusal.to_response_error())
            raise

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # The library waits for commands by futures of threads, and cancels other requests itself.
        is_command = isinstance(self._request_futures.get(msg_id), Future)
        super()._handle_cancel_notification(msg_id)
        if is_command:
            self.stop_running()


def serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Serve one client over its two pipes until it says goodbye."""
    # Whole texts: the library puts changes of parts to the wrong place behind a form feed, or what
    # else Python takes for the end of a line.
    server = LanguageServer(
        "fuselab",
        __version__,
        text_document_sync_kind=types.TextDocumentSyncKind.Full,
        protocol_cls=_Protocol,
    )
    runner, aside = Runner(server), Aside()
    if isinstance(server.protocol, _Protocol):
        server.protocol.stop_running = runner.interrupt
    add_features(server, runner, aside)
    try:
        server.start_io(cast("BinaryIO", Incoming(incoming, runner.end)), outgoing)
    finally:
        aside.close()
        runner.close()


def add_features(server: LanguageServer, runner: Runner, aside: Aside) -> None:
    """Everything the server can; its state is its documents and what was run.

    What is asked about a place is answered at once, what is asked about a whole text ``aside``.
    """
    _tell_diagnostics(server, aside)
    _help_typing(server)
    _answer_about_names(server, aside)
    _answer_about_renaming(server, aside)
    _answer_about_shape(server, runner, aside)
    _answer_about_layout(server, aside)
    _offer_running(server, runner, aside)


def _text(server: LanguageServer, document: Any) -> Text:
    return _text_at(server, document.uri)


def _text_at(server: LanguageServer, uri: str) -> Text:
    """The text of a document that is open, or of a file; else the protocol's error for it."""
    workspace = server.workspace
    if uri in workspace.text_documents:
        return Text(workspace.get_text_document(uri))
    path = path_of(uri)
    if not path.is_file():
        raise JsonRpcInvalidParams(f"The document {uri} is not open, and no file has this name.")
    kept = textfile.read(path).text  # of any encoding; the protocol's library reads UTF-8 alone
    return Text(TextDocument(uri, kept, position_codec=workspace.position_codec))


def _roots(server: LanguageServer) -> list[Path]:
    """The workspace's folders; older clients name one root instead."""
    workspace = server.workspace
    uris = list(workspace.folders) or ([workspace.root_uri] if workspace.root_uri else [])
    return list(map(path_of, uris))


@lru_cache(maxsize=8)
def _look_around(folders: tuple[Path, ...], stamps: tuple[int, ...]) -> Surroundings:
    return service.look_around(folders)


def _surroundings(server: LanguageServer, uri: str) -> Surroundings:
    """What a file sees: its folder and the workspace's folders, looked at anew when they change."""
    folders = _folders.seen_from(path_of(uri).parent, _roots(server))
    return _look_around(folders, tuple(f.stat().st_mtime_ns for f in folders))


# --- remarks ------------------------------------------------------------------------------------


def _tell_diagnostics(server: LanguageServer, aside: Aside) -> None:
    async def tell(document: Any) -> None:
        text = _text(server, document)
        around = _surroundings(server, document.uri)

        def remarks() -> list[types.Diagnostic]:
            return [text.diagnostic(r) for r in service.remarks(text.parsed, around)]

        version = text.document.version
        try:
            found = await aside.run(text, remarks)
        except JsonRpcContentModified:
            return  # the change that came meanwhile tells
        if server.workspace.text_documents.get(document.uri) is text.document:
            params = types.PublishDiagnosticsParams(document.uri, found, version)
            server.text_document_publish_diagnostics(params)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        await tell(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        await tell(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    )
    async def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        text = _text(server, params.text_document)
        around = _surroundings(server, params.text_document.uri)
        first, last = text.offset(params.range.start), text.offset(params.range.end)
        remarks = await aside.run(text, lambda: service.remarks(text.parsed, around))
        return [
            types.CodeAction(
                remark.fix.title,
                types.CodeActionKind.QuickFix,
                diagnostics=[text.diagnostic(remark)],
                edit=_edit(text, [(remark.fix.span, remark.fix.text)]),
            )
            for remark in remarks
            if remark.fix and remark.span.start <= last and remark.span.end >= first
        ]


def _edit(text: Text, edits: list[tuple[Span, str]]) -> types.WorkspaceEdit:
    made = [types.TextEdit(text.range(span), new) for span, new in edits]
    return types.WorkspaceEdit({text.document.uri: made})


# --- typing -------------------------------------------------------------------------------------


def _help_typing(server: LanguageServer) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=[".", "@", "'", '"'], resolve_provider=True),
    )
    def completion(params: types.CompletionParams) -> types.CompletionList:
        text = _text(server, params.text_document)
        uri = params.text_document.uri
        around = _surroundings(server, uri)
        offset = text.offset(params.position)
        span, found = service.best_completions(text.near(offset), offset, around)
        place = text.range(span)
        return types.CompletionList(
            is_incomplete=True,  # what fits, and in which order, changes with every letter
            items=[
                types.CompletionItem(
                    candidate.label,
                    kind=COMPLETIONS.get(candidate.kind, types.CompletionItemKind.Text),
                    detail=candidate.detail or None,
                    sort_text=f"{rank:05}",
                    text_edit=types.TextEdit(place, candidate.label),
                    data=[uri, offset] if candidate.kind in _EXPLAINED else None,
                )
                for rank, candidate in enumerate(found[:MOST_OFFERED])
            ],
        )

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        if not isinstance(item.data, list):
            return item
        uri, offset = item.data
        text, around = _text_at(server, uri), _surroundings(server, uri)
        page = service.function_help(item.label, text.near(offset), around)
        if page is not None:
            item.documentation = _page(page.signatures, page.text)
        return item

    @server.feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        types.SignatureHelpOptions(trigger_characters=["(", ","]),
    )
    def signature_help(params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        around = _surroundings(server, params.text_document.uri)
        before = text.source.text[_statement_start(text, offset) : offset]
        found = service.signature_help(before, text.near(offset), around, offset)
        if found is None:
            return None
        forms = [types.SignatureInformation(form, found.summary) for form in found.signatures]
        return types.SignatureHelp(forms, 0, found.argument)


def _statement_start(text: Text, offset: int) -> int:
    """Where the first of the continued lines begins of which the last one is at ``offset``."""
    line = text.source.line_of(offset)
    while line > 1 and text.source.line_text(line - 1).rstrip().endswith("..."):
        line -= 1
    return text.source.line_starts[line - 1]


# --- names --------------------------------------------------------------------------------------


def _answer_about_names(server: LanguageServer, aside: Aside) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = _text(server, params.text_document)
        around = _surroundings(server, params.text_document.uri)
        offset = text.offset(params.position)
        found = service.hover(text.near(offset), offset, around)
        if found is None or found.kind == "unknown":
            return None
        content = _page(found.signatures or (found.name,), found.text or found.kind)
        return types.Hover(content, text.range(found.span))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        seen = _seen(server, params.text_document.uri)
        found = service.definition(text.near(offset), offset, seen.folders, seen.unsaved)
        if found is not None and found.file is not None and found.span is not None:
            there = _text_at(server, uri_of(found.file))
            return types.Location(there.document.uri, there.range(found.span))
        if found is not None and found.span is not None:
            return types.Location(text.document.uri, text.range(found.span))
        name = _dotted_at(text, offset) if found is None else found.name
        path = _surroundings(server, params.text_document.uri).files.get(name)
        start = types.Position(0, 0)
        return None if path is None else types.Location(uri_of(path), types.Range(start, start))

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def references(params: types.ReferenceParams) -> list[types.Location]:
        found = await _renaming(server, aside, params)
        if not found.places:  # a builtin, or a function that is not in these folders
            text = _text(server, params.text_document)
            offset = text.offset(params.position)
            spans = await aside.run(text, lambda: service.references(text.parsed, offset))
            return [types.Location(text.document.uri, text.range(span)) for span in spans]
        return [
            types.Location(text.document.uri, text.range(place.span))
            for text, place in _places(server, found.places)
            if place.certain
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        found = service.references(text.near(offset), offset)
        return [types.DocumentHighlight(text.range(span)) for span in found]


def _answer_about_renaming(server: LanguageServer, aside: Aside) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        found = text.near(offset).mention_at(offset)
        if found is not None:
            return text.range(found.occurrence.span)
        here = text.source.name  # the last part of a full name
        places = (await _renaming(server, aside, params)).places
        spans = (p.span for p in places if p.file == here)
        return next((text.range(s) for s in spans if s.start <= offset <= s.end), None)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    async def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        found = await _renaming(server, aside, params)
        refusal = found.problem or found.objection(params.new_name)
        if refusal:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, refusal))
            return None
        left = sum(not place.certain for place in found.places)
        if left:
            told = f"Left as they are, for they may mean another {found.name}: {left}."
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
        return _workspace_edit(server, found, params.new_name)


async def _renaming(
    server: LanguageServer,
    aside: Aside,
    params: types.ReferenceParams | types.PrepareRenameParams | types.RenameParams,
) -> Renaming:
    """What the name at a place is, and where it stands in the text and the workspace's files."""
    text = _text(server, params.text_document)
    seen, offset = _seen(server, params.text_document.uri), text.offset(params.position)
    return await aside.run(
        text,
        lambda: service.renaming(text.parsed, offset, seen.root, seen.folders, seen.unsaved),
    )


@record
class _Seen:
    """What a text of the workspace can name.

    Attributes:
        root: the folder of the workspace that it lies in, or its own.
        folders: where functions and classes are looked for.
        unsaved: the texts that the client has open, by path.
    """

    root: Path
    folders: tuple[Path, ...]
    unsaved: dict[str, str]


def _seen(server: LanguageServer, uri: str) -> _Seen:
    home, roots = path_of(uri).parent, _roots(server)
    root = next((root for root in roots if home.is_relative_to(root)), home)
    documents = server.workspace.text_documents
    unsaved = {str(path_of(uri)): Text(held).source.text for uri, held in documents.items()}
    searched = _folders.seen_from(home, roots)
    return _Seen(root, tuple(p for f in searched for p in (f, f / "private")), unsaved)


def _places(
    server: LanguageServer, places: tuple[Occurrence, ...]
) -> Iterator[tuple[Text, Occurrence]]:
    """Each place with its text, as the client has it or as it lies on disk."""
    texts: dict[str, Text] = {}
    for place in places:
        if place.file not in texts:
            uri = uri_of(Path(place.file))
            texts[place.file] = _text_at(server, uri)
        yield texts[place.file], place


def _workspace_edit(server: LanguageServer, found: Renaming, new: str) -> types.WorkspaceEdit:
    """The edits of all files; the file of a function is renamed with it where the client can."""
    edits: dict[str, tuple[Text, list[types.TextEdit]]] = {}
    for text, place in _places(server, found.places):
        if place.certain:
            _, made = edits.setdefault(text.document.uri, (text, []))
            made.append(types.TextEdit(text.range(place.span), new))
    can = server.client_capabilities.workspace
    told = can.workspace_edit if can else None
    kinds = (told.resource_operations or []) if told else []
    if found.home is None or types.ResourceOperationKind.Rename not in kinds:
        return types.WorkspaceEdit({uri: made for uri, (_, made) in edits.items()})
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile]
    changes = [
        types.TextDocumentEdit(
            types.OptionalVersionedTextDocumentIdentifier(uri, text.document.version), list(made)
        )
        for uri, (text, made) in edits.items()
    ]
    changes.append(types.RenameFile(uri_of(found.home), uri_of(found.home.with_stem(new))))
    return types.WorkspaceEdit(document_changes=changes)


def _page(forms: tuple[str, ...], text: str) -> types.MarkupContent:
    code = "\n".join(forms)
    return types.MarkupContent(types.MarkupKind.Markdown, f"```matlab\n{code}\n```\n\n{text}")


def _dotted_at(text: Text, offset: int) -> str:
    """The name at a place with what stands before its dots: ``package.function``."""
    line = text.source.line_of(offset)
    start = text.source.line_starts[line - 1]
    for match in _DOTTED.finditer(text.source.line_text(line)):
        if match.start() <= offset - start <= match.end():
            rest = text.source.text[offset : start + match.end()]
            return text.source.text[start + match.start() : offset] + rest.partition(".")[0]
    return ""


# --- the shape of a text ------------------------------------------------------------------------


def _answer_about_shape(server: LanguageServer, runner: Runner, aside: Aside) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        text = _text(server, params.text_document)
        return await aside.run(text, lambda: nested_symbols(text))

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    async def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        text = _text(server, params.text_document)
        numbers = await aside.run(text, lambda: tokens_of(text))
        return types.SemanticTokens(numbers)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: types.InlayHintParams) -> list[types.InlayHint]:
        text = _text(server, params.text_document)
        first, last = params.range.start.line, params.range.end.line
        return [
            types.InlayHint(
                text.position(text.source.line_starts[line] + len(text.source.line_text(line + 1))),
                label,
                tooltip=detail,
                padding_left=True,
            )
            for line, (label, detail) in runner.remarks(text).items()
            if first <= line <= last
        ]


def _answer_about_layout(server: LanguageServer, aside: Aside) -> None:
    def version_of(uri: str) -> int | None:
        document = server.workspace.text_documents.get(uri)
        return None if document is None else document.version

    symbols = WorkspaceSymbols(version_of, lambda uri: _text_at(server, uri))

    @server.feature(types.WORKSPACE_SYMBOL)
    async def workspace_symbols(
        params: types.WorkspaceSymbolParams,
    ) -> list[types.WorkspaceSymbol]:
        wanted, found = params.query.lower(), list[types.WorkspaceSymbol]()
        for root in _roots(server):
            for path in service.code_files(root):
                found += symbols.of(path, wanted)
                await asyncio.sleep(0)  # other requests are answered meanwhile
        return found

    @server.feature(types.TEXT_DOCUMENT_FOLDING_RANGE)
    async def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        text = _text(server, params.text_document)
        return [
            types.FoldingRange(fold.first - 1, fold.last - 1, kind=FOLDS.get(fold.kind))
            for fold in await aside.run(text, lambda: service.folds(text.parsed))
        ]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        text = _text(server, params.text_document)
        options = params.options
        unit = " " * min(options.tab_size, WIDEST_TAB) if options.insert_spaces else "\t"
        edits = await aside.run(text, lambda: service.reindent(text.source, unit=unit))
        return [types.TextEdit(text.range(edit.span), edit.text) for edit in edits]


# --- running ------------------------------------------------------------------------------------


def _offer_running(server: LanguageServer, runner: Runner, aside: Aside) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    async def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        text = _text(server, params.text_document)
        uri = params.text_document.uri
        return [
            types.CodeLens(
                types.Range(types.Position(part.first - 1, 0), types.Position(part.first - 1, 0)),
                types.Command(
                    "Run section", "fuselab.runSection", arguments=[uri, part.first, part.last]
                ),
            )
            for part in await aside.run(text, lambda: service.sections(text.parsed))
        ]

    @server.command("fuselab.interrupt")
    def interrupt() -> None:
        runner.interrupt()

    async def run_lines(text: Text, first: int, last: int) -> dict[str, object]:
        answer = await runner.run(text, first, last)
        _show_hints_again(server)
        return answer

    @server.command("fuselab.run")
    async def run(uri: str = "") -> dict[str, object]:
        text = _text_at(server, uri)
        return await run_lines(text, 1, len(text.source.line_starts))

    @server.command("fuselab.runSection")
    async def run_section(uri: str = "", first: int = 1, last: int = 1) -> dict[str, object]:
        return await run_lines(_text_at(server, uri), first, last)

    @server.command("fuselab.debug")
    async def debug(uri: str, message: dict[str, Any]) -> dict[str, object]:
        """Answer a request of the Debug Adapter Protocol about a run of a text."""
        text = _text_at(server, uri)
        return await runner.debug(text, message, lambda: run(uri))


def _show_hints_again(server: LanguageServer) -> None:
    """Have the client ask for inlay hints, which a run changes and no edit."""
    workspace = server.client_capabilities.workspace
    hints = workspace.inlay_hint if workspace else None
    if hints is not None and hints.refresh_support:
        server.workspace_inlay_hint_refresh(None)
