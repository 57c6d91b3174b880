"""``containers.Map``: a handle object from keys (text or numbers) to values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Cell,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    cell_items,
    float_of,
    is_cell,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

_FAMILY = "containers"
_NUMERIC_KEYS = (
    "double",
    "single",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
)
_VALUE_TYPES = ("any", "char", "logical", *_NUMERIC_KEYS)


@native_type
class ContainersMap(NativeObject):
    """A map; keys are kept sorted when they are listed.

    Attributes:
        key_type: ``char`` or a numeric class.
        value_type: ``any``, ``char``, ``logical`` or a numeric class.
        data: the entries.
    """

    class_name = "containers.Map"
    superclasses = ("handle",)
    is_handle = True
    keeps_empties = True
    _asked = False

    def __init__(self, key_type: str = "char", value_type: str = "any") -> None:
        self.key_type = key_type
        self.value_type = value_type
        self.data: dict[str | float, Value] = {}

    def contents(self) -> Iterator[Value]:
        """Keys and values; nothing while they are being asked for: a map may hold itself."""
        if self._asked:
            return
        self._asked = True
        try:
            yield from (*self.data, *self.data.values())
        finally:
            self._asked = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Count-by-1, as ``size`` shows it."""
        return (len(self.data), 1)

    def key_of(self, v: Value) -> str | float:
        """A checked key."""
        if self.key_type == "char":
            if is_text_scalar(v):
                return text_of(v)
        elif is_numeric_like(v) and not is_text_scalar(v) and numel(v) == 1:
            return float_of(v)
        text = "Specified key type does not match the type expected for this container."
        raise MatlabError("MATLAB:Containers:TypeMismatch", text)

    def look_up(self, v: Value) -> Value:
        """The value of a key."""
        key = self.key_of(v)
        if key not in self.data:
            text = "The specified key is not present in this container."
            raise MatlabError("MATLAB:Containers:Map:NoKey", text)
        return self.data[key]

    def keys(self) -> list[str | float]:
        """Keys in order."""
        return sorted(self.data)

    def value_list(self) -> list[Value]:
        """Values in the order of their keys."""
        return [self.data[k] for k in self.keys()]

    def keyed_values(self) -> dict[str, Value] | None:
        """The entries of a map from texts to values that it does not convert."""
        plain = self.key_type == "char" and self.value_type == "any"
        return cast("dict[str, Value]", self.data) if plain else None

    def with_value(self, key: str, value: Value) -> NativeObject:
        """Another value of a key."""
        self.data[key] = value
        return self

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``m(key)``."""
        if len(args) != 1:
            text = "Only one key can be given in the index of a map."
            raise MatlabError("MATLAB:Containers:Map:OneKey", text)
        return self.look_up(args[0])

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``m(key) = value``."""
        if len(args) != 1:
            text = "Only one key can be given in the index of a map."
            raise MatlabError("MATLAB:Containers:Map:OneKey", text)
        self.data[self.key_of(args[0])] = self.converted(value)
        return self

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """``[m1; m2]``: the entries of all maps in a new one, later ones over earlier ones."""
        maps = [a for a in args if isinstance(a, ContainersMap)]
        if operator != "vertcat" or len(maps) < len(args):
            return NotImplemented
        made = ContainersMap(maps[0].key_type, maps[0].value_type)
        for part in maps:
            made.data.update({made.key_of(k): made.converted(v) for k, v in part.data.items()})
        return made

    def converted(self, value: Value) -> Value:
        """The value in the map's value type."""
        if self.value_type in ("any", "char"):
            return value
        if numel(value) != 1:
            text = "Specified value type does not match the type expected for this container."
            raise MatlabError("MATLAB:Containers:TypeMismatch", text)
        from app.engine.builtins.arrays.conversion import convert

        return convert(value, self.value_type)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties Count, KeyType, ValueType and the methods."""
        facts: dict[str, Value] = {
            "Count": float(len(self.data)),
            "KeyType": self.key_type,
            "ValueType": self.value_type,
        }
        if name in facts:
            return facts[name]
        method = _METHODS.get(name)
        if method is None:
            raise no_member(self.class_name, name)
        return method(self, *(args or ()))

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {
            "KeyType": self.key_type,
            "ValueType": self.value_type,
            "keys": Cell.of(self.keys()),
            "values": Cell.of(self.value_list()),
        }

    def members(self) -> list[str]:
        """Properties."""
        return ["Count", "KeyType", "ValueType"]

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions callable with a map."""
        return {n: _as_function(f) for n, f in _METHODS.items()}

    def show(self, name: str, style: Any) -> str:
        """The text after ``name =``."""
        return (
            f"  Map with properties:\n\n        Count: {len(self.data)}\n"
            f"      KeyType: {self.key_type}\n    ValueType: {self.value_type}\n"
        )

    def equals(self, other: Value) -> bool:
        """Equal keys and values."""
        from app.engine.builtins.arrays.predicates import equal

        if not isinstance(other, ContainersMap) or self.data.keys() != other.data.keys():
            return False
        return all(equal(v, other.data[k]) for k, v in self.data.items())


def _as_function(method: Callable[..., Value]) -> Callable[..., Value]:
    return lambda ctx, args, nargout: method(*args)


def _keys(m: ContainersMap) -> Value:
    return Cell.of(m.keys(), (1, len(m.data)))


def _values(m: ContainersMap, wanted: Value | None = None) -> Value:
    if wanted is None:
        return Cell.of(m.value_list(), (1, len(m.data)))
    items = wanted.items() if is_cell(wanted) else [wanted]
    return Cell.of([m.look_up(k) for k in items], (1, len(items)))


