"""What a generator hands to a provider."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.emit import Words


class Role(Enum):
    """What a storage binding is bound to."""

    INPUT = "input"
    OUTPUT = "output"
    STATUS = "status"
    SCRATCH = "scratch"


@record
class Binding:
    """A storage binding after the parameters (binding 0, a uniform).

    Attributes:
        role: what it is bound to.
        number: which input or output.
        writable: read and write.
    """

    role: Role
    number: int = 0
    writable: bool = False


@record
class Variant:
    """What is known of a dispatch's places when code is generated.

    Attributes:
        loose: FLAT maps whose offset is no multiple of four.
        shared: (input, output) bindings that are the same buffer.
        mode: template's own choice of algorithm.
        rows: STRIDED maps whose rows are whole aligned quads.
    """

    loose: frozenset[int] = frozenset()
    shared: tuple[tuple[int, int], ...] = ()
    mode: str = ""
    rows: frozenset[int] = frozenset()


@record
class Program:
    """A shader with everything needed to bind and launch it.

    Attributes:
        source: the WGSL text.
        bindings: storage bindings in order, numbered from 1.
        words: layout of the parameters.
        workgroup: invocations of a workgroup.
        per_group: points that one workgroup handles.
        entry: name of the entry point.
        kind: how it is launched; see `launch`.
        scratch: bytes of one partial result, where it reads or writes such.
    """

    source: str
    bindings: tuple[Binding, ...]
    words: Words
    workgroup: tuple[int, int, int]
    per_group: int
    entry: str = "main"
    kind: str = "map"
    scratch: int = 0


def declarations(bindings: tuple[Binding, ...], types: dict[Binding, str], words: Words) -> str:
    """WGSL of the bindings."""
    lines = [f"@group(0) @binding(0) var<uniform> p: array<vec4<u32>, {words.total // 4}>;"]
    names = {Role.INPUT: "in", Role.OUTPUT: "out", Role.STATUS: "status", Role.SCRATCH: "scratch"}
    for place, binding in enumerate(bindings, 1):
        access = "read_write" if binding.writable else "read"
        number = binding.number if binding.role in {Role.INPUT, Role.OUTPUT} else ""
        lines.append(
            f"@group(0) @binding({place}) var<storage, {access}> "
            f"{names[binding.role]}{number}: array<{types[binding]}>;"
        )
    return "\n".join(lines)
