"""The file of measured speeds."""

from __future__ import annotations

import pytest

from app.accel.planner import calibration
from app.accel.planner.cost import Speeds

SPEEDS = Speeds(launch_ms=0.1, bandwidth=1.0, arithmetic=2.0, doubles=3.0, matmul=4.0)


@pytest.mark.usefixtures("private_home")
@pytest.mark.parametrize("damage", [b"", b"{", b"[]", None])
def test_a_broken_file_is_measured_again(
    caplog: pytest.LogCaptureFixture, damage: bytes | None
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    calibration.save("card", SPEEDS)
    place = calibration.speeds_file()
    place.write_bytes(place.read_bytes()[:-3] if damage is None else damage)
    assert calibration.load("card") is None
    assert calibration.load("card") is None
    assert len(caplog.records) <= 1
    calibration.save("card", SPEEDS)
    assert calibration.load("card") == SPEEDS
