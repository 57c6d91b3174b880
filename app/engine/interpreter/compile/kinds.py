"""Which variables always hold a plain float (``F``) or bool (``B``), found without running.

The answer does not depend on the place in the function: a variable has a kind when every
assignment to it has that kind. Loop counters of numeric ranges get their kind only inside the loop.
"""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.language import ast
from app.engine.language.walk import walk_body

ARITHMETIC = frozenset(("+", "-", "*", ".*", "/", "./"))
COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "~="))


def kind_of(expr: ast.Expr, kinds: Mapping[str, str]) -> str:
    """The kind of ``expr`` when names have ``kinds``: ``F``, ``B`` or empty."""
    if isinstance(expr, ast.Number):
        return "" if expr.imaginary or expr.int_class else "F"
    if isinstance(expr, ast.Name):
        return kinds.get(expr.id, "")
    if isinstance(expr, ast.Binary):
        return _binary_kind(expr, kinds)
    if isinstance(expr, ast.Unary):
        return _unary_kind(expr, kinds)
    if isinstance(expr, ast.Postfix):
        return kind_of(expr.operand, kinds)
    if isinstance(expr, ast.ShortCircuit):
        return "B"
    return ""


def _unary_kind(expr: ast.Unary, kinds: Mapping[str, str]) -> str:
    kind = kind_of(expr.operand, kinds)
    if expr.op == "~":
        return "B" if kind == "B" else ""
    return "F" if kind == "F" and expr.op in {"-", "+"} else ""


def _binary_kind(expr: ast.Binary, kinds: Mapping[str, str]) -> str:
    left, right = kind_of(expr.left, kinds), kind_of(expr.right, kinds)
    if expr.op in COMPARISONS:
        return "B" if left == right == "F" else ""
    if expr.op in ARITHMETIC:
        return "F" if {left, right} in ({"F"}, {"F", "B"}) else ""
    if expr.op in {"^", ".^"} and left == "F" and whole_exponent(expr.right) is not None:
        return "F"
    if expr.op in {"&", "|"} and left == right == "B":
        return "B"
    return ""


def whole_exponent(expr: ast.Expr) -> float | None:
    """The exponent when it is a whole number literal, so that real bases stay real."""
    if isinstance(expr, ast.Unary) and expr.op == "-":
        inner = whole_exponent(expr.operand)
        return None if inner is None else -inner
    if not isinstance(expr, ast.Number) or expr.imaginary or expr.int_class:
        return None
    value = float(expr.value)
    return value if value.is_integer() else None


def counter_kind(node: ast.For, kinds: Mapping[str, str]) -> str:
    """``F`` when the loop's counter is certainly a float inside the body."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iterable, ast.Range):
        return ""
    parts = [node.iterable.start, node.iterable.stop]
    if node.iterable.step is not None:
        parts.append(node.iterable.step)
    return "F" if all(kind_of(p, kinds) == "F" for p in parts) else ""


class Inference:
    """Finds the kinds of the variables of one function by starting from the best case."""

    def __init__(self, names: Names, unknown: set[str]) -> None:
        candidates = names.assigned - unknown - names.globals - names.persistent
        candidates -= set(names.parameters) | {"varargout", "ans"}
        self.kinds: dict[str, str] = dict.fromkeys(candidates, "?")

    def run(self, body: tuple[ast.Statement, ...]) -> dict[str, str]:
        """The kinds of all variables that have one."""
        for part in walk_body(body):
            if isinstance(part, ast.AssignExpression):
                self._lose_target(part.target)
        for _ in range(12):
            before = dict(self.kinds)
            self._block(body)
            if self.kinds == before:
                return {n: k for n, k in self.kinds.items() if k in {"F", "B"}}
        return {}

    def _block(self, body: tuple[ast.Node, ...]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.Node) -> None:
        if isinstance(node, ast.Assign):
            self._assign(node.target, node.value)
        elif isinstance(node, ast.OpAssign):
            self._assign(node.target, ast.Binary(node.span, node.op, node.target, node.value))
        elif isinstance(node, ast.For):
            self._loop(node)
            return
        elif isinstance(node, ast.MultiAssign):
            for target in node.targets:
                self._lose_target(target)
        elif isinstance(node, ast.Try):
            self._lose(node.name)
        self._infer_branches(node)

    def _infer_branches(self, node: ast.Node) -> None:
        if isinstance(node, ast.If):
            for branch in node.branches:
                self._block(branch.body)
            self._block(node.orelse or ())
        elif isinstance(node, ast.Switch):
            for case in node.cases:
                self._block(case.body)
            self._block(node.otherwise or ())
        elif isinstance(node, ast.While | ast.DoUntil):
            self._block(node.body)
        elif isinstance(node, ast.Spmd):
            for name in names_of_script(node.body).assigned:
                self._lose(name)
        elif isinstance(node, ast.Try):
            self._block(node.body + node.handler)
        elif isinstance(node, ast.UnwindProtect):
            self._block(node.body + node.cleanup)

    def _loop(self, node: ast.For) -> None:
        kind = counter_kind(node, self.kinds)
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        if name and not assigns(node.body, name):
            before = self.kinds.get(name, "")
            self.kinds[name] = kind or ("?" if self._is_undecided(node.iterable) else "")
            self._block(node.body)
            self.kinds[name] = before
        else:
            self._block(node.body)
        self._lose_target(node.target)

    def _is_undecided(self, iterable: ast.Expr) -> bool:
        return isinstance(iterable, ast.Range) and any(
            isinstance(n, ast.Name) and self.kinds.get(n.id) == "?" for n in walk_body((iterable,))
        )

    def _assign(self, target: ast.Expr, value: ast.Expr) -> None:
        if not isinstance(target, ast.Name):
            self._lose_target(target)
            return
        if target.id not in self.kinds:
            return
        kind = self._optimistic(value)
        held = self.kinds[target.id]
        if kind in {"?", held}:
            return
        self.kinds[target.id] = kind if held == "?" else ""

    def _optimistic(self, value: ast.Expr) -> str:
        kind = kind_of(value, self.kinds)
        if kind:
            return kind
        best = {n: "F" if k == "?" else k for n, k in self.kinds.items()}
        return "?" if kind_of(value, best) else ""

    def _lose_target(self, target: ast.Expr) -> None:
        while isinstance(target, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
            target = target.base
        if isinstance(target, ast.Name):
            self._lose(target.id)

    def _lose(self, name: str) -> None:
        if name in self.kinds:
            self.kinds[name] = ""


def assigns(body: tuple[ast.Statement, ...], name: str) -> bool:
    """True when ``body`` may assign ``name``."""
    return name in names_of_script(body).assigned
