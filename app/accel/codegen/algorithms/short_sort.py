"""Sorting lines that fit into workgroup memory: read once, sorted there, written once.

A workgroup has one line, or as many as fit beside each other. An invocation holds the keys and
places of eight elements; each pass ranks them by four bits of the key, as the passes of `sort` do
(Satish, Harris and Garland, 2009), and exchanges them. Where there are several lines, their numbers
are sorted by last, which brings every line together again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.algorithms import sort_shaders
from app.accel.codegen.algorithms.shader_parts import indent, raw, tree
from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Binding, Program
    from app.accel.ir.plan import KernelRequest

OWN = 8
LANES = (256, 512, 1024)
BITS = 4
LEAST_SHARED = 16384
"""Bytes of workgroup memory that every adapter has."""

PLACES = wgsl_text("short_sort/places")
# Counters are pairs of 16 bits: digit d of a lane is half d / 8 of word (d % 8) * lanes + lane.
SHORT = wgsl_template("short_sort/short")
RANK = wgsl_template("short_sort/rank")
DIGIT = wgsl_template("short_sort/digit")


def lanes_for(length: int) -> int:
    """The lanes that hold a line of some length; 0 where it is too long."""
    return next((lanes for lanes in LANES if length <= lanes * OWN), 0)


def fits(lanes: int, abilities: Abilities) -> bool:
    """Whether an adapter's workgroups have so many lanes and the memory for their elements."""
    memory = (LANES.index(lanes) + 1) * LEAST_SHARED
    has_room = lanes <= abilities.workgroup_lanes and memory <= abilities.workgroup_bytes
    return lanes == LANES[0] or has_room


def line_bits(lanes: int, length: int) -> int:
    """Bits of the number of a line among those that a workgroup has; 0 where it has one."""
    tile = lanes * OWN
    return ((tile - 1) // length).bit_length() if tile // length > 1 else 0


class Shaders(sort_shaders.Shaders):
    """The shader of one request.

    Attributes:
        lanes: of a workgroup.
    """

    def __init__(self, request: KernelRequest, abilities: Abilities, lanes: int) -> None:
        super().__init__(request, abilities)
        self.functions, self.lanes = "", lanes
        self.words_held = ["low", "high"][: self.keys]

    def program_of_lines(self) -> Program:
        """The one shader."""
        tile, size = self.lanes * OWN, self.lanes
        bits = 8 * self.dtype.size
        word = "low" if self.keys == 1 else "select(low, high, shift >= 32u)"
        words = ", ".join(f"{name}: u32" for name in self.words_held)
        shared = (
            f"var<workgroup> held: array<u32, {tile + tile // 32}>;",
            tree(size),
            PLACES,
            DIGIT.format(words=words, word=word, bits=bits),
        )
        bindings, stores = self._stores()
        held = ", ".join(f"{name}{{k}}" for name in self.words_held)
        ranks = [RANK.format(k=k, size=size, words=held.format(k=k)) for k in range(OWN)]
        places = [
            f"        r{k} = r{k} + ((held[at{k}] >> half{k}) & 0xffffu);" for k in range(OWN)
        ]
        run = "pad(lane * 8u + {k}u)"
        return self.program(
            f"short {tile}",
            SHORT,
            bindings,
            "\n".join(shared),
            scratch="",
            size=size,
            tile=tile,
            bits=bits,
            load="\n".join(self._load()),
            ranks="\n".join(ranks),
            places="\n".join(places),
            exchange="\n".join(self._exchange("pad(r{k})", run)),
            spread="\n".join(self._exchange(run, self._striped_place())),
            stores="\n".join(stores),
        )

    def _striped_place(self) -> str:
        """The place of a lane's elements where neighbouring lanes have neighbouring elements."""
        return f"pad({{k}} * {self.lanes}u + lane)".replace("{k}", "{k}u")

    def _load(self) -> list[str]:
        """Keys as neighbouring lanes read them, then in runs of eight; places are counted."""
        lines = []
        for k in range(OWN):
            lines += [f"    var {name}{k} = 0xffffffffu;" for name in self.words_held]
            lines += [
                f"    var place{k} = lane * 8u + {k}u;",
                f"    if ({k * self.lanes}u + lane < here) {{",
                f"        let i = source(line, {k * self.lanes}u + lane);",
                *(f"        {statement}" for statement in self.key_statements()),
                *(f"        {name}{k} = {name};" for name in self.words_held),
                "    }",
            ]
        return lines + self._exchange(self._striped_place(), "pad(lane * 8u + {k}u)", places=False)

    def _exchange(self, to: str, from_: str, *, places: bool = True) -> list[str]:
        """Each word of the elements from the lanes that have it to those that go on with it."""
        lines = []
        for name in [*self.words_held, *(["place"] if places else [])]:
            lines.append("    workgroupBarrier();")
            lines += [f"    held[{to.format(k=k)}] = {name}{k};" for k in range(OWN)]
            lines.append("    workgroupBarrier();")
            lines += [f"    {name}{k} = held[{from_.format(k=k)}];" for k in range(OWN)]
        return lines

    def _stores(self) -> tuple[dict[Binding, str], list[str]]:
        """What is bound, and the statements that write results: the sorted values from their keys
        where these tell them, or from where they were."""
        bindings = {sort_shaders.INPUT: raw(self.dtype)}
        each = list[str]()
        for number, result in enumerate(self.request.reductions):
            output, entry = self.target(number, result.dtype)
            if result.op == "sort":
                bindings[output] = entry
                plain = self.dtype is DType.F32
                each += (
                    sort_shaders.SINGLE.format(k=number).splitlines()
                    if plain
                    else self.moved(number, self.dtype, "to", "at")
                )
            else:
                bindings[output] = layout.entries(result.dtype, False)
                each.append(f"out{number}[to] = f64(was % n + 1u);")
        lines = []
        for k in range(OWN):
            lines += [
                f"    if ({k * self.lanes}u + lane < here) {{",
                f"        let to = source(line, {k * self.lanes}u + lane);",
                f"        let was = place{k}; let at = source(line, was);",
                f"        let key = {self.turn()}low{k};",
                *indent([f"    {line}" for line in each]).splitlines(),
                "    }",
            ]
        return bindings, lines
