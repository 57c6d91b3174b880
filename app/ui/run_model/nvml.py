"""What NVIDIA's management library tells of a card, where that library is installed.

It is looked for when somebody looks at the Device panel, and never needed.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

NAMES = ("libnvidia-ml.so.1", "nvml.dll")
_NAME_BYTES = 96


@dataclass(frozen=True)
class Reading:
    """The state of a card now; what the card does not tell is None."""

    busy_percent: int
    used_bytes: int
    total_bytes: int
    celsius: int | None
    watts: float | None


class _Utilization(ctypes.Structure):
    _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))


class _Memory(ctypes.Structure):
    _fields_ = (
        ("total", ctypes.c_ulonglong),
        ("free", ctypes.c_ulonglong),
        ("used", ctypes.c_ulonglong),
    )


def find_library() -> Any:
    """The library, or None where there is none."""
    for name in NAMES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue  # not an NVIDIA machine, or another system's name
    return None


class Card:
    """One card of the library."""

    def __init__(self, library: Any, handle: Any) -> None:
        self._library = library
        self._handle = handle

    def read(self) -> Reading | None:
        """Its state; None when it does not answer."""
        use, memory = _Utilization(), _Memory()
        if self._status_of_call("nvmlDeviceGetUtilizationRates", ctypes.byref(use)):
            return None
        if self._status_of_call("nvmlDeviceGetMemoryInfo", ctypes.byref(memory)):
            return None
        heat, power = ctypes.c_uint(), ctypes.c_uint()
        cold = self._status_of_call("nvmlDeviceGetTemperature", ctypes.c_int(0), ctypes.byref(heat))
        mute = self._status_of_call("nvmlDeviceGetPowerUsage", ctypes.byref(power))
        return Reading(
            int(use.gpu),
            int(memory.used),
            int(memory.total),
            None if cold else int(heat.value),
            None if mute else power.value / 1000,
        )

    def _status_of_call(self, function: str, *arguments: Any) -> int:
        return int(getattr(self._library, function)(self._handle, *arguments))


def card_named(name: str, library: Any = None) -> Card | None:
    """The card that an adapter's name means; None without the library or such a card."""
    library = library or find_library()
    if library is None or library.nvmlInit_v2():
        return None
    count = ctypes.c_uint()
    library.nvmlDeviceGetCount_v2(ctypes.byref(count))
    for number in range(count.value):
        handle, text = ctypes.c_void_p(), ctypes.create_string_buffer(_NAME_BYTES)
        if library.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(handle)):
            continue
        library.nvmlDeviceGetName(handle, text, _NAME_BYTES)
        if text.value.decode("utf-8", "replace").casefold() in name.casefold():
            return Card(library, handle)
    return None
