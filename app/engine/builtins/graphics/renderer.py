"""The process that draws figures for files and frames: started once, kept while there are figures.

The engine knows no pixels. The process may load Qt and needs no display; it gets figures as plain
data and writes files.
"""

from __future__ import annotations

import importlib
import os
import pickle
import select
import struct
import subprocess
import threading
import weakref
from pathlib import Path
from typing import Any, NoReturn

from app import helpers, restricted, sandbox
from app.errors import MatlabError

RENDERER = "app.ui.plots.render_file"
TIMEOUT_S = 120.0


class _Forked:
    """The drawing process of a run that may not start programs: a copy made of it beforehand.

    It waits, and loads what it needs when the first figure comes.
    """

    def __init__(self) -> None:
        down, up, told = os.pipe(), os.pipe(), os.pipe()
        self._number = os.fork()
        if not self._number:
            _serve(down[0], up[1], told[1], (down[1], up[0], told[0]))
        for end in (down[0], up[1], told[1]):
            os.close(end)
        self.stdin, self.stdout = os.fdopen(down[1], "wb"), os.fdopen(up[0], "rb")
        self.stderr = os.fdopen(told[0], "rb")

    def poll(self) -> int | None:
        """None while it runs."""
        done, status = os.waitpid(self._number, os.WNOHANG)
        return status if done else None

    def kill(self) -> None:
        """It ends with its input; a drawing that hangs is ended by its own alarm."""
        self.stdin.close()

    def wait(self) -> int:
        """Wait for its end."""
        return os.waitpid(self._number, 0)[1]


def _serve(source: int, sink: int, problems: int, others: tuple[int, ...]) -> NoReturn:
    """The life of the forked process."""
    status = 1
    try:
        for end in others:
            os.close(end)
        for number, end in enumerate((source, sink, problems)):
            os.dup2(end, number)
        sandbox.forbid_processes()
        if select.select([0], [], [])[0]:
            os.environ["QT_QPA_PLATFORM"] = "offscreen"
            status = importlib.import_module(RENDERER).main()
    finally:
        os._exit(status)


_forked: list[_Forked] = []


def fork_server() -> None:
    """Make the drawing process of a confined one, which is about to lose the right to make any."""
    _forked.append(_Forked())


def _started_process() -> subprocess.Popen[bytes] | _Forked:
    """The drawing process: a program of ours in an environment no script has touched."""
    if _forked:
        return _forked.pop()
    environment = helpers.python_environment() | {"QT_QPA_PLATFORM": "offscreen"}
    with restricted.restriction_lifted():
        return subprocess.Popen(  # noqa: S603 - our own module, our own interpreter
            helpers.module_command(RENDERER),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


def _end_process(process: subprocess.Popen[bytes] | _Forked) -> None:
    with restricted.restriction_lifted():  # a restricted script may run while it is collected
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


class RenderProcess:
    """Draws one figure after the other into files."""

    def __init__(self, owner: object) -> None:
        self._process = _started_process()
        self.close = weakref.finalize(owner, _end_process, self._process)

    @property
    def alive(self) -> bool:
        """Whether it can draw."""
        return self.close.alive and self._process.poll() is None

    def draw(self, model: Any, path: Path, dpi: float) -> None:
        """Write a figure to a file; MATLAB's error where that fails."""
        restricted.check_writing(path)
        watch = threading.Timer(TIMEOUT_S, self._process.kill)
        watch.start()
        try:
            problem = self._problem_of_request(pickle.dumps((str(path.absolute()), dpi, model)))
        except OSError:
            problem = "the drawing process ended"
        finally:
            watch.cancel()
            watch.join()
        if problem:
            raise MatlabError(
                "MATLAB:print:CannotCreateFile", f"Cannot write the figure to '{path}': {problem}"
            )

    def _problem_of_request(self, request: bytes) -> str:
        """Send a request; the problem it met, or nothing."""
        wire, answer = self._process.stdin, self._process.stdout
        if wire is None or answer is None:
            return "there is no way to the drawing process"
        wire.write(struct.pack("<Q", len(request)) + request)
        wire.flush()
        line = answer.readline().decode(errors="replace").rstrip("\n")
        if line == "done":
            return ""
        if line:
            return line
        said = self._process.stderr.read() if self._process.stderr is not None else b""
        self.close()
        return (said.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
