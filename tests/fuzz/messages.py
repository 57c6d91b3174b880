"""Malformed messages to whoever listens: each is refused, and the next good one is answered.

A message that would be right has something wrong: it is cut, damaged, nested deeply, of other types,
without a part, with numbers beyond measure, in no UTF-8, with another length before it, or out of
order. After each the listener is asked something; a finding is an answer that does not come, an
exception that nobody took, or a thread or file that is left.

``python -m tests.fuzz.messages [SECONDS] [SEED]`` goes on for so long, a part of it for each.
"""

from __future__ import annotations

import io
import json
import logging
import os
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Client, Connection
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from typing import Any, BinaryIO, Protocol

from app.engine.parallel.machines import ThisMachine
from app.engine.parallel.pool import Message, Pool, Task
from app.engine.parallel.value_encoding import pack
from app.engine.protocol import OutputText
from app.engine.session import confined_process, event_encoding
from app.lsp.server import serve
from tests.fuzz.readers import damage

Tree = Any
PATIENCE_S = 30.0
POOLED = 10
"""Threads that a listener may keep for later; one for every message would be more."""
STRANGE = (
    None,
    True,
    -1,
    1.5,
    2**31,
    2**63,
    10**400,
    1e308,
    float("nan"),
    "",
    "text",
    [],
    [[]],
    {},
)
"""What stands where something else should."""


def broken_body(message: Tree, choose: random.Random) -> bytes:
    """A message as JSON with something wrong."""
    body = json.dumps(message).encode()
    match choose.randrange(10):
        case 0:
            return body[: choose.randrange(len(body))]
        case 1:
            return damage(body, choose)
        case 2:
            at = choose.randrange(len(body))
            return body[:at] + choose.choice((b"\xff", b"\xc3", b"\0", b"\xed\xa0\x80")) + body[at:]
        case 3:
            depth = choose.choice((1000, 100_000))
            return choose.choice((b"[", b'{"a":')) * depth
        case 4:
            return json.dumps(choose.choice([*STRANGE, [message], [[]], "x" * 10**6])).encode()
        case 5:
            return body + body
        case 6:
            return b"1" * choose.choice((400, 5000))
        case 7:
            return body.decode().encode(choose.choice(("utf-16", "utf-32", "utf-8-sig")))
        case _:
            return json.dumps(spoiled(message, choose)).encode()


def spoiled(message: Tree, choose: random.Random) -> Tree:
    """A message without a part of it, or with another value there."""
    made = json.loads(json.dumps(message))
    at = made
    while isinstance(at, dict | list) and at:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = choose.choice(keys)
        if isinstance(at[key], dict | list) and at[key] and choose.random() < 0.6:
            at = at[key]
            continue
        if choose.random() < 0.3:
            del at[key]
        else:
            at[key] = choose.choice(STRANGE)
        break
    return made


class Listener(Protocol):
    """Something that hears messages.

    Attributes:
        name: what it is called.
    """

    name: str

    def send_broken(self, choose: random.Random) -> str:
        """Send one malformed message; what it was."""

    def problem(self) -> str:
        """Ask something; why the answer is wrong, empty where it is right."""

    def close(self) -> None:
        """It is not asked any more."""


