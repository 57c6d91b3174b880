"""Texts side by side, as far as memory allows."""

from __future__ import annotations

from collections.abc import Sequence

from app import memory


def joined_text(texts: Sequence[str]) -> str:
    """Texts side by side."""
    length = sum(map(len, texts))
    if length >= memory.LARGE:
        memory.require_text(length, f"joining texts to {length} characters")
    return "".join(texts)
