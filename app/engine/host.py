"""What the interpreter asks of the session that owns it."""

from __future__ import annotations

from typing import Protocol

from app.engine.protocol import Event


class Host(Protocol):
    """Output, input and interruption; implemented by :class:`app.engine.session.Session`."""

    def write(self, text: str) -> None:
        """Print to the command window or standard output."""

    def write_error(self, text: str) -> None:
        """Print a warning or an error."""

    def read_line(self, prompt: str) -> str:
        """A line typed by the user, without its end; MatlabError when there is nobody to ask."""

    def poll(self) -> None:
        """Called often while code runs: raises Interrupted after a cancel, answers the window."""

    def tell(self, event: Event) -> None:
        """Send an event, such as ClearScreen, OpenFile or FigureUpdated."""
