"""What the shaders of algorithms have in common: how they begin, move elements and add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.accel.codegen.wgsl import layout
from app.accel.codegen.wgsl.emit import arrange
from app.accel.codegen.wgsl.program import Binding, Program, Role, declarations
from app.accel.codegen.wgsl.shader_files import wgsl_template
from app.accel.ir.dtypes import DType

if TYPE_CHECKING:
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.ir.plan import KernelRequest

WORKGROUP = 256
SCRATCH = Binding(Role.SCRATCH, 0, writable=True)

HEAD = wgsl_template("shader_parts/head")
BANDED_HEAD = HEAD.replace("local_invocation_index) lane", "subgroup_invocation_id) slot").replace(
    "slot: u32) {{",
    """slot: u32,
        @builtin(subgroup_size) slots: u32, @builtin(subgroup_id) band: u32) {{
    let lane = band * slots + slot;""",
)
"""The head of a function whose lanes are numbered subgroup after subgroup."""
SCANNED = wgsl_template("shader_parts/scanned")
"""From every lane's ``sum``: ``before``, the sums of the lanes below, and the total in the last
place of `tree`."""


def tree(size: int) -> str:
    """The memory that a scan over so many lanes takes."""
    return f"var<workgroup> tree: array<u32, {size}>;"


TREE = tree(WORKGROUP)


def raw(dtype: DType) -> str:
    """The storage entries by which elements move without being looked at: a NaN keeps its bits."""
    if dtype.size == 8 and not dtype.is_complex:
        return "vec2<u32>"
    return "u32" if dtype is DType.F32 else layout.entries(dtype, False)


class Writer:
    """Writes the shaders of one request.

    Attributes:
        request: what is computed.
        abilities: what the adapter's shaders can do.
        words: places of the parameters.
        functions: WGSL functions of every shader.
    """

    def __init__(self, request: KernelRequest, abilities: Abilities, functions: str = "") -> None:
        self.request, self.abilities, self.functions = request, abilities, functions
        self.words = arrange(request.rank, request.rank, 0, ())

    def program(
        self,
        kind: str,
        text: str,
        bindings: dict[Binding, str],
        shared: str = "",
        scratch: str = "u32",
        head: str = HEAD,
        size: int = WORKGROUP,
        **names: Any,
    ) -> Program:
        """One shader from the text of its main function, with scratch memory of some entries."""
        bindings = bindings | ({SCRATCH: scratch} if scratch else {})
        head = head.format(size=size, functions=self.functions)
        scanned = SCANNED.format(size=size)
        main = text.format(size=size, last=size - 1, scanned=scanned, **names)
        parts = [
            f"// {self.request.label}: {kind}",
            declarations(tuple(bindings), bindings, self.words),
            shared,
            head,
            main,
        ]
        label = f"{self.request.reductions[0].op} {kind}"
        return Program(
            "\n".join(parts) + "\n",
            tuple(bindings),
            self.words,
            (size, 1, 1),
            size,
            kind=label,
            scratch=4 if scratch else 0,
        )

    def moved(self, output: int, dtype: DType, to: str, at: str, array: str = "in0") -> list[str]:
        """Statements that copy an element of an input as it is."""
        value = layout.load_element(array, dtype, at)
        return layout.store_element(f"out{output}", dtype, to, value)

    def target(self, output: int, dtype: DType) -> tuple[Binding, str]:
        """The binding of an output of raw elements."""
        packed = layout.LAYOUTS[dtype].packed > 1
        return Binding(Role.OUTPUT, output, writable=True), "atomic<u32>" if packed else raw(dtype)


def indent(lines: list[str]) -> str:
    """Statements of a main function."""
    return "\n".join(f"    {line}" for line in lines)
