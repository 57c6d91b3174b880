"""Control-C while the main thread waits for the system: for a line that is typed.

Elsewhere a Control-C sets a flag that running code looks at (``app.cli.interrupts``); whoever waits
inside the system looks at nothing, so there the signal has to raise.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from app.errors import Interrupted


@contextmanager
def raising_on_interrupt(poll: Callable[[], None]) -> Iterator[None]:
    """Within it a Control-C raises Interrupted; it changes nothing outside the main thread.

    Args:
        poll: raises Interrupted for a Control-C that came just before.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        poll()
        yield
    except KeyboardInterrupt:
        raise Interrupted from None
    finally:
        signal.signal(signal.SIGINT, previous)
