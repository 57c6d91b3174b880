"""Whole arrays: an array is described by its size and its elements, and stored when assigned.

Elements are computed one by one in one loop, so that ``y = 2*x(:, k) - z`` needs no intermediate
array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.expressions import RELATIONS, Expressions
from app.engine.jit.intrinsics import VALUES
from app.engine.jit.types import ARRAYS, BOOL, CHAR, F64, KINDS, SCALARS, Kind
from app.engine.jit.variables import FIELDS
from app.engine.language import ast
from app.source import Span

MOST_LISTED = 64
MOST_COMPUTED = 4096
"""Elements of an array that is computed here; longer ones are computed on all cores elsewhere."""

_MAPS = frozenset(("abs", "floor", "ceil", "round", "fix", "sqrt", "sign", "double", "logical"))
"""Functions that give the same for an element as for an array of them."""

_FILLED = {"zeros": 0.0, "ones": 1.0, "true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class Array:
    """An array that has not been stored.

    Attributes:
        kind: the class of its elements.
        rows: how many, as an ``i64``.
        columns: how many.
        element: gives the element at a 0-based position.
        computed: True when that is more than a copy.
    """

    kind: Kind
    rows: str
    columns: str
    element: Callable[[str], Val]
    computed: bool = False


def _are_mixed(a: Kind, b: Kind) -> bool:
    """True for integers beside doubles, of which one has to be a scalar."""
    return a.is_integer != b.is_integer and (a.is_float or b.is_float or CHAR in {a, b})


class Arrays(Expressions):
    """Expressions whose value is an array, and their assignment."""

    def array(self, node: ast.Expr) -> Array | None:
        """The array that ``node`` gives; None for a scalar."""
        match node:
            case ast.Name() if node.id in self.variables:
                found = self.type_of(node.id, node.span)
                return self.variable(node.id) if found.array else None
            case ast.Index() if isinstance(node.base, ast.Name):
                if node.base.id in self.variables:
                    return self.slice(node) if self.is_slice(node) else None
                return self._call_array(node.base.id, node)
            case ast.Matrix():
                return self._literal(node)
            case ast.Char() if len(node.value) != 1:
                return self._text(node.value, node.span)
            case ast.Binary():
                return self._combined(node)
            case ast.Unary():
                return self._mapped(node.operand, lambda v: self._signed(node, v))
            case ast.Postfix() if node.op in {"'", ".'"}:
                return self._transposed(node.operand)
            case _:
                return None

    def slice(self, node: ast.Index) -> Array:
        """``x(i, :)`` and its kin."""
        raise NotImplementedError

    def is_slice(self, target: ast.Index) -> bool:
        """True when some subscript stands for several elements."""
        return any(isinstance(a, ast.Colon | ast.Range) for a in target.args)

    def variable(self, name: str) -> Array:
        """The array that a variable holds."""
        self.check_set(name)
        kind = self.env[name].kind
        assert kind is not None
        data = self.part(name, "p")
        return Array(
            kind, self.part(name, "r"), self.part(name, "c"), lambda k: self.element(data, k, kind)
        )

    def _text(self, text: str, span: Span) -> Array:
        if len(text) > MOST_LISTED:
            raise Refused("a long text", span)
        if not text:
            return Array(CHAR, "0", "0", lambda k: Val(SCALARS["char"], "0"))
        return self._listed([Val(SCALARS["char"], str(ord(c))) for c in text], CHAR, 1)

    # --- element by element ---

    def kind_of(self, made: Callable[[], Val]) -> Kind:
        """The class of a value; what computing it would do is forgotten."""
        mark = self.out.mark()
        kind = self.kind(made())
        self.out.undo(mark)
        return kind

    def _mapped(self, node: ast.Expr, function: Callable[[Val], Val]) -> Array | None:
        """A function of every element."""
        a = self.array(node)
        if a is None:
            return None
        kind = self.kind_of(lambda: function(_some(a.kind)))
        return Array(kind, a.rows, a.columns, lambda k: function(a.element(k)), computed=True)

    def _signed(self, node: ast.Unary, v: Val) -> Val:
        return self.negative(v) if node.op == "-" else self.opposite(v)

    def _combined(self, node: ast.Binary) -> Array | None:
        """An operator between arrays of one size, or an array and a scalar."""
        left, right = self.array(node.left), self.array(node.right)
        if left is None and right is None:
            return None
        whole = node.op in {"*", "/", "\\", "^"}
        several = right is not None and (node.op == "/" or left is not None)
        if whole and (several or node.op in {"^", "\\"}):
            raise Refused("an operation of matrices", node.span)
        first = left or self._constant(node.left)
        second = right or self._constant(node.right)

        def join(a: Val, b: Val) -> Val:
            if node.op in RELATIONS:
                return self.compare(node.op, a, b, node.span)
            if node.op in {"&", "|"}:
                return self.joined(node.op, a, b)
            return self.binary(node.op, a, b, node.span)

        size = left or second
        if left is not None and right is not None:
            self.require(self.out.op(f"icmp eq i64 {left.rows}, {right.rows}"))
            self.require(self.out.op(f"icmp eq i64 {left.columns}, {right.columns}"))
            if node.op not in RELATIONS and _are_mixed(left.kind, right.kind):
                self.require(self.out.op(f"icmp eq i64 {left.rows}, 1"))
                self.require(self.out.op(f"icmp eq i64 {left.columns}, 1"))
        kind = self.kind_of(lambda: join(_some(first.kind), _some(second.kind)))
        return Array(
            kind,
            size.rows,
            size.columns,
            lambda k: join(first.element(k), second.element(k)),
            computed=True,
        )

    def _constant(self, node: ast.Expr) -> Array:
        v = self.value(node)
        return Array(self.kind(v), "1", "1", lambda k: v)

    def _transposed(self, node: ast.Expr) -> Array | None:
        a = self.array(node)
        if a is None:
            return None

        def element(k: str) -> Val:
            row = self.out.op(f"urem i64 {k}, {a.columns}")
            column = self.out.op(f"udiv i64 {k}, {a.columns}")
            skipped = self.out.op(f"mul i64 {row}, {a.rows}")
            return a.element(self.out.op(f"add i64 {skipped}, {column}"))

        return Array(a.kind, a.columns, a.rows, element, a.computed)

    # --- made from scalars ---

    def _call_array(self, name: str, node: ast.Index) -> Array | None:
        """``zeros(m, n)`` and its kin."""
        if name in _MAPS and len(node.args) == 1 and self.program.is_builtin(name):
            return self._mapped(node.args[0], lambda v: self._map(name, v, node.span))
        if name not in _FILLED:
            return None
        if not self.program.is_builtin(name) or not node.args:
            return None
        args, kind = list(node.args), F64 if name in {"zeros", "ones"} else BOOL
        last = args[-1]
        if isinstance(last, ast.Char) and last.value in KINDS and kind is F64:
            kind = KINDS[last.value]
            args.pop()
        if len(args) not in {1, 2}:
            raise Refused(f"'{name}' of {len(args)} dimensions", node.span)
        extents = [self._extent(a) for a in args]
        filling = self.cast(number(_FILLED[name]), kind)
        return Array(kind, extents[0], extents[-1], lambda k: filling)

    def _map(self, name: str, v: Val, span: Span) -> Val:
        """A builtin of one element."""
        return VALUES[name](self, v, span)

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
        if len(items) > MOST_LISTED:
            raise Refused("a long literal", node.span)
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
        apart = self._apart(name, array)
        for which, kind in FIELDS:
            slots = f"%{which}.{name}", f"%{which}.{apart}"
            first, second = (self.out.load(s, kind) for s in slots)
            self.out.store(slots[0], kind, second)
            self.out.store(slots[1], kind, first)
        self._keep_ours(apart)
        self.set_flag(name)

    def _apart(self, name: str, array: Array) -> str:
        """The scratch array that holds the elements."""
        apart = f"{name}.new"
        self.keep_scratch(apart)
        self.make_room(apart, array.kind, array.rows, array.columns)
        if array.computed:
            self.program.wide = True
            few = self.out.op(f"icmp sle i64 {self.part(apart, 'n')}, {MOST_COMPUTED}")
            self.require(few)
        data = self.part(apart, "p")
        self.each(self.part(apart, "n"), lambda k: self.put_element(data, k, array.element(k)))
        return apart

    def stored(self, array: Array) -> Array:
        """The same array with its elements computed."""
        apart = self._apart(f"{array.kind.name}.part", array)
        data, kind = self.part(apart, "p"), array.kind
        return Array(kind, array.rows, array.columns, lambda k: self.element(data, k, kind))

    def keep_scratch(self, name: str) -> None:
        """An array that no variable names."""
        raise NotImplementedError

    def _keep_ours(self, apart: str) -> None:
        """What was borrowed is not written to: forget its room."""
        ours = self.out.op(f"icmp ne i64 {self.part(apart, 'o')}, 0")
        self.set_part(apart, "m", self.out.choose(ours, "i64", self.part(apart, "m"), "0"))

    def each(self, count: str, body: Callable[[str], None]) -> None:
        """``body`` for every position below ``count``."""
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


def _some(kind: Kind) -> Val:
    """A value of a class, to ask what becomes of it."""
    return Val(SCALARS[kind.name], "undef")
