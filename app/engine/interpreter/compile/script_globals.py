"""The names that the scripts which code calls make global in it."""

from __future__ import annotations

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.interpreter.unit import Unit


def shared_by_scripts(unit: Unit, names: Names) -> set[str]:
    """What the scripts that ``names`` calls declare global, and those that they call."""
    found: set[str] = set()
    seen: set[str] = set()
    pending = [n for n in names.statements if unit.is_script(n)]
    while pending:
        name = pending.pop()
        path = unit.interpreter.path.find(name, unit.folder)
        if path is None or path in seen:
            continue
        seen.add(path)
        inner = names_of_script(unit.interpreter.load(path).tree.body)
        found |= inner.globals
        pending += [n for n in inner.statements if unit.is_script(n)]
    return found
