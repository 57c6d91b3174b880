"""Walking trees without recursion: texts may nest deeper than Python's stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

from app.engine.language.ast import Expr, Field, FunctionDef, Name, Node


class _Readers(dict[type[Node], Callable[[Node], tuple[object, ...]]]):
    """By class of nodes what reads those of its fields that may hold nodes."""

    def __missing__(self, kind: Any) -> Callable[[Node], tuple[object, ...]]:
        names = [f.name for f in fields(kind) if f.name not in {"span", "name_span"}]
        read = attrgetter(*names) if len(names) > 1 else None
        found = read or (lambda node: tuple([getattr(node, name) for name in names]))
        self[kind] = found
        return found


_READERS = _Readers()


def children(node: Node) -> list[Node]:
    """The nodes directly below ``node``."""
    found: list[Node] = []
    _put(_READERS[type(node)](node), found)
    return found


def _put(parts: tuple[object, ...], found: list[Node]) -> None:
    """Append the nodes among values and in tuples of them."""
    for part in parts:
        kind = type(part)
        if kind is tuple:
            _put(part, found)  # type: ignore[arg-type]
        elif kind not in _NO_NODES and isinstance(part, Node):
            found.append(part)


_NO_NODES = frozenset((str, float, int, bool, type(None)))


_BLOCK_FIELDS = (
    "body branches orelse cases otherwise handler cleanup functions classdef blocks".split()
)


@cache
def _block_fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name in _BLOCK_FIELDS)


def _blocks(node: Node) -> tuple[str, ...]:
    kind: Any = type(node)
    return _block_fields(kind)


def has_body(node: Node) -> bool:
    """Whether a node is of a kind that holds statements, branches or definitions."""
    return bool(_blocks(node))


def statements(node: Node) -> Iterator[Node]:
    """``node`` and the statements, branches and definitions below it; no expressions."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        found: list[Node] = []
        for name in _blocks(current):
            _put((getattr(current, name),), found)
        stack.extend(reversed(found))


def walk(node: Node) -> Iterator[Node]:
    """``node`` and everything below it, parents first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))


def walk_body(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """All nodes below ``nodes`` and themselves, without nested function definitions."""
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, FunctionDef):
            below = children(node)
            if below:
                below.reverse()
                pending += below


def dotted_name(node: Expr) -> str:
    """``a.b.c`` as a text; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, Field):
        parts.insert(0, node.name)
        node = node.base
    return ".".join((node.id, *parts)) if isinstance(node, Name) else ""
