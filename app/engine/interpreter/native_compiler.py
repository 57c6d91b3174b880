"""What the interpreter asks of the compiler of machine code, which stands above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.unit import Unit
    from app.engine.language import ast
    from app.engine.values import Value


class LoopSite(Protocol):
    """A loop of a compiled text: called as it begins, it gives its passes in chunks."""

    names: tuple[str, ...]

    def __call__(
        self,
        source: object,
        values: tuple[Value, ...],
        shared: Callable[[], object] | None = None,
    ) -> Iterable[object]:
        """The chunks of passes; `source` has the passes of a ``for`` loop, None for others.

        `values` are those that the variables begin with; `shared` gives the cells of variables
        that nested functions share.
        """
        ...


class NativeCompiler(Protocol):
    """Decides which loops and functions go on in machine code."""

    def loop_site(
        self,
        unit: Unit,
        node: ast.For | ast.While,
        names: tuple[str, ...],
        refusal: str,
        form: LoopForm,
    ) -> LoopSite:
        """A new loop; `refusal` says why it is never compiled, empty when it may be."""
        ...

    def function_entry(
        self, unit: Unit, node: ast.FunctionDef, made: Callable[..., Value]
    ) -> Callable[..., Value]:
        """What the name of a compiled function leads to: ``made`` itself, or a counter of calls."""
        ...
