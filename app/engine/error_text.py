"""An error as an event, and as text for people: place, message, the source line, the calls."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.protocol import ErrorRaised
from app.errors import MatlabError

MOST_FRAMES = 10
"""Calls shown of each end of a long stack."""


def error_event(error: MatlabError) -> ErrorRaised:
    """The error as the outside hears of it."""
    frames = tuple((f.name, f.file, f.line, f.column) for f in error.stack)
    return ErrorRaised(error.identifier, error.message, frames, error.caret, error.details)


def error_text(error: ErrorRaised) -> str:
    """An error as ``file:line:column: error: message`` with the source line and the call stack."""
    identifier = f" [{error.identifier}]" if error.identifier else ""
    place = ""
    if error.frames:
        _, file, line, column = error.frames[0]
        place = f"{file}:{line}:{max(column, 1)}: "
    lines = [f"{place}error: {error.message}{identifier}"]
    lines += [f"    {part}" for part in error.caret.split("\n") if error.caret]
    lines += [f"    {part}" for part in error.details.splitlines()]
    if len(error.frames) > 1:
        lines += stack_lines(error.frames)
    return "\n".join(lines) + "\n"


def in_files(frames: Sequence[tuple[str, str, int, int]]) -> list[tuple[str, str, int, int]]:
    """The frames that stand in files: what was typed has none."""
    return [frame for frame in frames if frame[1] and not frame[1].startswith("<")]


def stack_lines(frames: Sequence[tuple[str, str, int, int]]) -> list[str]:
    """A call stack, innermost first; of endless recursion the two ends."""
    shown = [f"  in {name or file} ({file}:{line})" for name, file, line, _ in frames]
    left_out = len(shown) - 2 * MOST_FRAMES
    if left_out > 1:
        shown[MOST_FRAMES:-MOST_FRAMES] = [f"  … {left_out} more calls …"]
    return shown
