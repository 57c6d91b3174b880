"""Remarks on variables that grow in a loop: every pass copies what the passes before made."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.language import Diagnostic, Fix, Severity, ast
from app.engine.language.ast import Statement
from app.engine.language.walk import statements, walk
from app.source import Span

_LOOPS = (ast.For, ast.While, ast.DoUntil)
_LEAVING = (ast.Break, ast.Continue, ast.Return)
_COUNTS = frozenset({"numel", "length"})
_NEAR = 4
"""How many statements before the loop are looked at for the empty variable."""


def check(file: ast.File, text: str) -> Iterator[Diagnostic]:
    """All remarks of this module."""
    before: dict[Span, tuple[Statement, ...]] = {}
    loops: list[ast.For | ast.While | ast.DoUntil] = []
    for node in statements(file):
        before.update(_preceding(node))
        while loops and not _holds(loops[-1], node):
            loops.pop()
        if isinstance(node, _LOOPS):
            loops.append(node)
        elif loops and isinstance(node, ast.Assign) and (name := _growing(node)):
            yield _remark(name, node, loops[-1], before.get(loops[-1].span, ()), text)


def _preceding(node: ast.Node) -> Iterator[tuple[Span, tuple[Statement, ...]]]:
    """The loops of a block, each with the statements just before it."""
    for field in ("body", "orelse", "otherwise", "handler"):
        block = getattr(node, field, None) or ()
        for number, statement in enumerate(block):
            if isinstance(statement, ast.For):
                yield statement.span, block[max(0, number - _NEAR) : number]


def _holds(outer: ast.Node, inner: ast.Node) -> bool:
    return outer.span.start <= inner.span.start < outer.span.end


def _growing(node: ast.Assign) -> str:
    """The variable that ``x(end+1) = …`` or ``x = [x …]`` makes longer; empty for others."""
    match node.target, node.value:
        case ast.Index(base=ast.Name(id=name), args=args), _ if any(map(_past_end, args)):
            return name
        case ast.CellIndex(base=ast.Name(id=name), args=args), _ if any(map(_past_end, args)):
            return name
        case ast.Name(id=name), ast.Matrix(rows=rows) if _is_appended_to(name, rows):
            return name
        case _:
            return ""


def _past_end(arg: ast.Expr) -> bool:
    return isinstance(arg, ast.Binary) and arg.op == "+" and isinstance(arg.left, ast.End)


def _is_appended_to(name: str, rows: tuple[tuple[ast.Expr, ...], ...]) -> bool:
    """Whether a matrix has the variable as a whole among several parts."""
    parts = [part for row in rows for part in row]
    return len(parts) > 1 and any(isinstance(p, ast.Name) and p.id == name for p in parts)


def _remark(
    name: str, node: ast.Assign, loop: ast.Node, before: tuple[Statement, ...], text: str
) -> Diagnostic:
    message = (
        f"'{name}' grows in this loop: every pass copies what it holds so far. "
        "Preallocate it before the loop at its final size, and assign to its elements."
    )
    fix = _preallocation_fix(name, node, loop, before, text) if isinstance(loop, ast.For) else None
    return Diagnostic(node.target.span, Severity.INFO, "grows-in-loop", message, fix)


def _preallocation_fix(
    name: str, node: ast.Assign, loop: ast.For, before: tuple[Statement, ...], text: str
) -> Fix | None:
    """The repair of the plain case: an empty variable, filled by one element in every pass."""
    target, start = node.target, _emptying_assignment(name, before)
    count = _passes(loop)
    if start is None or count is None or node not in loop.body or not _only_appends(name, loop):
        return None
    if not isinstance(target, ast.Index | ast.CellIndex) or len(target.args) != 1:
        return None
    if _changes(_names(count), before[before.index(start) + 1 :], name) or not _by_one(target):
        return None
    made = "cell" if isinstance(start.value, ast.CellLiteral) else "zeros"
    subscript, counter = target.args[0].span, text[slice(*loop.target.span)]
    rest = text[start.value.span.end : subscript.start]
    filled = f"{made}(1, {text[slice(*count.span)]}){rest}{counter}"
    return Fix(f"Preallocate '{name}'", Span(start.value.span.start, subscript.end), filled)


def _by_one(target: ast.Index | ast.CellIndex) -> bool:
    match target.args[0]:
        case ast.Binary(right=ast.Number(value=1, imaginary=False)):
            return True
        case _:
            return False


def _emptying_assignment(name: str, before: tuple[Statement, ...]) -> ast.Assign | None:
    """The nearest ``x = []`` or ``x = {}`` before the loop."""
    for statement in reversed(before):
        match statement:
            case ast.Assign(
                target=ast.Name(id=found), value=ast.Matrix(rows=()) | ast.CellLiteral(rows=())
            ) if found == name:
                return statement
            case _:
                pass
    return None


def _passes(loop: ast.For) -> ast.Expr | None:
    """How many passes ``for k = 1:n`` makes, if that is a number, a name or a plain count."""
    match loop.iterable:
        case ast.Range(start=ast.Number(value=1), step=None, stop=stop):
            pass
        case _:
            return None
    match stop:
        case ast.Number() | ast.Name():
            return stop
        case ast.Index(base=ast.Name(id=counting), args=(ast.Name(),)) if counting in _COUNTS:
            return stop
        case _:
            return None


def _only_appends(name: str, loop: ast.For) -> bool:
    """Every pass reaches its end, the counter stays, and the variable is only appended to."""
    counter = loop.target.id if isinstance(loop.target, ast.Name) else ""
    mentions = sum(isinstance(n, ast.Name) and n.id == name for n in walk(loop))
    leaves = any(isinstance(n, _LEAVING) for n in statements(loop))
    return bool(counter) and mentions == 1 and not leaves and not _changes({counter}, loop.body, "")


def _changes(names: set[str], block: tuple[Statement, ...], used: str) -> bool:
    """Whether statements may assign one of ``names``, or use the variable ``used``."""
    for statement in block:
        if not isinstance(statement, ast.Assign):
            return True
        if _names(statement.target) & names or used in _names(statement):
            return True
    return False


def _names(node: ast.Node) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}
