"""A loop as it is compiled for certain values: fields and captured values become variables.

``S.p`` with a scalar struct ``S`` is rewritten to a variable of its own, which is taken out of the
struct when machine code is entered and put back when it is left. A call through a handle of an
anonymous function is compiled as the function's expression; what the handle captured are variables,
too. Statements keep their places, so that the interpreter goes on with the loop as it was written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.analysis import names_of_script, root_name
from app.engine.jit.facts import Facts, facts_of
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.engine.values import FunctionHandle, Struct, Value

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit

Path = tuple[str, ...]
"""A variable and names of fields in it, or a handle and the name of what it captured."""
Values = tuple[Value, ...]


@dataclass(frozen=True)
class Handle:
    """What a handle stands for.

    Attributes:
        node: the anonymous function; None for a named one.
        name: the function's name; empty for an anonymous one.
        captured: variables in place of what it captured, by its own name.
    """

    node: ast.AnonymousFunction | None
    name: str
    captured: dict[str, str]


@dataclass(frozen=True)
class Specialised:
    """A loop as it is compiled.

    Attributes:
        node: its syntax tree.
        facts: what that says.
        parts: what the variables beside those of the program are parts of, in their order.
        assigned: those that are fields and may be assigned, with their positions.
        handles: the handles that are called, by variable.
    """

    node: ast.For | ast.While
    facts: Facts
    parts: tuple[Path, ...]
    assigned: tuple[tuple[int, Path], ...]
    handles: dict[str, Handle]


class Specialiser:
    """Finds how a loop is compiled for the values that its variables have.

    Attributes:
        chains: fields of variables, as they are read or assigned.
        called: variables that are indexed and never assigned, which may hold handles.
    """

    def __init__(self, unit: Unit, node: ast.For | ast.While, names: tuple[str, ...]) -> None:
        self.unit = unit
        self.node = node
        self.names = names
        self.place = {name: k for k, name in enumerate(names)}
        nodes = list(walk_body((node,)))
        inner = {id(n.base) for n in nodes if isinstance(n, ast.Field)}
        found = [_chain(n) for n in nodes if isinstance(n, ast.Field) and id(n) not in inner]
        based = {id(_root(n)) for n in nodes if isinstance(n, ast.Field)}
        bare = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in based}
        unfit = bare | {root_name(n) for n in nodes if isinstance(n, ast.DynamicField)}
        assigned = set(names_of_script((node,)).assigned)
        self.chains = tuple(
            sorted({c for c in found if c and c[0] in self.place and c[0] not in unfit})
        )
        bases = {
            n.base.id
            for n in nodes
            if isinstance(n, ast.Index | ast.Field) and isinstance(n.base, ast.Name)
        }
        self.called = tuple(sorted((bases - assigned) & set(names)))
        self._known: dict[Any, Specialised] = {}
        self._plain: Specialised | None = None

    def __call__(self, values: Values) -> tuple[Specialised, Values]:
        """How the loop is compiled, and the values of the parts that are variables then."""
        if not self.chains and not any(
            type(values[self.place[n]]) is FunctionHandle for n in self.called
        ):
            if self._plain is None:
                facts = facts_of(self.node, self.names)
                self._plain = Specialised(self.node, facts, (), (), {})
            return self._plain, ()
        return self._special(values)

    def _special(self, values: Values) -> tuple[Specialised, Values]:
        given: dict[Path, Value] = {}
        depths = tuple(self._resolve(chain, values, given) for chain in self.chains)
        handles = {n: v for n in self.called if type(v := values[self.place[n]]) is FunctionHandle}
        handles |= {".".join(p): v for p, v in given.items() if type(v) is FunctionHandle}
        found: dict[str, Handle] = {}
        for name, handle in handles.items():
            self._take(name, handle, given, found)
        key = depths, tuple(given), tuple((n, id(h.node), h.name) for n, h in found.items())
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._made(depths, given, found)
        return known, tuple(given.values())

    def _resolve(self, chain: Path, values: Values, given: dict[Path, Value]) -> int:
        """How many names of a chain lead to a value that is no struct; that value is given."""
        value: Value = values[self.place[chain[0]]]
        depth = 1
        while depth < len(chain) and type(value) is Struct:
            value = value.fields.get(chain[depth])
            depth += 1
        if depth == 1 or type(value) is Struct:
            return 0
        given[chain[:depth]] = value
        return depth

    def _take(
        self, name: str, handle: FunctionHandle, given: dict[Path, Value], found: dict[str, Handle]
    ) -> None:
        """Note what a handle stands for, and what it captured."""
        if handle.name:
            found[name] = Handle(None, handle.name, {})
            return
        target = handle.target
        if not isinstance(target, FunctionType) or target.__globals__.get("#unit") is not self.unit:
            return
        node = self.unit.anonymous.get(target.__code__)
        if node is None:
            return
        captured = {n: f"{name}.{n}" for n in handle.captured}
        found[name] = Handle(node, "", captured)
        for n, value in handle.captured.items():
            given[(*name.split("."), n)] = value
            if type(value) is FunctionHandle:
                self._take(captured[n], value, given, found)

    def _made(
        self, depths: tuple[int, ...], given: dict[Path, Value], found: dict[str, Handle]
    ) -> Specialised:
        wanted = {chain[:depth] for chain, depth in zip(self.chains, depths, strict=True) if depth}

        def rewrite(node: ast.Node) -> ast.Node:
            if isinstance(node, ast.Field):
                chain = _chain(node)
                if chain in wanted:
                    return ast.Name(node.span, ".".join(chain))
            return node

        node = rewritten_tree(self.node, rewrite)
        assert isinstance(node, ast.For | ast.While)
        parts = tuple(given)
        names = (*self.names, *(".".join(p) for p in parts))
        facts = facts_of(node, names)
        captured = {n for handle in found.values() for n in handle.captured.values()}
        facts = replace(facts, exposed=facts.exposed | captured, arrays=facts.arrays - set(found))
        count = len(self.names)
        assigned = tuple(
            (count + k, p) for k, p in enumerate(parts) if ".".join(p) in facts.assigned
        )
        return Specialised(node, facts, parts, assigned, found)

    def restored(self, special: Specialised, made: list[Value]) -> list[Value]:
        """The program's variables, with assigned fields back in their structs."""
        values = made[: len(self.names)]
        for place, path in special.assigned:
            root = self.place[path[0]]
            values[root] = _with_field(values[root], path[1:], made[place])
        return values


