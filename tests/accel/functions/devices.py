"""Evaluate one elementary function on the device, by a kernel with nothing else in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.pipelines import WgpuPipeline
from app.accel.codegen.wgsl.emit import Source, arrange
from app.accel.codegen.wgsl.layout import Abilities
from app.accel.codegen.wgsl.program import Binding, Program, Role, declarations
from app.accel.ir.dtypes import of_numpy
from app.accel.ir.ops import DEFINITIONS
from app.accel.ir.plan import Template


def text(name: str, width: int, abilities: Abilities) -> str:
    """A shader that maps one function over its arguments."""
    arity = DEFINITIONS[name].arity
    source = Source(abilities)
    source.elementary(name, width)
    words = arrange(1, 1, 0, ())
    bindings = (
        *(Binding(Role.INPUT, k) for k in range(arity)),
        *(Binding(Role.OUTPUT, k, writable=True) for k in range(2)),
    )
    types = dict.fromkeys(bindings, f"f{width}")
    arguments = ", ".join(f"in{k}[i]" for k in range(arity))
    pair = DEFINITIONS[name].returns == "p"
    store = "out0[i] = y.x; out1[i] = y.y;" if pair else "out0[i] = y; out1[i] = y;"
    main = (
        f"@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {{\n"
        f"set_zero(p[0].x); let i = g.x; if (i >= p[0].y) {{ return; }}\n"
        f"let y = {name}_f{width}({arguments}); {store} }}"
    )
    return "\n".join([declarations(bindings, types, words), source.preamble(), main])


def evaluate(provider: WgpuProvider, name: str, *args: np.ndarray) -> tuple[np.ndarray, ...]:
    """The function's value (or pair) on the device."""
    from app.accel.backends.wgpu.launches import run_of
    from app.accel.backends.wgpu.submission import Waiting, WgpuSubmission
    from app.accel.codegen.wgsl.launch import Launch
    from app.accel.ir.plan import Dispatch

    arrays = [np.ascontiguousarray(a).ravel() for a in np.broadcast_arrays(*args)]
    n, dtype = arrays[0].size, of_numpy(arrays[0].dtype)
    width = dtype.size * 8
    words = arrange(1, 1, 0, ())
    arity = len(arrays)
    bindings = (
        *(Binding(Role.INPUT, k) for k in range(arity)),
        *(Binding(Role.OUTPUT, k, writable=True) for k in range(2)),
    )
    compiler = provider._compiler
    program = Program(text(name, width, compiler.abilities), bindings, words, (64, 1, 1), 64)
    request: Any = type("Request", (), {"guarded": False, "key": name, "template": Template.MAP})
    stage = compiler._compile(program, WgpuPipeline(name, request))
    inputs = [provider.allocate(dtype, n) for _ in arrays]
    outputs = [provider.allocate(dtype, n) for _ in range(2)]
    for buffer, array in zip(inputs, arrays, strict=True):
        provider.upload(buffer, array)
    pipeline = type("P", (), {"request": request, "key": name})
    dispatch = Dispatch(pipeline, tuple(inputs), tuple(outputs), (n,), (), ())
    launch = Launch([0, n, *[0] * (words.total - 2)], (-(-n // 64), 1, 1))
    encoder = provider._encoder
    encoder.waiting.append(
        Waiting([run_of(stage, launch, dispatch)], WgpuSubmission(), dispatch, 0.0)
    )
    results = tuple(provider.download(b) for b in outputs)
    for buffer in (*inputs, *outputs):
        provider.free(buffer)
    return results
