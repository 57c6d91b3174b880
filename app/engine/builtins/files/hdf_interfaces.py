"""How the functions of HDF5's library are called: ``H5F.open(…)``, and what they are given."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.files.hdf_identifiers import LIBRARY_ERROR, Identifier, refusal
from app.engine.declarations.argument_errors import error_of_arity
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Array,
    NativeObject,
    Value,
    as_array,
    float_of,
    is_text_scalar,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from h5py._objects import ObjectID
    from h5py.h5s import SpaceID

Function = Callable[..., Value]
ENDLESS = 2**64 - 1
"""What the library calls a dimension without limit; MATLAB's functions say -1."""
_C_TYPES = {
    "CHAR": "INT8",
    "SCHAR": "INT8",
    "UCHAR": "UINT8",
    "SHORT": "INT16",
    "USHORT": "UINT16",
    "INT": "INT32",
    "UINT": "UINT32",
    "LONG": "INT64",
    "ULONG": "UINT64",
    "LLONG": "INT64",
    "ULLONG": "UINT64",
}
"""The types of C by the names that h5py has for them."""
functions: dict[str, dict[str, Function]] = {}
"""By the names of interfaces, and their own."""
_calling: set[str] = set()
"""The full names of those that call functions of MATLAB; they get the session first."""


class Interface(NativeObject):
    """One part of the library: ``H5F`` for files, ``H5D`` for data sets and so on."""

    is_handle = True
    travels = False

    def __init__(self, name: str) -> None:
        self.class_name = name

    def members(self) -> list[str]:
        """The names of its functions."""
        return sorted(functions[self.class_name])

    def get_member(
        self, ctx: object, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``H5F.open(…)``."""
        function = functions[self.class_name].get(name)
        if function is None:
            there = ", ".join(self.members())
            text = f"{self.class_name}.{name} is not supported. There is: {there}."
            raise MatlabError("MATLAB:undefinedVarOrClass", text)
        try:
            given = args or ()
            calls = f"{self.class_name}.{name}" in _calling
            return function(ctx, *given) if calls else function(*given)
        except MatlabError:
            raise
        except FileNotFoundError as problem:
            raise MatlabError("MATLAB:imagesci:hdf5io:resourceNotFound", str(problem)) from problem
        except (OSError, ValueError, TypeError, KeyError, RuntimeError, AttributeError) as problem:
            if told := error_of_arity(problem):
                raise told from problem
            text = f"{self.class_name}.{name}: the HDF5 library refused: {problem}"
            raise MatlabError(LIBRARY_ERROR, text) from problem


def library_function(*names: str, calls: bool = False) -> Callable[[Function], Function]:
    """Declare a function of the library by its full names; ``calls``: it gets the session first."""

    def declare(function: Function) -> Function:
        _calling.update(names if calls else ())
        for full in names:
            interface, _, name = full.partition(".")
            functions.setdefault(interface, {})[name] = function
        return function

    return declare


def forward_method(full: str, give: Callable[[object], Value] = lambda found: ()) -> None:
    """Declare a function that is a method of what its first argument names, with numbers behind."""
    name = full.partition(".")[2]

    def call(target: Value, *args: Value) -> Value:
        return give(getattr(held_by(target), name)(*map(number_of, args)))

    library_function(full)(call)


def declare_interface(name: str, subject: str, case: str) -> None:
    """Declare one part of the library."""
    listed = ", ".join(sorted(functions[name]))
    text = (
        f"HDF5's own functions for {subject}: {listed}. They take what the library's functions "
        "of these names take, constants by their names; dimensions are in the library's order, "
        "which is the reverse of MATLAB's."
    )
    first = min(functions[name])
    builtin(
        name,
        category="files",
        signatures=(f"R = {name}.{first}(...)",),
        cases=(case,),
        see=("h5read", "h5write", "h5info"),
        text=text,
        most=0,
    )(lambda: Interface(name))


def close(held: Value) -> Value:
    """Close something of the library that has no name of its own for it."""
    held_by(held)._close()  # noqa: SLF001 - the library has no other name for it
    return ()


# --- arguments ----------------------------------------------------------------------------------


def held_by(value: Value) -> ObjectID:
    """What an argument stands for: an identifier, or the name of a type that always exists."""
    if isinstance(value, Identifier):
        return value.held
    if is_text_scalar(value):
        return constant_of(text_of(value))
    raise refusal("An identifier of the HDF5 library (H5ML.id) is needed.")


def constant_of(name: str) -> ObjectID:
    """A constant by its name, such as ``H5F_ACC_RDWR``."""
    interface, _, rest = name.partition("_")
    if not interface.isidentifier() or find_spec(f"h5py.{interface.lower()}") is None:
        raise refusal(f"'{name}' is not a constant of the HDF5 library.")
    if rest.startswith("NATIVE_"):
        rest = "NATIVE_" + _C_TYPES.get(rest[7:], rest[7:])
    found = getattr(import_module(f"h5py.{interface.lower()}"), rest, None)
    if found is None:
        raise refusal(f"'{name}' is not a constant of the HDF5 library.")
    return found


def number_of(value: Value) -> int:
    """A number, which may be given by the name of a constant; -1 is without limit."""
    if is_text_scalar(value):
        return int(constant_of(text_of(value)))
    found = float_of(value)
    return ENDLESS if found == -1 or np.isinf(found) else int(found)


def lengths_of(value: Value) -> tuple[int, ...]:
    """Lengths or places, one for each dimension."""
    if is_text_scalar(value):
        return (number_of(value),)
    return tuple(number_of(float(n)) for n in as_array(value).ravel())


def properties_of(value: Value) -> ObjectID | None:
    """A list of properties; None for the default ones."""
    return value.held if isinstance(value, Identifier) else None


def chosen_space(value: Value) -> SpaceID | None:
    """A data space; None for all of it."""
    return value.held if isinstance(value, Identifier) else None


def name_of(value: Value) -> bytes:
    """A name as the library takes it."""
    return text_of(value).encode()


def dimensions_row(lengths: tuple[int, ...] | None) -> Array:
    """Lengths as a row; -1 for none."""
    return np.array([[-1.0 if n in (None, ENDLESS) else float(n) for n in lengths or ()]])
