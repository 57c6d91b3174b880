"""Code of another process: units of its texts, and where its functions are looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app import textfile
from app.engine.interpreter import loader
from app.engine.interpreter.compile.parfor import ParforLoop
from app.engine.language import ast
from app.engine.language.parfor_variables import classify
from app.engine.language.walk import walk
from app.engine.parallel.travelled_files import Folders, files_of
from app.errors import InternalError
from app.source import SourceText

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loader import LoadedFile
    from app.engine.interpreter.unit import Unit

_KEY = "parallel.texts"
Surroundings = tuple[str, str, tuple[str, ...], tuple[tuple[str, tuple[str, str]], ...]]
"""The current folder, that of the script, the search path, functions defined in typed text."""


def unit_of_text(interpreter: Interpreter, name: str, text: str) -> Unit:
    """The unit of a text; that of the file of this name where the file holds the same."""
    return loaded_text(interpreter, name, text).unit


def loaded_text(interpreter: Interpreter, name: str, text: str) -> LoadedFile:
    """A text ready to run, which is made ready once."""
    known: dict[tuple[str, str], LoadedFile] = interpreter.context.state.setdefault(_KEY, {})
    name = files_of(interpreter).here(name)
    loaded = known.get((name, text))
    if loaded is None:
        path = Path(name)
        if path.suffix == ".m" and path.is_file() and textfile.read(path).text == text:
            loaded = interpreter.load(name)
        else:
            loaded = loader.prepare(interpreter, SourceText(name, text), (0.0, 0))
        if loaded.tree.classdef is not None:
            interpreter.objects.define(loaded)
        known[name, text] = loaded
    return loaded


def loop_at(loaded: LoadedFile, start: int, names: tuple[str, ...]) -> ParforLoop:
    """The parfor that begins at a place of a text."""
    for node in walk(loaded.tree):
        if isinstance(node, ast.For) and node.parallel and node.span.start == start:
            return ParforLoop(loaded.unit, node, names, classify(node))
    raise InternalError("parallel", "the loop is not in its text")


def surroundings(interpreter: Interpreter) -> Surroundings:
    """Where functions are looked for: folders, the current one first, and typed functions."""
    path = interpreter.path
    typed = {}
    for name, function in interpreter.command_functions.items():
        unit = getattr(function, "unit", None)
        if unit is not None:
            typed[name] = (unit.source.name, unit.source.text)
    return (path.current, path.beside, tuple(path.entries), tuple(sorted(typed.items())))


def surround(
    interpreter: Interpreter,
    current: str,
    beside: str,
    entries: tuple[str, ...],
    typed: tuple[tuple[str, tuple[str, str]], ...],
    folders: Folders,
) -> None:
    """Look for functions where another process does.

    With ``folders`` that is on another machine: the files of these are here, too.
    """
    import os
    from contextlib import suppress

    if folders:
        files = files_of(interpreter)
        files.place(folders)
        current, beside = files.here(current), files.here(beside)
        entries = tuple(map(files.here, entries))
    with suppress(OSError):
        os.chdir(current)
    path = interpreter.path
    path.set_current(current)
    path.set_beside(beside)
    path.entries[:] = list(entries)
    path.version += 1
    for name, (source, text) in typed:
        unit = unit_of_text(interpreter, source, text)
        interpreter.define_functions({name: unit.local[name]})
    interpreter.refresh()
