"""Functions of packages by their full names: ``package.inner.function``, ``import``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from app.engine.analysis.analysed_text import Document
from app.source import Span

_DOTTED = re.compile(r"[A-Za-z]\w*(?:[ \t]*\.[ \t]*[A-Za-z]\w*)+", re.ASCII)
_IMPORT = re.compile(r"(?m)(?:^|[;,])[ \t]*import((?:[ \t]+[A-Za-z][\w.]*\*?)+)", re.ASCII)
_PART = re.compile(r"[A-Za-z]\w*", re.ASCII)
_IMPORTED = re.compile(r"[A-Za-z][\w.]*\*?", re.ASCII)


def package_of(file: Path) -> tuple[str, ...]:
    """The packages that a file lies in, the outermost first: ``+a/+b/f.m`` gives a, b."""
    names = [folder.name for folder in file.parents]
    inner = names[1:] if names and names[0].startswith("@") else names
    found: list[str] = []
    for name in inner:
        if not name.startswith("+"):
            break
        found.insert(0, name[1:])
    return tuple(found)


def home_at(document: Document, offset: int, folders: Iterable[Path]) -> Path | None:
    """The file of the function of a package whose last name stands at ``offset``."""
    for parts in _chains(document):
        for last, part in enumerate(parts):
            if last and part.start() <= offset <= part.end():
                names = [p[0] for p in parts[: last + 1]]
                return _file_of(tuple(names[:-1]), names[-1], folders)
    return None


def qualified(document: Document, package: tuple[str, ...], name: str) -> set[Span]:
    """Where a function of a package is called by its full name: the places of the last part."""
    wanted = (*package, name)
    count = len(wanted)
    return {
        Span(*parts[count - 1].span())
        for parts in _chains(document)
        if tuple(p[0] for p in parts[:count]) == wanted
    }


def imported_home(document: Document, name: str, folders: Iterable[Path]) -> Path | None:
    """The file of the function that ``name`` means because the text imports it."""
    for item in _imports(document):
        *package, last = item[0].split(".")
        if package and last in (name, "*"):
            found = _file_of(tuple(package), name, folders)
            if found is not None:
                return found
    return None


def _file_of(package: tuple[str, ...], name: str, folders: Iterable[Path]) -> Path | None:
    for folder in folders:
        inner = folder.joinpath(*(f"+{part}" for part in package))
        for file in (inner / f"{name}.m", inner / f"@{name}" / f"{name}.m"):
            if file.is_file():
                return file
    return None


def _chains(document: Document) -> Iterator[list[re.Match[str]]]:
    """The parts of every dotted name of code that begins with no variable."""
    text = document.source.text
    places = {m.occurrence.span.start for m in document.mentions if m.owner is None}
    places |= {item.start() for item in _imports(document)}
    for place in sorted(places):
        found = _DOTTED.match(text, place)
        if found is not None:
            yield list(_PART.finditer(text, place, found.end()))


def _imports(document: Document) -> Iterator[re.Match[str]]:
    """The names behind ``import``."""
    text = document.source.text
    for statement in _IMPORT.finditer(text):
        yield from _IMPORTED.finditer(text, *statement.span(1))
