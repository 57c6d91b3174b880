"""Every exception of Fuselab.

::

    FuselabError
    ├── MatlabError      the script's fault: identifier, message, call stack
    │   └── SyntaxProblem    the text does not parse
    ├── InternalError    our fault: names the stage that broke
    ├── Unsupported      a provider cannot do this; the caller falls back and records why
    │   └── OutOfDeviceMemory
    ├── DomainLeft       a real kernel met a value whose answer is complex; redone on the host
    ├── DeviceLost       the device went away
    └── UsageError       wrong command line or settings
    Interrupted          the user pressed Stop (a BaseException: no catch block may swallow it)
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable

from app.records import record

MOST_DIMENSIONS = 64
"""Dimensions of the host's arrays."""
NO_FILE = errno.ESPIPE
"""The number of the error for what has a name and no content of its own."""
_REFUSALS = frozenset(
    getattr(errno, name)
    for name in (
        *("ENOSPC", "EDQUOT", "EROFS", "EIO", "EFBIG", "EACCES", "EPERM", "EMFILE", "ENFILE"),
        *("ESPIPE", "ELOOP", "ENAMETOOLONG"),
    )
    if hasattr(errno, name)
)


def said_by_system(problem: OSError) -> str:
    """What the system says of a problem; libraries put words of their own around it."""
    if problem.errno == NO_FILE:
        return "it is a pipe or a device, no file"
    if problem.errno == errno.ENXIO:
        return (
            "it is a pipe that nobody reads (start its reader first), or a device that is not there"
        )
    return os.strerror(problem.errno) if problem.errno else str(problem)


def refused_access(problem: BaseException) -> str:
    """What the system would not do with a file: no bug of ours; empty for everything else."""
    code = problem.errno if isinstance(problem, OSError) else None
    if not isinstance(problem, OSError) or code is None or code not in _REFUSALS:
        return ""
    file = problem.filename2 or problem.filename
    said = said_by_system(problem)
    return f"'{os.fsdecode(file)}': {said}" if isinstance(file, str | bytes) else said


def reason_of(problem: Exception) -> str:
    """Why something could not be done, for a sentence that names the file already."""
    if isinstance(problem, OSError) and problem.strerror:
        return said_by_system(problem)
    return str(problem)


class FuselabError(Exception):
    """Base of every error that Fuselab raises on purpose."""


@record
class StackFrame:
    """One frame of a MATLAB call stack, innermost first in a stack.

    Attributes:
        name: function name, or the script's name.
        file: file of the frame.
        line: line from 1; 0 when unknown.
        column: column from 1; 0 when unknown.
    """

    name: str
    file: str
    line: int
    column: int = 0


class MatlabError(FuselabError):
    """An error a script can catch, with MATLAB's identifier and message.

    Attributes:
        identifier: such as ``MATLAB:UndefinedFunction``; may be empty.
        message: the text shown to the user.
        stack: frames, innermost first; filled in where the error leaves the interpreter.
        payload: the MException value this error carries, if a script made one.
        caret: the source line it happened on and a line of carets; empty when unknown.
        details: lines that tell more of where it comes from, such as Python's own traceback.
        known: names that there are, where one was asked for that is not.
        octaves: Octave's identifier and message, where programs of its dialect ask for them.
    """

    octaves: tuple[str, str] | None = None
    known: Iterable[str] = ()

    def __init__(self, identifier: str, message: str) -> None:
        super().__init__(message)
        self.identifier = identifier
        self.message = message
        self.stack: tuple[StackFrame, ...] = ()
        self.payload: object = None
        self.caret = ""
        self.details = ""

    def as_in_octave(self, identifier: str, message: str) -> MatlabError:
        """The same error, which has Octave's own identifier and message in its dialect."""
        self.octaves = identifier, message
        return self

    def speak_octave(self) -> None:
        """Take Octave's identifier and message, where there are any."""
        if self.octaves is not None:
            (self.identifier, self.message), self.octaves = self.octaves, None
            self.args = (self.message,)

    def __reduce__(self) -> tuple[object, ...]:
        state = {"stack": self.stack, "caret": self.caret, "details": self.details}
        return type(self), (self.identifier, self.message), state

    def remembered(self) -> MatlabError:
        """The same error without the frames it came through, whose variables it would keep; a cause
        goes with it that has none."""
        made = MatlabError(self.identifier, self.message)
        made.stack, made.caret, made.details = self.stack, self.caret, self.details
        if self.__cause__ is not None and self.__cause__.__traceback__ is None:
            made.__cause__ = self.__cause__
        return made


