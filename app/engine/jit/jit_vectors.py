"""Functions of vectors and matrices that are sums of what neighbours give: areas, spreads, norms.

Each does the interpreter's operations in the interpreter's order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit import jit_factors, jit_lines, maps, products, shapes_made
from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_types import DOUBLE, F64
from app.engine.jit.layout import place_of, row_and_column
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.jit.arrays import Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

Args = tuple[ast.Expr, ...]


def _vector(low: Expressions, given: Operand, name: str, span: Span, least: int = 1) -> Array:
    """A row or column of doubles, as its type says, in memory and of so many elements."""
    if not isinstance(given, Array) or given.kind is not F64 or not given.is_vector:
        raise Refused(f"'{name}' in this form", span)
    low.out.require(low.out.op(f"icmp uge i64 {low.arrays.count_of(given)}, {least}"))
    return low.arrays.in_memory(given)


def _real(low: Expressions, node: ast.Expr, name: str, span: Span) -> Val:
    """A double."""
    v = low.value(node)
    if low.arithmetic.kind(v) is not F64:
        raise Refused(f"'{name}' of another class than double", span)
    return v


def _sum(low: Expressions, a: Array) -> str:
    return maps.fold(low, "add", low.arrays.in_memory(a), 0.0)


def _as_double(low: Expressions, count: str) -> str:
    return low.out.op(f"sitofp i64 {count} to double")


def trapz(low: Expressions, args: Args, span: Span) -> Operand | None:
    """``trapz(y)`` and ``trapz(x, y)`` of rows and columns."""
    if len(args) not in {1, 2}:
        raise Refused("'trapz' in this form", span)
    given = [low.operand(a) for a in args]
    out, y = low.out, _vector(low, given[-1], "trapz", span, 2)
    count, x = low.arrays.count_of(y), given[0] if len(given) == 2 else number(1.0)
    if isinstance(x, Array):
        x = _vector(low, x, "trapz", span)
        out.require(out.op(f"icmp eq i64 {low.arrays.count_of(x)}, {count}"))
    elif low.arithmetic.kind(x) is not F64:
        raise Refused("'trapz' of another class than double", span)
    panels = out.op(f"add i64 {count}, -1")

    def area(k: str) -> Val:
        after = out.op(f"add i64 {k}, 1")
        both = out.op(f"fadd double {y.element(after).text}, {y.element(k).text}")
        height = out.op(f"fdiv double {both}, {number(2.0).text}")
        if isinstance(x, Val):
            return Val(DOUBLE, out.op(f"fmul double {height}, {x.text}"))
        width = out.op(f"fsub double {x.element(after).text}, {x.element(k).text}")
        return Val(DOUBLE, out.op(f"fmul double {height}, {width}"))

    return Val(DOUBLE, _sum(low, Array(F64, "1", panels, area, computed=True)))


def linspace(low: Expressions, args: Args, span: Span) -> Operand | None:
    """``linspace(a, b, n)`` of finite numbers and several points."""
    if len(args) not in {2, 3}:
        raise Refused("'linspace' in this form", span)
    first, last = (_real(low, a, "linspace", span).text for a in args[:2])
    out = low.out
    count = shapes_made.extent(low, args[2]) if len(args) == 3 else "100"
    out.require(out.op(f"icmp ugt i64 {count}, 1"))
    steps, width = out.op(f"add i64 {count}, -1"), out.op(f"fsub double {last}, {first}")
    out.require(out.op(f"fcmp ord double {out.op(f'fsub double {width}, {width}')}, {width}"))
    double_steps = _as_double(low, steps)
    step = out.op(f"fdiv double {width}, {double_steps}")
    pairs = out.op(f"fcmp oeq double {first}, {out.op(f'fneg double {last}')}")
    half = out.op(f"fmul double {double_steps}, {number(0.5).text}")
    base = out.choose(pairs, "double", number(0.0).text, first)
    middle = out.choose(pairs, "double", half, number(0.0).text)

    def element(k: str) -> Val:
        place = out.op(f"fsub double {_as_double(low, k)}, {middle}")
        made = out.op(f"fadd double {base}, {out.op(f'fmul double {place}, {step}')}")
        made = out.choose(out.op(f"icmp eq i64 {k}, 0"), "double", first, made)
        return Val(DOUBLE, out.choose(out.op(f"icmp eq i64 {k}, {steps}"), "double", last, made))

    return Array(F64, "1", count, element, computed=True)


def _variance(low: Expressions, args: Args, name: str, span: Span) -> str:
    """The variance of a row or column, divided by one less than its elements, or by all (1)."""
    weight = args[1] if len(args) == 2 else None
    plain = weight is None or (isinstance(weight, ast.Number) and weight.value in {0, 1})
    if len(args) not in {1, 2} or not plain:
        raise Refused(f"'{name}' in this form", span)
    a = _vector(low, low.operand(args[0]), name, span)
    out, count = low.out, low.arrays.count_of(a)
    every = _as_double(low, count)
    centre = out.op(f"fdiv double {_sum(low, a)}, {every}")

    def square(v: Val) -> Val:
        apart = out.op(f"fsub double {v.text}, {centre}")
        return Val(DOUBLE, out.op(f"fmul double {apart}, {apart}"))

    total = _sum(low, low.arrays.map(a, square))
    if not (isinstance(weight, ast.Number) and weight.value == 1):
        less = out.op(f"add i64 {count}, -1")
        several = out.op(f"icmp ugt i64 {count}, 1")
        every = out.choose(several, "double", _as_double(low, less), every)
    return out.op(f"fdiv double {total}, {every}")


def _var(low: Expressions, args: Args, span: Span) -> Operand | None:
    return Val(DOUBLE, _variance(low, args, "var", span))


def _std(low: Expressions, args: Args, span: Span) -> Operand | None:
    spread = _variance(low, args, "std", span)
    return Val(DOUBLE, low.out.call("double", "llvm.sqrt.f64", ("double", spread)))


def trace(low: Expressions, args: Args, span: Span) -> Operand | None:
    """The sum of the diagonal of a square matrix."""
    given = low.operand(args[0]) if len(args) == 1 else None
    if not isinstance(given, Array) or given.kind is not F64 or given.is_vector:
        raise Refused("'trace' in this form", span)
    low.out.require(low.out.op(f"icmp eq i64 {given.rows}, {given.columns}"))
    source = low.arrays.in_memory(given)

    def element(k: str) -> Val:
        return source.element(place_of(low.out, k, k, source.rows))

    return Val(DOUBLE, _sum(low, Array(F64, source.rows, "1", element)))


def kron(low: Expressions, args: Args, span: Span) -> Operand | None:
    """All products of an element of one matrix and one of the other."""
    given = [low.operand(a) for a in args]
    if len(given) != 2 or {
        low.arithmetic.kind(v) if isinstance(v, Val) else v.kind for v in given
    } != {F64}:
        raise Refused("'kron' in this form", span)
    first, second = given
    if isinstance(first, Val) or isinstance(second, Val):
        return low.arrays.operate(".*", first, second, span)
    out, a, b = low.out, *(low.arrays.in_memory(x) for x in (first, second))
    rows, columns = out.product(a.rows, b.rows), out.product(a.columns, b.columns)

    def parts(at: str, inner: str) -> tuple[str, str]:
        if inner == "1":
            return at, "0"
        return out.op(f"udiv i64 {at}, {inner}"), out.op(f"urem i64 {at}, {inner}")

    def element(k: str) -> Val:
        row, column = row_and_column(out, k, rows)
        (i, p), (j, q) = parts(row, b.rows), parts(column, b.columns)
        x, y = a.element(place_of(out, i, j, a.rows)), b.element(place_of(out, p, q, b.rows))
        return Val(DOUBLE, out.op(f"fmul double {x.text}, {y.text}"))

    return low.arrays.scalar_or_array(Array(F64, rows, columns, element, computed=True))


def polyval(low: Expressions, args: Args, span: Span) -> Operand | None:
    """A polynomial at numbers, by Horner's rule."""
    if len(args) != 2:
        raise Refused("'polyval' in this form", span)
    p, x = _vector(low, low.operand(args[0]), "polyval", span), low.operand(args[1])
    out = low.out
    rest = out.op(f"add i64 {low.arrays.count_of(p)}, -1")

    def horner(v: Val) -> Val:
        slot = out.slot(f"%d.{out.label('horner')}", "double")
        out.store(slot, "double", p.element("0").text)

        def step(k: str) -> None:
            scaled = out.op(f"fmul double {out.load(slot, 'double')}, {v.text}")
            added = p.element(out.op(f"add i64 {k}, 1")).text
            out.store(slot, "double", out.op(f"fadd double {scaled}, {added}"))

        low.arrays.each(rest, step)
        return Val(DOUBLE, out.load(slot, "double"))

    if isinstance(x, Val):
        if low.arithmetic.kind(x) is not F64:
            raise Refused("'polyval' of another class than double", span)
        return horner(x)
    if x.kind is not F64:
        raise Refused("'polyval' of another class than double", span)
    source, made = low.arrays.in_memory(x), low.arrays.allocate(F64, x.rows, x.columns)
    low.arrays.each(
        low.arrays.count_of(made),
        lambda k: low.variables.put_element(made.data, k, horner(source.element(k))),
    )
    return made


