"""The shape of the kept session: what a damaged or foreign file has wrong is left out.

The file is JSON that anybody may have written; each entry is checked before anything uses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[object], bool]
_LARGEST = 2**31
_LONGEST, _LONGEST_PART = 4000, 255
"""Bytes of a path and of one of its names: systems refuse to look for more."""


def text(value: object) -> bool:
    """A text that a widget can show."""
    return isinstance(value, str) and "\0" not in value and _encodable(value, "strict")


def name(value: object) -> bool:
    """A text that may name a file, of any encoding, or nothing."""
    if not isinstance(value, str) or "\0" in value or not _encodable(value, "surrogateescape"):
        return False
    parts = value.encode(errors="surrogateescape").replace(b"\\", b"/").split(b"/")
    return sum(map(len, parts)) < _LONGEST and all(len(part) <= _LONGEST_PART for part in parts)


def _encodable(value: str, errors: str) -> bool:
    try:
        value.encode(errors=errors)
    except UnicodeEncodeError:
        return False
    return True


def number(value: object) -> bool:
    """A whole number that fits a widget."""
    return type(value) is int and abs(value) < _LARGEST


def flag(value: object) -> bool:
    """True or false."""
    return isinstance(value, bool)


def nothing_or(check: Check) -> Check:
    """Null, or what ``check`` takes."""
    return lambda value: value is None or check(value)


def every(check: Check, count: int | None = None) -> Check:
    """A list of such values; of so many where ``count`` says it."""
    return lambda value: (
        isinstance(value, list)
        and all(map(check, value))
        and (count is None or len(value) == count)
    )


def by_name(check: Check) -> Check:
    """An object whose values are such."""
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def record(optional: dict[str, Check] | None = None, /, **required: Check) -> Check:
    """An object with these entries; others are not looked at."""
    given = optional or {}
    return lambda value: (
        isinstance(value, dict)
        and all(name in value and check(value[name]) for name, check in required.items())
        and all(check(value[name]) for name, check in given.items() if name in value)
    )


_RECTANGLE = every(number, 4)
_STOPS = every(record(line=number, condition=text, hits=number, log=text, on=flag))
_ARRANGEMENT = record(
    areas=by_name(every(text)),
    front=by_name(number),
    sizes=by_name(every(number)),
    floating=by_name(_RECTANGLE),
)
_FILE = record(
    {"folds": every(number), "digest": text, "text_file": name},
    path=name,
    name=name,
    text=nothing_or(text),
    caret=number,
    top=number,
    breakpoints=_STOPS,
)


def _scalar(value: object) -> bool:
    return value is None or isinstance(value, str | bool | int | float)


SHAPES: dict[str, Check] = {
    "geometry": _RECTANGLE,
    "maximized": flag,
    "layout": text,
    "folder": name,
    "breakpoints": by_name(_STOPS),
    "zoom": number,
    "current": number,
    "files": every(_FILE),
    "split": nothing_or(
        record(file=name, caret=number, top=number, beside=flag, sizes=every(number, 2))
    ),
    "prompt": text,
    "layouts": by_name(_ARRANGEMENT),
    "own_layouts": by_name(_ARRANGEMENT),
    "keys": by_name(text),
    "recent": every(name),
    "recent_folders": every(name),
    "trust": by_name(flag),
    "watches": every(text),
    "configurations": by_name(by_name(_scalar)),
    "times": flag,
    "faces": by_name(text),
}


def sound(state: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The entries that are as they should be, and the names of those that are not.

    A list of files keeps those of its files that are sound.
    """
    kept, wrong = dict(state), []
    files = kept.get("files")
    if isinstance(files, list) and not SHAPES["files"](files):
        kept["files"] = [one for one in files if _FILE(one)]
        wrong.append("files")
    for name, check in SHAPES.items():
        if name in kept and not check(kept[name]):
            del kept[name]
            wrong.append(name)
    return kept, wrong
