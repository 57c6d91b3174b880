"""``py``, ``pyargs``, ``pyrun``, ``pyrunfile``, ``pyenv``."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import os
import platform
import shlex
import sys
import sysconfig
import types
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app import textfile
from app.engine.builtins.python.py_object import (
    KeywordArguments,
    PyObject,
    allow,
    call_python,
    from_python,
    to_python,
)
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, StringArray, Struct, Value, is_text_scalar, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext

_FAMILY = "Python"
_STATE = "pyrun"
_CONSTANTS = {"None": None, "True": True, "False": False}


class Modules(types.ModuleType):
    """What ``py`` stands for: Python's builtins, and every module by its name."""

    def __getattr__(self, name: str) -> object:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        _search_current_folder()
        if name in sys.modules or importlib.util.find_spec(name) is not None:
            return importlib.import_module(name)
        text = (
            f"Unable to resolve the name 'py.{name}': there is no module or function '{name}' in "
        )
        raise MatlabError("MATLAB:undefinedVarOrClass", f"{text}{sys.executable}.")


_MODULES = PyObject(Modules("py"))


def _search_current_folder() -> None:
    """Modules of the current folder are found, behind those that are installed."""
    if "" not in sys.path:
        sys.path.append("")


@builtin(
    "py",
    category=_FAMILY,
    signatures=("R = py.module.function(A, B)",),
    cases=(
        "isequal(double(py.numpy.linspace(0, 1, 5)), 0:0.25:1)",
        "isequal(cell(py.list({1, 'a', true})), {1, py.str('a'), true})",
        "strcmp(char(py.str('abc').upper()), 'ABC')",
        "py.math.hypot(3, 4) == 5",
        "double(py.int('ff', base=16)) == 255",
    ),
    see=("pyrun", "pyargs", "pyenv"),
)
def py() -> Value:
    """Python's functions and modules: py.len(x), py.numpy.linspace(0, 1, 5), py.mymodule.f(x).

    Numbers, text and truth cross over as float, int, str and bool, arrays as NumPy arrays that are
    lent and not copied (py.numpy.array(x) is a copy that may be changed), cell rows as tuples,
    structs as dicts, function handles as callables. Results of Python's classes bool, float and
    complex become MATLAB's; others stay Python objects with their methods, properties, operators,
    x{1}, x(1:2), x{'key'}, and are converted by double, int64, logical, char, string, cell, struct.
    Keyword arguments are given as name=value or by pyargs('name', value). An error of Python has
    the identifier MATLAB:Python:PyException.
    """
    allow()
    return _MODULES


@builtin(
    "pyargs",
    category=_FAMILY,
    signatures=("KW = pyargs(NAME, VALUE, ...)",),
    cases=("double(py.int('ff', pyargs('base', int32(16)))) == 255",),
    see=("py",),
)
def pyargs(ctx: CallContext, *pairs: Value) -> Value:
    """Keyword arguments of a Python call: py.int('ff', pyargs('base', int32(16)))."""
    return PyObject(KeywordArguments(_keyword_arguments(pairs, ctx)))


def _keyword_arguments(pairs: tuple[Value, ...], ctx: CallContext) -> dict[str, object]:
    if len(pairs) % 2:
        raise MatlabError("MATLAB:Python:NameValue", "Names and values come in pairs.")
    found: dict[str, object] = {}
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        if not is_text_scalar(name):
            raise MatlabError("MATLAB:Python:NameValue", "The name of an argument must be text.")
        found[text_of(name)] = to_python(value, ctx)
    return found


def _texts(value: Value) -> list[str]:
    if isinstance(value, StringArray):
        return [text or "" for text in value.data.ravel(order="F")]
    if isinstance(value, Cell):
        return [text_of(item) for item in value.items()]
    return [text_of(value)]


def _outputs_and_inputs(rest: tuple[Value, ...]) -> tuple[list[str] | None, tuple[Value, ...]]:
    """The names of outputs, if any are given, and the pairs of inputs."""
    return (_texts(rest[0]), rest[1:]) if len(rest) % 2 else (None, rest)


def _outputs(
    space: dict[str, object], names: list[str] | None, nargout: int
) -> tuple[Value, ...] | None:
    if names is None:
        if nargout > 0:
            text = 'Name the Python variables to return: x = pyrun(code, "x").'
            raise MatlabError("MATLAB:Python:NoOutputs", text)
        return None
    missing = [name for name in names if name not in space]
    if missing:
        text = f"The Python code has not set the variable '{missing[0]}'."
        raise MatlabError("MATLAB:Python:UndefinedVariable", text)
    return tuple(from_python(space[name]) for name in names)


def _execute(ctx: CallContext, code: str, name: str, space: dict[str, object]) -> None:
    def run() -> None:
        exec(compile(code, name, "exec"), space)  # noqa: S102 - this is what the user asks for

    call_python(ctx, run, ())


