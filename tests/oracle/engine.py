"""The engine as the test blocks need it: fresh workspaces and Octave's ``assert``."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from app.engine.interpreter.frames import DictWorkspace
from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.engine.values import (
    EMPTY,
    Cell,
    DeviceArray,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    as_array,
    class_of,
    is_char,
    is_numeric_like,
    size_of,
    text_of,
    true_value,
)
from app.errors import Interrupted, MatlabError
from app.source import SourceText


class Quiet:
    """A host that keeps what is printed and interrupts once its time is over."""

    windowed = False

    def __init__(self) -> None:
        self.text = ""
        self.expired = False

    def write(self, text: str) -> None:
        self.text += text

    def write_error(self, text: str, stream: str = "err") -> None:
        """Warnings are not compared."""

    def tell(self, event: object) -> None:
        """Nobody listens."""

    def ask(self, question: object) -> None:
        """There is no window to ask in."""

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        raise MatlabError("MATLAB:input:noInput", "There is no input to read.")

    def poll(self) -> None:
        """Stop when the time is over."""
        if self.expired:
            raise Interrupted


class Engine:
    """One interpreter with the functions a file of tests defines.

    Attributes:
        shared: variables that every block sees and may change.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        settings = octave_settings()
        self.host = Quiet()
        self.interpreter = Interpreter(settings, None, self.host, NATIVE, (self._folder.name,))
        self.interpreter.define_functions({"assert": _assert})
        self.shared: dict[str, Any] = {}

    def expire(self) -> None:
        """Stop what is running at its next look."""
        self.host.expired = self.interpreter.stop_flag.on = True

    def define(self, text: str) -> None:
        """Put a function of the test file in the place of an earlier one of its name."""
        head = text.split("\n", 1)[0].partition("=")
        name = (head[2] or head[0]).replace("function", "").strip().split("(")[0].strip()
        path = Path(self._folder.name, f"{name}.m")
        path.write_text(text, encoding="utf-8")
        self.interpreter.files.pop(str(path), None)
        self.interpreter.path.refresh()
        self.interpreter.path.version += 1
        self.interpreter.relink()

    def has(self, name: str) -> bool:
        """True when the name means something here."""
        return self.interpreter.find(None, name) is not None

    def run(self, code: str) -> Exception | None:
        """Run code in a workspace of the shared variables; the error it ended with, if any."""
        self.host.expired = False
        base = self.interpreter.base
        base.clear()
        base["#globals"] = set()
        view = DictWorkspace(self.interpreter, base)
        for name, value in self.shared.items():
            view.set(name, value)
        try:
            self.interpreter.run(SourceText("<block>", code))
        except MatlabError as problem:
            return problem
        except TimeoutError:
            raise
        except Exception as problem:
            return problem
        finally:
            for name in self.shared:
                value = view.get(name)
                self.shared[name] = EMPTY if value is None else value
        return None


def octave_settings(octave: bool = True) -> Any:
    from types import SimpleNamespace

    return SimpleNamespace(octave=octave, restricted=False, capture_threshold=1 << 40)


def _assert(*args: Any, nargout: int = 0) -> None:
    first = args[0]
    if len(args) == 1 or (
        len(args) > 1 and is_char(args[1]) and not is_char(first) and class_of(first) == "logical"
    ):
        if not true_value(first):
            raise MatlabError("Oracle:assert", "assert (cond) failed")
        return
    tolerance = float(as_array(args[2]).flat[0]) if len(args) > 2 else 0.0
    problem = _difference(first, args[1], tolerance)
    if problem:
        raise MatlabError("Oracle:assert", problem)


def _difference(a: Any, b: Any, tol: float) -> str:
    a, b = _host(a), _host(b)
    if is_char(b) or isinstance(b, StringArray):
        same = (is_char(a) or isinstance(a, StringArray)) and size_of(a) == size_of(b)
        return "" if same and np.array_equal(_codes(a), _codes(b)) else f"text {a!r} is not {b!r}"
    if size_of(a) != size_of(b):
        return f"size {size_of(a)} is not {size_of(b)}"
    if isinstance(b, Cell):
        return _all(a.items(), b.items(), tol) if isinstance(a, Cell) else "not a cell"
    if isinstance(b, Struct | StructArray):
        return _structs(a, b, tol)
    if not is_numeric_like(b) or not is_numeric_like(a):
        return "" if a is b or getattr(a, "text", 0) == getattr(b, "text", 1) else "not equal"
    return _numbers(a, b, tol)


def _host(v: Any) -> Any:
    return v.gather() if isinstance(v, DeviceArray) else v


def _codes(v: Any) -> Any:
    if isinstance(v, StringArray):
        return np.array([ord(c) for c in text_of(v)])
    return as_array(v).ravel()


def _all(left: list[Any], right: list[Any], tol: float) -> str:
    return next((d for x, y in zip(left, right, strict=True) if (d := _difference(x, y, tol))), "")


def _structs(a: Any, b: Any, tol: float) -> str:
    if not isinstance(a, Struct | StructArray) or set(a.fields) != set(b.fields):
        return "fields differ"
    for name in b.fields:
        x, y = a.fields[name], b.fields[name]
        many = isinstance(b, StructArray)
        left, right = (x.ravel().tolist(), y.ravel().tolist()) if many else ([x], [y])
        problem = _all(left, right, tol)
        if problem:
            return f"field {name}: {problem}"
    return ""


def _numbers(a: Any, b: Any, tol: float) -> str:
    if tol == 0 and class_of(a) != class_of(b):
        return f"class {class_of(a)} is not {class_of(b)}"
    if isinstance(a, SparseMatrix) != isinstance(b, SparseMatrix) and tol == 0:
        return "sparse and full"
    x, y = as_array(a).astype(np.complex128), as_array(b).astype(np.complex128)
    bad = (np.isnan(x) != np.isnan(y)) | (np.isinf(x) & (x != y))
    with np.errstate(all="ignore"):
        away = np.abs(x - y)
        limit = abs(tol) * (np.abs(y) if tol < 0 else 1.0)
        bad |= np.isfinite(x) & np.isfinite(y) & (away > limit)
    if not bad.any():
        return ""
    place = int(np.argmax(bad.ravel(order="F")))
    return f"element {place + 1}: {x.ravel(order='F')[place]} is not {y.ravel(order='F')[place]}"
