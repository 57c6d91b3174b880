"""Members of classes: where a property, method, event or enumeration member is declared and used.

Code does not say of which class an object is. It is known of the first argument of a method, of
what a constructor returned, of a declared argument, and of a class's own name; a place behind any
other object is only likely to mean the member.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from app import textfile
from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.package_names import package_of
from app.engine.analysis.scopes import Scope
from app.engine.language import ast
from app.engine.language.walk import children, dotted_name
from app.errors import UsageError
from app.records import record
from app.source import SourceText, Span

_PLAIN_VALUES = frozenset("struct table timetable cell2struct dir containers.Map".split())
"""What makes values with fields that are no objects of classes in files."""


@record
class ClassOutline:
    """A class of a file.

    Attributes:
        source: the text that defines it.
        name: with its packages.
        superclasses: as the file names them.
        members: name and place of everything that it declares.
    """

    source: SourceText
    name: str
    superclasses: tuple[str, ...]
    members: dict[str, Span]

    @property
    def file(self) -> Path:
        """Where it is."""
        return Path(self.source.name)


@record
class Member:
    """What a class declares under a name.

    Attributes:
        name: the name.
        owner: the class that declares it, the uppermost of those that the folders hold.
        family: the names of the classes that have it: the owner and what inherits from it.
    """

    name: str
    owner: ClassOutline
    family: frozenset[str]


Classes = dict[str, ClassOutline]


def known_classes(
    document: Document, folders: Iterable[Path], unsaved: Mapping[str, str]
) -> Classes:
    """The classes of folders, of their packages, and of a text, by their full names."""
    found: Classes = {}
    for file in _class_files(folders):
        code = unsaved.get(str(file))
        made = _of_file(file, file.stat().st_mtime_ns) if code is None else _of_text(file, code)
        if made is not None:
            found[made.name] = made
    own = _of_document(document)
    return found if own is None else found | {own.name: own}


def member_at(document: Document, offset: int, classes: Classes) -> Member | None:
    """The member that is declared, or used behind an object, at ``offset``."""
    own, declaring = _own_class(document, classes), document.file.classdef
    if own is not None and declaring is not None:
        for name, span in _declared(document, declaring):
            if span.start <= offset <= span.end:
                return _member(name, own, classes)
    for node in _fields(document):
        start = node.span.end - len(node.name)
        if start <= offset <= node.span.end:
            return _behind(document, node, classes)
    return _called(document, offset, classes)


def _behind(document: Document, node: ast.Field, classes: Classes) -> Member | None:
    """The member behind an object; of an unknown one what only one class declares."""
    written = _class_of(document, node.base, classes)
    known = _resolved(written, classes)
    if known is not None:
        return _member(node.name, known, classes)
    if written in _PLAIN_VALUES:
        return None
    tops = {m.owner.name: m for c in classes.values() if (m := _member(node.name, c, classes))}
    return next(iter(tops.values())) if len(tops) == 1 else None


def _called(document: Document, offset: int, classes: Classes) -> Member | None:
    """The method of ``method(object, …)``."""
    for node in _nodes(document):
        if not isinstance(node, ast.Index) or not isinstance(node.base, ast.Name):
            continue
        name, span = node.base.id, node.base.span
        if span.start <= offset <= span.end and _calls(document, node, name):
            known = _resolved(_class_of(document, node.args[0], classes), classes)
            return None if known is None else _member(name, known, classes)
    return None


def member_places(
    document: Document, member: Member, classes: Classes
) -> Iterator[tuple[Span, bool]]:
    """Where a text names a member, and whether that is certain."""
    name = member.name
    own = _own_class(document, classes)
    declaring = document.file.classdef
    if own is not None and own.name in member.family and declaring is not None:
        yield from ((s, True) for found, s in _declared(document, declaring) if found == name)
    for node in _nodes(document):
        if isinstance(node, ast.Field) and node.name == name:
            certain = _certainty(document, node.base, member, classes)
            if certain is not None:
                yield Span(node.span.end - len(name), node.span.end), certain
        elif isinstance(node, ast.Index) and _calls(document, node, name):
            known = _resolved(_class_of(document, node.args[0], classes), classes)
            if known is not None and known.name in member.family:
                yield node.base.span, True


def _calls(document: Document, node: ast.Index, name: str) -> bool:
    """Whether a call with arguments is one of the function ``name``."""
    base = node.base
    if not isinstance(base, ast.Name) or base.id != name or not node.args:
        return False
    return document.symbols.at(base.span.start).owner(name) is None


def _certainty(document: Document, base: ast.Expr, member: Member, classes: Classes) -> bool | None:
    """Whether a name behind ``base`` is this member; None when it is not."""
    written = _class_of(document, base, classes)
    known = _resolved(written, classes)
    if known is not None:
        return True if known.name in member.family else None
    return None if written in _PLAIN_VALUES else False


# --- classes ------------------------------------------------------------------------------------


def _class_files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in dict.fromkeys(folders):
        if not folder.is_dir():
            continue
        for entry in sorted(folder.iterdir()):
            if entry.suffix == ".m" and entry.is_file():
                yield entry
            elif entry.name.startswith("@") and (entry / f"{entry.name[1:]}.m").is_file():
                yield entry / f"{entry.name[1:]}.m"
            elif entry.name.startswith("+"):
                yield from _class_files((entry,))


@lru_cache(maxsize=4096)
def _of_file(file: Path, stamp: int) -> ClassOutline | None:
    try:
        return _of_text(file, textfile.read(file).text)
    except (OSError, UsageError):
        return None  # unreadable or no text: it declares nothing


def _of_text(file: Path, code: str) -> ClassOutline | None:
    if "classdef" not in code:
        return None
    return _of_document(open_document(SourceText(str(file), code)))


def _of_document(document: Document) -> ClassOutline | None:
    node = document.file.classdef
    if node is None:
        return None
    file = Path(document.source.name)
    members: dict[str, Span] = {}
    for name, span in _declared(document, node):
        members.setdefault(name, span)
    full = ".".join((*package_of(file), node.name.rpartition(".")[2]))
    return ClassOutline(document.source, full, node.superclasses, members)


def _declared(document: Document, node: ast.ClassDef) -> Iterator[tuple[str, Span]]:
    """Names and places of members; accessors (``get.Name``) count as places of their property."""
    constructor = node.name.rpartition(".")[2]
    for block in node.blocks:
        match block:
            case ast.PropertiesBlock():
                for line in block.declarations:
                    yield line.name, Span(line.span.start, line.span.start + len(line.name))
            case ast.EnumerationBlock():
                for item in block.members:
                    yield item.name, Span(item.span.start, item.span.start + len(item.name))
            case ast.EventsBlock():
                for name in block.names:
                    yield name, _found_in(document, block.span, name)
            case ast.MethodsBlock():
                for function in block.functions:
                    name = function.name.rpartition(".")[2]
                    end = function.name_span.end
                    if name != constructor:
                        yield name, Span(end - len(name), end)
                for signature in block.signatures:
                    yield signature.name, _found_in(document, signature.span, signature.name)


def _found_in(document: Document, whole: Span, name: str) -> Span:
    found = re.compile(rf"\b{re.escape(name)}\b").search(
        document.source.text, whole.start, whole.end
    )
    return Span(*found.span()) if found else Span(whole.start, whole.start)


def _own_class(document: Document, classes: Classes) -> ClassOutline | None:
    """The class that a text defines, or whose folder its file is in."""
    made = _of_document(document)
    if made is not None:
        return made
    home = Path(document.source.name).parent
    full = ".".join((*package_of(home / "x.m"), home.name[1:]))
    return classes.get(full) if home.name.startswith("@") else None


def _resolved(written: str, classes: Classes) -> ClassOutline | None:
    """The class that a name means: its full name, or the last part if no other has the same."""
    if not written or written in classes:
        return classes.get(written)
    last = [c for name, c in classes.items() if name.rpartition(".")[2] == written]
    return last[0] if len(last) == 1 else None


def _ancestors(outline: ClassOutline, classes: Classes) -> list[ClassOutline]:
    """A class and what it inherits from, as far as the folders hold it, the nearest first."""
    found = [outline]
    for known in found:  # grows while it is walked
        above = (_resolved(name, classes) for name in known.superclasses)
        found += [c for c in above if c is not None and c not in found]
    return found


def _member(name: str, outline: ClassOutline, classes: Classes) -> Member | None:
    declaring = [c for c in _ancestors(outline, classes) if name in c.members]
    if not declaring:
        return None
    owner = declaring[-1]
    heirs = (c.name for c in classes.values() if owner in _ancestors(c, classes))
    return Member(name, owner, frozenset((owner.name, *heirs)))


# --- objects ------------------------------------------------------------------------------------


def _class_of(document: Document, node: ast.Expr, classes: Classes) -> str:
    """The class of an expression as code names it; empty where nothing tells it."""
    while isinstance(node, ast.Index):
        node = node.base
    if isinstance(node, ast.Field):
        return dotted_name(node)
    if not isinstance(node, ast.Name):
        return ""
    owner = document.symbols.at(node.span.start).owner(node.id)
    return node.id if owner is None else _class_of_variable(document, owner, node.id, classes)


def _class_of_variable(document: Document, scope: Scope, name: str, classes: Classes) -> str:
    node = scope.node
    if isinstance(node, ast.FunctionDef):
        own = _own_class(document, classes)
        if own is not None and name == _object_of(document, node):
            return own.name
        for block in node.arguments:
            for line in block.declarations:
                if line.name == name and line.class_name:
                    return line.class_name
    made = set(_makers(node, name))
    return made.pop() if len(made) == 1 else ""


def _object_of(document: Document, function: ast.FunctionDef) -> str:
    """The variable of a method that is the object: the output of a constructor, or the first
    argument; empty for static methods and functions behind the class."""
    node = document.file.classdef
    first = function.inputs[0].name if function.inputs else ""
    if node is None:  # a method in a file of its own
        return first if function in document.file.functions[:1] else ""
    for block in node.blocks:
        if isinstance(block, ast.MethodsBlock) and function in block.functions:
            if function.name == node.name.rpartition(".")[2]:
                return function.outputs[0].name if function.outputs else ""
            static = any(a.name == "Static" and a.value is None for a in block.attributes)
            return "" if static else first
    return ""


def _makers(node: ast.Node, name: str) -> Iterator[str]:
    """What is called for each value that a variable is given; empty for what is no call."""
    for below in _below(node):
        if isinstance(below, ast.Assign) and isinstance(below.target, ast.Name):
            if below.target.id == name:
                value = below.value.base if isinstance(below.value, ast.Index) else below.value
                yield dotted_name(value)
        elif isinstance(below, ast.MultiAssign):
            yield from ("" for t in below.targets if isinstance(t, ast.Name) and t.id == name)


def _nodes(document: Document) -> Iterator[ast.Node]:
    return _below(document.file)


def _fields(document: Document) -> Iterator[ast.Field]:
    return (node for node in _nodes(document) if isinstance(node, ast.Field))


def _below(node: ast.Node) -> Iterator[ast.Node]:
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack += children(found)