def _with_field(value: Value, path: Path, part: Value) -> Value:
    """A copy of a struct with another value of a field."""
    changed = dict(value.fields)
    name, *rest = path
    changed[name] = _with_field(changed[name], tuple(rest), part) if rest else part
    return Struct(changed)


def _chain(node: ast.Expr) -> Path:
    """``S.a.b`` as names; empty for what begins with something else than a variable."""
    names: list[str] = []
    while isinstance(node, ast.Field):
        names.append(node.name)
        node = node.base
    return (node.id, *reversed(names)) if isinstance(node, ast.Name) else ()


def _root(node: ast.Expr) -> ast.Expr:
    while isinstance(node, ast.Field):
        node = node.base
    return node


def rewritten_tree(node: ast.Node, function: Callable[[ast.Node], ast.Node]) -> ast.Node:
    """A copy of a tree in which ``function`` replaced nodes, the outermost first."""
    new = function(node)
    if new is not node:
        return new
    kind: Any = node
    changed = {}
    for entry in fields(kind):
        old = getattr(node, entry.name)
        made = _rewritten_value(old, function)
        if made is not old:
            changed[entry.name] = made
    return replace(kind, **changed) if changed else node


def _rewritten_value(value: Any, function: Callable[[ast.Node], ast.Node]) -> Any:
    if isinstance(value, ast.Node):
        return rewritten_tree(value, function)
    if isinstance(value, tuple) and value and not isinstance(value[0], str | int | float):
        made = tuple(_rewritten_value(item, function) for item in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    return value
