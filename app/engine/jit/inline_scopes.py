"""The variables of a loop, and of functions inlined into it, under names of their own."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import (
    COUNT,
    DATA,
    ENDS,
    LIST,
    STEPS,
    STRUCT,
    Called,
    Columns,
    Key,
    Lines,
    Members,
    Path,
    Shape,
    Shared,
    Written,
    part_name,
)
from app.engine.language import ast
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Collection

    from app.engine.interpreter.objects.class_model import ClassInfo, Property
    from app.engine.interpreter.unit import Unit
    from app.source import Span


@mutable_record
class Scope:
    """The names of the loop, or of a function inlined into it.

    Attributes:
        unit: the file it is written in.
        prefix: before the names of its variables; empty for the loop.
        variables: names that are variables.
        bound: names that stand for variables of another scope.
        literals: parameters that were given a literal.
        calls: functions that are being inlined, the outermost first.
        rest: variables in place of the elements of ``varargin``.
        counts: what ``nargin`` and ``nargout`` are.
        level: blocks around the current statement.
    """

    unit: Unit
    prefix: str
    variables: set[str]
    bound: dict[str, str] = field(default_factory=dict)
    literals: dict[str, ast.Expr] = field(default_factory=dict)
    calls: tuple[int, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    level: int = 0

    def flat(self, name: str) -> str:
        """What a variable is called in the loop."""
        return self.bound.get(name) or self.prefix + name

    def is_builtin(self, node: ast.Expr, name: str) -> bool:
        """Whether an expression is the name of a builtin, and means it here."""
        if not isinstance(node, ast.Name) or node.id != name or name in self.variables:
            return False
        interpreter = self.unit.interpreter
        entry = interpreter.builtin(name)
        return entry is not None and interpreter.find(self.unit, name) is entry


class Places:
    """Every container and every part of one under a name of its own.

    Attributes:
        shapes: of containers, by name.
        paths: where the program's variables and their parts are: the variable and steps.
        used: parts of those that compiled code needs.
        made: variables of the program that compiled code gives a container to.
        local: variables of inlined functions.
    """

    def __init__(self, roots: dict[str, Shape], classes: dict[int, ClassInfo]) -> None:
        self.classes = classes
        self.shapes: dict[str, Shape] = {}
        self.paths: dict[str, tuple[str, Path]] = {}
        self.used: dict[str, None] = {}
        self.made: dict[str, None] = {}
        self.local: dict[str, None] = {}
        self._alias: dict[str, str] = {}
        self._shared: dict[int, str] = {}
        self._members: dict[str, tuple[ClassInfo, Property | None]] = {}
        for name, shape in roots.items():
            self._register(name, shape, name, ())

    def _register(self, flat: str, shape: Shape, root: str, path: Path) -> None:
        """A variable or part of this shape, and all parts of it."""
        self.paths[flat] = root, path
        if isinstance(shape, Shared):
            known = self._shared.setdefault(shape.number, flat)
            if known != flat:
                self._alias[flat] = known
                return
            self.shapes[flat] = shape
            shape = shape.inside
        elif shape is not None:
            self.shapes[flat] = shape
        for kind, key, part in _steps(shape):
            child = part_name(flat, key)
            self._register(child, part, root, (*path, (kind, key)))
            if kind == "property" and isinstance(shape, Members):
                info = self.classes[shape.owner]
                self._members[child] = info, info.find_property(str(key))

    def refuse_containers(self, names: Collection[str], span: Span) -> None:
        """Variables that are compiled part by part are none of these."""
        if names:
            apart = {
                root for flat, (root, path) in self.paths.items() if path or flat in self.shapes
            }
            if not apart.union(self.made).isdisjoint(names):
                raise Refused("a container is cleared or asked for", span)

    def resolve(self, flat: str) -> str:
        """The name of what this one stands for."""
        return self._alias.get(flat, flat)

    def alias(self, flat: str, other: str) -> None:
        """One name for another."""
        self._alias[flat] = other

    def inside(self, flat: str) -> Shape:
        """The shape of a container, an object or a handle; None for a plain value."""
        shape = self.shapes.get(flat)
        return shape.inside if isinstance(shape, Shared) else shape

    def is_constant(self, flat: str) -> bool:
        """Whether it names what compiled code does not hold: an object, a handle, a text."""
        return isinstance(self.shapes.get(flat), Shared)

    def child(self, flat: str, key: Key) -> str:
        """The name of a part; empty where there is none."""
        inside = self.inside(flat)
        if isinstance(inside, Members) and key in inside.keys:
            return self.resolve(part_name(flat, key))
        return ""

    def add_member(self, flat: str, key: str) -> str:
        """Another field of a struct that is being made."""
        shape = self.shapes.setdefault(flat, Members(STRUCT, 0, (), (), ()))
        assert isinstance(shape, Members)
        self.shapes[flat] = shape._replace(keys=(*shape.keys, key), parts=(*shape.parts, None))
        return part_name(flat, key)

    def owner_like(self, part: str, other: str) -> None:
        """The part of a copy has the property's rules."""
        if part in self._members:
            self._members[other] = self._members[part]

    def children(self, flat: str) -> list[str]:
        """The names of all parts of a container."""
        inside = self.inside(flat)
        assert isinstance(inside, Members)
        return [self.resolve(part_name(flat, k)) for k in inside.keys]

    def layout(self, flat: str) -> object:
        """What containers must have in common to take each other's place."""
        shape = self.shapes.get(flat)
        if shape is None:
            return None
        if isinstance(shape, Shared):
            return flat
        if not isinstance(shape, Members):
            return shape, flat
        return shape[:4], tuple(self.layout(c) for c in self.children(flat))

    def columns(self) -> dict[str, int]:
        """Arrays of elements of containers: how many a cell and a struct array take at once."""
        found = {f: path[-1] for f, (_, path) in self.paths.items() if path}
        return {f: int(not key) for f, (kind, key) in found.items() if kind == "column"}

    def use(self, flat: str, scope: Scope, span: Span, written: bool = False) -> str:
        """A plain value is read or assigned."""
        found = self.paths.get(flat)
        if found is None:
            self.local.setdefault(flat)
            return flat
        owner = self._members.get(flat)
        if owner is not None:
            _check_access(*owner, scope, written, span)
        if written:
            self._check_holders(flat, scope, span)
        if found[1]:
            self.used.setdefault(flat)
        return flat

    def _check_holders(self, flat: str, scope: Scope, span: Span) -> None:
        """Properties on the way to a part that is assigned are assigned, too."""
        while "." in flat:
            flat = flat.rpartition(".")[0]
            if self.is_constant(flat):
                return
            if flat in self._members:
                _check_access(*self._members[flat], scope, True, span)


