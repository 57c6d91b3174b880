"""A session without a window that evaluates MATLAB text, for tests of builtins."""

from __future__ import annotations

from typing import Any

from app.engine import values
from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.settings import Settings


class Session:
    """Runs text in the base workspace; keeps what was printed."""

    windowed = False

    def __init__(self) -> None:
        self.out: list[str] = []
        self.interpreter = Interpreter(Settings(), None, self, NATIVE)

    def write(self, text: str) -> None:
        self.out.append(text)

    def write_error(self, text: str, stream: str = "err") -> None:
        self.out.append(text)

    def ask(self, question: object) -> None:
        """No window: dialogs are asked line by line."""

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        return ""

    def poll(self) -> None:
        pass

    def tell(self, event: object) -> None:
        pass

    def run(self, text: str) -> str:
        """Run statements; what they printed."""
        self.out.clear()
        context = self.interpreter.context
        self.interpreter.guarded(lambda: context.evaluate(text, 0, "base"))
        return "".join(self.out)

    def value(self, text: str) -> Any:
        """The value of an expression."""
        context = self.interpreter.context
        (found,) = self.interpreter.guarded(lambda: context.evaluate(text, 1, "base"))
        return found

    def holds(self, text: str) -> bool:
        """Whether an expression is true."""
        return values.true_value(self.value(text))


class OctaveSession(Session):
    """A session in Octave's dialect."""

    def __init__(self) -> None:
        super().__init__()
        self.interpreter = Interpreter(Settings(octave=True), None, self, NATIVE)
