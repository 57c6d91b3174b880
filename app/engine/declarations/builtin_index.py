"""Which module declares which builtin, or extends which class: read from text, nothing is imported.

The text of all modules takes longer to read than a small program to run, so what was found is kept
in the cache folder, with the sizes and times of the files it was found in.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import TypedDict

from app import cachefile, paths

PACKAGE = __name__.rpartition(".declarations")[0]
ENGINE = Path(__file__).parents[1]
OPERATIONS = Path(__file__).parents[2] / "accel" / "ir" / "operations"
_DECLARATION = re.compile(r'^@?(?:toolbox\.)?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE)
_EXTENSION = re.compile(r'^add_(?:methods|operators)\(\s*"([\w.]+)"', re.MULTILINE)
_FUNCTION = re.compile(r'\bfunction=Function\(\s*"(\w+)"')


@cache
def index() -> dict[str, str]:
    """Name of every builtin to the module that declares it."""
    return _cached_tables()["declared"]


@cache
def operations() -> dict[str, str]:
    """Name of every function that is an operation of the graph to the module with its record."""
    return _cached_tables()["operations"]


@cache
def extensions() -> dict[str, list[str]]:
    """Name of every class of ours to the modules that add functions or operators to it."""
    return _cached_tables()["extensions"]


def declared_in(file: Path) -> list[str]:
    """The names that a module declares."""
    return _DECLARATION.findall(file.read_text(encoding="utf-8"))


class Tables(TypedDict):
    """What is read from the text of the modules."""

    declared: dict[str, str]
    operations: dict[str, str]
    extensions: dict[str, list[str]]


@cache
def _cached_tables() -> Tables:
    """The tables: from the cache folder, where they were found in the files as they are."""
    stamps = _stamps()
    folder = hashlib.blake2b(str(ENGINE).encode(), digest_size=8).hexdigest()
    place = paths.cache_dir() / f"declarations-{folder}.json"
    kept = cachefile.read(place)
    if kept is not None:
        found = json.loads(kept)
        if found["stamps"] == stamps:
            tables: Tables = found["tables"]
            return tables
    made = _tables_of_modules()
    cachefile.write(place, json.dumps({"stamps": stamps, "tables": made}).encode())
    return made


def _tables_of_modules() -> Tables:
    """The tables, read from the text of the modules."""
    operations = {
        name: f"app.accel.ir.operations.{file.stem}"
        for file in OPERATIONS.glob("*.py")
        for name in _FUNCTION.findall(file.read_text(encoding="utf-8"))
    }
    files = sorted((*ENGINE.glob("builtins/*/*.py"), *ENGINE.glob("operators/*.py")))
    declared: dict[str, str] = {}
    extensions: dict[str, list[str]] = {}
    for file in files:
        module = ".".join((PACKAGE, *file.relative_to(ENGINE).with_suffix("").parts))
        declared |= dict.fromkeys(declared_in(file), module)
        for name in sorted({*_EXTENSION.findall(file.read_text(encoding="utf-8"))}):
            extensions.setdefault(name, []).append(module)
    declared |= dict.fromkeys(operations, f"{PACKAGE}.builtins.maths.operations")
    return {"declared": declared, "operations": operations, "extensions": extensions}


def _stamps() -> str:
    """What tells these files from others: their names, sizes and times."""
    families = (e.path for e in os.scandir(ENGINE / "builtins") if e.is_dir())
    seen = hashlib.blake2b(digest_size=16)
    for folder in sorted((*families, str(ENGINE / "operators"), str(OPERATIONS))):
        for entry in sorted(os.scandir(folder), key=lambda e: e.name):
            if entry.name.endswith(".py"):
                state = entry.stat()
                seen.update(f"{entry.path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return seen.hexdigest()
