"""Philox and the numbers made of it; see `app.accel.codegen.philox` for the definition.

Lanes that follow one another share blocks. Elements in any order cost a block each.
"""

from __future__ import annotations

from app.accel.codegen.elementary.assembly import Writer, symbol
from app.accel.codegen.llvm.llvm_values import Code, element, literal
from app.accel.ir.dtypes import DType

M0, M1, W0, W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85
LOW = 0xFFFFFFFF


def _philox(blocks: int) -> tuple[str, str]:
    """A function of block numbers and a key: four vectors of words, each in 64 bits."""
    w = Writer(blocks)
    v, code = w.vector("i64"), Code(w)

    def both(operation: str, a: str, b: str) -> str:
        return w.let(f"{operation} {v} {a}, {b}")

    low, thirty_two = f"splat (i64 {LOW})", "splat (i64 32)"
    c = [both("and", "%number", low), both("lshr", "%number", thirty_two)] + ["zeroinitializer"] * 2
    k0, k1 = "%key", w.let("lshr i64 %key, 32")
    for _ in range(10):
        keys = [code.splat("i64", w.let(f"and i64 {k}, {LOW}")) for k in (k0, k1)]
        p = [both("mul", c[0], f"splat (i64 {M0})"), both("mul", c[2], f"splat (i64 {M1})")]
        high = [both("lshr", x, thirty_two) for x in p]
        c = [
            both("xor", both("xor", high[1], c[1]), keys[0]),
            both("and", p[1], low),
            both("xor", both("xor", high[0], c[3]), keys[1]),
            both("and", p[0], low),
        ]
        k0, k1 = (w.let(f"add i64 {k}, {s}") for k, s in ((k0, W0), (k1, W1)))
    four, whole = f"{{ {v}, {v}, {v}, {v} }}", "poison"
    for place, word in enumerate(c):
        whole = w.let(f"insertvalue {four} {whole}, {v} {word}, {place}")
    name = f"philox_x{blocks}"
    head = f"define internal fastcc {four} @{name}({v} %number, i64 %key) #0 {{"
    return name, "\n".join((head, *w.lines, f"  ret {four} {whole}", "}"))


def words(code: Code, numbers: str, key: str) -> list[str]:
    """The four words of as many blocks as the writer has lanes."""
    name, text = _philox(code.writer.lanes)
    code.helpers[name] = text
    v = code.writer.vector("i64")
    four = f"{{ {v}, {v}, {v}, {v} }}"
    all_ = code.let(f"call fastcc {four} @{name}({v} {numbers}, i64 {key})")
    return [code.let(f"extractvalue {four} {all_}, {k}") for k in range(4)]


def single(code: Code, word: str) -> str:
    """A single in (0, 1) of a word."""
    bits = code.binary("lshr", DType.U64, word, literal(DType.U64, 9))
    whole = code.convert(
        "sitofp", code.convert("trunc", bits, DType.U64, DType.U32), DType.U32, DType.F32
    )
    middle = code.binary("fadd", DType.F32, whole, literal(DType.F32, 0.5))
    return code.binary("fmul", DType.F32, middle, literal(DType.F32, 2.0**-23))


def double(code: Code, high: str, low: str) -> str:
    """A double in (0, 1) of two words."""
    top = code.binary("shl", DType.U64, high, literal(DType.U64, 32))
    both = code.binary("or", DType.U64, top, low)
    bits = code.binary("lshr", DType.U64, both, literal(DType.U64, 12))
    whole = code.convert("sitofp", bits, DType.U64, DType.F64)
    middle = code.binary("fadd", DType.F64, whole, literal(DType.F64, 0.5))
    return code.binary("fmul", DType.F64, middle, literal(DType.F64, 2.0**-52))


def interleaved(code: Code, parts: list[str], dtype: DType, lanes: int) -> str:
    """Element k of every part, then element k + 1: parts of `lanes` elements."""
    while len(parts) > 1:
        half, kind = len(parts) // 2, f"<{lanes} x {element(dtype)}>"
        order = ", ".join(f"i32 {k + j * lanes}" for k in range(lanes) for j in range(2))
        parts = [
            code.let(
                f"shufflevector {kind} {parts[k]}, {kind} {parts[k + half]}, "
                f"<{2 * lanes} x i32> <{order}>"
            )
            for k in range(half)
        ]
        lanes *= 2
    return parts[0]


def _pair(code: Code, dtype: DType, u: str, v: str) -> list[str]:
    """Two normal numbers of two uniform ones, in the writer's lanes."""
    width, lanes, type_ = dtype.size * 8, code.writer.lanes, code.type(dtype)
    code.functions.add(("normal_pair", width, lanes))
    both = f"{{ {type_}, {type_} }}"
    pair = code.let(
        f"call fastcc {both} @{symbol('normal_pair', width, lanes)}({type_} {u}, {type_} {v})"
    )
    return [code.let(f"extractvalue {both} {pair}, {k}") for k in range(2)]


def consecutive(code: Code, op: str, dtype: DType, key: str, first: str) -> str:
    """Numbers of elements first, first + 1 …; `first` is a multiple of four."""
    lanes, per = code.writer.lanes, 2 if dtype is DType.F64 else 4
    blocks = lanes // per
    try:
        code.writer.lanes = blocks
        block = code.let(f"lshr i64 {first}, {per // 2}")
        numbers = code.binary("add", DType.U64, code.splat("i64", block), code.steps("i64"))
        w = words(code, numbers, key)
        if dtype is DType.F64:
            parts = [double(code, w[0], w[1]), double(code, w[2], w[3])]
            if op == "random_normal":
                parts = _pair(code, dtype, *parts)
            return interleaved(code, parts, dtype, blocks)
        singles = [single(code, word) for word in w]
        if op == "random_uniform":
            return interleaved(code, singles, dtype, blocks)
        u, v = (interleaved(code, [singles[k], singles[k + 2]], dtype, blocks) for k in (0, 1))
        code.writer.lanes = 2 * blocks
        return interleaved(code, _pair(code, dtype, u, v), dtype, 2 * blocks)
    finally:
        code.writer.lanes = lanes


def numbers_at(code: Code, op: str, dtype: DType, key: str, place: str) -> str:
    """Numbers of elements in any order; `place` is a vector of 64-bit element numbers."""
    u64 = DType.U64

    def bit(value: int) -> str:
        part = code.binary("and", u64, place, literal(u64, value))
        return code.binary("icmp ne", u64, part, literal(u64, 0))

    wide = dtype is DType.F64
    w = words(code, code.binary("lshr", u64, place, literal(u64, 1 if wide else 2)), key)
    if wide:
        parts, odd = [double(code, w[0], w[1]), double(code, w[2], w[3])], bit(1)
    else:
        later, odd = bit(2), bit(1)
        chosen = [code.select(later, u64, w[k + 2], w[k]) for k in (0, 1)]
        parts = [single(code, word) for word in chosen]
    if op == "random_normal":
        parts = _pair(code, dtype, *parts)
    return code.select(odd, dtype, parts[1], parts[0])
