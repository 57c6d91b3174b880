"""Matching that can be stopped: regular expressions with a limit of time.

Some patterns take time that grows exponentially with the text. Python's own matcher holds the
interpreter all that while and cannot be interrupted; the `regex` package lets other threads run and
keeps to a limit. A match that is not there at once is looked for in a thread of its own, while this
one listens for Stop.

Watching the clock costs more than most matches, so a pattern whose steps are bounded by the length
of the text (`retries`) is matched without.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from app import memory
from app.engine.operators.joined_text import joined_text
from app.engine.stoppable import Stop
from app.errors import MatlabError

if TYPE_CHECKING:
    import regex

Match: TypeAlias = "regex.Match[str]"
_T = TypeVar("_T")
AT_ONCE_S = 0.2
"""How long a match may take before Stop is listened for."""
LONGEST_S = 60.0
LOOK_S = 0.02
MOST_STEPS = 1e7
"""So many steps of the matcher are done at once."""


class Problem(Exception):
    """An expression that is not valid, and why."""


class Expression:
    """A compiled expression of `regex`'s syntax; flags are those of `re`.

    The package is imported with the first of them: most programs that work on text have none.
    """

    def __init__(self, source: str, flags: int) -> None:
        import regex

        try:
            self._made = regex.compile(source, flags | regex.VERSION0)
        except regex.error as problem:
            raise Problem(str(problem)) from problem
        self.pattern = source
        self.groups: int = self._made.groups
        self.groupindex: dict[str, int] = dict(self._made.groupindex)
        self._prefers_nothing = _PREFERS_NOTHING.search(source) is not None
        self._retries = _ENDLESS if flags & re.VERBOSE else retries(source)

    def finditer(self, text: str, *, once: bool = False) -> Iterator[Match]:
        """All matches from left to right; with ``once`` each is looked for when it is wanted."""
        if once or self._prefers_nothing:
            return self._one_by_one(text)
        if self._is_quick(text):
            return self._made.finditer(text)
        return iter(
            self._patiently(
                lambda limit: list(self._made.finditer(text, timeout=limit, concurrent=True))
            )
        )

    def _one_by_one(self, text: str) -> Iterator[Match]:
        """Matches by separate searches: behind an empty one the next character is looked at."""
        at = 0
        while (found := self.search(text, at)) is not None:
            yield found
            at = found.end() + (found.end() == found.start())
            if at > len(text):
                return

    def _is_quick(self, text: str) -> bool:
        factor, exponent = self._retries
        return bool(factor * float(len(text)) ** exponent <= MOST_STEPS)

    def search(self, text: str, start: int = 0) -> Match | None:
        """The first match from a place on."""
        if self._is_quick(text):
            return self._made.search(text, start)
        return self._patiently(
            lambda limit: self._made.search(text, start, timeout=limit, concurrent=True)
        )

    def match(self, text: str) -> Match | None:
        """A match at the beginning."""
        if self._is_quick(text):
            return self._made.match(text)
        return self._patiently(lambda limit: self._made.match(text, timeout=limit, concurrent=True))

    def fullmatch(self, text: str) -> Match | None:
        """A match of the whole text."""
        if self._is_quick(text):
            return self._made.fullmatch(text)
        return self._patiently(
            lambda limit: self._made.fullmatch(text, timeout=limit, concurrent=True)
        )

    def sub(
        self,
        new: str | Callable[[Match], str],
        text: str,
        count: int = 0,
        *,
        empty: bool = True,
    ) -> str:
        """The text with its matches (the first ``count``, all for 0) replaced.

        Without ``empty`` matches of nothing do not count.
        """
        out, at, length, left = [], 0, 0, count or len(text) + 1
        for found in self.finditer(text):
            start, end = found.span()
            if start == end and not empty:
                continue
            piece = new(found) if callable(new) else new
            length += len(piece)
            if length >= memory.LARGE:
                memory.require_text(length, f"a text of {length} characters")
            out.append(text[at:start])
            out.append(piece)
            at = end
            left -= 1
            if not left:
                break
        return joined_text([*out, text[at:]])

    def _patiently(self, action: Callable[[float], _T]) -> _T:
        try:
            return action(AT_ONCE_S)
        except TimeoutError:
            return _result_in_thread(action, self.pattern)


_TOKENS = re.compile(
    r"\\(?P<escaped>.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<opened>\((?:\?(?::|P<\w+>|(?P<special>.)))?)|(?P<closed>\))"
    r"|(?P<repeated>[*+]|\{\d*,?\d*\})[?+]?|(?P<choice>[?|])",
    re.DOTALL,
)
_ENDLESS = (inf, inf)
_PREFERS_NOTHING = re.compile(r"[*?}]\?|(?:^|[(|:>])\|")
"""Finds what may match nothing where it could match more."""


def retries(source: str) -> tuple[float, float]:
    """At most ``factor * length ** exponent`` steps are made on a text of some length.

    The exponent has one for the place where a match begins and one for each repetition that may
    give back what it took: all but a last one. Every choice doubles the factor. Both are infinite
    for repetitions within repetitions, references to groups, and look-around.
    """
    repeated, choices, begun, last = 0, 0, [0], (-1, 0)
    tail = -1
    for token in _TOKENS.finditer(source):
        kind = token.lastgroup
        if token["special"] or (kind == "escaped" and token["escaped"] in "123456789gkPXR"):
            return _ENDLESS
        if kind == "opened":
            begun.append(repeated + choices)
        elif kind == "closed":
            last = token.end(), repeated + choices - begun.pop()
        elif kind == "repeated":
            if last[0] == token.start() and last[1]:
                return _ENDLESS
            repeated += 1
            tail = token.end() if token["repeated"] in "*+" else tail
        elif kind == "choice":
            choices += 1
    given_back = repeated - (tail > 0 and not source[tail:].strip(")"))
    return 2.0 ** min(choices, 99), 1.0 + given_back


def _result_in_thread(action: Callable[[float], _T], pattern: str) -> _T:
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
            Stop.poll()
    finally:
        given_up.set()
    if results:
        return results[0]
    text = (
        f"The pattern '{pattern[:80]}' takes too long on this text. Patterns such as (a+)+ try "
        "exponentially many ways; write them without a repetition inside a repetition."
    )
    raise MatlabError("MATLAB:regexp:timeout", text)
