"""Actions of lists, and of symbols that merely hand on what they hold."""

from __future__ import annotations

from typing import Any


def empty(*brackets: int) -> list[Any]:
    """A new list."""
    return []


def empty_row(comma: int) -> list[Any]:
    """A row without elements."""
    return []


def none() -> None:
    """Something optional that is missing."""


def one(item: Any) -> list[Any]:
    """A list of one."""
    return [item]


def first(item: Any, *rest: object) -> Any:
    """The first symbol alone matters."""
    return item


def second(left: int, item: Any, right: int = 0) -> Any:
    """What stands behind or between tokens."""
    return item


def second_one(left: int, item: Any) -> list[Any]:
    """A list of what stands behind a token."""
    return [item]


def append(items: list[Any], item: Any, *rest: object) -> list[Any]:
    """One more item."""
    items.append(item)
    return items


def append_third(items: list[Any], separator: int, item: Any) -> list[Any]:
    """One more item behind a separator."""
    items.append(item)
    return items
