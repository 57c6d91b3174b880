"""``py.`` in an interpreter of Python: names, attributes and statements, and its own process.

The engine imports what is here for Python in its own process. For another interpreter that one
runs this file: it therefore needs nothing but the standard library (NumPy where it is installed),
of Python 3.10 or newer, and imports nothing of ours.

Frames in both directions are a length and a pickle of plain values; no class is ever unpickled.
The engine asks ``(ASK, folder, released, function, arguments, keywords, depth)``, the process
answers ``(ANSWER, value)``, ``(FAILED, class, message, traceback, exception)`` or, for an error
of a function of the engine's that it called, ``(PASSED, error)``; it may first call functions
(``CALL``) and print (``OUTPUT``).
"""

from __future__ import annotations

import builtins
import datetime as dt
import importlib
import importlib.util
import io
import os
import pickle
import signal
import struct
import sys
import sysconfig
import threading
import time
import traceback
import types
from typing import IO

PROTOCOL = 1
"""What both sides of the pipe must speak."""
HELLO, ASK, ANSWER, FAILED, PASSED, CALL, OUTPUT = range(7)
REFERENCE, SHALLOW, DEEP = range(3)
"""How an answer is wanted: as a reference, as a container of references, with all it holds."""
_LENGTH = struct.Struct("<Q")
_CONSTANTS = {"None": None, "True": True, "False": False}
PLAIN = (type(None), bool, int, float, str, bytes)
_LOOK_EVERY = 0.5


class UnresolvedNameError(AttributeError):
    """``py.name``: there is no such module or function."""


class UnsetVariableError(Exception):
    """A variable that statements should have set."""


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


class Modules(types.ModuleType):
    """What ``py`` stands for: Python's builtins, and every module by its name."""

    def __getattr__(self, name: str) -> object:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        search_current_folder()
        if name in sys.modules or importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
        raise UnresolvedNameError(
            f"Unable to resolve the name 'py.{name}': there is no module or function '{name}' in "
            f"{sys.executable}."
        )


def search_current_folder() -> None:
    """Modules of the current folder are found, behind those that are installed."""
    if "" not in sys.path:
        sys.path.append("")


def attribute(held: object, name: str) -> object:
    """An attribute of an object; of a package also a module that nobody has imported yet."""
    try:
        return getattr(held, name)
    except AttributeError:
        if not isinstance(held, types.ModuleType) or not hasattr(held, "__path__"):
            raise
        full = f"{held.__name__}.{name}"
        if importlib.util.find_spec(full) is None:
            raise
        return importlib.import_module(full)


def new_space() -> dict[str, object]:
    """The variables that statements begin with."""
    return {"__name__": "__main__"}


def run_code(
    space: dict[str, object],
    code: str,
    name: str,
    inputs: dict[str, object],
    outputs: list[str],
    arguments: list[str] | None = None,
) -> tuple[object, ...]:
    """Variables that statements have set.

    Args:
        space: all variables; a file has its own instead.
        code: the statements.
        name: the file that they are of, for tracebacks.
        inputs: variables that are set before.
        outputs: which variables are wanted.
        arguments: what ``sys.argv`` is for a file; None for statements that are none.

    Raises:
        UnsetVariableError: one of the outputs is not set.
    """
    if arguments is not None:
        space = {**new_space(), "__file__": name}
    space.update(inputs)
    search_current_folder()
    before = sys.argv, sys.path[:]
    if arguments is not None:
        folder = os.path.dirname(os.path.realpath(name))  # noqa: PTH120 - a text of sys.path
        sys.argv, sys.path[:] = arguments, [folder, *sys.path]
    try:
        exec(compile(code, name, "exec"), space)  # noqa: S102 - this is what the user asks for
    finally:
        if arguments is not None:
            sys.argv, sys.path[:] = before
    for wanted in outputs:
        if wanted not in space:
            raise UnsetVariableError(f"The Python code has not set the variable '{wanted}'.")
    return tuple(space[wanted] for wanted in outputs)


def call(function: object, given: tuple[object, ...], named: dict[str, object]) -> object:
    """What a function gives."""
    return function(*given, **named)  # type: ignore[operator]


def itself(value: object) -> object:
    """What it is given."""
    return value


