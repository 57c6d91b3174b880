"""The names of ``name=value`` arguments of builtins, read off their declarations."""

from __future__ import annotations

import re
from functools import cache

from app.engine.analysis.signatures import open_call

_QUOTED = re.compile(r"'([A-Z][A-Za-z]{2,})'")
_IN_TEXT = re.compile(r"[(,]\s*['\"](\w*)$", re.ASCII)
_DRAWN = {
    "line": "plot plot3 semilogx semilogy loglog polar polarplot fplot fplot3 refline lsline",
    "scatter": "scatter3 polarscatter swarmchart bubblechart gscatter",
    "bar": "barh bar3 bar3h pareto",
    "histogram": "histogram2 polarhistogram",
    "stair": "stairs",
    "stem": "stem3",
    "image": "imagesc imshow",
    "surface": "surf surfc surfl mesh meshc meshz pcolor waterfall ribbon fsurf fmesh",
    "contour": "contourf contour3 fcontour",
    "quiver": "quiver3",
    "patch": "fill fill3 trisurf trimesh",
    "text": "title subtitle sgtitle xlabel ylabel zlabel",
    "axes": "subplot nexttile",
    "constantline": "xline yline",
}
"""Which kind of graphics object a function makes, where the kind has another name."""


@cache
def option_names(name: str) -> tuple[str, ...]:
    """What may stand before a value in a call of a builtin, in alphabetical order."""
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return ()
    declared = "\n".join((*found.signatures, found.help, *found.cases))
    return tuple(sorted({*_QUOTED.findall(declared), *_properties(name, found.category)}))


def _properties(name: str, category: str) -> list[str]:
    if category != "graphics":
        return []
    from app.engine.figures.schema import KINDS

    kind = next((k for k, names in _DRAWN.items() if name in names.split()), name)
    return list(KINDS[kind].properties) if kind in KINDS else []


def options_here(before: str) -> tuple[str, ...]:
    """The names that fit at the end of the line ``before``: behind a first argument of a call."""
    name, argument = open_call(before)
    return option_names(name) if argument > 0 or name in _ALONE else ()


_ALONE = frozenset({"figure", "axes", "text", "table", "optimset", "odeset", "annotation"})
"""What is often called with nothing but names and values."""


def typed_in_text(before: str) -> str | None:
    """The part of an option's name that is typed in quotes at the end of ``before``."""
    found = _IN_TEXT.search(before)
    return found[1] if found else None
