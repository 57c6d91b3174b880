"""A loop as it is compiled for certain values: parts of containers are variables (`flattening`).

They are taken out of their containers when machine code is entered and put back when it is left.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import names_of_script, root_name
from app.engine.jit import listed_cells
from app.engine.jit.container_shapes import (
    PLAIN,
    Looker,
    Looks,
    Members,
    Path,
    Shape,
    Shared,
    Use,
    built,
    value_at,
    with_part,
)
from app.engine.jit.facts import Facts, exposed_names, facts_of, meant_in, text_facts
from app.engine.jit.flattening import Flattener
from app.engine.jit.jit_loops import lists_in
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.engine.values import Value
from app.records import record

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.inline_scopes import Places

Values = tuple[Value, ...]

MOST_SHAPES = 4
"""Of the containers of one loop; then only what can be an array is looked into."""
ELEMENTS_PER_PASS = 16
"""That containers may have to be looked into: a pass in the interpreter takes as long."""


@record
class Specialised:
    """A loop as it is compiled.

    Attributes:
        node: its syntax tree.
        facts: what that says.
        parts: the variables beside those of the program: of which of them they are parts.
        assigned: the positions of those that may be assigned.
        local: variables of inlined functions.
        columns: arrays of elements of containers, with how many may be added at once.
        places: the containers.
        lists: variables behind the parts that hold the rows which loops inside go through.
        files: those of its lines and of the functions inlined into it.
    """

    node: ast.For | ast.While
    facts: Facts
    parts: tuple[tuple[str, Path], ...]
    assigned: tuple[int, ...]
    local: frozenset[str]
    columns: dict[str, int]
    places: Places
    lists: dict[int, str]
    files: frozenset[str]


class Specialiser:
    """Finds how a loop is compiled for the values that its variables have."""

    def __init__(self, unit: Unit, node: ast.For | ast.While, names: tuple[str, ...]) -> None:
        self.unit = unit
        self.node = node
        self.names = names
        self.place = {name: k for k, name in enumerate(names)}
        choosing = _choosing(node) - names_of_script((node,)).assigned
        self._steering = tuple(sorted(choosing & set(names)))
        exposed = exposed_names(node)
        self._looks = _looks(node, choosing)
        self._uses = _uses(node, names)
        pairs = zip(names, self._uses, strict=True)
        self._read = tuple(n in exposed or use.written for n, use in pairs)
        self._known: dict[object, Specialised] = {}
        self._plain: dict[tuple[bool, ...], Specialised] = {}
        self._cells: dict[tuple[str, Path], tuple[Value, Value]] = {}

    def __call__(self, values: Values, passes: int) -> tuple[Specialised, Values]:
        """How the loop is compiled, and the values of the parts that are variables then.

        Raises Refused where nothing of it can be compiled, TooLarge where it does not pay for so
        few passes.
        """
        if not self._steering and PLAIN.issuperset(map(type, values)):
            return self._without_containers(values)
        look = Looker(self._looks, passes * ELEMENTS_PER_PASS)
        given = tuple([v is not None and r for v, r in zip(values, self._read, strict=True)])
        shapes = tuple(
            [
                look.variable(v, use) if there and type(v) not in PLAIN else None
                for v, use, there in zip(values, self._uses, given, strict=True)
            ]
        )
        place = self.place
        chosen = [values[place[n]] for n in self._steering]
        steering = tuple([v if type(v) is float or type(v) is str else None for v in chosen])
        key = shapes, given, steering
        known = self._known.get(key)
        if known is None:
            if len(self._known) == MOST_SHAPES and not self._looks.coarse:
                self._steering, self._looks = (), _looks(self.node, set(), coarse=True)
                return self(values, passes)
            known = self._known[key] = self._specialised_loop(look, shapes, given, steering)
        parts = [
            self._part(values[place[root]], root, path) if given[place[root]] else None
            for root, path in known.parts
        ]
        return known, (*parts, *(None for _ in known.lists))

    def _part(self, value: Value, root: str, path: Path) -> Value:
        """A part of a variable's value; the lines of a cell are put together once.

        A cell that is kept here is changed by nobody: who writes into it makes another one.
        """
        if path[-1][0] != "lines":
            return value_at(value, path)
        cell = value_at(value, path[:-1])
        cells = self._cells.get((root, path))
        if cells is None or cells[0] is not cell:
            cells = self._cells[root, path] = cell, value_at(cell, path[-1:])
        return cells[1]

    def _without_containers(self, values: Values) -> tuple[Specialised, Values]:
        """The same where no variable holds a container."""
        given = tuple([v is not None and r for v, r in zip(values, self._read, strict=True)])
        known = self._plain.get(given)
        if known is None:
            look = Looker(self._looks, 0)
            known = self._plain[given] = self._specialised_loop(
                look, (None,) * len(values), given, ()
            )
        return known, (None,) * (len(known.parts) + len(known.lists))

    def _specialised_loop(
        self,
        look: Looker,
        shapes: tuple[Shape, ...],
        given: tuple[bool, ...],
        steering: tuple[float | str | None, ...],
    ) -> Specialised:
        steers = {n: v for n, v in zip(self._steering, steering, strict=True) if v is not None}
        roots = dict(zip(self.names, shapes, strict=True))
        present = frozenset(n for n, there in zip(self.names, given, strict=True) if there)
        flattener = Flattener(self.unit, roots, present, steers, look)
        node = flattener.loop(self.node)
        places = flattener.places
        used, local = tuple(places.used), frozenset(places.local)
        lists = lists_in(node)
        names = (*self.names, *used, *lists.values())
        facts = facts_of(node, names)
        arrays, written = text_facts((node,), frozenset(names) | local)
        assigned_names = facts.assigned | frozenset(lists.values())
        facts = replace(
            facts, arrays=arrays, written=written & frozenset(names), assigned=assigned_names
        )
        count = len(self.names)
        assigned = tuple(count + k for k, f in enumerate(used) if f in facts.assigned)
        parts = tuple(places.paths[f] for f in used)
        columns = places.columns()
        places.refuse_containers(meant_in(node), node.span)
        files = frozenset(flattener.inliner.files)
        return Specialised(node, facts, parts, assigned, local, columns, places, lists, files)

    def restored(self, special: Specialised, made: list[Value]) -> list[Value]:
        """The program's variables, with assigned parts back in their containers."""
        count = len(self.names)
        values = made[:count]
        places = special.places
        for place in special.assigned:
            root, path = special.parts[place - count]
            if root not in places.made:
                values[self.place[root]] = with_part(values[self.place[root]], path, made[place])
        held = dict(zip(special.facts.names, made, strict=True))
        for name in places.made:
            found = self._rebuilt_container(special, name, held, values)
            if found is not None:
                values[self.place[name]] = found
        return values

    def _rebuilt_container(
        self, special: Specialised, flat: str, held: dict[str, Value], values: list[Value]
    ) -> Value | None:
        """A container made of its parts; None while it has not got them."""
        places = special.places
        flat = places.resolve(flat)
        shape = places.shapes.get(flat)
        if shape is None:
            return held.get(flat)
        if isinstance(shape, Shared) or not isinstance(shape, Members):
            root, path = places.paths[flat]
            return value_at(values[self.place[root]], path)
        parts = [self._rebuilt_container(special, c, held, values) for c in places.children(flat)]
        if any(p is None for p in parts):
            return None
        return built(shape, parts, places.classes.get(shape.owner))


