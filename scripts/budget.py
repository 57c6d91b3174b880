"""The size budget: short functions, files and classes, and an account of every public name.

Fails when a function, a file or a class (with what it inherits from classes of ours) is over the
hard limit, when the medians grow over their budget, when a public name lacks its docstring or an
annotation, when a suppression (``noqa``) lacks its reason, when a layer has two files of one name,
or when a package says ``Any`` more often than before. Numbers are in ``pyproject.toml`` under
``tool.fuselab.budget``. How often packages say ``Any`` is in ``budget_any.json``, which may only
shrink: ``python scripts/budget.py --tighten`` lowers it to what is there now, and never raises it.
"""

from __future__ import annotations

import ast
import json
import re
import statistics
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
ANYS = Path(__file__).with_name("budget_any.json")
Function = ast.FunctionDef | ast.AsyncFunctionDef
BARE_SUPPRESSION = re.compile(r"# noqa(: [A-Z0-9, ]+)?$")


class Class(NamedTuple):
    """A class: its own lines and methods, and its bases as ``module.Class`` names."""

    lines: int
    methods: frozenset[str]
    bases: tuple[str, ...]


class Measure(NamedTuple):
    """What was counted: lines per file and per function, classes, and breaches of the rules.

    Attributes:
        anys: how often each package below ``app`` says ``Any``.
    """

    files: dict[str, int]
    functions: dict[str, int]
    breaches: list[str]
    classes: dict[str, Class]
    anys: dict[str, int]


def length(node: Function) -> int:
    """Lines of a function, not counting decorators and docstring."""
    first = node.body[0]
    doc = first.end_lineno or 0 if ast.get_docstring(node, clean=False) is not None else 0
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    return lines - (doc - first.lineno + 1 if doc else 0)


def public_nodes(tree: ast.Module) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Public functions, classes and methods with their dotted names."""
    stack: list[tuple[str, ast.AST]] = [("", tree)]
    while stack:
        prefix, parent = stack.pop()
        for node in ast.iter_child_nodes(parent):
            if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
                yield prefix + node.name, node
                if isinstance(node, ast.ClassDef):
                    stack.append((f"{prefix}{node.name}.", node))


def is_annotated(node: Function) -> bool:
    """Whether the result and every parameter but ``self`` and ``cls`` has a type."""
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    named = [a for a in arguments if a.arg not in {"self", "cls"}]
    return node.returns is not None and all(a.annotation for a in named)


def is_overload(node: Function | ast.ClassDef) -> bool:
    """Whether ``node`` is an overload or a property's setter: documented elsewhere."""
    names = [ast.unparse(d) for d in node.decorator_list]
    return any(n.endswith(("overload", ".setter", "override")) for n in names)


def breaches_of(name: str, tree: ast.Module) -> Iterator[str]:
    """Public names of one file without docstring or annotations."""
    if ast.get_docstring(tree) is None:
        yield f"{name}: the module has no docstring"
    for dotted, node in public_nodes(tree):
        if ast.get_docstring(node) is None and not is_overload(node):
            yield f"{name}:{node.lineno}: {dotted} has no docstring"
        if isinstance(node, Function) and not is_annotated(node):
            yield f"{name}:{node.lineno}: {dotted} lacks an annotation"


def bare_suppressions(name: str, text: str) -> Iterator[str]:
    """Lines of one file that switch a check of the linter off and do not say why."""
    for number, line in enumerate(text.splitlines(), 1):
        if BARE_SUPPRESSION.search(line):
            yield f"{name}:{number}: noqa without its reason"


