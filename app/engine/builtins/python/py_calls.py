"""``py``, ``pyargs``, ``pyrun``, ``pyrunfile``."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from app import textfile
from app.engine.builtins.python.py_environment import environment_of
from app.engine.builtins.python.py_object import (
    KeywordArguments,
    PyObject,
    allow,
    from_python,
    python_at_work,
    to_python,
)
from app.engine.builtins.python.py_worker import SHALLOW, Modules, new_space, run_code
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, StringArray, Value, is_text_scalar, text_of
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext

_FAMILY = "Python"
_STATE = "pyrun"
_MODULES = PyObject(Modules("py"))


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
def py(ctx: CallContext) -> Value:
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
    process = environment_of(ctx).running_process()
    return _MODULES if process is None else PyObject(process.modules())


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


def _executed(
    ctx: CallContext,
    code: str,
    name: str,
    rest: tuple[Value, ...],
    nargout: int,
    arguments: list[str] | None = None,
) -> tuple[Value, ...] | None:
    """The outputs of statements; a file, which has arguments, has variables of its own."""
    names, pairs = _outputs_and_inputs(rest)
    if names is None and nargout > 0:
        text = 'Name the Python variables to return: x = pyrun(code, "x").'
        raise MatlabError("MATLAB:Python:NoOutputs", text)
    inputs = _keyword_arguments(pairs, ctx)
    process = environment_of(ctx).running_process()
    asked = code, name, inputs, names or [], arguments
    found: object
    with python_at_work(ctx):
        if process is None:
            space = ctx.state.setdefault(_STATE, new_space())
            found = run_code(space, *asked)
        else:
            found = process.ask("__main__.run_code", process.space(), *asked, depth=SHALLOW)
    assert isinstance(found, tuple)
    return None if names is None else tuple(map(from_python, found))


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
    return _executed(ctx, "\n".join(_texts(code)), "<pyrun>", rest, nargout)


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
    return _executed(ctx, textfile.read(path).text, str(path), rest, nargout, [name, *arguments])
