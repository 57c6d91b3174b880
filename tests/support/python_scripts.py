"""Scripts of tests that call Python."""

from __future__ import annotations

from app import settings
from app.engine.protocol import Event, OutputText
from app.engine.session.session import Session
from app.errors import MatlabError
from app.source import SourceText


class Scripts:
    """A session whose output is kept."""

    def __init__(self, *, restricted: bool = False) -> None:
        self.printed: list[str] = []
        chosen = settings.load({"FUSELAB_DEVICE": "cpu"})
        chosen.set("restricted", restricted, "option")
        self.session = Session(chosen, self._take)

    def _take(self, event: Event) -> None:
        if isinstance(event, OutputText):
            self.printed.append(event.text)

    def run(self, code: str) -> str:
        """What a text prints; its failure is an error."""
        self.printed.clear()
        self.session.run_source(SourceText("<test>", code))
        if self.session.last_status == "error":
            raise self.session.interpreter.last_error or MatlabError("", "failed")
        return "".join(self.printed)
