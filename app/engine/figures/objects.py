"""Graphics objects: a tree of handles with properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.size_arguments import check_room
from app.engine.figures.colors import AUTOMATIC, LETTERS
from app.engine.figures.defaults import (
    apply_defaults,
    get_default,
    is_default,
    reset_by_word,
    set_default,
)
from app.engine.figures.handle_positions import positions, without
from app.engine.figures.properties import ANY, DATA, LABEL, TABLE, TEXTS, PropertyKind
from app.engine.figures.schema import KINDS, ObjectKind
from app.engine.figures.schema_details import ALIASES
from app.engine.interpreter.indexing.index_read import CommaList, of_elements, paren
from app.engine.interpreter.indexing.subscripts import is_colon
from app.engine.stoppable import heeding
from app.engine.values import (
    EMPTY,
    Array,
    DeviceArray,
    NativeObject,
    NoObjects,
    Value,
    as_array,
    canonical,
    object_array,
    size_of,
)
from app.engine.values.containers import unsupported_index
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.figures.figure_data import SeriesData
    from app.engine.figures.model import Figures
    from app.engine.values.display_format import DisplayFormat

Getter = Callable[["GraphicsObject"], Value]
Setter = Callable[["GraphicsObject", Value], None]
Table = TypeVar("Table")
ByProperty = dict[tuple[str, str], Table]
"""By kind (empty for all) and lower-case name of a property."""


class ObjectRules(NamedTuple):
    """How objects behave, as the modules know that are made of objects.

    Attributes:
        getters: properties that are computed.
        setters: assignments that do more than keep a value.
        property_data: the kept form of numbers that a script assigns.
        prepare_ruler: makes a ruler one of dates, durations or categories.
        numbers_on: such values as numbers of their ruler.
        shown: what a display shows of an object.
        methods: functions that act on handles.
    """

    getters: ByProperty[Getter]
    setters: ByProperty[Setter]
    property_data: Callable[[CallContext, GraphicsObject, str, Value], SeriesData | Array]
    prepare_ruler: Callable[[CallContext, GraphicsObject, str, Value], None]
    numbers_on: Callable[[CallContext, GraphicsObject, str, Value], Value]
    shown: Callable[[GraphicsObject, DisplayFormat], str]
    methods: dict[str, Callable[..., Value]]


_HANDLE_BYTES = 1024  # what one takes
_serial = count(1)
_Y_SIDED = {"ColorOrder", "ColorOrderIndex"}.union(
    f"Y{name}"
    for name in (
        "Lim",
        "LimMode",
        "Scale",
        "Dir",
        "Tick",
        "TickMode",
        "TickLabel",
        "TickLabelMode",
        "Color",
        "Grid",
        "TickFormat",
        "LimitMethod",
        "Exponent",
        "ExponentMode",
        "Shown",
    )
)


@cache
def _names(kind: ObjectKind) -> dict[str, str]:
    """Lower-case name → name of every property of a kind."""
    own = {name.lower(): name for name in kind.properties}
    return {"uicontextmenu": "ContextMenu"} | ALIASES.get(kind.name, {}) | own


class GraphicsObject(NativeObject):
    """One figure, axes, series or decoration; scripts hold it as a handle.

    Attributes:
        kind: which properties it has.
        owner: the figures it belongs to.
        parent: the object it is inside; None for the root and for deleted objects.
        children: what is inside it, oldest first.
        parts: named objects that belong to axes: title, labels, legend, colour bar.
        values: the kept form of every property that differs from its default.
        serial: a number of its own, which never changes.
        alive: False once deleted.
        number: a figure's number.
        side: which y axis of axes is active after ``yyaxis``.
        two_sided: whether axes have two y axes.
        linked: letters of axes whose limits follow other axes, to the serial of the first one.
        seen: limits that were reached with the mouse, by the names of their properties.
        derived: coordinates computed from a series, with the revision they belong to; of polar axes
            the limits of radii.
        defaults: values for what will be made inside, by kind and property.
        links: what makes properties of other objects follow those of this one.
    """

    is_handle = True
    travels = False
    superclasses = ("handle",)

    def __init__(self, kind: str, owner: Figures, parent: GraphicsObject | None = None) -> None:
        self.kind = KINDS[kind]
        self.class_name = self.kind.class_name
        self.owner = owner
        self.parent = parent
        self.children: list[GraphicsObject] = []
        self.parts: dict[str, GraphicsObject] = {}
        self.values: dict[str, Any] = {}
        self.serial = next(_serial)
        self.alive = True
        self.number = 0
        self.side = "left"
        self.two_sided = False
        self.linked: dict[str, int] = {}
        self.revision = 0
        self.seen: dict[str, tuple[float, float]] = {}
        self.derived: tuple[tuple[Any, ...], Any] | None = None
        self.defaults: dict[tuple[str, str], Any] = {}
        self.links: list[Any] = []
        if parent is not None:
            apply_defaults(self, parent)
            parent.children.append(self)

    def __repr__(self) -> str:
        return f"{self.kind.name}#{self.serial}"

    # --- kept values ----------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        """The kept form of a property."""
        key = self._key(name)
        if key in self.values:
            return self.values[key]
        return self.kind.properties[name][1]

    def __setitem__(self, name: str, kept: Any) -> None:
        """Keep a property's value as it is, without touching its mode."""
        if self.seen and name.removesuffix("Mode").endswith("Lim"):
            self.seen.pop(self._key(name.removesuffix("Mode")), None)
        self.values[self._key(name)] = kept
        self.touch()

    def _key(self, name: str) -> str:
        """The name under which a property is kept: y rulers exist once per side."""
        return name + "@right" if self.side == "right" and name in _Y_SIDED else name

    def has(self, name: str) -> bool:
        """Whether this kind of object has the property."""
        return name in self.kind.properties

    def offers(self, name: str) -> bool:
        """Whether scripts can read the property: one that is kept, or computed when it is asked."""
        lower, getters = name.lower(), self.owner.rules.getters
        computed = any((kind, lower) in getters for kind in (self.kind.name, self.kind.base, ""))
        return computed or lower in _names(self.kind)

    def touch(self) -> None:
        """Note that the object looks different from now on."""
        self.revision += 1
        self.owner.mark(self)

    def ancestors(self) -> Iterator[GraphicsObject]:
        """The object itself and everything it is inside."""
        node: GraphicsObject | None = self
        while node is not None:
            yield node
            node = node.parent

    def ancestor(self, kind: str) -> GraphicsObject | None:
        """The object of that kind that this one is (inside)."""
        wanted = (node for node in self.ancestors() if kind in (node.kind.name, node.kind.base))
        return next(wanted, None)

    def become(self, kind: str) -> None:
        """Turn into an object of another kind with the properties both have."""
        gone = set(self.kind.properties) - set(KINDS[kind].properties)
        self.kind = KINDS[kind]
        self.class_name = self.kind.class_name
        for name in [name for name in self.values if name.partition("@")[0] in gone]:
            del self.values[name]
        self.touch()

    @property
    def listed(self) -> bool:
        """Whether it is found without its handle: among children, as current, by ``findobj``."""
        seen = self["HandleVisibility"]
        called = seen == "callback" and self.owner.inputs.source is not None
        return seen == "on" or called

    def descendants(self) -> Iterator[GraphicsObject]:
        """The object itself, its parts and everything inside it, parents first."""
        yield self
        for child in (*self.children, *self.parts.values()):
            yield from child.descendants()

    def delete(self) -> None:
        """Take the object out of its parent; its handles are invalid from now on."""
        self.touch()
        if self.parent is not None:
            if self in self.parent.children:
                self.parent.children.remove(self)
            for name in [n for n, part in self.parent.parts.items() if part is self]:
                del self.parent.parts[name]
        for node in list(self.descendants()):
            node.forget()

    def forget(self) -> None:
        """Let go of everything at once: device buffers must not wait for the cycle collector."""
        self.alive = False
        self.parent = None
        self.values = {}
        self.children = []
        self.parts = {}
        self.derived = None

    # --- properties by MATLAB's rules -----------------------------------------------------

    def full_name(self, name: str, *, exact: bool = False) -> str:
        """The property a name stands for: any case, shortened where unambiguous."""
        names = _names(self.kind)
        lower = name.lower()
        if lower.endswith(("ticklabels", "ticks")) and lower not in names:
            lower = lower[:-1]  # older spellings in the plural
        if lower in names:
            return names[lower]
        found = [full for key, full in names.items() if lower and key.startswith(lower)]
        if exact or not found or (len(found) > 1 and len({min(found, key=len)}) != 1):
            raise self.unknown(name)
        return min(found, key=len)

    def unknown(self, name: str) -> MatlabError:
        """The error for a property this kind does not have."""
        short = self.class_name.rpartition(".")[2]
        return MatlabError(
            "MATLAB:hg:InvalidProperty", f"Unrecognized property {name} for class {short}."
        )

    def set(self, name: str, value: Value) -> None:
        """Assign a property as a script does; linked objects follow."""
        self._assign(name, value)
        for link in self.links:
            link.follow(self, name)

    def _assign(self, name: str, value: Value) -> None:
        self.check_alive()
        lower = name.lower()
        key, base = (self.kind.name, lower), (self.kind.base, lower)
        if is_default(name):
            set_default(self, name, value)
            return
        if reset_by_word(self, lower, value):
            return
        setters = self.owner.rules.setters
        special = setters.get(key) or setters.get(base) or setters.get(("", lower))
        if special is not None:
            special(self, value)
            return
        full = self.full_name(name)
        self[full] = self.parsed(full, value)
        if f"{full}Mode" in self.kind.properties:
            self[f"{full}Mode"] = "manual"

    def parsed(self, name: str, value: Value) -> Any:
        """The kept form of a value that a script assigns."""
        kind: PropertyKind = self.kind.properties[name][0]
        if isinstance(value, NativeObject) and kind is not ANY:
            value = self._as_numbers(name, value)
        if kind in (DATA, TABLE) and self.owner.inputs.context is not None and _numeric(value):
            return self.owner.rules.property_data(self.owner.inputs.context, self, name, value)
        try:
            return kind.parse(value)
        except MatlabError as error:
            short = self.class_name.rpartition(".")[2]
            text = f"Error setting property '{name}' of class '{short}':\n{error.message}"
            raise MatlabError(error.identifier, text) from error

    def _as_numbers(self, name: str, value: Value) -> Value:
        """Dates, durations and categories as numbers of their ruler; in labels as texts."""
        axes = self.ancestor("axes")
        if axes is None or self.owner.inputs.context is None:
            return value
        if self.kind.properties[name][0] in (LABEL, TEXTS):
            return self.owner.inputs.context.call("cellstr", (value,))[0]
        letter = name[0] if name[0] in "XYZ" else "X"
        if name == "Value" and self.has("InterceptAxis"):
            letter = self["InterceptAxis"].upper()
        if name.endswith("Data"):
            self.owner.rules.prepare_ruler(self.owner.inputs.context, axes, letter, value)
        return self.owner.rules.numbers_on(self.owner.inputs.context, axes, letter, value)

    def get(self, name: str) -> Value:
        """A property's MATLAB value."""
        self.check_alive()
        lower = name.lower()
        key, base = (self.kind.name, lower), (self.kind.base, lower)
        if is_default(name):
            return get_default(self, name)
        getters = self.owner.rules.getters
        special = getters.get(key) or getters.get(base) or getters.get(("", lower))
        if special is not None:
            return special(self)
        full = self.full_name(name)
        kept = self[full]
        default = self.kind.properties[full][1]
        if full.endswith("Color") and type(kept) is str and kept == default == "auto":
            kept = AUTOMATIC.get((self.kind.name, full), LETTERS["k"])
        return EMPTY if kept is None else self.kind.properties[full][0].show(kept)

    def check_alive(self) -> None:
        """Raise MATLAB's error when the object was deleted."""
        if not self.alive:
            raise MatlabError("MATLAB:class:InvalidHandle", "Invalid or deleted object.")

    # --- syntax ---------------------------------------------------------------------------

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``h.Name``."""
        value = self.get(name)
        if args is None:
            return value
        if isinstance(value, NativeObject):
            return value.paren_get(ctx, args)
        return paren(value, *args, nargout=nargout) if args else value

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``h.Name = value``."""
        self.set(name, value)
        return self

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``h(1)``."""
        return GraphicsArray([self], (1, 1)).paren_get(ctx, args)

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``h(2) = other``: the handle grows into an array."""
        return GraphicsArray([self], (1, 1)).paren_set(ctx, args, value)

    def array_with(self, ctx: CallContext, args: tuple[Value, ...]) -> NativeObject:
        """``h(3) = handle`` where there was no h."""
        return GraphicsArray(null_handles(self.owner, (1, 1))).paren_set(ctx, args, self)

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """``==`` and ``~=`` compare identities; brackets make arrays of handles."""
        return _operate(operator, args)

    def members(self) -> list[str]:
        """All properties."""
        return sorted(self.kind.properties)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Joining handles makes arrays of handles."""
        return self.owner.rules.methods

    def equals(self, other: Value) -> bool:
        """Identity; figures also equal their number."""
        return bool(_same_handle(self, other))

    def to_double(self) -> Value:
        """The number a figure has, or the object's own."""
        return float(self.number or self.serial + 0.5)

    def show(self, name: str, style: Any) -> str:
        """The summary a display shows."""
        return self.owner.rules.shown(self, style)


