"""Handles of graphics objects: asking for and setting properties, finding objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import (
    enough,
    unknown_option,
)
from app.engine.builtins.graphics.plotting_support import (
    PLOT,
    apply_options,
    figures,
    is_same_property,
    options_of,
)
from app.engine.builtins.text.pattern_syntax import compiled_pattern
from app.engine.declarations.device_support import CONTAINER
from app.engine.declarations.registry import builtin
from app.engine.figures.objects import GraphicsArray, GraphicsObject, handles, items_of
from app.engine.figures.properties import is_text, number_of, plain_text
from app.engine.figures.rulers import Alias
from app.engine.values import (
    EMPTY,
    Cell,
    NoObjects,
    Struct,
    Value,
    as_array,
    canonical,
    is_cell,
    size_of,
    texts_of,
)
from app.errors import MatlabError


@builtin(
    "ishandle",
    category=PLOT,
    signatures=("tf = ishandle(h)",),
    device=CONTAINER,
    cases=("h = plot(1:3); ishandle(h)",),
    see=("isgraphics",),
)
def ishandle(ctx: CallContext, value: Value) -> Value:
    """True where a value is a handle of an object that exists."""
    return isgraphics(ctx, value)


@builtin(
    "ishghandle",
    category=PLOT,
    signatures=("tf = ishghandle(h)",),
    device=CONTAINER,
    cases=("ishghandle(figure)",),
    see=("isgraphics",),
)
def ishghandle(ctx: CallContext, value: Value) -> Value:
    """True where a value is a handle of an object that exists."""
    return isgraphics(ctx, value)


@builtin(
    "isgraphics",
    category=PLOT,
    signatures=("tf = isgraphics(h)", "isgraphics(h,type)"),
    device=CONTAINER,
    cases=("h = plot(1:3); isgraphics(h) && ~isgraphics(17.5)",),
    see=("ishandle",),
)
def isgraphics(ctx: CallContext, value: Value, kind: Value = "") -> Value:
    """True where a value is a handle of an object that exists."""
    wanted = plain_text(kind)
    if isinstance(value, GraphicsObject | GraphicsArray | NoObjects):
        found = [item.alive and wanted in ("", item.kind.name) for item in items_of(value)]
        return canonical(np.array(found, dtype=np.bool_).reshape(value.shape, order="F"))
    if is_text(value) or not isinstance(value, float | np.ndarray):
        return False
    named = [figures(ctx).object_numbered(float(n)) for n in as_array(value).ravel(order="F")]
    found = [item is not None and wanted in ("", item.kind.name) for item in named]
    return canonical(np.array(found, dtype=np.bool_).reshape(as_array(value).shape, order="F"))


def targets(ctx: CallContext, value: Value) -> list[GraphicsObject]:
    """Handles, or the objects that numbers stand for."""
    if isinstance(value, GraphicsObject | GraphicsArray | NoObjects):
        return items_of(value)
    if isinstance(value, float | np.ndarray):
        named = [figures(ctx).object_numbered(float(n)) for n in as_array(value).ravel(order="F")]
        found = [item for item in named if item is not None]
        if len(found) == len(named):
            return found
    raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid handle.")


@builtin(
    "handle",
    category=PLOT,
    signatures=("h = handle(number)",),
    device=CONTAINER,
    cases=("h = handle(gcf); isgraphics(h)",),
    see=("ishandle",),
)
def handle(ctx: CallContext, number: Value) -> Value:
    """The graphics objects that numbers stand for, such as those that ``double(h)`` gives."""
    return handles(targets(ctx, number), size_of(number))


@builtin(
    "set",
    category=PLOT,
    signatures=("set(h,Name,Value)", "s = set(h,Name)"),
    device=CONTAINER,
    cases=("h = plot(1:3); set(h, 'LineWidth', 2); h.LineWidth == 2",),
    see=("get",),
)
def set_properties(ctx: CallContext, target: Value, *args: Value, nargout: int = 0) -> Value:
    """Set properties of graphics objects."""
    if isinstance(target, Alias):
        for name, value in options_of(args):
            target.set(name, value)
        return None
    items = targets(ctx, target)
    if len(args) == 1 and isinstance(args[0], Struct):
        pairs = list(args[0].fields.items())
    elif len(args) == 2 and isinstance(args[0], Cell):
        _set_table(items, args[0], args[1])
        return None
    elif len(args) < 2:
        return Cell.of([], (0, 0)) if nargout else None
    else:
        pairs = options_of(args)
    for item in items:
        apply_options(item, pairs)
    return None


def _set_table(items: list[GraphicsObject], names: Cell, values: Value) -> None:
    """``set(h, names, values)`` with cells: one row of values per handle."""
    table = values.data if isinstance(values, Cell) else np.array([[values]], dtype=object)
    for row, item in enumerate(items):
        own = table[row if len(table) == len(items) else 0]
        apply_options(item, [(plain_text(n), v) for n, v in zip(names.items(), own, strict=True)])


@builtin(
    "get",
    category=PLOT,
    signatures=("v = get(h,Name)", "s = get(h)"),
    cases=("f = figure('Name', 'a'); strcmp(get(f, 'Name'), 'a')",),
    see=("set",),
)
def get_properties(ctx: CallContext, target: Value, name: Value = None) -> Value:
    """A property of a graphics object; all of them as a struct without a name."""
    if isinstance(target, Alias) and name is not None:
        return target.get(plain_text(name))
    items = targets(ctx, target)
    if not items:
        return EMPTY
    if name is None:
        return Struct({full: items[0].get(full) for full in items[0].members()})
    if isinstance(name, Cell):
        rows = [[item.get(plain_text(n)) for n in name.items()] for item in items]
        flat = [value for column in zip(*rows, strict=True) for value in column]
        return Cell.of(flat, (len(items), len(rows[0])))
    found = [item.get(plain_text(name)) for item in items]
    return found[0] if len(found) == 1 else Cell.of(found, (len(found), 1))


def _search(roots: list[GraphicsObject], depth: float, *, hidden: bool) -> Iterator[GraphicsObject]:
    for root in roots:
        yield root
        if depth > 0:
            inside = [child for child in reversed(root.children) if hidden or child.listed]
            yield from _search(inside, depth - 1, hidden=hidden)


def _matches(item: GraphicsObject, name: str, value: Value) -> bool:
    if name.lower() == "type":
        return bool(item.kind.name == plain_text(value).lower())
    try:
        own = item.get(name)
    except MatlabError:
        return False
    return is_same_property(own, value)


@builtin(
    "findobj",
    category=PLOT,
    signatures=(
        "h = findobj(root,Name,Value)",
        "h = findobj(root,'-regexp',Name,pattern)",
        "h = findobj(root,Name,Value,'-or','-not',Name,Value,...)",
    ),
    cases=("plot(1:3); h = findobj('Type', 'line'); isequal(h.YData, 1:3)",),
    see=("findall", "allchild"),
)
def findobj(ctx: CallContext, *args: Value) -> Value:
    """Graphics objects with given property values, as far as their handles are not hidden."""
    return _found(ctx, args, hidden=False)


def _found(ctx: CallContext, args: tuple[Value, ...], *, hidden: bool) -> Value:
    rest = list(args)
    roots = [figures(ctx).root]
    if rest and not is_text(rest[0]):
        roots = targets(ctx, rest.pop(0))
    depth = float("inf")
    if rest and _dash(rest[0]) in ("flat", "-depth"):
        depth = 0.0 if _dash(rest.pop(0)) == "flat" else number_of(rest.pop(0))
    fits = _any_of(rest)
    if rest:
        raise MatlabError("MATLAB:hg:InvalidArguments", f"'{_dash(rest[0])}' has no condition.")
    return handles([item for item in _search(roots, depth, hidden=hidden) if fits(item)])


Condition = Callable[[GraphicsObject], bool]


def _dash(value: Value) -> str:
    """A word such as ``-and`` in lower case; empty for what is no text."""
    return plain_text(value).lower() if is_text(value) else ""


def _any_of(rest: list[Value]) -> Condition:
    """Conditions joined by ``-or`` and ``-xor``, taken off the front of ``rest``."""
    first = _all_of(rest)
    while rest and _dash(rest[0]) in ("-or", "-xor"):
        first = _joined_condition(_dash(rest.pop(0)), first, _all_of(rest))
    return first


def _joined_condition(word: str, one: Condition, other: Condition) -> Condition:
    if word == "-or":
        return lambda item: one(item) or other(item)
    return lambda item: one(item) != other(item)


def _all_of(rest: list[Value]) -> Condition:
    """Conditions side by side, or joined by ``-and``."""
    parts: list[Condition] = []
    while rest and _dash(rest[0]) not in ("-or", "-xor"):
        if _dash(rest[0]) == "-and":
            rest.pop(0)
        parts.append(_parsed_condition(rest))
    return lambda item: all(part(item) for part in parts)


def _parsed_condition(rest: list[Value]) -> Condition:
    """One condition: a name and its value, -not, -property, -isa, -regexp, or a cell of them."""
    if rest and isinstance(several := rest[0], Cell):
        del rest[0]
        return _any_of(list(several.items()))
    enough(rest, 2)
    word = _dash(rest[0])
    if word == "-not":
        rest.pop(0)
        inner = _parsed_condition(rest)
        return lambda item: not inner(item)
    if word == "-property":
        name = plain_text(rest[1])
        del rest[:2]
        return lambda item: item.offers(name)
    if word == "-isa":
        kind = plain_text(rest[1])
        del rest[:2]
        return lambda item: item.class_name == kind
    if word == "-regexp":
        enough(rest, 3)
        name, pattern = plain_text(rest[1]), compiled_pattern(plain_text(rest[2]), 0)
        del rest[:3]
        return lambda item: any(pattern.search(t) for t in _texts(item, name))
    if word.startswith("-") or not word:
        raise MatlabError("MATLAB:hg:InvalidArguments", f"Unknown condition '{word}'.")
    name, value = plain_text(rest[0]), rest[1]
    del rest[:2]
    return lambda item: _matches(item, name, value)


def _texts(item: GraphicsObject, name: str) -> list[str]:
    """A property's texts; none where it has no such property or no text."""
    if name.lower() == "type":
        return [item.kind.name]
    if not item.has(name):
        return []
    value = item.get(name)
    return texts_of(value) if is_text(value) or is_cell(value) else []


