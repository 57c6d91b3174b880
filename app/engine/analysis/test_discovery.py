"""Unit tests in `.m` files, found by reading: nothing of a test, its class or its file runs.

Script-based tests are the ``%%`` sections of a script, function-based ones the local functions of
a file whose main function calls ``functiontests``, those of MOxUnit the local functions without
outputs of a file whose main function calls ``initTestSuite``, class-based ones the methods of
``Test`` blocks of a class below ``matlab.unittest.TestCase``, inherited ones included.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Literal

from app import paths, textfile
from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.outline import sections
from app.engine.language import ast, wildcards
from app.errors import UsageError
from app.source import SourceText

TEST_CASES = frozenset(
    f"matlab.{kind}.TestCase" for kind in ("unittest", "perftest", "uitest", "mock")
)
"""The classes that classes of tests derive from."""
_NAMED_TEST = re.compile(r"^test|test$", re.IGNORECASE)
_WORDS = re.compile(r"[A-Za-z0-9]+|[^A-Za-z0-9\s]+")
_MOST_SUPERCLASSES = 20

Kind = Literal["script", "function", "moxunit", "class"]
Choice = tuple[str, str, int]
"""A test parameter: the property, the name of its value, the value's number from 1."""


@dataclass(frozen=True, slots=True)
class UnitTest:
    """One test, as it stands in the text.

    Attributes:
        file: absolute path of the file that runs it: of the derived class for an inherited test.
        kind: ``script``, ``function``, ``moxunit`` or ``class``.
        group: name of the script, function file or class, packages included.
        procedure: name of the section, function or method.
        line: the line (from 1) of ``source`` where it begins.
        source: absolute path of the file where its text stands.
        tags: its ``TestTags``, of its block and of its classes.
        parameters: the value of each test parameter, for a method with parameters. Empty for such a
            method too where its values are only known once the class is loaded.
        class_setup: methods that set its class up, each with a value that it is given.
        method_setup: the same of methods that set each test up.
        last: the last line of a section; 0 for functions and methods.
        unknown: test parameters of a method whose values are only known once the class is loaded.
    """

    file: str
    kind: Kind
    group: str
    procedure: str
    line: int
    source: str
    tags: tuple[str, ...] = ()
    parameters: tuple[Choice, ...] = ()
    class_setup: tuple[tuple[str, Choice], ...] = ()
    method_setup: tuple[tuple[str, Choice], ...] = ()
    last: int = 0
    unknown: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name in results: ``group[…]/[…]procedure(…)`` with the parameters of each."""
        by_class, by_method = (
            dict.fromkeys(choice for _, choice in given)
            for given in (self.class_setup, self.method_setup)
        )
        own = (c for c in self.parameters if c not in by_class and c not in by_method)
        before = _chosen("[{}]", (c for c in by_method if c not in by_class))
        return f"{self.suite}/{before}{self.procedure}{_chosen('({})', own)}"

    @property
    def suite(self) -> str:
        """The group, with the values that its class is set up with: such tests run together."""
        return self.group + _chosen("[{}]", dict.fromkeys(choice for _, choice in self.class_setup))

    def matches(self, property_name: str, pattern: str) -> bool:
        """Whether its ``name``, its ``procedurename`` or a ``tag`` fits a pattern with * and ?."""
        texts = {"name": (self.name,), "procedurename": (self.procedure,), "tag": self.tags}
        pattern = pattern.replace("[", "[[]")  # names have brackets of their own
        return any(wildcards.fits(text, (pattern,)) for text in texts[property_name])


def _chosen(form: str, choices: Iterable[Choice]) -> str:
    """The names and values of parameters in brackets; nothing without any."""
    told = ",".join(f"{name}={value}" for name, value, _ in choices)
    return form.format(told) if told else ""


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found below some paths.

    Attributes:
        tests: by file, in the order of the text.
        problems: files that look like tests and cannot be read: path and reason.
    """

    tests: tuple[UnitTest, ...]
    problems: tuple[tuple[str, str], ...] = ()


