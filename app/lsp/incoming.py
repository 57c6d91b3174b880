"""The pipe from a client of the language server: lines that tell the lengths of messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO

LONGEST_LINE = 1 << 16
"""Bytes of a line before a message."""
MOST_BYTES = 1 << 28
"""Bytes of a message."""
_LENGTH = re.compile(rb"Content-Length:[ \t]*(\d{1,12})[ \t]*\r?\n\Z", re.IGNORECASE)


class Incoming:
    """The pipe from the client. The library waits for what runs before it ends: that is stopped
    as soon as the client is gone. Behind a message of another length than it says the next one is
    found again."""

    def __init__(self, pipe: BinaryIO, on_end: Callable[[], None]) -> None:
        self.pipe, self.on_end = pipe, on_end

    def readline(self) -> bytes:
        """The next line before a message; nothing at the end. A length is one that can be."""
        line = self._noticed(self.pipe.readline(LONGEST_LINE))
        found = _LENGTH.search(line)
        if found is not None and int(found[1]) <= MOST_BYTES:
            return b"Content-Length: %d\r\n" % int(found[1])
        return line if not line.strip() else b"Other: line\r\n"

    def read(self, count: int) -> bytes:
        """So many bytes, less at the end."""
        return self._noticed(self.pipe.read(count))

    def _noticed(self, found: bytes) -> bytes:
        if not found:
            self.on_end()
        return found