def _numeric(value: Value) -> bool:
    return isinstance(value, DeviceArray | np.ndarray)


def _numbers(side: Value) -> Array:
    """The numbers that handles (or numbers) stand for."""
    if isinstance(side, GraphicsObject | GraphicsArray):
        flat = np.array([item.to_double() for item in items_of(side)])
        return flat.reshape(side.shape, order="F")
    return as_array(side)


def _operate(operator: str, args: tuple[Value, ...]) -> Value:
    if operator in ("transpose", "ctranspose"):
        turned = object_array(items_of(args[0]), size_of(args[0])).T
        return handles(list(turned.ravel(order="F")), turned.shape)
    if operator in ("horzcat", "vertcat"):
        first = next(arg for arg in args if isinstance(arg, GraphicsObject | GraphicsArray))
        return first.methods()[operator](None, args, 1)
    if operator in ("eq", "ne") and all(_comparable(arg) for arg in args):
        same = _numbers(args[0]) == _numbers(args[1])
        return canonical(same if operator == "eq" else ~same)
    return NotImplemented


def _comparable(side: Value) -> bool:
    kinds = GraphicsObject | GraphicsArray | float | bool | np.ndarray
    return isinstance(side, kinds)


def _same_handle(left: Value, right: Value) -> bool:
    found = _comparable(right) and np.array_equal(_numbers(left), _numbers(right))
    return bool(found)