def function_named(name: str) -> object:
    """What stands behind a dotted name: ``operator.add``, ``pandas.Categorical.from_codes``."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            if count == 1:
                raise
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    return getattr(builtins, name)


# --- frames -------------------------------------------------------------------------------------


class _PlainUnpickler(pickle.Unpickler):
    """Reads plain values only."""

    def find_class(self, module: str, name: str) -> object:
        """Refuse every class."""
        raise pickle.UnpicklingError(f"{module}.{name} is not a plain value")


def write_frame(stream: IO[bytes], message: object) -> None:
    """Send plain values."""
    data = pickle.dumps(message, 4)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[object, ...]:
    """Plain values that were sent.

    Raises:
        EOFError: the other side has ended.
    """
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    found: tuple[object, ...] = _PlainUnpickler(io.BytesIO(data)).load()
    return found


def encoded_time(value: object) -> tuple[object, ...] | None:
    """A point or length of time by what makes it; None for anything else, other zones too."""
    kind = type(value)
    if isinstance(value, dt.datetime) and kind is dt.datetime:
        zone = encoded_time(value.tzinfo) if value.tzinfo is not None else None
        if value.tzinfo is not None and zone is None:
            return None
        parts = (value.year, value.month, value.day, value.hour, value.minute, value.second)
        return ("new", "datetime.datetime", (*parts, value.microsecond, zone), {})
    if isinstance(value, dt.date) and kind is dt.date:
        return ("new", "datetime.date", (value.year, value.month, value.day), {})
    if isinstance(value, dt.timedelta) and kind is dt.timedelta:
        return (
            "new",
            "datetime.timedelta",
            (value.days, value.seconds, value.microseconds),
            {},
        )
    if kind is dt.timezone:
        shift = dt.datetime(2000, 1, 1, tzinfo=value).utcoffset()  # type: ignore[arg-type]
        return ("new", "datetime.timezone", (encoded_time(shift),), {})
    if isinstance(value, dt.tzinfo) and isinstance(key := getattr(value, "key", None), str):
        return ("new", "zoneinfo.ZoneInfo", (key,), {})
    return None


# --- the process --------------------------------------------------------------------------------


class MatlabFunctionError(Exception):
    """A function of the engine's that was called has failed."""

    def __init__(self, message: str, token: int) -> None:
        super().__init__(message)
        self.token = token


class _Callback:
    """A function of the engine's."""

    def __init__(self, server: Server, number: int, name: str) -> None:
        self.number = number
        self._server = server
        self.__name__ = name

    def __call__(self, *args: object) -> object:
        """Call it, on the thread that the engine has asked."""
        return self._server.call_engine(self.number, args)

    def __repr__(self) -> str:
        return f"<MATLAB function {self.__name__}>"


