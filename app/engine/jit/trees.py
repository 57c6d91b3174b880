"""Nodes of syntax trees that only machine code knows: what a loop without containers is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, cast

from app.engine.language.ast import Expr, Name, Node, Statement
from app.records import record
from app.source import Span


@record
class Copies(Node):
    """Variables that take the values of others, all of them or none: pairs of names."""

    pairs: tuple[tuple[str, str], ...]


@record
class Cleared(Node):
    """``clear a b``: variables of the loop that have no value afterwards."""

    names: tuple[str, ...]


@record
class Inlined(Node):
    """The body of a function in the place of its call: statements, then its value.

    It is left as a whole: the interpreter goes on with the statement that holds it.

    Attributes:
        body: what is done first; ``return`` leads to its end.
        fresh: variables of its own, which have no value when it begins.
        effects: variables of others that it assigns.
        result: its value; None where it is a statement.
    """

    body: tuple[Statement, ...]
    fresh: tuple[str, ...]
    effects: tuple[str, ...]
    result: Expr | None = None


@record
class Listed(Node):
    """An assignment to an element of a cell that is only written (see `listed_cells`).

    Attributes:
        held: the list.
        count: the number of elements of the cell.
        grows: whether elements may be added.
        place: which element is assigned; None where the variable gets another cell.
        value: the element, or the number of rows of that cell.
        columns: its number of columns.
    """

    held: Name
    count: Name
    grows: bool
    place: Expr | None
    value: Expr
    columns: Expr | None = None


@record
class Refusal(Node):
    """A statement that is not compiled: the interpreter does it.

    Attributes:
        reason: why; empty where its kind says it.
        place: what exactly.
        node: the statement, where its kind says why.
    """

    reason: str
    place: Span
    node: Node | None = None


def as_statement(node: Node) -> Statement:
    """One of these nodes among the statements of a loop."""
    return cast("Statement", node)


def as_expression(node: Node) -> Expr:
    """One of these nodes in an expression."""
    return cast("Expr", node)


def effects_of(body: list[Statement]) -> tuple[str, ...]:
    """What functions inlined into statements assign of others."""
    return tuple(e for s in body if isinstance(s, Inlined) for e in s.effects)


def with_children(node: Node, function: Callable[[Node], Node]) -> Node:
    """A node with other nodes directly below it; itself where they are the same."""
    kind: Any = node
    changed = {}
    for entry in fields(kind):
        old = getattr(node, entry.name)
        made = _value(old, function)
        if made is not old:
            changed[entry.name] = made
    return replace(kind, **changed) if changed else node


def _value(value: Any, function: Callable[[Node], Node]) -> Any:
    if isinstance(value, Node):
        return function(value)
    if isinstance(value, tuple) and value and not isinstance(value[0], str | int | float):
        made = tuple(_value(item, function) for item in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    return value
