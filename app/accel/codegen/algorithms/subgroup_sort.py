"""Sorting by eight bits at a time, where the lanes of a subgroup can vote.

A workgroup's tile is cut into bands, one per subgroup. A band ranks as many elements at once as it
has lanes: eight votes say which lanes have the same digit, the lowest of them counts them all, and
each comes after those below (Adinets and Merrill, "Onesweep", 2022, without its look-back).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.codegen.algorithms import sort_shaders
from app.accel.codegen.algorithms.shader_parts import BANDED_HEAD, WORKGROUP
from app.accel.codegen.wgsl.shader_files import wgsl_template, wgsl_text

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program

OWN = 8
BITS = 8
EXACT = 32
"""Where subgroups have at least so many lanes, they have exactly so many."""
HALF = 1 << (BITS - 1)
NARROW = wgsl_template("subgroup_sort/narrow")
WIDE = wgsl_template("subgroup_sort/wide")
VOTE = wgsl_template("subgroup_sort/vote")
BEFORE = wgsl_text("subgroup_sort/before")
# Counters are pairs of 16 bits: digit d of a band is half d / 128 of word d % 128.
MOVE = wgsl_template("subgroup_sort/move")
RANK = wgsl_template("subgroup_sort/rank")


def fit(abilities: Abilities) -> bool:
    """Whether the counters of all bands and a tile fit the adapter's workgroup memory."""
    lanes = abilities.subgroup_lanes
    bands = WORKGROUP // max(lanes, 1)
    return bool(lanes) and 4 * (bands * HALF + OWN * WORKGROUP + 3 * WORKGROUP) <= (
        abilities.workgroup_bytes
    )


class Shaders(sort_shaders.Shaders):
    """The shaders of one request."""

    bits, tile, copies = BITS, OWN * WORKGROUP, 8

    def _ranking(self) -> str:
        """Functions that find the lanes with the same digit; a mask of 32 lanes is one word."""
        narrow = self.abilities.subgroup_lanes == EXACT
        part, same = (".x", "one{bit}") if narrow else ("", "vec4<bool>(one{bit})")
        votes = [VOTE.format(bit=bit, part=part, same=same.format(bit=bit)) for bit in range(BITS)]
        return (NARROW if narrow else WIDE).format(votes="\n".join(votes)) + BEFORE

    def move(self, *, first: bool = False) -> Program:
        """Every element to its place by this digit."""
        digits, inputs = self.digits(first)
        bands = WORKGROUP // self.abilities.subgroup_lanes
        each = range(OWN)
        parts = {
            "ranks": [RANK.format(k=k, half=HALF) for k in each],
            "places": [
                f"    if (have{k}) {{ r{k} = r{k} + starts[d{k}] + "
                f"((atomicLoad(&counters[word{k}]) >> shift{k}) & 0xffffu); }}"
                for k in each
            ],
            "targets": [f"    if (have{k}) {{ held[r{k}] = base[d{k}] + r{k}; }}" for k in each],
            "fetch": [f"    let to{k} = held[lane + {k * WORKGROUP}u];" for k in each],
            "words": self.words_moved(OWN, "i{k}", "key{k}"),
        }
        shared = (
            f"var<workgroup> held: array<u32, {self.tile}>;",
            f"var<workgroup> counters: array<atomic<u32>, {bands * HALF}>;",
            f"var<workgroup> starts: array<u32, {WORKGROUP}>;",
            f"var<workgroup> base: array<u32, {WORKGROUP}>;",
            f"var<workgroup> band_sums: array<u32, {bands}>;",
            digits,
            self._ranking(),
        )
        texts: dict[str, Any] = {name: "\n".join(lines) for name, lines in parts.items()}
        return self.program(
            "move",
            MOVE,
            inputs,
            "\n".join(shared),
            head=BANDED_HEAD,
            tile=self.tile,
            own=OWN,
            half=HALF,
            counters=bands * HALF,
            **texts,
        )
