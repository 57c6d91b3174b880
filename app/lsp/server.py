"""The features of the language server, each an adapter of the language service.

What is asked about a text is answered from the text and its folder; nothing runs until the client
runs it by the commands ``fuselab.run`` and ``fuselab.runSection``. What a run did is shown as inlay
hints at its lines.
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
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.workspace import TextDocument

from app import __version__, textfile
from app.engine.analysis.scopes import Role
from app.engine.session import language_service as service
from app.engine.session.language_service import Occurrence, Renaming, Surroundings
from app.lsp.convert import COMPLETIONS, FOLDS, Text, path_of, uri_of
from app.lsp.folders import CodeFolders
from app.lsp.running import Runner
from app.lsp.symbols import WorkspaceSymbols
from app.records import record
from app.source import Span

TOKENS = ("function", "variable", "parameter", "method")
MODIFIERS = ("definition", "defaultLibrary", "modification")
WIDEST_TAB = 32
"""Blanks that a step of indentation may have, whatever a client asks for."""
LEGEND = types.SemanticTokensLegend(list(TOKENS), list(MODIFIERS))
_EXPLAINED = frozenset(("builtin", "function"))
_folders = CodeFolders()
_DOTTED = re.compile(r"[A-Za-z]\w*(?:\.[A-Za-z]\w*)+", re.ASCII)
_WRITES = frozenset((Role.WRITE, Role.PARTIAL, Role.LOOP, Role.OUTPUT))


class _Protocol(LanguageServerProtocol):
    """The protocol, in which a command that is cancelled stops what it runs, and requests that
    are not what the protocol says are answered, too.

    Attributes:
        stop_running: interrupts the session.
    """

    stop_running: Callable[[], None]

    def structure_message(self, data: dict[str, object]) -> object:
        """A message as the library's types; a request that is none is told so."""
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
    runner = Runner(server)
    if isinstance(server.protocol, _Protocol):
        server.protocol.stop_running = runner.interrupt
    add_features(server, runner)
    try:
        server.start_io(cast("BinaryIO", _Incoming(incoming, runner.end)), outgoing)
    finally:
        runner.close()


class _Incoming:
    """The pipe from the client. The library waits for what runs before it ends: that is stopped
    as soon as the client is gone."""

    def __init__(self, pipe: BinaryIO, on_end: Callable[[], None]) -> None:
        self.pipe, self.on_end = pipe, on_end

    def readline(self) -> bytes:
        """The next line; nothing at the end."""
        return self._noticed(self.pipe.readline())

    def read(self, count: int) -> bytes:
        """So many bytes, less at the end."""
        return self._noticed(self.pipe.read(count))

    def _noticed(self, found: bytes) -> bytes:
        if not found:
            self.on_end()
        return found


def add_features(server: LanguageServer, runner: Runner) -> None:
    """Everything the server can; its state is its documents and what was run."""
    _tell_diagnostics(server)
    _help_typing(server)
    _answer_about_names(server)
    _answer_about_renaming(server)
    _answer_about_shape(server, runner)
    _answer_about_layout(server)
    _offer_running(server, runner)


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


def _tell_diagnostics(server: LanguageServer) -> None:
    def tell(document: Any) -> None:
        text = _text(server, document)
        found = service.analyse(text.source, surroundings=_surroundings(server, document.uri))
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(
                document.uri,
                [text.diagnostic(remark) for remark in found.diagnostics],
                text.document.version,
            )
        )

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: types.DidOpenTextDocumentParams) -> None:
        tell(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: types.DidChangeTextDocumentParams) -> None:
        tell(params.text_document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: types.DidCloseTextDocumentParams) -> None:
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(params.text_document.uri, [])
        )

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions([types.CodeActionKind.QuickFix]),
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        uri = params.text_document.uri
        text = _text(server, params.text_document)
        first, last = text.offset(params.range.start), text.offset(params.range.end)
        remarks = service.analyse(text.source, surroundings=_surroundings(server, uri)).diagnostics
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
        span, found = service.best_completions(text.parsed, text.offset(params.position), around)
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
                    data=uri if candidate.kind in _EXPLAINED else None,
                )
                for rank, candidate in enumerate(found)
            ],
        )

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(item: types.CompletionItem) -> types.CompletionItem:
        if not isinstance(item.data, str):
            return item
        text = _text_at(server, item.data)
        around = _surroundings(server, item.data)
        page = service.function_help(item.label, text.parsed, around)
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
        found = service.signature_help(before, text.parsed, around, offset)
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


