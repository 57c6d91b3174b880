"""A language server under an editor that does everything wrong, over the wire it really has.

The server runs in a thread between two pipes. The editor types pieces of code at any place, asks
everything of any place, also of places and files that there are not, leaves out and mistypes parts
of its messages, cancels, deletes files. A finding is: a request without an answer or with two, an
internal error, an end of the server, or remarks that differ from those of the text opened anew.

``python -m tests.fuzz.editor [MESSAGES] [SEED]`` goes on for so many.
"""

from __future__ import annotations

import json
import logging
import os
import random
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import BinaryIO

from app.lsp.server import serve

Message = dict[str, object]

PIECES = (
    "'",
    '"',
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "end\n",
    "function f\n",
    "%{\n",
    "%}\n",
    "...\n",
    "x.",
    "é",
    "😀",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "if x, ",
    "for k=1:3, ",
    "classdef A\n",
    "@(x) ",
    "= ",
    ";",
    " ",
    "1e",
    "arguments\n",
    "\0",
    "\ud800",
    "properties\n",
    "a" * 3000,
    "x = y(1).b{2}';\n",
    "%% \n",
    "parfor i=1:3\n",
    "import a.b\n",
    "!ls\n",
    "%[text] # a\n",
    "enumeration\n",
    "~",
    "\u2028",
    "\f",
)
"""What is typed, beside whole texts that are pasted."""
TEXTS = (
    "%% Start\nx = rand(3);\ny = helper(x) + 😀;\nfprintf('%d\\n', y);\n%% End\ns.a = 1; s.\n",
    "function r = helper(x)\n% HELPER helps.\narguments\n x double = 1\nend\nr = inner(x);\nend\n"
    "function q = inner(p)\nq = p;\nend\n",
    "classdef Tank < handle\nproperties\n Level = 0\nend\nmethods\nfunction fill(o, n)\n"
    "o.Level = o.Level + n;\nend\nend\nend\n",
)
PLACED = (
    "completion",
    "hover",
    "signatureHelp",
    "definition",
    "references",
    "rename",
    "prepareRename",
    "documentHighlight",
    "codeAction",
    "documentSymbol",
    "foldingRange",
    "semanticTokens/full",
    "codeLens",
    "inlayHint",
    "formatting",
)
OTHERS = ("workspace/symbol", "workspace/executeCommand", "completionItem/resolve", "no/such")
STRANGE = (None, -1, 1.5, 2**31, 2**70, "text", [], {}, True)
"""What stands where something else should."""
PATIENCE_S = 30.0
_INTERNAL, _CANCELLED = -32603, -32800


