"""Objects of ``classdef`` classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.engine.values import Value
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interp.interpreter import Interpreter
    from app.engine.interp.loader import LoadedFile
    from app.engine.interp.unit import Unit


class Objects:
    """Classes known to an interpreter and what can be done with their objects."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.classes: dict[str, Any] = {}
        self.method_names: set[str] = set()

    def define(self, loaded: LoadedFile) -> Callable[..., Value]:
        raise MatlabError("Fuselab:classes", "classes are not there yet")

    def display(self, name: str, value: Value) -> bool:
        return False

    def paren(self, x: Any, args: tuple[Value, ...], nargout: int) -> Value:
        raise NotImplementedError

    brace = paren

    def member(self, x: Any, name: str, args: tuple[Value, ...] | None, nargout: int) -> Value:
        raise NotImplementedError

    def static_member(self, name: str, unit: Unit | None) -> Callable[..., Value] | None:
        return None
