"""Requests that wait for an engine, and what is told of runs that no engine begins."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine import protocol
from app.engine.protocol import Event, Request, RunText


class Waiting:
    """Requests in the order in which they came; a stop drops the runs that came before it."""

    def __init__(self) -> None:
        self._requests: list[tuple[Request, bool]] = []
        self._before_stop = 0  # how many of them came before the last stop

    def __bool__(self) -> bool:
        return bool(self._requests)

    def __contains__(self, request: object) -> bool:
        return any(request == one for one, _ in self._requests)

    @property
    def confined(self) -> bool:
        """Whether the first is for the confined engine."""
        return self._requests[0][1]

    @property
    def runs(self) -> bool:
        """Whether the first is a run."""
        return isinstance(self._requests[0][0], RunText)

    def add(self, request: Request, *, confined: bool = False) -> None:
        """Behind all others."""
        self._requests.append((request, confined))

    def stop(self) -> None:
        """The runs that wait now are wanted no more; see ``dropped``."""
        self._before_stop = len(self._requests)

    def dropped(self) -> list[RunText]:
        """Take out the runs that a stop has dropped."""
        before = self._requests[: self._before_stop]
        dropped = [request for request, _ in before if isinstance(request, RunText)]
        kept = [one for one in before if not isinstance(one[0], RunText)]
        self._requests[: self._before_stop] = kept
        self._before_stop = 0
        return dropped

    def first_run(self) -> str:
        """The name of the run that is the next one; empty where none waits."""
        return next((r.name for r, _ in self._requests if isinstance(r, RunText)), "")

    def pop(self) -> Request:
        """Take out the first; what a stop has dropped was taken out before."""
        return self._requests.pop(0)[0]

    def pop_all(self) -> list[Request]:
        """Take out all, in order."""
        return [self.pop() for _ in tuple(self._requests)]


def never_run(
    request: RunText, status: str, error: protocol.ErrorRaised | None = None
) -> tuple[Event, ...]:
    """What is told of a run that did not begin, so that nobody waits for its end."""
    told = () if error is None else (error,)
    begin, end = protocol.RunStarted(request.name, 0), protocol.RunFinished(0, status, 0.0)
    return (begin, *told, end)


def after_stop(dropped: Sequence[RunText]) -> tuple[Event, ...]:
    """What is told of runs that a stop has dropped."""
    if not dropped:
        return ()
    what = "The run that waited was" if len(dropped) == 1 else f"{len(dropped)} waiting runs were"
    ends = [event for request in dropped for event in never_run(request, "interrupted")]
    return (*ends, protocol.Notice(f"{what} dropped"))
