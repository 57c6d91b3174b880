"""The compiler of machine code as the interpreter asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.site import Site
    from app.engine.language import ast
    from app.engine.values import Value


class NativeLoops:
    """Loops over single numbers and functions that call themselves; see `NativeCompiler`.

    What it needs is imported when the first loop or function is compiled: scripts without one
    start sooner.
    """

    def loop_site(
        self,
        unit: Unit,
        node: ast.For | ast.While,
        names: tuple[str, ...],
        refusal: str,
        form: LoopForm,
    ) -> Site:
        """A loop that may go on as kernels or in machine code."""
        from app.engine.jit.site import Site

        return Site(unit, node, names, refusal, form)

    def function_entry(
        self, unit: Unit, node: ast.FunctionDef, made: Callable[..., Value]
    ) -> Callable[..., Value]:
        """``made`` itself, or a counter of its calls."""
        from app.engine.jit.counting import entry_of

        return entry_of(unit, node, made)


NATIVE = NativeLoops()
"""It has no state of its own: one for all sessions."""
