"""Compiled kernels: one object per request, one shader per variant that its dispatches need."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from app.accel.kernels.generate import generate, variant_of
from app.accel.kernels.program import Program, Variant
from app.accel.plan import Template
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.accel.kernels.program import Binding
    from app.accel.kernels.storage import Abilities
    from app.accel.kernels.tuning import Tuning
    from app.accel.plan import Dispatch, KernelRequest
    from app.accel.providers.wgpu.device import Device


NAMES = {
    Template.MAP: "ew", Template.REDUCE: "reduce", Template.SCAN: "scan", Template.LOOP: "loop",
    Template.MATMUL: "matmul", Template.ALGORITHM: "algorithm",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Compiled:
    """One shader stage ready to launch."""

    program: Program
    native: Any
    layout: Any
    number: int


@dataclass(slots=True, eq=False)
class WgpuPipeline:
    """A prepared request and its compiled variants.

    Attributes:
        key: the request's key.
        request: what it computes.
        source: text of the first variant.
        workgroup: its workgroup size.
        compile_ms: time spent compiling so far.
        stages: per variant, the shaders to run one after the other.
        restored: whether all of them had been compiled ahead.
        script: the last script that used it.
    """

    key: str
    request: KernelRequest
    source: str = ""
    workgroup: tuple[int, ...] = ()
    compile_ms: float = 0.0
    stages: dict[Variant, tuple[Compiled, ...]] = field(default_factory=dict)
    restored: bool = False
    script: str = ""


@dataclass(slots=True)
class Compiler:
    """Compiles, and keeps what it compiled.

    Attributes:
        compiled: shaders compiled because somebody needed them.
        coming: called with the text of a shader before it is compiled: whoever compiles ahead
            makes us wait when it is about to be there.
        script: the script that runs.
        scripts: those that used each shader, the latest last.
    """

    device: Device
    abilities: Abilities
    tuning: Tuning
    pipelines: dict[str, WgpuPipeline] = field(default_factory=dict)
    layouts: dict[tuple[Binding, ...], tuple[Any, Any, int]] = field(default_factory=dict)
    shaders: dict[tuple[str, str], Compiled] = field(default_factory=dict)
    used: dict[tuple[str, str], tuple[str, Compiled]] = field(default_factory=dict)
    reject: bool = False
    compiled: int = 0
    coming: Callable[[tuple[str, str]], None] | None = None
    script: str = ""
    scripts: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _layouts: Lock = field(default_factory=Lock)

    def prepare(self, request: KernelRequest) -> WgpuPipeline:
        """The pipeline of a request, compiled for the usual variant."""
        known = self.pipelines.get(request.key)
        if known is not None:
            return known
        pipeline = WgpuPipeline(request.key, request)
        self.stages(pipeline, variant_of(request, None, self.tuning))
        self.pipelines[request.key] = pipeline
        return pipeline

    def stages_for(self, pipeline: WgpuPipeline, dispatch: Dispatch) -> tuple[Compiled, ...]:
        """The shaders for one dispatch."""
        return self.stages(pipeline, variant_of(pipeline.request, dispatch, self.tuning))

    def stages(self, pipeline: WgpuPipeline, variant: Variant) -> tuple[Compiled, ...]:
        """The shaders of a variant."""
        known = pipeline.stages.get(variant)
        if known is not None:
            if pipeline.script != self.script:
                self._note(pipeline)
            return known
        started, before = time.perf_counter(), self.compiled
        programs = generate(pipeline.request, variant, self.abilities, self.tuning)
        stages = tuple(self._compile(program, pipeline) for program in programs)
        if self.compiled > before:
            pipeline.compile_ms += (time.perf_counter() - started) * 1000
        pipeline.restored = not pipeline.compile_ms
        pipeline.stages[variant] = stages
        self._note(pipeline)
        if not pipeline.source:
            pipeline.source = "\n".join(p.source for p in dict.fromkeys(programs))
            pipeline.workgroup = programs[0].workgroup
        return stages

    def _note(self, pipeline: WgpuPipeline) -> None:
        """The script that runs uses these shaders."""
        pipeline.script = self.script
        for compiled in (stage for stages in pipeline.stages.values() for stage in stages):
            key = compiled.program.source, compiled.program.entry
            users = self.scripts.setdefault(key, [])
            if self.script not in users:
                users.append(self.script)

    def _compile(self, program: Program, pipeline: WgpuPipeline) -> Compiled:
        label = f"{NAMES[pipeline.request.template]}_{pipeline.key[:8]}"
        key = program.source, program.entry
        if key not in self.shaders and self.coming is not None:
            self.coming(key)
        self.compiled += key not in self.shaders
        compiled = replace(self.shader(program, label), program=program)
        self.used[key] = (label, compiled)
        return compiled

    def shader(self, program: Program, label: str) -> Compiled:
        """A compiled text, from the cache if it is there. Raises Unsupported."""
        import wgpu

        known = self.shaders.get((program.source, program.entry))
        if known is not None:
            return known
        group, layout, number = self.layout(program.bindings)
        try:
            if self.reject:
                raise wgpu.GPUValidationError("rejected by a test")
            module = self.device.native.create_shader_module(label=label, code=program.source)
            native = self.device.native.create_compute_pipeline(
                label=label, layout=layout,
                compute={"module": module, "entry_point": program.entry},
            )  # fmt: skip
        except (wgpu.GPUError, wgpu.GPUPipelineError) as problem:
            raise Unsupported(f"the shader compiler refused {label}: {problem}") from problem
        compiled = Compiled(program, native, group, number)
        self.shaders[program.source, program.entry] = compiled
        return compiled

    def layout(self, bindings: tuple[Binding, ...]) -> tuple[Any, Any, int]:
        """Bind group layout, pipeline layout and number for a list of bindings."""
        with self._layouts:
            known = self.layouts.get(bindings)
            if known is None:
                known = self.layouts[bindings] = self._new_layout(bindings)
        return known

    def _new_layout(self, bindings: tuple[Binding, ...]) -> tuple[Any, Any, int]:
        import wgpu

        limit = self.device.info.max_storage_bindings
        if len(bindings) > limit:
            raise Unsupported(f"{len(bindings)} buffers are more than the adapter binds ({limit})")
        visible = wgpu.ShaderStage.COMPUTE
        entries: list[dict[str, Any]] = [
            {"binding": 0, "visibility": visible,
             "buffer": {"type": "uniform", "has_dynamic_offset": True}},
        ]  # fmt: skip
        entries += [
            {"binding": place, "visibility": visible,
             "buffer": {"type": "storage" if b.writable else "read-only-storage"}}
            for place, b in enumerate(bindings, 1)
        ]  # fmt: skip
        group = self.device.native.create_bind_group_layout(entries=entries)
        layout = self.device.native.create_pipeline_layout(bind_group_layouts=[group])
        return group, layout, len(self.layouts)
