"""Files and texts to runnable units."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.analysis import names_of_function
from app.engine.interpreter.compile.functions import compile_function, compile_script
from app.engine.interpreter.frames import FrameFacts
from app.engine.interpreter.resolver import CODE, class_of_file, package_of
from app.engine.interpreter.roomy_stack import with_room
from app.engine.interpreter.straight_lines import StraightLines
from app.engine.interpreter.unit import KEPT, Unit, link_name
from app.engine.language import ast
from app.engine.language.diagnostics import Severity
from app.engine.language.parfor_variables import classify, parfor_loops
from app.engine.language.parser import parse
from app.engine.language.tokens import MATLAB, OCTAVE
from app.engine.values import Value
from app.errors import StackFrame, SyntaxProblem
from app.records import mutable_record
from app.source import SourceText, Span

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter

Callee = Callable[..., Value]
KEPT_CODES = 4
"""Codes of one script, for workspaces with other variables."""


@mutable_record
class LoadedFile:
    """A file ready to run.

    Attributes:
        path: the file.
        stamp: its time stamp and size when it was read.
        tree: its syntax tree.
        unit: its unit.
        main: the function that the file's name calls; None for scripts and classes.
        octave: whether it was parsed as Octave does.
        scripts: the latest codes of a script, by what decides what its names mean.
        lines: what is known of a script as straight lines, once it has run.
    """

    path: str
    stamp: tuple[float, int]
    tree: ast.File
    unit: Unit
    main: Callee | None = None
    octave: bool = False
    scripts: dict[Hashable, CodeType] = field(default_factory=dict)
    lines: StraightLines | None = None

    @property
    def class_name(self) -> str:
        """The class of a file with a ``classdef``, with its packages."""
        assert self.tree.classdef is not None
        return ".".join(filter(None, (self.unit.package, self.tree.classdef.name)))

    def serves(self, source: SourceText, stamp: tuple[float, int], octave: bool) -> bool:
        """Whether a text is still the one that was prepared."""
        same = self.unit.source.text == source.text and self.unit.source.name == source.name
        return same and self.stamp == stamp and self.octave == octave and not self.tree.classdef


def parse_checked(source: SourceText, octave: bool) -> ast.File:
    """The syntax tree; a text that does not parse is a SyntaxProblem with place and caret."""
    result = parse(source, OCTAVE if octave else MATLAB)
    for found in result.diagnostics:
        if found.severity is Severity.ERROR:
            raise _problem(source, found.span, "MATLAB:m_invalid_syntax", found.message)
    if "parfor" in source.text:
        for loop, nested in parfor_loops(result.file):
            for wrong in classify(loop, nested).problems:
                raise _problem(source, wrong.span, "MATLAB:parfor:InvalidVariable", wrong.message)
    return result.file


def _problem(source: SourceText, span: Span, identifier: str, message: str) -> SyntaxProblem:
    place = source.place(span.start)
    problem = SyntaxProblem(identifier, message)
    problem.stack = (StackFrame("", place.file, place.line, place.column),)
    problem.caret = source.caret(span)
    return problem


def stamp_of(path: str) -> tuple[float, int]:
    """What tells a changed file."""
    try:
        facts = os.stat(path)  # noqa: PTH116 - asked of every file in every run
    except OSError:
        return (0.0, 0)
    return (facts.st_mtime, facts.st_size)


def load(interpreter: Interpreter, path: str) -> LoadedFile:
    """Read, parse and prepare a file."""
    stamp = stamp_of(path)
    source = SourceText(path, interpreter.read_code(Path(path)).text)
    return prepare(interpreter, source, stamp)


def prepared_text(interpreter: Interpreter, source: SourceText) -> LoadedFile:
    """A text ready to run: a file that has not changed since keeps its compiled code."""
    stamp = stamp_of(source.name)
    if not source.name.endswith(CODE):
        return prepare(interpreter, source, stamp)
    place = os.path.abspath(source.name)  # noqa: PTH100 - asked in every run
    known = interpreter.files.get(place)
    if known is None or not known.serves(source, stamp, interpreter.octave):
        known = interpreter.files[place] = prepare(interpreter, source, stamp)
    return known


def prepare(interpreter: Interpreter, source: SourceText, stamp: tuple[float, int]) -> LoadedFile:
    """Parse a text and prepare its functions."""
    path = source.name
    tree = parse_checked(source, interpreter.octave)
    if path.endswith(CODE) and tree.kind == "function" and not interpreter.octave:
        tree = _named_by_file(tree, Path(path).stem)
    folder = str(Path(path).parent) if path.endswith(CODE) else ""
    unit = Unit(interpreter, source, folder)
    if tree.kind == "script":  # what one imports serves the command line and the next, too
        unit.imports = interpreter.path.imports
    unit.package = package_of(path)
    unit.class_name = class_of_file(path)
    loaded = LoadedFile(path, stamp, tree, unit, octave=interpreter.octave)
    elsewhere = tree.kind == "function" and (Path(folder).name.startswith("@") or unit.package)
    for position, function in enumerate(tree.functions):
        made = LazyFunction(unit, function)
        unit.nodes[function.name] = function
        if position == 0 and tree.kind == "function":
            loaded.main = made
            unit.main = function.name
        # A method reaches functions of its own name by dispatch, a function of a package others:
        # within +geo/area.m is area(x) what it is anywhere, geo.area(x) the function itself.
        if position or not elsewhere:
            unit.namespace[link_name(function.name)] = made
            unit.local[function.name] = made
    return loaded


def _named_by_file(tree: ast.File, stem: str) -> ast.File:
    """The tree of a function file whose main function has the file's name, as MATLAB calls it: the
    name it is declared with means nothing, not even in the file itself."""
    main, *local = tree.functions
    if main.name == stem or not stem.isidentifier() or stem in {f.name for f in local}:
        return tree
    return replace(tree, functions=(replace(main, name=stem), *local))


class LazyFunction:
    """A function that is compiled when it is first called."""

    __slots__ = ("made", "node", "unit")

    def __init__(self, unit: Unit, node: ast.FunctionDef) -> None:
        self.unit = unit
        self.node = node
        self.made: Callee | None = None

    def __call__(self, *args: Value, nargout: int = 1) -> Value:
        """Compile, if need be, and call."""
        return self.ready()(*args, nargout=nargout)

    def ready(self) -> Callee:
        """The compiled function; later calls of the file reach it directly."""
        if self.made is None:
            self.made = make_function(self.unit, self.node)
            key = link_name(self.node.name)
            if self.unit.namespace.get(key) is self:
                entry_of = self.unit.interpreter.native_compiler.function_entry
                self.unit.namespace[key] = entry_of(self.unit, self.node, self.made)
            known: object = self.unit.local.get(self.node.name)
            if known is self:
                self.unit.local[self.node.name] = self.made
        return self.made


def make_function(unit: Unit, node: ast.FunctionDef, constructs: str = "") -> Callee:
    """Compile one top-level function; ``constructs`` names the class of a constructor."""
    code = compile_function(unit, node, constructs)
    names = names_of_function(node)
    store = unit.namespace.get(unit.current_persistent, {})
    unit.codes[node.name] = FrameFacts(names.globals, store)
    count = code.co_argcount
    if is_dynamic_code(code):
        return _dynamic(unit, code, count, store if names.persistent else {})
    made = FunctionType(code, unit.namespace, node.name, (None,) * count)
    made.__kwdefaults__ = {"nargout": 1}
    return made


def is_dynamic_code(code: CodeType) -> bool:
    """True when the code keeps its variables in its globals."""
    return bool(code.co_consts) and code.co_consts[0] == "#dynamic"


def _dynamic(unit: Unit, code: CodeType, count: int, kept: dict[str, Value]) -> Callee:
    """A function whose every call has a workspace dictionary of its own; ``kept`` are its
    persistent variables."""
    defaults = (None,) * count
    namespace = unit.namespace
    name = code.co_name

    def call(*args: Value, nargout: int = 1) -> Value:
        workspace: dict[str, Any] = {"__builtins__": namespace, "#globals": set(), KEPT: kept}
        made = FunctionType(code, workspace, name, defaults)
        made.__kwdefaults__ = {"nargout": 1}
        try:
            return made(*args, nargout=nargout)
        finally:
            workspace.clear()

    return call


def script_code(loaded: LoadedFile, workspace: dict[str, Any]) -> CodeType:
    """The code of a script for a workspace.

    What its names mean depends on the variables that are there, on those that are global, and on
    the search path.
    """
    workspace_globals: set[str] = workspace.setdefault("#globals", set())
    version = loaded.unit.interpreter.path.version
    kept = frozenset(workspace.get(KEPT, ()))
    key = frozenset(workspace), frozenset(workspace_globals), kept, version
    code = loaded.scripts.get(key)
    if code is None:
        name = Path(loaded.path).stem if loaded.path.endswith(CODE) else "<script>"
        code = compile_script(loaded.unit, loaded.tree.body, workspace, name)
        while len(loaded.scripts) >= KEPT_CODES:
            old = loaded.scripts.pop(next(iter(loaded.scripts)))
            if not loaded.unit.running:
                loaded.unit.forget(old)
        loaded.scripts[key] = code
    return code


def run_script(loaded: LoadedFile, workspace: dict[str, Any]) -> None:
    """Run a script on a workspace; one that has run before may be straight lines."""
    if loaded.octave and loaded.tree.kind == "script":  # its functions are known everywhere there
        loaded.unit.interpreter.define_functions(loaded.unit.local)
    ran = bool(loaded.scripts)
    code = script_code(loaded, workspace)
    if ran and loaded.lines is None:
        loaded.lines = StraightLines.of(loaded.unit, loaded.tree.body)
    if loaded.lines is None:
        run_code(loaded.unit, code, workspace)
    else:
        plainly = partial(run_code, loaded.unit, code, workspace)
        loaded.lines.run(code, workspace, plainly)


def run_code(unit: Unit, code: CodeType, workspace: dict[str, Any]) -> None:
    """Run a script's code on a workspace."""
    workspace["__builtins__"] = unit.namespace
    unit.running += 1
    try:
        with_room(FunctionType(code, workspace))
    finally:
        unit.running -= 1
