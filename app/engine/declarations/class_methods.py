"""Functions that have a meaning of their own for a class of ours, declared where they are written.

A module above a class says ``add_methods("table", {"sortrows": …})`` and ``add_operators("table",
…)``; the class answers with `methods_of` and `operators_of`. Which modules these are is read from
their text, as with builtins; they are imported when the class is asked for the first time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from app.engine.declarations import toolboxes
from app.engine.declarations.builtin_index import extensions
from app.engine.values import Value

Methods = dict[str, Callable[..., Value]]
Operators = Callable[[str, tuple[Value, ...]], Value]
_methods: dict[str, Methods] = {}
_operators: dict[str, Operators] = {}


def add_methods(class_name: str, methods: Methods) -> None:
    """Functions, called with the context, the inputs and the number of outputs, for a class."""
    _methods.setdefault(class_name, {}).update(methods)


def add_operators(class_name: str, operators: Operators) -> None:
    """What the operators of a class do: given a name and the operands, NotImplemented for none."""
    _operators[class_name] = operators


@cache
def methods_of(class_name: str) -> Methods:
    """The functions that have been added to a class."""
    _import_extensions(class_name)
    return _methods.get(class_name, {})


@cache
def operators_of(class_name: str) -> Operators:
    """What the operators of a class do."""
    _import_extensions(class_name)
    return _operators[class_name]


def _import_extensions(class_name: str) -> None:
    for module in (*extensions().get(class_name, ()), *toolboxes.extensions(class_name)):
        import_module(module)
