"""What the interpolants have in common: properties that can be set, a method each way, ``F(…)``."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    class_of,
    is_text_scalar,
    text_of,
)
from app.engine.values.containers import no_member
from app.engine.values.display import disp as disp_text
from app.errors import MatlabError


class Interpolant(NativeObject):
    """Data that ``F(…)`` interpolates; assigning to a property makes another object.

    Attributes:
        fields: the properties by name, in the order they are shown.
    """

    inside: ClassVar[tuple[str, ...]] = ()
    outside: ClassVar[tuple[str, ...]] = ()

    def __init__(self, fields: dict[str, Value]) -> None:
        self.fields = fields

    @property
    def method(self) -> str:
        """How values between the samples are found."""
        return str(self.fields["Method"])

    @property
    def beyond(self) -> str:
        """How values beyond the samples are found."""
        return str(self.fields["ExtrapolationMethod"])

    @classmethod
    def complaint(cls, code: str, text: str) -> MatlabError:
        """An error of this class."""
        return MatlabError(f"MATLAB:{cls.class_name}:{code}", text)

    @classmethod
    def methods_of(cls, words: list[Value], default: str) -> tuple[str, str]:
        """The two methods that the words at the end of a constructor choose."""
        if len(words) > 2:
            raise cls.complaint("TooManyInputsErrId", "Too many methods are given.")
        method = cls.checked_method("Method", words[0]) if words else "linear"
        if len(words) == 2:
            return method, cls.checked_method("ExtrapolationMethod", words[1])
        return method, method if method in cls.outside else default

    @classmethod
    def checked(cls, name: str, value: Value) -> Value:
        """A property's value, if it is one that the property can have."""
        return cls.sampled(value) if name == "Values" else cls.checked_method(name, value)

    @classmethod
    def checked_method(cls, name: str, value: Value) -> str:
        """The method of interpolating or extrapolating that a value names, if there is one."""
        known, code = (
            (cls.inside, "BadInterpTypeErrId")
            if name == "Method"
            else (cls.outside, "BadExtrapTypeErrId")
        )
        word = text_of(value).lower() if is_text_scalar(value) else ""
        if word not in known:
            text = f"{name} must be one of: {', '.join(known)}."
            raise cls.complaint(code, text)
        return word

    @classmethod
    def sampled(cls, value: Value) -> Value:
        """Coordinates or values, if their class can be interpolated."""
        if class_of(value) not in ("double", "single"):
            text = f"Sample points and values must be single or double, not {class_of(value)}."
            raise cls.complaint("InvalidTypeErrId", text)
        return value

    @classmethod
    def points(cls, value: Value) -> Array:
        """Real coordinates as doubles."""
        found = as_array(cls.sampled(value))
        if found.dtype.kind == "c":
            raise cls.complaint("ComplexPointsErrId", "Sample and query points must be real.")
        return found.astype(np.float64)

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``F.Values`` and ``F.Values(k)``."""
        if name not in self.fields:
            raise no_member(self.class_name, name)
        if not args:
            return self.fields[name]
        from app.engine.interpreter.indexing.index_read import paren

        return paren(self.fields[name], *args)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> Self:
        """``F.Values = v``."""
        if name not in self.fields:
            raise no_member(self.class_name, name)
        made = copy.copy(self)
        made.fields = {**self.fields, name: self.checked(name, value)}
        return made

    def members(self) -> list[str]:
        """The properties."""
        return list(self.fields)

    def show(self, name: str, style: Any) -> str:
        """The properties, one line each."""
        from app.engine.values import Struct

        return f"  {self.class_name} with properties:\n\n{disp_text(Struct(self.fields), style)}"

    def equals(self, other: Value) -> bool:
        """The same class and equal properties."""
        from app.engine.builtins.arrays.predicates import equal

        return type(self) is type(other) and all(
            equal(v, other.fields[k]) for k, v in self.fields.items()
        )

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return self.fields
