"""The host's pipelines: plans made anew find the machine code of their kernels again."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.records import mutable_record

if TYPE_CHECKING:
    from app.accel.backends.host.host_provider import HostPipeline, HostProvider
    from app.accel.ir.plan import KernelRequest

MOST = 1024
"""Kernels that the host is prepared for."""


@mutable_record
class HostPipelines:
    """What the host has been prepared for, by the keys of the kernels."""

    host: HostProvider
    known: dict[str, HostPipeline] = field(default_factory=dict)

    def of(self, kernel: KernelRequest) -> HostPipeline:
        """The pipeline of a kernel."""
        found = self.known.get(kernel.key)
        if found is None:
            if len(self.known) >= MOST:
                self.known.clear()
            found = self.known[kernel.key] = self.host.prepare(kernel)
        return found

    def compiled(self, kernel: KernelRequest) -> bool:
        """Whether the host has machine code for a kernel."""
        found = self.known.get(kernel.key)
        return found is not None and found.prospect is not None and bool(found.prospect.ready)
