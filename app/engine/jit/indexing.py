"""``x(i)`` and ``x(i, j)``: subscripts, bounds, growth; whatever fails leaves compiled code."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.jit.builder import Builder, Refused, Val, number
from app.engine.jit.complexes import as_complex, normal
from app.engine.jit.jit_arithmetic import Arithmetic
from app.engine.jit.jit_types import (
    BOOL,
    C128,
    CHAR,
    DOUBLE,
    F64,
    INTEGERS,
    MATRICES,
    Kind,
    Type,
)
from app.engine.jit.layout import place_of
from app.engine.jit.undoing import Undo
from app.engine.jit.variables import Variables
from app.engine.language import ast
from app.source import Span

_LIMIT = 2.0**40


class Indexing:
    """Elements of arrays.

    Attributes:
        ends: what ``end`` means: variable, position and number of subscripts.
        undo: what a statement takes back of what functions inlined into it assign.
    """

    def __init__(
        self,
        out: Builder,
        arithmetic: Arithmetic,
        variables: Variables,
        value: Callable[[ast.Expr], Val],
    ) -> None:
        self.out = out
        self.arithmetic = arithmetic
        self.variables = variables
        self.value = value
        self.ends: list[tuple[str, int, int]] = []
        self.undo = Undo()

    # --- subscripts ---

    def subscripts(self, name: str, args: tuple[ast.Expr, ...], first: int = 0) -> list[Val]:
        """The subscripts as scalars, from the ``first`` on."""
        made = []
        for position, arg in enumerate(args[first:], first):
            self.ends.append((name, position, len(args)))
            made.append(self.value(arg))
            self.ends.pop()
        return made

    def end(self, span: Span) -> Val:
        """``end`` at this place."""
        if not self.ends:
            raise Refused("'end' outside an index", span)
        name, position, count = self.ends[-1]
        self.variables.type_of(name, span)
        self.variables.check_set(name)
        if count == 1:
            return self.count(self.variables.part(name, "n"))
        if position < 2 and position + 1 < count:
            return self.count(self.variables.fact(name, "rc"[position]))
        extents = self.variables.dimensions(name)
        last = position + 1 if position + 1 < count else len(extents)
        return self.count(self.out.product(*extents[position:last]))

    def count(self, whole: str) -> Val:
        """A number of elements as a double."""
        text = self.out.op(f"sitofp i64 {whole} to double")
        return Val(DOUBLE, text, whole, 48)

    def position(self, sub: Val, extent: str, grow: bool = False) -> str:
        """The 0-based position of a subscript below ``extent`` (or anywhere)."""
        kind = self.arithmetic.kind(sub)
        if kind is BOOL:
            raise Refused("a logical subscript")
        if sub.whole or (kind is not F64 and not kind.is_float):
            return self._whole_position(sub, kind, extent, grow)
        x = self.arithmetic.double(sub)
        self.out.require(self.out.op(f"fcmp oge double {x}, 1.0"))
        most = number(_LIMIT).text if grow else self.out.op(f"sitofp i64 {extent} to double")
        self.out.require(self.out.op(f"fcmp ole double {x}, {most}"))
        whole = self.out.op(f"fptosi double {x} to i64")
        back = self.out.op(f"sitofp i64 {whole} to double")
        self.out.require(self.out.op(f"fcmp oeq double {back}, {x}"))
        return self.out.op(f"add nsw i64 {whole}, -1")

    def _whole_position(self, sub: Val, kind: Kind, extent: str, grow: bool) -> str:
        whole = sub.whole
        if not whole and kind.bits == 64:
            whole = sub.text
        elif not whole:
            signed = kind.is_integer and kind.signed
            whole = self.out.op(f"{'sext' if signed else 'zext'} {kind.llvm} {sub.text} to i64")
        position = self.out.op(f"add i64 {whole}, -1")
        limit = str(int(_LIMIT)) if grow else extent
        self.out.require(self.out.op(f"icmp ult i64 {position}, {limit}"))
        return position

    # --- reading ---

    def read_element(self, name: str, args: tuple[ast.Expr, ...], span: Span) -> Val:
        """``name(args)``."""
        found = self.variables.type_of(name, span)
        kind = found.kind
        assert kind is not None
        self.variables.check_set(name)
        subs = self.subscripts(name, args)
        if not found.array:  # a number that a handle was called with
            for sub in subs:
                self.position(sub, "1")
            return self.variables.read(name, span)
        place = self._place(name, subs, span)
        return normal(self.out, self.variables.element(self.variables.part(name, "p"), place, kind))

    def _place(self, name: str, subs: list[Val], span: Span) -> str:
        count = self.variables.part(name, "n")
        if len(subs) == 1:
            return self.position(subs[0], count)
        paged = self.variables.has_pages(name)
        rows, columns = self.variables.fact(name, "r"), self.variables.fact(name, "c")
        row = self.position(subs[0], rows)
        column = self.position(subs[1], count if paged and len(subs) == 2 else columns)
        if len(subs) > 2:
            page = self.page(name, subs[2:])
            if paged:
                self.out.require(self.out.op(f"icmp ult i64 {page}, {count}"))
            column = self.out.op(f"add i64 {column}, {self.out.product(page, columns)}")
        if not paged:
            return place_of(self.out, row, column, rows)
        self.out.require(self.out.op(f"icmp ult i64 {column}, {count}"))
        place = place_of(self.out, row, column, rows)
        self.out.require(self.out.op(f"icmp ult i64 {place}, {count}"))  # the last one fits, too
        return place

    def page(self, name: str, subs: list[Val]) -> str:
        """The 0-based page that subscripts behind the second mean; its last may lie beyond all."""
        inner = self.variables.env[name].inner if self.variables.has_pages(name) else ()
        last = self.variables.part(name, "n") if self.variables.has_pages(name) else "1"
        strides, extents = ["1"], [*map(str, inner), last]
        for extent in extents[:-1]:
            strides.append(self.out.product(strides[-1], extent))
        page = ""
        for k, sub in enumerate(subs):
            behind = k > len(inner)  # more subscripts than dimensions
            limit = "1" if behind else last if k + 1 == len(subs) else extents[k]
            at = self.position(sub, limit)
            if not behind:
                at = self.out.product(at, strides[k])
                page = at if not page else self.out.op(f"add i64 {page}, {at}")
        return page

    # --- writing ---

    def write_element(self, name: str, args: tuple[ast.Expr, ...], v: Val, span: Span) -> None:
        """``name(args) = v``."""
        found = self.variables.env.get(name)
        if found is None:
            found = self.variables.note(name, v.type, span)
        kind = self.variables.type_of(name, span).kind
        assert kind is not None
        if not found.array:
            raise Refused(f"'{name}' is no array", span)
        if found.form == "row" and len(args) == 2 and not isinstance(args[0], ast.Number):
            found = self.variables.note(name, MATRICES[kind.name], span)  # there may be more
        self._check_set(name)
        subs = self.subscripts(name, args)
        most = self.variables.columns.get(name)
        if most is not None:
            self._require_element(name, subs, most)
            if v.type.kind is not kind and {v.type.kind, kind} != {F64, C128}:
                raise Refused("an element of a container changes its class", span)
        if C128 in (kind, v.type.kind):
            kind, v = self._made_complex(name, found, v, span)
        else:
            if self.arithmetic.kind(v) is not kind:
                self._keeps_class(name, kind, self.arithmetic.kind(v), span)
            v = self.arithmetic.cast(v, kind)
        self.undo.keep_size(self.variables, self.out, name)
        if len(subs) > 2 or self.variables.has_pages(name):
            place = self._place(name, subs, span)
        elif len(subs) == 1:
            place = self._growing(name, subs[0], kind)
        elif len(subs) == 2:
            place = self._growing_matrix(name, subs, kind)
        else:
            raise Refused(f"{len(subs)} subscripts", span)
        self.undo.keep_element(self.variables, self.out, name, place)
        self.variables.put_element(self.variables.part(name, "p"), place, v)

    def _require_element(self, name: str, subs: list[Val], most: int) -> None:
        """An element of a container, or the one behind the last: others would be no numbers."""
        if len(subs) == 1:
            count = self.variables.part(name, "n")
            self.position(subs[0], self.out.op(f"add i64 {count}, {most}"))
        elif len(subs) == 2:
            for sub, which in zip(subs, "rc", strict=True):
                self.position(sub, self.variables.part(name, which))

    def _made_complex(self, name: str, found: Type, v: Val, span: Span) -> tuple[Kind, Val]:
        """The class and element of an array of doubles that takes complex numbers."""
        if found.kind not in (F64, C128):
            raise Refused(f"a complex number is stored in '{name}'", span)
        self.variables.widen(name, found)
        return C128, as_complex(self.out, v)

    def delete_element(self, name: str, args: tuple[ast.Expr, ...], span: Span) -> None:
        """``name(k) = []`` of a vector: what stands behind moves up."""
        found = self.variables.type_of(name, span)
        kind = found.kind
        if kind is None or not found.array or len(args) != 1 or isinstance(args[0], ast.Colon):
            raise Refused("rows, columns or several elements are deleted", span)
        self._check_set(name)
        (sub,) = self.subscripts(name, args)
        count = self.variables.part(name, "n")
        place = self.position(sub, count)
        rows, columns = self.variables.part(name, "r"), self.variables.part(name, "c")
        row = self.out.op(f"icmp eq i64 {rows}, 1")
        column = self.out.op(f"icmp eq i64 {columns}, 1")
        self.out.require(self.out.op(f"or i1 {row}, {column}"))
        if found.form == "column":  # of one element a row is left
            self.out.require(self.out.op(f"icmp ne i64 {count}, 1"))
        left = self.out.op(f"add i64 {count}, -1")
        data = self.variables.part(name, "p")
        behind = self.out.op(f"add i64 {place}, 1")
        from_, to = (
            self.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {k}")
            for k in (behind, place)
        )
        moved = self.out.op(f"sub i64 {left}, {place}")
        size = self.out.op(f"mul i64 {moved}, {kind.size}")
        self.out.call("ptr", "memmove", ("ptr", to), ("ptr", from_), ("i64", size))
        self.variables.set_part(name, "n", left)
        self.variables.set_part(name, "r", self.out.choose(row, "i64", "1", left))
        self.variables.set_part(name, "c", self.out.choose(row, "i64", left, "1"))

    def _check_set(self, name: str) -> None:
        """An unset variable is created by the interpreter."""
        self.variables.check_set(name)

    def _keeps_class(self, name: str, kind: Kind, given: Kind, span: Span) -> None:
        """An empty double takes the class of what is assigned: the interpreter does that."""
        if kind is F64 and given is not F64:
            count = self.variables.part(name, "n")
            self.out.require(self.out.op(f"icmp ne i64 {count}, 0"))
        if kind is CHAR and given in INTEGERS.values():
            raise Refused(f"an integer is stored in the text '{name}'", span)

    def _growing(self, name: str, sub: Val, kind: Kind) -> str:
        """The position of ``x(k) = …``; a vector may become longer."""
        count = self.variables.part(name, "n")
        place = self.position(sub, count, grow=True)
        inside, beyond = self.out.label("in"), self.out.label("beyond")
        self.out.branch(self.out.op(f"icmp ult i64 {place}, {count}"), inside, beyond, likely=True)
        self.out.start(beyond)
        rows, columns = self.variables.part(name, "r"), self.variables.part(name, "c")
        row = self.out.op(f"icmp eq i64 {rows}, 1")
        nothing = self.out.op(f"icmp eq i64 {self.out.op(f'or i64 {rows}, {columns}')}, 0")
        row = self.out.op(f"or i1 {row}, {nothing}")
        column = self.out.op(f"icmp eq i64 {columns}, 1")
        self.out.require(self.out.op(f"or i1 {row}, {column}"))
        if self.variables.env[name].form == "column":  # one element would become a row
            self.out.require(self.out.op(f"xor i1 {row}, true"))
        needed = self.out.op(f"add i64 {place}, 1")
        self.variables.reserve(name, kind, needed, keep=True)
        self._zero(name, kind, count, place)
        self.variables.set_part(name, "n", needed)
        self.variables.set_part(name, "r", self.out.choose(row, "i64", "1", needed))
        self.variables.set_part(name, "c", self.out.choose(row, "i64", needed, "1"))
        self.out.jump(inside)
        self.out.start(inside)
        return place

    def _zero(self, name: str, kind: Kind, first: str, last: str) -> None:
        """Fill the gap between the old end and the new element."""
        start = self.out.op(
            f"getelementptr {kind.memory}, ptr {self.variables.part(name, 'p')}, i64 {first}"
        )
        count = self.out.op(f"sub i64 {last}, {first}")
        size = self.out.op(f"mul i64 {count}, {kind.size}")
        self.out.call("ptr", "memset", ("ptr", start), ("i32", "0"), ("i64", size))

    def _growing_matrix(self, name: str, subs: list[Val], kind: Kind) -> str:
        """The position of ``x(i, j) = …``; columns may be added, or the row behind the last."""
        rows, columns = self.variables.part(name, "r"), self.variables.part(name, "c")
        more_rows = rows != "1" and name not in self.undo.names
        row = self.position(subs[0], rows, grow=more_rows)
        column = self.position(subs[1], columns, grow=True)
        if more_rows:
            self._add_row(name, kind, row, column)
        inside, beyond = self.out.label("in"), self.out.label("beyond")
        self.out.branch(
            self.out.op(f"icmp ult i64 {column}, {columns}"), inside, beyond, likely=True
        )
        self.out.start(beyond)
        count = self.variables.part(name, "n")
        wide = self.out.op(f"add i64 {column}, 1")
        needed = self.out.op(f"mul i64 {wide}, {self.variables.part(name, 'r')}")
        self.variables.reserve(name, kind, needed, keep=True)
        self._zero(name, kind, count, needed)
        self.variables.set_part(name, "n", needed)
        self.variables.set_part(name, "c", wide)
        self.out.jump(inside)
        self.out.start(inside)
        return place_of(self.out, row, column, self.variables.part(name, "r"))

    def _add_row(self, name: str, kind: Kind, row: str, column: str) -> None:
        """A row of zeros behind the last where the position lies in it, in a column there is."""
        out = self.out
        rows, columns = self.variables.part(name, "r"), self.variables.part(name, "c")
        within, below = out.label("in"), out.label("below")
        out.branch(out.op(f"icmp ult i64 {row}, {rows}"), within, below, likely=True)
        out.start(below)
        out.require(out.op(f"icmp eq i64 {row}, {rows}"))
        out.require(out.op(f"icmp ult i64 {column}, {columns}"))
        more = self.spread(name, kind)
        begin, put, done = (out.label(h) for h in ("zeros", "zero", "added"))
        slot = out.slot(f"%i.{begin}", "i64")
        out.store(slot, "i64", "0")
        out.start(begin)
        k = out.load(slot, "i64")
        out.branch(out.op(f"icmp ult i64 {k}, {columns}"), put, done)
        out.start(put)
        place = place_of(out, rows, k, more)
        data = self.variables.part(name, "p")
        at = out.op(f"getelementptr inbounds {kind.memory}, ptr {data}, i64 {place}")
        out.emit(f"store {kind.memory} zeroinitializer, ptr {at}")
        out.store(slot, "i64", out.op(f"add nsw i64 {k}, 1"))
        out.jump(begin)
        out.start(done)
        out.jump(within)
        out.start(within)

    def spread(self, name: str, kind: Kind) -> str:
        """Make room for another row of a matrix; how many rows it has then."""
        rows, columns = self.variables.part(name, "r"), self.variables.part(name, "c")
        more = self.out.op(f"add i64 {rows}, 1")
        needed = self.out.op(f"mul i64 {more}, {columns}")
        self.variables.reserve(name, kind, needed, keep=True)
        shape = [("ptr", self.variables.part(name, "p")), ("i64", rows), ("i64", columns)]
        self.out.call("void", "fuselab_spread", *shape, ("i64", str(kind.size)))
        self.variables.set_part(name, "n", needed)
        self.variables.set_part(name, "r", more)
        return more
