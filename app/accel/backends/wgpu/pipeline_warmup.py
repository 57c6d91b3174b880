"""Kernels of earlier runs of a script, compiled again in the background while it begins.

The store is a file per adapter and driver with the requests last used, their variants and the
scripts that used them. Compiling them early also fills the driver's own cache.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.accel.support import disk_cache
from app.digests import text_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.accel.backends.wgpu.pipelines import Compiler, WgpuPipeline
    from app.accel.codegen.wgsl.program import Variant
    from app.accel.ir.plan import KernelRequest

    Kept = tuple[KernelRequest, tuple[Variant, ...], tuple[str, ...]]
    """A kernel, its variants, and the scripts that used it."""

MOST = 300
SCRIPTS = 8
"""Scripts remembered for a kernel."""


@dataclass(slots=True)
class PipelineWarmup:
    """Reads the store at the start and writes it at the end.

    Attributes:
        path: the store's file.
        compiler: what compiles, and what has been compiled.
        restored: variants compiled ahead of their first use.
    """

    path: Path
    compiler: Compiler
    restored: int = 0
    _kept: dict[str, Kept] | None = None
    _begun: set[str] = field(default_factory=set)

    def expect(self, script: str) -> None:
        """A script begins: compile what it used the last time, unless this process ran it."""
        self.compiler.script = script
        if script in self._begun:
            return
        self._begun.add(script)
        if self._kept is None:
            self._kept = disk_cache.read(self.path) or {}
        for request, variants, scripts in self._kept.values():
            if script in scripts:
                pipeline = self.compiler.pipeline(request)
                for variant in dict.fromkeys(variants):
                    self.compiler.begin(pipeline, variant, then=self._count)

    def _count(self) -> None:
        self.restored += 1

    def wait(self) -> None:
        """Wait until everything expected is compiled."""
        self.compiler.ahead.wait()

    def write(self) -> None:
        """Write down what was used, in that order, before what earlier runs used."""
        earlier: dict[str, Kept] = disk_cache.read(self.path) or {}
        used = [p for p in self.compiler.pipelines.values() if p.scripts and p.stages]
        if not used:
            return
        kept = {p.key: _record_of(p, earlier.pop(p.key, None)) for p in used[-MOST:]}
        disk_cache.write(self.path, dict(list((kept | earlier).items())[:MOST]))


def _record_of(pipeline: WgpuPipeline, earlier: Kept | None) -> Kept:
    def scripts() -> Iterator[str]:
        yield from reversed(pipeline.scripts)
        yield from earlier[2] if earlier else ()

    variants = tuple(pipeline.stages)
    return pipeline.request, variants, tuple(dict.fromkeys(scripts()))[:SCRIPTS]


def store_file(folder: Path, fingerprint: str) -> Path:
    """The store of one adapter."""
    return folder / f"{text_digest(fingerprint)}.kernels"
