"""Calls that mean the same as an expression: operators by name, joins, ``bsxfun``."""

from __future__ import annotations

from app.engine.language import ast
from app.source import Span

_OPERATORS = {
    "plus": "+",
    "minus": "-",
    "times": ".*",
    "mtimes": "*",
    "rdivide": "./",
    "mrdivide": "/",
    "mldivide": "\\",
    "power": ".^",
    "mpower": "^",
    "eq": "==",
    "ne": "~=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "and": "&",
    "or": "|",
}
"""Operators by the names of their functions."""
_POSTFIXES = {"transpose": ".'", "ctranspose": "'"}
_OF_MATRICES = frozenset(("*", "/", "\\", "^"))
_ELEMENTWISE = frozenset(("max", "min", "mod", "rem", "atan2", "hypot"))
"""Functions beside operators that `bsxfun` does to arrays of different sizes as their call does."""


def rewritten(name: str, args: tuple[ast.Expr, ...], span: Span) -> ast.Expr | None:
    """The expression that a call means, if there is one."""
    if name in _OPERATORS and len(args) == 2:
        return ast.Binary(span, _OPERATORS[name], *args)
    if name in _POSTFIXES and len(args) == 1:
        return ast.Postfix(span, _POSTFIXES[name], *args)
    if name == "uminus" and len(args) == 1:
        return ast.Unary(span, "-", *args)
    if name == "bsxfun" and len(args) == 3:
        return _of_both(args[0], args[1:], span)
    return _joined(name, args, span)


def _of_both(called: ast.Expr, args: tuple[ast.Expr, ...], span: Span) -> ast.Expr | None:
    if not isinstance(called, ast.FunctionHandle):
        return None
    operator = _OPERATORS.get(called.name)
    if operator is not None and operator not in _OF_MATRICES:
        return ast.Binary(span, operator, *args)
    known = called.name in _ELEMENTWISE
    return ast.Index(span, ast.Name(called.span, called.name), args) if known else None


def _joined(name: str, args: tuple[ast.Expr, ...], span: Span) -> ast.Expr | None:
    """``horzcat``, ``vertcat`` and ``cat`` along the first two dimensions."""
    if name == "cat" and args and isinstance(args[0], ast.Number) and args[0].value in {1, 2}:
        name, args = ("vertcat", "horzcat")[int(args[0].value) - 1], args[1:]
    if not args or name not in {"horzcat", "vertcat"}:
        return None
    return ast.Matrix(span, (args,) if name == "horzcat" else tuple((a,) for a in args))
