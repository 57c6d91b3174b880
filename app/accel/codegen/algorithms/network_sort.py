"""Sorted values of lines that fit into workgroup memory, without places: a network of comparisons.

Keys that are equal are the same value, but for zeros, so nothing need be stable: sixteen elements
of an invocation are sorted in registers, and sorted runs are merged two by two (Batcher, "Sorting
networks and their applications", 1968). Every other run falls; its complements rise, so that all
comparisons are alike. A step does four levels of a merge: sixteen elements, a power of two apart,
are compared in registers and go back where they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.algorithms import sort_shaders
from app.accel.codegen.algorithms.shader_parts import SCANNED, indent, raw, tree
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program
    from app.accel.ir.plan import KernelRequest

OWN = 16
LEAST_DOUBLINGS = 4
LEAST_SHARED = 16384
"""Bytes of workgroup memory that every adapter has."""
KIND = "network"

MAIN = wgsl_template("network_sort/main")
FUNCTIONS = wgsl_text("network_sort/functions")
ZEROS = wgsl_template("network_sort/zeros")


def fits(request: KernelRequest, tile: int, abilities: Abilities) -> bool:
    """Whether only values are asked for, and an adapter's workgroups hold the keys of so many."""
    lanes, words = tile // OWN, sort_shaders.key_words(request.inputs[0])
    memory = 4 * (words * (tile + tile // OWN) + lanes + tile // 32 + 1)
    room = max(LEAST_SHARED, abilities.workgroup_bytes)
    alone = [result.op for result in request.reductions] == ["sort"]
    return alone and lanes <= abilities.workgroup_lanes and memory <= room


def doublings(length: int) -> int:
    """Of sorted runs from one element to a line, which is filled up to a power of two."""
    return max(LEAST_DOUBLINGS, (length - 1).bit_length())


def first_comparisons() -> Iterator[tuple[int, int]]:
    """Batcher's odd-even merge sort of the elements of an invocation."""
    run = 1
    while run < OWN:
        step = run
        while step:
            for j in range(step % run, OWN - step, 2 * step):
                for low in range(j, j + min(step, OWN - step - j)):
                    if low // (2 * run) == (low + step) // (2 * run):
                        yield low, low + step
            step //= 2
        run *= 2


class Network:
    """The shader of one request.

    Attributes:
        radix: the shaders that sort with places, whose keys these are.
        tile: elements of a workgroup.
        lanes: invocations of it.
    """

    def __init__(self, request: KernelRequest, abilities: Abilities, tile: int) -> None:
        self.radix = sort_shaders.Shaders(request, abilities)
        self.radix.functions = ""
        self.dtype, self.keys = self.radix.dtype, self.radix.keys
        self.tile, self.lanes = tile, tile // OWN
        self.held = ["low", "high"][: self.keys]

    def program_of_lines(self) -> Program:
        """The one shader."""
        size = self.tile + self.tile // OWN
        shared = [
            *(f"var<workgroup> {name}s: array<u32, {size}>;" for name in self.held),
            "var<workgroup> has_minus: u32;",
            FUNCTIONS,
        ]
        if self.dtype.is_float:
            words = f"var<workgroup> signs: array<atomic<u32>, {self.tile // 32}>;"
            shared += [tree(self.lanes), words]
        output, entry = self.radix.target(0, self.dtype)
        return self.radix.program(
            f"{KIND} {self.tile}",
            MAIN,
            {sort_shaders.INPUT: raw(self.dtype), output: entry},
            "\n".join(shared),
            scratch="",
            size=self.lanes,
            tile=self.tile,
            load="\n".join(self._load()),
            runs=indent(self._runs()),
            steps="\n".join(self._steps()),
            zeros=self._zeros() if self.dtype.is_float else "",
            stores="\n".join(self._stores()),
        )

    def _load(self) -> list[str]:
        """Keys, as neighbouring lanes read them; what fills a line up comes last."""
        fills = [f"{name}s[at] = 0xffffffffu;" for name in self.held]
        keys = [f"{name}s[at] = {name};" for name in self.held]
        return self._own_elements(fills, [*self.radix.key_statements(), *keys, *self._noticed()])

    def _own_elements(self, before: list[str], each: list[str]) -> list[str]:
        """Statements for the elements of a lane, which lie as far apart as there are lanes: for all
        its places, then for those that are in the line."""
        lines = []
        for k in range(OWN):
            lines += [
                "    {",
                f"        let e = lane + {k * self.lanes}u; let at = pad(e);",
                *(f"        {statement}" for statement in before),
                "        if (is_element(e, here)) {",
                "            let i = source(line, e);",
                *(f"            {statement}" for statement in each),
                "        }",
                "    }",
            ]
        return lines

    def _noticed(self) -> list[str]:
        """The statement that notices a negative zero."""
        if not self.dtype.is_float:
            return []
        return [f"if ({self._tests()[1]}) {{ has_minus = 1u; }}"]

    def _tests(self) -> tuple[str, str]:
        """Whether the element that was loaded is a zero, and whether it is a negative one."""
        if self.keys == 2:
            zero = "bits.x == 0u && (bits.y & 0x7fffffffu) == 0u"
            return zero, "bits.x == 0u && bits.y == 0x80000000u"
        return "(value & 0x7fffffffu) == 0u", "value == 0x80000000u"

    def _taken(self, mask: str = "", factor: int = 1) -> list[str]:
        """Sixteen elements into registers."""
        return [
            f"    var {name}{r} = {name}s[at + {self._apart(r, factor)}u]{mask};"
            for name in self.held
            for r in range(OWN)
        ]

    def _put_back(self, mask: str = "", factor: int = 1) -> list[str]:
        return [
            f"    {name}s[at + {self._apart(r, factor)}u] = {name}{r}{mask};"
            for name in self.held
            for r in range(OWN)
        ]

    @staticmethod
    def _apart(number: int, factor: int) -> int:
        """How far an element lies from an invocation's first, places left out included."""
        return number * factor + (number * factor >> 4)

    def _compared(self, a: int, b: int, mark: str) -> list[str]:
        """The lesser key first."""
        if self.keys == 1:
            return [
                f"    let {mark} = min(low{a}, low{b}); low{b} = max(low{a}, low{b});"
                f" low{a} = {mark};"
            ]
        greater = f"high{a} > high{b} || (high{a} == high{b} && low{a} > low{b})"
        return [
            f"    if ({greater}) {{",
            *(
                f"        let {name} = {name}{a}; {name}{a} = {name}{b}; {name}{b} = {name};"
                for name in self.held
            ),
            "    }",
        ]

    def _runs(self) -> list[str]:
        """An invocation's neighbours sorted."""
        lines = [
            "    let at = pad(lane * 16u); let turned = complement(4u, lane);",
            "    let next = turned ^ complement(5u, lane);",
            *self._taken(" ^ turned"),
        ]
        for number, (a, b) in enumerate(first_comparisons()):
            lines += self._compared(a, b, f"less{number}")
        return lines + self._put_back(" ^ next")

    def _steps(self) -> list[str]:
        """Four levels of a merge for each lowest bit by which an invocation's elements differ."""
        lines = []
        for bit in range(self.tile.bit_length() - OWN.bit_length() + 1):
            first = f"(lane & {(1 << bit) - 1}u) | ((lane >> {bit}u) << {bit + 4}u)"
            body, mask = [f"    let at = pad({first});"], ""
            if not bit:
                mask = " ^ next"
                body.append(
                    "    let next = complement(doubling, lane) ^ complement(doubling + 1u, lane);"
                )
            body += self._taken(factor=1 << bit)
            for level in (8, 4, 2, 1):
                for r in range(OWN):
                    if not r & level:
                        body += self._compared(r, r + level, f"less{level}_{r}")
            body += self._put_back(mask, 1 << bit)
            name = "default" if not bit else f"case {bit}u"
            lines += [f"                {name}: {{", *indent([indent(body)]).splitlines(), "}"]
        return lines

    def _zeros(self) -> str:
        """The text that gives zeros their signs where some are negative."""
        zero, minus = self._tests()
        keys = {"high": 0x80000000, "low": 0 if self.keys == 2 else 0x80000000}
        below = {"high": 0x7FFFFFFF, "low": 0xFFFFFFFF if self.keys == 2 else 0x7FFFFFFF}
        turn = self.radix.turn()
        bits = (
            "let bits = in0[i];"
            if self.keys == 2
            else f"let value = {layout.load_element('in0', self.dtype, 'i')};"
        )
        return ZEROS.format(
            words=self.tile // 32,
            bits=bits,
            zero=zero,
            minus=minus,
            zero_key=" && ".join(f"{name}s[at] == {turn}{keys[name]:#x}u" for name in self.held),
            turn_minus="\n".join(
                f"                        {name}s[at] = {turn}{below[name]:#x}u;"
                for name in self.held
            ),
            scanned=SCANNED.format(size=self.lanes),
        )

    def _value(self) -> list[str]:
        """Statements that make ``value`` from the words of a key."""
        kind, bits = self.dtype.kind, 8 * self.dtype.size
        if self.keys == 2 and self.dtype.is_float:
            return [
                "let flip = select(0u, 0xffffffffu, high < 0x80000000u);",
                "let missing = high == 0xffffffffu && low == 0xffffffffu;",
                "let plain = vec2<u32>(low ^ flip, high ^ (flip | 0x80000000u));",
                "let value = select(plain, vec2<u32>(0u, 0x7ff80000u), missing);",
            ]
        if self.keys == 2:
            sign = " ^ 0x80000000u" if kind == "i" else ""
            return [f"let value = vec2<u32>(low, high{sign});"]
        if self.dtype is DType.F32:
            return [
                "let plain = low ^ select(0x80000000u, 0xffffffffu, low < 0x80000000u);",
                "let value = select(plain, 0x7fc00000u, low == 0xffffffffu);",
            ]
        if self.dtype is DType.BOOL:
            return ["let value = low != 0u;"]
        if kind == "i":
            return [
                f"let value = extractBits(bitcast<i32>(low ^ {1 << bits - 1:#x}u), 0u, {bits}u);"
            ]
        return ["let value = low;"]

    def _stores(self) -> list[str]:
        """Values from their keys, as neighbouring lanes write them."""
        turn = self.radix.turn()
        keys = [f"let {name} = {turn}{name}s[at];" for name in self.held]
        written = layout.store_element("out0", self.dtype, "i", "value")
        return self._own_elements([], [*keys, *self._value(), *written])
