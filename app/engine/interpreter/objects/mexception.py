"""``MException``: an error as a value."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.frames import caller_of, current, full_name
from app.engine.values import (
    EMPTY,
    Cell,
    NativeObject,
    Struct,
    StructArray,
    Value,
    object_array,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError, StackFrame


class MException(NativeObject):
    """An error with identifier, message, stack and causes.

    Attributes:
        error: the error it stands for.
    """

    class_name = "MException"

    def __init__(self, error: MatlabError) -> None:
        self.error = error
        self.causes: list[Value] = []

    @property
    def stack(self) -> Value:
        """The frames as a struct column with file, name and line."""
        return frames_value(self.error.stack)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties and methods."""
        if name in _METHODS:
            return _METHODS[name](ctx, self, *(args or ()))
        value = self._property(name)
        if args is None:
            return value
        from app.engine.interpreter.indexing.index_read import paren

        return paren(value, *args)

    def _property(self, name: str) -> Value:
        match name:
            case "identifier" | "message":
                return getattr(self.error, name)
            case "stack":
                return self.stack
            case "Correction":
                return EMPTY
            case "cause":
                return Cell.of(self.causes, (len(self.causes), 1)) if self.causes else Cell.empty()
        raise no_member(self.class_name, name)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """Octave lets scripts replace the stack and the message."""
        if name == "message":
            made = MatlabError(self.error.identifier, str(value))
        elif name == "identifier":
            made = MatlabError(str(value), self.error.message)
        elif name == "stack":
            return self
        else:
            raise no_member(self.class_name, name)
        made.stack = self.error.stack
        return MException(made)

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return ["identifier", "message", "cause", "stack", "Correction"]

    def methods(self) -> dict[str, Any]:
        """Functions callable with an MException."""
        return {n: _as_function(f) for n, f in _METHODS.items()}

    def show(self, name: str, style: Any) -> str:
        """The text after ``name =``."""
        causes = _causes_text(len(self.causes))
        return (
            f"  {self.class_name} with properties:\n\n    identifier: '{self.error.identifier}'\n"
            f"       message: '{self.error.message}'\n         cause: {causes}\n"
            f"         stack: [{len(self.error.stack)}×1 struct]\n"
            "    Correction: []\n"
        )


def _causes_text(count: int) -> str:
    return "{" + " ".join(["[1×1 MException]"] * count) + "}"


def frames_value(frames: tuple[StackFrame, ...]) -> Value:
    """Frames as MATLAB's struct column."""
    named = [f for f in frames if f.name]
    if len(named) == 1:
        f = named[0]
        return Struct({"file": full_name(f.file), "name": f.name, "line": float(f.line)})
    shape = (len(named), 1)
    columns: dict[str, list[Value]] = {
        "file": [full_name(f.file) for f in named],
        "name": [f.name for f in named],
        "line": [float(f.line) for f in named],
    }
    return StructArray({k: object_array(v, shape) for k, v in columns.items()}, shape)


def _as_function(method: Any) -> Any:
    return lambda ctx, args, nargout: method(ctx, *args)


def throw(ctx: CallContext, self: MException) -> Value:
    """``throw(ME)``."""
    fresh = MatlabError(self.error.identifier, self.error.message)
    fresh.payload, fresh.details = self, _told_below(ctx, self)
    raise fresh


def _told_below(ctx: CallContext, self: MException) -> str:
    """What stands below the message of an error: details of its own, and its causes."""
    return "\n".join(filter(None, (self.error.details, _caused_by(ctx, self))))


def _caused_by(ctx: CallContext, self: MException) -> str:
    """The reports of the causes, each moved to the right; empty without any."""
    told = [str(get_report(ctx, c)) for c in self.causes if isinstance(c, MException)]
    below = "\n\n".join(indent(report, "    ") for report in told)
    return f"Caused by:\n{below}" if told else ""


def throw_as_caller(ctx: CallContext, self: MException) -> Value:
    """``throwAsCaller(ME)``: as if the caller of the running function had thrown it."""
    from app.engine.interpreter.error_conversion import live_stack

    fresh = MatlabError(self.error.identifier, self.error.message)
    fresh.stack = live_stack(caller_of(current()))
    fresh.payload, fresh.details = self, _told_below(ctx, self)
    raise fresh


def rethrow(ctx: CallContext, self: MException) -> Value:
    """``rethrow(ME)``: the stack stays as it was."""
    again = self.error.remembered()
    again.payload, again.details = self, _told_below(ctx, self)
    raise again


def get_report(ctx: CallContext, self: MException, *options: Value) -> Value:
    """``getReport(ME)``."""
    frames, message = [f for f in self.error.stack if f.name], _placed_message(self.error)
    if not frames or (options and options[0] == "basic"):
        return f"Error: {message}" if not frames else message
    lines = [f"Error using {frames[0].name} (line {frames[0].line})", message]
    lines += self.error.details.splitlines()
    lines += [f"\nError in {f.name} (line {f.line})" for f in frames[1:]]
    causes = _caused_by(ctx, self)
    return "\n".join(lines + ["", causes] * bool(causes))


def _placed_message(error: MatlabError) -> str:
    """The message; below its place where a file does not parse, which no function of it tells."""
    place = error.stack[0] if error.stack else None
    if place is None or place.name or place.file.startswith("<"):
        return error.message
    where = f"File: {Path(place.file).name} Line: {place.line} Column: {place.column}"
    return f"{where}\n{error.message}"


def add_cause(ctx: CallContext, self: MException, cause: Value) -> Value:
    """``ME = addCause(ME, cause)``."""
    made = MException(self.error)
    made.causes = [*self.causes, cause]
    return made


_METHODS: dict[str, Any] = {
    "throw": throw,
    "rethrow": rethrow,
    "getReport": get_report,
    "addCause": add_cause,
    "throwAsCaller": throw_as_caller,
    "addCorrection": lambda ctx, self, c: self,
}
