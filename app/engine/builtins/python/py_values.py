"""How MATLAB's values and Python's correspond when a call crosses over.

============================================ ===================================================
MATLAB argument                              Python
============================================ ===================================================
double, single scalar (complex)              float (complex); a whole one also serves as an int
integer scalar                               int
logical scalar                               bool
char row, string scalar                      str
missing string                               None
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

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.dates.datetime_class import Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.builtins.python.py_tables import UNSUPPORTED, as_row, frame_of, time_of
from app.engine.values import (
    Cell,
    CharArray,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    SparseMatrix,
    StringArray,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext

CONVERSION = UNSUPPORTED


class WholeNumber(float):
    """A float without fraction that Python also takes where it wants an int.

    MATLAB's numbers are doubles: ``py.range(3)`` and ``py.numpy.zeros(4)`` mean counts. Python's
    messages call it what it is, and what keeps or sends it (pickle, copy) makes a plain float.
    """

    __slots__ = ()

    def __index__(self) -> int:
        return int(self)

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)


WholeNumber.__module__, WholeNumber.__name__, WholeNumber.__qualname__ = (
    "builtins",
    "float",
    "float",
)


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
            return _array(value.gather("needs-host-value: a Python call"))
        case np.ndarray():
            return _array(value)
        case StringArray():
            return _strings(value)
        case Cell():
            return tuple(to_python(item, ctx) for item in _vector(value, "cell"))
        case Struct():
            return {name: to_python(held, ctx) for name, held in value.fields.items()}
        case FunctionHandle():
            return Callback(value, ctx)
        case SparseMatrix():
            return value.matrix
        case NativeObject():
            return _object(value, ctx)
        case _:
            raise _unsupported(value)


def _unsupported(value: Value) -> MatlabError:
    kind = "char matrix" if isinstance(value, CharArray) else class_of(value)
    text = f"Conversion of MATLAB '{kind}' to Python is not supported."
    return MatlabError(CONVERSION, text)


def _array(value: Value) -> object:
    if not isinstance(value, np.ndarray):  # a gathered scalar
        return value
    if value.size == 1:
        single = value.item()
        whole = isinstance(single, float) and single.is_integer()
        return WholeNumber(single) if whole else single
    lent = as_row(value).view()
    lent.flags.writeable = False
    return lent


def _strings(value: StringArray) -> object:
    if value.data.size == 1:
        return value.data.flat[0]
    return list(_vector(value, "string"))


def _vector(value: Cell | StringArray, kind: str) -> Iterable[Value]:
    if len(value.shape) > 2 or (1 not in value.shape and value.data.size):
        text = f"Conversion of MATLAB '{kind}' to Python is only supported for 1-N vectors."
        raise MatlabError(CONVERSION, text)
    return value.data.ravel(order="F").tolist()


def _object(value: NativeObject, ctx: CallContext) -> object:
    from app.engine.builtins.python.py_object import PyObject

    if isinstance(value, PyObject):
        return value.held
    if isinstance(value, Datetime | Duration):
        return time_of(value)
    if isinstance(value, Table):
        return frame_of(value, lambda item: to_python(item, ctx))
    if value.class_name in {"containers.Map", "dictionary"}:
        keys, values = (ctx.call(name, (value,), 1)[0] for name in ("keys", "values"))
        pairs = zip(_elements(keys), _elements(values), strict=True)
        return {to_python(key, ctx): to_python(held, ctx) for key, held in pairs}
    raise _unsupported(value)


def _elements(value: Value) -> list[Value]:
    if isinstance(value, Cell):
        return value.items()
    if isinstance(value, StringArray):
        return [StringArray.scalar(text) for text in value.data.ravel(order="F")]
    return [canonical(item.reshape(1, 1)) for item in as_array(value).ravel(order="F")]


class Callback:
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


# --- from Python ------------------------------------------------------------------------------


def from_python(found: object) -> Value:
    """What Python gave as a MATLAB value: only bool, float and complex are converted."""
    from app.engine.builtins.python.py_object import PyObject

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


def matrix_of(found: object) -> Value:
    """Numbers that Python holds as a MATLAB array of their class; a copy of its own.

    Args:
        found: an array, a buffer, a number, or a sequence of numbers; one dimension makes a row.

    Raises:
        MatlabError: MATLAB:Python:UnsupportedType, they are no numbers.
    """
    data = np.array(found, order="F")
    data = data.astype(data.dtype.newbyteorder("="), copy=False)
    if data.dtype.kind not in "fiubc":
        kind = type(found).__name__
        raise MatlabError(CONVERSION, f"Conversion of Python '{kind}' to numbers is not supported.")
    if data.dtype == np.float16 or data.dtype.itemsize > (16 if data.dtype.kind == "c" else 8):
        data = data.astype(np.complex128 if data.dtype.kind == "c" else np.float64)
    shape = data.shape if data.ndim > 1 else (1, data.size)
    return canonical(data.reshape(shape, order="F"))
