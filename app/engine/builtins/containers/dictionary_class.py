"""``dictionary``: a value class from keys to values, both of one class each."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias, TypedDict

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, one_of, option_pairs
from app.engine.builtins.containers.dictionary_keys import key_of
from app.engine.declarations.registry import builtin, lookup, native_type
from app.engine.operators.concatenation import concatenate
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    Cell,
    NativeObject,
    StringArray,
    Value,
    class_of,
    is_cell,
    is_char,
    is_numeric_like,
    numel,
    object_array,
    size_of,
    text_of,
    unwrap,
)
from app.engine.values.containers import no_member
from app.errors import MatlabError

_FAMILY = "containers"
_Entry: TypeAlias = tuple[Value, Value]
"""A key and its value."""
MOST_WRITES = 4
"""Writes per entry after which a table is copied, and what they have replaced forgotten."""


def elements_of(v: Value) -> list[Value]:
    """Every element of an array as a value of its own; a char row counts as one string."""
    if is_char(v):
        return [StringArray.scalar(text_of(v))]
    data = data_of(v)
    flat = data.ravel(order="F")
    return [rebuild(v, flat[k : k + 1].reshape(1, 1)) for k in range(flat.size)]


def _only_key(args: tuple[Value, ...]) -> Value:
    """The one subscript of a dictionary."""
    if len(args) != 1:
        text = "A dictionary takes one subscript: a key, or an array of keys."
        raise MatlabError("MATLAB:dictionary:OneSubscript", text)
    return args[0]


class _Table:
    """Entries that several dictionaries share: the newest has them, the others had them once.

    Attributes:
        entries: what identifies a key to the key and its value.
        replaced: what each write has replaced, or None where it has added.
    """

    __slots__ = ("entries", "replaced")

    def __init__(self, entries: dict[Hashable, _Entry]) -> None:
        self.entries, self.replaced = entries, list[tuple[Hashable, _Entry | None]]()

    def write(self, pairs: list[tuple[Hashable, _Entry]]) -> None:
        """Set entries."""
        for identity, entry in pairs:
            self.replaced.append((identity, self.entries.get(identity)))
            self.entries[identity] = entry

    def entries_after(self, writes: int) -> dict[Hashable, _Entry]:
        """The entries as they were after so many writes."""
        entries = dict(self.entries)
        for identity, entry in reversed(self.replaced[writes:]):
            if entry is None:
                del entries[identity]
            else:
                entries[identity] = entry
        return entries


class _State(TypedDict):
    """What another process has to know of a dictionary."""

    entries: dict[Hashable, _Entry]
    kinds: tuple[str, str]


@native_type
class Dictionary(NativeObject):
    """Entries in the order they were added.

    A dictionary that is written to shares its table with the one that the write makes. Most are
    never looked at again; one that is makes a table of its own then.

    Attributes:
        kinds: classes of keys and values that an empty one was made for.
    """

    class_name = "dictionary"

    def __init__(
        self,
        entries: dict[Hashable, _Entry] | None = None,
        kinds: tuple[str, str] = ("", ""),
    ) -> None:
        self._table = _Table({} if entries is None else entries)
        self._writes = 0
        self.kinds = kinds

    def __getstate__(self) -> _State:
        return {"entries": self.entries, "kinds": self.kinds}

    def __setstate__(self, state: _State) -> None:
        self._table, self._writes, self.kinds = _Table(state["entries"]), 0, state["kinds"]

    @property
    def entries(self) -> dict[Hashable, _Entry]:
        """What identifies a key to the key and its value; not to be changed."""
        if self._writes < len(self._table.replaced):
            self._table, self._writes = _Table(self._table.entries_after(self._writes)), 0
        return self._table.entries

    def contents(self) -> Iterable[Value]:
        """Keys and values."""
        return (value for entry in self.entries.values() for value in entry)

    def keys(self) -> list[Value]:
        """The keys."""
        return [k for k, _ in self.entries.values()]

    def values(self) -> list[Value]:
        """The values."""
        return [v for _, v in self.entries.values()]

    def look_up(self, keys: Value, fallback: Value | None = None) -> Value:
        """The values of keys, in the shape of the keys."""
        found = []
        for key in elements_of(keys):
            entry = self.entries.get(key_of(key))
            if entry is None and fallback is None:
                raise MatlabError("MATLAB:dictionary:ScalarKeyNotFound", "Key not found.")
            found.append(fallback if entry is None else entry[1])
        return _joined_items(found, (1, 1) if is_char(keys) else size_of(keys))

    def with_entries(self, keys: Value, values: Value) -> Dictionary:
        """More entries, or other values of keys."""
        each = elements_of(keys)
        given = elements_of(values) if len(each) > 1 or numel(values) == 1 else [values]
        given = given * len(each) if len(given) == 1 else given
        if len(given) != len(each):
            text = "The number of values must be that of the keys, or one."
            raise MatlabError("MATLAB:dictionary:DimensionMismatch", text)
        pairs = zip(each, given, strict=True)
        return self._written([(key_of(k), (self._checked_key(k), v)) for k, v in pairs])

    def _written(self, pairs: list[tuple[Hashable, _Entry]]) -> Dictionary:
        """The dictionary with other entries, which takes the table over."""
        entries, made = self.entries, Dictionary(None, self.kinds)
        few = len(self._table.replaced) < MOST_WRITES * (len(entries) + 1)
        made._table = self._table if few else _Table(dict(entries))
        made._table.write(pairs)
        made._writes = len(made._table.replaced)
        return made

    def _checked_key(self, key: Value) -> Value:
        first = next(iter(self.entries.values()), None)
        wanted = class_of(first[0]) if first is not None else self.kinds[0]
        if wanted and wanted != class_of(key):
            text = f"Unable to convert a key of class '{class_of(key)}' to '{wanted}'."
            raise MatlabError("MATLAB:dictionary:UnableToConvertKey", text)
        return key

    def keyed_values(self) -> dict[str, Value] | None:
        """The entries of a dictionary with strings as keys."""
        if not all(isinstance(k, StringArray) for k, _ in self.entries.values()):
            return None
        return {text_of(key): value for key, value in self.entries.values()}

    def with_value(self, key: str, value: Value) -> NativeObject:
        """Another value of a key."""
        entries = {**self.entries, key: (self.entries[key][0], value)}
        return Dictionary(entries, self.kinds)

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``d(keys)``."""
        return self.look_up(_only_key(args))

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``d(keys) = values`` and ``d(keys) = []``."""
        keys = _only_key(args)
        return self.without(keys) if value is None else self.with_entries(keys, value)

    def brace_get(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        """``d{key}``: what a cell value holds."""
        found = self.look_up(_only_key(args))
        return tuple(found.items()) if is_cell(found) else found

    def brace_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``d{key} = value``."""
        return self.with_entries(_only_key(args), Cell.of([value]))

    def classes(self) -> tuple[Value, Value]:
        """The classes of keys and values."""
        first = next(iter(self.entries.values()), None)
        keys, values = self.kinds if first is None else map(class_of, first)
        return StringArray.scalar(keys or None), StringArray.scalar(values or None)

    def without(self, keys: Value) -> Dictionary:
        """The dictionary without keys."""
        entries = dict(self.entries)
        for key in elements_of(keys):
            if entries.pop(key_of(key), None) is None:
                raise MatlabError("MATLAB:dictionary:ScalarKeyNotFound", "Key not found.")
        return Dictionary(entries, self.kinds)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Methods in dot form."""
        method = self.methods().get(name)
        if method is None:
            raise no_member(self.class_name, name)
        return method(ctx, (self, *(args or ())), nargout)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions with a meaning for dictionaries."""
        return _METHODS

    def equals(self, other: Value) -> bool:
        """Equal keys with equal values."""
        from app.engine.builtins.arrays.predicates import equal

        return (
            isinstance(other, Dictionary)
            and self.entries.keys() == other.entries.keys()
            and (all(equal(v, other.entries[k][1]) for k, (_, v) in self.entries.items()))
        )

    def show(self, name: str, style: Any) -> str:
        """Classes, count and entries."""
        if not self.entries and self.kinds[0]:
            return f"  dictionary ({self.kinds[0]} ⟼ {self.kinds[1]}) with no entries.\n"
        if not self.entries:
            return "  dictionary with unset key and value types.\n"
        from app.engine.values.display_inline import in_cell

        kinds = f"({class_of(self.keys()[0])} ⟼ {class_of(self.values()[0])})"
        count = len(self.entries)
        lines = [f"  dictionary {kinds} with {count} {'entry' if count == 1 else 'entries'}:\n"]
        keys = [_entry_text(k, in_cell, style) for k in self.keys()]
        width = max(map(len, keys))
        lines += [
            f"    {k.ljust(width)} ⟼ {_entry_text(v, in_cell, style)}"
            for k, v in zip(keys, self.values(), strict=True)
        ]
        return "\n".join(lines) + "\n"

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {"keys": Cell.of(self.keys()), "values": Cell.of(self.values())}


