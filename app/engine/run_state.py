"""What the engine is doing, and the name of what it runs when that is no file."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """What the engine is doing."""

    STARTING = "starting"
    ABSENT = "absent"  # it could not be started
    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    WAITING_INPUT = "input"


COMMAND = "<command>"
"""The name of what runs when it is no file."""
