"""Functions that are one operation of the graph and nothing else, made from the records of these.

The records stand beside the operations' definitions in `app.accel.ir.operations`; what is
different on the host, or takes more arguments, has a declaration of its own in another module.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from app.accel.ir.operations.spec import OPS, Complex, OpSpec
from app.engine.declarations.builtin_index import operations
from app.engine.declarations.device_support import Elementwise
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import float_operands
from app.engine.operators.elementwise import declare_map, float_array
from app.engine.operators.expansion import align
from app.engine.values import Array, Value, canonical


def host_meaning(spec: OpSpec) -> Callable[..., Any]:
    """The operation of float arrays of one class: complex where real ones leave its domain."""
    assert spec.host is not None
    host, complex_host = spec.host, spec.complex_host or spec.host

    domain = spec.domain

    def mapped(*arrays: Array) -> Any:
        for a in arrays:
            if a.dtype.kind == "c":
                if spec.complex is Complex.NONE:
                    raise spec.complex_refusal()
                return complex_host(*arrays)
        if domain is not None and domain.is_left(arrays):
            return spec.complex_answers(arrays)
        return host(*arrays)

    return mapped


def _declare_pair(spec: OpSpec) -> None:
    function, mapped = spec.function, host_meaning(spec)
    assert function is not None

    def call(a: Value, b: Value) -> Value:
        if function.scalar is not None and type(a) is float and type(b) is float:
            return function.scalar(a, b)
        x, y = align(float_array(spec.name, a), float_array(spec.name, b))
        return canonical(np.asarray(mapped(*float_operands(x, y))))

    builtin(
        function.name,
        category=function.family,
        signatures=(function.signature or f"C = {function.name}(A, B)",),
        device=Elementwise(spec.name),
        cases=function.examples,
        see=function.see,
        text=function.summary,
    )(call)


def declare(name: str) -> None:
    """Declare the function of this name; only the module with its record is imported."""
    import_module(operations()[name])
    (spec,) = (s for s in OPS.values() if s.function is not None and s.function.name == name)
    if spec.arity == 2:
        _declare_pair(spec)
        return
    function = spec.function
    assert function is not None
    declare_map(
        name,
        host_meaning(spec),
        function.summary,
        category=function.family,
        scalar=function.scalar,
        device=Elementwise(spec.name),
        cases=function.examples,
        see=function.see,
    )
