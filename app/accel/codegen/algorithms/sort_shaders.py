"""The shaders of a radix sort, four bits at a time: see `sort`; others are variants of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.algorithms.shader_parts import TREE, WORKGROUP, Writer, indent, raw
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.program import Binding, Program, Role
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType
from app.errors import Unsupported

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.plan import KernelRequest

    Array = NDArray[np.generic]

OWN = 8
TILE = WORKGROUP * OWN
DIGITS = 16
LINE = 256
"""Added to the shift of passes over the line's number."""

INPUT = Binding(Role.INPUT, 0)

FUNCTIONS = wgsl_template("sort_shaders/functions")
DIGIT = wgsl_template("sort_shaders/digit")
LATER = """\
fn taken(half: u32, word: u32, i: u32) -> u32 { return scratch[place(half, word, i)]; }
"""
FIRST = wgsl_template("sort_shaders/first")
"""Words of keys and places, as passes leave them or straight from the operand."""
COUNT = wgsl_template("sort_shaders/count")
SUMS = wgsl_template("sort_shaders/sums")
# Counters are pairs of 16 bits: digit d of a lane is half d / 8 of word (d % 8) * lanes + lane.
MOVE = wgsl_template("sort_shaders/move")
FINISH = wgsl_template("sort_shaders/finish")


# Only zeros and NaNs are not what their keys say.
SINGLE = wgsl_template("sort_shaders/single")


def key_words(dtype: DType) -> int:
    """Words of a key."""
    return 2 if dtype.size == 8 else 1


