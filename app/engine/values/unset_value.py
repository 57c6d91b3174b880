"""What stands for a value without numbers, of an earlier pass, while a loop is traced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.values.containers import Cell, NativeObject, Struct, Value
from app.errors import Unsupported


class UnsetValue(NativeObject):
    """What a variable without numbers held before a pass: it may be replaced, but not looked at."""

    if not TYPE_CHECKING:

        def __getattribute__(self, name: str) -> object:
            """What Python itself asks for; all else would be a look at the value."""
            if name.startswith("__"):
                return super().__getattribute__(name)
            raise Unsupported("what holds no numbers is read before a pass sets it")


def refuse_unset(values: tuple[Value, ...]) -> None:
    """Raises Unsupported where a function is given such a value: by its class it is looked at."""
    for value in values:
        if type(value) is UnsetValue:
            raise Unsupported("what holds no numbers is read before a pass sets it")
        if type(value) is Cell:
            refuse_unset(tuple(value.items()))
        elif type(value) is Struct:
            refuse_unset(tuple(value.fields.values()))
