"""Opening the device when there is work for it, never before.

Opening takes from a third of a second to a few. Work larger than that waits for it; after some
smaller work it begins in the background, where it slows down what runs: better between two runs, or
at the beginning of a script that has gained more by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from app.accel.backends.base import Tell, nobody_told
from app.accel.backends.registry import open_device
from app.accel.support import system_cards
from app.accel.support.background import LowPriorityWork
from app.errors import FuselabError
from app.records import mutable_record

if TYPE_CHECKING:
    from app.accel.backends.base import Provider

WAIT_MS = 300.0
"""Host time that is worth waiting for a device that has never been opened here."""

BEGIN_SHARE = 0.1
"""Opening in the background begins when a device would have saved this share of what opening takes:
about what it slows down the script beside it, and there will be more work of that kind."""


TELL_S = 0.02
"""How often whoever waits for a device says so."""

EAGER_MS = 5.0
"""What a graphics card would have saved so far when it is opened between two runs."""


def background(work: Callable[[], None]) -> Thread:
    """A thread that has begun to do some work."""
    thread = Thread(target=work, name="fuselab-pool-open", daemon=True)
    thread.start()
    return thread


@mutable_record
class Opening:
    """The one device of a runtime, opened at most once.

    Attributes:
        name: auto, cpu, gpu or part of an adapter's name.
        prepare: run on the freshly opened provider, in the same thread (calibration).
        open: opens an adapter by name; raises Unsupported where there is none.
        provider: the device once it is open.
        problem: why there is none.
        cost_ms: what opening is expected to take, as earlier runs have shown.
        open_ms: how long opening the device took, without `prepare`.
        eager: whether it is known to be a graphics card.
        software: whether it is known to be an adapter that the processor plays.
        what: its name, as far as it is known.
        tell: told how long somebody has waited for it; what it raises ends the waiting.
        clock: the time in seconds.
        start: begins some work beside the script.
    """

    name: str
    prepare: Callable[[Provider], None]
    open: Callable[[str], Provider] = open_device
    provider: Provider | None = None
    problem: str = ""
    cost_ms: float = WAIT_MS
    open_ms: float = 0.0
    eager: bool = False
    software: bool = False
    what: str = "a device"
    tell: Tell = nobody_told
    clock: Callable[[], float] = perf_counter
    start: Callable[[Callable[[], None]], Thread] = background
    _abandoned: bool = False
    _thread: Thread | None = field(default=None)
    _tried: bool = False
    _began: float = 0.0
    _ours: bool = True

    @property
    def done(self) -> bool:
        """Whether the question is settled, with a device or without."""
        return self._tried or self.name == "cpu"

    def expect(self, name: str, kind: str) -> None:
        """An earlier run has seen what will be opened."""
        self.software = kind == "cpu"
        self.eager = kind not in {"", "cpu"}
        self.what = f"the software adapter {name}" if kind == "cpu" else name

    def adopt(self, provider: Provider) -> None:
        """Use a device that somebody else has opened."""
        self._tried, self.provider, self._ours = True, provider, False

    def again(self) -> Provider | None:
        """The device opened anew, once, after it was lost; None where that fails."""
        self.provider = None
        if not self._ours:
            return None
        self._ours = False
        try:
            self.provider = self.open(self.name)
        except (FuselabError, OSError, RuntimeError) as problem:
            self.problem = str(problem)
        return self.provider

    @property
    def forced(self) -> bool:
        """Whether the user asked for this device."""
        return self.name not in {"auto", "cpu"}

    @property
    def may_give_card(self) -> bool:
        """Whether a graphics card computes or may come to, or a device was asked for or given."""
        if self.forced or not self._ours:
            return True
        if self.provider is None:
            return not (self.done or self.software) and system_cards.may_have_card()
        return self.provider.info.type != "cpu"

    @property
    def failed(self) -> bool:
        """Whether a device that the user asked for is not there."""
        return self._tried and self.forced and self.provider is None

    @property
    def under_way(self) -> bool:
        """Whether the device is being opened just now."""
        return self._thread is not None and not self._tried

    def wanted(self, gain_ms: float, missed_ms: float = 0.0) -> Provider | None:
        """The device, if it is open or worth opening.

        Args:
            gain_ms: what the evaluation at hand would take longer on the host.
            missed_ms: what all evaluations so far, and this one, would have taken less on the
                device. Where there was work there will be more: opening begins beside it.
        """
        if self.done:
            return self.provider
        # What is nearly there is still not worth waiting for with little work.
        remaining = max(self.cost_ms - self._waited_ms(), WAIT_MS / 4)
        if self.forced or gain_ms >= remaining:
            self._await(self._start())
        elif missed_ms >= BEGIN_SHARE * self.cost_ms:
            self._start()
        if self._thread is not None and not self._thread.is_alive():
            self._tried, self._thread = True, None
        return self.provider if self._tried else None

    def _await(self, thread: Thread) -> None:
        """Wait for an opening; what `tell` raises ends the waiting, not the opening."""
        while thread.is_alive():
            self.tell("opening", 0, self._waited_ms() / 1000)
            thread.join(TELL_S)

    def begin(self) -> None:
        """Open in the background, unless that has been done."""
        if not self.done:
            self._start()

    def abandon(self) -> None:
        """Nobody will use what is being opened just now; nobody waits for it either."""
        self._abandoned = True

    def close(self) -> None:
        """Nobody will use the device any more, also where nobody has taken it yet."""
        self._abandoned = True
        if self._ours and self.provider is not None:
            self.provider.close()

    def finish(self) -> None:
        """Wait for an opening under way."""
        if self._thread is not None:
            self._thread.join()

    def _waited_ms(self) -> float:
        """How long the opening under way has taken so far."""
        return (self.clock() - self._began) * 1000 if self._thread is not None else 0.0

    def _start(self) -> Thread:
        if self._thread is None:
            self._began = self.clock()
            self._thread = self.start(self._open)
        return self._thread

    def _open(self) -> None:
        try:
            with LowPriorityWork():
                provider = self.open(self.name)
                self.open_ms = self._waited_ms()
                if self._let_go(provider):
                    return
                self._make_ready(provider)
                self.provider = provider
                self._let_go(provider)
        except (FuselabError, OSError, RuntimeError) as problem:
            self.problem = str(problem)
        except Exception as problem:
            self.problem = f"{type(problem).__name__}: {problem}"
            if not self._abandoned:  # what it needs may be gone already when a program ends
                raise

    def _let_go(self, provider: Provider) -> bool:
        """Close what nobody wants any more; whether that is so."""
        if self._abandoned:
            provider.close()
        return self._abandoned

    def _make_ready(self, provider: Provider) -> None:
        try:
            self.prepare(provider)
        except BaseException:
            provider.close()
            raise
