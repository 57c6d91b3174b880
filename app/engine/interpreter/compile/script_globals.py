"""The names that code makes global by others' code: scripts that it calls, texts it evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.interpreter.unit import Unit
from app.engine.language import ast
from app.engine.language.parser import parse
from app.errors import MatlabError
from app.source import SourceText


def shared_by_scripts(unit: Unit, names: Names) -> set[str]:
    """What the scripts that ``names`` calls declare global, and those that they call.

    Scripts are found on the path, in folders that the code names to enter (``cd folder``) or to
    add to the path, and where ``run`` names one; a text that is given to ``eval`` counts as one.
    """
    found: set[str] = set()
    seen: set[str] = set()
    pending = [names]
    while pending:
        current = pending.pop()
        inner = [names_of_script(body) for body in _texts(current)]
        for path in _scripts(unit, current):
            if path not in seen:
                seen.add(path)
                inner.append(_names_of_file(unit, path))
        for other in inner:
            found |= other.globals
        pending += inner
    return found


def _texts(names: Names) -> Iterator[tuple[ast.Statement, ...]]:
    """The bodies of the texts that are evaluated."""
    for function, text in names.literals:
        if function == "eval" and "global" in text:
            yield parse(SourceText("<text>", text)).file.body


def _scripts(unit: Unit, names: Names) -> Iterator[str]:
    """The files that are called as scripts, or perhaps will be."""
    for name in names.statements:
        if unit.is_script(name):
            path = unit.interpreter.path.find(name, unit.folder)
            if path is not None:
                yield path
    current = unit.interpreter.path.current
    for function, text in names.literals:
        if function == "run":
            yield str(Path(current, text).with_suffix(".m"))
        elif function != "eval":
            yield from (str(Path(current, text, f"{name}.m")) for name in names.statements)


def _names_of_file(unit: Unit, path: str) -> Names:
    """The names of a script; none of what is no file, or no script."""
    try:
        tree = unit.interpreter.load(path).tree if Path(path).is_file() else None
    except (MatlabError, OSError):  # whoever calls it is told
        return Names()
    return Names() if tree is None or tree.kind != "script" else names_of_script(tree.body)
