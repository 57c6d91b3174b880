"""A command of the operating system, which a stop ends."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

from app import blas

LOOK_S = 0.02
"""How often whoever waits for the command looks whether a stop is wanted."""


def finished_command(command: str, poll: Callable[[], None]) -> subprocess.CompletedProcess[str]:
    """Run a command in the system's shell and wait for its end; both outputs are text.

    Args:
        command: as it would be typed.
        poll: called while it runs; raises to end the command and all that it started.

    In a terminal a Control-C reaches the command by itself. Elsewhere nobody but us ends it, so
    it gets a group of its own that can be ended as a whole.
    """
    in_group = os.name == "posix" and threading.current_thread() is not threading.main_thread()
    process = subprocess.Popen(  # noqa: S602 - running a shell command is what this is for
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=blas.environment_of_children(),
        start_new_session=in_group,
    )
    with process:
        try:
            while True:
                with suppress(subprocess.TimeoutExpired):
                    out, err = process.communicate(timeout=LOOK_S)
                    return subprocess.CompletedProcess(command, process.returncode, out, err)
                poll()
        except BaseException:
            if in_group:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            raise
