"""Counts the calls of functions that call themselves, and has the hot ones compiled.

Where such a function is called by its name its calls are counted first. When they are many the
name leads to an entry (see `hot`) that runs machine code for the classes of its arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.analysis import names_of_function
from app.engine.interpreter.unit import link_name
from app.engine.jit.background_build import digest_of, was_hot
from app.engine.jit.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.unit import Unit
    from app.engine.language import ast

CALLS = 300
"""Counted before a function is compiled."""


def entry_of(unit: Unit, node: ast.FunctionDef, made: Callable[..., Any]) -> Callable[..., Any]:
    """What the function's name leads to: ``made`` itself, or a counter of its calls."""
    enabled = getattr(unit.interpreter.settings, "compile_loops", True)
    if not enabled or unit.class_name or node.name not in names_of_function(node).used:
        return made
    return _Counter(unit, node, made)


class _Counter:
    """Counts calls until the function is hot."""

    __slots__ = ("__name__", "digest", "left", "made", "node", "unit")

    def __init__(self, unit: Unit, node: ast.FunctionDef, made: Callable[..., Any]) -> None:
        self.unit = unit
        self.node = node
        self.made = made
        self.__name__ = node.name
        self.digest = digest_of(unit.source.text[node.span.start : node.span.end])
        self.left = 1 if Policy.eager or was_hot(self.digest) else CALLS

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        """Call the function."""
        self.left -= 1
        if self.left == 0:
            return self._begin()(*args, nargout=nargout)
        return self.made(*args, nargout=nargout)

    def _begin(self) -> Callable[..., Any]:
        """The function is hot: its name leads to the entry from now on."""
        from app.engine.jit.hot import HotFunction

        entry = HotFunction(self.unit, self.node, self.made, self.digest)
        key = link_name(self.node.name)
        if self.unit.namespace.get(key) is self:
            self.unit.namespace[key] = entry
        return entry
