"""The command history: kept over sessions, searched by prefix."""

from __future__ import annotations

from pathlib import Path

from app import paths
from app.log import topic

_LOG = topic("ui")
MOST = 5000


class History:
    """Entered commands, oldest first; a file keeps them, one per line, ``\\n`` as ``\\x1e``."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.entries = _read(path)
        self._position = len(self.entries)
        self._prefix = ""

    def add(self, text: str) -> None:
        """Remember a command; the same one twice in a row counts once."""
        if text.strip() and (not self.entries or self.entries[-1] != text):
            self.entries.append(text)
            del self.entries[:-MOST]
            self._write(text)
        self.reset()

    def reset(self) -> None:
        """Begin again at the newest entry."""
        self._position = len(self.entries)

    def older(self, typed: str) -> str | None:
        """The entry before that begins with what was typed."""
        if self._position == len(self.entries):
            self._prefix = typed
        for index in range(self._position - 1, -1, -1):
            if self.entries[index].startswith(self._prefix) and self.entries[index] != typed:
                self._position = index
                return self.entries[index]
        return None

    def newer(self) -> str | None:
        """The entry after, or what was typed at first; None when already there."""
        if self._position == len(self.entries):
            return None
        for index in range(self._position + 1, len(self.entries)):
            if self.entries[index].startswith(self._prefix):
                self._position = index
                return self.entries[index]
        self._position = len(self.entries)
        return self._prefix

    def _write(self, text: str) -> None:
        if self._path is None:
            return
        try:
            with paths.opened_to_append(self._path) as file:
                file.write(text.replace("\n", "\x1e") + "\n")
        except OSError as problem:  # it is kept until the window closes
            _LOG.info("the command history is not kept: %s", problem)


def _read(path: Path | None) -> list[str]:
    if path is None:
        return []
    try:
        paths.check_file(path)
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return []
    except OSError as problem:
        _LOG.info("the command history cannot be read: %s", problem)
        return []
    return [line.replace("\x1e", "\n") for line in lines if line][-MOST:]
