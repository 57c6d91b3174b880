"""Scalar arithmetic inlined: one guard per operand, then plain Python arithmetic.

Leaves of the tree are evaluated first, in MATLAB's order, into names; if all of them are floats the
whole tree runs as Python arithmetic, otherwise the operators' functions are called on the leaves.
"""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.emit import Code, Emitter, python_name
from app.engine.interpreter.compile.kinds import whole_exponent
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.expressions import Expressions

OPERATORS = {
    "+": "@plus",
    "-": "@minus",
    "*": "@mtimes",
    ".*": "@times",
    "/": "@mrdivide",
    "./": "@rdivide",
    "\\": "@mldivide",
    ".\\": "@ldivide",
    "^": "@mpower",
    ".^": "@power",
    "==": "@eq",
    "~=": "@ne",
    "<": "@lt",
    "<=": "@le",
    ">": "@gt",
    ">=": "@ge",
    "&": "@and",
    "|": "@or",
}
_PLAIN: dict[str, type[py.operator]] = {
    "+": py.Add,
    "-": py.Sub,
    "*": py.Mult,
    ".*": py.Mult,
}
_COMPARE: dict[str, type[py.cmpop]] = {
    "<": py.Lt,
    "<=": py.LtE,
    ">": py.Gt,
    ">=": py.GtE,
    "==": py.Eq,
    "~=": py.NotEq,
}
_DIVIDE = frozenset(("/", "./"))
_POWER = frozenset(("^", ".^"))


