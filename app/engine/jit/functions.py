"""Functions of the same file that compiled code calls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Instance:
    """A function compiled for the types of its arguments."""

    name: str
    text: str = ""
