"""Whether code may draw random numbers, as far as its text and that of what it calls say."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from app.engine.declarations import registry
from app.engine.language import ast
from app.engine.language.walk import walk
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit

_CALLS_BY_NAME = frozenset(("feval", "str2func", "eval", "evalc", "evalin", "builtin", "run"))
_MARKS = ("stream_of", "drawn", "random_numbers", "declare_rnd", "rand", "randn")
"""What the modules of functions that draw have imported."""


def may_draw(unit: Unit, nodes: tuple[ast.Node, ...]) -> bool:
    """Whether running ``nodes``, or a function they call, may draw random numbers.

    Methods and values of handles are not followed: whoever calls looks at the values.
    """
    seen: set[tuple[str, str]] = set()
    pending: list[tuple[Unit, ast.Node]] = [(unit, node) for node in nodes]
    while pending:
        home, root = pending.pop()
        for node in walk(root):
            if isinstance(node, ast.Name):
                name = node.id
            elif isinstance(node, ast.FunctionHandle | ast.Command):
                name = node.name
            else:
                continue
            if (home.source.name, name) in seen:
                continue
            seen.add((home.source.name, name))
            found = _functions_run_by(home, name)
            if found is None:
                return True
            pending += found
    return False


def _functions_run_by(unit: Unit, name: str) -> list[tuple[Unit, ast.Node]] | None:
    """What ``name`` runs; None for what draws, or may."""
    if name in _CALLS_BY_NAME:
        return None
    if name in unit.nodes:
        return [(unit, unit.nodes[name])]
    interpreter = unit.interpreter
    path = interpreter.path.find(name, unit.folder)
    if path is not None:
        try:
            loaded = interpreter.load(path)
        except MatlabError:  # of a file that is no program; whoever calls it is told
            return None
        return [(loaded.unit, loaded.tree)]
    made = interpreter.command_functions.get(name)
    node, home = getattr(made, "node", None), getattr(made, "unit", None)
    if node is not None and home is not None:
        return [(home, node)]
    if made is not None:
        return None
    function = registry.lookup(name)
    if function is None:
        return []
    declared_in = registry.module_of(name)
    if function.toolbox is not None or declared_in is None:  # code of others may draw by any means
        return None
    return None if any(hasattr(sys.modules[declared_in], mark) for mark in _MARKS) else []
