"""An error as text for people: place, message, the source line, the call stack."""

from __future__ import annotations

from app.engine.protocol import ErrorRaised


def error_text(error: ErrorRaised) -> str:
    """An error as ``file:line:column: error: message`` with the source line and the call stack."""
    identifier = f" [{error.identifier}]" if error.identifier else ""
    place = ""
    if error.frames:
        _, file, line, column = error.frames[0]
        place = f"{file}:{line}:{max(column, 1)}: "
    lines = [f"{place}error: {error.message}{identifier}"]
    lines += [f"    {part}" for part in error.caret.split("\n") if error.caret]
    if len(error.frames) > 1:
        lines += [f"  in {name or file} ({file}:{line})" for name, file, line, _ in error.frames]
    return "\n".join(lines) + "\n"
