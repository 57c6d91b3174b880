"""Names with ``*``, ``?`` and ``[…]``, as commands for variables and tests take them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache

_WILD = frozenset("*?[")


def fits(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of ``patterns``, with case."""
    return any(
        _form(pattern).match(name) is not None if _WILD.intersection(pattern) else name == pattern
        for pattern in patterns
    )


@lru_cache(maxsize=64)  # the library's own functions keep 32,768, also of names without any
def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(translate(pattern))
