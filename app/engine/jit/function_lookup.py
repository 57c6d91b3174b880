"""Which function a call means, as the interpreter looks it up, for the classes of its arguments."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import names_of_function
from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import OBJECT, Members
from app.engine.jit.inline_scopes import Scope
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from app.engine.interpreter.objects.class_model import ClassInfo, Method
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.part_names import Parts

Found = tuple[ast.FunctionDef, "Unit"]
"""A function and the file that it is in."""

_OF_CALL = frozenset(("nargin", "nargout", "varargin", "varargout"))
_CONTAINERS = (
    ast.Field,
    ast.CellIndex,
    ast.DynamicField,
    ast.CellLiteral,
    ast.FunctionHandle,
    ast.AnonymousFunction,
)


class Functions:
    """Finds functions.

    Attributes:
        classes: classes of objects by identity.
    """

    def __init__(self, unit: Unit, parts: Parts, classes: dict[int, ClassInfo]) -> None:
        self.unit = unit
        self.parts = parts
        self.classes = classes
        self._plain: dict[int, bool] = {}

    def in_file(self, name: str, unit: Unit) -> Found | None:
        """The function, of this file or with a file of its own, that a name means."""
        if name in unit.local:
            return unit.nodes[name], unit
        target = unit.interpreter.find(unit, name)
        target = getattr(target, "made", target)
        if not isinstance(target, FunctionType) or "#unit" not in target.__globals__:
            return None
        other: Unit = target.__globals__["#unit"]
        node = other.nodes.get(target.__name__)
        return (node, other) if node is not None and other.main == node.name else None

    # --- methods ---

    def method_of(self, name: str, args: tuple[ast.Expr, ...], scope: Scope) -> Found | None:
        """The method of the first argument that is an object."""
        for a in args:
            info = self.class_of(self.parts.place(a, scope))
            if info is not None:
                method = info.find_method(name)
                if method is None or method.static or method.function is None:
                    return None
                return _code_of(method, scope)
        return None

    def class_of(self, flat: str) -> ClassInfo | None:
        """The class of an object."""
        inside = self.parts.places.inside(flat)
        if isinstance(inside, Members) and inside.kind == OBJECT:
            return self.classes[inside.owner]
        return None

    def member(self, base: ast.Field, scope: Scope) -> tuple[Found, bool] | None:
        """The method that ``obj.name`` or ``Class.name`` is, and whether it is given the object."""
        flat = self.parts.place(base.base, scope)
        info = self.class_of(flat)
        of_class = info is None and isinstance(base.base, ast.Name) and not flat
        if of_class and isinstance(base.base, ast.Name):
            info = scope.unit.interpreter.objects.find_class(base.base.id, scope.unit)
        if info is None or info.find_method("subsref") is not None:
            return None
        method = info.find_method(base.name)
        if method is None or method.function is None or (of_class and not method.static):
            return None
        return _code_of(method, scope), not method.static

    # --- functions of numbers and arrays ---

    def stays(self, found: Found, args: tuple[ast.Expr, ...], scope: Scope) -> bool:
        """Whether it is compiled as a function of its own: it knows numbers and arrays only."""
        function, unit = found
        return (
            unit is self.unit
            and self._is_plain(function)
            and not any(self._is_container(a, scope) for a in args)
        )

    def _is_container(self, node: ast.Expr, scope: Scope) -> bool:
        if isinstance(node, ast.CellLiteral | ast.AnonymousFunction | ast.FunctionHandle):
            return True
        return self.parts.is_container(self.parts.place(node, scope))

    def _is_plain(self, function: ast.FunctionDef) -> bool:
        known = self._plain.get(id(function))
        if known is None:
            self._plain[id(function)] = True  # while it is looked at: it may call itself
            known = self._plain[id(function)] = self._looks_plain(function)
        return known

    def _looks_plain(self, function: ast.FunctionDef) -> bool:
        own = names_of_function(function).assigned
        if own & _OF_CALL:
            return False
        for n in walk_body(function.body):
            if isinstance(n, _CONTAINERS):
                return False
            if isinstance(n, ast.Name) and n.id not in own and not self._keeps_plain(n.id):
                return False
        return True

    def _keeps_plain(self, name: str) -> bool:
        """Whether a function that calls this one may stay a function."""
        if name in _OF_CALL:
            return False
        if name in self.unit.local:
            return self._is_plain(self.unit.nodes[name])
        return self.in_file(name, self.unit) is None


def _code_of(method: Method, scope: Scope) -> Found:
    if method.access != "public" and scope.unit.class_name != method.owner.name:
        raise Refused(f"the method '{method.name}' is not public")
    node, unit = (getattr(method.function, n, None) for n in ("node", "unit"))
    if not isinstance(node, ast.FunctionDef) or unit is None:
        raise Refused(f"the method '{method.name}' is not compiled")
    return node, unit
