"""Calls of builtins in their declared examples, to be made again with other arguments."""

from __future__ import annotations

import re

from app.engine.declarations import registry

WAITING = {"poll", "pause", "wait", "waitfor", "input", "keyboard", "parfeval", "parfevalOnAll"}
"""They wait for somebody or for other processes."""
_PARTS = re.compile(
    r"(?<=[\w)\]}'.])'|('(?:[^'\n]|'')*')|(\"(?:[^\"\n]|\"\")*\")|([(\[{])|([)\]}])"
)


def call_of(name: str, case: str) -> tuple[str, str]:
    """What comes before the call of a function in an example, and the call without its end."""
    found = re.search(rf"(?<![\w.]){re.escape(name)}\(", case)
    if found is None:
        return "", ""
    depth, end = 0, len(case)
    for part in _PARTS.finditer(case, found.end() - 1):
        depth += bool(part[3]) - bool(part[4])
        if depth == 0 and part[4]:
            end = part.start()
            break
    return case[: case.rfind(";", 0, found.start()) + 1], case[found.start() : end]


def calls_of(name: str) -> list[tuple[str, str]]:
    """The calls of a builtin in its examples."""
    found = [call_of(name, case) for case in registry.load_all()[name].cases]
    return [f for f in found if f[1] and name not in WAITING]