@builtin(
    "pyrun",
    category=_FAMILY,
    signatures=("[X1, X2, ...] = pyrun(CODE, NAMES, NAME=VALUE, ...)", "pyrun(CODE)"),
    cases=(
        'pyrun("y = x**2", "y", x=3) == 9',
        'strcmp(string(pyrun(["a = \'x\'", "b = a + a"], "b")), "xx")',
    ),
    see=("py", "pyrunfile"),
)
def pyrun(
    ctx: CallContext, code: Value, *rest: Value, nargout: int = 0
) -> tuple[Value, ...] | None:
    """Run Python statements: X = pyrun("x = a + 1", "x", a=1).

    CODE is text, or a string array with a statement per element. NAMES are the Python variables to
    return; NAME=VALUE sets variables before. Variables stay for the next pyrun of the session.
    """
    allow()
    names, pairs = _outputs_and_inputs(rest)
    space = cast("dict[str, object]", ctx.state.setdefault(_STATE, {"__name__": "__main__"}))
    space.update(_keyword_arguments(pairs, ctx))
    _search_current_folder()
    _execute(ctx, "\n".join(_texts(code)), "<pyrun>", space)
    return _outputs(space, names, nargout)


@builtin(
    "pyrunfile",
    category=_FAMILY,
    signatures=("[X1, X2, ...] = pyrunfile(FILE, NAMES, NAME=VALUE, ...)", "pyrunfile(FILE)"),
    cases=('py.operator.contains(pyrunfile(char(py.keyword.__file__), "kwlist"), "def")',),
    see=("py", "pyrun"),
)
def pyrunfile(
    ctx: CallContext, file: Value, *rest: Value, nargout: int = 0
) -> tuple[Value, ...] | None:
    """Run a Python file: X = pyrunfile("script.py", "x", a=1).

    Arguments of the script stand behind its name: pyrunfile("script.py 'first' second"). Its
    variables are its own.
    """
    allow()
    name, *arguments = shlex.split(text_of(file), posix=os.name != "nt") or [""]
    path = Path(name)
    if not path.is_file():
        raise MatlabError("MATLAB:Python:FileNotFound", f"There is no Python file '{name}'.")
    names, pairs = _outputs_and_inputs(rest)
    space: dict[str, object] = {"__name__": "__main__", "__file__": str(path)}
    space.update(_keyword_arguments(pairs, ctx))
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[:] = [name, *arguments], [str(path.resolve().parent), *sys.path]
    try:
        _execute(ctx, textfile.read(path).text, str(path), space)
    finally:
        sys.argv, sys.path[:] = before
    return _outputs(space, names, nargout)


@builtin(
    "pyenv",
    category=_FAMILY,
    signatures=("E = pyenv", "E = pyenv(Version=V)"),
    cases=('strcmp(pyenv().Status, "Loaded")',),
    see=("py",),
)
def pyenv(*pairs: Value) -> Value:
    """The Python interpreter that py. uses: Version, Executable, Library, Home, Status.

    It is the one that Fuselab runs in. Version may name that one; another interpreter is refused:
    install Fuselab into it to use its packages.
    """
    for name, value in zip(pairs[::2], pairs[1::2], strict=False):
        _check_option(text_of(name), value)
    if len(pairs) % 2:
        raise MatlabError("MATLAB:Python:NameValue", "Names and values come in pairs.")
    facts = {
        "Version": ".".join(platform.python_version_tuple()[:2]),
        "Executable": sys.executable,
        "Library": str(sysconfig.get_config_var("LDLIBRARY") or ""),
        "Home": sys.prefix,
        "Status": "Loaded",
        "ExecutionMode": "InProcess",
        "ProcessID": str(os.getpid()),
        "ProcessName": Path(sys.executable).stem,
    }
    return Struct({name: StringArray.scalar(text) for name, text in facts.items()})


def _check_option(name: str, setting: Value) -> None:
    if name.lower() not in {"version", "executionmode"}:
        raise MatlabError("MATLAB:Python:UnknownOption", f"'{name}' is not an option of pyenv.")
    value = text_of(setting)
    if name.lower() == "version":
        running = platform.python_version()
        same_file = Path(value).exists() and Path(value).resolve() == Path(sys.executable).resolve()
        if same_file or running == value or running.startswith(f"{value}."):
            return
        text = (
            f"py. uses the Python that Fuselab runs in: {sys.executable} ({running}). To use "
            f"'{value}', install Fuselab there (pip install fuselab) and start it from there."
        )
        raise MatlabError("MATLAB:Python:OtherInterpreter", text)
    if value.lower() != "inprocess":
        text = "ExecutionMode OutOfProcess is not available: py. runs in Fuselab's own process."
        raise MatlabError("MATLAB:Python:OutOfProcess", text)