class GraphicsArray(NativeObject):
    """An array of handles, such as the lines of ``plot(x, [y1 y2])``."""

    is_handle = True
    travels = False
    lists_members = True

    def __init__(self, items: list[GraphicsObject], shape: tuple[int, ...] | None = None) -> None:
        self.data = object_array(items, shape or (len(items), 1))
        kinds = {item.class_name for item in items}
        self.class_name = kinds.pop() if len(kinds) == 1 else "matlab.graphics.Graphics"

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    def single_elements(self) -> Array:
        """The handles, for what goes over elements."""
        return self.data

    @property
    def items(self) -> list[GraphicsObject]:
        """The handles in column-major order."""
        return list(self.data.reshape(-1, order="F"))

    def to_double(self) -> Value:
        """The numbers of the objects."""
        return _numbers(self)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``h.Name``: a list with one value per handle."""
        return of_elements(CommaList(item.get(name) for item in self.items), args)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``h.Name = value`` sets all."""
        for item in self.items:
            item.set(name, value)
        return self

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``h(i)``, ``h(i, j)``."""
        if len(args) == 1 and is_colon(args[0]):
            return handles(self.items, (self.data.size, 1))
        if len(args) == 1:
            places = positions(args[0], self.data.size, inside=True)
            picked = self.data.reshape(-1, order="F")[places]
            columns = self.data.shape[1] != 1
            shape = (1, len(picked)) if columns else (len(picked), 1)
            return handles(list(picked), shape)
        picks = [positions(a, n, inside=True) for a, n in zip(args, self.data.shape, strict=False)]
        part = self.data[np.ix_(*picks)]
        return handles(list(part.reshape(-1, order="F")), part.shape)

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``h(i) = other``, ``h(i, j) = other``, ``h(i) = []``; it grows where it has to."""
        if value is None:
            left = without(self.data, args)
            none = NoObjects("matlab.graphics.GraphicsPlaceholder", left.shape)
            return GraphicsArray(list(left.ravel(order="F")), left.shape) if left.size else none
        known = isinstance(value, GraphicsObject | GraphicsArray)
        given = handles_of_all((value,)) if known else []
        if not given or len(args) > 2:
            raise unsupported_index(self.class_name, "()=")
        rows, columns = self.data.shape
        if len(args) == 1:
            places = positions(args[0], self.data.size)
            column = columns == 1 and rows > 1
            spots = [
                (p % rows, p // rows) if p < rows * columns else (p, 0) if column else (0, p)
                for p in places
            ]
        else:
            across, down = positions(args[1], columns), positions(args[0], rows)
            spots = [(row, column) for column in across for row in down]
        return self._with_handles_at(spots, given)

    def _with_handles_at(
        self, spots: list[tuple[int, int]], given: list[GraphicsObject]
    ) -> GraphicsArray:
        """The array with handles put into places, grown with handles of nothing."""
        rows = max(self.data.shape[0], *(row + 1 for row, _column in spots))
        columns = max(self.data.shape[1], *(column + 1 for _row, column in spots))
        data = object_array(null_handles(given[0].owner, (rows, columns)), (rows, columns))
        data[: self.data.shape[0], : self.data.shape[1]] = self.data
        for place, spot in enumerate(spots):
            data[spot] = given[place % len(given)]
        return GraphicsArray(list(data.reshape(-1, order="F")), (rows, columns))

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """``==`` and ``~=`` compare identities; brackets make longer arrays."""
        return _operate(operator, args)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Joining handles makes longer arrays."""
        return self.items[0].methods()

    def show(self, name: str, style: Any) -> str:
        """Size and kind, then one line per handle."""
        rows = "".join(f"  {item.class_name.rpartition('.')[2]}\n" for item in self.items)
        size = "×".join(map(str, self.shape))
        kinds = {item.class_name.rpartition(".")[2] for item in self.items}
        kind = kinds.pop() if len(kinds) == 1 else "graphics"
        return f"  {size} {kind} array:\n\n{rows}"

    def equals(self, other: Value) -> bool:
        """Elementwise identity."""
        return isinstance(other, GraphicsArray) and self.items == other.items


def null_handles(owner: Figures, shape: tuple[int, ...]) -> list[GraphicsObject]:
    """Handles of no object for an array of a shape; an error where memory could not hold them."""
    check_room(shape, _HANDLE_BYTES)
    made = [GraphicsObject("root", owner) for _ in heeding(range(prod(shape)))]
    for none in made:
        none.alive = False
    return made


def handles(items: list[GraphicsObject], shape: tuple[int, ...] | None = None) -> Value:
    """One handle, an array of handles, or ``[]`` for none."""
    if len(items) == 1:
        return items[0]
    return GraphicsArray(items, shape) if items else EMPTY


def items_of(value: Value) -> list[GraphicsObject]:
    """The graphics objects of a handle or an array of handles; MATLAB's error for others."""
    if isinstance(value, GraphicsObject):
        return [value]
    if isinstance(value, GraphicsArray):
        return value.items
    if isinstance(value, NoObjects):
        return []
    raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid handle.")


def handles_of_all(args: tuple[Value, ...]) -> list[GraphicsObject]:
    """The handles of several values; numbers stand for objects, empty arrays are none."""
    known = [a for a in args if isinstance(a, GraphicsObject | GraphicsArray)]
    owner = next((item.owner for arg in known for item in items_of(arg)), None)
    return [item for arg in args for item in _named_by(arg, owner)]


def _named_by(value: Value, owner: Figures | None) -> list[GraphicsObject]:
    """The objects of a handle, of an array of handles, or of numbers that stand for some."""
    if not isinstance(value, float | DeviceArray | np.ndarray):
        return items_of(value)
    numbers = as_array(value).ravel(order="F")
    named = [owner.object_numbered(float(number)) for number in numbers] if owner else []
    found = [item for item in named if item is not None]
    if len(found) < numbers.size:
        raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid handle.")
    return found


def is_polar(item: GraphicsObject) -> bool:
    """Whether an object is polar axes."""
    return item.kind.name == "polaraxes"