_NONCONFORMANT = ("Octave:nonconformant-args", "nonconformant arguments")


def size_error() -> MatlabError:
    """The error for operands whose sizes do not expand to each other, on the host and the graph."""
    text = "Arrays have incompatible sizes for this operation."
    error = MatlabError("MATLAB:sizeDimensionsMustMatch", text)
    return error.as_in_octave(*_NONCONFORMANT)


def inner_error() -> MatlabError:
    """The error for factors whose inner dimensions differ, on the host and the graph."""
    text = (
        "Incorrect dimensions for matrix multiplication. Check that the number of columns in the "
        "first matrix matches the number of rows in the second matrix. To operate on each element "
        "of the matrix individually, use TIMES (.*) for elementwise multiplication."
    )
    return MatlabError("MATLAB:innerdim", text).as_in_octave(*_NONCONFORMANT)


def concatenation_error() -> MatlabError:
    """The error for arrays whose sizes differ across the dimension they are joined along."""
    text = "Dimensions of arrays being concatenated are not consistent."
    return MatlabError("MATLAB:catenate:dimensionMismatch", text)


def too_many_dimensions() -> MatlabError:
    """The error for an array of more dimensions than the host's arrays have."""
    text = f"Arrays have at most {MOST_DIMENSIONS} dimensions."
    return MatlabError("Fuselab:tooManyDimensions", text)


def agreement_error(identifier: str = "MATLAB:dimagree") -> MatlabError:
    """The error for the sides of a system of equations whose sizes do not go together."""
    return MatlabError(identifier, "Matrix dimensions must agree.")


def logical_nan_error() -> MatlabError:
    """The error for NaN where a truth is asked for."""
    return MatlabError("MATLAB:nologicalnan", "NaN values cannot be converted to logicals.")


def conversion_error(to: str, source: str) -> MatlabError:
    """The error for a value of the class ``source`` that cannot become one of the class ``to``."""
    return MatlabError(
        "MATLAB:invalidConversion", f"Conversion to {to} from {source} is not possible."
    )


def handles_in_array() -> MatlabError:
    """The error for function handles that would become an array."""
    text = "Nonscalar arrays of function handles are not allowed; use cell arrays instead."
    return MatlabError("MATLAB:err_non_scalar_handles", text)


class SyntaxProblem(MatlabError):
    """The text does not parse; nothing of it has run."""


class InternalError(FuselabError):
    """A bug of ours.

    Attributes:
        stage: the part that broke, such as ``planner``.
    """

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage


class Unsupported(FuselabError):
    """A provider cannot do what was asked; the step runs elsewhere and the reason is recorded."""


class FewElements(Unsupported):
    """Something computes less than kernels of its own are worth."""


class OutOfDeviceMemory(Unsupported):
    """An allocation on the device failed or would exceed the budget.

    Attributes:
        requested_bytes: size that was asked for.
    """

    def __init__(self, requested_bytes: int, message: str) -> None:
        super().__init__(message)
        self.requested_bytes = requested_bytes


class DomainLeft(FuselabError):
    """An element left the real domain of a guarded function; the exact answer is complex."""


class DeviceLost(FuselabError):
    """The device stopped answering; everything resident on it is gone."""


class UsageError(FuselabError):
    """The command line or a setting is wrong; the message says what to write instead."""


class Interrupted(BaseException):
    """The user asked to stop."""
