"""Objects that are a list of properties and a list of functions."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import NativeObject, Struct, Value
from app.engine.values.containers import no_member


class PropertyObject(NativeObject):
    """A class says what its ``properties`` and ``methods`` are; reading and showing follow."""

    @abstractmethod
    def properties(self) -> dict[str, Value]:
        """All properties by name."""

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """A property or a part of it, or a function in dot form."""
        method = self.methods().get(name)
        if method is not None:
            return method(ctx, (self, *(args or ())), nargout)
        known = self.properties()
        if name not in known:
            raise no_member(self.class_name, name)
        return paren(known[name], *args) if args else known[name]

    def members(self) -> list[str]:
        """The properties."""
        return list(self.properties())

    def show(self, name: str, style: Any) -> str:
        """The properties, one line each."""
        from app.engine.values.display import disp

        short = self.class_name.rpartition(".")[2]
        return f"  {short} with properties:\n\n{disp(Struct(self.properties()), style)}"
