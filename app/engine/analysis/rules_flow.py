"""Remarks on statements: what is never reached, what stands where it cannot work."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from app.engine.language import Diagnostic, Severity, ast
from app.engine.language.ast import Statement
from app.engine.language.diagnostics import comparison_fix
from app.engine.language.walk import statements
from app.source import Span

_THROWING = frozenset({"error", "rethrow", "throw"})
_LOOPS = (ast.For, ast.While, ast.DoUntil)
_JUMPS = (ast.Break, ast.Continue)


def check(file: ast.File, text: str) -> Iterator[Diagnostic]:
    """All remarks of this module."""
    yield from _jumps(file)
    for node in statements(file):
        for body in _bodies(node):
            yield from _unreachable(body)
        if isinstance(node, ast.Branch | ast.While):
            yield from _assignment(node.condition, text)
    yield from _repeated_functions(file)


def _bodies(node: ast.Node) -> Iterator[tuple[Statement, ...]]:
    for name in ("body", "orelse", "otherwise", "handler", "cleanup"):
        body = getattr(node, name, None)
        if isinstance(body, tuple) and body:
            yield body


def _unreachable(body: tuple[Statement, ...]) -> Iterator[Diagnostic]:
    for before, after in pairwise(body):
        if _leaves(before):
            span = Span(after.span.start, body[-1].span.end)
            word = "error" if isinstance(before, ast.ExpressionStatement) else "jump"
            message = f"This is never reached: the {word} before it always leaves."
            yield Diagnostic(span, Severity.WARNING, "unreachable", message)
            return


def _leaves(statement: Statement) -> bool:
    if isinstance(statement, ast.Return | ast.Break | ast.Continue):
        return True
    if not isinstance(statement, ast.ExpressionStatement):
        return False
    call = statement.expr
    throws = (
        isinstance(call, ast.Index)
        and isinstance(call.base, ast.Name)
        and call.base.id in _THROWING
    )
    return throws and isinstance(call, ast.Index) and not _may_be_nothing(call.args)


def _may_be_nothing(args: tuple[ast.Expr, ...]) -> bool:
    """``error(javachk('jvm'))``: one value that is no text may be empty and do nothing."""
    return len(args) == 1 and isinstance(args[0], ast.Name | ast.Index | ast.Field | ast.CellIndex)


def _jumps(file: ast.File) -> Iterator[Diagnostic]:
    """``break`` and ``continue`` outside of loops."""
    loop_end = 0
    for node in statements(file):
        if isinstance(node, _LOOPS):
            loop_end = max(loop_end, node.span.end)
        elif isinstance(node, _JUMPS) and node.span.start >= loop_end:
            word = "break" if isinstance(node, ast.Break) else "continue"
            message = f"'{word}' works only inside a loop."
            yield Diagnostic(node.span, Severity.WARNING, "jump-outside-loop", message)


def _assignment(condition: ast.Expr, text: str) -> Iterator[Diagnostic]:
    if not isinstance(condition, ast.AssignExpression) or condition.op:
        return
    message = "This condition assigns; '==' compares."
    fix = comparison_fix(text, condition.target.span, condition.value.span)
    yield Diagnostic(condition.span, Severity.WARNING, "assignment-in-condition", message, fix)


def _repeated_functions(file: ast.File) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for function in file.functions:
        if function.name in seen:
            message = f"A function named '{function.name}' is already defined in this file."
            yield Diagnostic(function.name_span, Severity.WARNING, "repeated-function", message)
        seen.add(function.name)
