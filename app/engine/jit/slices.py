"""Slices: ``x(i, :)``, ``x(a:b)`` read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array, Operand
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.types import BOOL, F64, INTEGERS, SCALARS, Kind, array_type
from app.engine.language import ast
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.expressions import Expressions


@dataclass(frozen=True)
class Subset:
    """What a subscript selects.

    Attributes:
        count: how many positions.
        at: the k-th of them.
        form: ``range``, or the form of the array of subscripts.
        no_line: the rows of a mask, which must not be one.
    """

    count: str
    at: Callable[[str], str]
    form: str = "range"
    no_line: tuple[str, ...] = ()


def is_slice(low: Expressions, target: ast.Index) -> bool:
    """True when some subscript stands for several elements."""
    return any(_is_several(low, item) for item in target.args)


def _is_several(low: Expressions, node: ast.Expr) -> bool:
    """Whether a subscript gives an array, as far as its text and the types met so far tell."""
    match node:
        case ast.Colon() | ast.Range() | ast.Matrix():
            return True
        case ast.Name() if node.id in low.variables:
            found = low.env.get(node.id)
            return found is not None and found.array
        case ast.Binary():
            return _is_several(low, node.left) or _is_several(low, node.right)
        case ast.Unary():
            return _is_several(low, node.operand)
        case ast.Index() if isinstance(node.base, ast.Name) and node.base.id in low.variables:
            return is_slice(low, node)
        case _:
            return False


def slice_of(low: Expressions, node: ast.Index) -> Operand:
    """``x(i, :)``, ``x(a:b)``, ``x(:)``, ``x(mask)``."""
    assert isinstance(node.base, ast.Name)
    name = node.base.id
    found = low.type_of(name, node.span)
    kind = found.kind
    assert kind is not None
    if not found.array:
        raise Refused("a slice of a number", node.span)
    low.check_set(name)
    data, rows = low.part(name, "p"), low.part(name, "r")
    subsets = _subsets(low, name, node.args, node.span)
    if len(subsets) == 1:
        return _linear(low, name, node.args[0], subsets[0])
    first, second = subsets

    def element(k: str) -> Val:
        return low.element(data, _position(low, first, second, rows, k), kind)

    start = ""
    if isinstance(node.args[0], ast.Colon):  # whole columns lie one after the other
        start = _whole_columns(low, second, data, rows, kind, node.args[1])
    return low.settled(Array(kind, first.count, second.count, element, data=start))


def _whole_columns(
    low: Expressions, columns: Subset, data: str, rows: str, kind: Kind, arg: ast.Expr
) -> str:
    """Where ``x(:, j)`` lies."""
    if columns.count != "1" or _is_several(low, arg):
        return ""
    skipped = low.out.op(f"mul i64 {columns.at('0')}, {rows}")
    return low.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {skipped}")


def _linear(low: Expressions, name: str, arg: ast.Expr, found: Subset) -> Operand:
    """One subscript: a column for ``:``, else as the vector lies."""
    kind, data = low.env[name].kind, low.part(name, "p")
    assert kind is not None

    def element(k: str) -> Val:
        return low.element(data, found.at(k), kind)

    if isinstance(arg, ast.Colon):
        return low.settled(Array(kind, found.count, "1", element, data=data))
    rows, columns = low.part(name, "r"), low.part(name, "c")
    form, count = low.env[name].form, found.count
    if form == "matrix" and found.form != "range":
        return _in_form(low, found, Array(kind, rows, columns, element), arg)
    if found.form == "matrix":
        raise Refused("elements of a vector by a matrix of subscripts", arg.span)
    if form == "row":
        if found.form == "column":  # one element has no direction
            low.require(low.out.op(f"icmp ne i64 {columns}, 1"))
        return low.settled(Array(kind, "1", count, element))
    if form == "column":
        low.require(low.out.op(f"icmp ne i64 {rows}, 1"))
        return low.settled(Array(kind, count, "1", element))
    standing = low.out.op(f"icmp eq i64 {columns}, 1")
    tall = low.out.op(f"icmp ne i64 {rows}, 1")
    standing = low.out.op(f"and i1 {standing}, {tall}")
    return Array(
        kind,
        low.out.choose(standing, "i64", count, "1"),
        low.out.choose(standing, "i64", "1", count),
        element,
    )


def _in_form(low: Expressions, found: Subset, a: Array, arg: ast.Expr) -> Array:
    """Elements of what is no vector lie as the subscripts do; those by a mask in a column."""
    for extent in (a.rows, a.columns, *found.no_line):
        low.require(low.out.op(f"icmp ne i64 {extent}, 1"))
    if found.form == "matrix" and not found.no_line:
        raise Refused("elements by a matrix of subscripts", arg.span)
    row = found.form == "row"
    rows, columns = ("1", found.count) if row else (found.count, "1")
    return Array(a.kind, rows, columns, a.element)


def _position(low: Expressions, rows: Subset, columns: Subset, extent: str, k: str) -> str:
    """The place of the k-th element of a block."""
    if rows.count == "1":
        row, column = rows.at("0"), columns.at(k)
    elif columns.count == "1":
        row, column = rows.at(k), columns.at("0")
    else:
        row = rows.at(low.out.op(f"urem i64 {k}, {rows.count}"))
        column = columns.at(low.out.op(f"udiv i64 {k}, {rows.count}"))
    skipped = low.out.op(f"mul i64 {column}, {extent}")
    return low.out.op(f"add i64 {skipped}, {row}")


def _subsets(low: Expressions, name: str, args: tuple[ast.Expr, ...], span: Span) -> list[Subset]:
    if len(args) > 2:
        raise Refused(f"{len(args)} subscripts", span)
    extents = [low.part(name, w) for w in ("n" if len(args) == 1 else "rc")]
    made = []
    for position, (arg, extent) in enumerate(zip(args, extents, strict=True)):
        low.ends.append((name, position, len(args)))
        made.append(_subset(low, arg, extent))
        low.ends.pop()
    return made


def _subset(low: Expressions, arg: ast.Expr, extent: str) -> Subset:
    if isinstance(arg, ast.Colon):
        return Subset(extent, lambda k: k)
    if isinstance(arg, ast.Range):
        return _range(low, arg, extent)
    given = low.operand(arg)
    if isinstance(given, Val):
        place = low.position(given, extent)
        return Subset("1", lambda k: place)
    return _by_mask(low, given, extent) if given.kind is BOOL else _listed(low, given, extent)


def _listed(low: Expressions, given: Array, extent: str) -> Subset:
    """Subscripts from an array, all checked before any is used."""
    count = low.count_of(given)
    places = _places(low, count)
    low.each(
        count,
        lambda k: low.put_element(places, k, _as_place(low, given.element(k), extent)),
    )
    form = array_type(given.kind, given.rows, given.columns).form
    return Subset(count, lambda k: _place_at(low, places, k), form)


def _by_mask(low: Expressions, given: Array, extent: str) -> Subset:
    """Where a mask no longer than what it indexes is true."""
    count = low.count_of(given)
    low.require(low.out.op(f"icmp ule i64 {count}, {extent}"))
    places = _places(low, count)
    slot = low.out.slot(f"%q.{low.out.label('chosen')}", "i64")
    low.out.store(slot, "i64", "0")

    def look(k: str) -> None:
        here = low.out.load(slot, "i64")
        low.put_element(places, here, Val(SCALARS["int64"], k))
        one = low.out.op(f"zext i1 {given.element(k).text} to i64")
        low.out.store(slot, "i64", low.out.op(f"add i64 {here}, {one}"))

    low.each(count, look)
    chosen = low.out.load(slot, "i64")
    form = array_type(given.kind, given.rows, given.columns).form
    none = (given.rows,) if form == "matrix" else ()
    return Subset(chosen, lambda k: _place_at(low, places, k), form, none)


def _places(low: Expressions, count: str) -> str:
    """Room for so many positions."""
    return low.made(INTEGERS["int64"], "1", low.out.op(f"add i64 {count}, 1")).data


def _as_place(low: Expressions, sub: Val, extent: str) -> Val:
    return Val(SCALARS["int64"], low.position(sub, extent))


def _place_at(low: Expressions, places: str, k: str) -> str:
    return low.element(places, k, INTEGERS["int64"]).text


def _range(low: Expressions, arg: ast.Range, extent: str) -> Subset:
    """``a:b`` or ``a:s:b`` with a whole step; both ends inside."""
    start, stop = low.value(arg.start), low.value(arg.stop)
    step = number(1.0) if arg.step is None else low.value(arg.step)
    if {low.kind(start), low.kind(stop), low.kind(step)} != {F64} or not step.whole:
        raise Refused("a range of this form", arg.span)
    first = start.whole or low.whole_of(start.text, 2.0**40)
    count = low.out.call(
        "i64",
        "fuselab_count",
        ("double", start.text),
        ("double", step.text),
        ("double", stop.text),
        ("i1", "true" if arg.step is None else "false"),
    )
    low.require(low.out.op(f"icmp sge i64 {count}, 0"))
    before = low.out.op(f"add i64 {first}, -1")
    reach = low.out.op(f"mul i64 {low.out.op(f'add i64 {count}, -1')}, {step.whole}")
    last = low.out.op(f"add i64 {before}, {reach}")
    none = low.out.op(f"icmp eq i64 {count}, 0")
    for place in (before, last):
        inside = low.out.op(f"icmp ult i64 {place}, {extent}")
        low.require(low.out.op(f"or i1 {none}, {inside}"))

    def at(k: str) -> str:
        moved = k if step.whole == "1" else low.out.op(f"mul i64 {k}, {step.whole}")
        return low.out.op(f"add i64 {before}, {moved}")

    return Subset(count, at)


def assign_slice(low: Expressions, target: ast.Index, value: ast.Expr) -> None:
    """``x(i, :) = …`` inside the array: the elements are made apart first."""
    assert isinstance(target.base, ast.Name)
    name = target.base.id
    found = low.type_of(name, target.span)
    kind = found.kind
    assert kind is not None
    if not found.array:
        raise Refused(f"'{name}' is no array", target.span)
    low.check_set(name)
    made = low.operand(value)
    if isinstance(made, Val):
        v = low.cast(made, kind)
        given = Array(kind, "1", "1", lambda k: v)
    else:
        given = made
    if given.kind is BOOL and kind is F64:
        given = low.mapped(given, lambda v: low.cast(v, F64))
    if given.kind is not kind:
        raise Refused("elements of another class", target.span)
    subsets = _subsets(low, name, target.args, target.span)
    rows = subsets[0].count
    columns = subsets[1].count if len(subsets) == 2 else "1"
    count = low.out.op(f"mul i64 {rows}, {columns}")
    if given.rows != "1" or given.columns != "1":
        _same_size(low, given, rows, columns, count)
        given = low.copied(given)
    extent, data = low.part(name, "r"), low.part(name, "p")

    def put(k: str) -> None:
        place = subsets[0].at(k)
        if len(subsets) == 2:
            place = _position(low, subsets[0], subsets[1], extent, k)
        low.put_element(data, place, given.element(k))

    low.each(count, put)


def _same_size(low: Expressions, given: Array, rows: str, columns: str, count: str) -> None:
    """Vectors fit by number; matrices by rows and columns."""
    have = low.out.op(f"mul i64 {given.rows}, {given.columns}")
    low.require(low.out.op(f"icmp eq i64 {have}, {count}"))
    same = low.out.op(f"icmp eq i64 {given.rows}, {rows}")
    line = low.out.op(f"icmp eq i64 {rows}, 1")
    column = low.out.op(f"icmp eq i64 {columns}, 1")
    lone = low.out.op(f"icmp eq i64 {given.rows}, 1")
    either = low.out.op(f"or i1 {line}, {column}")
    thin = low.out.op(f"and i1 {lone}, {either}")
    upright = low.out.op(f"and i1 {either}, {low.out.op(f'icmp eq i64 {given.columns}, 1')}")
    low.require(low.out.op(f"or i1 {same}, {low.out.op(f'or i1 {thin}, {upright}')}"))