# --- norms ---


def _order(node: ast.Expr | None, span: Span) -> str:
    """The order of a norm: ``1``, ``2``, ``inf`` or ``fro``."""
    match node:
        case None:
            return "2"
        case ast.Number() if node.value in {1, 2} and not node.imaginary:
            return str(int(node.value))
        case ast.Name(id="Inf" | "inf"):
            return "inf"
        case ast.Char() if node.value.lower() in {"inf", "fro"}:
            return node.value.lower()
    raise Refused("'norm' in this form", span)


def norm(low: Expressions, args: Args, span: Span) -> Operand | None:
    """Norms of vectors and matrices; of any size it is taken for a vector until it was none."""
    order = _order(args[1] if len(args) == 2 else None, span)
    given = low.operand(args[0]) if len(args) in {1, 2} else None
    if not isinstance(given, Array) or given.kind is not F64:
        raise Refused("'norm' in this form", span)
    if order == "2" and not given.is_vector and low.program.is_matrix(span):
        return jit_factors.largest_singular_value(low, given, span)
    if given.is_vector or order == "2":
        a = low.arrays.in_memory(shapes_made.as_vector(low, given, span))
        return _root_of_squares(low, a) if order in {"2", "fro"} else _of_sizes(low, a, order)
    for side in (given.rows, given.columns):
        low.out.require(low.out.op(f"icmp ugt i64 {side}, 1"))
    if order == "fro":
        return _root_of_squares(low, low.arrays.in_memory(low.arrays.transpose_of(given)))
    sizes = low.arrays.in_memory(_sizes(low, given))
    axis = jit_lines.DOWN if order == "1" else jit_lines.ACROSS
    return _largest(low, jit_lines.folded_lines(low, sizes, axis, "add", 0.0, span))


