"""Solvers called with one struct that describes the problem: ``fminunc(problem)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from app.engine.values import EMPTY, Struct, Value
from app.errors import MatlabError

_F = TypeVar("_F", bound=Callable[..., Any])


def takes_problem(*names: str) -> Callable[[_F], _F]:
    """The solver also takes a struct whose fields are its inputs, in this order."""

    def decorate(solver: _F) -> _F:
        said = inspect.signature(solver)
        inputs = [p for p in said.parameters.values() if p.name not in {"ctx", "nargout"}]
        least = sum(p.default is p.empty and p.kind is not p.VAR_POSITIONAL for p in inputs)
        with_context = "ctx" in said.parameters

        @wraps(solver)
        def solve(*args: Any, **keywords: Any) -> Any:
            given = args[1:] if with_context else args
            if len(given) == 1 and isinstance(given[0], Struct):
                given = _fields(given[0], names)
            if len(given) < least:
                raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
            return solver(*args[:with_context], *given, **keywords)

        parameters = [
            p.replace(default=None)
            if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "ctx" and p.default is p.empty
            else p
            for p in said.parameters.values()
        ]
        solve.__signature__ = said.replace(parameters=parameters)  # type: ignore[attr-defined]
        return solve  # type: ignore[return-value]

    return decorate


def _fields(problem: Struct, names: tuple[str, ...]) -> tuple[Value, ...]:
    """The inputs a problem names, up to the last one it has."""
    known = [problem.fields.get(n) for n in names]
    while known and known[-1] is None:
        known.pop()
    return tuple(EMPTY if v is None else v for v in known)
