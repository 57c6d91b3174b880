"""Messages passed on between a pipe of this machine and a connection to another one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Protocol, TypeVar, cast

PART = 1 << 22
"""Bytes of a message that go at once; the connection's own talk goes between them."""
LOOK_S = 0.2
"""How often a silent pipe is left to see whether the connection is still there."""
_T = TypeVar("_T")


class Comm(Protocol):
    """A connection to another process, as Dask's library makes it."""

    def read(self) -> Coroutine[None, None, object]:
        """What comes next. Raises OSError where the connection has ended."""

    def write(self, message: object) -> Coroutine[None, None, object]:
        """Send something. Raises OSError where the connection has ended."""

    def abort(self) -> None:
        """End it at once."""


class Relay:
    """Passes messages on both ways, in threads of its own, until one side ends; then both do.

    Args:
        pipe: to a process or a pool of this machine.
        comm: to another machine.
        loop: runs what the connection does.

    Attributes:
        ended: set when nothing is passed on any more.
    """

    def __init__(self, pipe: Connection, comm: Comm, loop: asyncio.AbstractEventLoop) -> None:
        self._pipe, self._comm, self._loop = pipe, comm, loop
        self.ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._guard, args=(pass_on,), name="fuselab-relay", daemon=True)
            for pass_on in (self._out, self._in)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End both sides."""
        self.ended.set()
        with suppress(RuntimeError):  # the loop has ended, and the connection with it
            self._loop.call_soon_threadsafe(self._comm.abort)

    def _guard(self, pass_on: Callable[[], None]) -> None:
        with suppress(OSError, EOFError, asyncio.CancelledError):
            pass_on()
        self.close()
        if threading.current_thread() is self._threads[0]:
            self._pipe.close()

    def _run(self, action: Coroutine[None, None, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(action, self._loop).result()

    def _out(self) -> None:
        while not self.ended.is_set():
            if not self._pipe.poll(LOOK_S):
                continue
            data = self._pipe.recv_bytes()
            for at in range(0, max(1, len(data)), PART):
                self._run(self._comm.write((at + PART >= len(data), data[at : at + PART])))

    def _in(self) -> None:
        parts: list[bytes] = []
        while True:
            is_last, part = cast("tuple[bool, bytes]", self._run(self._comm.read()))
            parts.append(part)
            if is_last:
                self._pipe.send_bytes(b"".join(parts))
                parts.clear()
