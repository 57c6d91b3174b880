"""Whole arrays: an array is described by its size and its elements, and stored when assigned.

Elements are computed one by one in one loop, so that ``y = 2*x(:, k) - z`` needs no intermediate
array. A size that is certainly one is the operand ``1``; what has one row and one column is a
scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.capture.lazy_limits import LONG
from app.engine.jit.builder import Builder, Refused, Val
from app.engine.jit.complexes import as_complex, normal
from app.engine.jit.jit_arithmetic import Arithmetic
from app.engine.jit.jit_types import C128, CHAR, F64, SCALARS, Kind, Type, array_type
from app.engine.jit.layout import column_of, place_of, row_and_column, row_of, same_rows
from app.engine.jit.variables import BORROWED, FIELDS, Variables
from app.records import record
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.program import Program

RELATIONS = frozenset(("<", "<=", ">", ">=", "==", "~="))
MOST_LISTED = 64
MOST_COMPUTED = LONG
"""Elements of an array that is computed here; longer ones are computed on all cores elsewhere."""


@record
class Array:
    """An array that has not been stored.

    Attributes:
        kind: the class of its elements.
        rows: how many, as an ``i64``.
        columns: how many.
        pages: how many in the third dimension.
        element: gives the element at a 0-based position.
        computed: True when that is more than a copy.
        data: where its elements lie one after the other; empty where they do not.
        fresh: True when they lie where nothing else can change them.
        turned: the array whose transpose it is.
        real: of complex numbers, whether all are real, as an ``i1``; empty where it is not known.
    """

    kind: Kind
    rows: str
    columns: str
    element: Callable[[str], Val]
    computed: bool = False
    data: str = ""
    fresh: bool = False
    turned: Array | None = None
    pages: str = "1"
    real: str = ""

    @property
    def is_vector(self) -> bool:
        """Whether it certainly has one row or one column, and one page."""
        return "1" in (self.rows, self.columns) and self.pages == "1"


Operand = Val | Array


def type_of_operand(made: Operand) -> Type:
    """The type of a variable that takes a value."""
    if isinstance(made, Val):
        return made.type
    return array_type(made.kind, made.rows, made.columns, made.pages)


class Arrays:
    """Arrays of variables, elementwise operators, and storing.

    Attributes:
        program: what is being compiled.
        keep_scratch: makes an array known that no variable names.
    """

    def __init__(
        self,
        out: Builder,
        program: Program,
        arithmetic: Arithmetic,
        variables: Variables,
        keep_scratch: Callable[[str], None],
    ) -> None:
        self.out = out
        self.program = program
        self.arithmetic = arithmetic
        self.variables = variables
        self.keep_scratch = keep_scratch

    def variable(self, name: str) -> Array:
        """The array that a variable holds."""
        self.variables.check_set(name)
        kind = self.variables.env[name].kind
        assert kind is not None
        if self.variables.env[name].inner:
            raise Refused(f"'{name}' of more than three dimensions as a whole")
        rows, columns, pages = self.variables.extents(name)
        return self.array_at(kind, rows, columns, self.variables.part(name, "p"), pages=pages)

    def array_at(
        self,
        kind: Kind,
        rows: str,
        columns: str,
        data: str,
        fresh: bool = False,
        pages: str = "1",
    ) -> Array:
        """An array in memory."""

        def element(k: str) -> Val:
            return self.variables.element(data, k, kind)

        return Array(kind, rows, columns, element, data=data, fresh=fresh, pages=pages)

    def text_array(self, text: str, span: Span) -> Array:
        """A literal text."""
        if len(text) > MOST_LISTED:
            raise Refused("a long text", span)
        if not text:
            return Array(CHAR, "0", "0", lambda k: Val(SCALARS["char"], "0"))
        return self.array_of([Val(SCALARS["char"], str(ord(c))) for c in text], CHAR, 1)

    def count_of(self, a: Array) -> str:
        """The number of elements."""
        if a.is_vector:
            return a.columns if a.rows == "1" else a.rows
        return self.out.product(a.rows, a.columns, a.pages)

    def facts_of(self, a: Array) -> tuple[str, ...]:
        """The facts, in the order of `FIELDS`, by which an array in memory is lent."""
        return a.data, self.count_of(a), a.rows, a.columns, "0", str(BORROWED)

    def scalar_or_array(self, a: Array) -> Operand:
        """``a`` itself, or its element where it is a scalar."""
        return normal(self.out, a.element("0")) if a.rows == a.columns == a.pages == "1" else a

    # --- element by element ---

    def kind_of(self, made: Callable[[], Val]) -> Kind:
        """The class of a value; what computing it would do is forgotten."""
        mark = self.out.mark()
        kind = kind_of(made())
        self.out.undo(mark)
        return kind

    def map(self, a: Array, function: Callable[[Val], Val]) -> Array:
        """A function of every element."""
        kind = self.kind_of(lambda: function(some(a.kind)))

        def element(k: str) -> Val:
            return function(a.element(k))

        return Array(kind, a.rows, a.columns, element, computed=True, pages=a.pages)

    def broadcast(
        self,
        first: Operand,
        second: Operand,
        join: Callable[[Val, Val], Val],
        mixed: bool = False,
    ) -> Operand:
        """An operator between elements; what has one row or column is repeated."""
        if isinstance(first, Val) and isinstance(second, Val):
            return join(first, second)
        left, right = self._as_array(first), self._as_array(second)
        if not mixed and isinstance(first, Array) and isinstance(second, Array):
            self._refuse_mixed(left, right)
        if left.pages != "1" or right.pages != "1":
            left, right = self._pages_alike(left, right)
        pages = right.pages if left.pages == "1" else left.pages
        rows = self._extent_of_both(left.rows, right.rows)
        columns = self._extent_of_both(left.columns, right.columns)
        left, right = (self.repeat(a, rows, columns) for a in (left, right))
        kind = self.kind_of(lambda: join(some(left.kind), some(right.kind)))

        def element(k: str) -> Val:
            for a in (left, right):
                same_rows(self.out, k, rows, a.rows)
            return join(left.element(k), right.element(k))

        made = Array(kind, rows, columns, element, computed=True, pages=pages)
        return self.scalar_or_array(made)

    def _pages_alike(self, a: Array, b: Array) -> tuple[Array, Array]:
        """Two arrays of one size, or one beside a number."""
        if any(x.rows == x.columns == x.pages == "1" for x in (a, b)):
            return a, b
        for p, q in ((a.rows, b.rows), (a.columns, b.columns), (a.pages, b.pages)):
            if p != q:
                self.out.require(self.out.op(f"icmp eq i64 {p}, {q}"))
        return a, replace(b, rows=a.rows, columns=a.columns, pages=a.pages)

    def _as_array(self, v: Operand) -> Array:
        if isinstance(v, Array):
            return v
        return Array(kind_of(v), "1", "1", lambda k: v)

    def _refuse_mixed(self, a: Array, b: Array) -> None:
        """Integers beside doubles, of which one has to be a scalar."""
        integers = a.kind.is_integer != b.kind.is_integer
        if integers and (a.kind.is_float or b.kind.is_float or CHAR in {a.kind, b.kind}):
            for a_or_b in (a, b):
                self.out.require(self.out.op(f"icmp eq i64 {self.count_of(a_or_b)}, 1"))

    def _extent_of_both(self, p: str, q: str) -> str:
        if p == "1" or q in ("1", p):
            return q if p == "1" else p
        self.out.require(self.out.op(f"icmp eq i64 {p}, {q}"))
        return p

    def repeat(self, a: Array, rows: str, columns: str) -> Array:
        """``a`` as an array whose elements are those of that size."""
        if (a.rows == "1") == (rows == "1") and (a.columns == "1") == (columns == "1"):
            return a
        if a.rows == a.columns == "1":
            only = a.element("0")
            return replace(a, element=lambda k: only)
        source = self.in_memory(a) if a.computed else a
        if a.columns == "1":
            return replace(a, element=lambda k: source.element(row_of(self.out, k, rows)))
        return replace(a, element=lambda k: source.element(column_of(self.out, k, rows)))

    def operate(self, op: str, left: Operand, right: Operand, span: Span) -> Operand:
        """An operator that works element by element."""

        def join(a: Val, b: Val) -> Val:
            if op in RELATIONS:
                return self.arithmetic.compare(op, a, b, span)
            if op in {"&", "|"}:
                return self.arithmetic.logical_operator(op, a, b)
            return self.arithmetic.binary(op, a, b, span)

        return self.broadcast(left, right, join, mixed=op in RELATIONS)

    def transpose_of(self, a: Array) -> Array:
        """The transpose."""
        if a.is_vector:
            return replace(a, rows=a.columns, columns=a.rows, turned=a)

        def element(k: str) -> Val:
            row, column = row_and_column(self.out, k, a.columns)
            return a.element(place_of(self.out, column, row, a.rows))

        if a.turned is not None:
            return a.turned
        return Array(a.kind, a.columns, a.rows, element, a.computed, turned=a)

    def array_of(self, values: list[Val], kind: Kind, rows: int) -> Array:
        """Values, given by rows, in a slot by columns."""
        columns = len(values) // rows
        slot = self.out.slot(f"%l.{self.out.label('list')}", f"[{len(values)} x {kind.memory}]")
        data = self.out.op(f"getelementptr i8, ptr {slot}, i64 0")
        for k, v in enumerate(values):
            self.variables.put_element(data, str(k // columns + k % columns * rows), v)
        return self.array_at(kind, str(rows), str(columns), data)

    # --- storing ---

    def write_array(self, name: str, array: Array, span: Span) -> None:
        """``name = array``: made apart, then exchanged, so that leaving changes nothing."""
        found = self.variables.note(name, type_of_operand(array), span)
        if not found.array:
            raise Refused(f"'{name}' becomes an array", span)
        if found.kind is C128 is not array.kind:
            array = self.complex_of(array)
        apart = f"{name}.new"
        self.fill(apart, array)
        for which, kind in FIELDS:
            slots = f"%{which}.{name}", f"%{which}.{apart}"
            first, second = (self.out.load(s, kind) for s in slots)
            self.out.store(slots[0], kind, second)
            self.out.store(slots[1], kind, first)
        self._keep_ours(apart)
        self.variables.set_flag(name)

    def complex_of(self, array: Array) -> Array:
        """Doubles as complex numbers."""
        if array.kind is not F64:
            raise Refused("complex numbers beside another class than double")

        def element(k: str) -> Val:
            return as_complex(self.out, array.element(k))

        return replace(array, kind=C128, element=element, data="", fresh=False)

    def fill(self, apart: str, array: Array) -> str:
        """Put the elements into a scratch array; gives where they lie."""
        size = array.rows, array.columns, array.pages
        data = self.room_for(apart, array.kind, size, array.computed)
        self.each(
            self.variables.part(apart, "n"),
            lambda k: self.variables.put_element(data, k, array.element(k)),
            array.rows,
        )
        return data

    def room_for(
        self, apart: str, kind: Kind, size: tuple[str, str, str], computed: bool = True
    ) -> str:
        """A scratch array of so many rows, columns and pages; gives where its elements lie."""
        self.keep_scratch(apart)
        count = self.out.product(*size)
        if computed:
            self.program.wide = True
            self.out.require(self.out.op(f"icmp ule i64 {count}, {MOST_COMPUTED}"))
        if size[2] != "1":  # an empty one would not tell its pages
            self.out.require(self.out.op(f"icmp ne i64 {count}, 0"))
        self.variables.make_room(apart, kind, count, size[0], size[1])
        return self.variables.part(apart, "p")

    def in_memory(self, array: Array) -> Array:
        """The same array with its elements computed and lying one after the other."""
        return array if array.data else self.copy_of(array)

    def copy_of(self, array: Array) -> Array:
        """The same array where an assignment to another does not change it."""
        if array.fresh:
            return array
        data = self.fill(self.out.label("part."), array)
        return self.array_at(
            array.kind, array.rows, array.columns, data, fresh=True, pages=array.pages
        )

    def allocate(self, kind: Kind, rows: str, columns: str, pages: str = "1") -> Array:
        """An array whose elements are going to be filled in."""
        data = self.room_for(self.out.label("part."), kind, (rows, columns, pages))
        return self.array_at(kind, rows, columns, data, fresh=True, pages=pages)

    def _keep_ours(self, apart: str) -> None:
        """What was borrowed is not written to: forget its room."""
        ours = self.out.op(f"icmp ne i64 {self.variables.part(apart, 'o')}, 0")
        self.variables.set_part(
            apart, "m", self.out.choose(ours, "i64", self.variables.part(apart, "m"), "0")
        )

    def each(self, count: str, body: Callable[[str], None], rows: str = "1") -> None:
        """``body`` for every position below ``count``, of an array of so many rows."""
        if rows != "1" and self._asks_for_rows(body, rows):
            self._each_column(count, body, rows)
            return
        test, inside, done = (self.out.label(h) for h in ("each", "element", "filled"))
        slot = self.out.slot(f"%i.{test}", "i64")
        self.out.store(slot, "i64", "0")
        self.out.start(test)
        k = self.out.load(slot, "i64")
        self.out.branch(self.out.op(f"icmp slt i64 {k}, {count}"), inside, done)
        self.out.start(inside)
        body(k)
        self.out.store(slot, "i64", self.out.op(f"add nsw i64 {k}, 1"))
        self.out.jump(test)
        self.out.start(done)

    def _asks_for_rows(self, body: Callable[[str], None], rows: str) -> bool:
        """Whether what is done for a position depends on its row or column."""
        out, mark, before = self.out, self.out.mark(), self.out.asked
        any_place = out.label("%any")
        out.positions[any_place, rows], out.asked = ("%row", "%column"), False
        body(any_place)
        out.undo(mark)
        asked, out.asked = out.asked, before
        return asked

    def _each_column(self, count: str, body: Callable[[str], None], rows: str) -> None:
        """The same column by column, where every position has a row and a column."""
        out = self.out
        begin, column, inside, following, done = (
            out.label(h) for h in ("columns", "column", "element", "next", "filled")
        )
        places, lines, numbers = (f"%{way}.{begin}" for way in ("i", "l", "j"))
        for slot in (places, numbers):
            out.store(slot, "i64", "0")
        out.start(begin)
        out.store(lines, "i64", "0")
        j, first = out.load(numbers, "i64"), out.load(places, "i64")
        out.branch(out.op(f"icmp slt i64 {first}, {count}"), column, done)
        out.start(column)
        line, k = out.load(lines, "i64"), out.load(places, "i64")
        out.branch(out.op(f"icmp slt i64 {line}, {rows}"), inside, following)
        out.start(inside)
        out.positions[k, rows] = (line, j)
        body(k)
        out.store(lines, "i64", out.op(f"add nsw i64 {line}, 1"))
        out.store(places, "i64", out.op(f"add nsw i64 {k}, 1"))
        out.jump(column)
        out.start(following)
        out.store(numbers, "i64", out.op(f"add nsw i64 {j}, 1"))
        out.jump(begin)
        out.start(done)


def kind_of(v: Val) -> Kind:
    """The class of a scalar."""
    if v.type.kind is None:
        raise Refused("a value of another class is used")
    return v.type.kind


def some(kind: Kind) -> Val:
    """A value of a class, to ask what becomes of it."""
    return Val(SCALARS[kind.name], "undef")
