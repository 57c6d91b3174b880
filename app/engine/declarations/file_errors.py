"""What a builtin says when a file is not there, may not be used, or is not what it should be.

Every file comes from outside: whatever Python or a library says about one becomes an error of
MATLAB's with an identifier, the file and what to do about it.
"""

from __future__ import annotations

import errno
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app import restricted
from app.engine.declarations.argument_errors import in_matlab_code
from app.engine.values import Value, is_text_scalar, text_of
from app.errors import FuselabError, MatlabError, said_by_system
from app.late_pattern import late_pattern
from app.log import topic

if TYPE_CHECKING:
    from app.engine.declarations.registry import Builtin

_LOG = topic("files")
_CLASS = late_pattern(r"<class '(?:\w+\.)*(\w+)'>")
"""How Python calls a class."""
_MOST_LETTERS = 200
_READING = frozenset({"files", "images", "sound", "tables", "text input", "web", "strings"})
_REMEDIES = {
    errno.ENOENT: "it does not exist",
    errno.EACCES: "its permissions do not allow that",
    errno.EPERM: "its permissions do not allow that",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is a file, not a folder",
    errno.EROFS: "the disk can only be read",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ELOOP: "its links go in circles",
    errno.EMFILE: "too many files are open; close some with fclose",
    errno.EFBIG: "it would be larger than allowed",
}


def refuse_file(builtin: Builtin, args: tuple[Value, ...], problem: Exception) -> None:
    """Raise MATLAB's error where ``problem`` is about a file; return where it is not.

    That is every error of the operating system, and, in a function that reads, every error in what
    is found in a file that its arguments name.
    """
    cause = problem.__cause__ if isinstance(problem, FuselabError) else problem
    if isinstance(cause, OSError):
        restricted.explain(cause)
    if isinstance(problem, FuselabError | RecursionError) or in_matlab_code(problem.__traceback__):
        return
    name = builtin.name.rpartition(".")[2]
    if isinstance(problem, OSError) and problem.errno and not _is_of_content(problem):
        _refuse_access(name, args, problem)
    file = _file_named(args) if builtin.category in _READING else None
    if file is not None and not _is_of_arithmetic(problem):
        raise _invalid_file(name, file, problem, others=len(args) > 1) from problem


@contextmanager
def reading(name: str, file: Path) -> Iterator[None]:
    """Within it whatever is wrong with the content of a file becomes MATLAB's error of a function;
    where a library reads it, or what is read later than the call that named the file."""
    try:
        yield
    except FuselabError:
        raise
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno and not _is_of_content(problem):
            raise
        raise _invalid_file(name, file, problem) from problem


def _is_of_content(problem: OSError) -> bool:
    """Whether the system refused a place in a file: its content led there."""
    return problem.errno == errno.EINVAL and problem.filename is None


def _is_of_arithmetic(problem: Exception) -> bool:
    """Whether array arithmetic said it: of what the caller gave, not of a file."""
    *_, (innermost, _) = traceback.walk_tb(problem.__traceback__)
    module = str(innermost.f_globals.get("__name__"))
    return module.startswith("numpy.") and not isinstance(problem, TypeError)


def _invalid_file(name: str, file: Path, problem: Exception, others: bool = False) -> MatlabError:
    """The error for a file, which is not what it should be; or for the ``others`` of the inputs."""
    _LOG.info("%s of %s: %r", name, file, problem)
    if isinstance(problem, MemoryError):
        return MatlabError("MATLAB:nomem", f"'{file}' holds more than memory does.")
    said = " ".join(_CLASS.sub(r"\1", str(problem)).split())[:200] or type(problem).__name__
    damaged = "it is damaged, cut short, or of another format than its name says"
    if others:
        text = (
            f"'{file}' cannot be used by {name} that way ({said}). Either the other inputs do not "
            f"fit it, or {damaged}."
        )
    else:
        text = (
            f"'{file}' cannot be read: {damaged} ({said}). Get the file again, or look at it with "
            "fopen and fread."
        )
    return MatlabError(f"MATLAB:{name}:invalidFile", text)


def _refuse_access(name: str, args: tuple[Value, ...], problem: OSError) -> None:
    code = problem.errno or 0
    file = problem.filename2 or problem.filename
    place = os.fsdecode(file) if isinstance(file, str | bytes) else _first_text(args)
    why = _REMEDIES.get(code, said_by_system(problem))
    if code == errno.ENOENT and place and not Path(place).parent.is_dir():
        why = f"there is no folder '{Path(place).absolute().parent}'; make it with mkdir"
    text = f"'{_shortened(place)}' cannot be used by {name}: {why}."
    raise MatlabError(f"MATLAB:{name}:fileAccess", text) from problem


def _shortened(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[:_MOST_LETTERS]}..."


def _first_text(args: tuple[Value, ...]) -> str:
    return next((text_of(a) for a in args if is_text_scalar(a)), "a file")


def _file_named(args: tuple[Value, ...]) -> Path | None:
    """The first argument that is the name of a file that is there."""
    for given in args:
        if is_text_scalar(given):
            place = Path(text_of(given)).expanduser()
            try:
                if place.is_file():
                    return place
            except (OSError, ValueError):  # no name of a file at all
                continue
    return None
