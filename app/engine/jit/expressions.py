"""Scalar expressions to registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import has_end
from app.engine.jit.builder import FALSE, TRUE, Refused, Val, number
from app.engine.jit.indexing import Indexing
from app.engine.jit.intrinsics import CONSTANTS, INTRINSICS
from app.engine.jit.types import BOOL, LOGICAL, SCALARS, TEXT
from app.engine.language import ast
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.program import Program

RELATIONS = frozenset(("<", "<=", ">", ">=", "==", "~="))


class Expressions(Indexing):
    """Compiles expressions; names that are no variables are looked up in the program.

    Attributes:
        program: what is being compiled.
        variables: names that are variables.
    """

    program: Program
    variables: frozenset[str]

    def value(self, node: ast.Expr) -> Val:
        """The scalar that ``node`` gives."""
        match node:
            case ast.Number():
                return self._number(node)
            case ast.Char():
                if len(node.value) != 1:
                    raise Refused("text of several characters", node.span)
                return Val(TEXT, str(ord(node.value)))
            case ast.Name():
                return self._name(node)
            case ast.Binary():
                return self._binary(node)
            case ast.Unary():
                return self._unary(node)
            case ast.ShortCircuit():
                return self._short_circuit(node)
            case ast.Index():
                return self._index(node)
            case ast.End():
                return self.end(node.span)
            case _:
                return self._other(node)

    def _other(self, node: ast.Expr) -> Val:
        if isinstance(node, ast.Postfix) and node.op in {"'", ".'"}:
            return self.value(node.operand)
        if isinstance(node, ast.Matrix) and len(node.rows) == 1 and len(node.rows[0]) == 1:
            return self.value(node.rows[0][0])
        raise Refused(_WHAT.get(type(node), "this expression"), node.span)

    def _number(self, node: ast.Number) -> Val:
        if node.imaginary:
            return self.joined_parts(number(0.0).text, number(float(node.value)).text)
        if node.int_class:
            return Val(SCALARS[node.int_class], str(int(node.value)))
        return number(float(node.value))

    def _name(self, node: ast.Name) -> Val:
        if node.id in self.variables:
            return self.read(node.id, node.span)
        return self._call(node.id, (), node)

    def _index(self, node: ast.Index) -> Val:
        base = node.base
        if not isinstance(base, ast.Name):
            raise Refused("an index of an expression", node.span)
        if base.id in self.variables:
            if not node.args:
                raise Refused("an empty index", node.span)
            return self.read_element(base.id, node.args, node.span)
        return self._call(base.id, node.args, node)

    def _call(self, name: str, args: tuple[ast.Expr, ...], node: ast.Expr) -> Val:
        """A function's value."""
        local = self.program.local_function(name)
        if local is not None:
            return self.call_local(local, args, node.span)
        if not self.program.is_builtin(name):
            raise Refused(f"'{name}' is no function that can be compiled", node.span)
        if not args and name in CONSTANTS:
            return CONSTANTS[name]
        known = INTRINSICS.get(name)
        if known is None:
            raise Refused(f"'{name}' is not compiled", node.span)
        return known(self, args, node.span)

    def call_local(self, function: ast.FunctionDef, args: tuple[ast.Expr, ...], span: Span) -> Val:
        """A function of the same file."""
        raise NotImplementedError

    # --- operators ---

    def _binary(self, node: ast.Binary) -> Val:
        left, right = self.value(node.left), self.value(node.right)
        if node.op in RELATIONS:
            return self.compare(node.op, left, right, node.span)
        if node.op in {"&", "|"}:
            return self.joined(node.op, left, right)
        return self.binary(node.op, left, right, node.span)

    def _unary(self, node: ast.Unary) -> Val:
        operand = self.value(node.operand)
        if node.op == "-":
            return self.negative(operand)
        if node.op == "~":
            return self.opposite(operand)
        kind = self.kind(operand)
        if kind.is_float or kind.is_integer:
            return operand
        return Val(SCALARS["double"], self.double(operand))

    def _short_circuit(self, node: ast.ShortCircuit) -> Val:
        then, other = (self.out.label(h) for h in ("yes", "no"))
        done = self.out.label("done")
        slot = self.out.slot(f"%b.{done}", "i1")
        self.branch_on(node, then, other)
        for label, value in ((then, TRUE), (other, FALSE)):
            self.out.start(label)
            self.out.store(slot, "i1", value.text)
            self.out.jump(done)
        self.out.start(done)
        return Val(LOGICAL, self.out.load(slot, "i1"))

    # --- conditions ---

    def branch_on(self, node: ast.Expr, then: str, other: str, plain: bool = True) -> None:
        """Go to ``then`` or ``other``; ``plain`` under ``if`` and ``while``."""
        if isinstance(node, ast.ShortCircuit):
            between = self.out.label("next")
            first = (between, other) if node.op == "&&" else (then, between)
            self.branch_on(node.left, *first, plain=False)
            self.out.start(between)
            self.branch_on(node.right, then, other, plain=False)
        elif plain and isinstance(node, ast.Binary) and node.op in {"&", "|"}:
            self._branch_pair(node, then, other)
        else:
            self.out.branch(self.logical(self.value(node)).text, then, other)

    def _branch_pair(self, node: ast.Binary, then: str, other: str) -> None:
        """``a & b`` under ``if`` skips b when a logical a decides."""
        left = self.value(node.left)
        if self.kind(left) is not BOOL:
            test = self.joined(node.op, left, self.value(node.right))
            self.out.branch(test.text, then, other)
            return
        between = self.out.label("next")
        first = (between, other) if node.op == "&" else (then, between)
        self.out.branch(left.text, *first)
        self.out.start(between)
        self.branch_on(node.right, then, other)

    def draw(self, span: Span) -> str:
        """A uniform random number."""
        raise NotImplementedError

    def has_end(self, args: tuple[ast.Expr, ...]) -> bool:
        """True when an ``end`` in ``args`` measures what they index."""
        return has_end(args, lambda n: n in self.variables)


_WHAT = {
    ast.String: "a string",
    ast.Matrix: "an array literal",
    ast.CellLiteral: "a cell",
    ast.CellIndex: "an index in braces",
    ast.Field: "a field",
    ast.DynamicField: "a field",
    ast.AnonymousFunction: "an anonymous function",
    ast.FunctionHandle: "a function handle",
    ast.Range: "a range",
    ast.Colon: "a whole slice",
}
