"""The Jupyter kernel over its real wire: notebooks run by nbclient, questions by a client."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

from app import main
from app.api import Session
from app.cli import kernel as verb
from app.jupyter.debugging import Adapter

ROOT = Path(__file__).parents[2]
WAIT_S = 60


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The kernel, as a user's Jupyter finds it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    assert main.main(["kernel", "install"]) == 0
    return tmp_path


@pytest.fixture
def client(installed: Path) -> Iterator[Any]:
    manager, client = start_new_kernel(kernel_name=verb.NAME, startup_timeout=WAIT_S)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=False)


def texts(cell: Any, name: str = "stdout") -> str:
    return "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == name)


def test_a_notebook_runs(installed: Path) -> None:
    cells = (
        "x = rand(300); y = sin(x).*x;",
        "%device gpu\n%explain\nm = sum(y, 'all'); fprintf('%d\\n', m > 0)",
        "plot(1:10); title('a line')",
        "function r = twice(v)\nr = 2*v;\nend",
        "disp(twice(21))",
        "z = 1;\nq = z + missing_name;",
        "%report\nz",
        "t = table([1; 2], {'<b>'; 'x'}, VariableNames=[\"n\" \"s\"])",
        "%figures svg\nplot(1:3)\nu = timetable(days([1; 2]), [0.5; 7])",
        "s = evalc('t');",
        "%figures interactive\nsurf(peaks(9))",
    )
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(c) for c in cells],
        metadata={"kernelspec": {"name": verb.NAME, "display_name": "Fuselab"}},
    )
    NotebookClient(notebook, timeout=WAIT_S, allow_errors=True).execute()
    ran = notebook.cells
    assert not ran[0].outputs
    assert texts(ran[1]).startswith("1\n")
    assert "fprintf" in texts(ran[1])
    pictures = [o for o in ran[2].outputs if "image/png" in o.get("data", {})]
    assert len(pictures) == 1
    assert pictures[0].data["image/png"].startswith("iVBORw0KGgo")
    assert not ran[3].outputs
    assert texts(ran[4]).strip() == "42"
    error = ran[5].outputs[0]
    assert (error.output_type, error.ename) == ("error", "MATLAB:UndefinedFunction")
    assert ":2:9: error:" in error.traceback[0]
    account = [o for o in ran[6].outputs if "application/json" in o.get("data", {})]
    assert account[0].data["application/json"]["schema"] == 1
    assert texts(ran[6]).startswith("z =")
    assert not [c for c in ran[6].outputs if "image/png" in c.get("data", {})]
    (shown,) = ran[7].outputs
    assert "<th>n</th><th>s</th>" in shown.data["text/html"]
    assert "&lt;b&gt;" in shown.data["text/html"]
    assert shown.data["text/plain"].startswith("t = ")
    table, picture = ran[8].outputs
    assert "<th>2 days</th><td>7</td>" in table.data["text/html"]
    assert "<svg" in picture.data["image/svg+xml"]
    assert not ran[9].outputs
    (moved,) = ran[10].outputs
    html = moved.data["text/html"]
    assert html.startswith("<iframe")
    page = unescape(html.partition('srcdoc="')[2].rpartition('"')[0])
    assert page.count("</svg>") == page.count("<script>") == 1
    assert "http://" not in page.partition("<script>")[2]


def test_typing_questions(client: Any) -> None:
    told = client.kernel_info(reply=True, timeout=WAIT_S)["content"]
    assert "debugger" in told["supported_features"]
    client.execute_interactive("my_long_variable = 1;", timeout=WAIT_S)
    reply = client.complete("y = my_lo", 9, reply=True, timeout=WAIT_S)["content"]
    assert reply["matches"][0] == "my_long_variable"
    assert (reply["cursor_start"], reply["cursor_end"]) == (4, 9)
    reply = client.inspect("linspace(1,2)", 3, reply=True, timeout=WAIT_S)["content"]
    assert reply["found"]
    assert "linspace(" in reply["data"]["text/plain"]
    assert not client.inspect("q_q", 1, reply=True, timeout=WAIT_S)["content"]["found"]
    for code, status in (("for k = 1:3", "incomplete"), ("x = 1;", "complete")):
        asked = client.is_complete(code)
        reply = client.get_shell_msg(timeout=WAIT_S)
        assert reply["parent_header"]["msg_id"] == asked
        assert reply["content"]["status"] == status


def test_input_is_asked_of_the_front_end(client: Any) -> None:
    said: list[str] = []

    def hook(message: Any) -> None:
        if message["msg_type"] == "stream":
            said.append(message["content"]["text"])

    def answer(message: Any) -> None:
        assert message["content"]["prompt"] == "how many? "
        client.input("3*4")

    client.execute_interactive(
        "n = input('how many? '); disp(n)",
        output_hook=hook,
        stdin_hook=answer,
        allow_stdin=True,
        timeout=WAIT_S,
    )
    assert "".join(said).strip() == "12"


@pytest.mark.parametrize("code", ["while true, end", "k = 0; while true, k = k + 1; disp(k), end"])
def test_interrupting_a_cell(installed: Path, code: str) -> None:
    manager, client = start_new_kernel(kernel_name=verb.NAME, startup_timeout=WAIT_S)
    try:
        asked = client.execute(code, stop_on_error=False)
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            message = client.get_iopub_msg(timeout=WAIT_S)
            if message["content"].get("execution_state") == "busy":
                break
        time.sleep(0.3)
        manager.interrupt_kernel()
        answer = answer_to(client, asked)
        assert (answer["status"], answer["ename"]) == ("error", "Interrupted")
        reply = client.execute_interactive("disp(7)", timeout=WAIT_S)
        assert reply["content"]["status"] == "ok"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=False)


def answer_to(client: Any, asked: str) -> Any:
    """What the kernel answers to one request."""
    while True:
        reply = client.get_shell_msg(timeout=WAIT_S)
        if reply["parent_header"].get("msg_id") == asked:
            return reply["content"]


class Debugging:
    """A front end's debugger on the control and iopub channels of a kernel."""

    def __init__(self, client: Any) -> None:
        self.client, self.seq, self.events = client, 0, [""]

    def ask(self, command: str, **arguments: Any) -> Any:
        """The body of a response; the whole response where it failed."""
        self.seq += 1
        content = {"type": "request", "seq": self.seq, "command": command, "arguments": arguments}
        message = self.client.session.msg("debug_request", content)
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=WAIT_S)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                break
        content = reply["content"]
        assert (content["command"], content["request_seq"]) == (command, self.seq)
        return content["body"] if content["success"] else content

    def wait_for(self, event: str) -> Any:
        """The next event of a kind."""
        while True:
            message = self.client.get_iopub_msg(timeout=WAIT_S)
            if message["msg_type"] == "debug_event" and message["content"]["event"] == event:
                return message["content"]["body"]


