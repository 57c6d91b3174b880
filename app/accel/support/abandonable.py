"""Calls of libraries that can be left before they come back: they are made in a thread beside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextvars import copy_context
from typing import TypeVar

from app import blas

T = TypeVar("T")
LOOK_S = 0.02
"""How often whoever waits looks up."""
LONG = 1e9
"""Operations from which a call takes long enough for somebody to stop it."""


def beside(action: Callable[[], T], poll: Callable[[], None]) -> T:
    """The result of an action in a thread beside; what the poll raises leaves it.

    The action then goes on by itself, and what it finds is dropped: it may write to nothing that
    others see, and what it reads may have changed.
    """
    done: Future[T] = Future()
    context = copy_context()

    def work() -> None:
        try:
            done.set_result(context.run(action))
        except BaseException as problem:  # raised where it is waited for
            done.set_exception(problem)

    threading.Thread(target=work, name="fuselab-pool-library", daemon=True).start()
    while wait((done,), LOOK_S).not_done:
        poll()
    return done.result()


def on_free_cores(
    operations: float, action: Callable[[], T], beside: Callable[[Callable[[], T]], T]
) -> T:
    """The result of so many operations of linear algebra, on the cores that are free.

    Args:
        operations: about how many there are.
        action: does them; it only returns what it finds.
        beside: how a long action is done.
    """
    if operations < blas.LARGE:
        return action()

    def spread() -> T:
        with blas.spread(operations):
            return action()

    return spread() if operations < LONG else beside(spread)
