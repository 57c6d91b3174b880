"""Device buffers that figures hold on to.

A pin keeps the array's buffer on the device until the last holder (the model, or an event on its
way to the window) is gone. Recorded events hold a dead pin: there is no buffer behind it.
"""

from __future__ import annotations

from typing import Any


class PinnedBuffer:
    """A device buffer that stays as long as this object does.

    Attributes:
        native: the provider's buffer for renderers; None in a recorded event.
        runtime: fetches single elements, for data tips.
        provider: who owns it (``native_device``, ``lock`` and ``read_back`` are for renderers).
        node: the array's node.
    """

    __slots__ = ("__weakref__", "_hold", "native", "node", "provider", "runtime")

    def __init__(self, native: Any, runtime: Any, node: Any, hold: Any) -> None:
        self.native = native
        self.runtime = runtime
        self.provider = None if runtime is None else runtime.executor.device
        self.node = node
        self._hold = hold

    def __reduce__(self) -> tuple[Any, ...]:
        """A recorded event carries no buffer."""
        return PinnedBuffer, (None, None, None, None)


class DrawingDevice:
    """Where figures are drawn, for renderers that want to be ready before the first one.

    Attributes:
        provider: who owns the device; None in a recorded event and without a device.
    """

    __slots__ = ("provider",)

    def __init__(self, provider: Any) -> None:
        self.provider = provider if hasattr(provider, "native_device") else None

    def __reduce__(self) -> tuple[Any, ...]:
        """A recorded event carries no device."""
        return DrawingDevice, (None,)


def pin(runtime: Any, node: Any, *, bring: bool = False) -> PinnedBuffer | None:
    """Compute an array and pin its device buffer; None when its data is on the host.

    Data that ended up on the host is brought to the device only with ``bring``.
    """
    runtime.evaluate([node], "plot")
    if not bring and runtime.state(node) not in ("device", "both"):
        return None
    hold = runtime.export_buffer(node)
    native = hold.__enter__()
    if native is None:
        return None
    return PinnedBuffer(native, runtime, node, hold)
