"""Compiled kernels: one object per request, one shader per variant that its dispatches need."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from app import memory
from app.accel.backends.wgpu.background_compile import BackgroundCompiler
from app.accel.codegen.generate import generate, variant_of
from app.accel.codegen.wgsl.program import Program, Variant
from app.accel.ir.plan import Template
from app.accel.support.background import LowPriorityWork
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.accel.backends.wgpu.device import Device
    from app.accel.codegen.wgsl.layout import Abilities
    from app.accel.codegen.wgsl.program import Binding
    from app.accel.codegen.wgsl.tuning import Tuning
    from app.accel.ir.plan import Dispatch, KernelRequest


_log = logging.getLogger("fuselab.gpu")
NAMES = {
    Template.MAP: "ew",
    Template.REDUCE: "reduce",
    Template.SCAN: "scan",
    Template.LOOP: "loop",
    Template.MATMUL: "matmul",
    Template.ALGORITHM: "algorithm",
}


MOST_ON_PROCESSOR, MOST_ON_CARD = 64, 1024
"""Shaders that are kept compiled; a software adapter needs some five megabytes for one."""
LATELY, BY_FAR = 2, 4
"""Of more, those stay that so many times as many submissions have needed lately, unless they are so
many times too many."""
MOST_KNOWN = 1024
"""Pipelines whose texts are kept when nothing of them is compiled any more."""


@dataclass(slots=True, eq=False)
class Shader:
    """A compiled text.

    Attributes:
        native: wgpu's pipeline; None once it has been given up.
        layout: of its bind groups.
        number: of that layout.
        used: when it was needed last, by the compiler's clock.
    """

    native: Any
    layout: Any
    number: int
    used: int


@dataclass(slots=True, eq=False)
class Compiled:
    """One shader stage, ready to launch until its shader is given up."""

    program: Program
    shader: Shader

    @property
    def live(self) -> bool:
        """Whether it can be launched."""
        return self.shader.native is not None


@dataclass(slots=True, eq=False, weakref_slot=True)
class WgpuPipeline:
    """A prepared request and its compiled variants.

    Attributes:
        key: the request's key.
        request: what it computes.
        source: text of the first variant.
        workgroup: its workgroup size.
        compile_ms: time spent compiling so far.
        stages: per variant, the shaders to run one after the other, given up or not.
        restored: whether all of them had been compiled ahead, as an earlier run used them.
        scripts: those that used it, the latest last.
        refused: variants that did not compile in the background.
    """

    key: str
    request: KernelRequest
    source: str = ""
    workgroup: tuple[int, ...] = ()
    compile_ms: float = 0.0
    stages: dict[Variant, tuple[Compiled, ...]] = field(default_factory=dict)
    restored: bool = True
    scripts: list[str] = field(default_factory=list)
    refused: set[Variant] = field(default_factory=set)

    def compiled(self, variant: Variant) -> tuple[Compiled, ...] | None:
        """The shaders of a variant; None where one is not compiled, or was given up."""
        stages = self.stages.get(variant)
        return stages if stages is not None and all(stage.live for stage in stages) else None

    @property
    def used(self) -> int:
        """When something of it was needed last."""
        return max(s.shader.used for stages in list(self.stages.values()) for s in stages)


@dataclass(slots=True)
class Compiler:
    """Compiles, and keeps what it compiled: of too many shaders those used last.

    Attributes:
        ahead: what is compiled in the background.
        script: the script that runs.
        most: how many shaders are kept.
        clock: moves on with everything that is handed in.
    """

    device: Device
    abilities: Abilities
    tuning: Tuning
    pipelines: dict[str, WgpuPipeline] = field(default_factory=dict)
    layouts: dict[tuple[Binding, ...], tuple[Any, Any, int]] = field(default_factory=dict)
    shaders: dict[tuple[str, str], Shader] = field(default_factory=dict)
    reject: bool = False
    script: str = ""
    ahead: BackgroundCompiler = field(default_factory=BackgroundCompiler)
    most: int = field(init=False)
    clock: int = 1
    _due: int = 0
    _layouts: Lock = field(default_factory=Lock)
    _writing: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self.most = MOST_ON_PROCESSOR if self.tuning.cpu else MOST_ON_CARD

    def use(self, stages: Iterable[Compiled]) -> None:
        """Keep these until what is handed in next."""
        for stage in stages:
            stage.shader.used = self.clock

    def give_up(self) -> None:
        """Let go of the shaders that nothing has needed for longest, where there are too many.

        To be called while nothing waits to be encoded. A program that uses more again and again
        keeps them. Who needs one that was given up compiles its text once more.
        """
        count = len(self.shaders)
        if count <= self.most or self.clock < self._due:
            return
        self._due = self.clock + self.most // 4
        lately = 0 if count > self.most * BY_FAR else self.most * LATELY
        by_use = sorted(self.shaders.items(), key=lambda entry: entry[1].used)
        for key, shader in by_use[: count - self.most * 3 // 4]:
            if shader.used < self.clock - lately:
                del self.shaders[key]
                shader.native = shader.layout = None
        self._forget_given_up()
        memory.give_back()  # a compiler leaves its heap large and nearly empty

    def _forget_given_up(self) -> None:
        """What was given up may be compiled again; of very many requests the oldest go as well."""
        gone: list[WgpuPipeline] = []
        for pipeline in list(self.pipelines.values()):
            stages = list(pipeline.stages)
            lost = [variant for variant in stages if pipeline.compiled(variant) is None]
            for variant in lost:
                self.ahead.forget((pipeline.key, variant))
            if lost and len(lost) == len(stages):
                gone.append(pipeline)
        gone.sort(key=lambda pipeline: pipeline.used)
        for pipeline in gone[: max(0, len(self.pipelines) - MOST_KNOWN)]:
            del self.pipelines[pipeline.key]

    def prepare(self, request: KernelRequest, like: Dispatch | None = None) -> WgpuPipeline:
        """The pipeline of a request, compiled for a dispatch like this, or for the usual ones."""
        pipeline = self.pipeline(request)
        variant = variant_of(request, like, self.tuning)
        self.stages(pipeline, variant, like.group if like else 0)
        return pipeline

    def pipeline(self, request: KernelRequest) -> WgpuPipeline:
        """The pipeline of a request, with what has been compiled of it."""
        return self.pipelines.setdefault(request.key, WgpuPipeline(request.key, request))

    def ready(self, request: KernelRequest, like: Dispatch) -> bool:
        """Whether a dispatch like this needs no compilation."""
        known = self.pipelines.get(request.key)
        if known is None:
            return False
        variant = variant_of(request, like, self.tuning)
        return known.compiled(variant) is not None or variant in known.refused

    def anticipate(self, request: KernelRequest, like: Dispatch) -> None:
        """Compile beside the script what a dispatch like this needs."""
        self.begin(self.pipeline(request), variant_of(request, like, self.tuning))

    def begin(
        self, pipeline: WgpuPipeline, variant: Variant, then: Callable[[], None] | None = None
    ) -> None:
        """Compile a variant beside the script; with `then`, it is restored and that is called."""

        def job() -> None:
            try:
                with LowPriorityWork():
                    self._compiled_variant(pipeline, variant, counted=then is None)
                if then is not None:
                    then()
            except Unsupported as problem:  # who needs it will be told
                _log.info("a kernel cannot be compiled ahead: %s", problem)
                pipeline.refused.add(variant)

        if pipeline.compiled(variant) is None:
            self.ahead.add((pipeline.key, variant), job)

    def stages_for(self, pipeline: WgpuPipeline, dispatch: Dispatch) -> tuple[Compiled, ...]:
        """The shaders for one dispatch."""
        variant = variant_of(pipeline.request, dispatch, self.tuning)
        return self.stages(pipeline, variant, dispatch.group)

    def stages(
        self, pipeline: WgpuPipeline, variant: Variant, group: int = 0
    ) -> tuple[Compiled, ...]:
        """The shaders of a variant; `group` is the report row that needs them."""
        known = pipeline.compiled(variant) or self._compiled_in_thread(pipeline, variant, group)
        self.use(known)
        if self.script not in pipeline.scripts:
            pipeline.scripts.append(self.script)
        return known

    def _compiled_in_thread(
        self, pipeline: WgpuPipeline, variant: Variant, group: int
    ) -> tuple[Compiled, ...]:
        """Compile a variant now, in a thread of its own, so that whoever waits can give up.

        What was given up is compiled to its end, and is there for the next one who needs it.
        """
        job = self.ahead.now((pipeline.key, variant), lambda: self._unless_made(pipeline, variant))
        self.device.patience.until(job.done, "compiling", group)
        job.result()
        return pipeline.compiled(variant) or self._compiled_variant(pipeline, variant)

    def _unless_made(self, pipeline: WgpuPipeline, variant: Variant) -> None:
        if pipeline.compiled(variant) is None:
            self._compiled_variant(pipeline, variant)

    def _compiled_variant(
        self, pipeline: WgpuPipeline, variant: Variant, *, counted: bool = True
    ) -> tuple[Compiled, ...]:
        """Compile a variant; unless somebody else has restored it, that counts."""
        started = time.perf_counter()
        with self._writing:  # one at a time: whoever runs beside us needs the interpreter
            programs = generate(pipeline.request, variant, self.abilities, self.tuning)
        fresh = any((p.source, p.entry) not in self.shaders for p in programs)
        stages = tuple(self._compile(program, pipeline) for program in programs)
        if not pipeline.source:
            pipeline.source = "\n".join(p.source for p in dict.fromkeys(programs))
            pipeline.workgroup = programs[0].workgroup
        if fresh and counted:
            pipeline.compile_ms += (time.perf_counter() - started) * 1000
            pipeline.restored = False
        pipeline.stages[variant] = stages
        return stages

    def _compile(self, program: Program, pipeline: WgpuPipeline) -> Compiled:
        label = f"{NAMES[pipeline.request.template]}_{pipeline.key[:8]}"
        return Compiled(program, self.shader(program, label))

    def shader(self, program: Program, label: str) -> Shader:
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
                label=label,
                layout=layout,
                compute={"module": module, "entry_point": program.entry},
            )
        except (wgpu.GPUError, wgpu.GPUPipelineError) as problem:
            raise Unsupported(f"the shader compiler refused {label}: {problem}") from problem
        made = self.shaders[program.source, program.entry] = Shader(
            native, group, number, self.clock
        )
        return made

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
            {
                "binding": 0,
                "visibility": visible,
                "buffer": {"type": "uniform", "has_dynamic_offset": True},
            },
        ]
        entries += [
            {
                "binding": place,
                "visibility": visible,
                "buffer": {"type": "storage" if b.writable else "read-only-storage"},
            }
            for place, b in enumerate(bindings, 1)
        ]
        group = self.device.native.create_bind_group_layout(entries=entries)
        layout = self.device.native.create_pipeline_layout(bind_group_layouts=[group])
        return group, layout, len(self.layouts)
