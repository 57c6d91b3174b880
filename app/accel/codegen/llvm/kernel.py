"""Whole kernels: the walk over a range of points, and the loop inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.codegen.elementary.assembly import Writer, library
from app.accel.codegen.llvm import llvm_totals
from app.accel.codegen.llvm.body import Body, Variant, Words
from app.accel.codegen.llvm.llvm_values import Code, element
from app.accel.ir.dtypes import DType
from app.records import record

if TYPE_CHECKING:
    from app.accel.ir.plan import Instr, KernelRequest, LoopSpec, Store

ENTRY = "kernel"
LOOK = 256
"""Passes of a loop after which it looks whether it shall stop."""
LEFT, STOPPED = 1, 2
"""Bits of the answer: a guard was left; the flag was seen."""


@record
class Section:
    """The part of a request that one kernel does.

    Attributes:
        instructions: what is computed, the first one's number being `first`.
        stores: what is written to outputs.
        dense: values that are handed over in dense arrays.
        results: dense arrays that ``result`` reads, by reduction: their types.
        loop: the loop between `instructions` and `closing`.
        closing: what is computed after the loop.
    """

    instructions: tuple[Instr, ...]
    first: int
    stores: tuple[Store, ...]
    dense: tuple[int, ...] = ()
    results: tuple[DType, ...] = ()
    loop: LoopSpec | None = None
    closing: tuple[Instr, ...] = ()

    @property
    def denses(self) -> int:
        """Arrays of its own: dense ones, or a number per pass for each total of its loop."""
        return len(self.dense) + len(self.results) + (len(self.loop.totals) if self.loop else 0)


def text(request: KernelRequest, section: Section, variant: Variant) -> str:
    """The module. Raises Unsupported where something has no machine code."""
    return _Kernel(request, section, variant).text()


class _Kernel:
    """Writes one kernel: ``i32 kernel(words, first, last, first row, last row)``."""

    def __init__(self, request: KernelRequest, section: Section, variant: Variant) -> None:
        self.request, self.section, self.variant = request, section, variant
        self.writer = Writer(variant.lanes)
        self.code = Code(self.writer)
        self.words = Words(request, section.denses)
        self.body = Body(request, self.code, variant, self.words)
        self.body.results = {
            k: (len(section.dense) + k, dtype) for k, dtype in enumerate(section.results)
        }

    def text(self) -> str:
        """The module's text."""
        w, section = self.writer, self.section
        self._arguments()
        self.body.left = w.variable("i1", "false")
        self.body.prepare(section.instructions, section.first)
        if section.loop is not None:
            self.body.prepare(section.loop.steps, self._steps_first)
            self.body.prepare(section.closing, self._closing_first)
        self._rows() if self.variant.rows else self._range()
        left = w.get("i1", self.body.left)
        w.write(f"ret i32 {w.let(f'select i1 {left}, i32 {LEFT}, i32 0')}")
        w.block("stopped")
        w.write(f"ret i32 {STOPPED}")
        head = f"define i32 @{ENTRY}(ptr %words, i64 %i0, i64 %i1, i64 %r0, i64 %r1) #0 {{"
        functions = library(self.code.functions, fused=self.variant.fused)
        wide = 'attributes #0 = { nounwind "prefer-vector-width"="512" }'
        return "\n".join(
            (
                functions,
                *self.code.helpers.values(),
                head,
                "entry:",
                *w.variables,
                *w.lines,
                "}",
                wide,
                "",
            )
        )

    @property
    def _steps_first(self) -> int:
        return self.section.first + len(self.section.instructions)

    @property
    def _closing_first(self) -> int:
        loop = self.section.loop
        return self._steps_first + (len(loop.steps) if loop else 0)

    def _arguments(self) -> None:
        w, words = self.writer, self.words
        for number in range(words.stop + 1):
            place = w.let(f"getelementptr i64, ptr %words, i64 {number}")
            kind = "ptr" if number < words.map(0) or number == words.stop else "i64"
            self.body.known[number] = w.let(f"load {kind}, ptr {place}")

    def _begin_loop(self, first: str, last: str, step: str, name: str) -> tuple[str, str, str]:
        """Begin a loop of places: its variable, its present value, the label that ends it."""
        w = self.writer
        variable = w.variable("i64", first)
        again, inside, after = (f"{name}.{part}" for part in ("again", "inside", "after"))
        w.jump(again)
        w.block(again)
        value = w.get("i64", variable)
        w.branch(w.let(f"icmp slt i64 {value}, {last}"), inside, after)
        w.block(inside)
        w.put("i64", variable, w.let(f"add i64 {value}, {step}"))
        return value, again, after

    def _rows(self) -> None:
        w, body, rank = self.writer, self.body, self.request.rank
        body.row, again, after = self._begin_loop("%r0", "%r1", "1", "row")
        body.coordinates, rest = [""], body.row
        for k in range(1, rank):
            extent = body.word(self.words.extents + k)
            last = k == rank - 1
            body.coordinates.append(rest if last else w.let(f"urem i64 {rest}, {extent}"))
            rest = rest if last else w.let(f"udiv i64 {rest}, {extent}")
        length = w.let("sub i64 %i1, %i0")
        before = w.let(f"mul i64 {w.let(f'sub i64 {body.row}, %r0')}, {length}")
        self._range(w.let(f"sub i64 {before}, %i0"))
        w.jump(again)
        w.block(after)

    def _range(self, local: str = "") -> None:
        """Points from i0 to i1, so many at a time."""
        w, body, lanes = self.writer, self.body, self.variant.lanes
        if not local:
            local = w.let("sub i64 0, %i0")
        walk = self._walk_begins()
        body.index, again, after = self._begin_loop("%i0", "%i1", str(lanes), "point")
        body.local = w.let(f"add i64 {local}, {body.index}")
        rest = w.let(f"sub i64 %i1, {body.index}")
        body.full = w.let(f"icmp sge i64 {rest}, {lanes}")
        least = w.let(f"call i64 @llvm.smin.i64(i64 {rest}, i64 {lanes})")
        short = w.let(f"trunc i64 {least} to i32")
        body.mask = self.code.binary(
            "icmp ult", DType.U32, self.code.steps("i32"), self.code.splat("i32", short)
        )
        if walk:
            body.coordinates = [w.get(w.vector("i64"), v) for v in walk]
        self._points()
        if walk:
            self._walk_on(walk)
        w.jump(again)
        w.block(after)

    def _points(self) -> None:
        """One step of the walk."""
        body, section = self.body, self.section
        body.statements(section.instructions, section.first)
        if section.loop is not None:
            self._passes(section.loop)
            body.statements(section.closing, self._closing_first)
        for store in section.stores:
            body.store(store)
        for place, number in enumerate(section.dense):
            base = body.word(self.words.denses + place)
            body.put(base, body.dtypes[number], "next", body.local, body.values[number])

    # --- coordinates along the linear index --------------------------------------------------

    def _walk_begins(self) -> list[str]:
        """Variables of the lanes' coordinates."""
        w, code, rank = self.writer, self.code, self.request.rank
        if self.variant.rows or rank == 1:
            if rank == 1 and not self.variant.rows:
                self.body.coordinates = []
                return self._only_axis()
            return []
        rest = code.binary("add", DType.I64, code.splat("i64", "%i0"), code.steps("i64"))
        found = []
        for k in range(rank):
            extent = code.splat("i64", self.body.word(self.words.extents + k))
            last = k == rank - 1
            here = rest if last else code.binary("urem", DType.I64, rest, extent)
            rest = rest if last else code.binary("udiv", DType.I64, rest, extent)
            found.append(w.variable(w.vector("i64"), here))
        return found

    def _only_axis(self) -> list[str]:
        code, w = self.code, self.writer
        first = code.binary("add", DType.I64, code.splat("i64", "%i0"), code.steps("i64"))
        return [w.variable(w.vector("i64"), first)]

    def _walk_on(self, walk: list[str]) -> None:
        """Add the lanes to the coordinates, digit by digit."""
        w, code, vector = self.writer, self.code, self.writer.vector("i64")
        rest, carry = str(self.variant.lanes), "zeroinitializer"
        for k, variable in enumerate(walk):
            extent = self.body.word(self.words.extents + k)
            last = k == len(walk) - 1
            digit = rest if last else w.let(f"urem i64 {rest}, {extent}")
            rest = rest if last else w.let(f"udiv i64 {rest}, {extent}")
            moved = code.binary("add", DType.I64, w.get(vector, variable), code.splat("i64", digit))
            moved = code.binary("add", DType.I64, moved, carry)
            if not last:
                whole = code.splat("i64", extent)
                over = code.binary("icmp uge", DType.I64, moved, whole)
                less = code.binary("sub", DType.I64, moved, whole)
                moved = code.select(over, DType.I64, less, moved)
                carry = code.convert("zext", over, DType.BOOL, DType.I64)
            w.put(vector, variable, moved)

    # --- the loop inside ---------------------------------------------------------------------

    def _passes(self, loop: LoopSpec) -> None:
        """All passes for the points of one step, their state in registers."""
        w, body, code = self.writer, self.body, self.code
        body.carries = []
        for number in loop.initial:
            dtype = body.dtypes[number]
            element(dtype)
            body.carries.append((dtype, w.variable(code.type(dtype), body.values[number])))
        trips = body.word(self.words.param(loop.trips))
        body.pass_, again, after = self._begin_loop("0", trips, "1", "pass")
        self._write_stop_check()
        body.statements(loop.steps, self._steps_first)
        for store in loop.stores:
            body.store(store)
        for place, total in enumerate(loop.totals):
            llvm_totals.take(body, total, body.word(self.words.denses + place))
        news = [body.values[number] for number in loop.following]
        for (dtype, variable), new in zip(body.carries, news, strict=True):
            w.put(code.type(dtype), variable, new)
        w.jump(again)
        w.block(after)
        body.pass_ = ""

    def _write_stop_check(self) -> None:
        """End everything where the flag is up."""
        w, body = self.writer, self.body
        low = w.let(f"and i64 {body.pass_}, {LOOK - 1}")
        look, go = w.fresh("b"), w.fresh("b")
        w.branch(w.let(f"icmp eq i64 {low}, {LOOK - 1}"), look, go)
        w.block(look)
        flag = w.let(f"load volatile i32, ptr {body.word(self.words.stop)}")
        w.branch(w.let(f"icmp ne i32 {flag}, 0"), "stopped", go)
        w.block(go)
