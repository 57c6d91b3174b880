"""Expressions nested too deeply to be compiled: an error at their statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial, wraps
from types import CodeType
from typing import Concatenate, ParamSpec, TypeVar

from app.engine.interpreter.recursion_limit import users
from app.engine.interpreter.unit import Unit
from app.engine.language import ast
from app.engine.language.walk import children
from app.errors import StackFrame, SyntaxProblem

_P = ParamSpec("_P")
_Nodes = TypeVar("_Nodes", bound="ast.Node | tuple[ast.Node, ...]")
_Compile = Callable[Concatenate[Unit, _Nodes, _P], CodeType]
_PARTS = (ast.ExpressionStatement, ast.Assign, ast.MultiAssign, ast.OpAssign, ast.Branch)

_NESTING = (
    ast.If,
    ast.For,
    ast.While,
    ast.DoUntil,
    ast.Switch,
    ast.Try,
    ast.UnwindProtect,
    ast.Spmd,
)
_HOLDERS = (*_NESTING, ast.Branch, ast.Case, ast.FunctionDef)
MOST_BLOCKS = 200
"""Every block is looked through once for each block around it."""


def located(action: _Compile[_Nodes, _P]) -> _Compile[_Nodes, _P]:
    """A compiling function that says which statement is nested too deeply for it."""

    @wraps(action)
    def guarded(unit: Unit, nodes: _Nodes, /, *args: _P.args, **options: _P.kwargs) -> CodeType:
        held = nodes if isinstance(nodes, tuple) else (nodes,)
        block = too_deep_block(held)
        if block is not None:
            text = f"Blocks are nested more than {MOST_BLOCKS} deep here. Make a function of some."
            raise _problem(unit, block, "MATLAB:m_block_too_deep", text)
        with suppress(RecursionError):
            return action(unit, nodes, *args, **options)
        try:  # what a program has written may be deeper than people write
            return users.deeper(partial(action, unit, nodes, *args, **options))
        except RecursionError:
            text = "This expression is nested too deeply. Divide it into several statements."
            raise _problem(unit, deepest(held), "MATLAB:m_expression_too_deep", text) from None

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


def too_deep_block(nodes: Iterable[ast.Node]) -> ast.Node | None:
    """The first statement inside more blocks than can be compiled in reasonable time."""
    pending = [(node, 0) for node in nodes]
    while pending:
        node, depth = pending.pop()
        if not isinstance(node, _HOLDERS):
            continue
        depth += isinstance(node, _NESTING)
        if depth > MOST_BLOCKS:
            return node
        pending += [(child, depth) for child in children(node)]
    return None


def _problem(unit: Unit, node: ast.Node, identifier: str, text: str) -> SyntaxProblem:
    source = unit.source
    place = source.place(node.span.start)
    problem = SyntaxProblem(identifier, text)
    problem.stack = (StackFrame("", place.file, place.line, place.column),)
    problem.caret = f"{source.line_text(place.line)[:80]}\n{' ' * (place.column - 1)}^"
    return problem
