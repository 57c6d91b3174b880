"""The menu entry, the icon and the file type."""

from __future__ import annotations

import configparser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from app import main as front_door


def test_everything_a_desktop_needs_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "my share"))
    assert front_door.main(["install-desktop"]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [p.name for p in written] == ["fuselab.desktop", "fuselab.xml", "fuselab.svg"]
    entry = configparser.RawConfigParser()
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(written[0])
    section = entry["Desktop Entry"]
    assert section["MimeType"] == "text/x-matlab;"
    assert section["Exec"].endswith(" %F")
    kinds = ET.parse(written[1]).getroot()
    assert kinds[0].attrib["type"] == section["MimeType"].rstrip(";")
    assert written[2].read_text().lstrip().startswith("<svg")