def _uses(node: ast.For | ast.While, names: tuple[str, ...]) -> tuple[Use, ...]:
    """What a loop does with its variables."""
    fields, assigned, resized = (
        _mentioned_fields(node),
        _with_written_elements(node),
        _resized(node),
    )
    written = listed_cells.only_written(node)
    return tuple(Use(fields.get(n), n not in assigned, n in resized, n in written) for n in names)


def _subscripts(
    node: ast.Node, kind: type[ast.Node] = ast.Node, unless: Collection[str] = ()
) -> list[tuple[ast.Expr, ...]]:
    """Subscripts in braces, and those before a field: they choose parts."""
    found = []
    for n in walk_body((node,)):
        if isinstance(n, kind) and isinstance(n, ast.CellIndex):
            if not (isinstance(n.base, ast.Name) and n.base.id in unless):
                found.append(n.args)
        elif isinstance(n, kind) and isinstance(n, ast.Field) and isinstance(n.base, ast.Index):
            found.append(n.base.args)
    return found


def _choosing(node: ast.Node) -> set[str]:
    """Variables that choose fields and elements of containers."""
    written = listed_cells.only_written(node) if isinstance(node, ast.For | ast.While) else set()
    found = {
        a.id for args in _subscripts(node, unless=written) for a in args if isinstance(a, ast.Name)
    }
    for n in walk_body((node,)):
        if isinstance(n, ast.DynamicField) and isinstance(n.name, ast.Name):
            found.add(n.name.id)
    return found


