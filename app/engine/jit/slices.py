"""Slices: ``x(i, :)``, ``x(a:b)`` read and written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.jit.arrays import Array
from app.engine.jit.builder import Refused, number
from app.engine.jit.calls import Calls
from app.engine.jit.types import F64
from app.engine.language import ast
from app.source import Span


@dataclass(frozen=True)
class Subset:
    """What a subscript selects.

    Attributes:
        count: how many positions.
        at: the k-th of them.
    """

    count: str
    at: Callable[[str], str]


class Slices(Calls):
    """Slices of arrays."""

    def slice(self, node: ast.Index) -> Array:
        """``x(i, :)``, ``x(a:b)``, ``x(:)``."""
        assert isinstance(node.base, ast.Name)
        name = node.base.id
        kind = self.type_of(name, node.span).kind
        assert kind is not None
        self.check_set(name)
        data, rows = self.part(name, "p"), self.part(name, "r")
        found = self._subsets(name, node.args, node.span)
        if len(found) == 1:
            return self._linear(name, node.args[0], found[0])
        first, second = found

        def element(k: str) -> object:
            return self.element(data, self._position(first, second, rows, k), kind)

        return Array(kind, first.count, second.count, element)  # type: ignore[arg-type]

    def _linear(self, name: str, arg: ast.Expr, found: Subset) -> Array:
        """One subscript: a column for ``:``, else as the vector lies."""
        kind, data = self.env[name].kind, self.part(name, "p")
        assert kind is not None

        def element(k: str) -> object:
            return self.element(data, found.at(k), kind)

        if isinstance(arg, ast.Colon):
            return Array(kind, found.count, "1", element)  # type: ignore[arg-type]
        rows, columns = self.part(name, "r"), self.part(name, "c")
        standing = self.out.op(f"icmp eq i64 {columns}, 1")
        tall = self.out.op(f"icmp ne i64 {rows}, 1")
        standing = self.out.op(f"and i1 {standing}, {tall}")
        return Array(
            kind,
            self.out.choose(standing, "i64", found.count, "1"),
            self.out.choose(standing, "i64", "1", found.count),
            element,  # type: ignore[arg-type]
        )

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
        place = self.position(self.value(arg), extent)
        return Subset("1", lambda k: place)

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
        given = self.array(value)
        if given is None:
            v = self.cast(self.value(value), kind)
            given = Array(kind, "1", "1", lambda k: v)
        elif given.kind is not kind:
            raise Refused("elements of another class", target.span)
        subsets = self._subsets(name, target.args, target.span)
        rows = subsets[0].count
        columns = subsets[1].count if len(subsets) == 2 else "1"
        count = self.out.op(f"mul i64 {rows}, {columns}")
        if given.rows != "1" or given.columns != "1":
            self._same_size(given, rows, columns, count)
            given = self.stored(given)
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
