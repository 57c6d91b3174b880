"""Sorting by eight bits at a time, where the lanes of a subgroup can vote.

A workgroup's tile is cut into bands, one per subgroup. A band ranks as many elements at once as it
has lanes: eight votes say which lanes have the same digit, the lowest of them counts them all, and
each comes after those below (Adinets and Merrill, "Onesweep", 2022, without its look-back).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.codegen.algorithms import sort_shaders
from app.accel.codegen.algorithms.shader_parts import BANDED_HEAD, WORKGROUP

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Program

OWN = 8
BITS = 8
EXACT = 32
"""Where subgroups have at least so many lanes, they have exactly so many."""
HALF = 1 << (BITS - 1)
NARROW = """\
// The lanes whose digit is the same.
fn alike(digit: u32, counts: bool) -> u32 {{
    var lanes = subgroupBallot(counts).x;
{votes}
    return lanes;
}}
fn counted(lanes: u32) -> u32 {{ return countOneBits(lanes); }}
fn below(slot: u32) -> u32 {{ return (1u << slot) - 1u; }}
fn lowest(lanes: u32) -> u32 {{ return countTrailingZeros(lanes); }}
"""
WIDE = """\
// The lanes whose digit is the same.
fn alike(digit: u32, counts: bool) -> vec4<u32> {{
    var lanes = subgroupBallot(counts);
{votes}
    return lanes;
}}
fn counted(lanes: vec4<u32>) -> u32 {{
    let ones = countOneBits(lanes);
    return ones.x + ones.y + ones.z + ones.w;
}}
fn below(slot: u32) -> vec4<u32> {{
    let more = vec4<u32>(slot) - min(vec4<u32>(slot), vec4<u32>(0u, 32u, 64u, 96u));
    let part = (vec4<u32>(1u) << (more & vec4<u32>(31u))) - vec4<u32>(1u);
    return select(part, vec4<u32>(0xffffffffu), more >= vec4<u32>(32u));
}}
fn lowest(lanes: vec4<u32>) -> u32 {{
    if (lanes.x != 0u) {{ return countTrailingZeros(lanes.x); }}
    if (lanes.y != 0u) {{ return 32u + countTrailingZeros(lanes.y); }}
    if (lanes.z != 0u) {{ return 64u + countTrailingZeros(lanes.z); }}
    return 96u + countTrailingZeros(lanes.w);
}}
"""
VOTE = """\
    let one{bit} = ((digit >> {bit}u) & 1u) == 1u;
    let votes{bit} = subgroupBallot(one{bit}){part};
    lanes = lanes & select(~votes{bit}, votes{bit}, {same});"""
BEFORE = """\
// The sum of the lanes before, over the workgroup.
fn before(value: u32, band: u32, slot: u32, slots: u32) -> u32 {
    let inside = subgroupExclusiveAdd(value);
    workgroupBarrier();
    if (slot == slots - 1u) { band_sums[band] = inside + value; }
    workgroupBarrier();
    var sum = inside;
    for (var k = 0u; k < band; k = k + 1u) { sum = sum + band_sums[k]; }
    return sum;
}
"""
# Counters are pairs of 16 bits: digit d of a band is half d / 128 of word d % 128.
MOVE = """\
    if (number >= p[1].x) {{ return; }}
    let from_ = p[1].y;
    let first = number * {tile}u;
    let mine = first + band * slots * {own}u + slot;
    for (var k = lane; k < {counters}u; k = k + {size}u) {{ atomicStore(&counters[k], 0u); }}
    let low = below(slot);
    workgroupBarrier();
{ranks}
    workgroupBarrier();
    if (lane < {half}u) {{
        var sum = 0u;
        for (var k = 0u; k < {size}u / slots; k = k + 1u) {{
            let next = atomicLoad(&counters[k * {half}u + lane]);
            atomicStore(&counters[k * {half}u + lane], sum);
            sum = sum + next;
        }}
        starts[lane] = sum;
    }}
    workgroupBarrier();
    let own = (starts[lane % {half}u] >> (lane / {half}u * 16u)) & 0xffffu;
    let start = before(own, band, slot, slots);
    let at = scratch[counts(lane, number)] + before(scratch[sums(lane)], band, slot, slots);
    starts[lane] = start;
    base[lane] = at - start;
    workgroupBarrier();
{places}
    workgroupBarrier();
{targets}
    workgroupBarrier();
    let count = min(total() - first, {tile}u);
{fetch}
{words}
}}"""
RANK = """\
    let i{k} = mine + {k}u * slots;
    let have{k} = i{k} < total();
    var d{k} = 0u; var key{k} = 0u;
    if (have{k}) {{ key{k} = taken(from_, 0u, i{k}); d{k} = digit(from_, i{k}); }}
    let word{k} = band * {half}u + d{k} % {half}u; let shift{k} = d{k} / {half}u * 16u;
    let same{k} = alike(d{k}, have{k});
    let rank{k} = counted(same{k} & low);
    var r{k} = 0u;
    if (have{k} && rank{k} == 0u) {{
        r{k} = atomicAdd(&counters[word{k}], counted(same{k}) << shift{k});
    }}
    r{k} = subgroupShuffle(r{k}, min(lowest(same{k}), slots - 1u)) >> shift{k};
    r{k} = (r{k} & 0xffffu) + rank{k};
    subgroupBarrier();"""


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
