"""The front door: picks the verb, and turns every ending into an exit code.

0 fine, 1 the script failed, 2 wrong usage, 3 a bug of ours, 130 interrupted. Nothing heavy is
imported here; each verb imports what it needs.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from app import blas, helpers
from app.errors import NO_FILE, Interrupted, UsageError, refused_access
from app.startup import loading_modules

assert helpers  # imported now: it keeps the environment as it is at the start

STARTED_NS = time.perf_counter_ns()
FINE, FAILED, USAGE, BUG, INTERRUPTED = 0, 1, 2, 3, 130
COMPILING = "fuselab-compile"
"""Threads of this name only make code that would be kept for the next time."""


def enter() -> NoReturn:
    """The command ``fuselab``: run it and end the process.

    Nobody waits for a compiler at work: Python would, and its libraries must not be taken apart
    beneath it. So the process ends at once, unless some other thread has work left.
    """
    _have_streams()
    code = main()
    if any(map(_is_awaited, threading.enumerate())):
        sys.exit(code)
    atexit._run_exitfuncs()  # noqa: SLF001 - os._exit would leave them out
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:  # a full disk, which has been told if anything could be told
        code = code or FAILED
    os._exit(code)


def _have_streams() -> None:
    """Closed streams lead nowhere, what an encoding has no bytes for is printed as a ``?``; a
    current folder that has gone is replaced."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 - open as long as the process
    out, all_bytes = sys.stdout, ("utf-8", "surrogateescape")
    if isinstance(out, TextIOWrapper) and (out.encoding, out.errors) != all_bytes:
        out.reconfigure(errors="replace")
    try:
        os.getcwd()  # noqa: PTH109 - asked before pathlib is there
    except FileNotFoundError:
        instead = os.path.expanduser("~")  # noqa: PTH111 - as above
        os.chdir(instead)
        sys.stderr.write(f"fuselab: the current folder has gone; {instead} is used instead\n")


def _is_awaited(thread: threading.Thread) -> bool:
    ours = thread is threading.main_thread() or thread.name.startswith(COMPILING)
    return not (ours or thread.daemon)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    blas.begin()
    try:
        return _dispatch(list(sys.argv[1:] if arguments is None else arguments))
    except UsageError as problem:
        return _complain(str(problem), USAGE)
    except (KeyboardInterrupt, Interrupted):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return FINE
    except OSError as problem:
        if not refused_access(problem):
            return _complain(_report(problem), BUG)
        what = refused_access(problem)
        said = what if problem.errno == NO_FILE else f"output could not be written: {what}"
        return _complain(said, FAILED)
    except Exception as bug:  # the crash barrier: nothing escapes unreported
        return _complain(_report(bug), BUG)


def _report(bug: BaseException) -> str:
    from app import crash

    return crash.report(bug)


def _dispatch(arguments: list[str]) -> int:
    place = os.path.dirname(__file__)  # noqa: PTH120 - before pathlib is there
    if not os.path.isdir(place):  # noqa: PTH112 - as above
        raise UsageError(f"{place} is inside an archive, whose files cannot be read: install it")
    with loading_modules():
        from app.cli import command_line
        from app.cli.project_options import with_project

        options = with_project(command_line.parse(arguments))
        handler = command_line.handler(options.verb)
    return handler(options)


def _complain(message: str, code: int) -> int:
    with suppress(OSError):
        sys.stdout.flush()
    sys.stderr.write(f"fuselab: {message}\n")
    return code