def _steps(shape: Shape) -> list[tuple[str, Key, Shape]]:
    """Kind, key and shape of the parts of a container."""
    if isinstance(shape, Members):
        return [(STEPS[shape.kind], k, p) for k, p in zip(shape.keys, shape.parts, strict=True)]
    if isinstance(shape, Columns):
        return [("column", k, None) for k in shape.keys]
    if isinstance(shape, Lines):
        return [("lines", k, None) for k in (DATA, ENDS)]
    if isinstance(shape, Written):
        return [("written", k, None) for k in (LIST, COUNT)]
    if isinstance(shape, Called):
        return [("captured", k, p) for k, p in zip(shape.keys, shape.parts, strict=True)]
    return []


def _check_access(
    info: ClassInfo, prop: Property | None, scope: Scope, written: bool, span: Span
) -> None:
    """Only what the interpreter would read or set directly is compiled."""
    if prop is None:
        raise Refused("a property that its class does not declare", span)
    name = prop.name
    special = prop.constant or prop.dependent or prop.abstract or prop.get_observable
    if special or info.getter(name) or any(info.find_method(m) for m in ("subsref", "subsasgn")):
        raise Refused(f"the property '{name}' is computed", span)
    if written and (prop.watched or info.setter(name)):
        raise Refused(f"the property '{name}' is checked when it is set", span)
    inside = scope.unit.class_name == prop.owner.name
    if not inside and (prop.get_access != "public" or (written and prop.set_access != "public")):
        raise Refused(f"the property '{name}' is not public", span)
    if written and prop.set_access == "immutable":
        raise Refused(f"the property '{name}' is immutable", span)
