"""Debugging in editors: the Debug Adapter Protocol over the wire of the language server."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from app.api import Session
from app.lsp.debugging import EditorAdapter
from tests.lsp.test_server import ROOT, Client, serve

CODE = """s = struct('a', {{1, 'x'}});
for k = 1:3
    y = deeper(k);
end
disp(y)
function r = deeper(v)
    w = v + 1;
    r = 2*w;
end
"""


class Debugging:
    """An editor's debugger about one file."""

    def __init__(self, client: Client) -> None:
        self.client, self.seq, self.path = client, 0, client.folder / "model.m"
        self.events: asyncio.Queue[Any] = asyncio.Queue()
        self.printed = ""

        @client.wire.feature("fuselab/debugEvent")
        def take(event: Any) -> None:
            if event.event == "output":
                self.printed += event.body.output
            else:
                self.events.put_nowait(event)

    async def ask(self, command: str, **arguments: Any) -> Any:
        """The body of a response; the whole response where it failed."""
        self.seq += 1
        message = {"type": "request", "seq": self.seq, "command": command, "arguments": arguments}
        asked = [self.client.document.uri, message]
        reply = await self.client.wire.workspace_execute_command_async(
            types.ExecuteCommandParams("fuselab.debug", asked)
        )
        assert (reply["type"], reply["request_seq"]) == ("response", self.seq)
        return reply["body"] if reply["success"] else reply

    async def next(self, event: str) -> Any:
        """The body of the next event, which is of this kind."""
        found = await self.events.get()
        assert found.event == event
        return found.body

    async def start(self, *stops: dict[str, Any], filters: tuple[str, ...] = ()) -> None:
        assert (await self.ask("initialize"))["supportsConfigurationDoneRequest"]
        await self.ask("launch", program=str(self.path))
        await self.next("initialized")
        told = await self.ask("setBreakpoints", source={"path": str(self.path)}, breakpoints=stops)
        assert len(told["breakpoints"]) == len(stops)
        await self.ask("setExceptionBreakpoints", filters=filters)
        await self.ask("configurationDone")

    async def end(self) -> None:
        await self.next("terminated")
        await self.ask("disconnect")


