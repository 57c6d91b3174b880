"""Whole arrays: zeros, copies, literals; an array is described by its size and its elements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.expressions import Expressions
from app.engine.jit.types import ARRAYS, BOOL, F64, KINDS, Kind
from app.engine.jit.variables import FIELDS
from app.engine.lang import ast
from app.source import Span

_FILLED = {"zeros": 0.0, "ones": 1.0, "true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class Array:
    """An array that has not been stored.

    Attributes:
        kind: the class of its elements.
        rows: how many, as an ``i64``.
        columns: how many.
        element: gives the element at a 0-based position.
    """

    kind: Kind
    rows: str
    columns: str
    element: Callable[[str], Val]


class Arrays(Expressions):
    """Expressions whose value is an array, and their assignment."""

    def array(self, node: ast.Expr) -> Array | None:
        """The array that ``node`` gives; None for a scalar."""
        if isinstance(node, ast.Name) and node.id in self.variables:
            found = self.type_of(node.id, node.span)
            return self._variable(node.id) if found.array else None
        if isinstance(node, ast.Index) and isinstance(node.base, ast.Name):
            return self._call_array(node.base.id, node)
        if isinstance(node, ast.Matrix):
            return self._literal(node)
        return None

    def _variable(self, name: str) -> Array:
        self.check_set(name)
        kind = self.env[name].kind
        assert kind is not None
        data = self.part(name, "p")
        return Array(kind, self.part(name, "r"), self.part(name, "c"),
                     lambda k: self.element(data, k, kind))  # fmt: skip

    def _call_array(self, name: str, node: ast.Index) -> Array | None:
        """``zeros(m, n)`` and its kin."""
        if name in self.variables or name not in _FILLED:
            return None
        if not self.program.is_builtin(name) or not node.args:
            return None
        args, kind = list(node.args), F64 if name in {"zeros", "ones"} else BOOL
        if isinstance(args[-1], ast.Char) and args[-1].value in KINDS and kind is F64:
            kind = KINDS[args.pop().value]
        if len(args) not in {1, 2}:
            raise Refused(f"'{name}' of {len(args)} dimensions", node.span)
        extents = [self._extent(a) for a in args]
        filling = self.cast(number(_FILLED[name]), kind)
        return Array(kind, extents[0], extents[-1], lambda k: filling)

    def _extent(self, node: ast.Expr) -> str:
        v = self.value(node)
        if self.kind(v) is not F64:
            raise Refused("a size of another class than double", node.span)
        whole = v.whole or self.whole_of(v.text, 2.0**31)
        self.require(self.out.op(f"icmp ult i64 {whole}, {1 << 31}"))
        return whole

    def _literal(self, node: ast.Matrix) -> Array | None:
        """``[a b c]`` and ``[a; b; c]`` of scalars of one class."""
        rows = [r for r in node.rows if r]
        items = [item for row in rows for item in row]
        if len(items) == 1:
            return self.array(items[0])
        if not items:
            return Array(F64, "0", "0", lambda k: number(0.0))
        if len({len(r) for r in rows}) > 1 or any(self.array(i) is not None for i in items):
            raise Refused("a literal of arrays", node.span)
        values = [self.value(i) for i in items]
        kinds = {self.kind(v) for v in values}
        if len(kinds) > 1:
            raise Refused("a literal of different classes", node.span)
        kind = kinds.pop()
        return self._listed(values, kind, len(rows))

    def _listed(self, values: list[Val], kind: Kind, rows: int) -> Array:
        """Values, given by rows, in a slot by columns."""
        columns = len(values) // rows
        slot = self.out.slot(f"%l.{self.out.label('list')}", f"[{len(values)} x {kind.memory}]")
        data = self.out.op(f"getelementptr i8, ptr {slot}, i64 0")
        for k, v in enumerate(values):
            self.put_element(data, str(k // columns + k % columns * rows), v)
        return Array(kind, str(rows), str(columns), lambda k: self.element(data, k, kind))

    # --- storing ---

    def write_array(self, name: str, array: Array, span: Span) -> None:
        """``name = array``: made apart, then exchanged, so that leaving changes nothing."""
        found = self.note(name, ARRAYS[array.kind.name], span)
        if not found.array:
            raise Refused(f"'{name}' becomes an array", span)
        apart = f"{name}.new"
        self.keep_scratch(apart)
        self.make_room(apart, array.kind, array.rows, array.columns)
        self._fill(apart, array)
        for which, kind in FIELDS:
            slots = f"%{which}.{name}", f"%{which}.{apart}"
            first, second = (self.out.load(s, kind) for s in slots)
            self.out.store(slots[0], kind, second)
            self.out.store(slots[1], kind, first)
        self._keep_ours(apart)
        self.set_flag(name)

    def keep_scratch(self, name: str) -> None:
        """An array that no variable names."""
        raise NotImplementedError

    def _keep_ours(self, apart: str) -> None:
        """What was borrowed is not written to: forget its room."""
        ours = self.out.op(f"icmp ne i64 {self.part(apart, 'o')}, 0")
        self.set_part(apart, "m", self.out.choose(ours, "i64", self.part(apart, "m"), "0"))

    def _fill(self, name: str, array: Array) -> None:
        """Compute every element."""
        test, body, done = (self.out.label(h) for h in ("fill", "element", "filled"))
        slot = self.out.slot(f"%i.{test}", "i64")
        count, data = self.part(name, "n"), self.part(name, "p")
        self.out.store(slot, "i64", "0")
        self.out.start(test)
        k = self.out.load(slot, "i64")
        self.out.branch(self.out.op(f"icmp slt i64 {k}, {count}"), body, done)
        self.out.start(body)
        self.put_element(data, k, array.element(k))
        self.out.store(slot, "i64", self.out.op(f"add nsw i64 {k}, 1"))
        self.out.jump(test)
        self.out.start(done)

    # --- slices ---

    def is_slice(self, target: ast.Index) -> bool:
        """True when some subscript stands for several elements."""
        return any(isinstance(a, ast.Colon | ast.Range) for a in target.args)

    def assign_slice(self, target: ast.Index, value: ast.Expr) -> None:
        """``x(i, :) = …``."""
        raise Refused("an assignment to a slice", target.span)