class _Printed(io.TextIOBase):
    """What is printed, sent on."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def writable(self) -> bool:
        """It is."""
        return True

    def write(self, text: str) -> int:
        """Send a text."""
        self._server.send((OUTPUT, text))
        return len(text)


class Server:
    """The process's side of the pipe: what the engine may hold, and what it asks.

    Args:
        source: where frames come from.
        sink: where they go.
    """

    def __init__(self, source: IO[bytes], sink: IO[bytes]) -> None:
        self._source, self._sink = source, sink
        self._lock = threading.Lock()
        self._thread = threading.get_ident()
        self._objects: dict[int, object] = {}
        self._kinds: dict[type, int] = {}
        self._count = 0
        self._at_work = False

    def send(self, message: object) -> None:
        """Send a frame, from any thread."""
        with self._lock:
            write_frame(self._sink, message)

    def serve(self) -> None:
        """Answer until the engine goes."""
        signal.signal(signal.SIGINT, self._interrupted)
        version = ".".join(map(str, sys.version_info[:3]))
        library = sysconfig.get_config_var("LDLIBRARY") or ""
        facts = version, sys.executable, sys.prefix, os.getpid(), library
        self.send((HELLO, PROTOCOL, *facts))
        while True:
            try:
                message = read_frame(self._source)
            except EOFError:
                return
            self._reply(message)

    def _interrupted(self, *_: object) -> None:
        if self._at_work:
            raise KeyboardInterrupt

    def _reply(self, message: tuple[object, ...]) -> None:
        before = self._at_work
        try:
            self._at_work = True
            answer = self._answer(message)
            self._at_work = before
        except MatlabFunctionError as problem:
            self._at_work = before
            answer = (PASSED, problem.token)
        except BaseException as problem:  # all errors of Python go to the script
            self._at_work = before
            answer = self._failed(problem)
        self.send(answer)

    def _failed(self, problem: BaseException) -> tuple[object, ...]:
        frames = [
            frame
            for frame in traceback.extract_tb(problem.__traceback__)
            if frame.filename != __file__
        ]
        lines = "".join(traceback.format_list(frames))
        problem.__traceback__ = None
        shown = self.encode((type(problem), problem))
        return (FAILED, type(problem).__name__, str(problem), lines, shown)

    def _answer(self, message: tuple[object, ...]) -> tuple[object, ...]:
        _, folder, released, name, given, named, depth = message
        for number in released:  # type: ignore[attr-defined]
            self._objects.pop(number, None)
        if folder is not None:
            os.chdir(folder)  # type: ignore[arg-type]
        function = function_named(name)  # type: ignore[arg-type]
        found = call(
            function,
            tuple(self.decode(item) for item in given),  # type: ignore[attr-defined]
            {key: self.decode(item) for key, item in named.items()},  # type: ignore[attr-defined]
        )
        return (ANSWER, self.encode(found) if depth == REFERENCE else self.copied(found, depth))  # type: ignore[arg-type]

    def call_engine(self, number: int, args: tuple[object, ...]) -> object:
        """Call a function of the engine's; answer what it asks meanwhile."""
        if threading.get_ident() != self._thread:
            raise RuntimeError("a MATLAB function can only be called on the thread of its script")
        self.send((CALL, number, [self._argument(item) for item in args]))
        while True:
            message = read_frame(self._source)
            if message[0] == ASK:
                self._reply(message)
            elif message[0] == ANSWER:
                return self.decode(message[1])
            else:
                raise MatlabFunctionError(str(message[1]), message[2])  # type: ignore[arg-type]

    def _argument(self, value: object) -> object:
        array = self._numpy_array(value)
        return self.encode(value) if array is None else array

    # --- values ---

    def decode(self, sent: object) -> object:
        """What the engine sent."""
        if not isinstance(sent, tuple):
            return sent
        tag, *rest = sent
        if tag == "yours":
            return self._objects[rest[0]]
        if tag == "whole":
            return WholeNumber(rest[0])
        if tag == "complex":
            return complex(*rest)
        if tag in ("tuple", "list", "set", "frozenset"):
            return getattr(builtins, tag)(self.decode(item) for item in rest[0])
        if tag == "dict":
            return {self.decode(key): self.decode(item) for key, item in rest[0]}
        if tag == "array":
            return _array(*rest)
        if tag == "number":
            return _array(rest[0], (1,), rest[1])[0]  # type: ignore[index]
        if tag == "callback":
            return _Callback(self, rest[0], rest[1])
        name, given, named = rest
        return call(
            function_named(name),
            tuple(self.decode(item) for item in given),
            {key: self.decode(item) for key, item in named.items()},
        )

    def encode(self, value: object) -> object:
        """Plain values as they are, others as references."""
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind is WholeNumber:
            return ("whole", float(value))  # type: ignore[arg-type]
        if isinstance(value, complex) and kind is complex:
            return ("complex", value.real, value.imag)
        if isinstance(value, _Callback):
            return ("callback", value.number)
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, numpy.generic) and value.dtype.kind in "fiubcmM":
            return ("number", value.dtype.str, value.tobytes())
        return encoded_time(value) or self._reference(value)

    def _reference(self, value: object) -> tuple[object, ...]:
        self._count += 1
        self._objects[self._count] = value
        kind = type(value)
        described = None if kind in self._kinds else _description(kind)
        self._kinds.setdefault(kind, len(self._kinds))
        return ("mine", self._count, self._kinds[kind], described)

    def copied(self, value: object, depth: int) -> object:
        """An array, a container or a table with what it holds; anything else as a reference."""
        inner = self.encode if depth == SHALLOW else lambda item: self.copied(item, DEEP)
        kind = type(value)
        if kind in (list, tuple, set, frozenset):
            return (kind.__name__, [inner(item) for item in value])  # type: ignore[attr-defined]
        if isinstance(value, dict):
            return ("dict", [(self.encode(key), inner(item)) for key, item in value.items()])
        if kind is range:
            return ("list", list(value))  # type: ignore[call-overload]
        if kind in PLAIN:
            return value
        array = self._numpy_array(value)
        if array is None and depth == DEEP:
            array = _buffer(value) or self._as_array(value)
        return self._frame(value) or array or self.encode(value)

    def _as_array(self, value: object) -> object:
        numpy = sys.modules.get("numpy")
        if numpy is None or not hasattr(value, "__array__"):
            return None
        return self._numpy_array(numpy.asarray(value))

    def _numpy_array(self, value: object) -> object:
        numpy = sys.modules.get("numpy")
        if numpy is None or not isinstance(value, numpy.ndarray):
            return None
        if value.dtype.kind == "O":
            items = [self.encode(item) for item in value.ravel(order="F")]
            return ("objects", value.shape, items)
        data = value.astype(value.dtype.newbyteorder("="), copy=False)
        if data.dtype.kind not in "fiubcmMUS":
            return None
        if data.dtype.str[1:] in ("f16", "c32"):  # no other machine has long doubles of this kind
            data = data.astype("f8" if data.dtype.kind == "f" else "c16")
        return ("array", data.dtype.str, data.shape, data.tobytes(order="F"))

    def _frame(self, value: object) -> object:
        pandas = sys.modules.get("pandas")
        if pandas is None or not isinstance(value, pandas.DataFrame):
            return None
        columns = [(str(name), self._column(pandas, value[name])) for name in value.columns]
        index = value.index
        plain = isinstance(index, pandas.RangeIndex) and (index.start, index.step) == (0, 1)
        rows = ("list", list(range(len(index)))) if plain else self._column(pandas, index)
        return ("frame", columns, rows, plain, None if plain else index.name)

    def _column(self, pandas: object, column: object) -> object:
        kind = column.dtype  # type: ignore[attr-defined]
        if isinstance(kind, pandas.CategoricalDtype):  # type: ignore[attr-defined]
            made = pandas.Categorical(column)  # type: ignore[attr-defined]
            codes = ("list", [int(code) for code in made.codes])
            names = ("list", [self.encode(name) for name in made.categories])
            named = {"categories": names, "ordered": bool(made.ordered)}
            return ("new", "pandas.Categorical.from_codes", (codes,), named)
        if isinstance(kind, pandas.DatetimeTZDtype):  # type: ignore[attr-defined]
            index = pandas.DatetimeIndex(column)  # type: ignore[attr-defined]
            utc = self._numpy_array(index.tz_convert("UTC").tz_localize(None).to_numpy())
            return ("zoned", utc, str(kind.tz))
        data = column.to_numpy()  # type: ignore[attr-defined]
        if data.dtype.kind != "O":
            return self._numpy_array(data)
        gone = column.isna()  # type: ignore[attr-defined]
        items = [
            None if absent else self.encode(item)
            for absent, item in zip(gone, data.tolist(), strict=True)
        ]
        return ("list", items)


