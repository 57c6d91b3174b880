"""Objects of Python as MATLAB values, and how the values of both correspond in calls.

============================================ ===================================================
MATLAB argument                              Python
============================================ ===================================================
double, single scalar (complex)              float (complex); a whole one also serves as an int
integer scalar                               int
logical scalar                               bool
char row, string scalar                      str
missing string, missing                      None
string array, row or column                  list of str
numeric, logical or complex row              numpy.ndarray with one dimension
other numeric, logical or complex array      numpy.ndarray of the same shape, column-major
sparse matrix                                scipy.sparse.csc_matrix
cell row or column                           tuple
struct scalar                                dict
containers.Map, dictionary with text keys    dict
datetime, duration scalar                    datetime.datetime, datetime.timedelta
datetime, duration array                     numpy.ndarray of datetime64, timedelta64
table, timetable                             pandas.DataFrame
function handle                              callable
Python object                                itself
============================================ ===================================================

Arrays are lent, not copied, and read-only: Python code that writes to one fails instead of changing
a MATLAB variable; ``py.numpy.array(x)`` is a copy of its own. What comes back stays a Python object
except bool, float and complex (NumPy's scalars of these kinds too), which become MATLAB's.
"""

from __future__ import annotations

import functools
import inspect
import operator
import threading
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
from app.engine.builtins.arrays.missing_values import Missing
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.dates.datetime_class import Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.builtins.python.py_exception import py_exception
from app.engine.builtins.python.py_remote import (
    LentFunction,
    Remote,
    RemoteFailure,
    ask_of,
    fetched,
    superclass_names,
)
from app.engine.builtins.python.py_tables import frame_of, time_of
from app.engine.builtins.python.py_values import (
    elements,
    lent_array,
    matrix_of,
    strings,
    unsupported,
    vector,
)
from app.engine.builtins.python.py_worker import SHALLOW, WholeNumber, attribute
from app.engine.capture.lazy_limits import Limits
from app.engine.declarations.class_methods import methods_of
from app.engine.declarations.registry import native_type
from app.engine.interpreter.indexing.gather_elements import select
from app.engine.values import (
    Array,
    Cell,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    SparseMatrix,
    StringArray,
    Struct,
    Value,
    canonical,
    is_argument_name,
    is_text_scalar,
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


class KeywordArguments:
    """What ``pyargs`` gives: the keyword arguments of a call."""

    def __init__(self, given: dict[str, object]) -> None:
        self.given = given


@contextmanager
def python_at_work(ctx: CallContext) -> Iterator[None]:
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
        pair = (type(problem), problem)
        shown = problem.shown if isinstance(problem, RemoteFailure) else pair
        raise py_exception(problem, PyObject(shown)) from problem


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
    with python_at_work(ctx):
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
        return tuple(_matlab_name(*name) for name in superclass_names(type(self.held)))

    @property
    def shape(self) -> tuple[int, ...]:
        """The array's shape, 1-by-length of a container, else 1-by-1."""
        held = self.held
        if isinstance(held, np.ndarray):
            return tuple(held.shape) if held.ndim > 1 else (1, held.size)
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
        with python_at_work(ctx):
            if isinstance(self.held, Remote):
                return getattr(self.held, name)
            return attribute(self.held, name)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``x.name = value``."""
        with python_at_work(ctx):
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
        with python_at_work(ctx):
            if isinstance(held, np.ndarray):
                return PyObject(_part(held, args))
            if isinstance(held, Mapping):
                return PyObject(held[_key(args, ctx)])
            places = _places(held, args)
            items = [held[k] for k in places]  # type: ignore[index]
            if isinstance(held, str):
                return PyObject("".join(items))
            if isinstance(held, bytes | bytearray):
                return PyObject(held.__class__(items))
            kind = tuple if isinstance(held, tuple) else list
            if isinstance(held, Remote):
                return PyObject(ask_of(held, f"builtins.{kind.__name__}", items))
            return PyObject(kind(items))

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``x(args) = value``: one element, or those of an array; ``x(args) = []`` of a list."""
        held = self.held
        if value is None:
            return self._with_deleted(ctx, args)
        if isinstance(held, np.ndarray):
            with python_at_work(ctx):
                view = _two_dimensional(held)
                view[_array_places(view, args)] = to_python(value, ctx)
            return self
        return self.brace_set(ctx, args, value)

    def _with_deleted(self, ctx: CallContext, args: tuple[Value, ...]) -> NativeObject:
        held = self.held
        with python_at_work(ctx):
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
        """``x{args}``: elements, by position from 1, by the key of a dict, or by the name of what
        has named parts: a column of a frame, a field of a structured array."""
        held = self.held
        with python_at_work(ctx):
            if _is_key_of(held, args):
                return from_python(held[text_of(args[0])])  # type: ignore[index]
            if isinstance(held, np.ndarray):
                found = fetched(_part(held, args), SHALLOW).ravel(order="F")  # type: ignore[attr-defined]
                items = [from_python(item) for item in found]
            elif isinstance(held, Mapping):
                return from_python(held[_key(args, ctx)])
            else:
                items = [from_python(held[k]) for k in _places(held, args)]  # type: ignore[index]
        return items[0] if len(items) == 1 else tuple(items)

    def brace_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``x{args} = value``."""
        with python_at_work(ctx):
            made = to_python(value, ctx)
            if isinstance(self.held, Mapping) or _is_key_of(self.held, args):
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
            return self._concatenated(ctx, args)
        function = _OPERATORS.get(operator)
        return NotImplemented if function is None else call_python(ctx, function, args)

    def _concatenated(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        if len(args) == 1:
            return args[0]
        held = [a.held for a in args if isinstance(a, PyObject)]
        kind = held[0].__class__
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
    return _matlab_name(kind.__module__, kind.__qualname__)


def _matlab_name(module: str, name: str) -> str:
    return f"py.{name}" if module == "builtins" else f"py.{module}.{name}"


def _is_function(found: object) -> bool:
    return inspect.isroutine(found) or isinstance(found, np.ufunc)


def _two_dimensional(held: Array) -> Array:
    return held if held.ndim > 1 else held.reshape(1, -1)


def _part(held: Array, args: tuple[Value, ...]) -> Array:
    """The elements of an array that subscripts name, where it lies."""
    view = _two_dimensional(held)
    is_here = not issubclass(type(held), Remote)
    return select(view, args) if is_here else view[_array_places(view, args)]


def _array_places(view: Array, args: tuple[Value, ...]) -> tuple[Array, ...]:
    """The subscripts from 0 of the elements that MATLAB's subscripts name."""
    shape = tuple(view.shape)
    chosen = select(np.arange(view.size).reshape(shape, order="F"), args)
    return np.unravel_index(chosen, shape, order="F")


def _places(held: object, args: tuple[Value, ...]) -> list[int]:
    """Positions from 0 in what has a length and parts; frames and series have them by labels."""
    labelled = isinstance(held, Mapping) or hasattr(held, "iloc")
    if labelled or not (isinstance(held, Sized) and hasattr(held, "__getitem__")):
        text = (
            f"'{type(held).__name__}' has no elements by position; "
            "py.operator.getitem(object, key) asks Python for one."
        )
        raise MatlabError("MATLAB:index:unsupported", text)
    row = np.arange(len(held), dtype=np.float64).reshape(1, -1)
    return [int(k) for k in select(row, args).ravel(order="F")]


def _is_key_of(held: object, args: tuple[Value, ...]) -> bool:
    """Whether a text names a part of an object that is no sequence of its own kind."""
    if len(args) != 1 or not (is_text_scalar(args[0]) and args[0] != ":"):
        return False
    return hasattr(held, "__getitem__") and not isinstance(held, Mapping | Sequence)


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
    return found | methods_of("py.object")


_known_methods: WeakKeyDictionary[type, dict[str, Method]] = WeakKeyDictionary()


def _method(name: str) -> Method:
    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        at = next(k for k, a in enumerate(args) if isinstance(a, PyObject))
        target = args[at]
        assert isinstance(target, PyObject)
        return target.get_member(ctx, name, (*args[:at], *args[at + 1 :]), nargout)

    return call


# --- conversion -------------------------------------------------------------------------------


def to_python(value: Value, ctx: CallContext) -> object:
    """``value`` as a Python function is given it, by the table above.

    Raises:
        MatlabError: MATLAB:Python:UnsupportedType, Python has no such value.
    """
    match value:
        case float():
            return WholeNumber(value) if value.is_integer() else value
        case bool() | complex() | str():
            return value
        case DeviceArray():
            return lent_array(value.gather("needs-host-value: a Python call"))
        case np.ndarray():
            return lent_array(value)
        case StringArray():
            return strings(value)
        case Cell():
            return tuple(to_python(item, ctx) for item in vector(value, "cell"))
        case Struct():
            return {name: to_python(held, ctx) for name, held in value.fields.items()}
        case FunctionHandle():
            return Callback(value, ctx)
        case SparseMatrix():
            return value.matrix
        case NativeObject():
            return _object(value, ctx)
        case _:
            raise unsupported(value)


def _object(value: NativeObject, ctx: CallContext) -> object:
    if isinstance(value, PyObject):
        return value.held
    if isinstance(value, Datetime | Duration):
        return time_of(value)
    if isinstance(value, Missing) and value.shape == (1, 1):
        return None
    if isinstance(value, Table):
        return frame_of(value, lambda item: to_python(item, ctx))
    if value.class_name in {"containers.Map", "dictionary"}:
        keys, values = (ctx.call(name, (value,), 1)[0] for name in ("keys", "values"))
        pairs = zip(elements(keys), elements(values), strict=True)
        return {to_python(key, ctx): to_python(held, ctx) for key, held in pairs}
    raise unsupported(value)


class Callback(LentFunction):
    """A function handle as a Python callable.

    Its arguments are MATLAB values where these exist: numbers, text and arrays; what else Python
    passes stays a Python object. It gives the handle's first output, None where it has none.
    """

    def __init__(self, handle: FunctionHandle, ctx: CallContext) -> None:
        self.handle = handle
        self._ctx = ctx
        self._thread = threading.get_ident()
        self.__name__ = handle.name or "anonymous"

    def __call__(self, *args: object) -> object:
        """Call the handle.

        Raises:
            RuntimeError: on another thread than the one that runs the script.
        """
        if threading.get_ident() != self._thread:
            raise RuntimeError("a MATLAB function can only be called on the thread of its script")
        given = tuple(to_matlab(a) for a in args)
        made = self._ctx.call(self.handle, given, 1 if self._has_output() else 0)
        return to_python(made[0], self._ctx) if made else None

    def _has_output(self) -> bool:
        return self._ctx.arity(self.handle)[1] > 0  # -1: it gives a value where there is one

    def __repr__(self) -> str:
        return f"<MATLAB function {self.__name__}>"


def from_python(found: object) -> Value:
    """What Python gave as a MATLAB value: only bool, float and complex are converted."""
    match found:
        case bool() | np.bool_():
            return bool(found)
        case float() | np.floating():
            return float(found)
        case complex() | np.complexfloating():
            return complex(found) if found.imag else float(found.real)
        case Callback():
            return found.handle
        case _:
            return PyObject(found)


def to_matlab(found: object) -> Value:
    """A Python value as the MATLAB value nearest to it; other objects stay Python's."""
    match found:
        case bool() | float() | complex() | np.bool_() | np.floating() | np.complexfloating():
            return from_python(found)
        case int():
            return float(found)
        case str():
            return found
        case np.integer():
            return canonical(np.array([[found]]))
        case np.ndarray() if found.dtype.kind in "fiubc":
            return matrix_of(found)
        case _:
            return from_python(found)
