"""Running a session for the command line: output, exit code, report and trace."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app import log, settings
from app.cli.command_line import Options
from app.engine import protocol
from app.engine.error_text import error_text
from app.engine.session.report import Accounts
from app.errors import Interrupted, UsageError
from app.startup import loading_modules

if TYPE_CHECKING:
    from app.engine.session.session import Session
    from app.settings import Settings

FLUSH_S = 0.05
"""How long what a script has printed may stay in the buffer of standard output."""
EXIT_CODES = {"ok": 0, "error": 1, "interrupted": 130}
OPTION_SETTINGS = ("device", "seed", "octave", "restricted", "layout", "theme")


def load_settings(options: Options) -> Settings:
    """The settings, with the command line's on top; problems go to standard error."""
    loaded = settings.load()
    for name in OPTION_SETTINGS:
        value = getattr(options, name)
        if value:
            loaded.set(name, value, "option")
    if not options.quiet:
        for problem in loaded.problems:
            sys.stderr.write(f"fuselab: {problem}\n")
    return loaded


def execute(options: Options, action: Callable[[Session], None], folder: Path) -> int:
    """Open a session, do ``action`` with it, write what was asked for; returns the exit code.

    A restricted run may read ``folder`` and what lies below it.
    """
    with loading_modules():
        from app.cli import interrupts

        loaded = load_settings(options)
    if loaded.restricted:
        _confine(options, folder)
    printer = Printer(quiet=options.quiet)
    session = open_session(options, loaded, printer.take)
    try:
        if session.settings.device not in {"auto", "cpu"}:
            session.acceleration.open()
        with interrupts.cancelling_on_interrupt(session):
            action(session)
    finally:
        session.close()
        printer.close()
    if printer.unread:
        return 0
    code = session.exit_code
    return EXIT_CODES[session.last_status] if code is None else code


def _confine(options: Options, folder: Path) -> None:
    """Give up the rights of this process, and say on standard error what the system enforces."""
    from app import restricted
    from app.engine.session.confinement import confine

    readable = [folder, *map(Path, options.path)]
    protection = confine(readable, (options.report, options.trace))
    if not options.quiet:
        place = restricted.temporary_folder()
        sys.stderr.write(
            f"fuselab: restricted run, {protection}; it may write below {place} only\n"
        )


def open_session(
    options: Options, loaded: Settings, emit: Callable[[protocol.Event], None]
) -> Session:
    """A session as the options say."""
    log.configure()
    accounts = accounts_of(options)
    with loading_modules():
        from app.engine.session.session import Session

        return Session(loaded, emit, options.path, accounts=accounts)


def accounts_of(options: Options) -> Accounts:
    """The files to write after the run; a UsageError when they cannot be."""
    for name in (options.report, options.trace):
        if name and not Path(name).absolute().parent.is_dir():
            raise UsageError(f"there is no folder for {name}")
    return Accounts(options.report, options.trace)


class Printer:
    """Prints events: the script's output to standard output, the rest to standard error.

    A pipe or a file takes output in blocks, and a script that computes for hours after it has
    printed fills none: a thread hands over what is printed, at most twenty times a second.

    Attributes:
        unread: whether the reader of standard output has gone, which ends the script quietly.
    """

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet, self.unread = quiet, False
        self._printed, self._closed = threading.Event(), threading.Event()
        self._flusher: threading.Thread | None = None
        self._out = sys.stdout
        if hasattr(self._out, "reconfigure"):
            self._out.reconfigure(errors="replace")

    def close(self) -> None:
        """Hand over what is left; to be called once, behind the last event."""
        self._closed.set()
        self._printed.set()
        if self._flusher is not None:
            self._flusher.join()
        self._out.flush()

    def take(self, event: protocol.Event) -> None:
        """Print one event."""
        match event:
            case protocol.OutputText(text, "out"):
                self._write(text)
            case protocol.OutputText(text, _):
                self._error(text)
            case protocol.ErrorRaised():
                self._error(error_text(event))
            case protocol.Notice(text, level) if level == "error" or not self._quiet:
                self._error(f"fuselab: {text}\n")
            case protocol.InputWanted(prompt):
                self._out.write(prompt)
                self._out.flush()
            case _:
                pass

    def _write(self, text: str) -> None:
        try:
            self._out.write(text)
        except BrokenPipeError:
            self.unread = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._out.fileno())
            raise Interrupted from None
        if not self._printed.is_set():
            self._printed.set()
            if self._flusher is None:
                self._flusher = threading.Thread(
                    target=self._flush_soon, name="fuselab-output", daemon=True
                )
                self._flusher.start()

    def _flush_soon(self) -> None:
        """Flush a moment after something is printed, until the printer is closed."""
        while self._printed.wait() and not self._closed.wait(FLUSH_S):
            self._printed.clear()
            if self._closed.is_set():  # what was cleared may have been the closing
                break
            with suppress(OSError):  # who prints next is told that nobody reads
                self._out.flush()

    def _error(self, text: str) -> None:
        self._out.flush()
        sys.stderr.write(text)
        sys.stderr.flush()
