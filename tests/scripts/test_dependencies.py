"""What the program imports is what an installation without our tools brings along."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXTRAS = ("lsp", "jupyter", "cluster", "parquet")
IF_THE_USER_HAS_IT = {"pandas"}
"""Tables of a user's own Python program; nothing of ours makes one without it."""


def _imports(statements: list[ast.stmt]) -> Iterator[tuple[str, int]]:
    """The modules that are imported as a program runs: not those that only a type checker reads."""
    for statement in statements:
        match statement:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from _imports(statement.orelse)
            case ast.Import():
                yield from ((alias.name, statement.lineno) for alias in statement.names)
            case ast.ImportFrom(module=str(module)):
                yield module, statement.lineno
            case _:
                for field in ("body", "orelse", "finalbody"):
                    yield from _imports(getattr(statement, field, []))
                for handler in getattr(statement, "handlers", []):
                    yield from _imports(handler.body)
                for case in getattr(statement, "cases", []):
                    yield from _imports(case.body)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in EXTRAS:
        wanted += project["optional-dependencies"][extra]
    return {_plain(re.split(r"[\[<>=!~ ]", one, maxsplit=1)[0]) for one in wanted}


def test_what_is_imported_is_declared() -> None:
    declared, homes = _declared(), packages_distributions()
    missing = []
    for path in sorted((ROOT / "app").rglob("*.py")):
        for module, line in _imports(ast.parse(path.read_text(encoding="utf-8")).body):
            root = module.partition(".")[0]
            if root == "app" or root in sys.stdlib_module_names or root in IF_THE_USER_HAS_IT:
                continue
            if not declared & {_plain(home) for home in homes.get(root, [root])}:
                missing.append(f"{path.relative_to(ROOT)}:{line}: {module}")
    assert not missing
