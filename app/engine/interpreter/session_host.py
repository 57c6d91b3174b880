"""What the interpreter asks of the session that owns it."""

from __future__ import annotations

from typing import Protocol

from app.engine.dialog_state import Question
from app.engine.protocol import Event


class Host(Protocol):
    """Output, input and interruption; implemented by a session.

    Attributes:
        windowed: whether there is a window that shows what it is told.
    """

    windowed: bool

    def write(self, text: str) -> None:
        """Print to the command window or standard output."""

    def write_error(self, text: str, stream: str = "err") -> None:
        """Print an error, or a warning where ``stream`` is ``warning``."""

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        """A line typed by the user, without its end; MatlabError when there is nobody to ask.

        With ``any_key`` a window is content with any key, which ends an empty line.
        """

    def ask(self, question: Question) -> tuple[str, ...] | None:
        """What a dialog was answered; nothing when it was closed, None without a window."""

    def poll(self) -> None:
        """Called often while code runs: raises Interrupted after a cancel, answers the window."""

    def choose_device(self, device: str) -> None:
        """Compute on another device from now on; arrays follow when they are used."""

    def tell(self, event: Event) -> None:
        """Send an event, such as ClearScreen, OpenFile or FigureUpdated."""
