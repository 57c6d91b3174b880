"""Where a name stands and has to change with it: in one text, or in every file of a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app import textfile
from app.engine.analysis import class_members, package_names
from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.navigation import references
from app.engine.language.tokens import is_name
from app.errors import UsageError
from app.paths import is_file, is_folder
from app.source import SourceText, Span

MOST_PLACES = 5000
MOST_BYTES = 4_000_000
_SKIPPED = {".git", ".hg", ".svn", "__pycache__", "node_modules"}


@dataclass(frozen=True)
class Occurrence:
    """One place: in which text, where, and the line it is on.

    Attributes:
        file: path, or the name of an untitled text.
        span: the name, in characters.
        line: number of the line, from 1.
        text: that line.
        certain: code that means this name; a text that only reads like it is not.
    """

    file: str
    span: Span
    line: int
    text: str
    certain: bool = True


@dataclass(frozen=True)
class Renaming:
    """What renaming is about.

    Attributes:
        name: the name as it is.
        places: where it stands.
        home: the file that has to be renamed with it, if there is one.
        taken: names that are in use where it is known.
        problem: why nothing can be renamed; empty when it can.
    """

    name: str
    places: tuple[Occurrence, ...] = ()
    home: Path | None = None
    taken: frozenset[str] = frozenset()
    problem: str = ""

    def objection(self, new: str) -> str:
        """Why the name cannot become ``new``; empty when it can."""
        if not is_name(new):
            return f"'{new}' is not a valid name." if new else "Type the new name."
        if new in self.taken:
            return f"'{new}' is already in use here."
        if self.home is not None and new != self.name and self.home.with_stem(new).exists():
            return f"There is already a file {new}.m."
        own = f"@{self.name}"
        if self.home is not None and self.home.parent.name == own and new != self.name:
            return f"'{self.name}' is a class with a folder of its own: rename {own} by hand."
        return ""


def renaming(
    document: Document,
    offset: int,
    folder: Path,
    folders: Iterable[Path],
    unsaved: Mapping[str, str],
) -> Renaming:
    """What renaming the name at ``offset`` means.

    A variable, and a function that only its own file can see, is renamed in that file; a function
    with a file of its own in every ``.m`` file below ``folder``: by its full name if it is a
    package's, by its last part where that is imported. So is a member of a class, in the class,
    in what inherits from it, and behind objects: certainly where their class is known.

    Args:
        document: the text.
        offset: where the name stands in it.
        folder: the folder of the project.
        folders: where functions are looked for.
        unsaved: the texts of open files by path.
    """
    folders = tuple(folders)
    classes = class_members.known_classes(document, folders, unsaved)
    member = class_members.member_at(document, offset, classes)
    if member is not None:
        return _of_member(document, member, classes, folder, unsaved)
    mention = document.mention_at(offset)
    if mention is None:
        home = package_names.home_at(document, offset, folders)
        if home is None:
            return Renaming("", problem="There is no name at the caret.")
        return _renaming_in_files(document, home.stem, folder, home, unsaved)
    name = mention.occurrence.name
    if mention.owner is not None:
        taken = frozenset(mention.owner.mentions)
        return Renaming(name, _occurrences_in_file(document, offset), None, taken)
    home = _home(document, name, folders)
    if home is None:
        if name not in document.definitions:
            return Renaming(name, problem=f"'{name}' is not defined in a file of this folder.")
        return Renaming(
            name, _occurrences_in_file(document, offset), None, frozenset(document.definitions)
        )
    return _renaming_in_files(document, name, folder, home, unsaved)


def _renaming_in_files(
    document: Document, name: str, folder: Path, home: Path, unsaved: Mapping[str, str]
) -> Renaming:
    found: list[Occurrence] = []
    here = document.source
    for file in code_files(_root(folder, home)):
        code = here.text if str(file) == here.name else unsaved.get(str(file))
        found += _in_file(file, text_of(file) if code is None else code, name, home)
    return Renaming(name, tuple(found[:MOST_PLACES]), home, frozenset(document.definitions))


def _of_member(
    document: Document,
    member: class_members.Member,
    classes: class_members.Classes,
    folder: Path,
    unsaved: Mapping[str, str],
) -> Renaming:
    found: list[Occurrence] = []
    here, home = document.source, member.owner.file
    for file in code_files(_root(folder, home)):
        code = here.text if str(file) == here.name else unsaved.get(str(file))
        source = SourceText(str(file), text_of(file) if code is None else code)
        if member.name in source.text:
            places = class_members.member_places(open_document(source), member, classes)
            found += [
                _occurrence(source.name, source, span, certain=certain)
                for span, certain in sorted(set(places))
            ]
    own_file = home.with_name(f"{member.name}.m")
    is_method_file = home.parent.name.startswith("@") and own_file.is_file()
    return Renaming(
        member.name,
        tuple(found[:MOST_PLACES]),
        own_file if is_method_file else None,
        frozenset(name for c in classes.values() if c.name in member.family for name in c.members),
    )


def _root(folder: Path, home: Path) -> Path:
    """The folder whose files may call the function: the current one if the function is in it."""
    if home.is_relative_to(folder):
        return folder
    return _search_folder(home)


def _search_folder(home: Path) -> Path:
    """The folder on the path from which a file is found, through its packages or its class."""
    return next(p for p in home.parents if p.name[:1] not in ("+", "@"))


def code_files(
    folder: Path, suffix: str = ".m", cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Path]:
    """Every file of code below a folder, by folders and names, until it is ``cancelled``."""
    if not is_folder(folder):
        return
    for place, folders, names in os.walk(folder):
        if cancelled():
            return
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        for name in sorted(names):
            if name.endswith(suffix):
                yield Path(place, name)


def text_of(file: Path) -> str:
    """The text of a file; empty when it is too large, unreadable, or no text."""
    try:
        return "" if file.stat().st_size > MOST_BYTES else textfile.read(file).text
    except (OSError, UsageError):
        return ""  # unreadable or no text: it cannot hold what is looked for


def _home(document: Document, name: str, folders: tuple[Path, ...]) -> Path | None:
    """The file whose main function or class is ``name``."""
    here = Path(document.source.name)
    if name in document.definitions:
        return here if here.stem == name and here.is_file() else None
    if (imported := package_names.imported_home(document, name, folders)) is not None:
        return imported
    for folder in folders:
        for file in (folder / f"{name}.m", folder / f"@{name}" / f"{name}.m"):
            if is_file(file):
                return file
    return None


def _occurrences_in_file(document: Document, offset: int) -> tuple[Occurrence, ...]:
    source = document.source
    spans = references(document, offset)
    return tuple(_occurrence(source.name, source, span) for span in spans)


def _in_file(file: Path, code: str, name: str, home: Path) -> Iterator[Occurrence]:
    if name not in code:
        return
    source = SourceText(str(file), code)
    document = open_document(source)
    package = package_names.package_of(home)
    spans = package_names.qualified(document, package, name) if package else set()
    imported = package_names.imported_home(document, name, (_search_folder(home), *file.parents))
    is_meant = imported == home if package or imported else name not in document.definitions
    if file == home or is_meant:
        spans |= {
            m.occurrence.span
            for m in document.mentions
            if m.occurrence.name == name and m.owner is None
        }
    elif not package:
        return  # this file means another function with that name
    before = re.escape("".join(f"{part}." for part in package))
    quoted = re.finditer(rf"(?<=['\"@]){before}({re.escape(name)})(?=['\"])", code)
    maybe = {Span(*match.span(1)) for match in quoted} - spans
    for span in sorted(spans | maybe):
        yield _occurrence(str(file), source, span, certain=span in spans)


def _occurrence(file: str, source: SourceText, span: Span, *, certain: bool = True) -> Occurrence:
    line = source.line_of(span.start)
    return Occurrence(file, span, line, source.line_text(line), certain)