def _array(kind: str, shape: tuple[int, ...], data: bytes) -> object:
    """An array of NumPy; without it array.array for one dimension, else a memoryview."""
    try:
        import numpy as np
    except ImportError:
        return _plain_array(kind, shape, data)
    made = np.frombuffer(data, np.dtype(kind)).reshape(shape, order="F")
    made.flags.writeable = False
    return made


_FORMATS = {"f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q"} | {
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "b1": "B",
}


def _plain_array(kind: str, shape: tuple[int, ...], data: bytes) -> object:
    import array

    if kind[1:] not in _FORMATS:
        raise TypeError(f"arrays of {kind[1:]} need NumPy in {sys.executable}")
    flat = array.array(_FORMATS[kind[1:]], data)
    if kind[1:] == "b1":
        return [bool(item) for item in flat]
    if len(shape) == 1:
        return flat
    rows = array.array(flat.typecode, [0]) * len(flat)
    for place in range(len(flat)):  # from the last dimension fastest to the first fastest
        rest, source, step = place, 0, len(flat)
        for size in reversed(shape):
            step //= size
            source += rest % size * step
            rest //= size
        rows[place] = flat[source]
    if not len(flat):
        return rows
    return memoryview(rows).cast("B").cast(rows.typecode, shape)  # type: ignore[arg-type]


def _buffer(value: object) -> object:
    """An array.array, a memoryview or a bytearray as an array in column order of one dimension."""
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    kinds = {code: kind for kind, code in _FORMATS.items() if kind != "b1"}
    kinds |= {"l": f"i{view.itemsize}", "L": f"u{view.itemsize}", "?": "b1"}
    if view.format not in kinds:
        return None
    order = "<" if sys.byteorder == "little" else ">"
    return ("array", order + kinds[view.format], view.shape, view.tobytes("F"))


def _description(kind: type) -> tuple[object, ...]:
    """What the engine knows of a class: its names, those above it, its methods."""
    above = [(base.__module__, base.__qualname__) for base in kind.__mro__]
    names = [
        name
        for name in dir(kind)
        if (not name.startswith("_") or name.startswith("__"))
        and callable(getattr(kind, name, None))
    ]
    return (kind.__module__, kind.__qualname__, above, names)


def _end_with(parent: int) -> None:
    """End when the engine has gone without closing the pipe while Python code works."""
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY)
    os._exit(1)


def main() -> None:
    """Serve the engine that has started this process through standard input and output."""
    sys.path.pop(0)  # the folder of this file
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    with open(os.devnull) as nothing:  # noqa: PTH123 - nothing more is loaded than it needs
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    server = Server(source, sink)
    sys.stdout = _Printed(server)
    if os.name != "nt":
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    server.serve()


if __name__ == "__main__":
    main()