def test_cells_are_debugged_over_the_wire(client: Any) -> None:
    client.execute_interactive("base = 5;", timeout=WAIT_S)
    front = Debugging(client)
    assert front.ask("initialize")["supportsConditionalBreakpoints"]
    assert not front.ask("debugInfo")["isStarted"]
    front.ask("attach")
    info = front.ask("debugInfo")
    assert (info["isStarted"], info["hashMethod"], info["stoppedThreads"]) == (True, "Murmur2", [])
    code = "s = struct('a', {{1, 'x'}});\nfor k = 1:3\n    y = deeper(k);\nend\n"
    code += "function r = deeper(v)\n    w = v + 1;\n    r = 2*w;\nend"
    path = front.ask("dumpCell", code=code)["sourcePath"]
    assert path.startswith(info["tmpFilePrefix"])
    assert path.endswith(info["tmpFileSuffix"])
    assert front.ask("source", source={"path": path})["content"] == code
    wanted = [{"line": 7, "condition": "v > 1"}]
    assert front.ask("setBreakpoints", source={"path": path}, breakpoints=wanted)["breakpoints"]
    front.ask("configurationDone")
    cell = client.execute(code)
    assert front.wait_for("stopped")["reason"] == "breakpoint"
    inner, outer = front.ask("stackTrace", threadId=1)["stackFrames"]
    assert (inner["name"], inner["line"], inner["source"]["path"]) == ("deeper", 7, path)
    assert outer["line"] == 3
    (scope,) = front.ask("scopes", frameId=outer["id"])["scopes"]
    rows = front.ask("variables", variablesReference=scope["variablesReference"])["variables"]
    found = {row["name"]: row for row in rows}
    assert (found["k"]["value"], found["base"]["value"]) == ("2", "5")
    inside = front.ask("variables", variablesReference=found["s"]["variablesReference"])
    (field,) = inside["variables"]
    parts = front.ask("variables", variablesReference=field["variablesReference"])["variables"]
    assert [part["value"] for part in parts] == ["1", "'x'"]
    assert front.ask("evaluate", expression="v + w", frameId=inner["id"])["result"] == "5"
    assert not front.ask("evaluate", expression="v +", frameId=inner["id"])["success"]
    front.ask("evaluate", expression="w = 100;", frameId=inner["id"], context="repl")
    front.ask("next", threadId=1)
    front.wait_for("stopped")
    rich = front.ask("richInspectVariables", variableName="r", frameId=0)
    assert "200" in rich["data"]["text/plain"]
    front.ask("setBreakpoints", source={"path": path}, breakpoints=[])
    front.ask("continue", threadId=1)
    front.wait_for("continued")
    answer_to(client, cell)
    check_requests_without_a_pause(front)


