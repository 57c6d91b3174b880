"""Regular expressions that are compiled when they are first asked.

Compiling those of all modules that a start brings in took an eighth of it; most of them find
something in errors, in commands, in files that a program may never have.
"""

from __future__ import annotations

import re
from typing import AnyStr, cast

_METHODS = "findall finditer flags fullmatch groupindex groups match pattern search split sub subn"


def late_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What ``re.compile`` gives, to be used by its methods; a wrong text fails at its first use."""
    return cast("re.Pattern[AnyStr]", _Late(text, flags))


class _Late:
    """Stands for a pattern; once asked it has the pattern's methods as its own."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        made: re.Pattern[str] = re.compile(*self._given)  # type: ignore[arg-type]
        for method in _METHODS.split():
            setattr(self, method, getattr(made, method))
        return getattr(made, name)
