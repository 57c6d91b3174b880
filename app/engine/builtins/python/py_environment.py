"""``pyenv``: which interpreter of Python ``py.`` uses, and where it runs."""

from __future__ import annotations

import os
import platform
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

from app import restricted
from app.engine.builtins.property_objects import PropertyObject
from app.engine.builtins.python.py_process import PythonProcess, program_of
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import StringArray, Struct, Value, text_of
from app.engine.values.display import disp
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.arguments.call_context import CallContext
    from app.engine.values.display_format import DisplayFormat

_STATE = "python"
_MODES = {"inprocess": "InProcess", "outofprocess": "OutOfProcess"}


class Environment:
    """Which interpreter a session uses.

    Attributes:
        executable: its file where it runs in a process of its own; else empty.
        process: the process, None before and after it runs.
        status: Loaded or Terminated.
    """

    def __init__(self) -> None:
        self.executable = ""
        self.process: PythonProcess | None = None
        self.status = "Loaded"
        self._known: dict[str, str] = {}

    def choose(self, version: str, mode: str) -> None:
        """Take another interpreter, or another place for it.

        Args:
            version: a file, or a version; empty: the one that Fuselab runs in.
            mode: InProcess or OutOfProcess; empty: in process if it is the running one.

        Raises:
            MatlabError: there is no such interpreter, or it cannot run in this process.
        """
        running = not version or _is_running(version)
        if mode == "InProcess" and not running:
            text = (
                f"Only the Python that Fuselab runs in ({sys.executable}) can run in its process: "
                f"'{version}' needs ExecutionMode 'OutOfProcess'."
            )
            raise MatlabError("MATLAB:Python:OtherInterpreter", text)
        if running and mode != "OutOfProcess":
            self._leave("")
            return
        executable = sys.executable if running else program_of(version)
        if self.process is not None and self.process.runs and executable == self.executable:
            return
        process = PythonProcess(executable)
        self._leave(executable)
        self.process, self.status = process, "Loaded"
        self._known = {
            "Version": ".".join(process.version.split(".")[:2]),
            "Executable": process.executable,
            "Library": process.library,
            "Home": process.home,
        }

    def _leave(self, executable: str) -> None:
        if self.process is not None:
            self.process.close()
        self.executable, self.process, self.status = executable, None, "Loaded"

    def running_process(self) -> PythonProcess | None:
        """The process that runs Python, started if need be; None where this one does."""
        if not self.executable:
            return None
        if self.process is None or not self.process.runs:
            self.close()
            self.process, self.status = PythonProcess(self.executable), "Loaded"
        return self.process

    def close(self) -> None:
        """End the process, if there is one; objects in it are lost."""
        if self.process is not None:
            self.process.close()
            self.process, self.status = None, "Terminated"

    def facts(self) -> dict[str, str]:
        """The properties that ``pyenv`` shows."""
        if not self.executable:
            return {
                "Version": ".".join(platform.python_version_tuple()[:2]),
                "Executable": sys.executable,
                "Library": str(sysconfig.get_config_var("LDLIBRARY") or ""),
                "Home": sys.prefix,
                "Status": self.status,
                "ExecutionMode": "InProcess",
                "ProcessID": str(os.getpid()),
                "ProcessName": Path(sys.executable).stem,
            }
        if self.process is not None and not self.process.runs:
            self.close()
        facts = {**self._known, "Status": self.status, "ExecutionMode": "OutOfProcess"}
        if (process := self.process) is not None:
            facts |= {"ProcessID": str(process.pid), "ProcessName": Path(process.executable).stem}
        return facts


def _is_running(version: str) -> bool:
    """Whether a file or a version means the interpreter that runs."""
    running = platform.python_version()
    if version in {running, ".".join(running.split(".")[:2])}:
        return True
    # Not what a link leads to: an interpreter of another virtual environment has other packages.
    return Path(version).is_file() and Path(version).absolute() == Path(sys.executable).absolute()


def environment_of(ctx: CallContext) -> Environment:
    """The environment of a session."""
    made: Environment = ctx.state.setdefault(_STATE, Environment())
    return made


@native_type
class PythonEnvironment(PropertyObject):
    """What ``pyenv`` gives: the session's interpreter as it is when it is asked."""

    class_name = "matlab.pyclient.PythonEnvironment"
    is_handle = True
    travels = False

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def properties(self) -> dict[str, Value]:
        """All properties by name."""
        return {k: StringArray.scalar(v) for k, v in self.environment.facts().items()}

    def show(self, name: str, style: DisplayFormat) -> str:
        """The properties, one line each."""
        return f"  PythonEnvironment with properties:\n\n{disp(Struct(self.properties()), style)}\n"


@builtin(
    "pyenv",
    category="Python",
    signatures=("E = pyenv", "E = pyenv(Version=V, ExecutionMode=M)"),
    cases=('strcmp(pyenv().Status, "Loaded")', 'pyenv().ExecutionMode == "InProcess"'),
    see=("py", "terminate"),
)
def pyenv(ctx: CallContext, *pairs: Value) -> Value:
    """The Python interpreter that py. uses: Version, Executable, Library, Home, Status.

    It is the one that Fuselab runs in, in Fuselab's own process (ExecutionMode "InProcess").
    pyenv(Version=FILE) or pyenv(Version="3.12") takes another one, which runs in a process of its
    own ("OutOfProcess"); pyenv(ExecutionMode="OutOfProcess") runs the same one there. Arrays and
    containers are then copied to it, objects stay there; terminate(pyenv) ends it, and the next
    call of py. starts it anew.
    """
    if len(pairs) % 2:
        raise MatlabError("MATLAB:Python:NameValue", "Names and values come in pairs.")
    chosen = {"version": "", "executionmode": ""}
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        if text_of(name).lower() not in chosen:
            text = f"'{text_of(name)}' is not an option of pyenv."
            raise MatlabError("MATLAB:Python:UnknownOption", text)
        chosen[text_of(name).lower()] = text_of(value)
    mode = chosen["executionmode"]
    if mode and mode.lower() not in _MODES:
        text = f"ExecutionMode is 'InProcess' or 'OutOfProcess', not '{mode}'."
        raise MatlabError("MATLAB:Python:UnknownOption", text)
    environment = environment_of(ctx)
    if pairs:
        restricted.refuse("starting an interpreter of Python")
        environment.choose(chosen["version"], _MODES.get(mode.lower(), ""))
    return PythonEnvironment(environment)


@builtin(
    "terminate",
    category="Python",
    signatures=("terminate(E)",),
    cases=(
        "isempty(evalc(\"terminate(pyenv(ExecutionMode='OutOfProcess')); "
        "pyenv(ExecutionMode='InProcess');\"))",
    ),
    see=("pyenv",),
)
def terminate(ctx: CallContext, environment: Value) -> None:
    """End the process of Python: terminate(pyenv). Its objects are lost.

    ExecutionMode must be "OutOfProcess"; the next call of py. starts the process anew.
    """
    if not isinstance(environment, PythonEnvironment):
        raise MatlabError("MATLAB:Python:NotAnEnvironment", "terminate takes what pyenv gives.")
    if not environment.environment.executable:
        text = (
            "Python runs in Fuselab's own process (ExecutionMode InProcess) and ends with it alone."
        )
        raise MatlabError("MATLAB:Python:InProcess", text)
    environment.environment.close()