def discover(paths: Iterable[Path], *, below: bool = True) -> Discovery:
    """The tests of files, and of all test files in folders; ``below``: and the folders below them.

    In a folder, scripts and function files count whose name begins or ends with ``test``, and every
    class of tests. A file that is named counts whatever its name is.

    Raises:
        UsageError: there is no such file or folder.
    """
    tests: list[UnitTest] = []
    problems: list[tuple[str, str]] = []
    for path in dict.fromkeys(map(Path.absolute, paths)):
        if not path.exists():
            raise UsageError(f"there is no file or folder {path}")
        for file in _test_files(path, below) if path.is_dir() else (path,):
            try:
                found = tests_of_file(file)
            except (UsageError, OSError) as problem:
                problems.append((str(file), str(problem)))
                continue
            tests += found
    return Discovery(tuple(dict.fromkeys(tests)), tuple(problems))


def _test_files(folder: Path, below: bool) -> Iterator[Path]:
    """The `.m` files of a folder that may hold tests, by their names and a look at the text."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if below and not name.startswith("."))
        for file in (Path(place, name) for name in sorted(names) if name.endswith(".m")):
            if _NAMED_TEST.search(file.stem) or _has_class(file):
                yield file


def _has_class(file: Path) -> bool:
    try:
        return b"classdef" in paths.content(file)
    except OSError:  # it has gone, or is nobody's to read: no test of this project
        return False


def tests_of_file(file: Path) -> tuple[UnitTest, ...]:
    """The tests of one file; none when it is no test file.

    Raises:
        UsageError: it cannot be read, or does not parse.
    """
    return tests_of_text(SourceText(str(file.absolute()), textfile.read(file).text))


def tests_of_text(source: SourceText) -> tuple[UnitTest, ...]:
    """The tests of a text whose name is its path: what the editor holds need not be saved.

    Raises:
        UsageError: it does not parse.
    """
    document = open_document(source)
    path = Path(source.name)
    tree = document.file
    if tree.classdef is not None:
        tests = _class_tests(document, path, tree.classdef)
    elif tree.kind == "script":
        tests = _script_tests(document, path)
    else:
        tests = _function_tests(document, path)
    errors = document.result.diagnostics
    if tests and errors:
        raise UsageError(f"line {source.line_of(errors[0].span.start)}: {errors[0].message}")
    return tests


def group_of(path: Path) -> str:
    """The name that a file's functions or class go by: packages, then the name of the file."""
    folders = [p for p in path.parent.parts if not p.startswith("@")]
    packages: list[str] = []
    while folders and folders[-1].startswith("+"):
        packages.insert(0, folders.pop()[1:])
    return ".".join((*packages, path.stem))


# --- scripts and functions --------------------------------------------------------------------


def _script_tests(document: Document, path: Path) -> tuple[UnitTest, ...]:
    """One test per section; the code before the first mark belongs to all, and is none."""
    found = sections(document)
    source, group = document.source, group_of(path)
    end = _end_of_script(document)
    if not found:
        return (UnitTest(str(path), "script", group, path.stem, 1, str(path), last=end),)
    marked = [s for s in found if _begins_with_mark(source, s.first) and s.first <= end]
    names: list[str] = []
    for number, section in enumerate(marked, 1):
        name = section_name(section.title) or f"test{number}"
        names.append(name if name not in names else f"{name}_{number}")
    return tuple(
        UnitTest(str(path), "script", group, name, s.first, str(path), last=min(s.last, end))
        for name, s in zip(names, marked, strict=True)
    )


def _begins_with_mark(source: SourceText, line: int) -> bool:
    return source.line_text(line).lstrip().startswith("%%")


def _end_of_script(document: Document) -> int:
    """The last line before the script's own functions."""
    source = document.source
    starts = [source.line_of(f.span.start) for f in document.file.functions]
    return min(starts, default=len(source.line_starts) + 1) - 1


def section_name(title: str) -> str:
    """The name of a section as a test: ``Test 1: sum of angles`` is ``Test1_SumOfAngles``."""
    words = _WORDS.findall(title)
    name = "".join(w[0].upper() + w[1:] if w[0].isalnum() else "_" for w in words).rstrip("_")
    return name if not name or name[0].isalpha() else f"x{name}"


def _function_tests(document: Document, path: Path) -> tuple[UnitTest, ...]:
    main, *local = document.file.functions
    text = document.source.text[main.span.start : main.span.end]
    kind: Kind = "function" if "functiontests" in text else "moxunit"
    if (kind == "moxunit" and "initTestSuite" not in text) or main.inputs or len(main.outputs) != 1:
        return ()
    return tuple(
        UnitTest(
            str(path),
            kind,
            group_of(path),
            f.name,
            document.source.line_of(f.span.start),
            str(path),
        )
        for f in local
        if _NAMED_TEST.search(f.name) and not (kind == "moxunit" and f.outputs)
    )


