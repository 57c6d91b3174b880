"""Words that calls take: names of ``name=value`` arguments, properties, and words such as ``on``.

They are read off the declarations of builtins: what is in quotes in a signature, the kind of object
that a function draws, and the list behind ``Words:`` in a help text.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from app.engine.analysis.signatures import open_call
from app.engine.language.lexer import tokenize

_QUOTED = re.compile(r"'([A-Z][A-Za-z]{2,})'")
_QUOTED_WORD = re.compile(r"['\"]([a-z]\w*)['\"]")
_WORDS = re.compile(r"\bWords: ([\w\s,-]+)")
_ABOUT = re.compile(r"\b[sg]et\(\s*(\w+)\s*,(?:[^()]|\([^()]*\))*$")
_STANDING_FOR_OTHERS = frozenset("name name1 words file folder style spacing pattern".split())
"""What is no word of its own in a form such as ``clear name``."""
_ASSIGNED = re.compile(r"(\w+)\.(\w+)\s*=\s*$")
_VALUED = re.compile(r"['\"](\w+)['\"]\s*,\s*$|\b(\w+)\s*=\s*$")
_CURRENT = {"gca": "axes", "gcf": "figure", "groot": "root", "0": "root"}
_IN_TEXT = re.compile(r"[(,=]\s*['\"](\w*)$", re.ASCII)
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


@lru_cache(maxsize=1024)
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

    kind = _kind_drawn(name)
    return list(KINDS[kind].properties) if kind in KINDS else []


def _kind_drawn(name: str) -> str:
    return next((kind for kind, names in _DRAWN.items() if name in names.split()), name)


@lru_cache(maxsize=1024)
def words_of(name: str) -> tuple[str, ...]:
    """What a builtin takes as a word, such as ``on`` and ``off``, in the order they are told."""
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return ()
    listed = _WORDS.search(found.help)
    told = re.findall(r"[\w-]+", listed[1]) if listed else []
    forms = (form.split() for form in found.signatures)
    commands = (words[1] for words in forms if len(words) > 1 and words[0] == name)
    quoted = _QUOTED_WORD.findall("\n".join(found.signatures))
    literal = (w for w in (*told, *commands, *quoted) if w not in _STANDING_FOR_OTHERS)
    return tuple(w for w in dict.fromkeys(literal) if re.fullmatch(r"[\w-]+", w))


def options_here(before: str) -> tuple[str, ...]:
    """The names that fit at the end of the line ``before``: behind a first argument of a call."""
    name, argument = open_call(before)
    return option_names(name) if argument > 0 or name in _ALONE else ()


def texts_here(before: str, text: str) -> tuple[str, ...]:
    """What fits into quotes at the end of the line ``before``; ``text`` is all that is above it."""
    assigned = _ASSIGNED.search(before)
    if assigned is not None:
        return _values(_kind_of(assigned[1], text), assigned[2])
    name, argument = open_call(before)
    kind = _kind_drawn(name)
    if name in ("set", "get"):
        about = _ABOUT.search(before)
        kind = _kind_of(about[1], text) if about else ""
    properties = _property_names(kind) or (_all_property_names() if name in ("set", "get") else ())
    valued = _VALUED.search(before)
    if valued is not None and (valued[1] or valued[2]) in properties:
        return _values(kind, valued[1] or valued[2])
    if name in ("set", "get") and argument > 0:
        return properties
    return (*words_of(name), *options_here(before))


def properties_of(variable: str, text: str) -> tuple[str, ...]:
    """The properties of the graphics object that ``text`` gives a name to, or that is current."""
    return _property_names(_kind_of(variable, text))


def _kind_of(variable: str, text: str) -> str:
    """The kind of graphics object; empty where the text does not tell."""
    if variable in _CURRENT:
        return _CURRENT[variable]
    made = re.findall(rf"(?<![\w.]){re.escape(variable)}\s*=\s*([A-Za-z]\w*)", text)
    return _CURRENT.get(made[-1]) or _kind_drawn(made[-1]) if made else ""


def _property_names(kind: str) -> tuple[str, ...]:
    from app.engine.figures.schema import KINDS

    return tuple(sorted(KINDS[kind].properties)) if kind in KINDS else ()


@cache
def _all_property_names() -> tuple[str, ...]:
    from app.engine.figures.schema import KINDS

    return tuple(sorted({name for kind in KINDS.values() for name in kind.properties}))


def _values(kind: str, name: str) -> tuple[str, ...]:
    """The words that a property of a kind of objects may be; of any kind where that is unknown."""
    from app.engine.figures.schema import KINDS

    kinds = (KINDS[kind],) if kind in KINDS else KINDS.values()
    found = (k.properties[name][0].words for k in kinds if name in k.properties)
    return tuple(dict.fromkeys(word for words in found for word in words))


def command_word(before: str) -> tuple[str, str] | None:
    """The command at the end of the line ``before`` and its word begun there."""
    stream = tokenize(f"{before}x")
    place = next((n for n in reversed(range(len(stream.kinds))) if stream.kinds[n] == "WORD"), -1)
    if place < 0 or not stream.starts[place] <= len(before) < stream.ends[place]:
        return None
    first = max(n for n in range(place) if stream.kinds[n] == "COMMAND")
    name = re.match(r"\w+", before[stream.starts[first] :])
    return (name[0], before[stream.starts[place] :]) if name else None


_ALONE = frozenset({"figure", "axes", "text", "table", "optimset", "odeset", "annotation"})
"""What is often called with nothing but names and values."""


def typed_in_text(before: str) -> str | None:
    """The part of an option's name that is typed in quotes at the end of ``before``."""
    found = _IN_TEXT.search(before)
    return found[1] if found else None
