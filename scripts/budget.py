"""The size budget: short functions, short files, and an account of every public name.

Fails when a function or a file is over the hard limit, when the medians grow over their
budget, or when a public name lacks its docstring or an annotation. Numbers are in
``pyproject.toml`` under ``tool.fuselab.budget``.
"""

from __future__ import annotations

import ast
import statistics
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Measure(NamedTuple):
    """What was counted: lines per file and per function, and every breach of the rules."""

    files: dict[str, int]
    functions: dict[str, int]
    breaches: list[str]


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


def measure(folders: list[Path]) -> Measure:
    """Count every Python file below ``folders``."""
    result = Measure({}, {}, [])
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
    return result


def verdict(counted: Measure, limits: dict[str, int]) -> list[str]:
    """Everything that is over the budget, as sentences."""
    problems = list(counted.breaches)
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