def _answer_about_names(server: LanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        text = _text(server, params.text_document)
        around = _surroundings(server, params.text_document.uri)
        found = service.hover(text.parsed, text.offset(params.position), around)
        if found is None or found.kind == "unknown":
            return None
        content = _page(found.signatures or (found.name,), found.text or found.kind)
        return types.Hover(content, text.range(found.span))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        seen = _seen(server, params.text_document.uri)
        found = service.definition(text.parsed, offset, seen.folders, seen.unsaved)
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
    def references(params: types.ReferenceParams) -> list[types.Location]:
        found = _renaming(server, params)
        if not found.places:  # a builtin, or a function that is not in these folders
            text = _text(server, params.text_document)
            spans = service.references(text.parsed, text.offset(params.position))
            return [types.Location(text.document.uri, text.range(span)) for span in spans]
        return [
            types.Location(text.document.uri, text.range(place.span))
            for text, place in _places(server, found.places)
            if place.certain
        ]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        text = _text(server, params.text_document)
        found = service.references(text.parsed, text.offset(params.position))
        return [types.DocumentHighlight(text.range(span)) for span in found]


def _answer_about_renaming(server: LanguageServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: types.PrepareRenameParams) -> types.Range | None:
        text = _text(server, params.text_document)
        offset = text.offset(params.position)
        found = text.parsed.mention_at(offset)
        if found is not None:
            return text.range(found.occurrence.span)
        here = text.source.name  # the last part of a full name
        spans = (p.span for p in _renaming(server, params).places if p.file == here)
        return next((text.range(s) for s in spans if s.start <= offset <= s.end), None)

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        found = _renaming(server, params)
        refusal = found.problem or found.objection(params.new_name)
        if refusal:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, refusal))
            return None
        left = sum(not place.certain for place in found.places)
        if left:
            told = f"Left as they are, for they may mean another {found.name}: {left}."
            server.window_show_message(types.ShowMessageParams(types.MessageType.Info, told))
        return _workspace_edit(server, found, params.new_name)


def _renaming(
    server: LanguageServer,
    params: types.ReferenceParams | types.PrepareRenameParams | types.RenameParams,
) -> Renaming:
    """What the name at a place is, and where it stands in the text and the workspace's files."""
    text = _text(server, params.text_document)
    seen, offset = _seen(server, params.text_document.uri), text.offset(params.position)
    return service.renaming(text.parsed, offset, seen.root, seen.folders, seen.unsaved)


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


def _answer_about_shape(server: LanguageServer, runner: Runner) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        text = _text(server, params.text_document)
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

    @server.feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
    def tokens(params: types.SemanticTokensParams) -> types.SemanticTokens:
        text = _text(server, params.text_document)
        return types.SemanticTokens(list(_relative(_tokens(text))))

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


def _answer_about_layout(server: LanguageServer) -> None:
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
    def folding(params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        text = _text(server, params.text_document)
        return [
            types.FoldingRange(fold.first - 1, fold.last - 1, kind=FOLDS.get(fold.kind))
            for fold in service.folds(text.parsed)
        ]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        text = _text(server, params.text_document)
        options = params.options
        unit = " " * min(options.tab_size, WIDEST_TAB) if options.insert_spaces else "\t"
        edits = service.reindent(text.source, unit=unit)
        return [types.TextEdit(text.range(edit.span), edit.text) for edit in edits]


def _tokens(text: Text) -> Iterator[tuple[types.Position, int, int, int]]:
    """Position, length in the client's units, kind and modifiers of each name of a text."""
    own = text.parsed.definitions
    for mention in text.parsed.mentions:
        occurrence = mention.occurrence
        modifiers = 0
        if mention.owner is None:
            known = occurrence.name in own or occurrence.name in service.builtin_names()
            if not known:
                continue
            kind = TOKENS.index("function")
            modifiers = 0 if occurrence.name in own else 1 << MODIFIERS.index("defaultLibrary")
        else:
            is_parameter = occurrence.role is Role.PARAMETER
            kind = TOKENS.index("parameter" if is_parameter else "variable")
            if occurrence.role in _WRITES:
                modifiers = 1 << MODIFIERS.index("modification")
        place = text.range(occurrence.span)
        if place.start.line == place.end.line:
            yield place.start, place.end.character - place.start.character, kind, modifiers


def _relative(
    tokens: Iterator[tuple[types.Position, int, int, int]],
) -> Iterator[int]:
    """Five numbers a token: lines and characters since the one before, length, kind, modifiers."""
    line = character = 0
    seen: set[tuple[int, int]] = set()
    for start, length, kind, modifiers in tokens:
        if (start.line, start.character) in seen:
            continue
        seen.add((start.line, start.character))
        same = start.line == line
        yield from (start.line - line, start.character - (character if same else 0))
        yield from (length, kind, modifiers)
        line, character = start.line, start.character


# --- running ------------------------------------------------------------------------------------


def _offer_running(server: LanguageServer, runner: Runner) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensOptions(resolve_provider=False))
    def lenses(params: types.CodeLensParams) -> list[types.CodeLens]:
        text = _text(server, params.text_document)
        uri = params.text_document.uri
        return [
            types.CodeLens(
                types.Range(types.Position(part.first - 1, 0), types.Position(part.first - 1, 0)),
                types.Command(
                    "Run section", "fuselab.runSection", arguments=[uri, part.first, part.last]
                ),
            )
            for part in service.sections(text.parsed)
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


def _show_hints_again(server: LanguageServer) -> None:
    """Have the client ask for inlay hints, which a run changes and no edit."""
    workspace = server.client_capabilities.workspace
    hints = workspace.inlay_hint if workspace else None
    if hints is not None and hints.refresh_support:
        server.workspace_inlay_hint_refresh(None)
