"""What ``clear`` removes."""

from __future__ import annotations

from app.engine.language import ast, wildcards
from app.engine.language.walk import walk_body

CLEARS = frozenset(("clear", "clearvars"))
"""Functions that remove variables."""
_WHOLE = frozenset(("all", "-all", "variables", "-variables", "-v"))
_NOT_VARIABLES = frozenset(
    ("functions", "-functions", "-f", "classes", "-c", "-classes", "mex", "import", "java")
)


def names_to_clear(names: list[str], patterns: tuple[str, ...]) -> list[str]:
    """The variables among ``names`` that ``clear patterns`` removes."""
    if not patterns or (patterns[0] in _WHOLE and len(patterns) == 1):
        return names
    if patterns[0] in _NOT_VARIABLES:
        return []
    if patterns[0] in {"-except", "-x", "-exclusive"}:
        return [n for n in names if not wildcards.fits(n, patterns[1:])]
    kept = patterns[patterns.index("-except") + 1 :] if "-except" in patterns else ()
    wanted = patterns[: len(patterns) - len(kept)] if kept else patterns
    return [n for n in names if wildcards.fits(n, wanted) and not wildcards.fits(n, kept)]


def cleared_in(body: tuple[ast.Statement, ...]) -> bool:
    """True when ``body`` holds a ``clear``."""
    return any(map(clears, walk_body(body)))


def clears(node: ast.Node) -> bool:
    """True for a ``clear``, as a command or as the name of a function."""
    if isinstance(node, ast.Command):
        return node.name in CLEARS
    return isinstance(node, ast.Name) and node.id in CLEARS
