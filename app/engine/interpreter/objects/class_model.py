"""What is known of a class: properties, methods, superclasses, members of an enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from app.engine.values import ObjectArray, ObjectValue, Value
from app.errors import MatlabError
from app.records import mutable_record

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit

Callee = Callable[..., Value]
Access = str | frozenset[str]
"""Who may use a member: ``public``, ``protected``, ``private``, or the names of classes."""
_T = TypeVar("_T")


@mutable_record
class Property:
    """One property.

    Attributes:
        name: its name.
        owner: the class that declares it.
        default: gives the initial value.
        get_access: who may read it.
        set_access: who may set it, or ``immutable``.
        set_observable: listeners are told before and after it is set.
        get_observable: listeners are told before and after it is read.
        abort_set: nothing happens when it is given the value that it has.
        non_copyable: copies of the object begin with the initial value.
        dynamic: one object has it of its own.
        check: converts and checks a value that is assigned; None without a declaration.
    """

    name: str
    owner: ClassInfo
    default: Callable[[], Value]
    get_access: Access = "public"
    set_access: Access = "public"
    constant: bool = False
    dependent: bool = False
    hidden: bool = False
    abstract: bool = False
    set_observable: bool = False
    get_observable: bool = False
    abort_set: bool = False
    transient: bool = False
    non_copyable: bool = False
    dynamic: bool = False
    check: Callable[[Value], Value] | None = None

    @property
    def watched(self) -> bool:
        """Whether setting it is more than storing a value."""
        return self.check is not None or self.set_observable or self.abort_set


@mutable_record
class Event:
    """One event: who may listen to it, and who may notify of it."""

    name: str
    owner: ClassInfo
    listen_access: Access = "public"
    notify_access: Access = "public"
    hidden: bool = False


TEST_ROLES = (
    "Test",
    *(f"Test{part}" for part in ("MethodSetup", "MethodTeardown", "ClassSetup", "ClassTeardown")),
    "TestParameterDefinition",
)
"""Attributes of blocks of methods that a test runner looks for."""


@mutable_record
class Method:
    """One method; ``roles`` are those of `TEST_ROLES` that its block names."""

    name: str
    owner: ClassInfo
    function: Callee | None
    static: bool = False
    access: Access = "public"
    hidden: bool = False
    abstract: bool = False
    sealed: bool = False
    roles: frozenset[str] = frozenset()


@mutable_record
class ClassInfo:
    """A class.

    Attributes:
        name: its dotted name.
        bases: direct superclasses.
        is_handle: True for handle classes.
        native_base: ``double``, ``int32`` … when it derives from a class of numbers.
        of_fields: True for a class without ``classdef``, whose objects are named structs.
        allowed: the classes that may derive from it (``AllowedSubclasses``); None for any.
        construct_on_load: its constructor runs, without arguments, for an object that is loaded.
        inferior: classes whose methods its own come before (``InferiorClasses``).
        shared_fixtures: gives the fixtures that its tests share, where it names some.
        known: what was found by kind and name, once nothing more is declared; None until then.
    """

    name: str
    unit: Unit | None
    bases: list[ClassInfo] = field(default_factory=list)
    is_handle: bool = False
    abstract: bool = False
    sealed: bool = False
    native_base: str = ""
    of_fields: bool = False
    allowed: frozenset[str] | None = None
    construct_on_load: bool = False
    inferior: frozenset[str] = frozenset()
    shared_fixtures: Callable[[], Value] | None = None
    properties: dict[str, Property] = field(default_factory=dict)
    methods: dict[str, Method] = field(default_factory=dict)
    getters: dict[str, Callee] = field(default_factory=dict)
    setters: dict[str, Callee] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    constants: dict[str, Value] = field(default_factory=dict)
    enumeration: dict[str, tuple[Value, ...] | None] = field(default_factory=dict)
    members: dict[str, ObjectValue] = field(default_factory=dict)
    constructor: Callee | None = None
    explicit_supers: set[str] = field(default_factory=set)
    help: str = ""
    known: dict[tuple[str, str], object] | None = field(default=None, repr=False)
    _lineage: tuple[ClassInfo, ...] = field(default=(), repr=False)

    def settle(self) -> None:
        """It is whole: what is found in it and its superclasses is remembered from now on."""
        if all(base.known is not None for base in self.bases):
            self._lineage = tuple(self.lineage())
            self.known = {}

    def with_property(self, added: Property) -> ClassInfo:
        """The same class with one property more, or another of its name, for one object."""
        held = {**self.properties, added.name: added}
        return self._of_one_object(held, self.getters, self.setters)

    def without_property(self, gone: Property) -> ClassInfo:
        """The same class without a property, and without what reads and sets it."""
        return self._of_one_object(
            {n: p for n, p in self.properties.items() if n != gone.name},
            {n: f for n, f in self.getters.items() if n != gone.name},
            {n: f for n, f in self.setters.items() if n != gone.name},
        )

    def with_accessors(self, getters: dict[str, Callee], setters: dict[str, Callee]) -> ClassInfo:
        """The same class with other functions that read and set properties, for one object."""
        return self._of_one_object(self.properties, getters, setters)

    def _of_one_object(
        self,
        properties: dict[str, Property],
        getters: dict[str, Callee],
        setters: dict[str, Callee],
    ) -> ClassInfo:
        own = {"properties": properties, "getters": getters, "setters": setters}
        made = replace(self, **own, known=None, _lineage=())  # type: ignore[arg-type]
        made.settle()
        return made

    def _found(self, kind: str, name: str, find: Callable[[ClassInfo, str], _T]) -> _T:
        """What `find` gives for a name, searched once for a class that is whole."""
        if self.known is None:
            return find(self, name)
        key = kind, name
        try:
            return self.known[key]  # type: ignore[return-value]  # what `find` gave before
        except KeyError:
            found = self.known[key] = find(self, name)
            return found

    @property
    def superclasses(self) -> tuple[str, ...]:
        """Names of the direct superclasses."""
        return tuple(b.name for b in self.bases)

    @property
    def short_name(self) -> str:
        """The name without its package."""
        return self.name.rpartition(".")[2]

    def lineage(self) -> Iterator[ClassInfo]:
        """The class and all its superclasses, nearest first, each once."""
        if self._lineage:
            yield from self._lineage
            return
        seen: set[str] = set()
        pending = [self]
        while pending:
            info = pending.pop(0)
            if info.name not in seen:
                seen.add(info.name)
                yield info
                pending.extend(info.bases)

    def shared_with(self, other: ClassInfo) -> ClassInfo | None:
        """The nearest class, but for mixins, that both are or derive from."""
        mine = (c for c in self.lineage() if not c.name.startswith("matlab.mixin."))
        return next((c for c in mine if other.is_a(c.name)), None)

    def comes_before(self, other: ClassInfo) -> bool:
        """True when its methods are taken where an object of ``other`` stands first."""
        return any(other.is_a(name) for c in self.lineage() for name in c.inferior)

    def public_properties(self) -> list[str]:
        """The names of the properties that anybody can see."""
        if self.of_fields:
            return list(self.properties)
        seen = self.all_properties()
        return [p.name for p in seen if p.get_access == "public" and not p.hidden]

    def ancestors(self) -> list[str]:
        """The names of all classes it derives from, itself included."""
        names = [n for c in self.lineage() for n in (c.name, c.native_base) if n]
        return [*names, "handle"] if self.is_handle else names

    def is_a(self, name: str) -> bool:
        """True when the class is ``name`` or derives from it."""
        if name == "handle" and self.is_handle:
            return True
        return any(name in {c.name, c.native_base} for c in self.lineage())

    def stored(self, x: ObjectValue) -> dict[str, Value]:
        """What an object holds; of a class without ``classdef`` a parent's part as one value."""
        if not self.of_fields:
            return dict(x.properties)
        read = self.getters
        return {n: read[n](x) if n in read else x.properties[n] for n in self.properties}

    def find_property(self, name: str) -> Property | None:
        """The property ``name`` of the class or a superclass."""
        return self._found("property", name, _declared_property)

    def find_method(self, name: str) -> Method | None:
        """The method ``name`` of the class or a superclass, a concrete one before an abstract."""
        return self._found("method", name, _declared_method)

    def getter(self, name: str) -> Callee | None:
        """``get.name``."""
        return self._found("get", name, _declared_getter)

    def setter(self, name: str) -> Callee | None:
        """``set.name``."""
        return self._found("set", name, _declared_setter)

    def all_properties(self) -> list[Property]:
        """All properties, those of superclasses last, each once."""
        found: dict[str, Property] = {}
        for info in self.lineage():
            for name, prop in info.properties.items():
                held = found.get(name)
                if held is None or (held.abstract and not prop.abstract):
                    found[name] = prop
        return list(found.values())

    def all_methods(self) -> list[Method]:
        """All methods, each once."""
        found: dict[str, Method] = {}
        for info in self.lineage():
            for name, method in info.methods.items():
                found.setdefault(name, method)
        return list(found.values())

    def all_events(self) -> dict[str, Event]:
        """All events by name, those of superclasses last."""
        found: dict[str, Event] = {}
        for info in self.lineage():
            for name, event in info.events.items():
                found.setdefault(name, event)
        return found

    def overload(self, name: str, x: ObjectValue | ObjectArray, *args: Value) -> Value | None:
        """The value of the method ``name`` for ``x``; None when the class has none."""
        method = self.find_method(name)
        if method is None or method.function is None:
            return None
        return method.function(x, *args)

    def missing_abstract(self) -> list[str]:
        """Abstract members nothing implements."""
        names = {m.name for c in self.lineage() for m in c.methods.values() if m.abstract}
        found = {n: self.find_method(n) for n in sorted(names)}
        open_methods = [n for n, m in found.items() if m is not None and m.abstract]
        open_properties = [p.name for p in self.all_properties() if p.abstract]
        return open_methods + open_properties

    def check_instantiable(self) -> None:
        """An abstract class has no objects."""
        missing = self.missing_abstract()
        if self.abstract or missing:
            text = f"Abstract classes cannot be instantiated. Class '{self.name}' "
            detail = (
                f"defines abstract methods and/or properties: {', '.join(missing)}."
                if (missing)
                else "is abstract."
            )
            raise MatlabError("MATLAB:class:abstract", text + detail)


def _declared_property(info: ClassInfo, name: str) -> Property | None:
    return next((c.properties[name] for c in info.lineage() if name in c.properties), None)


def _declared_method(info: ClassInfo, name: str) -> Method | None:
    found = [c.methods[name] for c in info.lineage() if name in c.methods]
    return next((m for m in found if m.function is not None), found[0] if found else None)


def _declared_getter(info: ClassInfo, name: str) -> Callee | None:
    return next((c.getters[name] for c in info.lineage() if name in c.getters), None)


def _declared_setter(info: ClassInfo, name: str) -> Callee | None:
    return next((c.setters[name] for c in info.lineage() if name in c.setters), None)


def class_of_object(x: Any) -> ClassInfo:
    """The class of an object or object array."""
    info: ClassInfo = x.class_info
    return info
