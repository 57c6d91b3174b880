"""Files of code for workers of other machines: listed with hashes there, written here.

The owner lists the folders of its search path; a worker is sent what it has not had, by hash, and
writes folders of its own that take the place of those.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.engine.declarations.shipped_code import shipped_folders
from app.engine.interpreter.resolver import CODE
from app.errors import MatlabError
from app.temporary_folders import OwnedFolder

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

_KEY = "parallel.files"
Files = tuple[tuple[str, str], ...]
"""Names within a folder, and hashes of what is in them."""
Folders = tuple[tuple[str, Files], ...]
_read: dict[str, tuple[tuple[float, int], str, bytes]] = {}
"""By path: stamp and size, hash, content of what was read."""


def listed(
    around: tuple[str, str, tuple[str, ...], object], attached: Sequence[str]
) -> tuple[Folders, dict[str, bytes]]:
    """The folders that functions are looked for in, with what lies in them; files by hash.

    Args:
        around: the current folder, that of the script, the search path.
        attached: files and folders of data that go into the current folder.
    """
    current, beside, entries, _ = around
    contents: dict[str, bytes] = {}
    folders, shipped = [], shipped_folders()
    for folder in dict.fromkeys(filter(None, (current, beside, *entries))):
        if folder in shipped:
            continue
        files = dict(_code(Path(folder), Path(folder)))
        if folder == current:
            for name in attached:
                files.update(_data(Path(current, name)))
        found = []
        for name, path in sorted(files.items()):
            digest, content = _content(path)
            contents[digest] = content
            found.append((name, digest))
        folders.append((folder, tuple(found)))
    return tuple(folders), contents


def _code(folder: Path, root: Path) -> Iterator[tuple[str, Path]]:
    """Code of a folder: its files, packages, class folders and private functions."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return  # a folder that may not be read has no functions for us
    for entry in entries:
        path = Path(entry.path)
        if entry.name.endswith(CODE) and entry.is_file():
            yield path.relative_to(root).as_posix(), path
        elif (entry.name[0] in "+@" or entry.name == "private") and entry.is_dir():
            yield from _code(path, root)


def _data(path: Path) -> Iterator[tuple[str, Path]]:
    """An attached file, or the files of an attached folder."""
    if path.is_file():
        yield path.name, path
        return
    for one in sorted(path.rglob("*")):
        if one.is_file():
            yield one.relative_to(path.parent).as_posix(), one


def _content(path: Path) -> tuple[str, bytes]:
    state = path.stat()
    stamp = (state.st_mtime, state.st_size)
    held = _read.get(str(path))
    if held is None or held[0] != stamp:
        content = path.read_bytes()
        held = stamp, hashlib.sha256(content).hexdigest(), content
        _read[str(path)] = held
    return held[1], held[2]


class TravelledFiles:
    """What a worker of another machine has of its owner's files.

    Attributes:
        contents: by hash.
    """

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self._root: OwnedFolder | None = None
        self._places: dict[str, str] = {}
        self._written: dict[Path, str] = {}

    def place(self, folders: Folders) -> None:
        """Write the folders as their owner has them now."""
        if self._root is None:
            self._root = OwnedFolder("pool")
        root = Path(self._root.name).resolve()
        for folder, files in folders:
            new = Path(root, str(len(self._places)), Path(folder).name)
            place = self._places.setdefault(folder, str(new))
            wanted = {Path(place, name): digest for name, digest in files}
            Path(place).mkdir(parents=True, exist_ok=True)
            for path in [p for p in self._written if p.is_relative_to(place) and p not in wanted]:
                path.unlink(missing_ok=True)
                del self._written[path]
            for path, digest in wanted.items():
                if self._written.get(path) != digest:
                    self._write(Path(place), path, self.contents[digest])
                    self._written[path] = digest

    def _write(self, place: Path, path: Path, content: bytes) -> None:
        if ".." in path.relative_to(place).parts:
            raise MatlabError(
                "parallel:cluster:BadFile", f"'{path}' is not a valid place for a file."
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_bytes(content)
        except OSError as problem:
            text = f"A worker cannot write its copy of '{path.name}': {problem.strerror}."
            raise MatlabError("parallel:cluster:CannotWrite", text) from None

    def here(self, name: str) -> str:
        """Where a file or folder of the owner is here; the name itself where it is not."""
        return _moved(name, self._places.items())

    def there(self, name: str) -> str:
        """What the owner calls a file that is here."""
        return _moved(name, ((here, there) for there, here in self._places.items()))


def _moved(name: str, places: Iterable[tuple[str, str]]) -> str:
    for source, target in sorted(places, reverse=True):
        if name == source or name.startswith(source.rstrip(os.sep) + os.sep):
            return target + name[len(source.rstrip(os.sep)) :]
    return name


def files_of(interpreter: Interpreter) -> TravelledFiles:
    """The files of a worker's owner, kept with its session."""
    made: TravelledFiles = interpreter.context.state.setdefault(_KEY, TravelledFiles())
    return made
