"""Assignments to cells that are only written: entries of a list (see `listed_cells`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit import shapes_made
from app.engine.jit.arrays import Array, Operand, type_of_operand
from app.engine.jit.builder import Refused, Val
from app.engine.jit.jit_types import BOOL, CHAR, DOUBLE, F64
from app.engine.jit.listed_cells import HEAD, NEW, NUMBERS, TEXT, TRUTHS

if TYPE_CHECKING:
    from app.engine.jit.jit_statements import Statements
    from app.engine.jit.trees import Listed

MOST = 1 << 20
"""Numbers of a list; then the interpreter puts what is listed into the cell."""
_CODES = {F64: NUMBERS, BOOL: TRUTHS, CHAR: TEXT}


def compile_listed(code: Statements, node: Listed) -> None:
    """One assignment, to an element or of another cell."""
    if code.anchor is not None:
        raise Refused("an element of a cell is assigned in a function", node.span)
    if node.place is None:
        _begin_anew(code, node)
    else:
        _add_entry(code, node, code.low.operand(node.value))


def _add_entry(code: Statements, node: Listed, given: Operand) -> None:
    """``c{k} = v``."""
    low, out, variables = code.low, code.out, code.variables
    kind = type_of_operand(given).kind
    if kind not in _CODES:
        raise Refused("an element of a cell of this class is assigned", node.span)
    rows, columns, size = "1", "1", "1"
    if isinstance(given, Array):
        given = low.arrays.in_memory(given)
        rows, columns, size = given.rows, given.columns, low.arrays.count_of(given)
    place = _subscript(code, node)
    held = out.op(f"fptosi double {variables.read(node.count.id, node.span).text} to i64")
    more = out.op(f"icmp sgt i64 {place}, {held}")
    if not node.grows:
        out.require(out.op(f"xor i1 {more}, true"))
    data, first = _room(code, node, size, (str(_CODES[kind]), rows, columns, place))

    def put(k: str, v: Val) -> None:
        x = Val(DOUBLE, low.arithmetic.double(v))
        variables.put_element(data, out.op(f"add i64 {first}, {k}"), x)

    if isinstance(given, Val):
        put("0", given)
    else:
        element = given.element
        low.arrays.each(size, lambda k: put(k, element(k)))
    _set_count(code, node, out.choose(more, "i64", place, held))


def _set_count(code: Statements, node: Listed, count: str) -> None:
    made = Val(DOUBLE, code.out.op(f"sitofp i64 {count} to double"))
    code.variables.write(node.count.id, made, node.span)


def _subscript(code: Statements, node: Listed) -> str:
    """Which element is assigned."""
    low = code.low
    assert node.place is not None
    v = low.value(node.place)
    if low.arithmetic.kind(v) is not F64:
        raise Refused("a subscript of another class than double", node.span)
    place = v.whole or low.arithmetic.whole_of(v.text, 2.0**31)
    low.out.require(low.out.op(f"icmp sgt i64 {place}, 0"))
    return place


def _room(
    code: Statements, node: Listed, size: str, head: tuple[str, str, str, str]
) -> tuple[str, str]:
    """An entry behind the others: where the list lies, and the place of its first element."""
    out, variables, name = code.out, code.variables, node.held.id
    variables.check_set(name)
    used = variables.part(name, "n")
    out.require(out.op(f"icmp ule i64 {size}, {MOST}"))
    first = out.op(f"add i64 {used}, {HEAD}")
    after = out.op(f"add i64 {first}, {size}")
    out.require(out.op(f"icmp ule i64 {after}, {MOST}"))
    variables.reserve(name, F64, after, keep=True)
    data = variables.part(name, "p")
    for k, text in enumerate(head):
        x = Val(DOUBLE, out.op(f"sitofp i64 {text} to double"))
        variables.put_element(data, out.op(f"add i64 {used}, {k}"), x)
    for which in "nc":
        variables.set_part(name, which, after)
    return data, first


def _begin_anew(code: Statements, node: Listed) -> None:
    """``c = {}`` and ``c = cell(m, n)``: what was assigned before does not matter any more."""
    out, name = code.out, node.held.id
    assert node.columns is not None
    rows, columns = (shapes_made.extent(code.low, n) for n in (node.value, node.columns))
    if not node.grows:
        raise Refused("a cell of another form is assigned", node.span)
    total = out.op(f"mul i64 {rows}, {columns}")
    row, column, none = (
        out.op(f"icmp eq i64 {n}, {m}")
        for n, m in ((rows, 1), (columns, 1), (out.op(f"or i64 {rows}, {columns}"), 0))
    )
    column = out.op(f"and i1 {column}, {out.op(f'icmp ne i64 {rows}, 0')}")
    out.require(out.op(f"or i1 {none}, {out.op(f'or i1 {row}, {column}')}"))
    code.variables.check_set(name)
    code.variables.reserve(name, F64, str(HEAD), keep=True)
    for which in "nc":
        code.variables.set_part(name, which, "0")
    _room(code, node, "0", (str(NEW), rows, columns, "0"))
    _set_count(code, node, total)
