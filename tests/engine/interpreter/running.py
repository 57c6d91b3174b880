"""Runs MATLAB text the way a session does, for the tests of the interpreter."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.errors import Interrupted, MatlabError
from app.settings import Settings
from app.source import SourceText

STACK = 256 * 1024 * 1024


class Recorder:
    """Takes output; interrupts when told to."""

    windowed = False

    def __init__(self) -> None:
        self.text = ""
        self.errors = ""
        self.cancelled = False

    def write(self, text: str) -> None:
        self.text += text

    def write_error(self, text: str, stream: str = "err") -> None:
        self.errors += text

    def poll(self) -> None:
        if self.cancelled:
            raise Interrupted

    def tell(self, event: object) -> None:
        """Events are not looked at."""

    def ask(self, question: object) -> None:
        """No window: dialogs are asked line by line."""

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        return "41 + 1"


class Machine:
    """An interpreter with recorded output."""

    def __init__(self, runtime: Any = None) -> None:
        self.host = Recorder()
        self.interpreter = Interpreter(Settings(), runtime, self.host, NATIVE)

    def run(self, text: str, name: str = "<command>") -> str:
        """What the text prints."""
        before = len(self.host.text)
        self.interpreter.run(SourceText(name, text))
        return self.host.text[before:]

    def value(self, text: str) -> Any:
        """The value of an expression."""
        self.run(f"result__ = {text};")
        return self.interpreter.workspace["result__"]

    def fails(self, text: str, name: str = "<command>") -> MatlabError:
        """The error that leaves the text."""
        try:
            self.run(text, name)
        except MatlabError as problem:
            return problem
        raise AssertionError("no error")


def on_big_stack(action: Callable[[], Any]) -> Any:
    """Run on a thread with the stack that sessions use."""
    found: list[Any] = []
    old = threading.stack_size(STACK)
    try:
        thread = threading.Thread(target=lambda: found.append(action()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old)
    return found[0]