def _entry_text(v: Value, in_cell: Any, style: Any) -> str:
    if is_cell(v) and numel(v) == 1:
        return "{" + "".join(in_cell(v.data.flat[0], style)) + "}"
    text = "".join(in_cell(v, style))
    plain = is_numeric_like(v) or isinstance(v, StringArray)
    return text.removeprefix("[").removesuffix("]") if plain else text


def _joined_items(items: list[Value], shape: tuple[int, ...]) -> Value:
    if len(items) == 1:
        return items[0]
    if not items:
        return Cell.empty()
    joined = concatenate(0, items)
    return (
        rebuild(joined, data_of(joined).reshape(shape, order="F"))
        if numel(joined) == len(items)
        else joined
    )


def _listed(name: str, items: list[Value], form: Value = None) -> Value:
    """Keys or values as a column, or as a cell of them."""
    if form is not None:
        one_of(name, "Format", form, "cell")
        return Cell(object_array(items, (len(items), 1)))
    return _joined_items(items, (len(items), 1))


def _is_key(d: Dictionary, keys: Value) -> Value:
    import numpy as np

    found = [key_of(k) in d.entries for k in elements_of(keys)]
    return (
        found[0] if len(found) == 1 else unwrap(np.array(found).reshape(size_of(keys), order="F"))
    )


