"""Where what is shipped in the language itself is: nobody edits it while the program runs."""

from __future__ import annotations

from app import paths

_ROOT = paths.resource("library")
LIBRARY = (
    str(_ROOT),
    *(str(p) for p in sorted(_ROOT.iterdir()) if p.is_dir() and p.name[0] not in "+@"),
)
"""Folders, one for each family of functions."""