# --- classes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Family:
    """A class of tests with what it inherits: documents from the class itself upwards."""

    documents: tuple[tuple[Path, Document, ast.ClassDef], ...]


def _class_tests(document: Document, path: Path, node: ast.ClassDef) -> tuple[UnitTest, ...]:
    family = _family(document, path, node)
    if family is None or _is_on(node.attributes, "Abstract") or _has_abstract_members(family):
        return ()
    tags = [t for _, _, cls in family.documents for t in _texts(_value(cls.attributes, "TestTags"))]
    choices = _parameters(family)
    class_setups = _setups(family, choices, "TestClassSetup")
    method_setups = _setups(family, choices, "TestMethodSetup")
    tests: list[UnitTest] = []
    seen: set[str] = set()
    for where, held, cls in family.documents:
        for block in cls.blocks:
            if not isinstance(block, ast.MethodsBlock):
                continue
            is_test = _is_on(block.attributes, "Test")
            own = tuple(dict.fromkeys([*_texts(_value(block.attributes, "TestTags")), *tags]))
            combining = _texts(_value(block.attributes, "ParameterCombination"))
            for method in block.functions:
                if method.name in seen:  # a method of a derived class stands for this one
                    continue
                seen.add(method.name)
                parameters = tuple(p.name for p in method.inputs[1:])
                if is_test:
                    tests += (
                        UnitTest(
                            str(path),
                            "class",
                            group_of(path),
                            method.name,
                            held.source.line_of(method.span.start),
                            str(where),
                            own,
                            combination,
                            class_setup,
                            method_setup,
                            unknown=() if combination else parameters,
                        )
                        for class_setup in class_setups
                        for method_setup in method_setups
                        for combination in _combinations(method, choices, combining)
                        if _agree((*class_setup, *method_setup, *(("", c) for c in combination)))
                    )
    return tuple(tests)


Given = tuple[str, Choice]
"""A method, and the value of a parameter that it is given."""


def _agree(given: Iterable[tuple[object, Choice]]) -> bool:
    """Whether every parameter has the same value wherever it is given."""
    numbers: dict[str, int] = {}
    return all(numbers.setdefault(name, k) == k for _, (name, _, k) in given)


def _setups(
    family: _Family, choices: dict[str, tuple[str, ...]], role: str
) -> list[tuple[Given, ...]]:
    """What the methods of a role are given, for each combination of the values of parameters.

    Raises:
        UsageError: the values of a parameter are not written out.
    """
    found: list[tuple[Given, ...]] = [()]
    seen = set[str]()
    for _, held, cls in family.documents:
        for block in cls.blocks:
            if not isinstance(block, ast.MethodsBlock) or not _is_on(block.attributes, role):
                continue
            combining = _texts(_value(block.attributes, "ParameterCombination"))
            for method in (m for m in block.functions if m.name not in seen):
                seen.add(method.name)
                unknown = [p.name for p in method.inputs[1:] if p.name not in choices]
                if unknown:
                    line = held.source.line_of(method.span.start)
                    text = f"line {line}: the values of the parameter '{unknown[0]}' of a {role} "
                    raise UsageError(f"{text}method are to be written out as {{…}} or struct(…)")
                each = _combinations(method, choices, combining)
                rows = [tuple((method.name, choice) for choice in row) for row in each]
                joined = [(*before, *row) for before in found for row in rows]
                found = [row for row in joined if _agree(row)]
    return found


def _has_abstract_members(family: _Family) -> bool:
    """Whether something is left to derived classes, so that no object can be made."""
    left, made = set[str](), set[str]()
    for _, _, cls in family.documents:
        for block in cls.blocks:
            match block:
                case ast.PropertiesBlock(declarations=declared):
                    names = {d.name for d in declared}
                case ast.MethodsBlock(functions=functions, signatures=signatures):
                    names = {f.name for f in functions} | {s.name for s in signatures}
                case _:
                    continue
            (left if _is_on(block.attributes, "Abstract") else made).update(names)
    return not left <= made


