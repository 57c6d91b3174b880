"""What scripts print, sent to the client's log while they run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Lock

from lsprotocol import types
from pygls.lsp.server import LanguageServer

_PAUSE_S = 0.05
"""Time in which pieces are collected to one message."""


class Console:
    """Whole lines go to the client a moment after they were printed; the rest with `flush`.

    Args:
        server: has the client.

    Attributes:
        heard_by: is sent the same text, too.
    """

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self.heard_by: Callable[[str], None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = Lock()
        self._pieces: list[str] = []
        self._is_due = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Messages are sent from ``loop`` from here on."""
        self._loop = loop

    def write(self, text: str, *, own_line: bool = False) -> None:
        """Print a piece, from any thread; ``own_line``: at the beginning of a line."""
        with self._lock:
            if own_line and self._pieces and not self._pieces[-1].endswith("\n"):
                self._pieces.append("\n")
            self._pieces.append(text)
            is_first, self._is_due = not self._is_due, True
        if is_first and self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.call_later, _PAUSE_S, self._send_lines)

    def show_error(self, message: str) -> None:
        """Show a message, from any thread."""
        if self._loop is not None:
            shown = types.ShowMessageParams(types.MessageType.Error, message)
            self._loop.call_soon_threadsafe(self._server.window_show_message, shown)

    def flush(self) -> None:
        """Send what was printed to its last character; on the loop's thread."""
        self._send(self._taken(whole=True))

    def _send_lines(self) -> None:
        self._send(self._taken(whole=False))

    def _taken(self, *, whole: bool) -> str:
        """What is waiting, of which an unfinished line goes on to wait unless ``whole``."""
        with self._lock:
            text, self._is_due = "".join(self._pieces), False
            end = len(text) if whole else text.rfind("\n") + 1
            self._pieces = [text[end:]] if text[end:] else []
        return text[:end]

    def _send(self, text: str) -> None:
        if text:  # each message is a line of its own in the log
            shown = types.LogMessageParams(types.MessageType.Log, text.removesuffix("\n"))
            self._server.window_log_message(shown)
            if self.heard_by is not None:
                self.heard_by(text)
