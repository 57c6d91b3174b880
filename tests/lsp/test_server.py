"""The language server over the real wire: a process, driven by a public client library."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path
from pygls.workspace import TextDocument

ROOT = Path(__file__).parents[2]
TEXT = """%% Start
x = rand(300, 400);
total = sum(sin(x).*x, 'all');
unused = tripled(2);
%% Second
if total = 3
end
y = 'äöü😀'; disp(y)
function r = tripled(value)
r = 3*value;
end
"""
Ask = Callable[["Client"], Awaitable[None]]


class Client:
    """A client with one open document."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.version = folder, 1
        self.wire = LanguageClient("test", "1")
        self.remarks: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.logged: list[str] = []
        self.shown: list[str] = []
        self.opened: list[bytes] = []
        self.progress: list[Any] = []

        @self.wire.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.remarks.put_nowait(params)

        @self.wire.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            self.logged.append(params.message)

        @self.wire.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)

        @self.wire.feature(types.WINDOW_SHOW_DOCUMENT)
        def opened(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.opened.append(Path(params.uri.removeprefix("file://")).read_bytes())
            return types.ShowDocumentResult(True)

        @self.wire.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def made(params: types.WorkDoneProgressCreateParams) -> None:
            self.progress.append(params.token)

        @self.wire.feature(types.PROGRESS)
        def progressed(params: types.ProgressParams) -> None:
            self.progress.append(params.value.get("kind"))

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier((self.folder / "model.m").as_uri())

    async def open(self, text: str) -> list[types.Diagnostic]:
        uri = self.document.uri
        self.text = TextDocument(uri, text)
        item = types.TextDocumentItem(uri, "matlab", self.version, text)
        self.wire.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return list((await self.remarks.get()).diagnostics)

    async def change(self, change: types.TextDocumentContentChangeEvent) -> list[Any]:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.document.uri)
        self.text.apply_change(change)
        whole = types.TextDocumentContentChangeWholeDocument(self.text.source)
        params = types.DidChangeTextDocumentParams(document, [whole])
        self.wire.text_document_did_change(params)
        return list((await self.remarks.get()).diagnostics)

    async def run(self, *lines: int) -> dict[str, Any]:
        """Run the document, or the lines from the first to the last of two."""
        command = "fuselab.runSection" if lines else "fuselab.run"
        params = types.ExecuteCommandParams(command, [self.document.uri, *lines])
        return dict(await self.wire.workspace_execute_command_async(params))

    async def at(self, ask: str, kind: Any, line: int, character: int, **more: Any) -> Any:
        place = types.Position(line, character)
        params = kind(text_document=self.document, position=place, **more)
        return await getattr(self.wire, ask)(params)


def long_text(functions: int = 900) -> str:
    """A file of many functions, which takes seconds to understand."""
    return "".join(
        f"function [out, n] = stage_{k}(a, b)\n% Stage {k} of many.\n    n = numel(a) + {k};\n"
        "    out = zeros(size(a));\n    for i = 1:n\n        if mod(i, 2) == 0 && b > 0.5\n"
        f"            out(i) = sin(a(i)).*b + {k}.5;\n        else\n"
        f"            out(i) = max(cos(a(i)), b) - stage_{max(k - 1, 1)}(a(i), b);\n        end\n"
        f"    end\n    s.field = struct('name', 'value {k}', 'data', {{[1 2 3; 4 5 6]}});\n"
        "    fprintf('%d %s\\n', n, s.field.name);\nend\n\n"
        for k in range(1, functions + 1)
    )


def engine_loaded(client: Client) -> bool:
    """Whether the server has NumPy's library open, which no run goes without."""
    server = client.wire._server
    assert server is not None
    held = Path(f"/proc/{server.pid}/maps")
    return held.is_file() and "_multiarray_umath" in held.read_text(encoding="utf-8")


