"""Statements and questions about which variables are set that say in the text which they mean.

``clear a b`` and ``exist('a', 'var')`` neither look at nor change any other variable, so that a
loop with them is a loop over known variables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.engine.interpreter.clearing import CLEARS
from app.engine.language import ast


def cleared_variables(node: ast.Node) -> tuple[str, ...]:
    """The names in ``clear a b`` or ``clear('a')``; empty where it may mean others, too."""
    texts: tuple[str, ...] = ()
    if isinstance(node, ast.Command) and node.name in CLEARS:
        texts = node.args
    elif isinstance(node, ast.ExpressionStatement):
        texts = _texts_given(node.expr, CLEARS)
    plain = all(text.isidentifier() and text not in _WORDS for text in texts)
    return texts if plain else ()


_WORDS = frozenset(("all", "variables", "functions", "classes", "mex", "import", "java", "global"))


def asked_variable(node: ast.Node) -> str:
    """The name in ``exist('a', 'var')``; empty for all else."""
    texts = _texts_given(node, frozenset(("exist",)))
    return texts[0] if len(texts) == 2 and texts[1] == "var" else ""


def _texts_given(node: ast.Node, functions: frozenset[str]) -> tuple[str, ...]:
    """The texts that a function of these is called with; empty where not all are literal."""
    if not isinstance(node, ast.Index) or not isinstance(node.base, ast.Name):
        return ()
    if node.base.id not in functions:
        return ()
    texts = [a.value for a in node.args if isinstance(a, ast.Char | ast.String)]
    return tuple(texts) if len(texts) == len(node.args) else ()


def variables_meant(nodes: Iterable[ast.Node]) -> Iterator[tuple[ast.Node, tuple[str, ...]]]:
    """What names one of these functions, a command or the name in a call, and the variables."""
    for node in nodes:
        call = node.expr if isinstance(node, ast.ExpressionStatement) else node
        place = call.base if isinstance(call, ast.Index) else node
        names = cleared_variables(node) or tuple(filter(None, (asked_variable(node),)))
        if names:
            yield place, names
