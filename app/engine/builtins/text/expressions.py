"""Matching that can be stopped: regular expressions with a limit of time.

Some patterns take time that grows exponentially with the text. Python's own matcher holds the
interpreter all that while and cannot be interrupted; the `regex` package lets other threads run and
keeps to a limit. A match that is not there at once is looked for in a thread of its own, while this
one listens for Stop.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias, TypeVar

import regex

from app import memory
from app.engine.interpreter.indexing.index_read import Hooks
from app.engine.operators.concatenation import joined
from app.errors import MatlabError

Match: TypeAlias = regex.Match[str]
_T = TypeVar("_T")
AT_ONCE_S = 0.2
"""How long a match may take before Stop is listened for."""
LONGEST_S = 60.0
LOOK_S = 0.02
Problem = regex.error


class Expression:
    """A compiled expression of `regex`'s syntax; flags are those of `re`."""

    def __init__(self, source: str, flags: int) -> None:
        self._made = regex.compile(source, flags | regex.VERSION0)
        self.pattern = source
        self.groups: int = self._made.groups
        self.groupindex: dict[str, int] = dict(self._made.groupindex)

    def finditer(self, text: str, *, once: bool = False) -> Iterator[Match]:
        """All matches from left to right; with ``once`` each is looked for when it is wanted."""
        if not once:
            yield from self._patiently(
                lambda limit: list(self._made.finditer(text, timeout=limit, concurrent=True))
            )
            return
        at = 0
        while (found := self.search(text, at)) is not None:
            yield found
            at = found.end() + (found.end() == found.start())
            if at > len(text):
                return

    def search(self, text: str, start: int = 0) -> Match | None:
        """The first match from a place on."""
        return self._patiently(
            lambda limit: self._made.search(text, start, timeout=limit, concurrent=True)
        )

    def match(self, text: str) -> Match | None:
        """A match at the beginning."""
        return self._patiently(lambda limit: self._made.match(text, timeout=limit, concurrent=True))

    def fullmatch(self, text: str) -> Match | None:
        """A match of the whole text."""
        return self._patiently(
            lambda limit: self._made.fullmatch(text, timeout=limit, concurrent=True)
        )

    def sub(self, new: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        """The text with its matches (the first ``count``, all for 0) replaced."""
        out, at, length = [], 0, 0
        for number, found in enumerate(self.finditer(text)):
            if count and number >= count:
                break
            piece = new if isinstance(new, str) else new(found)
            length += len(piece)
            if length >= memory.LARGE:
                memory.require(length, f"a text of {length} characters")
            out += [text[at : found.start()], piece]
            at = found.end()
        return joined([*out, text[at:]])

    def _patiently(self, action: Callable[[float], _T]) -> _T:
        try:
            return action(AT_ONCE_S)
        except TimeoutError:
            return _beside(action, self.pattern)


def _poll() -> None:
    """Notice Stop."""
    poll = getattr(getattr(Hooks.context, "host", None), "poll", None)
    if poll is not None:
        poll()


def _beside(action: Callable[[float], _T], pattern: str) -> _T:
    """The result of an action in another thread; Interrupted when somebody stops it."""
    results: list[_T] = []
    ended = threading.Event()
    given_up = threading.Event()

    def work() -> None:
        end, wait = time.monotonic() + LONGEST_S, AT_ONCE_S
        try:
            while not results and time.monotonic() < end and not given_up.is_set():
                wait = min(4 * wait, LONGEST_S)
                with suppress(TimeoutError):
                    results.append(action(wait))
        finally:
            ended.set()

    threading.Thread(target=work, name="fuselab-pool-regexp", daemon=True).start()
    try:
        while not ended.wait(LOOK_S):
            _poll()
    finally:
        given_up.set()
    if results:
        return results[0]
    text = (
        f"The pattern '{pattern[:80]}' takes too long on this text. Patterns such as (a+)+ try "
        "exponentially many ways; say them without a repetition inside a repetition."
    )
    raise MatlabError("MATLAB:regexp:timeout", text)
