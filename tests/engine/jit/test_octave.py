"""Compiled loops leave the values that GNU Octave leaves, where one is installed."""

from __future__ import annotations

from pathlib import Path
from shutil import which

import pytest

from tests.engine.jit.octave import ours, theirs
from tests.support.loop_rules import RULES


@pytest.mark.slow
@pytest.mark.skipif(which("octave-cli") is None, reason="Octave is not installed")
def test_the_rules_are_octaves(tmp_path: Path) -> None:
    texts = {name: text for name, text in RULES.items() if "rand" not in text}
    there = theirs(list(texts.values()), tmp_path)
    different = [
        n for n, text, told in zip(texts, texts.values(), there, strict=True) if ours(text) != told
    ]
    assert different == []