def _is_key(m: ContainersMap, key: Value) -> Value:
    if is_cell(key):
        flags = [_has(m, k) for k in key.items()]
        return unwrap(np.array(flags, dtype=bool).reshape(key.shape, order="F"))
    if isinstance(key, StringArray) and key.data.size != 1:
        return canonical(np.array([t in m.data for t in key.data.flat]).reshape(key.shape))
    return _has(m, key)


def _has(m: ContainersMap, key: Value) -> bool:
    if is_text_scalar(key):
        return text_of(key) in m.data
    return m.key_type != "char" and numel(key) == 1 and float_of(key) in m.data


def _remove(m: ContainersMap, keys: Value) -> Value:
    for key in keys.items() if is_cell(keys) else [keys]:
        m.look_up(key)
        del m.data[m.key_of(key)]
    return m


def _count(m: ContainersMap, *rest: Value) -> Value:
    return float(len(m.data))


_METHODS: dict[str, Callable[..., Value]] = {
    "keys": _keys,
    "values": _values,
    "isKey": _is_key,
    "remove": _remove,
    "length": _count,
    "numel": _count,
    "isobject": lambda m: True,
}


# --- construction -----------------------------------------------------------------------------


@builtin(
    "containers.Map",
    category=_FAMILY,
    signatures=(
        "m = containers.Map",
        "m = containers.Map(keys, values)",
        "m = containers.Map('KeyType', kt, 'ValueType', vt)",
        "m = containers.Map(keys, values, 'UniformValues', tf)",
    ),
    cases=("containers.Map({'a', 'b'}, [1 2]).Count == 2",),
    see=("isKey", "keys", "values"),
)
def containers_map(*args: Value) -> Value:
    """Map from texts or numbers to values. A map is a handle: copies share their entries."""
    options, rest = _options(args)
    if len(rest) > 2:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    if not rest:
        return ContainersMap(
            _kind(options.get("keytype", "char"), ("char", *_NUMERIC_KEYS)),
            _kind(options.get("valuetype", "any"), _VALUE_TYPES),
        )
    keys = rest[0].items() if is_cell(rest[0]) else _elements_of(rest[0])
    single = not is_cell(rest[0]) and len(keys) == 1
    if len(rest) == 1:
        values: list[Value] = [np.zeros((0, 0))] * len(keys)
    else:
        values = (
            [rest[1]] if single else rest[1].items() if is_cell(rest[1]) else _elements_of(rest[1])
        )
    if len(keys) != len(values):
        text = "The number of keys and values must be the same."
        raise MatlabError("MATLAB:Containers:Map:KeyValueCount", text)
    made = ContainersMap(_key_type(keys), _value_type(rest[1] if len(rest) > 1 else None, single))
    for key, value in zip(keys, values, strict=True):
        made.data[made.key_of(key)] = value
    return made


def _options(args: tuple[Value, ...]) -> tuple[dict[str, Value], list[Value]]:
    rest, options = list(args), {}
    while len(rest) >= 2 and is_text_scalar(rest[-2]):
        word = text_of(rest[-2]).lower()
        if word not in ("keytype", "valuetype", "uniformvalues"):
            break
        options[word] = rest[-1]
        del rest[-2:]
    return options, rest


def _kind(v: Value, known: tuple[str, ...]) -> str:
    name = text_of(v)
    if name not in known:
        raise MatlabError("MATLAB:Containers:Map:BadType", f"Unsupported type '{name}'.")
    return name


def _elements_of(v: Value) -> list[Value]:
    if is_text_scalar(v):
        return [v]
    if isinstance(v, StringArray):
        return list(v.data.ravel(order="F"))
    return [unwrap(x.reshape(1, 1)) for x in as_array(v).ravel(order="F")]


def _key_type(keys: list[Value]) -> str:
    return "char" if not keys or is_text_scalar(keys[0]) else "double"


def _value_type(values: Value | None, single: bool) -> str:
    if values is None or single or is_cell(values):
        return "any"
    return "double" if is_numeric_like(values) and not is_text_scalar(values) else "any"


def declare_method(name: str, signature: str, summary: str, example: str) -> None:
    """Declare a function that only maps understand."""

    def call(m: Value, *args: Value) -> Value:
        if isinstance(m, ContainersMap):
            return _METHODS[name](m, *args)
        from app.engine.arguments.operation_rules import undefined_for_class

        raise undefined_for_class(name, m)

    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(example,),
        see=("containers.Map",),
    )(call)


declare_method(
    "isKey",
    "tf = isKey(m, key)",
    "True for keys a map has.",
    "m = containers.Map('a', 1); isKey(m, 'a') && ~isKey(m, 'b')",
)
declare_method(
    "keys",
    "c = keys(m)",
    "Keys of a map as a row cell, sorted.",
    "m = containers.Map({'b', 'a'}, [1 2]); isequal(keys(m), {'a', 'b'})",
)
declare_method(
    "values",
    "c = values(m)",
    "Values of a map as a row cell, in the order of keys.",
    "m = containers.Map({'b', 'a'}, [1 2]); isequal(values(m), {2, 1})",
)
declare_method(
    "remove",
    "m = remove(m, key)",
    "Remove keys from a map.",
    "m = containers.Map('a', 1); remove(m, 'a'); m.Count == 0",
)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`ContainersMap.to_portable` gave."""
    made = ContainersMap(text_of(fields["KeyType"]), text_of(fields["ValueType"]))
    for key, value in zip(cell_items(fields["keys"]), cell_items(fields["values"]), strict=True):
        made.data[made.key_of(key)] = value
    return made
