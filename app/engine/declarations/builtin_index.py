"""Which module declares which builtin, or extends which class: read from text, nothing is imported.

The text of all modules takes longer to read than a small program to run, so what was found is kept
in the cache folder, with the sizes and times of the files it was found in: for the engine, and for
the toolboxes that came with Fuselab.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypedDict

from app import cachefile, paths
from app.digests import text_digest
from app.engine.declarations.toolbox_manifest import MANIFEST, Toolbox, read
from app.late_pattern import late_pattern

PACKAGE = __name__.rpartition(".declarations")[0]
ENGINE = Path(__file__).parents[1]
OPERATIONS = Path(__file__).parents[2] / "accel" / "ir" / "operations"
TOOLBOXES = Path(__file__).parents[2] / "toolboxes"
_DECLARATION = late_pattern(
    r'^@?(?:toolbox\.)?(?:builtin|declare_\w+)\(\s*"([\w.]+)"', re.MULTILINE
)
_EXTENSION = late_pattern(r'^add_(?:methods|operators)\(\s*"([\w.]+)"', re.MULTILINE)
_FUNCTION = late_pattern(r'\bfunction=Function\(\s*"(\w+)"')
_OTHERS = frozenset({"tests", "examples"})
"""Folders of a toolbox whose modules declare nothing."""


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


@cache
def shipped() -> list[Toolbox]:
    """The toolboxes that came with Fuselab, with what their modules declare."""
    return [_shipped_toolbox(facts) for facts in _cached_tables()["toolboxes"]]


def read_declarations(toolbox: Toolbox) -> None:
    """Note which modules of a toolbox declare which functions, and extend which classes."""
    files = {}
    for file in (*toolbox.folder.glob("*.py"), *toolbox.folder.glob("*/*.py")):
        parts = file.relative_to(toolbox.folder).with_suffix("").parts
        if parts[0] not in _OTHERS and file.is_file():
            files[file] = ".".join((toolbox.package, *(p for p in parts if p != "__init__")))
    toolbox.modules, toolbox.extensions = _declarations(files)


def _declarations(modules: dict[Path, str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The modules, by their files, that declare each function and that extend each class."""
    declared: dict[str, str] = {}
    extensions: dict[str, list[str]] = {}
    for file in sorted(modules):
        text = file.read_text(encoding="utf-8")
        declared |= dict.fromkeys(_DECLARATION.findall(text), modules[file])
        for name in sorted({*_EXTENSION.findall(text)}):
            extensions.setdefault(name, []).append(modules[file])
    return declared, extensions


class ShippedFacts(TypedDict):
    """What is kept of a toolbox that came with Fuselab; see ``Toolbox``."""

    folder: str
    name: str
    version: str
    description: str
    path: list[str]
    package: str
    feature: str
    modules: dict[str, str]
    extensions: dict[str, list[str]]
    problem: str


class Tables(TypedDict):
    """What is read from the text of the modules."""

    declared: dict[str, str]
    operations: dict[str, str]
    extensions: dict[str, list[str]]
    toolboxes: list[ShippedFacts]


@cache
def _cached_tables() -> Tables:
    """The tables: from the cache folder, where they were found in the files as they are."""
    stamps = _stamps()
    place = paths.cache_dir() / f"declarations-{text_digest(str(ENGINE))}.json"
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
    files = (*ENGINE.glob("builtins/*/*.py"), *ENGINE.glob("operators/*.py"))
    declared, extensions = _declarations(
        {f: ".".join((PACKAGE, *f.relative_to(ENGINE).with_suffix("").parts)) for f in files}
    )
    declared |= dict.fromkeys(operations, f"{PACKAGE}.builtins.maths.operations")
    return {
        "declared": declared,
        "operations": operations,
        "extensions": extensions,
        "toolboxes": [
            _shipped_facts(file.parent) for file in sorted(TOOLBOXES.glob(f"*/{MANIFEST}"))
        ],
    }


def _shipped_facts(folder: Path) -> ShippedFacts:
    """A toolbox that came with Fuselab, as it is kept."""
    toolbox = read(folder)
    toolbox.package = f"app.toolboxes.{folder.name}"
    read_declarations(toolbox)
    return {
        "folder": str(folder),
        "name": toolbox.name,
        "version": toolbox.version,
        "description": toolbox.description,
        "path": [*map(str, toolbox.path)],
        "package": toolbox.package,
        "feature": toolbox.feature,
        "modules": toolbox.modules,
        "extensions": toolbox.extensions,
        "problem": toolbox.problem,
    }


def _shipped_toolbox(facts: ShippedFacts) -> Toolbox:
    return Toolbox(
        Path(facts["folder"]),
        facts["name"],
        facts["version"],
        facts["description"],
        tuple(map(Path, facts["path"])),
        facts["package"],
        facts["feature"],
        is_installed=True,
        is_shipped=True,
        modules=facts["modules"],
        extensions=facts["extensions"],
        problem=facts["problem"],
    )


def _stamps() -> str:
    """What tells these files from others: their names, sizes and times."""
    families = (*_folders_in(ENGINE / "builtins"), *_folders_in(TOOLBOXES))
    seen = []
    for folder in (*families, str(ENGINE / "operators"), str(OPERATIONS)):
        for entry in os.scandir(folder):
            if entry.name.endswith((".py", MANIFEST)):
                state = entry.stat()
                seen.append(f"{entry.path} {state.st_size} {state.st_mtime_ns}")
    return text_digest("\n".join(sorted(seen)), size=16)


def _folders_in(folder: Path) -> Iterable[str]:
    return (e.path for e in os.scandir(folder) if e.is_dir()) if folder.is_dir() else ()
