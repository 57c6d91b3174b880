"""What the classes of systems have in common: sample time, dead time, names, properties."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import real_number
from app.engine.declarations.class_methods import methods_of, operators_of
from app.engine.values import Cell, NativeObject, Value, text_of
from app.engine.values.containers import no_member

_SHARED = (
    "Ts",
    "Variable",
    "InputDelay",
    "Name",
    "InputName",
    "OutputName",
    "StateName",
    "TimeUnit",
    "UserData",
    "Notes",
)
_NAMES = {
    **{name.lower(): name for name in _SHARED},
    "num": "Numerator",
    "den": "Denominator",
    "z": "Z",
    "p": "P",
    "k": "K",
    "a": "A",
    "b": "B",
    "c": "C",
    "d": "D",
    "numerator": "Numerator",
    "denominator": "Denominator",
    "iodelay": "InputDelay",
    "outputdelay": "InputDelay",
}


def _full_name(name: str) -> str:
    """The name of a property, which may be given in any case, and short."""
    return _NAMES.get(name.lower(), name)


class Lti(NativeObject):
    """A linear time-invariant system.

    Attributes:
        ts: sample time; 0 for continuous time, -1 where it is not said.
        delay: dead time before every output.
        facts: names and notes.
    """

    rank: ClassVar[int] = 0
    title: ClassVar[str] = ""

    def __init__(self, ts: float = 0.0, delay: float = 0.0) -> None:
        self.ts, self.delay = ts, delay
        self.facts: dict[str, Value] = {}

    @property
    @abstractmethod
    def io(self) -> tuple[int, int]:
        """Numbers of outputs and inputs."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Outputs by inputs."""
        return self.io

    @property
    def variable(self) -> str:
        """The letter that powers are shown with."""
        return (
            text_of(self.facts["Variable"])
            if "Variable" in self.facts
            else ("z" if self.ts else "s")
        )

    @abstractmethod
    def parts(self) -> dict[str, Value]:
        """The properties with numbers."""

    @abstractmethod
    def with_part(self, name: str, value: Value) -> Self:
        """Another value of one property with numbers."""

    @abstractmethod
    def channel(self, rows: list[int], columns: list[int]) -> Self:
        """The system from some inputs to some outputs."""

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``sys.A``, ``sys.num{1}``, and functions in dot form."""
        found = self.property(_full_name(name))
        if found is None:
            return ctx.call(name, (self, *(args or ())), nargout)
        if args:
            from app.engine.interpreter.indexing.index_read import paren

            return paren(found, *args)
        return found

    def property(self, name: str) -> Value:
        """A property's value; None where there is none of that name."""
        if name == "Ts":
            return self.ts
        if name == "InputDelay":
            return self.delay
        if name == "Variable":
            return self.variable
        if name in _SHARED:
            return self.facts.get(name, Cell.of([""]) if name.endswith("Name") else "")
        return self.parts().get(name)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``sys.Ts = …``."""
        name = _full_name(name)
        if name in self.parts():
            return self.with_part(name, value)
        if name not in _SHARED:
            raise no_member(self.class_name, name)
        made = copy.copy(self)
        if name == "Ts":
            made.ts = real_number(value)
        elif name == "InputDelay":
            made.delay = real_number(value)
        else:
            made.facts = {**self.facts, name: value}
        return made

    def members(self) -> list[str]:
        """The properties."""
        return [*self.parts(), "Ts", "Variable", "InputDelay", "InputName", "OutputName", "Name"]

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``sys(i, j)``: from input j to output i."""
        from app.engine.interpreter.indexing.gather_elements import select

        numbers = np.arange(self.io[0] * self.io[1]).reshape(self.io, order="F")
        chosen = np.asarray(select(numbers, args))
        rows, columns = chosen % self.io[0], chosen // self.io[0]
        return self.channel(rows[:, 0].astype(int).tolist(), columns[0].astype(int).tolist())

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Sums, products, quotients and blocks of systems."""
        return operators_of("lti")(operator, args)

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions of numbers that have a meaning for systems."""
        return methods_of("lti")

    def equals(self, other: Value) -> bool:
        """The same kind with equal numbers."""
        from app.engine.builtins.arrays.predicates import equal

        return (
            type(self) is type(other)
            and self.ts == other.ts
            and all(equal(v, other.parts()[k]) for k, v in self.parts().items())
        )

    def show(self, name: str, style: Any) -> str:
        """The numbers and one line on time."""
        time = "Continuous-time" if not self.ts else "Discrete-time"
        sample = (
            ""
            if not self.ts
            else "Sample time: unspecified\n"
            if self.ts < 0
            else (f"Sample time: {self.ts:g} seconds\n")
        )
        return f"{self.body()} \n{sample}{time} {self.title}.\n"

    @abstractmethod
    def body(self) -> str:
        """The numbers as text."""
