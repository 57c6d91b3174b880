"""What a builtin may ask of the session that runs it."""

from __future__ import annotations

from typing import Any, Protocol

from app.engine.values import FunctionHandle, Value, class_of, is_text_scalar, text_of, texts_of
from app.errors import MatlabError


class Workspace(Protocol):
    """The variables of one frame."""

    def get(self, name: str) -> Value | None:
        """The variable's value, or None."""

    def set(self, name: str, value: Value) -> None:
        """Assign a variable."""

    def names(self) -> list[str]:
        """Names of all variables that have a value."""

    def delete(self, name: str) -> None:
        """Remove a variable if it exists."""


class CallContext(Protocol):
    """The session as builtins see it; implemented by the interpreter.

    Attributes:
        settings: typed settings (``capture_threshold`` …).
        runtime: the acceleration façade.
        state: private state of builtins for the life of the session, by a key of their own
            (random streams, timers, warning states, the display format …).
    """

    settings: Any
    runtime: Any
    state: dict[str, Any]

    def write(self, text: str) -> None:
        """Print to the command window."""

    def write_error(self, text: str) -> None:
        """Print to the error stream."""

    def warning(self, identifier: str, message: str) -> None:
        """Issue a warning, subject to the warning states."""

    def call(self, function: Value, args: tuple[Value, ...], nargout: int = 1) -> tuple[Value, ...]:
        """Call a function by name or handle; always a tuple of outputs."""

    def resolve(self, name: str) -> FunctionHandle | None:
        """A handle of the function that ``name`` means in the calling file; None if unknown."""

    def parse_handle(self, text: str) -> FunctionHandle:
        """The handle that ``text`` such as ``@(x) x+1`` or ``sin`` describes (str2func)."""

    def evaluate(self, text: str, nargout: int, where: str = "caller") -> tuple[Value, ...]:
        """Run MATLAB text in the ``caller`` (function that called the builtin) or ``base``."""

    def capture_output(self, text: str, nargout: int = 0) -> tuple[str, tuple[Value, ...]]:
        """Run MATLAB text and give back what it printed (evalc)."""

    def workspace(self, where: str = "caller") -> Workspace:
        """The variables of the function that called the builtin, or of ``base``/``global``."""

    def arity(self, function: Value) -> tuple[int, int]:
        """Inputs and outputs that a function declares."""

    def caller_name(self) -> str:
        """Name of the function that called the builtin; empty at the command line."""

    def caller_file(self) -> str:
        """File of the code that called the builtin; empty at the command line."""

    def stack(self) -> list[tuple[str, str, int]]:
        """(name, file, line) of every MATLAB frame, innermost first."""

    def indent_display(self, name: str, value: Value) -> None:
        """Display ``value`` as ``name = …`` in the current format (user display overloads run)."""


def given_function(ctx: CallContext, given: Value) -> FunctionHandle:
    """A function that was given as a handle, by its name, or as an expression of its variables."""
    if isinstance(given, FunctionHandle):
        return given
    if not is_text_scalar(given):
        raise expected_function(given)
    text = text_of(given).strip()
    if text.startswith("@") or all(part.isidentifier() for part in text.split(".")):
        return ctx.parse_handle(text)
    names = texts_of(ctx.call("symvar", (text,), 1)[0]) or ["x"]
    return ctx.parse_handle(f"@({', '.join(names)}) {text}")


def expected_function(given: Value) -> MatlabError:
    """The error for a value that is neither a function handle nor a name."""
    text = f"Expected a function handle or the name of a function, not {class_of(given)}."
    return MatlabError("MATLAB:expectedFunction", text)
