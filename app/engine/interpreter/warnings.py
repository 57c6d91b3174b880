"""Warnings: states per identifier, the text, ``lastwarn``."""

from __future__ import annotations

import sys
from collections import deque
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from app.engine.interpreter import error_conversion
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

STATES = "warning_states"
LAST = "last_warning"
ISSUED = "issued_warnings"


MODES = {"backtrace": "on", "verbose": "off"}
"""What warnings show beside their text, and whether they do at first: where they come from, and how
to suppress them."""


def state_of(states: dict[str, str], identifier: str) -> str:
    """``on``, ``off`` or ``error`` for an identifier, or for one of the modes of all warnings."""
    if identifier in MODES:
        return states.get(identifier, MODES[identifier])
    return states.get(identifier) or states.get("all", "on")


def issue(ctx: Context, identifier: str, message: str) -> None:
    """Keep a warning and print it unless it is off; ``error`` makes an error of it."""
    states: dict[str, Any] = ctx.state.setdefault(STATES, {})
    state = state_of(states, identifier)
    if state == "error":
        raise MatlabError(identifier, message)
    ctx.state[LAST] = (message, identifier)
    if state == "off":
        return
    ctx.state.setdefault(ISSUED, deque(maxlen=1000)).append(identifier)
    if "warning" in ctx.interpreter.debugger.stops:
        ctx.interpreter.debugger.stop_at("warning", message)
    ctx.write_error(f"Warning: {message}\n", "warning")
    if identifier and state_of(states, "verbose") == "on":
        ctx.write_error(f'(Type "warning off {identifier}" to suppress this warning.)\n', "warning")
    if state_of(states, "backtrace") != "off":
        late = ctx.late_warnings.place
        if late is not None:
            ctx.write_error(f"> In {PurePath(late.file).stem} (line {late.line})\n", "warning")
            return
        for frame in error_conversion.live_stack(sys._getframe(2)):
            if not frame.name.startswith("<"):
                ctx.write_error(f"> In {frame.name} (line {frame.line})\n", "warning")
                break
