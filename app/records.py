"""Records: dataclasses of which there are many, made in a fifth of the time.

``dataclass`` writes and compiles its methods anew for every class; that was a third of a start.
Here the methods that are alike for all classes exist once, and initialisers are one compiled
template for each sequence of kinds of fields, with the names of the class put in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Protocol, TypeVar, cast, dataclass_transform

_T = TypeVar("_T")
_MADE = object()
"""The default of a parameter whose value a factory makes."""


class _Record(Protocol):
    """What the decorators make of a class."""

    __dataclass_fields__: dict[str, Field[object]]
    compared: Callable[[object], object]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_T]) -> type[_T]:
    """Class decorator: a dataclass with slots, compared, hashed and shown by its fields.

    What is assigned to a field later is found by the type checker, not at run time.
    """
    made = _new_record_class(cls)
    _put(made, __hash__)
    return made


@dataclass_transform(field_specifiers=(field,))
def mutable_record(cls: type[_T]) -> type[_T]:
    """Class decorator: the same with fields that may change, and so without a hash."""
    made = _new_record_class(cls)
    made.__hash__ = None  # type: ignore[assignment]
    return made


def _new_record_class(cls: type[_T]) -> type[_T]:
    told = get_annotations(cls)
    # Every annotation that is a text is searched for ClassVar and InitVar: a quarter of the time.
    cls.__annotations__ = {n: t if "Var[" in str(t) else object for n, t in told.items()}
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    made.__annotations__ = told
    held = cast("_Record", made)
    for name in told.keys() & held.__dataclass_fields__.keys():
        held.__dataclass_fields__[name].type = told[name]
    names = [n for n, f in held.__dataclass_fields__.items() if f.compare]
    held.compared = attrgetter(*names) if names else _Nothing()
    for method in (_initialiser(made), __repr__, __eq__):
        _put(made, method)
    return made


def _put(made: type, method: Callable[..., object]) -> None:
    """Give the class a method, unless it has its own."""
    if method.__name__ not in made.__dict__:
        setattr(made, method.__name__, method)


def _initialiser(made: type) -> FunctionType:
    """The method ``__init__`` of a class of these fields."""
    found = fields(made)
    values: dict[str, object] = {"MADE": _MADE}
    names, kinds, defaults = {}, "", []
    for number, one in enumerate(found):
        if one.kw_only:
            raise TypeError(f"{made.__qualname__}.{one.name}: a record has no keyword-only fields")
        names[f"f{number}"] = one.name
        kinds += _kind(one)
        if one.default is not MISSING or one.default_factory is not MISSING:
            factory = one.default_factory is not MISSING
            values[f"d{number}"] = one.default_factory if factory else one.default
            if one.init:
                defaults.append(_MADE if factory else one.default)
    code = _template(kinds, hasattr(made, "__post_init__"))
    code = code.replace(
        co_varnames=tuple(names.get(n, n) for n in code.co_varnames),
        co_names=tuple(names.get(n, n) for n in code.co_names),
        co_qualname=f"{made.__qualname__}.__init__",
    )
    return FunctionType(code, values, "__init__", tuple(defaults))


def _kind(one: Field[object]) -> str:
    """What gives a field its value: argument, default or factory; a capital takes no argument."""
    made = one.default_factory is not MISSING
    kind = "f" if made else "a" if one.default is MISSING else "d"
    return kind if one.init else kind.upper()


@cache
def _template(kinds: str, ends: bool) -> CodeType:
    """The code of an initialiser whose fields are called ``f0``, ``f1`` and so on."""
    parameters, lines = ["self"], []
    for number, kind in enumerate(kinds):
        name, default = f"f{number}", f"d{number}"
        if kind.islower():
            parameters.append(name if kind == "a" else f"{name}=None")
        value = {"f": f"{default}() if {name} is MADE else {name}", "F": f"{default}()"}
        if kind != "A":
            lines.append(f" self.{name} = {value.get(kind, default if kind == 'D' else name)}\n")
    lines.append(" self.__post_init__()\n" if ends else " pass\n")
    made: dict[str, FunctionType] = {}
    text = f"def __init__({', '.join(parameters)}):\n{''.join(lines)}"
    exec(text, made)  # noqa: S102 - the text has only the names above
    return made["__init__"].__code__


class _Nothing:
    """What records without compared fields are compared by."""

    def __call__(self, item: object) -> object:
        return ()


def __eq__(self: _Record, other: _Record) -> bool:  # noqa: N807 - becomes a method
    if other.__class__ is not self.__class__:
        return NotImplemented
    return bool(self.compared(self) == other.compared(other))


def __hash__(self: _Record) -> int:  # noqa: N807 - becomes a method
    return hash(self.compared(self))


def __repr__(self: _Record) -> str:  # noqa: N807 - becomes a method
    shown = (n for n, f in self.__dataclass_fields__.items() if f.repr)
    return f"{type(self).__qualname__}({', '.join(f'{n}={getattr(self, n)!r}' for n in shown)})"
