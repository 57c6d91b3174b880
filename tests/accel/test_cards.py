"""Which adapters are graphics cards."""

from __future__ import annotations

import pytest

from app.accel.backends.base import DeviceInfo
from app.accel.backends.wgpu.device import cards_among


def adapter(kind: str, backend: str = "Vulkan", name: str = "H200") -> DeviceInfo:
    return DeviceInfo(
        name=name,
        vendor="v",
        backend=backend,
        type=kind,
        driver="",
        f64=True,
        int64=True,
        max_buffer_bytes=1,
        max_binding_bytes=1,
        features=(),
        provider="wgpu",
        max_storage_bindings=8,
        workgroup_bytes=1,
    )


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([], []),
        ([adapter("cpu")], [0]),
        ([adapter("cpu"), adapter("cpu")], [0]),
        ([adapter("discrete"), adapter("cpu")], [0]),
        ([adapter("discrete"), adapter("discrete"), adapter("cpu")], [0, 1]),
        ([adapter("discrete"), adapter("integrated", name="UHD")], [0, 1]),
        ([adapter("discrete"), adapter("discrete", "D3D12")], [0]),
    ],
)
def test_cards_are_counted_once(found: list[DeviceInfo], expected: list[int]) -> None:
    assert cards_among(found) == expected
