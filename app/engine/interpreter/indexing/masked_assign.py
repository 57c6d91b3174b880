"""``a(m) = 2*b(m) + c``: what is set where a mask is true, computed everywhere and chosen.

How many elements a mask selects must be known before any of them is computed. Where both sides
select by the same mask, the whole arrays can be combined instead, and nothing has to be counted.
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from app.engine.capture import capture
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast
from app.engine.values import DeviceArray, Value
from app.records import mutable_record

_PLAIN = frozenset(("+", "-", ".*", "./"))
_LINEAR = {"*": ("left", "right"), "/": ("right",)}


_TESTS = frozenset(("<", "<=", ">", ">=", "==", "~=", "&", "|"))
_SIMPLE = _PLAIN | _TESTS | {".^", "*", "/"}


@mutable_record
class Masked:
    """An assignment by a mask whose right side selects by the same one.

    Attributes:
        mask: what selects.
        arrays: what is set and what is selected from, in that order.
        leaves: the variables and fields that the mask is computed from.
        numbers: names that must stand for numbers.
        whole: the right side without the selection.
    """

    mask: ast.Expr
    arrays: list[ast.Expr]
    leaves: list[ast.Expr]
    numbers: list[ast.Expr] = field(default_factory=list)
    whole: ast.Expr | None = None

    @property
    def variables(self) -> set[str]:
        """The variables that all of it is computed from."""
        return {_variable(node) for node in (*self.arrays, *self.leaves, *self.numbers)}

    def taken(self, node: ast.Expr) -> ast.Expr | None:
        """The expression over whole arrays; None where it is more than sums and products."""
        match node:
            case ast.Number(imaginary=False, int_class=""):
                return node
            case ast.Name():
                self.numbers.append(node)
                return node
            case ast.Index(base=base, args=(mask,)) if _variable(base):
                self.arrays.append(base)
                return base if mask == self.mask else None
            case ast.Field() if _variable(node):
                self.numbers.append(node)
                return node
            case ast.Unary(op="-"):
                inner = self.taken(node.operand)
                return inner and replace(node, operand=inner)
            case ast.Binary():
                return self._both(node)
        return None

    def _both(self, node: ast.Binary) -> ast.Expr | None:
        scalars = [getattr(node, side) for side in _LINEAR.get(node.op, ())]
        if node.op not in _PLAIN and not any(isinstance(s, ast.Number | ast.Name) for s in scalars):
            return None
        left, right = self.taken(node.left), self.taken(node.right)
        return replace(node, left=left, right=right) if left and right else None


def _variable(node: ast.Expr) -> str:
    """The variable that ``x`` or ``x.a.b`` begins with; empty for all else."""
    while isinstance(node, ast.Field):
        node = node.base
    return node.id if isinstance(node, ast.Name) else ""


def masked_assignment(node: ast.Assign, scope: Scope) -> Masked | None:
    """The parts of an assignment by a mask; None for all others."""
    target = node.target
    if not isinstance(target, ast.Index) or not _variable(target.base) or len(target.args) != 1:
        return None
    leaves = _leaves(target.args[0])
    is_test = isinstance(target.args[0], ast.Name | ast.Field) or _is_test(target.args[0])
    if not leaves or not is_test or all(_variable(leaf) in scope.kinds for leaf in leaves):
        return None  # a number
    found = Masked(target.args[0], [target.base], leaves)
    found.whole = found.taken(node.value)
    known = all(
        scope.is_variable(n) and scope.is_local(n) and n not in scope.uncertain
        for n in found.variables
    )
    return found if found.whole and len(found.arrays) > 1 and known else None


def _is_test(node: ast.Expr) -> bool:
    """Whether an expression gives truth values, whatever it is made of."""
    return isinstance(node, ast.Binary | ast.Unary) and node.op in {*_TESTS, "~"}


def _leaves(node: ast.Expr) -> list[ast.Expr]:
    """The variables and fields of a mask of operators alone; none for all else."""
    found: list[ast.Expr] = []
    pending = [node]
    while pending:
        match pending.pop():
            case ast.Number():
                pass
            case ast.Name() | ast.Field() as leaf if _variable(leaf):
                found.append(leaf)
            case ast.Unary(operand=operand):
                pending.append(operand)
            case ast.Binary(op=op, left=left, right=right) if op in _SIMPLE:
                pending += [left, right]
            case _:
                return []
    return found


def is_lazy(values: tuple[Value, ...]) -> bool:
    """Whether there is a lazy array, so that whole arrays may be combined."""
    return any(type(value) is DeviceArray for value in values)


def is_masked(mask: Value, arrays: tuple[Value, ...], numbers: tuple[Value, ...]) -> bool:
    """Whether all are real arrays of one class and size, to be computed together."""
    if type(mask) is not DeviceArray or mask.class_name != "logical":
        return False
    if any(type(number) is not float for number in numbers):
        return False
    kinds = {_kind(a) for a in arrays}
    return kinds in ({(mask.shape, "float64")}, {(mask.shape, "float32")})


def _kind(a: Value) -> tuple[tuple[int, ...], str] | None:
    """Size and type of an array that is not about to become complex."""
    if type(a) is np.ndarray or (type(a) is DeviceArray and not a.guarded):
        return a.shape, str(a.dtype)
    return None


def set_where(x: Value, mask: Value, whole: Value) -> Value:
    """``x`` with the elements of ``whole`` where the mask is true."""
    where, new, old = map(capture.operand, (mask, whole, x))
    return capture.lazy_of(capture.Session.runtime.apply("select", (where, new, old)))
