"""Slices: ``x(i, :)``, ``x(a:b)``, ``x(:, :, k)`` read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit.arrays import Array, Operand, type_of_operand
from app.engine.jit.builder import Refused, Val
from app.engine.jit.complexes import as_complex
from app.engine.jit.jit_intrinsics import VALUES
from app.engine.jit.jit_ranges import whole_range
from app.engine.jit.jit_sorting import GIVE_VECTORS
from app.engine.jit.jit_types import (
    BOOL,
    C128,
    F64,
    INTEGERS,
    MATRICES,
    SCALARS,
    Kind,
    Type,
    array_type,
)
from app.engine.jit.layout import place_of, row_and_column
from app.engine.language import ast
from app.records import record
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.jit_expressions import Expressions


@record
class Subset:
    """What a subscript selects.

    Attributes:
        count: how many positions.
        at: the k-th of them.
        form: ``range``, or the form of the array of subscripts.
        mask: what selects them; None for places.
    """

    count: str
    at: Callable[[str], str]
    form: str = "range"
    mask: Array | None = None


def is_slice(low: Expressions, target: ast.Index) -> bool:
    """True when some subscript stands for several elements."""
    return any(_is_several(low, item) for item in target.args)


def _is_several(low: Expressions, node: ast.Expr) -> bool:
    """Whether a subscript gives an array, as far as its text and the types met so far tell."""
    match node:
        case ast.Colon() | ast.Range() | ast.Matrix():
            return True
        case ast.Name() if node.id in low.names:
            found = low.variables.env.get(node.id)
            return found is not None and found.array
        case ast.Binary():
            return _is_several(low, node.left) or _is_several(low, node.right)
        case ast.Unary() | ast.Postfix():
            return _is_several(low, node.operand)
        case ast.Index() if isinstance(node.base, ast.Name):
            return _is_several_of(low, node, node.base.id)
        case _:
            return False


def _is_several_of(low: Expressions, node: ast.Index, name: str) -> bool:
    """Whether elements of a variable, or what a function gives, are an array."""
    if name in low.names:
        return is_slice(low, node)
    if low.program.local_function(name) is not None or not low.program.is_builtin(name):
        return False
    if name == "find":
        return len(node.args) == 1
    if name in GIVE_VECTORS:
        return True
    return name in VALUES and any(_is_several(low, a) for a in node.args)


def slice_of(low: Expressions, node: ast.Index) -> Operand:
    """``x(i, :)``, ``x(a:b)``, ``x(:)``, ``x(mask)``."""
    assert isinstance(node.base, ast.Name)
    name = node.base.id
    found = low.variables.type_of(name, node.span)
    kind = found.kind
    assert kind is not None
    if not found.array:
        raise Refused("a slice of a number", node.span)
    low.variables.check_set(name)
    subsets = subsets_of(low, name, node.args, node.span)
    if len(subsets) == 1:
        return _linear(low, name, node.args[0], subsets[0])
    require_lines(low, subsets)
    data, rows = low.variables.part(name, "p"), low.variables.fact(name, "r")
    first, second, *third = subsets
    if third and third[0].count != "1":
        return low.arrays.scalar_or_array(_block(low, name, kind, subsets))
    if third:
        data = _page(low, name, kind, third[0].at("0"))

    def element(k: str) -> Val:
        return low.variables.element(data, _position(low, first, second, rows, k), kind)

    start = ""
    if isinstance(node.args[0], ast.Colon):  # whole columns lie one after the other
        start = _whole_columns(low, second, data, rows, kind, node.args[1])
    return low.arrays.scalar_or_array(Array(kind, first.count, second.count, element, data=start))


def _page(low: Expressions, name: str, kind: Kind, page: str) -> str:
    """Where a page of an array begins."""
    size = low.out.product(low.variables.fact(name, "r"), low.variables.fact(name, "c"))
    skipped = low.out.op(f"mul i64 {page}, {size}")
    data = low.variables.part(name, "p")
    return low.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {skipped}")


def _block(low: Expressions, name: str, kind: Kind, subsets: list[Subset]) -> Array:
    """Elements of several pages."""
    places = _places_in_pages(low, name, subsets)
    data = low.variables.part(name, "p")

    def element(k: str) -> Val:
        return low.variables.element(data, places(k), kind)

    rows, columns, pages = (s.count for s in subsets)
    return Array(kind, rows, columns, element, pages=pages)


def _places_in_pages(low: Expressions, name: str, subsets: list[Subset]) -> Callable[[str], str]:
    """The place of the k-th element of a block of several pages."""
    rows, columns = low.variables.fact(name, "r"), low.variables.fact(name, "c")
    size = low.out.product(rows, columns)
    first, second, third = subsets
    inside = low.out.product(first.count, second.count)

    def place(k: str) -> str:
        within, page = row_and_column(low.out, k, inside)
        start = low.out.op(f"mul i64 {third.at(page)}, {size}")
        at = _position(low, first, second, rows, within)
        return low.out.op(f"add i64 {start}, {at}")

    return place


def squeeze(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Operand | None:
    """``squeeze(x)`` where the text says which dimensions are one."""
    made = low.operand_of_pages(args[0]) if len(args) == 1 else None
    if made is None:
        raise Refused("'squeeze' in this form", span)
    if isinstance(made, Val) or made.pages == "1":
        return made
    if made.rows == made.columns == "1":
        return replace(made, rows=made.pages, pages="1")
    if "1" not in (made.rows, made.columns):
        raise Refused("'squeeze' of an array of three dimensions", span)
    line = made.columns if made.rows == "1" else made.rows
    for extent in (line, made.pages):  # a further dimension of one would be left out as well
        low.out.require(low.out.op(f"icmp ne i64 {extent}, 1"))
    return replace(made, rows=line, columns=made.pages, pages="1")


def _whole_columns(
    low: Expressions, columns: Subset, data: str, rows: str, kind: Kind, arg: ast.Expr
) -> str:
    """Where ``x(:, j)`` and ``x(:, j:k)`` lie."""
    if isinstance(arg, ast.Colon):
        return data
    beside = isinstance(arg, ast.Range) and arg.step is None
    if not beside and (columns.count != "1" or _is_several(low, arg)):
        return ""
    skipped = low.out.op(f"mul i64 {columns.at('0')}, {rows}")
    return low.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {skipped}")


def _linear(low: Expressions, name: str, arg: ast.Expr, found: Subset) -> Operand:
    """One subscript: a column for ``:``, else as the vector lies."""
    kind, data = low.variables.env[name].kind, low.variables.part(name, "p")
    assert kind is not None

    def element(k: str) -> Val:
        return low.variables.element(data, found.at(k), kind)

    if isinstance(arg, ast.Colon):
        return low.arrays.scalar_or_array(Array(kind, found.count, "1", element, data=data))
    rows, columns = low.variables.part(name, "r"), low.variables.part(name, "c")
    form, count = low.variables.env[name].form, found.count
    if found.mask is not None:
        return _masked(low, found, found.mask, Array(kind, rows, columns, element), form, arg.span)
    if form == "matrix" and found.form != "range":
        return _in_form(low, found, Array(kind, rows, columns, element), arg)
    if found.form == "matrix":
        raise Refused("elements of a vector by a matrix of subscripts", arg.span)
    if form == "row":
        if found.form == "column":  # one element has no direction
            low.out.require(low.out.op(f"icmp ne i64 {columns}, 1"))
        return low.arrays.scalar_or_array(Array(kind, "1", count, element))
    if form == "column":
        low.out.require(low.out.op(f"icmp ne i64 {rows}, 1"))
        return low.arrays.scalar_or_array(Array(kind, count, "1", element))
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
    """Elements of what is no vector lie as the subscripts do."""
    for extent in (a.rows, a.columns):
        low.out.require(low.out.op(f"icmp ne i64 {extent}, 1"))
    if found.form == "matrix":
        raise Refused("elements by a matrix of subscripts", arg.span)
    rows, columns = ("1", found.count) if found.form == "row" else (found.count, "1")
    return Array(a.kind, rows, columns, a.element)


def _masked(
    low: Expressions, found: Subset, mask: Array, a: Array, form: str, span: Span
) -> Operand:
    """``x(mask)``: as x lies, or as the mask where x is no vector.

    What a mask of one element that is false selects has no rows either, which the type of a vector
    does not tell: that it is met is learned.
    """
    out, count = low.out, found.count
    nothing = _is_lone_and_false(low, found, mask)
    if form != "matrix":
        if found.form == "matrix":
            raise Refused("elements of a vector by a matrix of subscripts", span)
        if found.form != form:  # one element has no direction
            line = a.columns if form == "row" else a.rows
            out.require(out.op(f"icmp ne i64 {line}, 1"))
        kept = "1"
        if low.program.was_wrong(span):
            kept = out.choose(nothing, "i64", "0", "1")
        else:
            low.program.require_guess(out, out.op(f"xor i1 {nothing}, true"), span)
        rows, columns = (kept, count) if form == "row" else (count, kept)
        return low.arrays.scalar_or_array(Array(a.kind, rows, columns, a.element))
    lies, stands = (_is_one(low, extent) for extent in (a.rows, a.columns))
    row, column = (_is_one(low, extent) for extent in (mask.rows, mask.columns))
    vector = out.op(f"or i1 {lies}, {stands}")
    out.require(
        out.op(f"or i1 {out.op(f'xor i1 {vector}, true')}, {out.op(f'or i1 {row}, {column}')}")
    )
    single = out.op(f"and i1 {lies}, {stands}")
    as_mask = out.op(f"or i1 {single}, {out.op(f'xor i1 {vector}, true')}")
    flat = out.choose(as_mask, "i1", row, lies)
    rows, columns = (out.choose(flat, "i64", *pair) for pair in (("1", count), (count, "1")))
    rows, columns = (out.choose(nothing, "i64", "0", extent) for extent in (rows, columns))
    return Array(a.kind, rows, columns, a.element)


def _is_one(low: Expressions, extent: str) -> str:
    return "true" if extent == "1" else low.out.op(f"icmp eq i64 {extent}, 1")


def _is_lone_and_false(low: Expressions, found: Subset, mask: Array) -> str:
    out = low.out
    lone = out.op(f"icmp eq i64 {low.arrays.count_of(mask)}, 1")
    return out.op(f"and i1 {lone}, {out.op(f'icmp eq i64 {found.count}, 0')}")


def require_lines(low: Expressions, subsets: list[Subset]) -> None:
    """Leave where a mask of one element is false: what it selects has no rows either."""
    for found in subsets:
        if found.mask is not None:
            nothing = _is_lone_and_false(low, found, found.mask)
            low.out.require(low.out.op(f"xor i1 {nothing}, true"))


def _position(low: Expressions, rows: Subset, columns: Subset, extent: str, k: str) -> str:
    """The place of the k-th element of a block."""
    if rows.count == "1":
        row, column = rows.at("0"), columns.at(k)
    elif columns.count == "1":
        row, column = rows.at(k), columns.at("0")
    else:
        inner_row, inner_column = row_and_column(low.out, k, rows.count)
        row, column = rows.at(inner_row), columns.at(inner_column)
    return place_of(low.out, row, column, extent)


def subsets_of(low: Expressions, name: str, args: tuple[ast.Expr, ...], span: Span) -> list[Subset]:
    """What each subscript selects."""
    if len(args) > 3:
        return _of_page(low, name, args, span)
    match len(args):
        case 1:
            extents = [low.variables.part(name, "n")]
        case 2:
            extents = [low.variables.part(name, w) for w in "rc"]
        case _:
            extents = list(low.variables.extents(name))
    made = []
    for position, (arg, extent) in enumerate(zip(args, extents, strict=True)):
        low.indexing.ends.append((name, position, len(args)))
        made.append(_subset(low, arg, extent))
        low.indexing.ends.pop()
    return made


def _of_page(low: Expressions, name: str, args: tuple[ast.Expr, ...], span: Span) -> list[Subset]:
    """Those of ``x(:, :, k, l)``: all subscripts behind the second are numbers."""
    if any(_is_several(low, a) for a in args[2:]):
        raise Refused(f"a slice through {len(args)} dimensions", span)
    made = []
    for position in range(2):
        low.indexing.ends.append((name, position, len(args)))
        made.append(_subset(low, args[position], low.variables.fact(name, "rc"[position])))
        low.indexing.ends.pop()
    page = low.indexing.page(name, low.indexing.subscripts(name, args, first=2))
    pages = low.variables.extents(name)[2]
    low.out.require(low.out.op(f"icmp ult i64 {page}, {pages}"))
    return [*made, Subset("1", lambda k: page)]


def _subset(low: Expressions, arg: ast.Expr, extent: str) -> Subset:
    if isinstance(arg, ast.Colon):
        return Subset(extent, lambda k: k)
    if isinstance(arg, ast.Range):
        return _range(low, arg, extent)
    given = low.operand(arg)
    if isinstance(given, Val):
        place = low.indexing.position(given, extent)
        return Subset("1", lambda k: place)
    return (
        _by_mask(low, given, extent) if given.kind is BOOL else _checked_subset(low, given, extent)
    )


def _checked_subset(low: Expressions, given: Array, extent: str) -> Subset:
    """Subscripts from an array, all checked before any is used."""
    count = low.arrays.count_of(given)
    places = _places(low, count)
    low.arrays.each(
        count,
        lambda k: low.variables.put_element(places, k, _as_place(low, given.element(k), extent)),
    )
    form = array_type(given.kind, given.rows, given.columns).form
    return Subset(count, lambda k: _place_at(low, places, k), form)


def _by_mask(low: Expressions, given: Array, extent: str) -> Subset:
    """Where a mask no longer than what it indexes is true."""
    count = low.arrays.count_of(given)
    low.out.require(low.out.op(f"icmp ule i64 {count}, {extent}"))
    places = _places(low, count)
    slot = low.out.slot(f"%q.{low.out.label('chosen')}", "i64")
    low.out.store(slot, "i64", "0")

    def look(k: str) -> None:
        here = low.out.load(slot, "i64")
        low.variables.put_element(places, here, Val(SCALARS["int64"], k))
        one = low.out.op(f"zext i1 {given.element(k).text} to i64")
        low.out.store(slot, "i64", low.out.op(f"add i64 {here}, {one}"))

    low.arrays.each(count, look)
    chosen = low.out.load(slot, "i64")
    form = array_type(given.kind, given.rows, given.columns).form
    return Subset(chosen, lambda k: _place_at(low, places, k), form, given)


def _places(low: Expressions, count: str) -> str:
    """Room for so many positions."""
    return low.arrays.allocate(INTEGERS["int64"], "1", low.out.op(f"add i64 {count}, 1")).data


def _as_place(low: Expressions, sub: Val, extent: str) -> Val:
    return Val(SCALARS["int64"], low.indexing.position(sub, extent))


def _place_at(low: Expressions, places: str, k: str) -> str:
    return low.variables.element(places, k, INTEGERS["int64"]).text


def _range(low: Expressions, arg: ast.Range, extent: str) -> Subset:
    """``a:b`` or ``a:s:b``, both ends inside."""
    found = whole_range(low, arg)
    before = low.out.op(f"add i64 {found.first}, -1")
    reach = found.offset(low.out, low.out.op(f"add i64 {found.count}, -1"))
    last = low.out.op(f"add i64 {before}, {reach}")
    none = low.out.op(f"icmp eq i64 {found.count}, 0")
    for place in (before, last):
        inside = low.out.op(f"icmp ult i64 {place}, {extent}")
        low.out.require(low.out.op(f"or i1 {none}, {inside}"))

    def at(k: str) -> str:
        return low.out.op(f"add i64 {before}, {found.offset(low.out, k)}")

    return Subset(found.count, at)


def assign_slice(low: Expressions, target: ast.Index, value: ast.Expr) -> None:
    """``x(i, :) = …`` inside the array: the elements are made apart first."""
    assert isinstance(target.base, ast.Name)
    name = target.base.id
    found = low.variables.type_of(name, target.span)
    kind = found.kind
    assert kind is not None
    if not found.array:
        raise Refused(f"'{name}' is no array", target.span)
    low.variables.check_set(name)
    made = low.any_operand(value)
    if C128 in (kind, type_of_operand(made).kind):
        kind, given = _made_complex(low, name, found, made, target.span)
    elif isinstance(made, Val):
        v = low.arithmetic.cast(made, kind)
        given = Array(kind, "1", "1", lambda k: v)
    else:
        given = made
    if not isinstance(made, Val) and made.pages != "1":
        raise Refused("an array of three dimensions in this place", value.span)
    if given.kind is BOOL and kind is F64:
        given = low.arrays.map(given, lambda v: low.arithmetic.cast(v, F64))
    if given.kind is not kind:
        raise Refused("elements of another class", target.span)
    axis = _line_of(low, target)
    if axis is not None:
        if found.form == ("row", "column")[axis]:  # of which there will be more
            found = low.variables.note(name, MATRICES[kind.name], target.span)
        if found.form == "matrix":
            _assign_line(low, name, axis, target.args[axis], given)
            return
    subsets = subsets_of(low, name, target.args, target.span)
    require_lines(low, subsets)
    counts = [s.count for s in subsets]
    count = low.out.product(*counts)
    if given.rows != "1" or given.columns != "1":
        _same_size(low, given, counts, count)
        given = low.arrays.copy_of(given)
    data, places = _places_of(low, name, kind, subsets)

    def put(k: str) -> None:
        low.variables.put_element(data, places(k), given.element(k))

    low.arrays.each(count, put, counts[0])


def _made_complex(
    low: Expressions, name: str, found: Type, made: Operand, span: Span
) -> tuple[Kind, Array]:
    """The class and elements of an array of doubles that takes complex numbers."""
    if found.kind not in (F64, C128) or name in low.variables.columns:
        raise Refused(f"complex numbers are stored in '{name}'", span)
    low.variables.widen(name, found)
    if isinstance(made, Val):
        v = as_complex(low.out, made)
        return C128, Array(C128, "1", "1", lambda k: v)
    return C128, made if made.kind is C128 else low.arrays.complex_of(made)


def _places_of(
    low: Expressions, name: str, kind: Kind, subsets: list[Subset]
) -> tuple[str, Callable[[str], str]]:
    """Where the chosen elements lie: the start of the array or page, and places from there."""
    data, rows = low.variables.part(name, "p"), low.variables.fact(name, "r")
    if len(subsets) == 1:
        return data, subsets[0].at
    if len(subsets) == 3:
        if subsets[2].count != "1":
            return data, _places_in_pages(low, name, subsets)
        data = _page(low, name, kind, subsets[2].at("0"))
    return data, lambda k: _position(low, subsets[0], subsets[1], rows, k)


def _line_of(low: Expressions, target: ast.Index) -> int | None:
    """0 where the target is the row ``x(k, :)`` for one k that the text does not say, 1 where it
    is such a column."""
    for axis in range(2 * (len(target.args) == 2)):
        sub, others = target.args[axis], target.args[1 - axis]
        if isinstance(others, ast.Colon):
            return None if isinstance(sub, ast.Number) or _is_several(low, sub) else axis
    return None


def _assign_line(low: Expressions, name: str, axis: int, sub: ast.Expr, given: Array) -> None:
    """``x(k, :) = …`` or ``x(:, k) = …`` of a matrix, maybe behind its last line.

    The first line of what is 0×0 says how long lines are.
    """
    out, held = low.out, low.variables
    along, across = "rc"[axis], "cr"[axis]
    low.indexing.ends.append((name, axis, 2))
    place = low.indexing.position(low.value(sub), held.part(name, along), grow=True)
    low.indexing.ends.pop()
    single = given.rows == given.columns == "1"
    if not single:
        given = _fitting_line(low, name, axis, given)
    inside, behind = out.label("in"), out.label("behind")
    here = out.op(f"icmp ult i64 {place}, {held.part(name, along)}")
    out.branch(here, inside, behind, likely=True)
    out.start(behind)
    out.require(out.op(f"icmp eq i64 {place}, {held.part(name, along)}"))
    if single:
        out.require(out.op(f"icmp ne i64 {held.part(name, across)}, 0"))
    else:
        held.set_part(name, across, low.arrays.count_of(given))
    _add_line(low, name, axis, given.kind)
    out.jump(inside)
    out.start(inside)
    data, rows = held.part(name, "p"), held.part(name, "r")

    def put(k: str) -> None:
        row, column = (k, place) if axis else (place, k)
        held.put_element(data, place_of(out, row, column, rows), given.element(k))

    low.arrays.each(held.part(name, across), put)


def _fitting_line(low: Expressions, name: str, axis: int, given: Array) -> Array:
    """A copy of elements that are as many as a line has, or that are the first line."""
    out, held = low.out, low.variables
    lies, stands = (out.op(f"icmp eq i64 {n}, 1") for n in (given.rows, given.columns))
    out.require(out.op(f"or i1 {lies}, {stands}"))
    count = low.arrays.count_of(given)
    rows, columns = held.part(name, "r"), held.part(name, "c")
    nothing = out.op(f"icmp eq i64 {out.op(f'or i64 {rows}, {columns}')}, 0")
    first = out.op(f"and i1 {nothing}, {(lies, stands)[axis]}")
    first = out.op(f"and i1 {first}, {out.op(f'icmp ne i64 {count}, 0')}")
    fits = out.op(f"icmp eq i64 {count}, {rows if axis else columns}")
    out.require(out.op(f"or i1 {fits}, {first}"))
    return low.arrays.copy_of(given)


def _add_line(low: Expressions, name: str, axis: int, kind: Kind) -> None:
    """Room for a row or column behind the last."""
    out, held = low.out, low.variables
    if not axis:
        low.indexing.spread(name, kind)
        return
    wide = out.op(f"add i64 {held.part(name, 'c')}, 1")
    needed = out.op(f"mul i64 {wide}, {held.part(name, 'r')}")
    held.reserve(name, kind, needed, keep=True)
    held.set_part(name, "n", needed)
    held.set_part(name, "c", wide)


def _same_size(low: Expressions, given: Array, counts: list[str], count: str) -> None:
    """Vectors fit by number; matrices by rows and columns, whatever dimension is one."""
    if len(counts) == 3 and counts[2] != "1":
        if "1" not in counts[:2]:
            raise Refused("a block of several pages is assigned")
        counts = [k for k in counts[:2] if k != "1"] + counts[2:]
    rows, columns = (*counts, "1")[:2]
    have = low.out.op(f"mul i64 {given.rows}, {given.columns}")
    low.out.require(low.out.op(f"icmp eq i64 {have}, {count}"))
    same = low.out.op(f"icmp eq i64 {given.rows}, {rows}")
    line = low.out.op(f"icmp eq i64 {rows}, 1")
    column = low.out.op(f"icmp eq i64 {columns}, 1")
    lone = low.out.op(f"icmp eq i64 {given.rows}, 1")
    either = low.out.op(f"or i1 {line}, {column}")
    thin = low.out.op(f"and i1 {lone}, {either}")
    upright = low.out.op(f"and i1 {either}, {low.out.op(f'icmp eq i64 {given.columns}, 1')}")
    low.out.require(low.out.op(f"or i1 {same}, {low.out.op(f'or i1 {thin}, {upright}')}"))
