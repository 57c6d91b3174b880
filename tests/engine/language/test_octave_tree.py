"""Every ``.m`` file of an installed Octave parses, and its printed tree parses to the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import textfile
from app.engine.language import parse
from app.engine.language.printer import print_file
from app.source import SourceText

FILES = sorted(Path("/usr/share/octave").glob("*/m/**/*.m"))


@pytest.mark.slow
@pytest.mark.skipif(not FILES, reason="no Octave is installed")
def test_octaves_own_files() -> None:
    rejected = []
    for path in FILES:
        result = parse(SourceText(str(path), textfile.read(path).text))
        if not result.ok:
            rejected.append(str(path))
        elif (
            parse(SourceText("again", print_file(result.file)), result.dialect).file != result.file
        ):
            rejected.append(f"{path}: printed differently")
    assert rejected == []