def _combinations(
    method: ast.FunctionDef, choices: dict[str, tuple[str, ...]], combining: tuple[str, ...]
) -> list[tuple[Choice, ...]]:
    """Every choice of values for a method's parameters; one empty choice where they are unknown."""
    names = [p.name for p in method.inputs[1:]]
    if not names or any(name not in choices for name in names):
        return [()]
    each = [[(name, value, k) for k, value in enumerate(choices[name], 1)] for name in names]
    if combining == ("sequential",):
        return [tuple(row) for row in zip(*each, strict=False)]
    return list(product(*each))


def _parameters(family: _Family) -> dict[str, tuple[str, ...]]:
    """The names of the values of each test parameter that can be read from the text."""
    found: dict[str, tuple[str, ...]] = {}
    for _, _, cls in family.documents:
        for block in cls.blocks:
            kinds = ("TestParameter", "MethodSetupParameter", "ClassSetupParameter")
            if isinstance(block, ast.PropertiesBlock) and any(
                _is_on(block.attributes, kind) for kind in kinds
            ):
                for declared in block.declarations:
                    names = _value_names(declared.default)
                    if names:
                        found.setdefault(declared.name, names)
    return found


def _value_names(node: object) -> tuple[str, ...]:
    """The names of the values in ``{...}`` or ``struct(...)``; none where they are computed."""
    match node:
        case ast.CellLiteral(rows=rows):
            items = [item for row in rows for item in row]
            texts = [_text(item) for item in items]
            named = all(text and text.isidentifier() for text in texts)
            distinct = len(set(texts)) == len(texts)
            if named and distinct:
                return tuple(text or "" for text in texts)
            return tuple(f"value{k}" for k in range(1, len(items) + 1))
        case ast.Index(base=ast.Name(id="struct"), args=args):
            keys = [_text(arg) for arg in args[::2]]
            is_plain = not any(isinstance(arg, ast.CellLiteral) for arg in args[1::2])
            return tuple(key or "" for key in keys) if all(keys) and is_plain else ()
        case _:
            return ()


def _text(node: object) -> str | None:
    return node.value if isinstance(node, ast.Char | ast.String) else None


def _texts(node: object) -> tuple[str, ...]:
    """The text, or the texts of a cell or string array, that an attribute is set to."""
    if isinstance(node, ast.CellLiteral | ast.Matrix):
        return tuple(t for row in node.rows for item in row if (t := _text(item)) is not None)
    text = _text(node)
    return () if text is None else (text,)


def _value(attributes: tuple[ast.Attribute, ...], name: str) -> object:
    return next((a.value for a in attributes if a.name.lower() == name.lower()), None)


def _is_on(attributes: tuple[ast.Attribute, ...], name: str) -> bool:
    """Whether an attribute stands there and is not set to false."""
    for given in attributes:
        if given.name.lower() == name.lower():
            return not (isinstance(given.value, ast.Name) and given.value.id == "false")
    return False


def _family(document: Document, path: Path, node: ast.ClassDef) -> _Family | None:
    """The class and what it inherits that is written in files; None when it is no test class."""
    found = [(path, document, node)]
    open_names = list(node.superclasses)
    is_test = False
    while open_names and len(found) < _MOST_SUPERCLASSES:
        name = open_names.pop(0)
        if name in TEST_CASES:
            is_test = True
            continue
        inherited = _class_file(name, path)
        if inherited is None or any(where == inherited for where, _, _ in found):
            continue
        held = _document_at(inherited, inherited.stat().st_mtime_ns)
        if held.file.classdef is not None:
            found.append((inherited, held, held.file.classdef))
            open_names += held.file.classdef.superclasses
    return _Family(tuple(found)) if is_test else None


def _class_file(name: str, near: Path) -> Path | None:
    """The file of a class by its dotted name, as seen from another class file."""
    *packages, last = name.split(".")
    root = near.parent
    while root.name.startswith(("+", "@")):
        root = root.parent
    below = Path(*(f"+{p}" for p in packages))
    places = [root, *root.parents[:2]]
    for place in places:
        for candidate in (place / below / f"{last}.m", place / below / f"@{last}" / f"{last}.m"):
            if candidate.is_file():
                return candidate
    return None


@lru_cache(maxsize=256)
def _document_at(path: Path, stamp: int) -> Document:
    """A superclass's file as it was at ``stamp``."""
    return open_document(SourceText(str(path), textfile.read(path).text))
