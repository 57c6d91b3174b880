"""The process that draws figures for files and frames: started once, kept while there are figures.

The engine knows no pixels. The process may load Qt and needs no display; it gets figures as plain
data and writes files.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import app
from app.errors import MatlabError

RENDERER = "app.ui.plots.render_file"
TIMEOUT_S = 120.0


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


class RenderProcess:
    """Draws one figure after the other into files."""

    def __init__(self, owner: object) -> None:
        folder = str(Path(app.__file__).resolve().parents[1])
        paths = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": paths}
        self._process = subprocess.Popen(  # noqa: S603 - our own module, our own interpreter
            [sys.executable, "-m", RENDERER],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.close = weakref.finalize(owner, _end, self._process)

    @property
    def alive(self) -> bool:
        """Whether it can draw."""
        return self.close.alive and self._process.poll() is None

    def draw(self, model: Any, path: Path, dpi: float) -> None:
        """Write a figure to a file; MATLAB's error where that fails."""
        watch = threading.Timer(TIMEOUT_S, self._process.kill)
        watch.start()
        try:
            problem = self._ask(pickle.dumps((str(path.absolute()), dpi, model)))
        except OSError:
            problem = "the drawing process ended"
        finally:
            watch.cancel()
            watch.join()
        if problem:
            raise MatlabError(
                "MATLAB:print:CannotCreateFile", f"Cannot write the figure to '{path}': {problem}"
            )

    def _ask(self, request: bytes) -> str:
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
