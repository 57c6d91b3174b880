"""What ``findprop`` and ``addprop`` give: properties of a class, or of one object, as values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import switch_of
from app.engine.interpreter.objects.accessors import Accessor
from app.engine.interpreter.objects.class_model import Property
from app.engine.interpreter.objects.metaclass import MetaClass, property_facts
from app.engine.values import (
    EMPTY,
    FunctionHandle,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    Struct,
    Value,
    numel,
    text_of,
)
from app.engine.values.containers import no_member
from app.engine.values.display import disp
from app.engine.values.display_format import DisplayFormat
from app.errors import MatlabError

_FLAGS = {
    "Hidden": "hidden",
    "Transient": "transient",
    "Dependent": "dependent",
    "GetObservable": "get_observable",
    "SetObservable": "set_observable",
    "AbortSet": "abort_set",
    "NonCopyable": "non_copyable",
}
"""Attributes of a property of one object that are true or false."""
_LEVELS = {"GetAccess": "get_access", "SetAccess": "set_access"}
_METHODS = ("GetMethod", "SetMethod")


class PropertyDescription(NativeObject):
    """A property that a class declares: nothing of it changes."""

    class_name = "meta.property"
    is_handle = True
    travels = False

    def __init__(self, declared: Property) -> None:
        self.declared = declared

    def facts(self) -> dict[str, Value]:
        """The attributes and their values."""
        facts = property_facts(self.declared)
        return {**facts, **dict.fromkeys(_METHODS, EMPTY)}

    def members(self) -> list[str]:
        """The attributes."""
        return [*self.facts(), "DefiningClass"]

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """An attribute."""
        if name == "DefiningClass":
            return MetaClass(self.declared.owner)
        facts = self.facts()
        if name not in facts:
            raise no_member(self.class_name, name)
        if args is None:
            return facts[name]
        from app.engine.interpreter.indexing.index_read import paren

        return paren(facts[name], *args)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """Attributes of a property are those that its class declares."""
        if name not in self.members():
            raise no_member(self.class_name, name)
        text = f"'{name}' of a property is what its class declares."
        raise MatlabError("MATLAB:class:SetProhibited", text)

    def show(self, name: str, style: DisplayFormat) -> str:
        """The attributes."""
        short = self.class_name.rpartition(".")[2]
        return f"  {short} with properties:\n\n{disp(Struct(self.facts()), style)}\n"

    def equals(self, other: Value) -> bool:
        """Two descriptions of the same property are equal."""
        return isinstance(other, PropertyDescription) and other.declared is self.declared


class DynamicProperty(PropertyDescription):
    """A property that one object has of its own; its attributes and methods can be set."""

    class_name = "meta.DynamicProperty"
    superclasses = ("meta.property",)

    def __init__(self, owner: HandleObject, name: str) -> None:
        self.owner, self.name = owner, name

    @property
    def declared(self) -> Property:  # type: ignore[override]  # it changes with its attributes
        """The property as it is now."""
        found: Property | None = self.owner.class_info.properties.get(self.name)
        if found is None:
            text = f"The property '{self.name}' was deleted."
            raise MatlabError("MATLAB:class:InvalidHandle", text)
        return found

    def facts(self) -> dict[str, Value]:
        """The attributes and their values, the functions that read and set it among them."""
        info, facts = self.owner.class_info, super().facts()
        for name, held in zip(_METHODS, (info.getters, info.setters), strict=True):
            accessor = held.get(self.name)
            facts[name] = accessor.function if isinstance(accessor, Accessor) else EMPTY
        return facts

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """Change an attribute, or the function that reads or sets it."""
        if name in _METHODS:
            self._set_accessor(ctx, name, value)
        elif name in _FLAGS:
            self._declare({_FLAGS[name]: switch_of(name, value)})
        elif name in _LEVELS or name == "Access":
            fields = [_LEVELS[name]] if name in _LEVELS else list(_LEVELS.values())
            self._declare(dict.fromkeys(fields, _level(name, value)))
        else:
            return super().set_member(ctx, name, value)
        return self

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``delete`` takes the property from its object."""
        return {"delete": self._delete}

    def _declare(self, attributes: Mapping[str, object]) -> None:
        changed = copy(self.declared)
        for field, value in attributes.items():
            setattr(changed, field, value)
        self.owner.class_info = self.owner.class_info.with_property(changed)

    def _set_accessor(self, ctx: CallContext, name: str, value: Value) -> None:
        info = self.owner.class_info
        getters, setters = dict(info.getters), dict(info.setters)
        changed, reads = (getters, True) if name == "GetMethod" else (setters, False)
        if isinstance(value, FunctionHandle):
            changed[self.declared.name] = Accessor(ctx, value, reads=reads)
        elif numel(value):
            raise MatlabError("MATLAB:class:InvalidAccessor", f"{name} must be a function handle.")
        else:
            changed.pop(self.name, None)
        self.owner.class_info = info.with_accessors(getters, setters)

    def _delete(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        self.owner.class_info = self.owner.class_info.without_property(self.declared)
        self.owner.properties.pop(self.name, None)
        return ()


def described_property(x: ObjectValue | ObjectArray, held: Property) -> PropertyDescription:
    """The description of a property that an object has."""
    if held.dynamic and isinstance(x, HandleObject):
        return DynamicProperty(x, held.name)
    return PropertyDescription(held)


def _level(name: str, value: Value) -> str:
    level = text_of(value).lower()
    if level not in {"public", "protected", "private", "immutable"}:
        text = f"{name} is 'public', 'protected' or 'private', not '{level}'."
        raise MatlabError("MATLAB:class:InvalidAccess", text)
    return level