def serve(
    folder: Path,
    story: Ask,
    *,
    names_folders: bool = True,
    window: types.WindowClientCapabilities | None = None,
) -> None:
    """Start a server in its own process, greet it, run ``story``, say goodbye."""

    async def run() -> None:
        client = Client(folder)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "FUSELAB_DEVICE": "gpu"}
        command = (sys.executable, "-m", "app", "lsp")
        await client.wire.start_io(*command, cwd=str(folder), env=environment)
        workspace = [types.WorkspaceFolder(folder.as_uri(), "folder")]
        parameters = types.InitializeParams(
            capabilities=types.ClientCapabilities(window=window),
            root_uri=folder.as_uri(),
            workspace_folders=workspace if names_folders else None,
        )
        answer = await client.wire.initialize_async(parameters)
        assert answer.capabilities.rename_provider
        client.wire.initialized(types.InitializedParams())
        await story(client)
        await client.wire.shutdown_async(None)
        client.wire.exit(None)
        server = client.wire._server
        assert server is not None
        assert server.stderr is not None
        told = await asyncio.wait_for(server.stderr.read(), 20)
        assert await asyncio.wait_for(server.wait(), 20) == 0
        assert told == b""  # clients show it to the user
        await client.wire.stop()

    asyncio.run(asyncio.wait_for(run(), 120))


def test_remarks_follow_the_text_and_have_repairs(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        found = await client.open(TEXT)
        codes = {d.code for d in found}
        assert found
        wrong = next(d for d in found if d.range.start.line == 5)
        assert wrong.severity == types.DiagnosticSeverity.Error
        actions = await client.wire.text_document_code_action_async(
            types.CodeActionParams(client.document, wrong.range, types.CodeActionContext([wrong]))
        )
        assert actions
        edits = actions[0].edit.changes[client.document.uri]
        assert "==" in edits[0].new_text
        change = types.TextDocumentContentChangePartial(edits[0].range, edits[0].new_text)
        assert not [d for d in await client.change(change) if d.range.start.line == 5], codes
        assert not engine_loaded(client)  # an editor that runs nothing does not wait for it

    serve(tmp_path, story)


def test_names_are_completed_explained_found_and_renamed(tmp_path: Path) -> None:
    (tmp_path / "helper.m").write_text("function y = helper(x)\n% HELPER Helps.\ny = x;\n")

    async def story(client: Client) -> None:
        await client.open(TEXT + "z = linsp\nhelper(1)\nz(1)\nz = helper(...\n  z);\n")
        last = TEXT.count("\n")
        found = await client.at("text_document_completion_async", types.CompletionParams, last, 9)
        assert found.items[0].label == "linspace"
        page = await client.wire.completion_item_resolve_async(found.items[0])
        assert "linspace(" in page.documentation.value
        own = await client.at("text_document_completion_async", types.CompletionParams, last + 1, 4)
        assert own.items[0].label == "helper"
        page = await client.wire.completion_item_resolve_async(own.items[0])
        assert "y = helper(x)" in page.documentation.value
        assert "Helps." in page.documentation.value

        help_ = await client.at(
            "text_document_signature_help_async", types.SignatureHelpParams, 3, 17
        )
        assert help_.signatures[0].label == "r = tripled(value)"
        help_ = await client.at(
            "text_document_signature_help_async", types.SignatureHelpParams, last + 1, 7
        )
        assert help_.signatures[0].label == "y = helper(x)"
        continued = await client.at(
            "text_document_signature_help_async", types.SignatureHelpParams, last + 4, 2
        )
        assert continued == help_
        index = await client.at(
            "text_document_signature_help_async", types.SignatureHelpParams, last + 2, 2
        )
        assert index is None
        shown = await client.at("text_document_hover_async", types.HoverParams, 2, 9)
        assert "sum" in shown.contents.value
        shown = await client.at("text_document_hover_async", types.HoverParams, last + 1, 2)
        assert "Helps." in shown.contents.value
        place = await client.at("text_document_definition_async", types.DefinitionParams, 3, 11)
        assert place.range.start == types.Position(8, 13)
        other = await client.at(
            "text_document_definition_async", types.DefinitionParams, last + 1, 2
        )
        assert other.uri == (tmp_path / "helper.m").as_uri()

        context = types.ReferenceContext(True)
        uses = await client.at(
            "text_document_references_async", types.ReferenceParams, 1, 0, context=context
        )
        assert [u.range.start.line for u in uses] == [1, 2, 2]
        marks = await client.at(
            "text_document_document_highlight_async", types.DocumentHighlightParams, 1, 0
        )
        assert len(marks) == 3
        edit = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 0, new_name="noise"
        )
        assert {e.new_text for e in edit.changes[client.document.uri]} == {"noise"}
        refused = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 0, new_name="total"
        )
        assert refused is None
        assert "already in use" in client.shown[-1]

    serve(tmp_path, story)