def check_requests_without_a_pause(front: Debugging) -> None:
    """Variables between cells, wrong requests, a stop at an error, the end of debugging."""
    names = {row["name"] for row in front.ask("inspectVariables")["variables"]}
    assert {"base", "s", "k", "y"} <= names
    assert not front.ask("continue", threadId=1)["success"]
    assert not front.ask("noSuchRequest")["success"]
    front.ask("setExceptionBreakpoints", filters=["error"])
    front.client.execute("z = 1;\nerror('my:id', 'wrong');", stop_on_error=False)
    assert front.wait_for("stopped")["text"] == "wrong"
    front.ask("disconnect")  # which lets the cell go on
    reply = front.client.execute_interactive("disp(y)", timeout=WAIT_S)
    assert reply["content"]["status"] == "ok"


@pytest.mark.parametrize(
    "request_",
    [
        {"command": "dumpCell"},
        {"command": "evaluate", "arguments": {"context": "repl"}},
        {"command": "setBreakpoints", "arguments": 3},
        {"command": "setBreakpoints", "arguments": {"source": {"path": "a.m"}, "breakpoints": [1]}},
        {"command": "setBreakpoints", "arguments": {"source": {"path": "a.m"}, "breakpoints": 1}},
        {"command": "setExceptionBreakpoints", "arguments": {"filters": "error"}},
        {"command": "setExceptionBreakpoints", "arguments": {"filters": [[]]}},
        {"command": "source", "arguments": {"source": {"path": "a\0"}}},
        {"command": ["attach"]},
    ],
)
def test_requests_of_the_wrong_form_are_answered(request_: Any) -> None:
    session = Session()
    answer = asyncio.run(Adapter(session, lambda _body: None).answer(request_))
    assert not answer["success"]
    assert answer["message"]
    session.close()


def test_a_cell_that_stands_still_can_be_interrupted(installed: Path) -> None:
    manager, client = start_new_kernel(kernel_name=verb.NAME, startup_timeout=WAIT_S)
    try:
        front = Debugging(client)
        front.ask("attach")
        code = "x = 1;\ny = 2;"
        path = front.ask("dumpCell", code=code)["sourcePath"]
        front.ask("setBreakpoints", source={"path": path}, breakpoints=[{"line": 2}])
        cell = client.execute(code)
        front.wait_for("stopped")
        manager.interrupt_kernel()
        reply = answer_to(client, cell)
        assert (reply["status"], reply["ename"]) == ("error", "Interrupted")
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=False)


def test_wrong_orders_and_devices(client: Any) -> None:
    told: list[str] = []
    client.execute_interactive(
        "%device cpu\n%device", timeout=WAIT_S, output_hook=lambda m: told.append(str(m["content"]))
    )
    assert any("'cpu\\n'" in text for text in told)
    reply = client.execute_interactive("%device no_such_card\nx = 1;", timeout=WAIT_S)
    assert reply["content"]["status"] == "error"
    assert "no_such_card" in reply["content"]["evalue"]
    reply = client.execute_interactive("%%python\nprint('Hello')", timeout=WAIT_S)
    assert reply["content"]["status"] == "error"
    assert "%%python" in reply["content"]["evalue"]
    reply = client.execute_interactive("%% python in a title\nx = 1;", timeout=WAIT_S)
    assert reply["content"]["status"] == "ok"
    reply = client.execute_interactive("y = 2; % device in a comment", timeout=WAIT_S)
    assert reply["content"]["status"] == "ok"


def test_a_notebook_of_octave_runs(installed: Path) -> None:
    assert main.main(["kernel", "install", "--octave"]) == 0
    cell = nbformat.v4.new_code_cell('pkg load signal; x = 3; x += 1; printf("%d\\n", x); # four')
    notebook = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(notebook, kernel_name=verb.OCTAVE_NAME, timeout=WAIT_S).execute()
    assert texts(notebook.cells[0]) == "4\n"
    assert main.main(["kernel", "remove", "--octave"]) == 0
    assert main.main(["kernel", "remove", "--octave"]) == 2


def test_the_verb(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["kernel", "remove"]) == 0
    assert main.main(["kernel", "remove"]) == 2
    assert main.main(["kernel", "rubbish"]) == 2
    assert "install, or remove" in capsys.readouterr().err
