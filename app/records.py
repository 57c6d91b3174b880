"""Records: immutable dataclasses of which there are many, made in a third of the time.

``dataclass(frozen=True)`` writes and compiles six methods for every class; that was the third of a
start. Here the methods that are alike for all classes exist once. What is assigned to a field after
the construction is found by the type checker, not at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field
from operator import attrgetter
from typing import Protocol, TypeVar, cast, dataclass_transform

_T = TypeVar("_T")


class _Record(Protocol):
    """What `record` makes of a class."""

    __dataclass_fields__: dict[str, Field[object]]
    compared: Callable[[object], object]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_T]) -> type[_T]:
    """Class decorator: a dataclass with slots, compared, hashed and shown by its fields."""
    made = dataclass(repr=False, eq=False, slots=True)(cls)
    held = cast("_Record", made)
    names = [n for n, f in held.__dataclass_fields__.items() if f.compare]
    held.compared = attrgetter(*names) if names else _Nothing()
    for method in (__repr__, __eq__, __hash__):
        setattr(made, method.__name__, method)
    return made


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
