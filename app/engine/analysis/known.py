"""What is known outside a text: builtins, functions on the path, variables of the workspace."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from app import paths
from app.engine.declarations import toolboxes
from app.engine.declarations.builtin_index import index
from app.engine.declarations.shipped_code import shipped_folders
from app.records import mutable_record, record

UNLIMITED = 1 << 30
_LEAST_LETTERS = 3
"""Of a name that one may have meant with another."""
_LIKENESS = 0.8
_CLASS = re.compile(r"^\s*classdef\b", re.MULTILINE)
_FUNCTION = re.compile(r"^\s*function\s+(?:[^=(\n]*=\s*)?([A-Za-z]\w*)", re.MULTILINE)


@record
class Arity:
    """How many inputs and outputs a function takes at most."""

    inputs: int = UNLIMITED
    outputs: int = UNLIMITED


@record
class Surroundings:
    """What a text can see beside itself.

    Attributes:
        functions: builtins, functions and classes on the path; the arity is ``Arity()`` when it
            is not known.
        variables: variables of the base workspace, which scripts see.
        packages: names of packages.
        methods: what objects of classes can be called with; a variable of such a name hides
            nothing.
        files: where functions and classes written in MATLAB are, by name (``package.name``).
    """

    functions: Mapping[str, Arity] = field(default_factory=dict)
    variables: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    methods: frozenset[str] = frozenset()
    files: Mapping[str, Path] = field(default_factory=dict)


def builtin_names() -> frozenset[str]:
    """The names of all builtins, read from the declarations' text: nothing is imported."""
    return _known_functions(toolboxes.names())


@lru_cache(maxsize=1)
def _known_functions(of_toolboxes: frozenset[str]) -> frozenset[str]:
    return frozenset(index()) | of_toolboxes


def closest_name(name: str, known: Iterable[str]) -> str:
    """The known name that a misspelt one is nearest to; empty where none is near."""
    if len(name) < _LEAST_LETTERS:
        return ""
    near = difflib.get_close_matches(name, [*dict.fromkeys(known)], 1, _LIKENESS)
    return near[0] if near else ""


def _methods(entry: Path) -> set[str]:
    """Functions that a class defines for its objects: files of its folder, methods in its file."""
    if entry.is_dir():
        found = {file.stem for file in entry.glob("*.m")}
        return found | _in_class_file(entry / f"{entry.name[1:]}.m")
    return _in_class_file(entry)


def _in_class_file(path: Path) -> set[str]:
    try:
        return set(_class_functions(path, path.stat().st_mtime))
    except OSError:  # it has gone, or is no file that can be read
        return set()


@lru_cache(maxsize=4096)
def _class_functions(path: Path, stamp: float) -> tuple[str, ...]:
    text = paths.content(path).decode("utf-8", "replace")
    return tuple(_FUNCTION.findall(text)) if _CLASS.search(text) else ()


def _in_package(folder: Path, start: str) -> Iterator[tuple[str, Path]]:
    """Functions and classes of a package and those in it, as code names them."""
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("+"):
            yield from _in_package(entry, f"{start}{entry.name[1:]}.")
        elif entry.name.startswith("@"):
            yield start + entry.name[1:], entry / f"{entry.name[1:]}.m"
        elif entry.suffix == ".m":
            yield start + entry.stem, entry


@mutable_record
class Offered:
    """What folders offer by the names of their files."""

    names: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    packages: set[str] = field(default_factory=set)
    files: dict[str, Path] = field(default_factory=dict)

    def add(self, folder: Path, private: Iterable[Path] = ()) -> None:
        """What is in a folder; what is known by another file stays that."""
        for entry in (*folder.iterdir(), *private):
            if entry.suffix == ".m" or entry.name.startswith("@"):
                self.names.add(entry.stem.lstrip("@"))
                own = entry if entry.suffix == ".m" else entry / f"{entry.name[1:]}.m"
                if own.is_file():
                    self.files.setdefault(own.stem, own)
                self.methods |= _methods(entry)
            elif entry.name.startswith("+"):
                self.packages.add(entry.name[1:])
                for name, file in _in_package(entry, f"{entry.name[1:]}."):
                    self.files.setdefault(name, file)
                    self.methods |= _in_class_file(file)


@lru_cache(maxsize=1)
def shipped() -> Offered:
    """The functions, classes and packages that are shipped in the language itself."""
    found = Offered()
    for folder in shipped_folders():
        found.add(Path(folder))
    return found


def look_around(folders: Iterable[Path], variables: Iterable[str] = ()) -> Surroundings:
    """What is built in and shipped, what the ``folders`` (current folder and path) offer by their
    file names, and the same of installed toolboxes.
    """
    found, given = Offered(set(builtin_names())), shipped()
    for folder in (*folders, *map(Path, toolboxes.installed_folders())):
        if folder.is_dir():
            found.add(folder, (folder / "private").glob("*.m"))
    return Surroundings(
        dict.fromkeys(found.names | given.names, Arity()),
        frozenset(variables),
        frozenset(found.packages | given.packages),
        frozenset(found.methods | given.methods),
        {**given.files, **found.files},
    )