class FloatTree:
    """Compiles one maximal tree of scalar operators."""

    def __init__(self, code: Expressions) -> None:
        self.code = code
        self.out = code.out
        self.guards: dict[str, None] = {}
        self.pending: list[tuple[str, py.expr]] = []
        self.text_leaf = False
        self.checked: set[str] = set()

    def compile(self, node: ast.Expr) -> Code:
        """The code of ``node``, a ``Binary`` or a unary minus."""
        letter = _letter_of(node)
        if letter is not None:
            return self._with_character(*letter)
        compares = isinstance(node, ast.Binary) and node.op in _COMPARE
        fast, slow = self._tree(node, top=True)
        self.code.scope.defined |= self.checked
        kind = "B" if compares else "F"
        if not self.guards and not self.pending and not self.text_leaf:
            return Code(fast, kind)
        if self.text_leaf:
            return Code(self._slow_only(slow))
        return Code(self.out.choose(self._guard(), fast, slow))

    def _slow_only(self, slow: py.expr) -> py.expr:
        """Text is involved: evaluate the leaves, then call the functions."""
        if not self.pending:
            return slow
        first = self._evaluated_leaves()
        return self.out.choose(self.out.is_set(first), slow, slow_none(self.out))

    def _guard(self) -> py.expr:
        out = self.out
        tests: list[py.expr] = []
        if self.pending:
            tests.append(out.type_is(self._evaluated_leaves(), "@float"))
            tests += [out.type_is(out.name(n), "@float") for n, _ in self.pending[:-1]]
        tests += [out.type_is(out.name(n), "@float") for n in self.guards]
        return out.both(*tests)

    def _evaluated_leaves(self) -> py.expr:
        """Evaluates all pending leaves in order; its value is the last one."""
        out = self.out
        result: py.expr | None = None
        for name, value in self.pending:
            made = out.walrus(name, value)
            if result is None:
                result = made
            else:
                result = out.choose(out.is_set(result), made, out.const(None))
        assert result is not None
        return result

    # --- the two forms of every node: floats only, and anything ---

    def _tree(self, node: ast.Expr, top: bool = False) -> tuple[py.expr, py.expr]:
        with self.out.at(node.span):
            if isinstance(node, ast.Unary) and node.op == "-":
                return self._minus(node)
            if isinstance(node, ast.Binary) and (top or _letter_of(node) is None):
                if node.op in _PLAIN or node.op in _DIVIDE:
                    return self._operation(node)
                if node.op in _COMPARE and top:
                    return self._operation(node)
                if node.op in _POWER and whole_exponent(node.right) is not None:
                    return self._power(node)
            if top:
                return self._opaque_power(node)
            return self._leaf(node)

    def _with_character(self, node: ast.Binary, value: ast.Expr, letter: str) -> Code:
        """``value op 'c'`` or ``'c' op value``: where the value is a character, too, on numbers."""
        out, flipped = self.out, value is node.right
        name = out.temporary()
        given = out.walrus(name, self.code.expr(value))
        slow = [out.name(name), out.const(letter)]
        alone = out.compare(out.call("@len", out.name(name)), py.Eq(), out.const(1))
        test = out.both(out.type_is(given, "@str"), alone)
        code = out.call("@ord", out.name(name))
        sides = [code, out.const(float(ord(letter)))]
        if flipped:
            slow.reverse()
            sides.reverse()
        if node.op in _COMPARE:
            quick: py.expr = out.compare(sides[0], _COMPARE[node.op](), sides[1])
        else:
            quick = out.binary(sides[0], _PLAIN[node.op](), sides[1])
        return Code(out.choose(test, quick, out.call(OPERATORS[node.op], *slow)))

    def _minus(self, node: ast.Unary) -> tuple[py.expr, py.expr]:
        if isinstance(node.operand, ast.Number) and not (
            node.operand.imaginary or node.operand.int_class
        ):
            value = self.out.const(-float(node.operand.value))
            return value, value
        fast, slow = self._tree(node.operand)
        return self.out.unary(py.USub(), fast), self.out.call("@uminus", slow)

    def _operation(self, node: ast.Binary) -> tuple[py.expr, py.expr]:
        out = self.out
        left, left_slow = self._tree(node.left)
        right, right_slow = self._tree(node.right)
        slow = out.call(OPERATORS[node.op], left_slow, right_slow)
        if node.op in _DIVIDE:
            return self._divide(node, left, right), slow
        if node.op in _COMPARE:
            return out.compare(left, _COMPARE[node.op](), right), slow
        return out.binary(left, _PLAIN[node.op](), right), slow

    def _divide(self, node: ast.Binary, left: py.expr, right: py.expr) -> py.expr:
        out = self.out
        if isinstance(right, py.Constant) and right.value:
            return out.binary(left, py.Div(), right)
        if isinstance(right, py.Name):
            test: py.expr = right
            again: py.expr = right
        else:
            name = out.temporary()
            test, again = out.walrus(name, right), out.name(name)
        quotient = out.binary(left, py.Div(), again)
        return out.choose(test, quotient, out.call("@divide_zero", left, again))

    def _power(self, node: ast.Binary) -> tuple[py.expr, py.expr]:
        out = self.out
        exponent = whole_exponent(node.right)
        base, slow_base = self._tree(node.left)
        slow = out.call(OPERATORS[node.op], slow_base, out.const(exponent))
        if exponent == 2.0:
            if isinstance(base, py.Name):
                return out.binary(base, py.Mult(), base), slow
            name = out.temporary()
            return out.binary(out.walrus(name, base), py.Mult(), out.name(name)), slow
        return out.call("@float_power", base, out.const(exponent)), slow

    def _opaque_power(self, node: ast.Expr) -> tuple[py.expr, py.expr]:
        """``x ^ y`` whose answer may be complex: no inline form."""
        assert isinstance(node, ast.Binary)
        self.text_leaf = True
        left, right = self.code.expr(node.left), self.code.expr(node.right)
        slow = self.out.call(OPERATORS[node.op], left, right)
        return slow, slow

    def _leaf(self, node: ast.Expr) -> tuple[py.expr, py.expr]:
        if isinstance(node, ast.Name) and self._is_guarded_name(node.id):
            return self._name_leaf(node)
        code = self.code.code(node)
        if code.kind in {"F", "B"} and code.simple and isinstance(code.expr, py.Constant | py.Name):
            if code.kind == "B":
                return self._pending_leaf(code.expr)
            return code.expr, code.expr
        if code.simple and isinstance(code.expr, py.Constant):
            self.text_leaf = True
            return code.expr, code.expr
        return self._pending_leaf(code.expr)

    def _is_guarded_name(self, name: str) -> bool:
        scope = self.code.scope
        return scope.is_variable(name) and scope.is_local(name)

    def _name_leaf(self, node: ast.Name) -> tuple[py.expr, py.expr]:
        out, scope = self.out, self.code.scope
        name = python_name(node.id)
        certain = scope.certain(node.id)
        slow = self.code.code(node).expr
        if not certain and scope.certain(node.id):  # checked behind the leaves that follow
            self.checked.add(node.id)
            scope.defined.discard(node.id)
        if not (certain and scope.kinds.get(node.id) == "F"):
            self.guards[name] = None
        return out.name(name), slow

    def _pending_leaf(self, value: py.expr) -> tuple[py.expr, py.expr]:
        name = self.out.temporary()
        self.pending.append((name, value))
        return self.out.name(name), self.out.name(name)


def _letter_of(node: ast.Expr) -> tuple[ast.Binary, ast.Expr, str] | None:
    """``x op 'c'`` and ``'c' op x``: the operation, ``x`` and the character."""
    if not isinstance(node, ast.Binary) or not (node.op in _PLAIN or node.op in _COMPARE):
        return None
    for letter, value in ((node.right, node.left), (node.left, node.right)):
        if isinstance(letter, ast.Char) and len(letter.value) == 1:
            return node, value, letter.value
    return None


def slow_none(out: Emitter) -> py.expr:
    """The error of using something that has no value."""
    return out.call("@no_value")
