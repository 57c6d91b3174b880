"""A part of the campaign of malformed messages, for each that listens."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.fuzz.messages import LISTENERS, Kernel, Listener, findings


@pytest.mark.parametrize("kind", [one for one in LISTENERS if one is not Kernel])
def test_malformed_messages_are_refused_and_good_ones_answered(
    kind: type[Listener], tmp_path: Path, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    assert findings(kind, tmp_path, 3, lambda count: count >= 60) == []


def test_a_kernel_answers_behind_malformed_messages(tmp_path: Path) -> None:
    assert findings(Kernel, tmp_path, 3, lambda count: count >= 60) == []
