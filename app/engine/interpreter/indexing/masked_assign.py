"""``a(m) = 2*b(m) + c``: what is set where a mask is true, computed everywhere and chosen.

How many elements a mask selects must be known before any of them is computed. Where both sides
select by the same mask, the whole arrays can be combined instead, and nothing has to be counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from app.engine.capture import capture
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast
from app.engine.values import DeviceArray, Value

_PLAIN = frozenset(("+", "-", ".*", "./"))
_LINEAR = {"*": ("left", "right"), "/": ("right",)}


@dataclass
class Masked:
    """An assignment by a mask whose right side selects by the same one.

    Attributes:
        mask: the name of the mask.
        arrays: names of what is set and of what is selected from, in that order.
        numbers: names that must stand for numbers.
        whole: the right side without the selection.
    """

    mask: str
    arrays: list[str]
    numbers: list[str] = field(default_factory=list)
    whole: ast.Expr | None = None

    def taken(self, node: ast.Expr) -> ast.Expr | None:
        """The expression over whole arrays; None where it is more than sums and products."""
        match node:
            case ast.Number(imaginary=False, int_class=""):
                return node
            case ast.Name():
                self.numbers.append(node.id)
                return node
            case ast.Index(base=ast.Name() as base, args=(ast.Name(id=name),)):
                self.arrays.append(base.id)
                return base if name == self.mask else None
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


def masked(node: ast.Assign, scope: Scope) -> Masked | None:
    """The parts of an assignment by a mask; None for all others."""
    target = node.target
    if not isinstance(target, ast.Index) or not isinstance(target.base, ast.Name):
        return None
    if len(target.args) != 1 or not isinstance(target.args[0], ast.Name):
        return None
    if target.args[0].id in scope.kinds:  # a number
        return None
    found = Masked(target.args[0].id, [target.base.id])
    found.whole = found.taken(node.value)
    names = (found.mask, *found.arrays, *found.numbers)
    known = all(
        scope.is_variable(n) and scope.is_local(n) and n not in scope.uncertain for n in names
    )
    return found if found.whole and len(found.arrays) > 1 and known else None


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
