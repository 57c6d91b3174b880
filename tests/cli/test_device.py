from __future__ import annotations

import json

import pytest

from app import main, settings


def test_json_lists_adapters_and_all_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["device", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in found["settings"]} == {d.name for d in settings.declarations()}
    for adapter in found["adapters"]:
        assert {"name", "vendor", "backend", "type", "driver", "f64", "features"} <= set(adapter)


def test_text_names_variables_and_origins(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUSELAB_FAST_MATHS", "on")
    assert main.main(["device", "--device", "cpu"]) == 0
    text = capsys.readouterr().out
    line = next(line for line in text.splitlines() if "FUSELAB_FAST_MATHS" in line)
    assert "True" in line
    assert line.endswith("(environment)")


def test_unknown_device_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["eval", "1;", "--device", "no such adapter"]) == 2
    assert "no adapter for 'no such adapter'" in capsys.readouterr().err
