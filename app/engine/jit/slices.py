"""Slices: ``x(i, :)``, ``x(a:b)`` read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.jit.arrays import Array, Operand
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.calls import Calls
from app.engine.jit.types import BOOL, F64, INTEGERS, SCALARS, Kind, array_type
from app.engine.language import ast
from app.source import Span


@dataclass(frozen=True)
class Subset:
    """What a subscript selects.

    Attributes:
        count: how many positions.
        at: the k-th of them.
        form: ``range``, or the form of the array of subscripts.
        no_line: the rows of a mask, which must not be one.
    """

    count: str
    at: Callable[[str], str]
    form: str = "range"
    no_line: tuple[str, ...] = ()


class Slices(Calls):
    """Slices of arrays, and elements by masks and lists of subscripts."""

    def is_slice(self, target: ast.Index) -> bool:
        """True when some subscript stands for several elements."""
        return any(map(self._is_several, target.args))

    def _is_several(self, node: ast.Expr) -> bool:
        """Whether a subscript gives an array, as far as its text and the types met so far tell."""
        match node:
            case ast.Colon() | ast.Range() | ast.Matrix():
                return True
            case ast.Name() if node.id in self.variables:
                found = self.env.get(node.id)
                return found is not None and found.array
            case ast.Binary():
                return self._is_several(node.left) or self._is_several(node.right)
            case ast.Unary():
                return self._is_several(node.operand)
            case ast.Index() if isinstance(node.base, ast.Name) and node.base.id in self.variables:
                return self.is_slice(node)
            case _:
                return False

    def slice(self, node: ast.Index) -> Operand:
        """``x(i, :)``, ``x(a:b)``, ``x(:)``, ``x(mask)``."""
        assert isinstance(node.base, ast.Name)
        name = node.base.id
        found = self.type_of(name, node.span)
        kind = found.kind
        assert kind is not None
        if not found.array:
            raise Refused("a slice of a number", node.span)
        self.check_set(name)
        data, rows = self.part(name, "p"), self.part(name, "r")
        subsets = self._subsets(name, node.args, node.span)
        if len(subsets) == 1:
            return self._linear(name, node.args[0], subsets[0])
        first, second = subsets

        def element(k: str) -> Val:
            return self.element(data, self._position(first, second, rows, k), kind)

        start = ""
        if isinstance(node.args[0], ast.Colon):  # whole columns lie one after the other
            start = self._whole_columns(second, data, rows, kind, node.args[1])
        return self.settled(Array(kind, first.count, second.count, element, data=start))

    def _whole_columns(
        self, columns: Subset, data: str, rows: str, kind: Kind, arg: ast.Expr
    ) -> str:
        """Where ``x(:, j)`` lies."""
        if columns.count != "1" or self._is_several(arg):
            return ""
        skipped = self.out.op(f"mul i64 {columns.at('0')}, {rows}")
        return self.out.op(f"getelementptr {kind.memory}, ptr {data}, i64 {skipped}")

    def _linear(self, name: str, arg: ast.Expr, found: Subset) -> Operand:
        """One subscript: a column for ``:``, else as the vector lies."""
        kind, data = self.env[name].kind, self.part(name, "p")
        assert kind is not None

        def element(k: str) -> Val:
            return self.element(data, found.at(k), kind)

        if isinstance(arg, ast.Colon):
            return self.settled(Array(kind, found.count, "1", element, data=data))
        rows, columns = self.part(name, "r"), self.part(name, "c")
        form, count = self.env[name].form, found.count
        if form == "matrix" and found.form != "range":
            return self._in_form(found, Array(kind, rows, columns, element), arg)
        if found.form == "matrix":
            raise Refused("elements of a vector by a matrix of subscripts", arg.span)
        if form == "row":
            if found.form == "column":  # one element has no direction
                self.require(self.out.op(f"icmp ne i64 {columns}, 1"))
            return self.settled(Array(kind, "1", count, element))
        if form == "column":
            self.require(self.out.op(f"icmp ne i64 {rows}, 1"))
            return self.settled(Array(kind, count, "1", element))
        standing = self.out.op(f"icmp eq i64 {columns}, 1")
        tall = self.out.op(f"icmp ne i64 {rows}, 1")
        standing = self.out.op(f"and i1 {standing}, {tall}")
        return Array(
            kind,
            self.out.choose(standing, "i64", count, "1"),
            self.out.choose(standing, "i64", "1", count),
            element,
        )

    def _in_form(self, found: Subset, a: Array, arg: ast.Expr) -> Array:
        """Elements of what is no vector lie as the subscripts do; those by a mask in a column."""
        for extent in (a.rows, a.columns, *found.no_line):
            self.require(self.out.op(f"icmp ne i64 {extent}, 1"))
        if found.form == "matrix" and not found.no_line:
            raise Refused("elements by a matrix of subscripts", arg.span)
        row = found.form == "row"
        rows, columns = ("1", found.count) if row else (found.count, "1")
        return Array(a.kind, rows, columns, a.element)

    def _position(self, rows: Subset, columns: Subset, extent: str, k: str) -> str:
        """The place of the k-th element of a block."""
        if rows.count == "1":
            row, column = rows.at("0"), columns.at(k)
        elif columns.count == "1":
            row, column = rows.at(k), columns.at("0")
        else:
            row = rows.at(self.out.op(f"urem i64 {k}, {rows.count}"))
            column = columns.at(self.out.op(f"udiv i64 {k}, {rows.count}"))
        skipped = self.out.op(f"mul i64 {column}, {extent}")
        return self.out.op(f"add i64 {skipped}, {row}")

    def _subsets(self, name: str, args: tuple[ast.Expr, ...], span: Span) -> list[Subset]:
        if len(args) > 2:
            raise Refused(f"{len(args)} subscripts", span)
        extents = [self.part(name, w) for w in ("n" if len(args) == 1 else "rc")]
        made = []
        for position, (arg, extent) in enumerate(zip(args, extents, strict=True)):
            self.ends.append((name, position, len(args)))
            made.append(self._subset(arg, extent))
            self.ends.pop()
        return made

    def _subset(self, arg: ast.Expr, extent: str) -> Subset:
        if isinstance(arg, ast.Colon):
            return Subset(extent, lambda k: k)
        if isinstance(arg, ast.Range):
            return self._range(arg, extent)
        given = self.operand(arg)
        if isinstance(given, Val):
            place = self.position(given, extent)
            return Subset("1", lambda k: place)
        return self._by_mask(given, extent) if given.kind is BOOL else self._listed(given, extent)

    def _listed(self, given: Array, extent: str) -> Subset:
        """Subscripts from an array, all checked before any is used."""
        count = self.count_of(given)
        places = self._places(count)
        self.each(
            count,
            lambda k: self.put_element(places, k, self._as_place(given.element(k), extent)),
        )
        form = array_type(given.kind, given.rows, given.columns).form
        return Subset(count, lambda k: self._place_at(places, k), form)

    def _by_mask(self, given: Array, extent: str) -> Subset:
        """Where a mask no longer than what it indexes is true."""
        count = self.count_of(given)
        self.require(self.out.op(f"icmp ule i64 {count}, {extent}"))
        places = self._places(count)
        slot = self.out.slot(f"%q.{self.out.label('chosen')}", "i64")
        self.out.store(slot, "i64", "0")

        def look(k: str) -> None:
            here = self.out.load(slot, "i64")
            self.put_element(places, here, Val(SCALARS["int64"], k))
            one = self.out.op(f"zext i1 {given.element(k).text} to i64")
            self.out.store(slot, "i64", self.out.op(f"add i64 {here}, {one}"))

        self.each(count, look)
        chosen = self.out.load(slot, "i64")
        form = array_type(given.kind, given.rows, given.columns).form
        none = (given.rows,) if form == "matrix" else ()
        return Subset(chosen, lambda k: self._place_at(places, k), form, none)

    def _places(self, count: str) -> str:
        """Room for so many positions."""
        return self.made(INTEGERS["int64"], "1", self.out.op(f"add i64 {count}, 1")).data

    def _as_place(self, sub: Val, extent: str) -> Val:
        return Val(SCALARS["int64"], self.position(sub, extent))

    def _place_at(self, places: str, k: str) -> str:
        return self.element(places, k, INTEGERS["int64"]).text

    def _range(self, arg: ast.Range, extent: str) -> Subset:
        """``a:b`` or ``a:s:b`` with a whole step; both ends inside."""
        start, stop = self.value(arg.start), self.value(arg.stop)
        step = number(1.0) if arg.step is None else self.value(arg.step)
        if {self.kind(start), self.kind(stop), self.kind(step)} != {F64} or not step.whole:
            raise Refused("a range of this form", arg.span)
        first = start.whole or self.whole_of(start.text, 2.0**40)
        count = self.out.call(
            "i64",
            "fuselab_count",
            ("double", start.text),
            ("double", step.text),
            ("double", stop.text),
            ("i1", "true" if arg.step is None else "false"),
        )
        self.require(self.out.op(f"icmp sge i64 {count}, 0"))
        before = self.out.op(f"add i64 {first}, -1")
        reach = self.out.op(f"mul i64 {self.out.op(f'add i64 {count}, -1')}, {step.whole}")
        last = self.out.op(f"add i64 {before}, {reach}")
        none = self.out.op(f"icmp eq i64 {count}, 0")
        for place in (before, last):
            inside = self.out.op(f"icmp ult i64 {place}, {extent}")
            self.require(self.out.op(f"or i1 {none}, {inside}"))

        def at(k: str) -> str:
            moved = k if step.whole == "1" else self.out.op(f"mul i64 {k}, {step.whole}")
            return self.out.op(f"add i64 {before}, {moved}")

        return Subset(count, at)

    # --- writing ---

    def assign_slice(self, target: ast.Index, value: ast.Expr) -> None:
        """``x(i, :) = …`` inside the array: the elements are made apart first."""
        assert isinstance(target.base, ast.Name)
        name = target.base.id
        found = self.type_of(name, target.span)
        kind = found.kind
        assert kind is not None
        if not found.array:
            raise Refused(f"'{name}' is no array", target.span)
        self.check_set(name)
        made = self.operand(value)
        if isinstance(made, Val):
            v = self.cast(made, kind)
            given = Array(kind, "1", "1", lambda k: v)
        else:
            given = made
        if given.kind is BOOL and kind is F64:
            given = self.mapped(given, lambda v: self.cast(v, F64))
        if given.kind is not kind:
            raise Refused("elements of another class", target.span)
        subsets = self._subsets(name, target.args, target.span)
        rows = subsets[0].count
        columns = subsets[1].count if len(subsets) == 2 else "1"
        count = self.out.op(f"mul i64 {rows}, {columns}")
        if given.rows != "1" or given.columns != "1":
            self._same_size(given, rows, columns, count)
            given = self.copied(given)
        extent, data = self.part(name, "r"), self.part(name, "p")

        def put(k: str) -> None:
            place = subsets[0].at(k)
            if len(subsets) == 2:
                place = self._position(subsets[0], subsets[1], extent, k)
            self.put_element(data, place, given.element(k))

        self.each(count, put)

    def _same_size(self, given: Array, rows: str, columns: str, count: str) -> None:
        """Vectors fit by number; matrices by rows and columns."""
        have = self.out.op(f"mul i64 {given.rows}, {given.columns}")
        self.require(self.out.op(f"icmp eq i64 {have}, {count}"))
        same = self.out.op(f"icmp eq i64 {given.rows}, {rows}")
        line = self.out.op(f"icmp eq i64 {rows}, 1")
        column = self.out.op(f"icmp eq i64 {columns}, 1")
        lone = self.out.op(f"icmp eq i64 {given.rows}, 1")
        either = self.out.op(f"or i1 {line}, {column}")
        thin = self.out.op(f"and i1 {lone}, {either}")
        upright = self.out.op(f"and i1 {either}, {self.out.op(f'icmp eq i64 {given.columns}, 1')}")
        self.require(self.out.op(f"or i1 {same}, {self.out.op(f'or i1 {thin}, {upright}')}"))