def _root_of_squares(low: Expressions, a: Array) -> Val:
    """The 2-norm of elements whose squares neither overflow nor vanish."""
    squares = products.dot(low, a, replace(a, rows=low.arrays.count_of(a), columns="1")).text
    low.out.require(low.out.op(f"fcmp ogt double {squares}, {number(1e-200).text}"))
    low.out.require(low.out.op(f"fcmp olt double {squares}, {number(1e200).text}"))
    return Val(DOUBLE, low.out.call("double", "llvm.sqrt.f64", ("double", squares)))


def _sizes(low: Expressions, a: Array) -> Array:
    def size(v: Val) -> Val:
        return Val(DOUBLE, low.out.call("double", "llvm.fabs.f64", ("double", v.text)))

    return low.arrays.map(a, size)


def _of_sizes(low: Expressions, a: Array, order: str) -> Val:
    sizes = low.arrays.in_memory(_sizes(low, a))
    return _largest(low, sizes) if order == "inf" else _finite(low, Val(DOUBLE, _sum(low, sizes)))


def _finite(low: Expressions, v: Val) -> Val:
    """A number of which NaN and Inf are the interpreter's."""
    low.out.require(low.out.op(f"fcmp olt double {v.text}, {number(float('inf')).text}"))
    return v


def _largest(low: Expressions, a: Array) -> Val:
    """The largest of numbers that are finite and not negative."""
    out = low.out
    best, all_ = (out.slot(f"%d.{out.label('largest')}", "double") for _ in range(2))
    for slot in (best, all_):
        out.store(slot, "double", number(0.0).text)

    def look(k: str) -> None:
        x, held = a.element(k).text, out.load(best, "double")
        out.store(
            best, "double", out.choose(out.op(f"fcmp ogt double {x}, {held}"), "double", x, held)
        )
        out.store(all_, "double", out.op(f"fadd double {out.load(all_, 'double')}, {x}"))

    low.arrays.each(low.arrays.count_of(a), look)
    _finite(low, Val(DOUBLE, out.load(all_, "double")))
    return Val(DOUBLE, out.load(best, "double"))


VECTORS = {
    "trapz": trapz,
    "linspace": linspace,
    "var": _var,
    "std": _std,
    "trace": trace,
    "kron": kron,
    "polyval": polyval,
    "norm": norm,
}
"""Functions by name."""
