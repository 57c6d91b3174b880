"""Walking trees without recursion: texts may nest deeper than Python's stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from app.engine.language.ast import Node


@cache
def _node_fields(kind: Any) -> tuple[str, ...]:
    names = [f.name for f in fields(kind)]
    skipped = {"span", "name_span", "text", "value_text", "help", "display", "op", "id"}
    return tuple(name for name in names if name not in skipped)


def children(node: Node) -> list[Node]:
    """The nodes directly below ``node``, in source order as far as fields are."""
    found: list[Node] = []
    kind: Any = type(node)
    for name in _node_fields(kind):
        _collect(getattr(node, name), found)
    return found


def _collect(value: object, found: list[Node]) -> None:
    if isinstance(value, tuple):
        for item in value:
            _collect(item, found)
    elif isinstance(value, Node):
        found.append(value)


_BLOCK_FIELDS = (
    "body branches orelse cases otherwise handler cleanup functions classdef blocks".split()
)


@cache
def _block_fields(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in _node_fields(kind) if name in _BLOCK_FIELDS)


def statements(node: Node) -> Iterator[Node]:
    """``node`` and the statements, branches and definitions below it; no expressions."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        found: list[Node] = []
        kind: Any = type(current)
        for name in _block_fields(kind):
            _collect(getattr(current, name), found)
        stack.extend(reversed(found))


def walk(node: Node) -> Iterator[Node]:
    """``node`` and everything below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))
