"""The folders whose functions the files of a workspace call."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

from app import project
from app.engine.declarations.toolbox_repositories import search_path
from app.errors import UsageError
from app.records import record

_NOT_SEARCHED = ("@", "+", ".")
"""Beginnings of the names of folders that belong to the one above, or to a tool."""
_LEFT_OUT = frozenset(("private", "node_modules", "__pycache__"))


@record
class _Seen:
    """A folder when it was last looked at.

    Attributes:
        stamp: when it had changed.
        inner: the folders in it that are searched, too.
        has_code: whether functions, classes or packages lie in it.
    """

    stamp: int
    inner: tuple[Path, ...]
    has_code: bool


class CodeFolders:
    """What a file of the workspace sees, looked at anew where a folder has changed.

    With a project file that is the project's path. Without one every folder below the workspace
    counts: people keep their code in several, and put them on the path where it runs.
    """

    def __init__(self) -> None:
        self._seen: dict[Path, _Seen] = {}
        self._projects: dict[Path, tuple[int, tuple[Path, ...]]] = {}

    def seen_from(self, home: Path, roots: list[Path]) -> tuple[Path, ...]:
        """The folders that are searched for what a file in ``home`` calls, the nearest first."""
        found = [home]
        for root in roots:
            found += self._path_of(root) or sorted(
                self._code_folders_below(root), key=lambda f: -_common(f, home)
            )
        return tuple(dict.fromkeys(folder for folder in (*found, *roots) if folder.is_dir()))

    def _path_of(self, root: Path) -> tuple[Path, ...]:
        """What the project file of a folder names; nothing without one, or with one that fails."""
        file = root / project.NAME
        if not file.is_file():
            return ()
        stamp = file.stat().st_mtime_ns
        if root not in self._projects or self._projects[root][0] != stamp:
            try:
                path = search_path(project.read(file))
            except UsageError:
                path = ()  # it is being written; a run says what is wrong with it
            self._projects[root] = stamp, path
        return self._projects[root][1]

    def _code_folders_below(self, folder: Path) -> Iterator[Path]:
        seen = self._look_at(folder)
        if seen.has_code:
            yield folder
        for inner in seen.inner:
            yield from self._code_folders_below(inner)

    def _look_at(self, folder: Path) -> _Seen:
        try:
            stamp = folder.stat().st_mtime_ns
            kept = self._seen.get(folder)
            if kept is not None and kept.stamp == stamp:
                return kept
            with os.scandir(folder) as entries:
                found = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in entries)
        except OSError:  # gone meanwhile, or not ours to read
            return _Seen(0, (), has_code=False)
        inner = tuple(
            folder / name
            for name, is_folder in found
            if is_folder and not name.startswith(_NOT_SEARCHED) and name not in _LEFT_OUT
        )
        code = any(
            name[0] in "@+" if is_folder else name.endswith(".m") for name, is_folder in found
        )
        made = self._seen[folder] = _Seen(stamp, inner, has_code=code)
        return made


def _common(folder: Path, home: Path) -> int:
    """How many folders two paths share."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(folder.parts, home.parts, strict=False))
    return sum(1 for _ in same)