def test_a_function_is_found_and_renamed_in_all_files(tmp_path: Path) -> None:
    (tmp_path / "helper.m").write_text("function y = helper(x)\ny = x;\n")

    async def story(client: Client) -> None:
        await client.open("z = 1;\nhelper(1)\n")
        for line in (0, 4):  # everywhere in the folder's files, with the texts that are open
            (tmp_path / f"user{line}.m").write_text("\n" * line + "q = helper(2); % helper\n")
        (tmp_path / "own.m").write_text("helper(1)\nfunction helper(x)\nend\n")
        (tmp_path / "old.m").write_bytes("% 5°\nq = helper(3); % ä\n".encode("latin-1"))
        context = types.ReferenceContext(True)
        uses = await client.at(
            "text_document_references_async", types.ReferenceParams, 1, 2, context=context
        )
        places = {(u.uri.rpartition("/")[2], u.range.start.line) for u in uses}
        assert places >= {("helper.m", 0), ("user0.m", 0), ("user4.m", 4), ("old.m", 1)}
        assert not any(name == "own.m" for name, _ in places)
        edit = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 2, new_name="aid"
        )
        changed = {uri.rpartition("/")[2]: len(made) for uri, made in edit.changes.items()}
        assert changed.keys() == {name for name, _ in places}
        assert changed["user4.m"] == 1
        found = await client.wire.workspace_symbol_async(types.WorkspaceSymbolParams("helper"))
        assert found

    serve(tmp_path, story)


CALLS = "a = f7(1);\nb = helper(a); c = kit.inner.tool(b); d = Thing(c); e = @helper;\n"


def project_of_folders(folder: Path) -> None:
    """Forty functions that call one in another folder, a package and a class."""
    helped = "function y = {}(x)\ny = helper(x);\nend\n"
    for k in range(40):
        (folder / "src" / "deep").mkdir(parents=True, exist_ok=True)
        (folder / "src" / "deep" / f"f{k}.m").write_text(helped.format(f"f{k}"))
    for file, text in {
        "util/helper.m": "function y = helper(x)\ny = 2*x;\nend\n",
        "util/private/hidden.m": helped.format("hidden"),
        "+kit/+inner/tool.m": helped.format("tool"),
        "@Thing/Thing.m": "classdef Thing\nmethods\nfunction o = Thing(v), end\nend\nend\n",
        "node_modules/stray.m": helped.format("stray"),
    }.items():
        (folder / file).parent.mkdir(parents=True)
        (folder / file).write_text(text)


