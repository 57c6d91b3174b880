"""The parallel side of a session until a parfor is long enough to ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.loops.parfor_place import SHORT, fixed_stay
from app.errors import InternalError

if TYPE_CHECKING:
    from app.engine.interpreter.compile.spmd import SpmdBlock
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.loops.parfor_place import Stay
    from app.engine.interpreter.loops.parfor_run import Run
    from app.engine.values import Value

LONG_S = 0.02


class OnDemand:
    """Stands for the pool of a session that has none and has not thought of one."""

    @property
    def always(self) -> bool:
        """Never: there is no pool."""
        return False

    def stay(self, run: Run) -> Stay | None:
        """Short loops stay here; for others the real answer."""
        fixed = fixed_stay(run.interpreter, run.most)
        if fixed is not None:
            return fixed
        if run.left_s < LONG_S:
            return SHORT
        from app.engine.parallel.parallel import parallel_of

        parallel_of(run.interpreter.context)
        elsewhere = run.interpreter.elsewhere
        return SHORT if elsewhere is None or elsewhere is self else elsewhere.stay(run)

    def finish(self, run: Run, slices: tuple[Value, ...]) -> tuple[Value, ...]:
        """Hand the loop on to who said that it pays."""
        elsewhere = run.interpreter.elsewhere
        if elsewhere is None or elsewhere is self:
            raise InternalError("parallel", "nobody takes the loop over")
        return elsewhere.finish(run, slices)

    def spmd(
        self,
        interpreter: Interpreter,
        block: SpmdBlock,
        most: Value,
        values: dict[str, Value],
    ) -> tuple[Value, ...]:
        """Hand the block on to the pool of the session, which is thought of now."""
        from app.engine.parallel.parallel import parallel_of
        from app.engine.parallel.spmd_pool import run_spmd

        return run_spmd(parallel_of(interpreter.context), block, most, values)
