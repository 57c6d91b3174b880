"""Expressions to Python: operators with inline scalar arithmetic, conditions, literals.

A tree of arithmetic over names and numbers becomes one Python expression guarded once per name::

    a*b + 1   ->   a*b + 1.0 if type(a) is float and type(b) is float else plus(times(a, b), 1.0)
"""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING, TypeGuard

from app.engine.interpreter.compile.emit import Code, python_name
from app.engine.interpreter.compile.inline_arithmetic import OPERATORS, FloatTree
from app.engine.interpreter.compile.set_variables import asked_variable
from app.engine.interpreter.unit import link_name
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler
    from app.engine.interpreter.unit import Unit

INLINE = frozenset(("+", "-", "*", ".*", "/", "./", "^", ".^", "<", "<=", ">", ">=", "==", "~="))
UNARY = {"-": "@uminus", "+": "@uplus", "~": "@not"}


class Expressions:
    """Compiles the expressions of a function."""

    def __init__(self, function: FunctionCompiler) -> None:
        self.function = function
        self.out = function.out
        self.unit = function.unit
        self.scope = function.scope

    # --- dispatch ---

    def expr(self, node: ast.Expr) -> py.expr:
        """The Python expression of ``node`` with exactly one value."""
        return self.code(node).expr

    def code(self, node: ast.Expr) -> Code:
        """The Python expression of ``node`` and what is known of its value."""
        with self.out.at(node.span):
            return self._code(node)

    def _code(self, node: ast.Expr) -> Code:
        match node:
            case ast.Number():
                return self._number(node)
            case ast.Char():
                return Code(self.out.const(node.value), "S", True)
            case ast.String():
                return Code(self.unit_constant("string", node.value), "", True)
            case ast.Name():
                return self._name(node)
            case ast.Binary():
                return self._binary(node)
            case ast.Unary():
                return self._unary(node)
            case ast.Postfix():
                return self._postfix(node)
            case ast.ShortCircuit():
                return Code(self.short_circuit(node), "B")
            case _:
                return Code(self._other_expression(node))

    def _range(self, node: ast.Range) -> py.expr:
        steps = () if node.step is None else (node.step,)
        return self.out.call("@colon", *map(self.expr, (node.start, *steps, node.stop)))

    def _other_expression(self, node: ast.Expr) -> py.expr:
        match node:
            case ast.Range():
                return self._range(node)
            case ast.Matrix():
                return self._matrix(node)
            case ast.CellLiteral():
                return self._cell(node)
            case ast.AnonymousFunction():
                return self.function.anonymous(node)
            case ast.FunctionHandle():
                return self.function.handle(node)
            case ast.Colon():
                return self.out.name("@:")
            case ast.End():
                return self.function.chains.end_value()
            case ast.MetaClass():
                return self.out.call(
                    "@metaclass", self.out.name("#unit"), self.out.const(node.name)
                )
            case ast.AssignExpression():
                return self.function.assignments.assign_expression(node)
            case _:
                return self._rare_expression(node)

    def _rare_expression(self, node: ast.Expr) -> py.expr:
        if isinstance(node, ast.SuperCall):
            return self.function.super_call(node, (), None)
        asked = asked_variable(node) if self.scope.of_pass else ""
        if asked and self.scope.is_variable(asked):
            unset = self.out.is_none(self.function.assignments.value_or_none(asked))
            return self.out.choose(unset, self.out.const(0.0), self.out.const(1.0))
        return self.function.chains.chain(node)

    # --- leaves ---

    def _number(self, node: ast.Number) -> Code:
        if node.int_class:
            value = (node.int_class, int(node.value))
            return Code(self.unit_constant("integer", value), "", True)
        if node.imaginary:
            return Code(self.out.const(complex(0.0, node.value)), "", True)
        return Code(self.out.const(float(node.value)), "F", True)

    def unit_constant(self, form: str, value: object) -> py.expr:
        """A value made once when the unit is loaded."""
        return self.out.name(self.unit.constant(form, value))

    def variable(self, name: str) -> py.expr:
        """Read the variable ``name`` without any check."""
        if self.scope.is_global(name):
            return self.out.item(self.out.name(self.scope.shared_variables), self.out.const(name))
        if name in self.scope.names.persistent:
            return self.out.item(self.out.name(self.unit.persistent_name()), self.out.const(name))
        return self.out.name(python_name(name))

    def _name(self, node: ast.Name) -> Code:
        name = node.id
        if not self.scope.may_be_variable(name):
            return Code(self.function.chains.chain(node))
        kind = self.scope.kinds.get(name, "")
        if self.scope.certain(name) or not self.scope.is_local(name):
            return Code(self.variable(name), kind, True)
        self.scope.mark_unset(name)
        read = self.out.name(python_name(name))
        fallback = self.unset(name)
        if self.must_be_given(name):
            self.scope.define(name)
        return Code(self.out.choose(self.out.is_set(read), read, fallback), "")

    def must_be_given(self, name: str) -> bool:
        """True for a parameter whose reading, unset, is an error: in Octave it may be a call."""
        is_parameter = name in self.scope.names.parameters and not self.scope.dynamic
        return is_parameter and not self.unit.interpreter.octave

    def unset(self, name: str, nargout: int = 1) -> py.expr:
        """What a read of the unset variable ``name`` gives: a function's value or an error."""
        if self.must_be_given(name):
            return self.out.call("@missing_input", self.out.const(name))
        if name in {"nargin", "nargout"}:
            return self.function.argument_count(name)
        count = None if nargout == 1 else self.out.const(nargout)
        return self.out.call(self.link(name), nargout=count)

    def link(self, name: str) -> py.expr:
        """The callable that the function name means."""
        nested = self.scope.functions.get(name)
        if nested is not None:
            return self.out.name(nested)
        self.unit.link(name)
        return self.out.name(link_name(name))

    # --- operators ---

    def _binary(self, node: ast.Binary) -> Code:
        if node.op in INLINE:
            return FloatTree(self).compile(node)
        left, right = self.code(node.left), self.code(node.right)
        if node.op in {"&", "|"} and left.kind == right.kind == "B":
            join = py.BitAnd() if node.op == "&" else py.BitOr()
            return Code(self.out.binary(left.expr, join, right.expr), "B")
        return Code(self.out.call(OPERATORS[node.op], left.expr, right.expr))

    def _unary(self, node: ast.Unary) -> Code:
        if node.op == "-":
            return FloatTree(self).compile(node)
        operand = self.code(node.operand)
        if node.op == "~":
            return self._negation(operand)
        if node.op == "+" and operand.kind == "F":
            return operand
        return Code(self.out.call(UNARY.get(node.op, "@uplus"), operand.expr))

    def _negation(self, operand: Code) -> Code:
        if operand.kind == "B":
            return Code(self.out.unary(py.Not(), operand.expr), "B")
        if operand.kind == "F":
            return Code(self.out.call("@not", operand.expr))
        name = self.out.temporary()
        test = self.out.type_is(self.out.walrus(name, operand.expr), "@bool")
        inverse = self.out.unary(py.Not(), self.out.name(name))
        return Code(self.out.choose(test, inverse, self.out.call("@not", self.out.name(name))))

    def _postfix(self, node: ast.Postfix) -> Code:
        operand = self.code(node.operand)
        if operand.kind in {"F", "B"}:
            return operand
        helper = "@ctranspose" if node.op == "'" else "@transpose"
        return Code(self.out.call(helper, operand.expr))

    # --- conditions ---

    def short_circuit(self, node: ast.ShortCircuit) -> py.expr:
        """``a && b`` as a Python bool."""
        left = self.scalar_condition(node.left)
        before = set(self.scope.defined)
        right = self.scalar_condition(node.right)
        self.scope.defined = before
        return self.out.both(left, right) if node.op == "&&" else self.out.either(left, right)

    def scalar_condition(self, node: ast.Expr) -> py.expr:
        """An operand of ``&&``: it must be a logical scalar."""
        return self.condition(node, _scalar_truth(self.unit))

    def condition(self, node: ast.Expr, truth: str = "@truth") -> py.expr:
        """The Python truth of ``node`` under ``if`` and ``while``."""
        with self.out.at(node.span):
            if isinstance(node, ast.Number) and not node.imaginary:
                return self.out.const(bool(node.value))
            if isinstance(node, ast.ShortCircuit):
                return self.short_circuit(node)
            if _is_pair(node) and truth == "@truth":
                return self._truth_of(self._pair(node), truth)
            code = self.code(node)
            if code.kind == "B":
                return code.expr
            if code.simple:
                test = self.out.type_is(code.expr, "@bool")
                return self.out.choose(test, code.expr, self.out.call(truth, code.expr))
            return self._truth_of(code.expr, truth)

    def _truth_of(self, value: py.expr, truth: str) -> py.expr:
        name = self.out.temporary()
        test = self.out.type_is(self.out.walrus(name, value), "@bool")
        return self.out.choose(test, self.out.name(name), self.out.call(truth, self.out.name(name)))

    def _pair(self, node: ast.Binary) -> py.expr:
        """``a & b`` under ``if``: a bool where a scalar ``a`` decides, and ``b`` is not asked, or
        else what the operator makes of both. Operands that are such pairs do as much."""
        left = self._pair(node.left) if _is_pair(node.left) else self.code(node.left).expr
        before = set(self.scope.defined)
        right = self.condition(node.right)
        self.scope.defined = before
        first, name = self.out.temporary(), self.out.temporary()
        plain = self.out.type_is(self.out.walrus(first, left), "@bool")
        decided = self.out.choose(
            plain, self.out.name(first), self.out.call("@decided", self.out.name(first))
        )
        join = self.out.both if node.op == "&" else self.out.either
        test = self.out.type_is(self.out.walrus(name, decided), "@bool")
        whole = self.out.call(OPERATORS[node.op], self.out.name(name), self.expr(node.right))
        return self.out.choose(test, join(self.out.name(name), right), whole)

    # --- literals ---

    def _matrix(self, node: ast.Matrix) -> py.expr:
        constant = _numbers(node)
        if constant is not None:
            return self.unit_constant("matrix", constant)
        rows = [r for r in node.rows if r]
        if len(rows) == 1:
            return self.out.call("@row", *self._items(rows[0]))
        items = [self._items(r) for r in rows]
        join = "@padded_column" if self.unit.interpreter.octave else "@column"
        columns = len(items[0]) if items else 0
        spread = any(isinstance(e, py.Starred) for r in items for e in r)
        if columns and not spread and all(len(r) == columns for r in items):
            flat = [e for r in items for e in r]
            return self.out.call("@even_rows", self.out.name(join), self.out.const(columns), *flat)
        return self.out.call(join, *[self.out.call("@row", *r) for r in items])

    def _cell(self, node: ast.CellLiteral) -> py.expr:
        if not node.rows:
            return self.out.call("@cell_row")
        if len(node.rows) == 1:
            return self.out.call("@cell_row", *self._items(node.rows[0]))
        made = [self.out.call("@cell_row", *self._items(r)) for r in node.rows if r]
        return self.out.call("@cell_column", *made)

    def _items(self, row: tuple[ast.Expr, ...]) -> list[py.expr]:
        return [e for item in row for e in self.function.chains.spread(item)]


def _numbers(node: ast.Matrix) -> tuple[tuple[float, ...], ...] | None:
    """The numbers of a literal such as ``[1 -2; 3 4]``; None when it has anything else."""
    rows = []
    for row in node.rows:
        values = [_number_of(item) for item in row]
        if any(v is None for v in values):
            return None
        rows.append(tuple(v for v in values if v is not None))
    if len({len(r) for r in rows}) > 1:
        return None
    return tuple(rows)


def _number_of(item: ast.Expr) -> float | None:
    if isinstance(item, ast.Unary) and item.op == "-":
        inner = _number_of(item.operand)
        return None if inner is None else -inner
    if isinstance(item, ast.Number) and not item.imaginary and not item.int_class:
        return float(item.value)
    return None


def _is_pair(node: ast.Expr) -> TypeGuard[ast.Binary]:
    """Whether an expression is ``a & b`` or ``a | b``, in parentheses or not."""
    return isinstance(node, ast.Binary) and node.op in {"&", "|"}


def _scalar_truth(unit: Unit) -> str:
    """The test of an operand of ``&&``: Octave takes arrays, MATLAB scalars alone."""
    return "@all_true" if unit.interpreter.octave else "@scalar_truth"