def _with_written_elements(node: ast.Node) -> set[str]:
    """Variables of which elements in braces are assigned, or which are assigned as a whole."""
    targets: list[ast.Expr] = []
    for n in walk_body((node,)):
        if isinstance(n, ast.Assign | ast.OpAssign):
            targets.append(n.target)
        elif isinstance(n, ast.MultiAssign):
            targets += n.targets
    return {root_name(t) for t in targets}


def _resized(node: ast.Node) -> set[str]:
    """Variables that get elements behind their last, or lose some."""
    found = set[str]()
    for n in walk_body((node,)):
        if not isinstance(n, ast.Assign) or not isinstance(n.target, ast.Index | ast.CellIndex):
            continue
        lost = isinstance(n.value, ast.Matrix) and not any(n.value.rows)
        behind = any(
            isinstance(x, ast.End)
            for a in n.target.args
            if not isinstance(a, ast.End)
            for x in walk_body((a,))
        )
        if isinstance(n.target.base, ast.Name) and (lost or behind):
            found.add(n.target.base.id)
    return found


def _varies(node: ast.Node, fixed: set[str], kind: type[ast.Node]) -> bool:
    """Whether such subscripts change from pass to pass."""
    return any(
        not (isinstance(a, ast.Number | ast.End) or (isinstance(a, ast.Name) and a.id in fixed))
        for args in _subscripts(node, kind)
        for a in args
    )


def _looks(node: ast.Node, fixed: set[str], coarse: bool = False) -> Looks:
    """What is looked at in the values of a loop."""
    return Looks(
        _varies(node, fixed, ast.CellIndex),
        _varies(node, fixed, ast.Field),
        not coarse and _compares_text(node),
        coarse,
    )


def _compares_text(node: ast.Node) -> bool:
    """Whether texts decide something."""
    return any(
        isinstance(n, ast.Switch)
        or (isinstance(n, ast.Name) and n.id == "strcmp")
        or (isinstance(n, ast.Binary) and isinstance(n.left, ast.String | ast.Char))
        or (isinstance(n, ast.Binary) and isinstance(n.right, ast.String | ast.Char))
        for n in walk_body((node,))
    )


def _mentioned_fields(node: ast.Node) -> dict[str, frozenset[str]]:
    """The fields that the text names, of variables that are never mentioned as a whole."""
    found: dict[str, set[str]] = {}
    nodes = list(walk_body((node,)))
    fields = [n for n in nodes if isinstance(n, ast.Field) and isinstance(n.base, ast.Name)]
    based = {id(n.base) for n in fields}
    for n in fields:
        assert isinstance(n.base, ast.Name)
        found.setdefault(n.base.id, set()).add(n.name)
    whole = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in based}
    return {name: frozenset(keys) for name, keys in found.items() if name not in whole}
