"""What makes a start short."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading_modules() -> Iterator[None]:
    """Modules come in without the garbage collector, which would look through them in vain.

    Nor does it look at them later: they stay as long as the process. What brings no module in
    keeps nothing: a program that runs many commands has garbage of its own.
    """
    loaded_before = len(sys.modules)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            if len(sys.modules) > loaded_before:
                gc.freeze()
            gc.enable()