class Editor:
    """One editor with its server.

    Attributes:
        findings: what should not have happened.
        texts: the texts it has open, by address.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, random.Random(seed)
        self.findings: list[str] = []
        self.texts: dict[str, str] = {}
        self._versions: dict[str, int] = {}
        self._asked: dict[int, str] = {}
        self._remarks: dict[str, object] = {}
        self._remarked: dict[str, object] = {}  # versions of the texts that were remarked on
        self._arrived = Queue[Message | None]()
        there, self._out = (os.fdopen(n, m) for n, m in zip(os.pipe(), ("rb", "wb"), strict=True))
        self._in, back = (os.fdopen(n, m) for n, m in zip(os.pipe(), ("rb", "wb"), strict=True))
        self.server = threading.Thread(target=_serve, args=(there, back), daemon=True)
        self.server.start()
        self._ear = threading.Thread(target=self._hear, daemon=True)
        self._ear.start()

    # --- the wire ---

    def tell(self, method: str, params: object) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: object) -> int:
        """Send a request; its number."""
        number = len(self._asked) + 1
        self._asked[number] = method
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return number

    def _send(self, message: Message) -> None:
        body = json.dumps(message).encode()
        self._out.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._out.flush()

    def _hear(self) -> None:
        while line := self._in.readline():
            while self._in.readline().strip():
                pass
            self._arrived.put(json.loads(self._in.read(int(line.split(b":")[1]))))
        self._arrived.put(None)

    def answers(self, wanted: set[int]) -> dict[int, Message]:
        """The answers of requests, when all are there; what else arrives is noted."""
        found: dict[int, Message] = {}
        while wanted - found.keys():
            try:
                message = self._arrived.get(timeout=PATIENCE_S)
            except Empty:
                missing = sorted(wanted - found.keys())
                self.findings += [f"no answer to {self._asked[n]}" for n in missing]
                break
            if message is None:
                self.findings.append("the server ended")
                break
            number = message.get("id")
            if "method" in message:
                self._note(message)
            elif number not in wanted or number in found:
                self.findings.append(f"an answer nobody waits for: {message}")
            else:
                found[int(str(number))] = message
        for number, message in found.items():
            self._judge(self._asked[number], message)
        return found

    def _note(self, message: Message) -> None:
        params = message["params"]
        if message["method"] == "textDocument/publishDiagnostics" and isinstance(params, dict):
            self._remarks[params["uri"]] = params["diagnostics"]
            self._remarked[params["uri"]] = params.get("version")
        elif message["method"] == "window/logMessage" and "Traceback" in str(params):
            self.findings.append(f"logged: {params}")
        elif "id" in message:
            self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def _judge(self, method: str, answer: Message) -> None:
        error = answer.get("error")
        if isinstance(error, dict) and error["code"] == _INTERNAL:
            self.findings.append(f"{method}: {json.dumps(error)[-700:]}")

    # --- what it does ---

    def begin(self) -> None:
        """Greet the server and open the texts."""
        address = self.folder.as_uri()
        folders = [{"uri": address, "name": "folder"}]
        greeting = {"processId": None, "rootUri": address, "workspaceFolders": folders}
        self.answers({self.ask("initialize", greeting | {"capabilities": {}})})
        self.tell("initialized", {})
        for k, text in enumerate(TEXTS):
            file = self.folder / f"{('main', 'helper', 'Tank')[k]}.m"
            file.write_text(text, encoding="utf-8")
            self.open(file.as_uri(), text)

    def open(self, uri: str, text: str) -> None:
        """Open a text."""
        self.texts[uri], self._versions[uri] = text, 1
        held = {"uri": uri, "languageId": "matlab", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": held})

    def act(self, count: int) -> None:
        """Do so many things, some at once."""
        waiting: set[int] = set()
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.4:
                self._type()
            elif kind < 0.45:
                self._touch_files()
            elif kind < 0.48:
                self._misbehave()
            else:
                waiting.add(self._ask_something())
            if waiting and self.random.random() < 0.1:
                self.tell("$/cancelRequest", {"id": self.random.choice([*waiting, 10**6])})
            if len(waiting) > self.random.randrange(6):
                self.answers(waiting)
                waiting = set()
        self.answers(waiting)

    def _type(self) -> None:
        uri = self.random.choice(list(self.texts))
        text = self.texts[uri]
        first, last = sorted(self.random.randrange(len(text) + 1) for _ in range(2))
        last = min(last, first + self.random.choice([0, 0, 0, 5, 60]))
        pasted = self.random.choice(TEXTS)[: self.random.randrange(60)]
        new = self.random.choice([self.random.choice(PIECES), pasted])
        self.texts[uri] = text[:first] + new + text[last:]
        self._change(uri)

    def _change(self, uri: str) -> None:
        self._versions[uri] += 1
        held = {"uri": uri, "version": self._versions[uri]}
        change = {"text": self.texts[uri]}
        self.tell("textDocument/didChange", {"textDocument": held, "contentChanges": [change]})

    def _ask_something(self) -> int:
        uri = self.random.choice([*self.texts, *self.texts, self._no_file(), "untitled:1", "", ":"])
        if self.random.random() < 0.15:
            method = self.random.choice(OTHERS)
            command = self.random.choice(["fuselab.interrupt", "fuselab.none"])
            params: Message = {"query": "a", "command": command, "arguments": [], "label": "sin"}
        else:
            method = f"textDocument/{self.random.choice(PLACED)}"
            about = {"start": self._anywhere(uri), "end": self._anywhere(uri)}
            params = {
                "textDocument": {"uri": uri},
                "position": self._anywhere(uri),
                "range": about,
                "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
                "newName": self.random.choice(["other", "1x", "", "end", "a.b", "é"]),
                "options": {"tabSize": self.random.choice([0, 4, 2**31 - 1]), "insertSpaces": True},
            }
        if self.random.random() < 0.15:
            self._spoil(params)
        return self.ask(method, params)

    def _anywhere(self, uri: str) -> dict[str, object]:
        text = self.texts.get(uri, "")
        if self.random.random() < 0.1:
            return {"line": self.random.choice([10**6, 2**31 - 1]), "character": 2**31 - 1}
        return _place(text, self.random.randrange(len(text) + 1))

    def _no_file(self) -> str:
        return self.random.choice(
            [
                f"{self.folder.as_uri()}/none.m",
                f"file:///{'a' * 5000}.m",
                "file:///",
                "file:///%00.m",
            ]
        )

    def _spoil(self, params: Message) -> None:
        """Leave out or mistype a part of a message."""
        at: object = params
        while isinstance(at, dict) and at:
            name = self.random.choice(list(at))
            if isinstance(at[name], dict) and self.random.random() < 0.6:
                at = at[name]
                continue
            if self.random.random() < 0.3:
                del at[name]
            else:
                at[name] = self.random.choice(STRANGE)
            return

    def _touch_files(self) -> None:
        uri = self.random.choice(list(self.texts))
        file = self.folder / uri.rpartition("/")[2]
        kind = self.random.randrange(4)
        if kind == 0:
            file.unlink(missing_ok=True)
        elif kind == 1:
            file.write_text(self.random.choice(TEXTS), encoding="utf-8")
        elif kind == 2:
            file.write_bytes(self.random.randbytes(200))
        else:
            self.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 3}]})

    def _misbehave(self) -> None:
        """Notifications that make no sense."""
        uri = self._no_file()
        held = {"uri": uri, "languageId": "matlab", "version": 1, "text": "x"}
        for method, params in (
            ("textDocument/didClose", {"textDocument": {"uri": uri}}),
            ("textDocument/didOpen", {"textDocument": held}),
            ("textDocument/didClose", {"textDocument": {"uri": uri}}),
            ("no/such", None),
            ("$/setTrace", {"value": "verbose"}),
        ):
            self.tell(method, params)

    def end(self) -> None:
        """Compare the remarks with those of the texts opened anew, and say goodbye."""
        for uri in self.texts:  # the files may have changed since they were remarked on
            self._change(uri)
        self._settle()
        before = dict(self._remarks)
        for uri, text in list(self.texts.items()):
            self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
            self.open(uri, text)
        self._settle()
        for uri in self.texts:
            if before.get(uri) != self._remarks.get(uri):
                self.findings.append(f"other remarks when opened anew: {uri}")
        self.answers({self.ask("shutdown", None)})
        self.tell("exit", None)
        self.server.join(PATIENCE_S)
        if self.server.is_alive():
            self.findings.append("the server did not end")
        self._ear.join(PATIENCE_S)
        self._out.close()
        self._in.close()

    def _settle(self) -> None:
        """Wait for the remarks on every text as it is now; those on a long one take their time."""
        self.answers({self.ask("workspace/symbol", {"query": "no such name"})})
        while any(self._remarked.get(uri) != version for uri, version in self._versions.items()):
            try:
                message = self._arrived.get(timeout=PATIENCE_S)
            except Empty:
                message = None
            if message is None:
                self.findings.append("the remarks on a text did not come")
                return
            self._note(message)


def _place(text: str, offset: int) -> dict[str, object]:
    """A place as the protocol counts: lines, and UTF-16 units."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    line = before.rpartition("\n")[2]
    return {
        "line": before.count("\n"),
        "character": len(line.encode("utf-16-le", "surrogatepass")) // 2,
    }


def _serve(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    with incoming, outgoing:
        serve(incoming, outgoing)


def findings(folder: Path, count: int, seed: int) -> list[str]:
    """What an editor of that seed finds."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs whatever it refuses
    editor = Editor(folder, seed)
    editor.begin()
    editor.act(count)
    editor.end()
    return editor.findings


def _campaign(count: int, seed: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield from findings(Path(folder), count, seed)


if __name__ == "__main__":
    given = [int(a) for a in sys.argv[1:]]
    found = list(_campaign(*(given + [300, 1][len(given) :])))
    print("\n\n".join(found))
    print(len(found), "findings")
