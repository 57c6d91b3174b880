"""Expressions nested too deeply to be compiled: an error at their statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from types import CodeType
from typing import Concatenate, ParamSpec, TypeVar

from app.engine.interpreter.compile.unit import Unit
from app.engine.language import ast
from app.engine.language.walk import children
from app.errors import StackFrame, SyntaxProblem

_P = ParamSpec("_P")
_Nodes = TypeVar("_Nodes", bound="ast.Node | tuple[ast.Node, ...]")
_Compile = Callable[Concatenate[Unit, _Nodes, _P], CodeType]
_PARTS = (ast.ExpressionStatement, ast.Assign, ast.MultiAssign, ast.OpAssign, ast.Branch)


def located(action: _Compile[_Nodes, _P]) -> _Compile[_Nodes, _P]:
    """A compiling function that says which statement is nested too deeply for it."""

    @wraps(action)
    def guarded(unit: Unit, nodes: _Nodes, /, *args: _P.args, **options: _P.kwargs) -> CodeType:
        try:
            return action(unit, nodes, *args, **options)
        except RecursionError:
            found = deepest(nodes if isinstance(nodes, tuple) else (nodes,))
            raise _too_deep(unit, found) from None

    return guarded


def deepest(nodes: Iterable[ast.Node]) -> ast.Node:
    """The statement that holds the most deeply nested node."""
    pending = [(node, node, 0) for node in nodes]
    found, most = pending[0][0], 0
    while pending:
        node, statement, depth = pending.pop()
        if isinstance(node, _PARTS):
            statement, depth = node, 0
        if depth > most:
            found, most = statement, depth
        pending += [(child, statement, depth + 1) for child in children(node)]
    return found


def _too_deep(unit: Unit, node: ast.Node) -> SyntaxProblem:
    source = unit.source
    place = source.place(node.span.start)
    text = "This expression is nested too deeply. Divide it into several statements."
    problem = SyntaxProblem("MATLAB:m_expression_too_deep", text)
    problem.stack = (StackFrame("", place.file, place.line, place.column),)
    problem.caret = f"{source.line_text(place.line)[:80]}\n{' ' * (place.column - 1)}^"
    return problem
