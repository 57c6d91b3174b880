"""The attributes that a class and the blocks of its file take."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.language import ast

_TESTS = (
    "test testmethodsetup testmethodteardown testclasssetup testclassteardown testtags "
    "testparameterdefinition"
)
_OF_CLASSES = frozenset(
    "abstract allowedsubclasses constructonload handlecompatible hidden inferiorclasses sealed "
    "sharedtestfixtures testtags".split()
)
_OF_BLOCKS: dict[type[ast.ClassBlock], tuple[str, frozenset[str]]] = {
    ast.PropertiesBlock: (
        "properties",
        frozenset(
            "abortset abstract access constant dependent getaccess getobservable hidden "
            "noncopyable partialmatchpriority setaccess setobservable transient weakhandle "
            "testparameter methodsetupparameter classsetupparameter nontunable discretestate "
            "logical positiveinteger".split()
        ),
    ),
    ast.MethodsBlock: (
        "methods",
        frozenset(
            f"abstract access hidden sealed static parametercombination {_TESTS}".split(),
        ),
    ),
    ast.EventsBlock: ("events", frozenset("hidden listenaccess notifyaccess".split())),
    ast.EnumerationBlock: ("enumeration", frozenset(("hidden",))),
}
_ACCESS = frozenset("access getaccess setaccess listenaccess notifyaccess".split())
_LEVELS = frozenset("public protected private".split())


def unknown_attributes(node: ast.ClassDef) -> Iterator[tuple[ast.Attribute, str]]:
    """The attributes that there are none of, and values of access that mean nothing, with why."""
    yield from _of(node.attributes, "classdef", _OF_CLASSES)
    for block in node.blocks:
        yield from _of(block.attributes, *_OF_BLOCKS[type(block)])


def _of(
    attributes: tuple[ast.Attribute, ...], kind: str, known: frozenset[str]
) -> Iterator[tuple[ast.Attribute, str]]:
    for attribute in attributes:
        name, value = attribute.name.lower(), attribute.value
        if name not in known:
            yield attribute, f"'{attribute.name}' is not an attribute of {kind}."
        elif name in _ACCESS and not _grants(name, value):
            levels = "public, protected, private" + ", immutable" * (name == "setaccess")
            text = f"'{attribute.name}' is {levels}, or classes such as {{?Name}}."
            yield attribute, text


def _grants(name: str, value: ast.Expr | None) -> bool:
    if isinstance(value, ast.CellLiteral | ast.MetaClass):
        return True
    level = value.id if isinstance(value, ast.Name) else getattr(value, "value", None)
    return isinstance(level, str) and (
        level.lower() in _LEVELS or (level.lower() == "immutable" and name == "setaccess")
    )
