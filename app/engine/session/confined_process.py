"""The process of an untrusted folder's engine: it confines itself, then serves as a thread would.

Started as ``python -m app.engine.session.confined_process``; requests come on standard input and
events go to what was standard output. Nothing of the window is imported. When the window has gone,
so is the process.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, get_args

from app import blas, helpers, log, settings
from app.engine.session.confinement import confine
from app.errors import UsageError
from app.records import record

if TYPE_CHECKING:
    from app.engine.protocol import Event, OutputText
    from app.engine.session.worker import EngineWorker

assert helpers  # it keeps the environment as it is at the start
STOP = ("stop",)
SETTING = "setting"
HELD_S = 0.02
"""How long what is printed waits for more of it."""
MOST_HELD = 1 << 16
"""So many characters go at once."""


@record
class Start:
    """What the process is told first.

    Attributes:
        folder: the current folder.
        readable: what scripts may read, the current folder among it.
        path: searched for functions.
        accounts: the files for report and trace of each run; empty for none.
        settings: names, values and origins.
    """

    folder: str
    readable: tuple[str, ...]
    path: tuple[str, ...]
    accounts: tuple[str, str]
    settings: tuple[tuple[str, settings.Value, str], ...]

    def as_line(self) -> bytes:
        """As it is sent: before the process is confined it loads nothing that starts threads."""
        held = (self.folder, self.readable, self.path, self.accounts, self.settings)
        return json.dumps(held).encode("ascii") + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> Start:
        """What `as_line` gave."""
        folder, readable, path, accounts, chosen = json.loads(line)
        told = tuple((name, value, origin) for name, value, origin in chosen)
        return cls(folder, tuple(readable), tuple(path), (accounts[0], accounts[1]), told)


def main() -> None:
    """Confine this process, open a session in a thread, and hand requests to it."""
    blas.begin()
    log.configure()
    source, sink = _streams()
    start = Start.of_line(source.readline())
    os.chdir(start.folder)
    protection = confine([Path(place) for place in start.readable], start.accounts)
    send = Sender(sink).send
    if protection.missing:
        _tell_missing(send, str(protection))
    from app.engine.session.report import Accounts
    from app.engine.session.worker import EngineWorker

    chosen = settings.Settings()
    for name, value, origin in start.settings:
        chosen.set(name, value, origin)
    chosen.set("restricted", raw=True, origin="option")
    worker = EngineWorker(chosen, send, start.path, Accounts(*start.accounts))
    worker.start()
    serve(worker, chosen, source)
    worker.close(timeout=1.0)
    os._exit(0)


def _tell_missing(send: Callable[[Event], None], said: str) -> None:
    from app.engine.protocol import Notice

    send(Notice(f"untrusted code is {said}", "warning"))


class Sender:
    """Sends events without buffers of this process, which ends when nobody reads them any more.

    Lines that are printed one after another go together: a frame for each would take longer than
    printing them.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._texts: list[str] = []
        self._printed: OutputText | None = None
        self._length = 0
        self._wake = threading.Event()
        threading.Thread(target=self._flush_late, name="fuselab-output", daemon=True).start()

    def send(self, event: Event) -> None:
        """Send an event behind all before it."""
        from app.engine import protocol
        from app.engine.builtins.graphics.export import portable

        if isinstance(event, protocol.OutputText):
            self._print(event)
            return
        if isinstance(event, protocol.FigureUpdated):
            event = protocol.FigureUpdated(event.number, portable(event.figure))
        elif isinstance(event, protocol.DeviceReady):
            event = replace(event, drawing=None)
        with self._lock:
            self._flush()
            self._write(event)

    def _print(self, event: OutputText) -> None:
        with self._lock:
            held = self._printed
            if held is not None and (held.stream, held.line) != (event.stream, event.line):
                self._flush()
            if self._printed is None:
                self._printed = event
                self._wake.set()
            self._texts.append(event.text)
            self._length += len(event.text)
            if self._length > MOST_HELD:
                self._flush()

    def _flush(self) -> None:
        held, self._printed = self._printed, None
        if held is not None:
            text = "".join(self._texts)
            self._texts.clear()
            self._length = 0
            self._write(replace(held, text=text))

    def _flush_late(self) -> None:
        """Send what is held when nothing else makes it go."""
        while True:
            self._wake.wait()
            self._wake.clear()
            time.sleep(HELD_S)
            with self._lock:
                self._flush()

    def _write(self, event: Event) -> None:
        from app.engine.session import event_encoding

        try:
            event_encoding.write(self._stream, event)
        except OSError:
            os._exit(0)


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Our two streams; whatever a library prints goes to standard error."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb")


def _hand_over(worker: EngineWorker, chosen: settings.Settings, item: object) -> None:
    from app.engine import protocol
    from app.engine.session import event_encoding

    if item == STOP:
        worker.stop_run()
    elif isinstance(item, tuple) and item[:1] == (SETTING,) and len(item) == 4:
        chosen.set(str(item[1]), item[2], str(item[3]))
    elif isinstance(item, get_args(protocol.Request)):
        worker.post(item)
    else:
        raise event_encoding.MalformedError(f"a {type(item).__name__}")


def serve(worker: EngineWorker, chosen: settings.Settings, source: BinaryIO) -> None:
    """Pass on what comes until the window closes the stream, or does not keep to the format."""
    from app.engine.session import event_encoding

    try:
        while (item := event_encoding.read(source)) is not None:
            _hand_over(worker, chosen, item)
    except (event_encoding.MalformedError, UsageError) as problem:
        sys.stderr.write(f"fuselab: the engine ends; it received an invalid request: {problem}\n")


if __name__ == "__main__":
    main()
