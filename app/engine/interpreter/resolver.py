"""What a function name means: the search path, private functions, packages, classes, builtins.

Folders are listed once and again when their time stamp changes; files are compiled once and again
when their size or time stamp changes.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path

from app import paths
from app.engine.declarations import toolboxes
from app.engine.declarations.shipped_code import shipped_folders
from app.records import mutable_record

CODE = (".m", ".mlx")
"""Endings of files with code. Of ``f.m`` and ``f.mlx`` in one folder the first is meant: a live
script is edited in its plain-text form, which stands beside it."""


@mutable_record
class Folder:
    """The listing of one folder of the path.

    Attributes:
        path: the folder.
        stamp: its modification time when it was listed; NaN before, None where it is not there.
        files: function names to files.
        packages: names of ``+package`` folders.
        classes: names of ``@Class`` folders.
        has_private: True when it has a ``private`` folder.
    """

    path: str
    stamp: float | None = math.nan
    files: dict[str, str] = field(default_factory=dict)
    packages: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    has_private: bool = False

    def refresh(self) -> bool:
        """List the folder again when it changed; True when it did."""
        try:
            stamp = os.stat(self.path).st_mtime  # noqa: PTH116 - asked of every folder in every run
        except OSError:
            stamp = None
        if stamp == self.stamp:
            return False
        self.stamp = stamp
        self.files, self.packages, self.classes = {}, set(), set()
        self.has_private = False
        if stamp is not None:
            self._list()
        return True

    def _list(self) -> None:
        try:
            found = os.scandir(self.path)
        except OSError:
            return  # a folder that may not be read has no functions for us
        with found as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(".m"):
                    self.files[name[:-2]] = entry.path
                elif name.endswith(CODE):
                    self.files.setdefault(name.removesuffix(".mlx"), entry.path)
                elif name.startswith("+"):
                    self.packages.add(name[1:])
                elif name.startswith("@"):
                    self.classes.add(name[1:])
                elif name == "private":
                    self.has_private = True


class SearchPath:
    """The current folder, the folders added to the path, and what the base workspace imports.

    Attributes:
        shipped: folders that are listed once: nobody edits them while the program runs.
    """

    def __init__(self, current: str) -> None:
        self.current = current
        self.beside = ""
        self.entries: list[str] = []
        self.shipped = dict.fromkeys(shipped_folders())
        self.folders: dict[str, Folder] = {}
        self.version = 0
        self.imports: list[str] = []

    def folder(self, path: str) -> Folder:
        """The (cached) listing of ``path``."""
        found = self.folders.get(path)
        if found is None:
            found = self.folders[path] = Folder(path)
            found.refresh()
        return found

    def order(self) -> list[str]:
        """Folders in the order they are searched; what is shipped in the language comes last."""
        first = [self.current, *([self.beside] if self.beside else ())]
        return [*dict.fromkeys((*first, *self.entries)), *self.shipped]

    def names(self) -> Iterator[str]:
        """The functions and classes in all folders."""
        for path in self.order():
            folder = self.folder(path)
            yield from folder.files
            yield from folder.classes

    def imported(self, imports: Iterable[str], name: str) -> str | None:
        """The file of the function or class that ``name`` means where ``imports`` are imported."""
        for given in imports:
            package, _, last = given.rpartition(".")
            if last in {name, "*"}:
                path = self.find(f"{package}.{name}")
                if path is not None:
                    return path
        return None

    def refresh(self) -> bool:
        """List changed folders again; True when a name may now mean something else."""
        changed = [f.refresh() for f in self.folders.values() if f.path not in self.shipped]
        if any(changed):
            self.version += 1
        return any(changed)

    def set_current(self, path: str) -> None:
        """Change the current folder."""
        self.current = str(Path(path).resolve())
        self.version += 1

    def set_beside(self, path: str) -> None:
        """The folder of the script that runs: its functions are found wherever it is run from."""
        if path != self.beside:
            self.beside = path
            self.version += 1

    def add(self, paths: list[str], at_end: bool = False) -> None:
        """Add folders at the front (in the order given) or at the end; a toolbox has several."""
        given = (str(Path(self.current, p).resolve()) for p in paths if p)
        made = [folder for place in given for folder in toolboxes.folders_at(place)]
        rest = [p for p in self.entries if p not in made]
        self.entries = rest + made if at_end else made + rest
        self.version += 1

    def remove(self, paths: list[str]) -> None:
        """Remove folders."""
        gone = {str(Path(self.current, p).resolve()) for p in paths}
        self.entries = [p for p in self.entries if p not in gone]
        self.version += 1

    # --- look-up ---

    def find_file(self, name: str) -> str:
        """The data file that a name means: in a folder of the path where it is in no other place.

        What is not found is given back as it is.
        """
        plain = Path(name).expanduser()
        if not name or "://" in name or plain.is_absolute() or paths.is_file(plain):
            return name
        places = (Path(p, name) for p in self.order())
        return next((str(p) for p in places if paths.is_file(p)), name)

    def find(self, name: str, folder: str = "") -> str | None:
        """The file that the name means for code in ``folder``; None when there is none."""
        if "." in name:
            return self._find_dotted(name.split("."))
        private = self._private(name, folder)
        if private is not None:
            return private
        for path in self.order():
            listing = self.folder(path)
            if name in listing.classes:
                constructor = Path(path, f"@{name}", f"{name}.m")
                if constructor.exists():
                    return str(constructor)
            found = listing.files.get(name)
            if found is not None:
                return found
        return None

    def _private(self, name: str, folder: str) -> str | None:
        if not folder:
            return None
        base = Path(folder)
        if base.name == "private":
            return self.folder(folder).files.get(name)
        owner = base.parent if base.name.startswith("@") else None
        for place in (base, owner):
            if place is not None and self.folder(str(place)).has_private:
                found = self.folder(str(place / "private")).files.get(name)
                if found is not None:
                    return found
        return None

    def _find_dotted(self, parts: list[str]) -> str | None:
        for path in self.order():
            here = Path(path, *(f"+{p}" for p in parts[:-1]))
            if parts[0] in self.folder(path).packages and here.is_dir():
                listing = self.folder(str(here))
                if parts[-1] in listing.classes:
                    constructor = here / f"@{parts[-1]}" / f"{parts[-1]}.m"
                    if constructor.exists():
                        return str(constructor)
                if parts[-1] in listing.files:
                    return listing.files[parts[-1]]
        return None

    def is_package(self, parts: tuple[str, ...]) -> bool:
        """True when ``+a/+b`` exists somewhere on the path."""
        for path in self.order():
            known = parts[0] in self.folder(path).packages
            if known and Path(path, *(f"+{p}" for p in parts)).is_dir():
                return True
        return False

    def method_files(self, class_name: str) -> dict[str, str]:
        """Methods of ``@Class`` folders that have files of their own."""
        found: dict[str, str] = {}
        parts = class_name.split(".")
        for path in reversed(self.order()):
            here = Path(path, *(f"+{p}" for p in parts[:-1]), f"@{parts[-1]}")
            if here.is_dir():
                found.update(self.folder(str(here)).files)
        return found


def package_of(file: str) -> str:
    """The dotted package a file lies in; empty outside packages."""
    parts = [p.name[1:] for p in reversed(Path(file).parents) if p.name.startswith("+")]
    return ".".join(parts)


def class_of_file(file: str) -> str:
    """The dotted class whose ``@Class`` folder (or its private one) a file lies in, or empty."""
    folder = Path(file).parent
    folder = folder.parent if folder.name == "private" else folder
    name = folder.name[1:] if folder.name.startswith("@") else ""
    package = package_of(file)
    return f"{package}.{name}" if name and package else name