def test_a_file_is_debugged_in_an_editor(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        front = Debugging(client)
        await client.open(CODE)
        await front.start({"line": 8, "condition": "v > 1"})
        assert (await front.next("stopped")).reason == "breakpoint"
        inner, outer = (await front.ask("stackTrace", threadId=1))["stackFrames"]
        assert (inner["name"], inner["line"], inner["column"]) == ("deeper", 8, 1)
        assert (outer["line"], outer["source"]["path"]) == (3, str(front.path))
        (scope,) = (await front.ask("scopes", frameId=outer["id"]))["scopes"]
        number = scope["variablesReference"]
        rows = (await front.ask("variables", variablesReference=number))["variables"]
        found = {row["name"]: row for row in rows}
        assert found["k"]["value"] == "2"
        number = found["s"]["variablesReference"]
        (field,) = (await front.ask("variables", variablesReference=number))["variables"]
        number = field["variablesReference"]
        parts = (await front.ask("variables", variablesReference=number))["variables"]
        assert [part["evaluateName"] for part in parts] == ["s.a{1}", "s.a{2}"]
        asked = {"expression": "s.a{2}", "frameId": outer["id"]}
        assert (await front.ask("evaluate", **asked))["result"] == "'x'"

        hovered = {"frameId": inner["id"], "context": "hover"}
        assert (await front.ask("evaluate", expression="w", **hovered))["result"] == "3"
        refused = await front.ask("evaluate", expression="rand", **hovered)  # is not called
        assert not refused["success"]
        await front.ask("evaluate", expression="w = 100", frameId=inner["id"], context="repl")
        await front.ask("stepOut")
        await front.next("continued")
        assert (await front.next("stopped")).reason == "step"
        path = {"path": str(front.path)}
        await front.ask("setBreakpoints", source=path, breakpoints=[{"line": 5}])
        await front.ask("continue")
        await front.next("continued")
        await front.next("stopped")
        shown = await front.ask("evaluate", expression="y", frameId=0, context="watch")
        assert shown["result"] == "8"
        await front.ask("continue")
        await front.next("continued")
        await front.end()
        assert "w =" in front.printed
        assert "     8\n" in front.printed
        assert (await client.run())["status"] == "ok"  # without a stop

    serve(tmp_path, story)


def test_stops_at_errors_and_the_end_of_a_run(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        front = Debugging(client)
        await client.open("x = 1;\nwhile true\n  x = x + 1;\nend\n")
        await front.start({"line": 3})
        await front.next("stopped")
        await front.ask("terminate")
        await front.next("continued")
        await front.end()
        await front.start()
        await front.ask("terminate")  # which runs
        await front.end()
        change = types.TextDocumentContentChangeWholeDocument("error('my:id', 'wrong');\n")
        await client.change(change)
        await front.start(filters=("error",))
        assert (await front.next("stopped")).text == "wrong"
        await front.ask("continue")
        await front.next("continued")
        await front.end()
        assert "wrong" in front.printed

    serve(tmp_path, story)


def test_a_server_whose_client_is_gone_ends_where_a_script_stands_still(tmp_path: Path) -> None:
    async def run() -> None:
        client = Client(tmp_path)
        front = Debugging(client)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "FUSELAB_DEVICE": "cpu"}
        command = (sys.executable, "-m", "app", "lsp")
        await client.wire.start_io(*command, cwd=str(tmp_path), env=environment)
        capabilities = types.ClientCapabilities()
        await client.wire.initialize_async(types.InitializeParams(capabilities=capabilities))
        await client.open(CODE)
        await front.start({"line": 3})
        await front.next("stopped")
        server = client.wire._server
        assert server is not None
        assert server.stdin is not None
        server.stdin.close()
        assert await asyncio.wait_for(server.wait(), 60) == 0
        await client.wire.stop()

    asyncio.run(asyncio.wait_for(run(), 120))


def test_a_file_that_is_not_there_is_not_debugged(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await client.open("x = 1;")
        message = {"type": "request", "seq": 1, "command": "initialize"}
        uri = (tmp_path / "no_such.m").as_uri()
        params = types.ExecuteCommandParams("fuselab.debug", [uri, message])
        with pytest.raises(JsonRpcException, match=r"no_such\.m"):
            await client.wire.workspace_execute_command_async(params)

    serve(tmp_path, story)


def test_what_runs_stands_still_when_asked_and_meets_stops_set_meanwhile(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        front = Debugging(client)
        code = "k = 0; go = true;\nwhile go\n  k = k + 1;\n  b = k;\nend\ndisp('end')\n"
        await client.open(code)
        await front.start()
        refused = await front.ask("stepOut")  # a run without breakpoints goes on
        assert "stands still" in refused["message"]
        while await front.ask("pause", threadId=1) != {}:
            await asyncio.sleep(0.01)  # it has not begun
        assert (await front.next("stopped")).reason == "pause"
        assert not (await front.ask("pause", threadId=1))["success"]
        (frame,) = (await front.ask("stackTrace", threadId=1))["stackFrames"]
        assert (frame["name"], frame["column"]) == ("model", 1)
        await front.ask("continue")
        await front.next("continued")
        source = {"path": str(front.path)}
        await front.ask("setBreakpoints", source=source, breakpoints=[{"line": 4}])  # as it runs
        assert (await front.next("stopped")).reason == "breakpoint"
        shown = await front.ask("evaluate", expression="k > 0", frameId=0, context="watch")
        assert shown["result"] == "true"
        await front.ask("evaluate", expression="go = false;", frameId=0, context="repl")
        await front.ask("setBreakpoints", source=source, breakpoints=[])
        await front.ask("continue")
        await front.next("continued")
        await front.end()
        assert front.printed.count("end") == 1
        refused = await front.ask("pause", threadId=1)
        assert "no code runs" in refused["message"]

    serve(tmp_path, story)


def test_requests_before_a_launch() -> None:
    async def never() -> None:
        raise AssertionError

    session = Session()
    adapter = EditorAdapter(session, lambda event: None, never)
    answer = asyncio.run(adapter.answer({"command": "next", "seq": 3}))
    assert (answer["success"], answer["request_seq"]) == (False, 3)
    assert "stands still" in str(answer["message"])
    session.close()
