"""What Python code prints is the script's output."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class _Output(io.TextIOBase):
    """A text stream that gives every text to ``write``."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._take = write

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Pass a text on."""
        self._take(text)
        return len(text)


@contextmanager
def print_redirected(write: Callable[[str], None]) -> Iterator[None]:
    """Within it ``print`` goes to ``write``."""
    before = sys.stdout
    sys.stdout = _Output(write)
    try:
        yield
    finally:
        sys.stdout = before
