"""An error of Python as a script sees it."""

from __future__ import annotations

import traceback
from pathlib import Path

import app
from app.engine.builtins.python.py_remote import RemoteFailure
from app.engine.builtins.python.py_worker import UnresolvedNameError, UnsetVariableError
from app.engine.interpreter.objects.mexception import MException
from app.engine.values import Value
from app.errors import MatlabError

_OURS = str(Path(app.__file__).parent)


class PyException(MException):
    """``matlab.exception.PyException``: an MException with the exception of Python."""

    class_name = "matlab.exception.PyException"
    superclasses = ("MException",)

    def __init__(self, error: MatlabError, shown: Value) -> None:
        super().__init__(error)
        self._shown = shown

    def _property(self, name: str) -> Value:
        if name == "ExceptionObject":
            return self._shown
        return super()._property(name)

    def members(self) -> list[str]:
        """Names that ``properties`` shows."""
        return [*super().members(), "ExceptionObject"]


_OF_NAMES = {
    UnresolvedNameError.__name__: "MATLAB:undefinedVarOrClass",
    UnsetVariableError.__name__: "MATLAB:Python:UndefinedVariable",
}


def py_exception(problem: BaseException, shown: Value) -> MatlabError:
    """The error MATLAB:Python:PyException; its details are the traceback below our own code.

    A script is shown the exception as ``shown``.
    """
    kind = problem.kind if isinstance(problem, RemoteFailure) else type(problem).__name__
    if kind in _OF_NAMES:
        return MatlabError(_OF_NAMES[kind], str(problem))
    text = f"Python Error: {kind}: {problem}".rstrip().removesuffix(":")
    made = MatlabError("MATLAB:Python:PyException", text)
    frames = traceback.extract_tb(problem.__traceback__)
    first = next((k for k, f in enumerate(frames) if not f.filename.startswith(_OURS)), None)
    if isinstance(problem, RemoteFailure):
        made.details = problem.trace
    elif first is not None:
        made.details = "".join(traceback.format_list(frames[first:]))
    problem.with_traceback(None)
    made.payload = PyException(made, shown)
    return made
