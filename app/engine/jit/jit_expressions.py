"""Expressions: scalars to registers, arrays to what tells their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import has_end
from app.engine.jit import (
    calls,
    complex_arrays,
    complexes,
    jit_ranges,
    joining,
    maps,
    products,
    slices,
)
from app.engine.jit.arrays import Array, Arrays, Operand
from app.engine.jit.builder import FALSE, TRUE, Builder, Refused, Val, number
from app.engine.jit.indexing import Indexing
from app.engine.jit.jit_arithmetic import Arithmetic
from app.engine.jit.jit_intrinsics import CONSTANTS, INTRINSICS, VALUES
from app.engine.jit.jit_reductions import ARRAY_FUNCTIONS
from app.engine.jit.jit_types import C128, LOGICAL, SCALARS, TEXT
from app.engine.jit.rewritten_calls import rewritten
from app.engine.jit.trees import Inlined
from app.engine.jit.variables import Variables
from app.engine.language import ast
from app.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.jit.program import Program


class Expressions:
    """Compiles expressions; names that are no variables are looked up in the program.

    Attributes:
        out: where the code is written.
        program: what is being compiled.
        names: names that are variables.
        arithmetic: conversions and operators of scalars.
        variables: the variables and their types.
        arrays: whole arrays.
        indexing: elements of arrays.
        depth: how many compiled calls are running, as an operand.
        moves: True inside functions.
        inlined: does what stands in the place of a call, and gives its value.
    """

    inlined: Callable[[Inlined, ast.Expr], Operand]

    def __init__(
        self,
        out: Builder,
        program: Program,
        names: frozenset[str],
        variables: Variables,
        keep_scratch: Callable[[str], None],
    ) -> None:
        self.out = out
        self.program = program
        self.names = names
        self.variables = variables
        self.arithmetic = Arithmetic(out)
        self.arrays = Arrays(out, program, self.arithmetic, variables, keep_scratch)
        self.indexing = Indexing(out, self.arithmetic, variables, self.value)
        self.depth = "0"
        self.moves = False

    def value(self, node: ast.Expr) -> Val:
        """The scalar that ``node`` gives; leaves where an array has several elements."""
        return self.single(self.operand(node), node.span)

    def single(self, made: Operand, span: Span) -> Val:
        """A value that has to be a scalar."""
        if isinstance(made, Val):
            return made
        if not made.data:
            raise Refused("an array where a number is wanted", span)
        self.out.require(self.out.op(f"icmp eq i64 {self.arrays.count_of(made)}, 1"))
        return made.element("0")

    def operand(self, node: ast.Expr) -> Operand:
        """The scalar or array of two dimensions that ``node`` gives."""
        made = self.operand_of_pages(node)
        if isinstance(made, Array) and made.pages != "1":
            raise Refused("an array of three dimensions in this place", node.span)
        return made

    def operand_of_pages(self, node: ast.Expr) -> Operand:
        """The scalar or array of up to three dimensions, not of complex numbers, of ``node``."""
        made = self.any_operand(node)
        if isinstance(made, Array) and made.kind is C128:
            raise Refused("a complex array in this place", node.span)
        return made

    def any_operand(self, node: ast.Expr) -> Operand:
        """What ``node`` gives."""
        match node:
            case ast.Number():
                return self._number(node)
            case ast.Char() if len(node.value) == 1:
                return Val(TEXT, str(ord(node.value)))
            case ast.Name():
                return self._name(node)
            case ast.Binary():
                left, right = self.any_operand(node.left), self.any_operand(node.right)
                return products.matrix_operator(self, node.op, left, right, node.span)
            case ast.Unary():
                return self._unary(node)
            case ast.Index():
                return self._index(node)
            case ast.Postfix() if node.op in {"'", ".'"}:
                return self._postfix_operand(node)
            case _:
                return self._other_operand(node)

    def _other_operand(self, node: ast.Expr) -> Operand:
        match node:
            case ast.Char():
                return self.arrays.text_array(node.value, node.span)
            case ast.ShortCircuit():
                return self._short_circuit(node)
            case ast.End():
                return self.indexing.end(node.span)
            case ast.Matrix():
                return joining.literal(self, node)
            case ast.Range():
                return jit_ranges.range_of(self, node)
            case Inlined() if node.result is not None:
                return self.inlined(node, node.result)
            case _:
                raise Refused(_WHAT.get(type(node), "this expression"), node.span)

    def _number(self, node: ast.Number) -> Val:
        if node.imaginary:
            return complexes.joined_parts(
                self.out, number(0.0).text, number(float(node.value)).text
            )
        if node.int_class:
            return Val(SCALARS[node.int_class], str(int(node.value)))
        return number(float(node.value))

    def _name(self, node: ast.Name) -> Operand:
        if node.id not in self.names:
            return self.call_function(node.id, (), node)
        if self.variables.type_of(node.id, node.span).array:
            return self.arrays.variable(node.id)
        return self.variables.read(node.id, node.span)

    def _index(self, node: ast.Index) -> Operand:
        base = node.base
        if not isinstance(base, ast.Name):
            raise Refused("an index of an expression", node.span)
        if base.id not in self.names:
            return self.call_function(base.id, node.args, node)
        if not node.args:
            raise Refused("an empty index", node.span)
        if slices.is_slice(self, node):
            return slices.slice_of(self, node)
        return self.indexing.read_element(base.id, node.args, node.span)

    def call_function(self, name: str, args: tuple[ast.Expr, ...], node: ast.Expr) -> Operand:
        """A function's value."""
        local = self.program.local_function(name)
        if local is not None:
            return calls.call_local(self, local, args, node.span)
        if not self.program.is_builtin(name):
            raise Refused(f"'{name}' is not a function that can be compiled", node.span)
        same = rewritten(name, args, node.span)
        if same is not None:
            return self.any_operand(same)
        if not args and name in CONSTANTS:
            return CONSTANTS[name]
        known = INTRINSICS.get(name)
        whole = ARRAY_FUNCTIONS.get(name)
        if whole is not None:
            made = whole(self, args, node.span)
            if made is not None:
                return made
        if known is None:
            raise Refused(f"'{name}' is not compiled", node.span)
        if not hasattr(known, "function"):
            return known(self, args, node.span)
        given = [self.any_operand(a) for a in args]
        return self._of_operands(name, given, args, node.span)

    def _of_operands(
        self, name: str, given: list[Operand], args: tuple[ast.Expr, ...], span: Span
    ) -> Operand:
        """A function of numbers, element by element where it is given arrays."""
        intrinsic = VALUES[name]
        intrinsic.check_count(given, span)
        if all(isinstance(a, Val) for a in given):
            return intrinsic.function(self, *given, span)
        if complex_arrays.is_complex(*given):
            return self._of_complex(name, given, span)
        return maps.elementwise(self, name, given, span)

    def _of_complex(self, name: str, given: list[Operand], span: Span) -> Operand:
        """A function of a complex array."""
        function, a = complex_arrays.FUNCTIONS.get(name), given[0]
        if function is None or len(given) > 1 or isinstance(a, Val):
            raise Refused(f"'{name}' of a complex array", span)
        return function(self, a)

    # --- operators ---

    def _unary(self, node: ast.Unary) -> Operand:
        operand = self.any_operand(node.operand)
        if not isinstance(operand, Val) and operand.kind is C128:
            if node.op != "-":
                raise Refused(f"'{node.op}' of a complex array", node.span)
            return complex_arrays.negative(self, operand)
        if not isinstance(operand, Val):
            return self.arrays.map(operand, lambda v: self._unary_value(node.op, v))
        return self._unary_value(node.op, operand)

    def _unary_value(self, op: str, v: Val) -> Val:
        if op == "-":
            return self.arithmetic.negative(v)
        if op == "~":
            return self.arithmetic.logical_not(v)
        kind = self.arithmetic.kind(v)
        if kind.is_float or kind.is_integer:
            return v
        return Val(SCALARS["double"], self.arithmetic.double(v))

    def _postfix_operand(self, node: ast.Postfix) -> Operand:
        made = self.any_operand(node.operand)
        if not isinstance(made, Val):
            if made.pages != "1":
                raise Refused("an array of three dimensions in this place", node.span)
            if made.kind is C128 and node.op == "'":
                made = complex_arrays.conjugate(self, made)
            return self.arrays.transpose_of(made)
        return (
            complexes.conjugate(self.out, made)
            if node.op == "'" and complexes.is_complex(made)
            else made
        )

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
            self.out.branch(self.arithmetic.logical(self.value(node)).text, then, other)

    def _branch_pair(self, node: ast.Binary, then: str, other: str) -> None:
        """``a & b`` under ``if`` skips b when a decides, which may be such a pair itself."""
        between = self.out.label("next")
        first = (between, other) if node.op == "&" else (then, between)
        self.branch_on(node.left, *first)
        self.out.start(between)
        self.branch_on(node.right, then, other)

    def has_end(self, args: tuple[ast.Expr, ...]) -> bool:
        """True when an ``end`` in ``args`` measures what they index."""
        return has_end(args, lambda n: n in self.names)


_WHAT = {
    ast.String: "a string",
    ast.CellLiteral: "a cell",
    ast.CellIndex: "an index in braces",
    ast.Field: "a field",
    ast.DynamicField: "a field",
    ast.AnonymousFunction: "an anonymous function",
    ast.FunctionHandle: "a function handle",
    ast.Colon: "a whole slice",
}
