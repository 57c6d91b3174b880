"""An interpreter of Python in a process of its own, and its objects as they are seen from here.

``py_worker`` runs there. Plain values and times are copied both ways, arrays, containers and tables
are copied to it; what stays there is a `Remote`, which asks for everything.
"""

from __future__ import annotations

import itertools
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import numpy as np

from app.engine.builtins.python import py_worker
from app.engine.builtins.python.py_copies import PARTS
from app.engine.builtins.python.py_remote import (
    ENDED,
    MAIN,
    LentFunction,
    Remote,
    RemoteAttributeFailure,
    RemoteFailure,
    mirror,
    number_in,
)
from app.engine.builtins.python.py_worker import REFERENCE, WholeNumber
from app.engine.stoppable import Stop
from app.engine.values import Array
from app.errors import Interrupted, MatlabError

_LOOK_EVERY = 0.05
_PATIENCE = 2.0
"""Seconds that Python code which is interrupted has to end."""
_START_PATIENCE = 60.0


class PythonProcess:
    """A running interpreter.

    Args:
        executable: its file.

    Raises:
        MatlabError: MATLAB:Python:NoInterpreter, it is no Python that serves.
    """

    def __init__(self, executable: str) -> None:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONHOME"}
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user has named it
                [executable, "-u", py_worker.__file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=sys.platform != "win32",
            )
        except OSError as problem:
            raise _no_interpreter(executable, str(problem)) from problem
        assert self._process.stdin is not None
        self._sink = self._process.stdin
        self._frames: queue.SimpleQueue[tuple[object, ...] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="python process", daemon=True)
        self._reader.start()
        self._lock = threading.RLock()
        self._kinds: dict[int, type[Remote]] = {}
        self._functions: dict[int, LentFunction] = {}
        self._failures: dict[int, BaseException] = {}
        self._tokens = itertools.count()
        self._decoders = self._decoder_table()
        self.released: list[int] = []
        self._folder = ""
        self._space: object = None
        self._modules: object = None
        self._greet(executable)

    def _greet(self, executable: str) -> None:
        try:
            hello = self._frames.get(timeout=_START_PATIENCE)
        except queue.Empty:
            hello = None
        if hello is None or hello[0] != py_worker.HELLO or hello[1] != py_worker.PROTOCOL:
            self.close()
            raise _no_interpreter(executable, "it does not answer as Python 3.10 or newer does")
        self.version, self.executable, self.home = map(str, hello[2:5])
        self.pid, self.library = cast("int", hello[5]), str(hello[6])

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream, suppress(EOFError, OSError):
            while True:
                self._frames.put(py_worker.read_frame(stream))
        self._frames.put(None)

    def modules(self) -> object:
        """What ``py`` stands for there."""
        if self._modules is None:
            self._modules = self.ask(f"{MAIN}.Modules", "py")
        return self._modules

    def space(self) -> object:
        """The variables there that ``pyrun`` keeps."""
        if self._space is None:
            self._space = self.ask(f"{MAIN}.new_space")
        return self._space

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            self._sink.close()
        self._reader.join()

    # --- calls ---

    def ask(
        self,
        function: str,
        *given: object,
        named: Mapping[str, object] | None = None,
        depth: int = REFERENCE,
    ) -> object:
        """What a function there gives.

        Args:
            function: its dotted name.
            given: its arguments.
            named: those that go by name.
            depth: what of the answer is copied.

        Raises:
            RemoteFailure: an exception of Python.
            MatlabError: MATLAB:Python:ProcessEnded, the process has ended.
        """
        with self._lock:
            released, self.released = self.released, []
            here = os.getcwd()  # noqa: PTH109 - asked with every call
            folder = None if here == self._folder else here
            sent = [self.encode(item) for item in given]
            by_name = {name: self.encode(item) for name, item in (named or {}).items()}
            self._send((py_worker.ASK, folder, released, function, sent, by_name, depth))
            self._folder = here
            return self._answer()

    def _send(self, message: tuple[object, ...]) -> None:
        try:
            py_worker.write_frame(self._sink, message)
        except (OSError, ValueError) as problem:  # ValueError: it has been closed
            raise self._end_error() from problem

    def _answer(self) -> object:
        while True:
            tag, *rest = self._next_frame()
            if tag == py_worker.OUTPUT:
                sys.stdout.write(str(rest[0]))
            elif tag == py_worker.CALL:
                self._call_back(*rest)
            elif tag == py_worker.ANSWER:
                return self.decode(rest[0])
            elif tag == py_worker.PASSED:
                raise self._failures.pop(cast("int", rest[0]))
            else:
                kind, message, trace, shown = rest
                is_of_name = kind in {"AttributeError", "UnresolvedNameError"}
                failure = RemoteAttributeFailure if is_of_name else RemoteFailure
                raise failure(str(kind), str(message), str(trace), self.decode(shown))

    def _call_back(self, number: object, args: object) -> None:
        function = self._functions[cast("int", number)]
        try:
            given = [self.decode(item) for item in cast("list[object]", args)]
            answer = (py_worker.ANSWER, self.encode(function(*given)))
        except BaseException as problem:  # it goes on where Python code lets it
            token = next(self._tokens)
            self._failures[token] = problem
            answer = (py_worker.FAILED, str(problem), token)  # type: ignore[assignment]
        self._send(answer)

    def _next_frame(self) -> tuple[object, ...]:
        while True:
            try:
                frame = self._frames.get(timeout=_LOOK_EVERY)
            except queue.Empty:
                try:
                    Stop.poll()
                except BaseException:
                    self._interrupt()
                    raise
                continue
            if frame is None:
                self._frames.put(None)
                raise self._end_error()
            return frame

    def _interrupt(self) -> None:
        """Python code that works there is interrupted; where it goes on, the process ends."""
        if sys.platform == "win32":
            self.close()
            return
        self._process.send_signal(signal.SIGINT)
        kept = {py_worker.ANSWER, py_worker.FAILED, py_worker.PASSED}
        with suppress(queue.Empty):
            while (frame := self._frames.get(timeout=_PATIENCE)) is not None:
                if frame[0] in kept:
                    return
                if frame[0] == py_worker.CALL:
                    token = next(self._tokens)
                    self._failures[token] = Interrupted()
                    self._send((py_worker.FAILED, "stopped", token))
        self.close()

    def _end_error(self) -> MatlabError:
        code = self._process.wait()
        text = (
            f"The Python process {self.pid} has ended (exit status {code}); its objects are lost. "
            "The next call of py. starts it again."
        )
        return MatlabError(ENDED, text)

    # --- values ---

    def encode(self, value: object) -> object:
        """What is sent for a value.

        Raises:
            MatlabError: MATLAB:Python:UnsupportedType, it can be in this process only.
        """
        if type(value) in py_worker.PLAIN:
            return value
        if isinstance(value, Remote):
            return ("yours", number_in(value, self))
        made = (
            self._container(value)
            or self._numbers(value)
            or py_worker.encoded_time(value)
            or self._made(value)
        )
        if made is None:
            kind = type(value).__qualname__
            text = f"A Python '{kind}' of this process cannot be sent to another one."
            raise MatlabError("MATLAB:Python:UnsupportedType", text)
        return made

    def _container(self, value: object) -> tuple[object, ...] | None:
        match value:
            case tuple() | list() | set() | frozenset():
                return (type(value).__name__, [self.encode(item) for item in value])
            case dict():
                pairs = [(self.encode(key), self.encode(item)) for key, item in value.items()]
                return ("dict", pairs)
            case LentFunction():
                self._functions[id(value)] = value
                return ("callback", id(value), value.__name__)
        return None

    def _numbers(self, value: object) -> tuple[object, ...] | None:
        match value:
            case WholeNumber():
                return ("whole", float(value))
            case complex():
                return ("complex", value.real, value.imag)
            case np.generic():
                return ("number", value.dtype.str, value.tobytes())
            case np.ndarray() if value.dtype.kind == "O":
                return ("list", [self.encode(item) for item in value])
            case np.ndarray():
                return ("array", value.dtype.str, value.shape, value.tobytes(order="F"))
        return None

    def _made(self, value: object) -> tuple[object, ...] | None:
        """A sparse matrix or a part of a table by the call that makes it; None for others."""
        name = f"{type(value).__module__.partition('.')[0]}.{type(value).__name__}"
        parts = PARTS.get(name)
        if parts is None:
            return None
        function, given, named = parts(value)
        return (
            "new",
            function,
            [self.encode(item) for item in given],
            {key: self.encode(item) for key, item in named.items()},
        )

    def decode(self, sent: object) -> object:
        """A value that was sent: copies of what is plain, references for the rest."""
        if not isinstance(sent, tuple):
            return sent
        tag, *rest = sent
        return self._decoders[tag](*rest)

    def _decoder_table(self) -> dict[str, Callable[..., object]]:
        """What makes a value of each kind that is sent."""
        collections = {kind.__name__: kind for kind in (tuple, list, set, frozenset)}
        return {
            "mine": self._remote,
            "whole": WholeNumber,
            "complex": complex,
            "array": lambda kind, shape, data: np.frombuffer(data, kind).reshape(shape, order="F"),
            "number": lambda kind, data: np.frombuffer(data, kind)[0],
            "objects": self._objects,
            "callback": lambda number: self._functions[number],
            "frame": self._frame,
            "zoned": self._zoned,
            "new": self._new,
            "dict": lambda pairs: {self.decode(k): self.decode(v) for k, v in pairs},
            **{name: self._collection(kind) for name, kind in collections.items()},
        }

    def _collection(self, kind: Callable[[Iterable[object]], object]) -> Callable[..., object]:
        return lambda items: kind(map(self.decode, items))

    def _remote(self, number: int, kind: int, described: tuple[object, ...] | None) -> object:
        if described is not None:
            self._kinds[kind] = mirror(*described)  # type: ignore[arg-type]
        return self._kinds[kind](self, number)

    def _objects(self, shape: tuple[int, ...], items: list[object]) -> object:
        made = np.empty(len(items), object)
        made[:] = [self.decode(item) for item in items]
        return made.reshape(shape, order="F")

    def _zoned(self, data: object, zone: str) -> object:
        import pandas as pd

        return pd.DatetimeIndex(cast("Array", self.decode(data)), tz="UTC").tz_convert(zone)

    def _new(self, name: str, given: list[object], named: dict[str, object]) -> object:
        if name not in _MAKERS:
            raise MatlabError(ENDED, f"The Python process asks for '{name}', which it may not.")
        return py_worker.call(
            py_worker.function_named(name),
            tuple(map(self.decode, given)),
            {key: self.decode(item) for key, item in named.items()},
        )

    def _frame(
        self, columns: list[tuple[str, object]], rows: object, plain: bool, name: str | None
    ) -> object:
        if find_spec("pandas") is None:
            text = "Tables of Python also need the package pandas where Fuselab is installed."
            raise MatlabError("MATLAB:Python:UnsupportedType", text)
        import pandas as pd

        index = pd.Index(self.decode(rows), name=name)
        made = {column: self.decode(values) for column, values in columns}
        return pd.DataFrame(
            {column: pd.Series(values, index=range(len(index))) for column, values in made.items()},
            index=range(len(index)),
        ).set_axis(pd.RangeIndex(len(index)) if plain else index, axis=0)


_MAKERS = frozenset(
    {f"datetime.{name}" for name in ("datetime", "date", "timedelta", "timezone")}
    | {"zoneinfo.ZoneInfo", "pandas.Categorical.from_codes"}
)
"""What the other process may have called here."""


def _no_interpreter(executable: str, why: str) -> MatlabError:
    text = f"'{executable}' cannot be used as the interpreter of Python: {why}."
    return MatlabError("MATLAB:Python:NoInterpreter", text)


def program_of(version: str) -> str:
    """The file of an interpreter, named by its file or its version (``3.12``).

    Raises:
        MatlabError: MATLAB:Python:NoInterpreter, there is none.
    """
    import shutil

    if Path(version).is_file():
        return version
    found = shutil.which(version) or shutil.which(f"python{version}")
    if found is None:
        raise _no_interpreter(version, "there is no such file, and no such version on the path")
    return found