def test_the_folders_of_a_workspace_are_one_program(tmp_path: Path) -> None:
    project_of_folders(tmp_path)
    (tmp_path / "model.m").write_text(CALLS)

    async def story(client: Client) -> None:
        found = await client.open(CALLS + "stray(1)\n")
        assert [d.message.split()[0] for d in found if "neither" in d.message] == ["'stray'"]
        for line, character, file in (
            (0, 4, "src/deep/f7.m"),
            (1, 5, "util/helper.m"),
            (1, 31, "+kit/+inner/tool.m"),
            (1, 45, "@Thing/Thing.m"),
        ):
            place = await client.at(
                "text_document_definition_async", types.DefinitionParams, line, character
            )
            assert place.uri == from_fs_path(str(tmp_path / file))
        context = types.ReferenceContext(include_declaration=True)
        asked = ("text_document_references_async", types.ReferenceParams, 1, 5)
        places = await client.at(*asked, context=context)
        assert len(places) == 40 + 1 + 1 + 1 + 2
        edit = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 5, new_name="aid"
        )
        assert sum(map(len, edit.changes.values())) == len(places)
        refused = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 45, new_name="Other"
        )
        assert refused is None
        assert "rename @Thing by hand" in client.shown[-1]
        asked = ("text_document_references_async", types.ReferenceParams, 1, 31)
        places = await client.at(*asked, context=context)
        found = {
            (p.uri.rpartition("/")[2], p.range.start.line, p.range.start.character) for p in places
        }
        assert found == {("model.m", 1, 29), ("tool.m", 0, 13)}
        named = await client.at(
            "text_document_prepare_rename_async", types.PrepareRenameParams, 1, 31
        )
        assert (named.start.character, named.end.character) == (29, 33)
        edit = await client.at(
            "text_document_rename_async", types.RenameParams, 1, 31, new_name="saw"
        )
        assert sum(map(len, edit.changes.values())) == 2

    serve(tmp_path, story)


def test_symbols_are_kept_until_their_files_change(tmp_path: Path) -> None:
    project_of_folders(tmp_path)

    async def story(client: Client) -> None:
        async def names(query: str) -> list[str]:
            params = types.WorkspaceSymbolParams(query)
            return sorted(s.name for s in await client.wire.workspace_symbol_async(params))

        assert await names("hel") == ["helper"]
        assert len(await names("")) == 40 + 5
        assert await names("F3") == ["f3", *(f"f3{k}" for k in range(10))]
        (tmp_path / "util" / "helper.m").write_text("function y = rescue(x)\ny = x;\nend\n")
        assert (await names("hel"), await names("rescue")) == ([], ["rescue"])
        (tmp_path / "model.m").write_text("x = 1;\n")
        await client.open("function local_one\nend\n")
        assert await names("LOCAL") == ["local_one"]

    serve(tmp_path, story)


def test_a_project_file_says_what_is_searched_and_run(tmp_path: Path) -> None:
    project_of_folders(tmp_path)
    (tmp_path / "fuselab.toml").write_text('[project]\npath = ["util"]\n')

    async def story(client: Client) -> None:
        found = await client.open("b = helper(4)\nf7(1)\n")
        assert [d.message.split()[0] for d in found if "neither" in d.message] == ["'f7'"]
        ask = types.ExecuteCommandParams("fuselab.runSection", [client.document.uri, 1, 1])
        answer = await client.wire.workspace_execute_command_async(ask)
        assert (answer["status"], answer["output"].split()) == ("ok", ["b", "=", "8"])

    serve(tmp_path, story)


def test_places_are_counted_in_the_clients_units_and_odd_requests_answered(
    tmp_path: Path,
) -> None:
    async def story(client: Client) -> None:
        # Neither a form feed nor a separator of Unicode's ends a line in the protocol.
        await client.open(TEXT.replace("\n", "\r\n").replace("% Start", "% \f St\u2028art"))
        # The smiley is two UTF-16 units: `disp` begins at 13, its argument is at 18.
        marks = await client.at(
            "text_document_document_highlight_async", types.DocumentHighlightParams, 7, 18
        )
        assert [(m.range.start.line, m.range.start.character) for m in marks] == [(7, 0), (7, 18)]

        await client.open(f"if 1\nx = {'a' * 5000}(1);\nend\n")
        wide = types.FormattingOptions(tab_size=10**9, insert_spaces=True)
        edits = await client.wire.text_document_formatting_async(
            types.DocumentFormattingParams(client.document, wide)
        )
        assert edits
        assert len(edits[0].new_text) < 100
        about = types.ReferenceContext(include_declaration=True)
        found = await client.at(
            "text_document_references_async", types.ReferenceParams, 1, 6, context=about
        )
        assert len(found) == 1
        for command in ("fuselab.run", "fuselab.runSection"):
            with pytest.raises(JsonRpcException, match="not open"):
                await client.wire.workspace_execute_command_async(
                    types.ExecuteCommandParams(command)
                )
        long_name = types.TextDocumentIdentifier(f"file:///tmp/{'a' * 5000}.m")
        with pytest.raises(JsonRpcException, match="No file has the name"):
            await client.wire.text_document_folding_range_async(types.FoldingRangeParams(long_name))

    serve(tmp_path, story)