class Shaders(Writer):
    """The shaders of one request.

    Attributes:
        bits: of a digit.
        tile: elements that a workgroup moves.
        copies: counters of each digit, which keep lanes apart.
    """

    bits, tile, copies = 4, TILE, 32

    def __init__(self, request: KernelRequest, abilities: Abilities) -> None:
        self.dtype = request.inputs[0]
        if self.dtype.is_complex:
            raise Unsupported("sorting complex numbers")
        self.keys = key_words(self.dtype)
        functions = FUNCTIONS.format(
            words=self.keys + 1, all=2 * (self.keys + 1), digits=1 << self.bits
        )
        super().__init__(request, abilities, functions)

    def digits(self, first: bool) -> tuple[str, dict[Binding, str]]:
        """The functions that read words and digits, and what they read from."""
        digit = DIGIT.format(line=LINE, index=self.keys, mask=(1 << self.bits) - 1)
        if not first:
            return LATER + digit, {}
        chosen = "low" if self.keys == 1 else "select(low, high, word == 1u)"
        text = FIRST.format(index=self.keys, key=indent(self.key_statements()), chosen=chosen)
        return text + digit, {INPUT: raw(self.dtype)}

    def turn(self) -> str:
        """The operator that turns keys of falling values into rising ones."""
        return "~" if dict(self.request.attrs)["descending"] else ""

    def key_statements(self) -> list[str]:
        """Statements that make ``low`` (and ``high``), the words of the key, of element ``i``."""
        if self.keys == 2:
            return ["let bits = in0[i];", *self._key()]
        return [f"let value = {layout.load_element('in0', self.dtype, 'i')};", *self._key()]

    def _key(self) -> list[str]:
        """Statements that turn an element's bits into ``low`` (and ``high``)."""
        turn = self.turn()
        kind = self.dtype.kind
        if self.keys == 2 and self.dtype.is_float:
            return [
                "let size = bits.y & 0x7fffffffu;",
                "let missing = size > 0x7ff00000u || (size == 0x7ff00000u && bits.x != 0u);",
                "let nothing = size == 0u && bits.x == 0u;",
                "let flip = bitcast<u32>(bitcast<i32>(select(bits.y, 0u, nothing)) >> 31u);",
                f"let low = {turn}select(bits.x ^ flip, 0xffffffffu, missing);",
                "let turned = select(bits.y, 0u, nothing) ^ (flip | 0x80000000u);",
                f"let high = {turn}select(turned, 0xffffffffu, missing);",
            ]
        if self.keys == 2:
            sign = " ^ 0x80000000u" if kind == "i" else ""
            return [f"let low = {turn}bits.x;", f"let high = {turn}(bits.y{sign});"]
        if self.dtype is DType.F32:
            return [
                "let bits = select(value, 0u, value == 0x80000000u);",
                "let flip = bitcast<u32>(bitcast<i32>(bits) >> 31u) | 0x80000000u;",
                "let missing = (bits & 0x7fffffffu) > 0x7f800000u;",
                f"let low = {turn}select(bits ^ flip, 0xffffffffu, missing);",
            ]
        if self.dtype is DType.BOOL:
            return [f"let low = {turn}select(0u, 1u, value);"]
        bits = 8 * self.dtype.size
        middle, mask = 1 << bits - 1, (1 << bits) - 1  # short integers come with their sign spread
        word = f"((bitcast<u32>(value) ^ {middle:#x}u) & {mask:#x}u)" if kind == "i" else "value"
        return [f"let low = {turn}{word};"]

    def count(self, *, first: bool = False) -> Program:
        """How often each digit occurs in each tile."""
        digits, inputs = self.digits(first)
        bins = self.copies << self.bits
        shared = f"var<workgroup> bins: array<atomic<u32>, {bins}>;\n" + digits
        return self.program(
            f"count {self.tile} {self.bits}",
            COUNT,
            inputs,
            shared,
            bins=bins,
            tile=self.tile,
            copies=self.copies,
            digits=1 << self.bits,
        )

    def sums(self) -> Program:
        """Per digit, how many come before each tile."""
        return self.program("sums", SUMS, {}, TREE, digits=1 << self.bits)

    def move(self, *, first: bool = False) -> Program:
        """Every element to its place by this digit."""
        digits, inputs = self.digits(first)
        ranks, places, targets, fetch = [], [], [], []
        for k in range(OWN):
            ranks += [
                f"    let have{k} = mine + {k}u < total();",
                f"    var d{k} = 0u; var r{k} = 0u;",
                f"    if (have{k}) {{",
                f"        d{k} = digit(from_, mine + {k}u);",
                f"        let at = (d{k} & 7u) * {WORKGROUP}u + lane;",
                f"        let shift = (d{k} >> 3u) * 16u;",
                f"        r{k} = (held[at] >> shift) & 0xffffu;",
                "        held[at] = held[at] + (1u << shift);",
                "    }",
            ]
            places.append(
                f"    r{k} = r{k} + ((held[(d{k} & 7u) * {WORKGROUP}u + lane]"
                f" >> ((d{k} >> 3u) * 16u)) & 0xffffu);"
            )
            targets.append(f"    if (have{k}) {{ held[r{k}] = base[d{k}] + r{k}; }}")
            fetch.append(f"    let to{k} = held[lane + {k * WORKGROUP}u];")
        words = self.words_moved(OWN, "mine + {k}u")
        shared = "\n".join(
            (
                f"var<workgroup> held: array<u32, {TILE}>;",
                TREE,
                f"var<workgroup> base: array<u32, {DIGITS}>;",
                digits,
            )
        )
        parts = {"ranks": ranks, "places": places, "targets": targets, "fetch": fetch}
        texts: dict[str, Any] = {
            name: "\n".join(lines) for name, lines in (parts | {"words": words}).items()
        }
        return self.program("move", MOVE, inputs, shared, tile=TILE, own=OWN, **texts)

    def words_moved(self, own: int, at: str, first: str = "") -> list[str]:
        """Keys and places through workgroup memory to where they go; the first words may be known
        already."""
        lines = []
        for word in range(self.keys + 1):
            value = first if first and not word else f"taken(from_, {word}u, {at})"
            lines.append("    workgroupBarrier();")
            lines += [
                f"    if (have{k}) {{ held[r{k}] = {value.format(k=k)}; }}" for k in range(own)
            ]
            lines.append("    workgroupBarrier();")
            lines += [
                f"    if (lane + {k * WORKGROUP}u < count) {{ scratch[place(1u - from_, "
                f"{word}u, to{k})] = held[lane + {k * WORKGROUP}u]; }}"
                for k in range(own)
            ]
        return lines

    def finish(self) -> Program:
        """Values from where they were, places counted along the axis from 1."""
        bindings: dict[Binding, str] = {}
        stores, key = [], list[str]()
        for k, result in enumerate(self.request.reductions):
            output, entry = self.target(k, result.dtype)
            if result.op == "sort" and self.dtype is DType.F32:
                bindings |= {INPUT: raw(self.dtype), output: entry}
                key = [f"let key = {self.turn()}scratch[place(p[1].y, 0u, i)];"]
                stores += SINGLE.format(k=k).splitlines()
            elif result.op == "sort":
                bindings |= {INPUT: raw(self.dtype), output: entry}
                stores += self.moved(k, self.dtype, "to", "at")
            else:
                bindings[output] = layout.entries(result.dtype, False)
                stores.append(f"out{k}[to] = f64((at / inner) % n + 1u);")
        return self.program(
            "finish", FINISH, bindings, stores=indent(stores), index=self.keys, key=indent(key)
        )