@builtin(
    "findall",
    category=PLOT,
    signatures=("h = findall(root,Name,Value)",),
    cases=("plot(1:3); numel(findall(gcf, 'Type', 'line')) == 1",),
    see=("findobj",),
)
def findall(ctx: CallContext, *args: Value) -> Value:
    """Graphics objects with given property values, hidden ones included."""
    return _found(ctx, args, hidden=True)


@builtin(
    "allchild",
    category=PLOT,
    signatures=("h = allchild(parent)",),
    cases=(
        "f = figure; axes(f); numel(allchild(f)) == 1",
        "h = plot(magic(3)); c = allchild([gca h(1)]); iscell(c) && numel(c{1}) == 3",
    ),
    see=("findobj",),
)
def allchild(ctx: CallContext, parent: Value) -> Value:
    """All children of an object, or a cell of those of each of several objects."""
    found = [handles(list(reversed(item.children))) for item in targets(ctx, parent)]
    return found[0] if len(found) == 1 else Cell.of(found, (len(found), min(len(found), 1)))


@builtin(
    "ancestor",
    category=PLOT,
    signatures=("p = ancestor(h,type)", "p = ancestor(h,type,'toplevel')"),
    cases=("h = plot(1:3); ancestor(h, 'figure') == gcf",),
    see=("findobj",),
)
def ancestor(ctx: CallContext, item: Value, kind: Value, level: Value = "") -> Value:
    """The object of a type, or of one of a cell of types, that an object is or is inside.

    The nearest, or with 'toplevel' the farthest.
    """
    if plain_text(level).lower() not in ("", "toplevel"):
        raise unknown_option("ancestor", plain_text(level), "toplevel")
    kinds = {k.lower() for k in texts_of(kind)}
    found: list[GraphicsObject] = []
    place: GraphicsObject | None = items_of(item)[0]
    while place is not None:
        found += [place] if place.kind.name in kinds else []
        place = place.parent
    return (found[-1] if level else found[0]) if found else np.zeros((0, 0))