def imported(tree: ast.Module, module: str) -> dict[str, str]:
    """Names that a module knows to their full names: its own classes and what it imports."""
    known = {n.name: f"{module}.{n.name}" for n in tree.body if isinstance(n, ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                known.setdefault(alias.asname or alias.name, f"{node.module}.{alias.name}")
    return known


def classes_of(tree: ast.Module, module: str) -> Iterator[tuple[str, Class]]:
    """The classes of a module, by their full names."""
    known = imported(tree, module)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = []
            for base in node.bases:
                first, _, rest = ast.unparse(base).partition("[")[0].partition(".")
                bases.append(".".join(filter(None, (known.get(first, first), rest))))
            methods = frozenset(n.name for n in node.body if isinstance(n, Function))
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield f"{module}.{node.name}", Class(lines, methods, tuple(bases))


def ancestry(name: str, classes: dict[str, Class]) -> list[Class]:
    """A class and every class of ours that it inherits from."""
    found: dict[str, Class] = {}
    waiting = [name]
    while waiting:
        top = waiting.pop()
        if top in classes and top not in found:
            found[top] = classes[top]
            waiting += classes[top].bases
    return list(found.values())


def large_classes(classes: dict[str, Class], limits: dict[str, int]) -> Iterator[str]:
    """Classes over the limits, with what they inherit."""
    for name in classes:
        family = ancestry(name, classes)
        lines = sum(c.lines for c in family)
        methods = len(frozenset[str]().union(*(c.methods for c in family)))
        for unit, count in (("lines", lines), ("methods", methods)):
            if count > (limit := limits[f"class_{unit}"]):
                yield f"{name}: {count} {unit} with its bases, the limit is {limit}"


def growth(now: dict[str, int], before: dict[str, int]) -> Iterator[str]:
    """Packages that say ``Any`` more often than before."""
    for name, count in sorted(now.items()):
        if count > before.get(name, 0):
            yield f"{name}: {count} Any, {before.get(name, 0) or 'none'} before"


def tightened(now: dict[str, int], before: dict[str, int]) -> dict[str, int]:
    """The smaller of both, package by package; what says it no more is left out."""
    return {name: min(count, now[name]) for name, count in sorted(before.items()) if now.get(name)}


def repeated(files: Iterable[str]) -> Iterator[str]:
    """Names that two files of a layer (``app/ui``) share."""
    named: dict[tuple[str, str], list[str]] = {}
    for path in files:
        parts = path.split("/")
        if parts[-1] != "__init__.py":
            named.setdefault((parts[1], parts[-1]), []).append(path)
    for paths in named.values():
        if len(paths) > 1:
            yield f"files of one layer with one name: {', '.join(paths)}"


def measure(folders: list[Path]) -> Measure:
    """Count every Python file below ``folders``."""
    result = Measure({}, {}, [], {}, {})
    for path in sorted(p for folder in folders for p in folder.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        if text.strip():
            result.files[name] = text.count("\n")
        for node in ast.walk(tree):
            if isinstance(node, Function):
                result.functions[f"{name}:{node.lineno}: {node.name}"] = length(node)
        if name.startswith("app/"):
            result.breaches.extend(breaches_of(name, tree))
            result.breaches.extend(bare_suppressions(name, text))
            result.classes.update(classes_of(tree, name.removesuffix(".py").replace("/", ".")))
            package = "/".join(name.split("/")[: min(3, name.count("/"))])
            count = sum(isinstance(n, ast.Name) and n.id == "Any" for n in ast.walk(tree))
            result.anys[package] = result.anys.get(package, 0) + count
    return result


def verdict(counted: Measure, limits: dict[str, int]) -> list[str]:
    """Everything that is over the budget, as sentences."""
    problems = [
        *counted.breaches,
        *repeated(counted.files),
        *large_classes(counted.classes, limits),
    ]
    for kind, sizes in (("file", counted.files), ("function", counted.functions)):
        limit = limits[f"{kind}_lines"]
        problems += [f"{n}: {s} lines, the limit is {limit}" for n, s in sizes.items() if s > limit]
        middle = statistics.median(sizes.values())
        budget = limits[f"{kind}_median"]
        if middle > budget:
            problems.append(f"the median {kind} has {middle:g} lines, the budget is {budget}")
    return problems


def main() -> int:
    """Print the verdict; the exit code is 1 when something is over the budget."""
    limits = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["fuselab"]["budget"]
    counted = measure([ROOT / "app", ROOT / "scripts"])
    problems = verdict(counted, limits)
    before = json.loads(ANYS.read_text(encoding="utf-8"))
    if "--tighten" in sys.argv:
        before = tightened(counted.anys, before)
        ANYS.write_text(json.dumps(before, indent=1) + "\n", encoding="utf-8")
    problems += growth(counted.anys, before)
    for problem in problems:
        print(problem)
    files = statistics.median(counted.files.values())
    functions = statistics.median(counted.functions.values())
    print(
        f"size budget: {len(counted.files)} files (median {files:g} lines), "
        f"{len(counted.functions)} functions (median {functions:g} lines), "
        f"{len(problems)} over budget"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
