"""A device on which the n-th call fails, as the graphics library makes it fail.

`Faults` counts the library's calls of one kind and lets one of them, or all from one on, fail: no
memory for a buffer, a buffer that is not mapped, work that is not taken, a shader that is not
compiled, or a device that is gone from then on. Nothing of the program knows of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import wgpu

from app.accel.backends.wgpu import provider as wgpu_provider
from app.accel.backends.wgpu.commands import Commands
from app.accel.backends.wgpu.device import Device, open_device
from app.accel.backends.wgpu.native_calls import Mapping

CALLS = ("allocation", "mapping", "submission", "compilation")
KINDS = (*CALLS, "loss")
FULL = "Not enough memory left"
REFUSED = "a shader that no driver likes"


class Faults:
    """Which call fails.

    Attributes:
        kind: one of `KINDS`; a loss counts the calls of all other kinds.
        at: the number of the call that fails, from 1; 0 for none.
        lasting: whether all later calls of the kind fail, too.
        met: calls of the kind since `arm`.
        happened: how many of them failed.
        providers: the devices opened so far.
    """

    def __init__(self) -> None:
        self.providers: list[wgpu_provider.WgpuProvider] = []
        self.arm("loss", 0)

    def arm(self, kind: str, at: int, *, lasting: bool = False) -> None:
        """Count anew, and let a call fail."""
        self.kind, self.at, self.lasting, self.met, self.happened = kind, at, lasting, 0, 0

    def fails(self, call: str, device: wgpu.GPUDevice) -> bool:
        """Whether this call is to fail by itself; the device may be gone after it."""
        if self.kind not in {call, "loss"}:
            return False
        self.met += 1
        if not self.at or not (self.met == self.at or (self.lasting and self.met > self.at)):
            return False
        self.happened += 1
        if self.kind == "loss":
            device.destroy()
            return False
        return True

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Within it the calls of devices are counted."""
        send, begin, make = Commands.send, Mapping.__init__, wgpu_provider.WgpuProvider.__init__

        def opened(name: str = "auto") -> Device:
            device = open_device(name)
            return replace(device, native=_Native(device.native, self))

        def sent(commands: Commands, queue: Any, *rest: Any) -> None:
            if self.fails("submission", queue._device):
                raise wgpu.GPUOutOfMemoryError(FULL)
            send(commands, queue, *rest)

        def mapped(mapping: Mapping, buffer: Any, *rest: Any) -> None:
            failed = self.fails("mapping", buffer._device)
            begin(mapping, buffer, *rest)
            if failed:
                mapping.message = "a buffer could not be mapped: Parent device is lost"

        def made(provider: wgpu_provider.WgpuProvider, *given: Any) -> None:
            make(provider, *given)
            self.providers.append(provider)

        with (
            mock.patch.object(wgpu_provider, "open_device", opened),
            mock.patch.object(Commands, "send", sent),
            mock.patch.object(Mapping, "__init__", mapped),
            mock.patch.object(wgpu_provider.WgpuProvider, "__init__", made),
        ):
            yield


class _Native:
    """A device of the library whose calls may fail."""

    def __init__(self, native: wgpu.GPUDevice, faults: Faults) -> None:
        self._native, self._faults = native, faults

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)

    def create_buffer(self, **given: Any) -> Any:
        """A buffer, or no memory."""
        if self._faults.fails("allocation", self._native):
            raise wgpu.GPUOutOfMemoryError(FULL)
        return self._native.create_buffer(**given)

    def create_bind_group(self, **given: Any) -> Any:
        """A group of buffers, or no memory."""
        if self._faults.fails("allocation", self._native):
            raise wgpu.GPUOutOfMemoryError(FULL)
        return self._native.create_bind_group(**given)

    def create_compute_pipeline(self, **given: Any) -> Any:
        """A pipeline, or a refusal."""
        if self._faults.fails("compilation", self._native):
            raise wgpu.GPUValidationError(REFUSED)
        return self._native.create_compute_pipeline(**given)
