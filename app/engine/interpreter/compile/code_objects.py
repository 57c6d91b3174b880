"""From the Python syntax of a function to its code object."""

from __future__ import annotations

import ast as py
from types import CodeType

from app.engine.interpreter.compile.block_lifting import lift
from app.engine.interpreter.unit import Unit


def code_of(unit: Unit, made: py.FunctionDef) -> CodeType:
    """The code object of one Python ``def``."""
    lift(made)
    module = py.Module([made], [])
    whole = compile(module, unit.source.name, "exec")
    return next(c for c in whole.co_consts if isinstance(c, CodeType))
