"""The file of measured speeds."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.accel.planner import calibration


@pytest.mark.parametrize("text", ['{"a": 1', "[]", "null"])
def test_a_broken_file_is_set_aside_and_reported_once(
    private_home: Path, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    calibration.speeds_file().write_text(text, encoding="utf-8")
    assert calibration.load("card") is None
    assert calibration.load("card") is None
    assert len(caplog.records) == 1
    assert "kept as calibration.json.broken-1" in caplog.text
    kept = private_home / "cache" / "calibration.json.broken-1"
    assert kept.read_text(encoding="utf-8") == text
