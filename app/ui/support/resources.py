"""Texts the window shows or draws with, read once from the shipped resources."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.paths import resource_root


def resource(*parts: str) -> Path:
    """The path of a file or folder below the shipped resources."""
    return resource_root().joinpath(*parts)


@cache
def resource_text(*parts: str) -> str:
    """The text of a shipped file."""
    return resource(*parts).read_text(encoding="utf-8")