def test_the_shape_of_a_text(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await client.open(TEXT)
        only = {"text_document": client.document}
        symbols = await client.wire.text_document_document_symbol_async(
            types.DocumentSymbolParams(**only)
        )
        assert [s.name for s in symbols] == ["Start", "Second", "tripled"]
        folds = await client.wire.text_document_folding_range_async(
            types.FoldingRangeParams(**only)
        )
        assert (8, 10) in {(f.start_line, f.end_line) for f in folds}
        tokens = await client.wire.text_document_semantic_tokens_full_async(
            types.SemanticTokensParams(**only)
        )
        assert len(tokens.data) % 5 == 0
        assert len(tokens.data) > 50
        assert list(tokens.data[:5]) == [1, 0, 1, 1, 4]
        lenses = await client.wire.text_document_code_lens_async(types.CodeLensParams(**only))
        assert [list(lens.command.arguments[1:]) for lens in lenses] == [[1, 4], [5, 12]]

    serve(tmp_path, story)


def test_a_client_of_one_root_has_its_text_put_in_order_and_its_functions_found(
    tmp_path: Path,
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "helper.m").write_bytes(b"function y = helper(x)\r\ny = x;\r\n")

    async def story(client: Client) -> None:
        await client.open("if true\r\nx = 1;\r\n    end\r\n")
        options = types.FormattingOptions(2, insert_spaces=True)
        params = types.DocumentFormattingParams(client.document, options)
        edits = await client.wire.text_document_formatting_async(params)
        assert [(e.range.start.line, e.new_text) for e in edits] == [(1, "  "), (2, "")]
        query = types.WorkspaceSymbolParams("ELP")
        (found,) = await client.wire.workspace_symbol_async(query)
        assert (found.name, found.location.uri) == (
            "helper",
            (tmp_path / "deep" / "helper.m").as_uri(),
        )

    serve(tmp_path, story, names_folders=False)


def test_sections_run_and_tell_where(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await client.open(
            "%% A\nx = rand(400);\ny = sum(sin(x).*x, 'all');\ndisp(y > 0)\n%% B\nq\n"
        )
        answer = await client.run(1, 4)
        assert answer["status"] == "ok"
        assert engine_loaded(client) or sys.platform != "linux"
        assert re.fullmatch(r"   1\n» model\.m, lines 1 to 4: ok, [\d.,]+ m?s", *client.logged)
        whole = types.Range(types.Position(0, 0), types.Position(9, 0))
        hints = await client.wire.text_document_inlay_hint_async(
            types.InlayHintParams(client.document, whole)
        )
        assert {h.position.line for h in hints} <= {1, 2, 3}
        assert any("GPU" in h.label for h in hints)
        failed = await client.run(5, 6)
        assert failed["error"]["line"] == 6
        assert client.shown == ["model.m:6: Unrecognized function or variable 'q'."]
        assert any("model.m:6:1: error: Unrecognized" in told for told in client.logged)

    serve(tmp_path, story)


def test_output_comes_while_a_script_runs_and_figures_come_as_pictures(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        (tmp_path / "model.m").touch()
        lines = "fprintf('begun\\n')", "while ~isfile('go'), pause(0.02), end", "fprintf('no end')"
        await client.open("\n".join((*lines, "plot(1:3)", "error('a:b', 'over')")))
        running = asyncio.ensure_future(client.run())
        while not client.logged:
            await asyncio.sleep(0.02)
        assert client.logged == ["begun"]
        (tmp_path / "go").touch()
        answer = await running
        rest = "\n".join(client.logged[1:]).split("\n")
        assert rest[0] == "no end", "an error begins a line of its own"
        assert "model.m:5:1: error: over [a:b]" in rest[1]
        assert f"figure 1: {answer['figures'][0]}" in rest
        while not client.opened:
            await asyncio.sleep(0.02)
        assert client.opened[0].startswith(b"\x89PNG")
        assert client.progress[1:] == ["begin", "end"]

    able = types.ShowDocumentClientCapabilities(support=True)
    window = types.WindowClientCapabilities(work_done_progress=True, show_document=able)
    serve(tmp_path, story, window=window)


def test_scripts_and_what_they_start_leave_the_wire_alone(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await client.open(
            "[s, o] = system('cat; echo read');\nsystem('echo out');\nx = input('x?');"
        )
        answer = await client.run()
        assert answer["output"] == "out\n"
        assert answer["error"]["identifier"] == "MATLAB:input:noInput"
        assert answer["error"]["line"] == 3

    serve(tmp_path, story)


def test_a_cancelled_run_stops_and_an_unknown_document_is_an_error_of_the_protocol(
    tmp_path: Path,
) -> None:
    async def story(client: Client) -> None:
        stranger = types.TextDocumentIdentifier((tmp_path / "nowhere.m").as_uri())
        with pytest.raises(JsonRpcException, match="is not open, and no file") as failed:
            await client.wire.text_document_folding_range_async(types.FoldingRangeParams(stranger))
        assert failed.value.code == -32602
        await client.open("disp(1)\nfclose(fopen('begun', 'w')); while true, end\n")
        ask = types.ExecuteCommandParams("fuselab.run", [client.document.uri])
        running = client.wire.workspace_execute_command(ask)
        (number,) = client.wire.protocol._request_futures
        while not (tmp_path / "begun").exists():
            await asyncio.sleep(0.05)
        searching = client.wire.workspace_symbol(types.WorkspaceSymbolParams("x"))
        (other,) = client.wire.protocol._request_futures.keys() - {number}
        client.wire.cancel_request(types.CancelParams(other))
        await asyncio.wait([asyncio.wrap_future(searching)])
        assert not running.done(), "what is cancelled is the search"
        client.wire.cancel_request(types.CancelParams(number))
        with pytest.raises(JsonRpcException) as failed:
            await asyncio.wrap_future(running)
        assert failed.value.code == -32800
        after = types.ExecuteCommandParams("fuselab.runSection", [client.document.uri, 1, 1])
        answer = await client.wire.workspace_execute_command_async(after)
        assert answer["status"] == "ok"

    serve(tmp_path, story)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from app import main

    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)  # another test may have loaded it
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.delitem(sys.modules, "app.lsp.convert", raising=False)
    monkeypatch.delitem(sys.modules, "app.lsp.server", raising=False)
    assert main.main(["lsp"]) == 2
    assert "fuselab[lsp]" in capsys.readouterr().err


def test_members_of_classes_are_found_and_renamed(tmp_path: Path) -> None:
    tank = "classdef Tank\nproperties\nLevel = 1\nend\nend\n"
    (tmp_path / "Tank.m").write_text(tank)
    (tmp_path / "use.m").write_text("t = Tank(); t.Level = 2;\n")

    async def story(client: Client) -> None:
        await client.open("t = Tank(); t.Level, u.Level\n")
        asked = types.DefinitionParams, 0, 15
        place = await client.at("text_document_definition_async", *asked)
        assert (Path(place.uri).name, place.range.start.line) == ("Tank.m", 2)
        about = types.ReferenceContext(include_declaration=True)
        wanted = types.ReferenceParams, 0, 15
        found = await client.at("text_document_references_async", *wanted, context=about)
        assert sorted(Path(p.uri).name for p in found) == ["Tank.m", "model.m", "use.m"]
        made = await client.at(
            "text_document_rename_async", types.RenameParams, 0, 15, new_name="Height"
        )
        edits = {Path(uri).name: len(edit) for uri, edit in (made.changes or {}).items()}
        assert edits == {"Tank.m": 1, "model.m": 1, "use.m": 1}
        assert any("may mean another Level: 1" in line for line in client.shown)

    (tmp_path / "model.m").write_text("")
    serve(tmp_path, story)


@pytest.mark.parametrize("code", ["while true, end", "pause(100)", "system('sleep 100');"])
def test_a_server_whose_client_is_gone_stops_what_runs_and_ends(tmp_path: Path, code: str) -> None:
    uri = (tmp_path / "model.m").as_uri()
    opened = {"uri": uri, "languageId": "matlab", "version": 1, "text": f"disp('at it')\n{code}\n"}
    asked = {"command": "fuselab.run", "arguments": [uri]}
    with subprocess.Popen(
        [sys.executable, "-m", "app", "lsp"], cwd=ROOT, stdin=PIPE, stdout=PIPE, stderr=PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, method, params in (
            (1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}),
            (None, "initialized", {}),
            (None, "textDocument/didOpen", {"textDocument": opened}),
            (2, "workspace/executeCommand", asked),
        ):
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            body = json.dumps(message if number is None else message | {"id": number}).encode()
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            process.stdin.flush()
        while (size := int(process.stdout.readline().split(b":")[1])) >= 0:
            while process.stdout.readline().strip():
                pass
            if b"at it" in process.stdout.read(size):
                break
        process.stdin.close()
        threading.Thread(target=process.stdout.read, daemon=True).start()
        process.stdin = None
        assert process.wait(timeout=30) == 0


def test_a_long_text_is_answered_about_before_it_is_understood(tmp_path: Path) -> None:
    text = long_text()
    line = text[: text.index("stage_499(a(i)")].count("\n")

    async def story(client: Client) -> None:
        uri = client.document.uri
        item = types.TextDocumentItem(uri, "matlab", 1, text)
        client.wire.text_document_did_open(types.DidOpenTextDocumentParams(item))
        called = await client.at("text_document_hover_async", types.HoverParams, line, 45)
        assert "[out, n] = stage_499(a, b)" in called.contents.value
        assert "Stage 499 of many" in called.contents.value
        assert client.remarks.empty()
        changed = text
        for version in range(2, 6):  # typing: nothing of what is older by now is understood
            changed = changed.replace("out(i) = max(cos(a(i)), b) - stage_499", "q = stage_49", 1)
            changed = changed.replace("q = stage_49", "q = stage_49"[: 7 + version], 1)
            whole = [types.TextDocumentContentChangeWholeDocument(changed)]
            document = types.VersionedTextDocumentIdentifier(version, uri)
            client.wire.text_document_did_change(types.DidChangeTextDocumentParams(document, whole))
            changed = text
        offered = await client.at(
            "text_document_completion_async", types.CompletionParams, line, 12 + 12
        )
        assert "stage_490" in [offer.label for offer in offered.items]
        assert client.remarks.empty()
        symbols = await client.wire.text_document_document_symbol_async(
            types.DocumentSymbolParams(client.document)
        )
        assert len(symbols) == 900
        told = await client.remarks.get()
        assert told.version == 5
        assert client.remarks.empty()

    serve(tmp_path, story)


def test_what_is_asked_of_a_text_that_changes_is_answered_so(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        uri, text = client.document.uri, long_text(400)
        item = types.TextDocumentItem(uri, "matlab", 1, text)
        client.wire.text_document_did_open(types.DidOpenTextDocumentParams(item))
        asked = client.wire.text_document_folding_range_async(
            types.FoldingRangeParams(client.document)
        )
        pending = asyncio.ensure_future(asked)
        await asyncio.sleep(0)
        whole = [types.TextDocumentContentChangeWholeDocument("x = 1;\n")]
        document = types.VersionedTextDocumentIdentifier(2, uri)
        client.wire.text_document_did_change(types.DidChangeTextDocumentParams(document, whole))
        with pytest.raises(JsonRpcException, match="has changed since") as refused:
            await pending
        assert refused.value.code == types.LSPErrorCodes.ContentModified
        assert (await client.remarks.get()).version == 2

    serve(tmp_path, story)