def _looked_up(d: Dictionary, keys: Value, *options: Value) -> Value:
    """The values of keys; ``FallbackValue`` stands for those that are not there."""
    return d.look_up(keys, option_pairs("lookup", options, "FallbackValue").get("fallbackvalue"))


def _with_inserted(d: Dictionary, keys: Value, values: Value, *options: Value) -> Dictionary:
    """More entries; with ``Overwrite`` false those that are there stay."""
    overwrite = flag(option_pairs("insert", options, "Overwrite"), "overwrite", True)
    more = d.with_entries(keys, values)
    return more if overwrite else Dictionary({**more.entries, **d.entries}, d.kinds)


def _in_context(name: str) -> Callable[..., Value]:
    """A method that is a builtin of another module, which uses the session."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        found = lookup(name)
        assert found is not None
        made: Value = found.function(ctx, *args)
        return made

    return call


_METHODS: dict[str, Callable[..., Value]] = {
    "keys": lambda ctx, args, n: _listed("keys", args[0].keys(), *args[1:]),
    "values": lambda ctx, args, n: _listed("values", args[0].values(), *args[1:]),
    "isKey": lambda ctx, args, n: _is_key(*args),
    "remove": lambda ctx, args, n: args[0].without(args[1]),
    "lookup": lambda ctx, args, n: _looked_up(*args),
    "insert": lambda ctx, args, n: _with_inserted(*args),
    "numEntries": lambda ctx, args, n: float(len(args[0].entries)),
    "isConfigured": lambda ctx, args, n: bool(args[0].entries or args[0].kinds[0]),
    "entries": _in_context("entries"),
    "types": lambda ctx, args, n: args[0].classes(),
}


@builtin(
    "dictionary",
    category=_FAMILY,
    signatures=(
        "d = dictionary",
        "d = dictionary(keys, values)",
        "d = dictionary(k1, v1, k2, v2, ...)",
    ),
    cases=(
        'lookup(dictionary("a", 1), "a") == 1',
        'isequal(values(dictionary(["a" "b"], [1 2])), [1; 2])',
    ),
    see=("containers.Map", "isKey"),
)
def dictionary(*args: Value) -> Value:
    """Map from keys to values. Unlike a map it is a value: copies do not share entries."""
    made = Dictionary()
    if len(args) == 2 and not all(map(numel, args)):
        return Dictionary(None, (class_of(args[0]), class_of(args[1])))
    if len(args) % 2:
        raise MatlabError("MATLAB:dictionary:NumArgs", "Every key needs a value.")
    for key, value in zip(args[::2], args[1::2], strict=True):
        made = made.with_entries(key, value)
    return made


@builtin(
    "configureDictionary",
    category=_FAMILY,
    signatures=("d = configureDictionary(keyClass, valueClass)",),
    cases=('numEntries(configureDictionary("string", "double")) == 0',),
    see=("dictionary",),
)
def configure_dictionary(keys: Value, values: Value) -> Value:
    """An empty dictionary for keys and values of given classes."""
    return Dictionary(None, (text_of(keys), text_of(values)))


def declare_method(name: str, signature: str, summary: str, case: str) -> None:
    """Declare a function that only dictionaries understand."""

    def call(ctx: CallContext, d: Value, *args: Value) -> Value:
        if isinstance(d, Dictionary):
            return _METHODS[name](ctx, (d, *args), 1)
        from app.engine.arguments.operation_rules import undefined_for_class

        raise undefined_for_class(name, d)

    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(case,),
        see=("dictionary",),
    )(call)


declare_method(
    "insert",
    "d = insert(d, keys, values)",
    "Add entries to a dictionary.",
    'numEntries(insert(dictionary, "a", 1)) == 1',
)
declare_method(
    "numEntries",
    "n = numEntries(d)",
    "Number of entries of a dictionary.",
    "numEntries(dictionary) == 0",
)
declare_method(
    "isConfigured",
    "tf = isConfigured(d)",
    "True once keys and values have a class.",
    "~isConfigured(dictionary)",
)


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Dictionary.to_portable` gave."""
    keys, values = fields["keys"], fields["values"]
    assert isinstance(keys, Cell)
    assert isinstance(values, Cell)
    pairs = zip(keys.items(), values.items(), strict=True)
    return Dictionary({key_of(k): (k, v) for k, v in pairs})
