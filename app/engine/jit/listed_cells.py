"""Cells that a loop only writes: what it assigns is listed, and put into them afterwards.

``c{end+1} = v`` and ``c{k} = v`` of values of any class and size need no cell in machine code, as
long as nothing but its number of elements is asked for. A list is a row of doubles: for each
assignment its class, rows, columns and place, then the elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.engine.jit.trees import as_expression, with_children
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.engine.values import EMPTY, Array, Cell, Value, char_value

if TYPE_CHECKING:
    from app.engine.jit.inline_scopes import Scope

NUMBERS, TRUTHS, TEXT, NEW = range(4)
"""What an assignment gives: an element, of one of three classes, or another cell."""
HEAD = 4
COUNTS = frozenset(("numel", "length", "isempty"))
"""What may be asked of such a cell."""


def only_written(node: ast.For | ast.While) -> set[str]:
    """Variables whose elements in braces are assigned one by one, and never read."""
    if isinstance(node, ast.For) and node.parallel:
        return set()
    found: set[str] = set()
    fine: set[int] = set()
    for n in walk_body((node,)):
        match n:
            case ast.Assign(target=ast.CellIndex(base=ast.Name() as name, args=(_,))):
                found.add(name.id)
                fine.add(id(name))
            case ast.Assign(target=ast.Name() as name) if size_of_new(n.value) is not None:
                fine.add(id(name))
            case ast.Index(base=ast.Name(id=asked), args=(ast.Name() as name,)) if asked in COUNTS:
                fine.add(id(name))
    names = (n for n in walk_body((node,)) if isinstance(n, ast.Name))
    return found - {n.id for n in names if id(n) not in fine}


def size_of_new(node: ast.Expr) -> tuple[ast.Expr, ast.Expr] | None:
    """Rows and columns of ``{}`` and ``cell(m, n)``; None for other expressions."""
    match node:
        case ast.CellLiteral() if not any(node.rows):
            none = ast.Number(node.span, 0.0)
            return none, none
        case ast.Index(base=ast.Name(id="cell"), args=(rows, columns)):
            return rows, columns
        case _:
            return None


def grows(cell: Cell) -> bool:
    """Whether elements may be added behind the last: it is a row, a column or nothing."""
    rows, columns = cell.shape
    return rows == 1 or (columns == 1 and rows > 1) or rows == columns == 0


def with_count(node: ast.Expr, count: ast.Expr, scope: Scope) -> ast.Expr:
    """A subscript where ``end`` is the number of elements."""

    def lowered(n: ast.Node) -> ast.Node:
        return with_count(as_expression(n), count, scope)

    match node:
        case ast.End():
            return count
        case ast.Index(base=ast.Name(id=name)) if name in scope.variables:
            return node
        case ast.CellIndex():
            return node
        case _:
            return as_expression(with_children(node, lowered))


def count_asked(name: str, count: ast.Expr) -> ast.Expr:
    """``numel``, ``length`` or ``isempty`` of a row, column or nothing with so many elements."""
    if name != "isempty":
        return count
    return ast.Binary(count.span, "==", count, ast.Number(count.span, 0.0))


def with_assignments(cell: Cell, listed: Array) -> Cell:
    """The cell after the assignments of a list."""
    if not listed.size:
        return cell
    items, shape = cell.items(), cell.shape
    numbers = listed.reshape(-1)
    at = 0
    while at < numbers.size:
        kind, rows, columns, place = map(int, numbers[at : at + HEAD].tolist())
        at += HEAD
        if kind == NEW:
            items, shape = [EMPTY] * (rows * columns), (rows, columns)
            continue
        after = at + rows * columns
        if place > len(items):
            items += [EMPTY] * (place - len(items))
            shape = (place, 1) if shape[1] == 1 and shape[0] > 1 else (1, place)
        items[place - 1] = _value(kind, numbers[at:after], (rows, columns))
        at = after
    return Cell.of(items, shape)


def _value(kind: int, numbers: Array, size: tuple[int, int]) -> Value:
    """An element of so many rows and columns."""
    if size == (1, 1) and kind != TEXT:
        number = numbers.item()
        return number if kind == NUMBERS else bool(number)
    made = numbers.reshape(size, order="F")
    if kind == TEXT:
        return char_value(made.astype(np.uint32))
    return made.astype(np.bool_ if kind == TRUTHS else np.float64, order="F")
