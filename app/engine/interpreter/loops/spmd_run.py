"""A run of an ``spmd`` block: on the workers of a pool, or here where there can be none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.compile.spmd_bodies import run_block
from app.engine.values import Value
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.engine.interpreter.compile.spmd import SpmdBlock
    from app.engine.interpreter.interpreter import Interpreter


def run(
    interpreter: Interpreter, block: SpmdBlock, most: Value, *values: Value
) -> tuple[Value, ...]:
    """Run a block: the values of the variables that it sets, None for one that it has not set."""
    if Limits.pure:
        raise Unsupported("an spmd block runs in it")
    pairs = zip(block.names, values, strict=True)
    given = {name: value for name, value in pairs if value is not None}
    elsewhere = interpreter.elsewhere
    if elsewhere is None or interpreter.parfor_depth:
        return run_block(block, given)
    return elsewhere.spmd(interpreter, block, most, given)
