"""What there is to say of a name: the declaration of a builtin, or a file's first comments."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

from app import textfile
from app.engine.declarations import registry, toolboxes
from app.engine.declarations.shipped_code import shipped_folders
from app.errors import UsageError


def find(name: str, folders: tuple[str, ...], file: str | None = None) -> dict[str, Any]:
    """Everything known about ``name``; a UsageError with near names when that is nothing.

    Files are looked for in folders, unless the file that the name means is known.
    """
    for folder in folders:
        toolboxes.folders_at(folder)
    builtin = registry.lookup(name)
    if builtin is not None:
        return {
            "name": name,
            "kind": "builtin",
            "category": builtin.category,
            "signatures": list(builtin.signatures),
            "help": builtin.help,
            "see": list(builtin.see),
            "examples": list(builtin.cases),
        }
    path = Path(file) if file is not None else _file_of(name, folders)
    if path is not None:
        return {"name": name, "kind": "file", "file": str(path), "help": leading_comment(path)}
    raise UsageError(f"no help for {name!r}{_near(name, [*registry.names(), *_shipped_names()])}")


def leading_comment(path: Path) -> str:
    """The first block of comments of a file: before the code, or after its first function line."""
    block: list[str] = []
    for line in textfile.read(path).text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(("%", "#")):
            block.append(stripped.lstrip("%#").removeprefix(" "))
        elif block or (stripped and not stripped.startswith(("function", "classdef"))):
            break
    return "\n".join(block)


def page(entry: dict[str, Any]) -> str:
    """The entry for people."""
    parts = ["\n".join(f"  {s}" for s in entry.get("signatures", ()))]
    parts.append(entry["help"] or "(no help text)")
    if entry.get("examples"):
        shown = "\n".join(f"  {example}" for example in entry["examples"])
        parts.append(f"Examples, true at their end:\n{shown}")
    if entry.get("see"):
        parts.append("See also: " + ", ".join(entry["see"]))
    return "\n\n".join(p for p in parts if p) + "\n"


def _file_of(name: str, folders: tuple[str, ...]) -> Path | None:
    places = (".", *folders, *shipped_folders())
    candidates = [Path(name), *(Path(place) / f"{name}.m" for place in places)]
    return next((c for c in candidates if c.suffix == ".m" and c.is_file()), None)


def _shipped_names() -> list[str]:
    """The functions that are written in the language itself."""
    return [file.stem for folder in shipped_folders() for file in Path(folder).glob("*.m")]


def _near(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=3)
    return f"; did you mean {', '.join(near)}?" if near else ""
