from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "bootstrap.py"


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bootstrap", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Commands:
    """Takes the place of subprocess.run and remembers what was asked."""

    def __init__(self, returncode: int = 0) -> None:
        self.asked: list[list[str]] = []
        self.returncode = returncode

    def run(self, command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.asked.append([str(c) for c in command])
        return subprocess.CompletedProcess(command, self.returncode, "", "")


def test_missing_libraries_are_named_by_package(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = " ".join(name for name in bootstrap.LIBRARIES if name != "libxcb-cursor.so.0")
    monkeypatch.setattr(bootstrap, "known_libraries", lambda: known)
    monkeypatch.setattr(bootstrap, "has_venv", lambda: False)
    monkeypatch.setattr(bootstrap, "FILES", {"no/such/*.file": "fonts-dejavu-core"})
    found = bootstrap.missing_packages()
    assert found == ["libxcb-cursor0", "fonts-dejavu-core", "python3-venv"]


def test_without_privilege_the_command_is_printed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "privilege", lambda: None)
    assert bootstrap.install_system(["libegl1", "libgl1"]) is False
    assert "sudo apt-get install -y libegl1 libgl1" in capsys.readouterr().err


def test_with_privilege_apt_installs(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = Commands()
    monkeypatch.setattr(bootstrap, "privilege", lambda: ["sudo", "-n"])
    monkeypatch.setattr(bootstrap.shutil, "which", lambda _: "/usr/bin/apt-get")
    monkeypatch.setattr(bootstrap.subprocess, "run", commands.run)
    assert bootstrap.install_system(["libegl1"]) is True
    update, install = commands.asked
    assert update[-1] == "update"
    assert install[-3:] == ["-y", "--no-install-recommends", "libegl1"]


def test_second_call_touches_nothing(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bootstrap, "missing_packages", list)
    bootstrap.ensure_system(tmp_path / "system.stamp")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.touch()
    commands = Commands()
    monkeypatch.setattr(bootstrap.subprocess, "run", commands.run)
    bootstrap.ensure_packages(tmp_path, tmp_path / "packages.stamp")
    assert any("pip" in command for command in commands.asked)
    commands.asked.clear()
    monkeypatch.setattr(bootstrap, "missing_packages", lambda: pytest.fail("asked again"))
    bootstrap.ensure_system(tmp_path / "system.stamp")
    bootstrap.ensure_packages(tmp_path, tmp_path / "packages.stamp")
    assert commands.asked == []


def test_failed_installation_leaves_no_stamp(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    monkeypatch.setattr(bootstrap.subprocess, "run", Commands(returncode=1).run)
    with pytest.raises(SystemExit, match="could not be installed"):
        bootstrap.ensure_packages(tmp_path, tmp_path / "packages.stamp")
    assert not (tmp_path / "packages.stamp").exists()
