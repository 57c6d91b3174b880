"""Objects of Python in another process, as they are seen from here."""

from __future__ import annotations

import builtins
import collections
import collections.abc
import datetime as dt
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

import numpy as np

from app.engine.builtins.python.py_worker import DEEP, REFERENCE, SHALLOW
from app.engine.values import Array
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.builtins.python.py_process import PythonProcess

ENDED = "MATLAB:Python:ProcessEnded"
MAIN = "__main__"


class RemoteFailure(Exception):
    """An exception of Python in the other process.

    Attributes:
        kind: the name of its class.
        trace: the lines of its traceback.
        shown: its class and itself.
    """

    def __init__(self, kind: str, message: str, trace: str, shown: object) -> None:
        super().__init__(message)
        self.kind, self.trace, self.shown = kind, trace, shown


class RemoteAttributeFailure(RemoteFailure, AttributeError):
    """An attribute that an object in the other process has not."""


class LentFunction:
    """A function of the engine's that Python code may call."""

    __name__: str

    def __call__(self, *args: object) -> object:
        """Call it."""
        raise NotImplementedError


class Remote:
    """An object in the other process; its classes are made by `mirror`, one for each class there.

    To ``isinstance`` it is what it is there, as far as that class is known here.
    """

    __slots__ = ("__weakref__", "_number", "_process")
    above: tuple[tuple[str, str], ...] = ()
    seen_as: type | None = None
    __array_ufunc__ = None

    def __init__(self, process: PythonProcess, number: int) -> None:
        self._process, self._number = process, number

    def __getattribute__(self, name: str) -> object:
        if name == "__class__":
            return type(self).seen_as or type(self)
        return ask_of(self, f"{MAIN}.attribute", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name in {"_process", "_number"}:
            object.__setattr__(self, name, value)
        else:
            ask_of(self, "builtins.setattr", self, name, value)

    def __del__(self) -> None:
        process = object.__getattribute__(self, "_process")
        process.released.append(object.__getattribute__(self, "_number"))

    def __dir__(self) -> list[str]:
        return cast("list[str]", ask_of(self, "builtins.dir", self, depth=SHALLOW))

    def __repr__(self) -> str:
        return str(ask_of(self, "builtins.repr", self))

    def __str__(self) -> str:
        return str(ask_of(self, "builtins.str", self))

    def __bool__(self) -> bool:
        return bool(ask_of(self, "builtins.bool", self))

    def __eq__(self, other: object) -> bool:
        return cast("bool", ask_of(self, "operator.eq", self, other))

    def __ne__(self, other: object) -> bool:
        return cast("bool", ask_of(self, "operator.ne", self, other))

    def __hash__(self) -> int:
        return cast("int", ask_of(self, "builtins.hash", self))

    def __array__(self, dtype: object = None, copy: object = None) -> Array:
        found = fetched(self)
        if isinstance(found, Remote):  # no numbers
            made = np.empty((), object)
            made[()] = found
            return made
        return np.array(found, dtype)  # type: ignore[call-overload,no-any-return]


def ask_of(remote: Remote, function: str, *given: object, depth: int = REFERENCE) -> object:
    """What a function gives in the process that has an object."""
    process: PythonProcess = object.__getattribute__(remote, "_process")
    return process.ask(function, *given, depth=depth)


def number_in(remote: Remote, process: PythonProcess) -> int:
    """The number by which a process knows an object of its own."""
    if object.__getattribute__(remote, "_process") is not process:
        text = "The object belongs to a Python process that has ended or was left."
        raise MatlabError(ENDED, text)
    return cast("int", object.__getattribute__(remote, "_number"))


def fetched(held: object, depth: int = DEEP) -> object:
    """A copy of an object of the other process, where it is an array, a container or a table.

    Anything else, and what is in this process, stays as it is.
    """
    if not isinstance(held, Remote):
        return held
    return ask_of(held, f"{MAIN}.itself", held, depth=depth)


def superclass_names(kind: type) -> tuple[tuple[str, str], ...]:
    """The modules and names of the classes above one, also of one in the other process."""
    if issubclass(kind, Remote):
        return kind.above
    return tuple((base.__module__, base.__qualname__) for base in kind.__mro__[1:])


def _one(name: str) -> Callable[..., object]:
    def forward(self: Remote, *given: object) -> object:
        return ask_of(self, name, self, *given)

    return forward


def _reflected(name: str) -> Callable[..., object]:
    def forward(self: Remote, other: object) -> object:
        return ask_of(self, name, other, self)

    return forward


def _iterate(self: Remote) -> Iterator[object]:
    over = ask_of(self, "builtins.iter", self)
    while True:
        try:
            yield ask_of(self, "builtins.next", over)
        except RemoteFailure as problem:
            if problem.kind != "StopIteration":
                raise
            return


def _invoke(self: Remote, *given: object, **named: object) -> object:
    return ask_of(self, f"{MAIN}.call", self, given, named)


_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("and", "or", "xor", "lshift", "rshift"),
)
_WORDS = {"and": "and_", "or": "or_"}
_FORWARDED: dict[str, Callable[..., object]] = {
    **{f"__{name}__": _one(f"operator.{_WORDS.get(name, name)}") for name in _BINARY},
    **{f"__r{name}__": _reflected(f"operator.{_WORDS.get(name, name)}") for name in _BINARY},
    **{f"__{name}__": _one(f"operator.{name}") for name in ("lt", "le", "gt", "ge")},
    **{
        f"__{name}__": _one(f"operator.{name}") for name in ("neg", "pos", "abs", "invert", "index")
    },
    **{f"__{name}__": _one(f"operator.{name}") for name in ("getitem", "setitem", "delitem")},
    **{f"__{name}__": _one(f"builtins.{name}") for name in ("len", "float", "int", "complex")},
    "__contains__": _one("operator.contains"),
    "__iter__": _iterate,
    "__call__": _invoke,
}


def mirror(
    module: str, name: str, above: list[tuple[str, str]], methods: list[str]
) -> type[Remote]:
    """The class of objects whose class there has this name, these classes above and methods."""
    known = next((found for entry in above if (found := _local_class(*entry))), None)
    members: dict[str, object] = {
        method: _one("builtins.repr") for method in methods if not method.startswith("__")
    }
    members |= {method: _FORWARDED[method] for method in methods if method in _FORWARDED}
    members |= {
        "__slots__": (),
        "__module__": module,
        "__qualname__": name,
        "above": tuple(above[1:]),
        "seen_as": known,
    }
    return type(name.rpartition(".")[2], (Remote,), members)


_OF_TYPES = {
    kind.__qualname__: kind
    for kind in vars(types).values()
    if isinstance(kind, type) and kind.__module__ == "builtins"
}


def _local_class(module: str, name: str) -> type | None:
    match module:
        case "builtins":
            found = vars(builtins).get(name, _OF_TYPES.get(name))
        case "numpy":
            found = {"ndarray": np.ndarray, "ufunc": np.ufunc}.get(name)
        case "collections.abc":
            found = getattr(collections.abc, name, None)
        case "collections":
            found = getattr(collections, name, None)
        case "datetime":
            found = getattr(dt, name, None)
        case _:
            found = None
    return found if isinstance(found, type) and found is not object else None
