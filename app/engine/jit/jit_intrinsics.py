"""Builtins that compiled code knows: each gives exactly what the interpreter gives."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.accel.ir.ops import OPS, Domain
from app.engine.jit import complexes, shapes_made
from app.engine.jit.builder import FALSE, TRUE, Refused, Val, number, with_type
from app.engine.jit.jit_characters import CHARACTERS
from app.engine.jit.jit_types import BOOL, CHAR, DOUBLE, F32, F64, KINDS, LOGICAL, SCALARS, Kind
from app.engine.language import ast
from app.records import record
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.jit_expressions import Expressions

Intrinsic = Callable[["Expressions", tuple[ast.Expr, ...], Span], Val]

CONSTANTS = {
    "pi": number(math.pi),
    "Inf": number(math.inf),
    "inf": number(math.inf),
    "NaN": number(math.nan),
    "nan": number(math.nan),
    "eps": number(2.0**-52),
    "true": TRUE,
    "false": FALSE,
    "realmax": number(1.7976931348623157e308),
    "realmin": number(2.0**-1022),
    "flintmax": number(2.0**53),
}


@record
class OfValues:
    """An intrinsic of ``arity`` scalars; ``function`` takes them computed, and then a span."""

    arity: int
    function: Callable[..., Val]

    def __call__(self, low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
        """The value for arguments that are not computed yet."""
        self.check_count(args, span)
        return self.function(low, *(low.value(a) for a in args), span)

    def check_count(self, args: Sequence[object], span: Span) -> None:
        """Refuse another number of arguments."""
        if len(args) != self.arity:
            raise Refused(f"a call with {len(args)} arguments", span)


def _real(low: Expressions, v: Val, span: Span) -> str:
    """An argument of a function of doubles."""
    kind = low.arithmetic.kind(v)
    if kind is F64 or kind is BOOL:
        return low.arithmetic.double(v)
    raise Refused(f"a function of a {kind.name}", span)


def _libm(name: str, domain: Domain | None) -> Intrinsic:
    """A function of the C library; outside the domain it would be complex."""
    least, most = (domain.low, domain.high) if domain else (-math.inf, math.inf)

    def function(low: Expressions, v: Val, span: Span) -> Val:
        if complexes.is_complex(v):
            return complex_one(low, v, span)
        x = _real(low, v, span)
        if low.arithmetic.kind(v) is BOOL:
            raise Refused("a function of a logical", span)
        if least > -math.inf:
            low.out.require(low.out.op(f"fcmp uge double {x}, {number(least).text}"))
        if most < math.inf:
            low.out.require(low.out.op(f"fcmp ule double {x}, {number(most).text}"))
        return Val(DOUBLE, low.out.call("double", name, ("double", x)))

    def complex_one(low: Expressions, v: Val, span: Span) -> Val:
        if name not in _OF_COMPLEX:
            raise Refused(f"'{name}' of a complex number", span)

        def of_real(x: str) -> str:
            return low.out.call("double", name, ("double", x))

        return complexes.elementary(low.out, _OF_COMPLEX[name], of_real, v, least)

    return OfValues(1, function)


_OF_COMPLEX = {n: n for n in ("exp", "log", "sin", "cos")} | {"llvm.sqrt.f64": "sqrt"}
"""Functions of the C library that NumPy has for complex numbers, and how it calls them."""


def _two(name: str) -> Intrinsic:
    def function(low: Expressions, a: Val, b: Val, span: Span) -> Val:
        if {low.arithmetic.kind(a), low.arithmetic.kind(b)} != {F64}:
            raise Refused(f"'{name}' of another class than double", span)
        made = low.out.call("double", name, ("double", a.text), ("double", b.text))
        return Val(DOUBLE, made)

    return OfValues(2, function)


def _rounding(name: str) -> Intrinsic:
    def function(low: Expressions, v: Val, span: Span) -> Val:
        kind = low.arithmetic.kind(v)
        if kind.is_integer or v.whole:
            return v
        if kind is CHAR:
            raise Refused("rounding of text", span)
        if kind is F32:
            return Val(v.type, low.out.call("float", f"llvm.{name}.f32", ("float", v.text)))
        return Val(
            DOUBLE, low.out.call("double", f"llvm.{name}.f64", ("double", low.arithmetic.double(v)))
        )

    return OfValues(1, function)


def _abs(low: Expressions, v: Val, span: Span) -> Val:
    if complexes.is_complex(v):
        return complexes.magnitude(low.out, v)
    kind = low.arithmetic.kind(v)
    if kind is CHAR:
        raise Refused("'abs' of text", span)
    if kind.is_float:
        return Val(v.type, low.out.call(kind.llvm, f"llvm.fabs.f{kind.bits}", (kind.llvm, v.text)))
    if not kind.is_integer:
        return Val(DOUBLE, low.arithmetic.double(v))
    if not kind.signed:
        return v
    below = low.out.op(f"icmp slt {kind.llvm} {v.text}, 0")
    return Val(v.type, low.out.choose(below, kind.llvm, low.arithmetic.negative(v).text, v.text))


def _complex_part(which: int) -> Intrinsic:
    """``real`` and ``imag``."""

    def function(low: Expressions, v: Val, span: Span) -> Val:
        return Val(DOUBLE, complexes.parts(low.out, v)[which])

    return OfValues(1, function)


def _angle(low: Expressions, v: Val, span: Span) -> Val:
    if not complexes.is_complex(v):
        raise Refused("the angle of a real number", span)
    real, imag = complexes.parts(low.out, v)
    return Val(DOUBLE, low.out.call("double", "atan2", ("double", imag), ("double", real)))


def _imaginary_unit(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    if args:
        raise Refused("an imaginary unit with arguments", span)
    return complexes.joined_parts(low.out, number(0.0).text, number(1.0).text)


def _conjugate(low: Expressions, v: Val, span: Span) -> Val:
    return complexes.conjugate(low.out, v) if complexes.is_complex(v) else v


def _complex(low: Expressions, a: Val, b: Val, span: Span) -> Val:
    if {low.arithmetic.kind(a), low.arithmetic.kind(b)} != {F64}:
        raise Refused("'complex' of another class than double", span)
    low.out.require(low.out.op(f"fcmp une double {b.text}, 0.0"))  # else it stays complex
    return complexes.joined_parts(low.out, a.text, b.text)


def _sign(low: Expressions, v: Val, span: Span) -> Val:
    x = _real(low, v, span)
    above = low.out.op(f"fcmp ogt double {x}, 0.0")
    below = low.out.op(f"fcmp olt double {x}, 0.0")
    zero = low.out.op(f"fcmp oeq double {x}, 0.0")
    made = low.out.choose(zero, "double", "0.0", x)
    made = low.out.choose(below, "double", "-1.0", made)
    return Val(DOUBLE, low.out.choose(above, "double", "1.0", made))


def _remainder(name: str) -> Intrinsic:
    def function(low: Expressions, a: Val, b: Val, span: Span) -> Val:
        ka, kb = low.arithmetic.kind(a), low.arithmetic.kind(b)
        if ka is kb is F64:
            helper = f"fuselab_{name}"
            made = low.out.call("double", helper, ("double", a.text), ("double", b.text))
            if b.const and b.const.is_integer() and a.whole:
                return _whole_remainder(low, name, a, b)
            return Val(DOUBLE, made)
        if not (ka.is_integer or kb.is_integer):
            raise Refused(f"'{name}' of another class than double", span)
        return _integer_remainder(low, name, a, b, span)

    return OfValues(2, function)


def _whole_remainder(low: Expressions, name: str, a: Val, b: Val) -> Val:
    """The remainder of a whole number by a literal, as an integer."""
    rest = low.out.op(f"srem i64 {a.whole}, {b.whole}")
    if name == "mod":
        below = low.out.op(f"icmp slt i64 {rest}, 0")
        if b.const is not None and b.const < 0:
            below = low.out.op(f"icmp sgt i64 {rest}, 0")
        rest = low.out.choose(below, "i64", low.out.op(f"add i64 {rest}, {b.whole}"), rest)
    return Val(DOUBLE, low.out.op(f"sitofp i64 {rest} to double"), rest, b.bits)


def _integer_remainder(low: Expressions, name: str, a: Val, b: Val, span: Span) -> Val:
    """``mod`` of integers goes through doubles, as in the interpreter."""
    kind = low.arithmetic.integer_kind(a, b, span)
    if kind.bits == 64:
        raise Refused(f"'{name}' of 64-bit integers", span)
    x, y = low.arithmetic.double(a), low.arithmetic.double(b)
    made = low.out.call("double", f"fuselab_{name}", ("double", x), ("double", y))
    return Val(SCALARS[kind.name], low.arithmetic.saturate(made, kind))


def _extreme(test: str) -> Intrinsic:
    """``max`` and ``min`` of two: a NaN gives way."""

    def function(low: Expressions, a: Val, b: Val, span: Span) -> Val:
        ka, kb = low.arithmetic.kind(a), low.arithmetic.kind(b)
        if ka.is_integer or kb.is_integer:
            kind = low.arithmetic.integer_kind(a, b, span)
            x, y = low.arithmetic.cast(a, kind), low.arithmetic.cast(b, kind)
            name = f"llvm.{'s' if kind.signed else 'u'}{'max' if test == 'ge' else 'min'}"
            made = low.out.call(
                kind.llvm, f"{name}.{kind.llvm}", (kind.llvm, x.text), (kind.llvm, y.text)
            )
            return Val(x.type, made)
        if F32 in (ka, kb):
            raise Refused("the larger of singles", span)
        if CHAR in (ka, kb):
            raise Refused("the larger of texts", span)
        p, q = low.arithmetic.double(a), low.arithmetic.double(b)
        first = low.out.op(f"fcmp o{test} double {p}, {q}")
        lone = low.out.op(f"fcmp uno double {q}, {q}")
        made = low.out.choose(low.out.op(f"or i1 {first}, {lone}"), "double", p, q)
        if a.whole and b.whole:
            whole = low.out.choose(first, "i64", a.whole, b.whole)
            return Val(DOUBLE, made, whole, max(a.bits, b.bits))
        return Val(DOUBLE, made)

    return OfValues(2, function)


def _conversion(name: str) -> Intrinsic:
    kind = KINDS[name]

    def function(low: Expressions, v: Val, span: Span) -> Val:
        if kind is CHAR and not (low.arithmetic.kind(v).is_float or low.arithmetic.kind(v) is CHAR):
            raise Refused("text of another class than double", span)
        if kind is BOOL and low.arithmetic.kind(v) is CHAR:
            raise Refused("the truth of a character", span)
        return low.arithmetic.cast(v, kind)

    return OfValues(1, function)


def _isnan(low: Expressions, v: Val, span: Span) -> Val:
    kind = low.arithmetic.kind(v)
    if not kind.is_float:
        raise Refused("a test of another class than double", span)
    return Val(LOGICAL, low.out.op(f"fcmp uno {kind.llvm} {v.text}, {v.text}"))


def _beside_infinity(order: str) -> Intrinsic:
    """``isfinite`` and ``isinf``: how the magnitude compares to infinity."""

    def function(low: Expressions, v: Val, span: Span) -> Val:
        kind = low.arithmetic.kind(v)
        if not kind.is_float:
            raise Refused("a test of another class than double", span)
        size = low.out.call(kind.llvm, f"llvm.fabs.f{kind.bits}", (kind.llvm, v.text))
        test = low.out.op(f"fcmp {order} {kind.llvm} {size}, {number(math.inf).text}")
        return Val(LOGICAL, test)

    return OfValues(1, function)


# --- bits ---


def _bits(name: str) -> Intrinsic:
    def function(low: Expressions, a: Val, b: Val, span: Span) -> Val:
        ka, kb = low.arithmetic.kind(a), low.arithmetic.kind(b)
        if (ka.is_integer and kb is F64) or (ka is F64 and kb.is_integer):
            kind = ka if ka.is_integer else kb
            a, b = (_of_class(low, v, kind) for v in (a, b))
            ka = kb = kind
        if ka is kb and ka.is_integer:
            return Val(a.type, low.out.op(f"{name} {ka.llvm} {a.text}, {b.text}"))
        if not ka is kb is F64:
            raise Refused("bits of different classes", span)
        x, y = _natural(low, a), _natural(low, b)
        made = low.out.op(f"{name} i64 {x}, {y}")
        return Val(DOUBLE, low.out.op(f"sitofp i64 {made} to double"), made, 53)

    return OfValues(2, function)


def _bitget(low: Expressions, a: Val, b: Val, span: Span) -> Val:
    ka = low.arithmetic.kind(a)
    if low.arithmetic.kind(b) is not F64 or not (ka is F64 or ka.is_integer):
        raise Refused("a bit of another class", span)
    whole = _bits_of(low, a)
    by = low.out.op(f"sub i64 {b.whole or low.arithmetic.whole_of(b.text, 63.0)}, 1")
    low.out.require(low.out.op(f"icmp ult i64 {by}, {53 if ka is F64 else ka.bits}"))
    made = low.out.op(f"and i64 {low.out.op(f'lshr i64 {whole}, {by}')}, 1")
    if ka is F64:
        return Val(DOUBLE, low.out.op(f"sitofp i64 {made} to double"), made, 1)
    return Val(a.type, made if ka.bits == 64 else low.out.op(f"trunc i64 {made} to {ka.llvm}"))


def _of_class(low: Expressions, v: Val, kind: Kind) -> Val:
    """A number as an integer of a class that holds it."""
    if low.arithmetic.kind(v) is kind:
        return v
    whole = _natural(low, v)
    most = min((1 << (kind.bits - kind.signed)) - 1, 1 << 53)
    low.out.require(low.out.op(f"icmp ule i64 {whole}, {most}"))
    return low.arithmetic.cast(v, kind)


def _natural(low: Expressions, v: Val) -> str:
    """A double that is a whole number from 0 to 2^53."""
    whole = v.whole or low.arithmetic.whole_of(v.text, 2.0**53)
    low.out.require(low.out.op(f"icmp sge i64 {whole}, 0"))
    return whole


def _bits_of(low: Expressions, v: Val) -> str:
    """The bits of a whole number, a double's from 0 to 2^53 or an integer's, in 64."""
    kind = low.arithmetic.kind(v)
    if kind is F64:
        return _natural(low, v)
    if kind.bits == 64:
        return v.text
    return low.out.op(f"{'sext' if kind.signed else 'zext'} {kind.llvm} {v.text} to i64")


def _shift(low: Expressions, a: Val, b: Val, span: Span) -> Val:
    ka = low.arithmetic.kind(a)
    if low.arithmetic.kind(b) is not F64 or not (ka is F64 or ka.is_integer):
        raise Refused("a shift of another class", span)
    whole = _bits_of(low, a)
    if ka is not F64:
        low.out.require(low.out.op(f"icmp sge i64 {whole}, 0"))
    by = b.whole or low.arithmetic.whole_of(b.text, 63.0)
    left = low.out.op(f"icmp sge i64 {by}, 0")
    back = low.out.op(f"sub i64 0, {by}")
    low.out.require(low.out.op(f"icmp ult i64 {low.out.choose(left, 'i64', by, back)}, 63"))
    up = low.out.op(f"shl i64 {whole}, {low.out.choose(left, 'i64', by, '0')}")
    width = 53 if ka is F64 else ka.bits - ka.signed
    most = (1 << width) - 1
    made = low.out.op(f"lshr i64 {up}, {low.out.choose(left, 'i64', '0', back)}")
    if ka.is_integer and not ka.signed and ka.bits < 64:  # bits that are shifted out are gone
        made = low.out.op(f"and i64 {made}, {most}")
    else:
        same = low.out.op(f"lshr i64 {up}, {low.out.choose(left, 'i64', by, '0')}")
        low.out.require(low.out.op(f"icmp eq i64 {same}, {whole}"))
        low.out.require(low.out.op(f"icmp ule i64 {made}, {most}"))
    if ka is F64:
        return Val(DOUBLE, low.out.op(f"sitofp i64 {made} to double"), made, 53)
    return Val(a.type, made if ka.bits == 64 else low.out.op(f"trunc i64 {made} to {ka.llvm}"))


# --- sizes ---


def _shape(low: Expressions, args: tuple[ast.Expr, ...], count: int = 1) -> tuple[str, ...]:
    """The extents of an operand, at least three."""
    if len(args) != count:
        raise Refused(f"a call with {len(args)} arguments")
    if isinstance(args[0], ast.Name) and low.variables.has_pages(args[0].id):
        low.variables.check_set(args[0].id)
        return low.variables.dimensions(args[0].id)
    made = low.any_operand(args[0])
    return ("1", "1", "1") if isinstance(made, Val) else (made.rows, made.columns, made.pages)


def _numel(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    return low.indexing.count(low.out.product(*_shape(low, args)))


def _length(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    shape = _shape(low, args)
    most = shape[0]
    for extent in shape[1:]:
        most = low.out.call("i64", "llvm.smax.i64", ("i64", most), ("i64", extent))
    empty = low.out.op(f"icmp eq i64 {low.out.product(*shape)}, 0")
    return low.indexing.count(low.out.choose(empty, "i64", "0", most))


def _size(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    if len(args) != 2 or not isinstance(args[1], ast.Number) or args[1].value not in range(1, 9):
        raise Refused("'size' in this form", span)
    return low.indexing.count((*_shape(low, args, 2), *"11111")[int(args[1].value) - 1])


def sizes(
    low: Expressions, args: tuple[ast.Expr, ...], count: int, exact: bool = False
) -> list[Val]:
    """The outputs of ``[m, n, …] = size(x)``: the last of them stands for the rest, too.

    ``exact`` asks for an array that has no more dimensions.
    """
    shape = (*_shape(low, args), *"1" * count)
    if exact:
        low.out.require(low.out.op(f"icmp eq i64 {low.out.product(*shape[count:])}, 1"))
    kept = (*shape[: count - 1], low.out.product(*shape[count - 1 :]))
    return [low.indexing.count(extent) for extent in kept]


def size_given(low: Expressions, node: ast.Expr) -> tuple[str, ...]:
    """The extents in ``[m n]`` or ``size(x)``; none for others."""
    known = "size" not in low.names and low.program.is_builtin("size")
    match node:
        case ast.Matrix(rows=(row,)) if len(row) > 1:
            return tuple(shapes_made.extent(low, n) for n in row)
        case ast.Index(base=ast.Name(id="size"), args=(_,) as args) if known:
            return _shape(low, args)
    return ()


def _subscripted_size(low: Expressions, node: ast.Expr, span: Span) -> tuple[str, ...]:
    """The extents that subscripts go through."""
    found = size_given(low, node)
    if not found:
        raise Refused("a size in this form", span)
    return found


def _sub2ind(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    """The place of an element in an array of a size; the last subscript goes through the rest."""
    if len(args) < 3:
        raise Refused("'sub2ind' in this form", span)
    size, subs = _subscripted_size(low, args[0], span), [low.value(a) for a in args[1:]]
    if any(low.arithmetic.kind(v) is not F64 for v in subs):
        raise Refused("'sub2ind' of another class than double", span)
    size = (*size, *"1" * len(subs))
    place, stride = "0", "1"
    for k, v in enumerate(subs):
        limit = size[k] if k + 1 < len(subs) else low.out.product(*size[k:])
        at = low.out.product(low.indexing.position(v, limit), stride)
        place = low.out.op(f"add i64 {place}, {at}")
        stride = low.out.product(stride, limit)
    return low.indexing.count(low.out.op(f"add i64 {place}, 1"))


def subscripts_of(
    low: Expressions, args: tuple[ast.Expr, ...], count: int, span: Span
) -> list[Val]:
    """The outputs of ``[i, j, …] = ind2sub(size, place)`` of one place."""
    if len(args) != 2 or count < 2:
        raise Refused("'ind2sub' in this form", span)
    size, v = _subscripted_size(low, args[0], span), low.value(args[1])
    rest = low.indexing.position(v, low.out.product(*size))
    size, found = (*size, *"1" * count), []
    for extent in size[: count - 1]:
        found.append(low.out.op(f"urem i64 {rest}, {extent}"))
        rest = low.out.op(f"udiv i64 {rest}, {extent}")
    return [low.indexing.count(low.out.op(f"add i64 {k}, 1")) for k in (*found, rest)]


def _extent(which: int) -> Intrinsic:
    """``rows`` and ``columns``."""

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
        return low.indexing.count(_shape(low, args)[which])

    return made


def _form(*certain: int) -> Intrinsic:
    """``isrow`` and its kin: which extents, or one of them where none is named, are one.

    What is empty or has pages is the interpreter's.
    """

    def made(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
        shape, out = _shape(low, args), low.out
        out.require(out.op(f"icmp ne i64 {out.product(*shape)}, 0"))
        out.require(out.op(f"icmp eq i64 {out.product(*shape[2:])}, 1"))
        row, column = (out.op(f"icmp eq i64 {extent}, 1") for extent in shape[:2])
        if len(certain) == 1:
            return Val(LOGICAL, (row, column)[certain[0]])
        return Val(LOGICAL, out.op(f"{'and' if certain else 'or'} i1 {row}, {column}"))

    return made


def _isempty(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    return Val(LOGICAL, low.out.op(f"icmp eq i64 {low.out.product(*_shape(low, args))}, 0"))


def _exist(low: Expressions, args: tuple[ast.Expr, ...], span: Span) -> Val:
    named, where = (a.value if isinstance(a, ast.Char | ast.String) else "" for a in args)
    if where != "var":
        raise Refused("'exist' of anything but a variable", span)
    return low.variables.exists(named, span)


# --- logic and whole numbers ---


def _xor(low: Expressions, a: Val, b: Val, span: Span) -> Val:
    return Val(
        LOGICAL,
        low.out.op(f"xor i1 {low.arithmetic.logical(a).text}, {low.arithmetic.logical(b).text}"),
    )


def _not(low: Expressions, v: Val, span: Span) -> Val:
    return low.arithmetic.logical_not(v)


def _idivide(low: Expressions, a: Val, b: Val, span: Span) -> Val:
    kind = (
        low.arithmetic.integer_kind(a, b, span)
        if low.arithmetic.kind(a).is_integer or low.arithmetic.kind(b).is_integer
        else F64
    )
    if not kind.is_integer or kind.bits == 64:
        raise Refused("'idivide' of this class", span)
    quotient = low.out.op(f"fdiv double {low.arithmetic.double(a)}, {low.arithmetic.double(b)}")
    down = low.out.call("double", "llvm.trunc.f64", ("double", quotient))
    return with_type(
        Val(SCALARS[kind.name], low.arithmetic.saturate(down, kind, rounded=True)),
        SCALARS[kind.name],
    )


INTRINSICS: dict[str, Intrinsic] = {
    **{
        spec.name: _two(spec.c_name) if spec.arity == 2 else _libm(spec.c_name, spec.domain)
        for spec in OPS.values()
        if spec.c_name
    },
    "floor": _rounding("floor"),
    "ceil": _rounding("ceil"),
    "fix": _rounding("trunc"),
    "round": _rounding("round"),
    "abs": OfValues(1, _abs),
    "sign": OfValues(1, _sign),
    "mod": _remainder("mod"),
    "rem": _remainder("rem"),
    "max": _extreme("ge"),
    "min": _extreme("le"),
    "idivide": OfValues(2, _idivide),
    **{name: _conversion(name) for name in KINDS},
    "isnan": OfValues(1, _isnan),
    "isfinite": _beside_infinity("olt"),
    "isinf": _beside_infinity("oeq"),
    "bitand": _bits("and"),
    "bitor": _bits("or"),
    "bitxor": _bits("xor"),
    "bitget": OfValues(2, _bitget),
    "bitshift": OfValues(2, _shift),
    "xor": OfValues(2, _xor),
    "not": OfValues(1, _not),
    "real": _complex_part(0),
    "imag": _complex_part(1),
    "conj": OfValues(1, _conjugate),
    "angle": OfValues(1, _angle),
    "arg": OfValues(1, _angle),
    "complex": OfValues(2, _complex),
    **dict.fromkeys("ijIJ", _imaginary_unit),
    **{name: OfValues(1, function) for name, function in CHARACTERS.items()},
    "numel": _numel,
    "length": _length,
    "size": _size,
    "isempty": _isempty,
    "exist": _exist,
    "sub2ind": _sub2ind,
    "rows": _extent(0),
    "columns": _extent(1),
    "isrow": _form(0),
    "iscolumn": _form(1),
    "isscalar": _form(0, 1),
    "isvector": _form(),
}

VALUES = {name: found for name, found in INTRINSICS.items() if isinstance(found, OfValues)}
"""Those of plain scalars, for values that have been computed."""
