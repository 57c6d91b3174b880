"""Defaults that scripts set: ``set(groot, 'DefaultLineLineWidth', 2)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.engine.figures.properties import is_text, plain_text
from app.engine.figures.schema import KINDS
from app.engine.values import Value
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.figures.objects import GraphicsObject

_PREFIX = "default"


def is_default(name: str) -> bool:
    """Whether a property's name is that of a default."""
    return name.lower().startswith(_PREFIX) and _kind_and_property(name) is not None


def _kind_and_property(name: str) -> tuple[str, str] | None:
    """The kind and the property that ``DefaultLineLineWidth`` stands for."""
    rest = name[len(_PREFIX) :].lower()
    for kind in sorted(KINDS, key=len, reverse=True):
        if rest.startswith(kind):
            names = {full.lower(): full for full in KINDS[kind].properties}
            found = names.get(rest[len(kind) :]) or names.get(rest[len(kind) :].removesuffix("s"))
            if found is not None:
                return kind, found
    return None


def set_default(item: GraphicsObject, name: str, value: Value) -> None:
    """Keep a default for what will be made inside ``item``.

    'remove', 'factory' and 'default' forget it.
    """
    key = _kind_and_property(name)
    if key is None:
        raise item.unknown(name)
    if is_text(value) and plain_text(value).lower() in ("remove", "factory", "default"):
        item.defaults.pop(key, None)
        return
    kind = KINDS[key[0]].properties[key[1]][0]
    try:
        item.defaults[key] = kind.parse(value)
    except MatlabError as error:
        text = f"Error setting default property '{key[1]}':\n{error.message}"
        raise MatlabError(error.identifier, text) from error


def get_default(item: GraphicsObject, name: str) -> Value:
    """The default that holds inside ``item``."""
    key = _kind_and_property(name)
    if key is None:
        raise item.unknown(name)
    kept = found_defaults(item, key[0]).get(key[1], KINDS[key[0]].properties[key[1]][1])
    return KINDS[key[0]].properties[key[1]][0].show(kept)


def reset_by_word(item: GraphicsObject, lower: str, value: Value) -> bool:
    """Give a property the value that objects begin with: 'default' one that was set, 'factory' the
    own one. False for other words."""
    word = plain_text(value) if is_text(value) else ""
    name = next((n for n in item.kind.properties if n.lower() == lower), None)
    if word not in ("default", "factory") or name is None:
        return False
    around = item.parent if word == "default" else None
    kept = found_defaults(around, item.kind.name) if around is not None else {}
    item[name] = kept.get(name, item.kind.properties[name][1])
    if f"{name}Mode" in item.kind.properties:
        item[f"{name}Mode"] = "manual" if name in kept else "auto"
    return True


def found_defaults(parent: GraphicsObject, kind: str) -> dict[str, Any]:
    """The defaults for objects of a kind inside ``parent``; those nearer to it come first."""
    found: dict[str, Any] = {}
    for node in parent.ancestors():
        for (own, name), kept in node.defaults.items():
            if own == kind or own == KINDS[kind].base:
                found.setdefault(name, kept)
    return found


def apply_defaults(item: GraphicsObject, parent: GraphicsObject) -> None:
    """Give a new object its defaults."""
    for name, kept in found_defaults(parent, item.kind.name).items():
        item.values[name] = kept
        if f"{name}Mode" in item.kind.properties:
            item.values[f"{name}Mode"] = "manual"
