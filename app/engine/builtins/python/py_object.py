"""A Python object as a MATLAB value: members, indexing, operators, conversion, display."""

from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import (
    Callable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
    Sized,
)
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from app import restricted
from app.engine.builtins.python import py_values
from app.engine.builtins.python.py_exception import py_exception
from app.engine.builtins.python.py_tables import is_frame, table_of, times_from
from app.engine.builtins.python.py_values import from_python, matrix_of, to_python
from app.engine.capture.lazy_limits import Limits
from app.engine.declarations.registry import lookup, native_type
from app.engine.interpreter.indexing.gather_elements import select
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    StringArray,
    Struct,
    Value,
    as_array,
    canonical,
    is_argument_name,
    text_of,
)
from app.errors import Interrupted, MatlabError, Unsupported

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext

Method = Callable[["CallContext", tuple[Value, ...], int], Value]

_OPERATORS: dict[str, Callable[..., object]] = {
    "plus": operator.add,
    "minus": operator.sub,
    "times": operator.mul,
    "mtimes": operator.mul,
    "rdivide": operator.truediv,
    "mrdivide": operator.truediv,
    "power": operator.pow,
    "mpower": operator.pow,
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "and": operator.and_,
    "or": operator.or_,
    "not": operator.not_,
    "uminus": operator.neg,
    "uplus": operator.pos,
}
_NUMERIC = (
    *("double", "single", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64"),
)


class KeywordArguments:
    """What ``pyargs`` gives: the keyword arguments of a call."""

    def __init__(self, given: dict[str, object]) -> None:
        self.given = given


@contextmanager
def _python(ctx: CallContext) -> Iterator[None]:
    """Python code at work: its failures are MATLAB errors, what it prints is the script's output.

    Raises:
        MatlabError: MATLAB:Python:PyException, with Python's class, message and traceback.
    """
    from app.engine.builtins.python.py_output import print_redirected

    allow()
    with passing_errors(), print_redirected(ctx.write):
        yield


@contextmanager
def passing_errors() -> Iterator[None]:
    """Errors of Python within it are MATLAB's; those of MATLAB code below it go on as they are."""
    try:
        yield
    except (MatlabError, Interrupted, Unsupported, KeyboardInterrupt):
        raise
    except BaseException as problem:  # SystemExit too: Python code does not end the session
        raise py_exception(problem) from problem


def allow() -> None:
    """Refuse Python in a restricted run, and in a pass of a loop that is traced once for many."""
    restricted.refuse("calling Python")
    if Limits.pure:
        raise Unsupported("it calls Python")


def call_python(
    ctx: CallContext, function: Callable[..., object], args: tuple[Value, ...], nargout: int = 1
) -> Value:
    """Call a Python function with MATLAB values; ``name=value`` and ``pyargs`` go by their names.

    What gives None where no output is wanted gives no output.
    """
    given: list[object] = []
    named: dict[str, object] = {}
    with _python(ctx):
        name = ""
        for argument in args:
            if not name and is_argument_name(argument):
                name = text_of(argument)
                continue
            made = to_python(argument, ctx)
            if name:
                named[name], name = made, ""
            elif isinstance(made, KeywordArguments):
                named |= made.given
            else:
                given.append(made)
        found = function(*given, **named)
    return () if found is None and not nargout else from_python(found)


@native_type
class PyObject(NativeObject):
    """A Python object; assigning it to another variable makes no copy, as in Python.

    Attributes:
        held: the object.
    """

    is_handle = True

    def __init__(self, held: object) -> None:
        self.held = held

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """``py.`` and the class's module and name; builtins go without module."""
        if isinstance(self.held, types.ModuleType):
            return "py.module"
        return type_name(type(self.held))

    @property
    def superclasses(self) -> tuple[str, ...]:  # type: ignore[override]
        """The Python classes that ``isa`` knows."""
        return tuple(map(type_name, type(self.held).__mro__[1:]))

    @property
    def shape(self) -> tuple[int, ...]:
        """The array's shape, 1-by-length of a container, else 1-by-1."""
        held = self.held
        if isinstance(held, np.ndarray):
            return held.shape if held.ndim > 1 else (1, held.size)
        if isinstance(held, Sized) and not isinstance(held, type | types.ModuleType):
            return (1, len(held))
        return (1, 1)

    # --- members ---

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``x.name`` (a method without inputs is called) or ``x.name(args)``."""
        found = self._attribute(ctx, name)
        if args is not None:
            if callable(found):
                return call_python(ctx, found, args, nargout)
            return PyObject(found).paren_get(ctx, args) if args else from_python(found)
        if callable(found) and (self._is_module or _is_function(found) or isinstance(found, type)):
            return call_python(ctx, found, (), nargout)
        return from_python(found)

    def inner_member(self, ctx: CallContext, name: str) -> Value:
        """``x.name`` with more to come: a class or function is not called yet."""
        found = self._attribute(ctx, name)
        if callable(found) and _is_function(found):
            return call_python(ctx, found, ())
        return from_python(found)

    @property
    def _is_module(self) -> bool:
        return isinstance(self.held, types.ModuleType)

    def _attribute(self, ctx: CallContext, name: str) -> object:
        with _python(ctx):
            try:
                return getattr(self.held, name)
            except AttributeError:
                found = _submodule(self.held, name)
                if found is None:
                    raise
                return found

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``x.name = value``."""
        with _python(ctx):
            setattr(self.held, name, to_python(value, ctx))
        return self

    def members(self) -> list[str]:
        """Attributes without underscore that are no methods."""
        names = (n for n in dir(self.held) if not n.startswith("_"))
        kind = type(self.held)
        return [n for n in names if not callable(getattr(kind, n, None))]

    def methods(self) -> Mapping[str, Method]:  # type: ignore[override]
        """The methods of the Python class as functions, and the conversions."""
        kind = type(self.held)
        if kind not in _known_methods:
            _known_methods[kind] = _methods(kind)
        return _known_methods[kind]

    # --- indexing ---

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``x(args)``: the part of a sequence or array; of something that is called, its result."""
        held = self.held
        if callable(held):
            return call_python(ctx, held, args)
        with _python(ctx):
            if isinstance(held, np.ndarray):
                return PyObject(select(_two_dimensional(held), args))
            if isinstance(held, Mapping):
                return PyObject(held[_key(args, ctx)])
            places = _places(held, args)
            items = [held[k] for k in places]  # type: ignore[index]
            if isinstance(held, str):
                return PyObject("".join(items))
            if isinstance(held, bytes | bytearray):
                return PyObject(type(held)(items))
            return PyObject(tuple(items) if isinstance(held, tuple) else items)

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``x(args) = value``: one element, or those of an array; ``x(args) = []`` of a list."""
        held = self.held
        if value is None:
            return self._without(ctx, args)
        if isinstance(held, np.ndarray):
            with _python(ctx):
                view = _two_dimensional(held)
                numbers = np.arange(view.size).reshape(view.shape, order="F")
                chosen = select(numbers, args)
                places = np.unravel_index(chosen, view.shape, order="F")
                view[places] = to_python(value, ctx)
            return self
        return self.brace_set(ctx, args, value)

    def _without(self, ctx: CallContext, args: tuple[Value, ...]) -> NativeObject:
        held = self.held
        with _python(ctx):
            if isinstance(held, MutableMapping):
                del held[_key(args, ctx)]
            elif isinstance(held, MutableSequence):
                for place in sorted(set(_places(held, args)), reverse=True):
                    del held[place]
            else:
                text = f"Elements of a Python '{type(held).__name__}' cannot be deleted."
                raise MatlabError("MATLAB:Python:UnsupportedDeletion", text)
        return self

    def brace_get(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        """``x{args}``: elements, by position from 1 or by the key of a dict."""
        held = self.held
        with _python(ctx):
            if isinstance(held, np.ndarray):
                found = select(_two_dimensional(held), args).ravel(order="F")
                items = [from_python(item) for item in found]
            elif isinstance(held, Mapping):
                return from_python(held[_key(args, ctx)])
            else:
                items = [from_python(held[k]) for k in _places(held, args)]  # type: ignore[index]
        return items[0] if len(items) == 1 else tuple(items)

    def brace_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``x{args} = value``."""
        with _python(ctx):
            made = to_python(value, ctx)
            if isinstance(self.held, Mapping):
                self.held[_key(args, ctx)] = made  # type: ignore[index]
            else:
                for place in _places(self.held, args):
                    self.held[place] = made  # type: ignore[index]
        return self

    # --- operators and comparison ---

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Python's operators; lists and tuples join in ``[a, b]``."""
        from app.engine.interpreter.indexing.index_read import Hooks

        ctx = Hooks.context
        if operator in {"horzcat", "vertcat"}:
            return self._joined(ctx, args)
        function = _OPERATORS.get(operator)
        return NotImplemented if function is None else call_python(ctx, function, args)

    def _joined(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        if len(args) == 1:
            return args[0]
        held = [a.held for a in args if isinstance(a, PyObject)]
        kind = type(held[0])
        if len(held) < len(args) or kind not in {list, tuple, str}:
            return NotImplemented
        return call_python(ctx, functools.partial(functools.reduce, operator.add, held), ())

    def equals(self, other: Value) -> bool:
        """Whether Python finds them equal."""
        if not isinstance(other, PyObject):
            return False
        return bool(np.all(np.asarray(self.held == other.held)))

    # --- display ---

    def show(self, name: str, style: object) -> str:
        """As MATLAB shows it: what it is, its value, and what converts it."""
        held = self.held
        kind = type(held).__name__
        if isinstance(held, np.ndarray):
            body, hint = str(held), "double"
        elif isinstance(held, list | tuple):
            body, hint = repr(held), "string, double or cell"
        else:
            body, hint = (
                str(held),
                {"dict": "struct", "str": "string", "int": "double"}.get(kind, ""),
            )
        values = " with values" if hint and not isinstance(held, str | int) else ""
        text = "".join(f"    {line}\n" for line in body.split("\n"))
        tail = f"\n    Use {hint} function to convert to a MATLAB array.\n"
        if hint == "struct":
            tail = "\n    Use struct function to convert to a MATLAB struct.\n"
        return f"  Python {kind}{values}:\n\n{text}{tail if values else ''}"


def type_name(kind: type) -> str:
    """A Python class as MATLAB names it."""
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"py.{module}{kind.__qualname__}"


def _is_function(found: object) -> bool:
    return inspect.isroutine(found) or isinstance(found, np.ufunc)


def _submodule(held: object, name: str) -> object:
    """The module below a package that nobody has imported yet; None where there is none."""
    import importlib
    import importlib.util

    if not isinstance(held, types.ModuleType) or not hasattr(held, "__path__"):
        return None
    full = f"{held.__name__}.{name}"
    return importlib.import_module(full) if importlib.util.find_spec(full) else None


def _two_dimensional(held: Array) -> Array:
    return held if held.ndim > 1 else held.reshape(1, -1)


def _places(held: object, args: tuple[Value, ...]) -> list[int]:
    """Positions from 0 in a sequence."""
    if not isinstance(held, Sequence):
        text = (
            f"'{type(held).__name__}' has no elements by position; "
            "py.operator.getitem(object, key) asks Python for one."
        )
        raise MatlabError("MATLAB:index:unsupported", text)
    row = np.arange(len(held), dtype=np.float64).reshape(1, -1)
    return [int(k) for k in select(row, args).ravel(order="F")]


def _key(args: tuple[Value, ...], ctx: CallContext) -> object:
    if len(args) != 1:
        raise MatlabError("MATLAB:badsubscript", "A dict is indexed by one key.")
    return to_python(args[0], ctx)


# --- functions of Python objects ----------------------------------------------------------------


def _methods(kind: type) -> dict[str, Method]:
    """Functions that take an object of a Python class first."""
    found: dict[str, Method] = {
        name: _method(name)
        for name in dir(kind)
        if not name.startswith("_") and callable(getattr(kind, name, None))
    }
    return found | _FUNCTIONS


_known_methods: WeakKeyDictionary[type, dict[str, Method]] = WeakKeyDictionary()


def _method(name: str) -> Method:
    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        at = next(k for k, a in enumerate(args) if isinstance(a, PyObject))
        target = args[at]
        assert isinstance(target, PyObject)
        return target.get_member(ctx, name, (*args[:at], *args[at + 1 :]), nargout)

    return call


def _held(args: tuple[Value, ...]) -> object:
    (target,) = args
    assert isinstance(target, PyObject)
    return target.held


def _numbers(name: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held(args)
        if isinstance(held, bytes | bytearray):
            held = np.frombuffer(held, np.uint8)
        elif isinstance(held, int) and not isinstance(held, bool) and name.endswith("64"):
            low, high = (0, 2**64 - 1) if name == "uint64" else (-(2**63), 2**63 - 1)
            return canonical(np.array([[min(max(held, low), high)]], dtype=name))
        with _python(ctx):
            made = matrix_of(held)
        return ctx.call(name, (made,), 1)[0]

    return convert


def _logical(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    with _python(ctx):
        made = matrix_of(_held(args))
    return ctx.call("logical", (made,), 1)[0]


def _text(held: object) -> str:
    if isinstance(held, bytes | bytearray):
        return held.decode("utf-8", "replace")
    return str(held)


def _char(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    with _python(ctx):
        return _text(_held(args))


def _string(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held(args)
    with _python(ctx):
        if held is None:
            return StringArray.scalar(None)
        if isinstance(held, list | tuple):
            return StringArray.of([None if item is None else _text(item) for item in held])
        if isinstance(held, np.ndarray):
            flat = [str(item) for item in held.ravel(order="F").tolist()]
            return StringArray.of(flat, PyObject(held).shape)
        return StringArray.scalar(_text(held))


def _cell(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held(args)
    if isinstance(held, str | bytes) or not hasattr(held, "__iter__"):
        raise _no_conversion(held, "cell")
    with _python(ctx):
        if isinstance(held, np.ndarray):
            flat = [from_python(item) for item in held.ravel(order="F")]
            return Cell.of(flat, PyObject(held).shape)
        return Cell.of([from_python(item) for item in held])


def _struct(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held(args)
    if not isinstance(held, Mapping):
        raise _no_conversion(held, "struct")
    for key in held:
        if not (isinstance(key, str) and key.isidentifier()):
            text = f"The key {key!r} cannot name a field of a struct."
            raise MatlabError("MATLAB:Python:InvalidFieldName", text)
    return Struct({key: from_python(value) for key, value in held.items()})


def _time(kind: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held(args)
        made = times_from(held)
        if made is None or made.class_name != kind:
            raise _no_conversion(held, kind)
        return made

    return convert


def _table(kind: str) -> Method:
    def convert(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        held = _held(args)
        if not is_frame(held):
            raise _no_conversion(held, kind)
        with _python(ctx):
            made = table_of(held, py_values.to_matlab)
        if made.class_name != kind and kind == "timetable":
            raise MatlabError(py_values.CONVERSION, "The index of the DataFrame are no times.")
        return made if made.class_name == kind else ctx.call("timetable2table", (made,), 1)[0]

    return convert


def _dictionary(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    held = _held(args)
    if not isinstance(held, Mapping):
        raise _no_conversion(held, "dictionary")
    columns = tuple(_joined_items(list(items)) for items in (held.keys(), held.values()))
    return ctx.call("dictionary", columns if held else (), 1)[0]


def _joined_items(items: list[object]) -> Value:
    """Text as strings, numbers as doubles, anything else in a cell."""
    if all(isinstance(item, str) for item in items):
        return StringArray.of(map(str, items))
    if all(isinstance(item, int | float) for item in items):
        return matrix_of([float(item) for item in items])  # type: ignore[arg-type]
    return Cell.of([py_values.to_matlab(item) for item in items])


def _cellstr(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return ctx.call("cellstr", (_string(ctx, args, 1),), 1)[0]


def _no_conversion(held: object, kind: str) -> MatlabError:
    text = f"Conversion of Python '{type(held).__name__}' to {kind} is not supported."
    return MatlabError(py_values.CONVERSION, text)


def _end(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    target, position, count = args
    assert isinstance(target, PyObject)
    shape = target.shape
    if count == 1.0:
        return float(np.prod(shape))
    at = int(float(as_array(position).flat[0])) - 1
    return float(shape[at]) if at < len(shape) else 1.0


def _mod(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    return call_python(ctx, operator.mod, args)


def _of_one(name: str, convert: Method) -> Method:
    """A conversion of one object; with more arguments the function of that name is meant."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        if len(args) == 1:
            return convert(ctx, args, nargout)
        function = lookup(name)
        assert function is not None
        return function.call_past_methods(ctx, args, nargout)

    return call


_CONVERSIONS: dict[str, Method] = {
    **{name: _numbers(name) for name in _NUMERIC},
    "logical": _logical,
    "char": _char,
    "string": _string,
    "cell": _cell,
    "struct": _struct,
    "cellstr": _cellstr,
    "dictionary": _dictionary,
    **{name: _time(name) for name in ("datetime", "duration")},
    **{name: _table(name) for name in ("table", "timetable")},
}
_FUNCTIONS: dict[str, Method] = {
    **{name: _of_one(name, convert) for name, convert in _CONVERSIONS.items()},
    "mod": _mod,
    "end": _end,
}