class Server:
    """The language server, over the wire it has."""

    name = "language server"

    def __init__(self, folder: Path) -> None:
        self._numbers = 0
        self._arrived = Queue[Tree]()
        there, self._out = (os.fdopen(n, m) for n, m in zip(os.pipe(), ("rb", "wb"), strict=True))
        self._in, back = (os.fdopen(n, m) for n, m in zip(os.pipe(), ("rb", "wb"), strict=True))
        self._thread = threading.Thread(target=_serve, args=(there, back), daemon=True)
        self._ear = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()
        self._ear.start()
        uri = (folder / "a.m").as_uri()
        text = {"uri": uri, "languageId": "matlab", "version": 1, "text": "x = 1;\ny = sin(x);\n"}
        place = {"line": 1, "character": 5}
        held = {"textDocument": {"uri": uri}, "position": place}
        greeting = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
        self._good = [
            {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": text}},
            {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": held},
            {"jsonrpc": "2.0", "id": 8, "method": "textDocument/completion", "params": held},
            {"jsonrpc": "2.0", "id": "a", "method": "workspace/symbol", "params": {"query": "x"}},
            {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7}},
            {"jsonrpc": "2.0", "id": 99, "result": None},
            {"jsonrpc": "2.0", "id": 9, "method": "initialize", "params": greeting},
        ]
        span = {"start": {"line": 0, "character": 0}, "end": place}
        document, changes = {"uri": uri}, [{"range": span, "text": "q = 2;\n"}, {"text": "x = 1;"}]
        ask: Tree
        asked: Tree = {
            "definition": held,
            "references": {**held, "context": {"includeDeclaration": True}},
            "documentHighlight": held,
            "prepareRename": held,
            "rename": {**held, "newName": "z"},
            "documentSymbol": {"textDocument": document},
            "semanticTokens/full": {"textDocument": document},
            "inlayHint": {"textDocument": document, "range": span},
            "foldingRange": {"textDocument": document},
            "formatting": {
                "textDocument": document,
                "options": {"tabSize": 4, "insertSpaces": True},
            },
            "codeLens": {"textDocument": document},
            "signatureHelp": held,
            "didClose": {"textDocument": document},
            "didChange": {"textDocument": {**document, "version": 2}, "contentChanges": changes},
        }
        for number, (method, params) in enumerate(asked.items(), 20):
            ask = {"jsonrpc": "2.0", "method": f"textDocument/{method}", "params": params}
            self._good.insert(0, ask if method[:3] == "did" else {**ask, "id": number})
        breaks = {"source": {"path": uri}, "breakpoints": [{"line": 1, "condition": "x > 0"}]}
        debugged = {
            "initialize": {"adapterID": "fuselab", "linesStartAt1": True},
            "launch": {"program": uri},
            "setBreakpoints": breaks,
            "configurationDone": {},
            "stackTrace": {"threadId": 1, "startFrame": 0, "levels": 20},
            "scopes": {"frameId": 1},
            "variables": {"variablesReference": 1, "start": 0, "count": 10},
            "evaluate": {"expression": "x", "frameId": 1, "context": "repl"},
            "setVariable": {"variablesReference": 1, "name": "x", "value": "2"},
            "next": {"threadId": 1},
            "continue": {"threadId": 1},
            "pause": {"threadId": 1},
            "disconnect": {"terminateDebuggee": True},
        }
        for seq, (command, arguments) in enumerate(debugged.items(), 1):
            told = {"seq": seq, "type": "request", "command": command, "arguments": arguments}
            held_by = {"command": "fuselab.debug", "arguments": [uri, told]}
            ask = {"method": "workspace/executeCommand", "params": held_by}
            self._good.insert(0, {"jsonrpc": "2.0", "id": f"debug {seq}", **ask})
        run = {"command": "fuselab.run", "arguments": [uri]}
        for command in ("fuselab.run", "fuselab.runSection", "fuselab.interrupt"):
            ask = {"method": "workspace/executeCommand", "params": {**run, "command": command}}
            self._good.insert(0, {"jsonrpc": "2.0", "id": command, **ask})
        self._send(json.dumps(self._good[-1]).encode())
        self._send(json.dumps(self._good[-7]).encode())

    def _send(self, body: bytes, head: bytes | None = None) -> None:
        self._out.write(head if head is not None else b"Content-Length: %d\r\n\r\n" % len(body))
        self._out.write(body)
        self._out.flush()

    def _hear(self) -> None:
        while line := self._in.readline():
            while self._in.readline().strip():
                pass
            self._arrived.put(json.loads(self._in.read(int(line.split(b":")[1]))))

    def send_broken(self, choose: random.Random) -> str:
        """Another body, or other lines before it."""
        message = choose.choice(self._good)
        if choose.random() < 0.6:
            body = broken_body(message, choose)
            self._send(body)
            return repr(body[:200])
        body = json.dumps(message).encode()
        lengths = (b"0", b"-5", b"x", b"", b"9" * 5000, b"9" * 18, b"1e3", b"7" * 12)
        head = choose.choice(
            [b"Content-Length: %s\r\n\r\n" % n for n in lengths]
            + [b"Content-Length: %d\n\n" % len(body), b"\r\n\r\n", b"\0" * 100_000 + b"\r\n\r\n"]
            + [b"Content-Length: %d\r\n\r\n" % max(1, len(body) - choose.randrange(1, 30))]
            + [b"Content-Length: %d\r\n\r\n" % (len(body) + choose.randrange(1, 90))]
            + [b"Content-Type: x\r\nContent-Length: %d\r\n\r\n" % len(body), b"X: y\r\n"]
        )
        self._send(body, head)
        return repr(head[:60] + body[:100])

    def problem(self) -> str:
        """Ask for symbols; a length that was too large has swallowed the first questions."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self._thread.is_alive():
            self._numbers += 1
            number = f"ask {self._numbers}"
            ask = {"jsonrpc": "2.0", "id": number, "method": "workspace/symbol"}
            self._send(json.dumps({**ask, "params": {"query": "none"}}).encode())
            patience = time.monotonic() + 3.0
            while (left := patience - time.monotonic()) > 0:
                try:
                    message = self._arrived.get(timeout=left)
                except Empty:
                    break
                if message.get("id") == number:
                    return "" if "result" in message else f"refused: {message}"
        return "no answer" if self._thread.is_alive() else "the server ended"

    def close(self) -> None:
        """Hang up."""
        self._out.close()
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            raise RuntimeError("the server goes on after its client has gone")
        self._ear.join(PATIENCE_S)
        self._in.close()


def _serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    with incoming, outgoing:
        serve(incoming, outgoing)


class Window:
    """The socket at which later starts hand their files over."""

    name = "socket of the one window"

    def __init__(self, folder: Path) -> None:
        from PySide6.QtCore import QObject
        from PySide6.QtWidgets import QApplication

        from app.ui.shell import single_instance

        self._app = QApplication.instance() or QApplication([])
        self._before = os.environ.get("XDG_RUNTIME_DIR")
        folder.chmod(0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(folder)
        self._parent = QObject()
        self._opened: list[Path] = []
        self._instance = single_instance.SingleInstance(self._parent, self._opened.extend)
        if not self._instance.listen():
            raise RuntimeError("nobody listens")
        self._place = single_instance.server_name()

    def _pump(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not until() and time.monotonic() < end:
            self._app.processEvents()
            time.sleep(0.001)

    def _deliver(self, data: bytes, *, hold: bool = False) -> socket.socket:
        caller = socket.socket(socket.AF_UNIX)
        caller.settimeout(PATIENCE_S)
        caller.connect(self._place)
        with suppress(OSError):  # refused in the middle of what is too long
            for at in range(0, len(data), 1 << 14):
                caller.sendall(data[at : at + (1 << 14)])
                self._app.processEvents()
        if not hold:
            caller.close()
        return caller

    def send_broken(self, choose: random.Random) -> str:
        """A line that is no list of names."""
        body = broken_body(["/a.m", "/b.m"], choose)
        ending = choose.choice((b"\n", b"", b"\n\n\n", b"\0\n"))
        with self._deliver(body + ending, hold=True):
            for _ in range(5):
                self._app.processEvents()
        return repr(body[:200])

    def problem(self) -> str:
        """Hand a file over, behind a line that is none."""
        self._app.processEvents()
        self._opened.clear()
        self._deliver(b"nonsense\n" + json.dumps(["/good.m"]).encode() + b"\n")
        self._pump(lambda: Path("/good.m") in self._opened)
        return "" if Path("/good.m") in self._opened else "a file was not taken"

    def close(self) -> None:
        """Take no more."""
        from PySide6.QtNetwork import QLocalSocket

        self._pump(lambda: not self._instance.findChildren(QLocalSocket))
        left = self._instance.findChildren(QLocalSocket)
        self._instance.close()
        if self._before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = self._before
        if left:
            raise RuntimeError(f"{len(left)} connections are left")


class _FakeProcess:
    """What a pool takes for the process of a worker."""

    pid, device, problem = 0, "cpu", ""

    def __init__(self) -> None:
        self.ended = threading.Event()

    def poll(self) -> int | None:
        return 0 if self.ended.is_set() else None

    def wait(self, timeout: float | None = None) -> int:
        self.ended.wait(timeout)
        return 0

    def kill(self) -> None:
        self.ended.set()

    let_go = kill


class _FakeMachines:
    """Workers that are pipes; the newest is ``there``."""

    name, are_here, bytes_per_s = "fake", True, 1e9

    def __init__(self) -> None:
        self.there: Connection
        self._called: Any = None
        self._made: list[tuple[int, Connection]] = []
        self.started = 0

    def start(self, number: int, settings: object) -> _FakeProcess:
        self.started += 1
        ours, self.there = Pipe()
        self._made.append((number, ours))
        if self._called is not None:
            threading.Timer(0.01, self._called, self._made.pop()).start()
        return _FakeProcess()

    def open(self, called: Any) -> None:
        self._called = called
        while self._made:
            called(*self._made.pop())

    def problem(self) -> str:
        return ""

    def close(self) -> None:
        self._called = None


class Owner:
    """A pool, hearing from a worker."""

    name = "pool"

    def __init__(self, _: Path) -> None:
        self._machines = _FakeMachines()
        self._pool = Pool(1, {}, self._machines)  # type: ignore[arg-type]
        self._open: list[Task] = []

    def send_broken(self, choose: random.Random) -> str:
        """Another message of a worker, also about a task it has."""
        task = self._submit() if choose.random() < 0.5 else None
        number = 0 if task is None else task.number
        kinds = ("ready",), ("done", 1), ("out", "text", "out"), ("failed",), ("mail", 1, "x")
        kind, *more = choose.choice([*kinds, ("stopped",), ("data", 1, "x", ())])
        good = (kind, number, *more)
        match choose.randrange(4):
            case 0:
                whole = pack(good)
                data = whole[: choose.randrange(len(whole))]
            case 1:
                data = choose.choice((b"", b"\0" * 50, b"(\3\0\0\0", b"text", pack(())))
            case 2:
                parts = list(good)
                parts[choose.randrange(len(parts))] = choose.choice(STRANGE[:-1])
                data = pack(parts)
            case _:
                data = pack(good[: choose.randrange(len(good) + 1)])
        with suppress(OSError):
            self._machines.there.send_bytes(data)
        return repr(data[:100])

    def _submit(self) -> Task:
        task = Task(self._pool.job("call", (), {}), ("x",), SimpleQueue[Message]())
        self._open.append(task)
        self._pool.submit(task)
        return task

    def problem(self) -> str:
        """Give it a task, which the worker of the day does."""
        task, end = self._submit(), time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with suppress(OSError):
                self._machines.there.send_bytes(pack(("ready",)))
                for one in self._open:  # whichever the worker has
                    if one.worker:
                        self._machines.there.send_bytes(pack(("done", one.number, 1)))
            with suppress(Empty):
                message = task.inbox.get(timeout=0.05)
                if message.kind in ("done", "lost"):
                    self._open.clear()
                    return ""
            if not self._pool._thread.is_alive():
                return "the pool does not listen any more"
        return "a task is not done"

    def close(self) -> None:
        """End the pool."""
        self._pool.close()


class Door:
    """Where the workers of a pool call."""

    name = "door of a pool"

    def __init__(self, _: Path) -> None:
        self._machine = ThisMachine(lambda _: {})
        self._called = Queue[int]()
        self._machine.open(lambda number, pipe: (self._called.put(number), pipe.close()))

    def send_broken(self, choose: random.Random) -> str:
        """A caller without the key, or who says something else."""
        address, key = self._machine._door.address, self._machine._key
        with suppress(OSError, EOFError, ValueError):
            if choose.random() < 0.4:
                with socket.socket(socket.AF_UNIX) as caller:
                    caller.connect(str(address))
                    caller.sendall(choose.randbytes(choose.randrange(60)))
                return "bytes"
            with Client(address, authkey=key) as caller:
                data = choose.choice((b"", pack(()), pack(("x",)), pack((None,)), b"\xff" * 9))
                caller.send_bytes(data)
                return repr(data)
        return "nothing"

    def problem(self) -> str:
        """Call as a worker does."""
        while not self._called.empty():
            self._called.get()
        try:
            with Client(self._machine._door.address, authkey=self._machine._key) as caller:
                caller.send_bytes(pack((3,)))
                return "" if self._called.get(timeout=PATIENCE_S) == 3 else "another number"
        except (Empty, OSError, EOFError) as problem:
            return f"a worker cannot call: {problem!r}"

    def close(self) -> None:
        """Nobody is taken in any more."""
        self._machine.close()


class Engine:
    """The process of an untrusted folder's engine, from the side of the window."""

    name = "confined engine"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._serving: threading.Thread
        self._begin()

    def _begin(self) -> None:
        there, here = os.pipe()
        self._out = os.fdopen(here, "wb")
        self._posted = Queue[object]()
        self._stops = 0
        self._status = Queue[str]()
        source = os.fdopen(there, "rb")

        def run() -> None:
            with source:
                confined_process.serve(self, self, source)  # type: ignore[arg-type]
            self._status.put("ended")

        self._serving = threading.Thread(target=run, daemon=True)
        self._serving.start()

    # what it hands requests to

    def post(self, request: object) -> None:
        self._posted.put(request)

    def stop_run(self) -> None:
        self._stops += 1

    def set(self, name: str, value: object, origin: str = "") -> None:
        if not isinstance(name, str):
            raise TypeError(name)

    def send_broken(self, choose: random.Random) -> str:
        """Another frame."""
        from app.engine import protocol

        stream = io.BytesIO()
        items = [
            protocol.RunText("x = 1;", "<fuzz>"),
            ("stop",),
            ("setting", "theme", "dark", "set"),
        ]
        event_encoding.write(stream, choose.choice(items))
        frame = stream.getvalue()
        head = event_encoding._LENGTHS.size
        tree = frame[head:]
        match choose.randrange(4):
            case 0:
                data = frame[: choose.randrange(len(frame))]
            case 1:
                size = choose.choice((0, 1, 2**40, 2**64 - 1, len(tree) - 1))
                data = event_encoding._LENGTHS.pack(size, choose.choice((0, 1, 2**63))) + tree
            case 2:
                body = broken_body(json.loads(tree), choose)
                data = event_encoding._LENGTHS.pack(len(body), 0) + body
            case _:
                other = io.BytesIO()
                odd = (OutputText("x", "out", 1), (), ("setting",), ("none", 1), [1], "x", 3)
                event_encoding.write(other, choose.choice(odd))
                data = other.getvalue()
        with suppress(OSError):
            self._out.write(data)
            self._out.flush()
        return repr(data[:120])

    def problem(self) -> str:
        """Ask for a run; a frame that broke off ends the process, which is right."""
        from app.engine import protocol

        request = protocol.RunText("answer", "<fuzz>")
        with suppress(OSError, ValueError):
            event_encoding.write(self._out, request)
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            with suppress(Empty):
                if self._posted.get(timeout=0.02) == request:
                    return ""
            if not self._serving.is_alive():
                break
        with suppress(OSError):
            self._out.close()
        self._serving.join(PATIENCE_S)
        if self._serving.is_alive():
            return "it neither answers nor ends"
        if self._status.empty():
            return "it ended by an exception"
        self._begin()
        return ""

    def close(self) -> None:
        """Hang up."""
        with suppress(OSError):
            self._out.close()
        self._serving.join(PATIENCE_S)


class Kernel:
    """The Jupyter kernel, over its wire."""

    name = "Jupyter kernel"

    def __init__(self, folder: Path) -> None:
        from jupyter_client.manager import KernelManager

        place = folder / "kernels" / "fuselab_fuzz"
        place.mkdir(parents=True)
        about = {"argv": [sys.executable, "-m", "app.jupyter.kernel", "-f", "{connection_file}"]}
        about |= {"display_name": "x", "language": "matlab"}  # type: ignore[dict-item]
        (place / "kernel.json").write_text(json.dumps(about))
        self._manager = KernelManager(kernel_name="fuselab_fuzz")
        self._manager.kernel_spec_manager.kernel_dirs = [str(folder / "kernels")]
        self._log = (folder / "kernel.log").open("wb")
        environment = {**os.environ, "IPYTHONDIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder)}
        self._manager.start_kernel(env=environment, stdout=self._log, stderr=self._log)
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=2 * PATIENCE_S)

    def send_broken(self, choose: random.Random) -> str:
        """Another message on one of its channels."""
        session = self._client.session
        contents = {
            "execute_request": {"code": "x = 1;", "silent": False, "store_history": True},
            "complete_request": {"code": "si", "cursor_pos": 2},
            "inspect_request": {"code": "sin", "cursor_pos": 2, "detail_level": 0},
            "is_complete_request": {"code": "x = 1"},
            "kernel_info_request": {},
            "history_request": {"hist_access_type": "tail", "n": 3},
            "comm_info_request": {},
            "debug_request": {
                "type": "request",
                "seq": 1,
                "command": "initialize",
                "arguments": {},
            },
            "interrupt_request": {},
            "nonsense_request": {"x": 1},
        }
        kind = choose.choice(list(contents))
        said = json.dumps(spoiled(contents[kind], choose)).replace("NaN", "0")  # it warns of NaN
        message = session.msg(kind, json.loads(said))
        channel = choose.choice((self._client.shell_channel, self._client.control_channel))
        if choose.random() < 0.5 and kind != "interrupt_request":
            session.send(channel.socket, message)
            return f"{kind} {message['content']}"
        frames = session.serialize(message)
        at = choose.randrange(len(frames))
        match choose.randrange(4):
            case 0:
                frames[at] = damage(bytes(frames[at]), choose)
            case 1:
                del frames[at:]
            case 2:
                signed = [broken_body(message["content"], choose) for _ in range(4)]
                frames = [frames[0], session.sign(signed), *signed]
            case _:
                frames = [b"x", *frames]
        channel.socket.send_multipart(frames or [b""])
        return repr(frames)[:200]

    def problem(self) -> str:
        """Run something."""
        with suppress(Empty):
            while True:
                self._client.get_shell_msg(timeout=0)
        asked = self._client.execute("disp(1)")
        end = time.monotonic() + PATIENCE_S
        while (left := end - time.monotonic()) > 0:
            try:
                answer = self._client.get_shell_msg(timeout=left)
            except Empty:
                break
            if answer["parent_header"].get("msg_id") == asked:
                status = answer["content"]["status"]
                return "" if status == "ok" else f"refused: {answer['content']}"
        return "no answer" if self._manager.is_alive() else "the kernel ended"

    def close(self) -> None:
        """End it."""
        self._client.stop_channels()
        self._manager.shutdown_kernel(now=False)
        self._log.close()


LISTENERS: tuple[type[Listener], ...] = (Server, Window, Owner, Door, Engine, Kernel)


@contextmanager
def _uncaught(found: list[str]) -> Any:
    """Note what threads and Qt's slots let out."""
    before = threading.excepthook, sys.excepthook, sys.unraisablehook
    threading.excepthook = lambda a: found.append(f"in a thread: {a.exc_value!r}")
    sys.excepthook = lambda _kind, problem, _trace: found.append(f"uncaught: {problem!r}")
    sys.unraisablehook = lambda a: found.append(f"uncaught: {a.exc_value!r}")
    try:
        yield
    finally:
        threading.excepthook, sys.excepthook, sys.unraisablehook = before


def findings(
    kind: type[Listener], folder: Path, seed: int, enough: Callable[[int], bool]
) -> list[str]:
    """What a listener does wrong, of as many messages as are enough."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # it logs whatever it refuses
    found: list[str] = []
    with _uncaught(found):
        listener, count = kind(folder), 0
        threads = threading.active_count()
        try:
            while not found and not enough(count):
                count += 1
                what = listener.send_broken(random.Random(f"{kind.name} {seed} {count}"))
                said = listener.problem()
                found += [f"{said}, after {what}"] if said else []
            if found:
                found[-1] += f" ({kind.name}, {seed}, message {count})"
            elif threading.active_count() > threads + POOLED:
                found.append(f"{threading.active_count() - threads} threads are left")
        finally:
            listener.close()
    return found


def main(seconds: float, seed: int) -> int:
    """Go on for so long; 1 when something was found."""
    tried, told = Counter[str](), 0
    for kind in LISTENERS:
        end = time.monotonic() + seconds / len(LISTENERS)

        def enough(count: int, kind: type[Listener] = kind, end: float = end) -> bool:
            tried[kind.name] += 1
            return time.monotonic() > end or count < 0

        while time.monotonic() < end:
            with tempfile.TemporaryDirectory() as folder:
                found = findings(kind, Path(folder), seed, enough)
            seed += 1
            told += len(found)
            sys.stdout.write("".join(f"{text[:600]}\n" for text in found))
            sys.stdout.flush()
            if len(found) and told > 20:
                break
    sys.stdout.write(f"messages: {dict(tried)}, {told} findings\n")
    return bool(told)


if __name__ == "__main__":
    given = [*sys.argv[1:], "60", "1"][:2] if len(sys.argv) < 3 else sys.argv[1:3]
    sys.exit(main(float(given[0]), int(given[1])))
