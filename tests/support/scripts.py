"""Running code on the host and asking for values."""

from __future__ import annotations

from typing import Any

from app import settings
from app.engine.figures.model import figures_of
from app.engine.session.session import Session
from app.source import SourceText


class Script:
    """Runs code on the host and gives the values of variables."""

    def __init__(self) -> None:
        self.session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _event: None)

    def run(self, code: str) -> None:
        self.session.run_source(SourceText("test", code))
        assert self.session.last_status == "ok", self.session.last_report["error"]

    def value(self, code: str) -> Any:
        self.run(f"answer__ = {code};")
        return self.session.value_of("answer__")

    @property
    def axes(self) -> Any:
        return figures_of(self.session.interpreter.context.state).gca()
