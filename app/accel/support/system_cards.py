"""Whether the system shows something that may be a graphics card."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

CARDS = "dri/renderD*", "nvidia[0-9]*", "dxg"
"""What the nodes of graphics cards are called below /dev, on Linux and in its Windows form."""


@cache
def may_have_card() -> bool:
    """Whether the system has something that may be a graphics card; it takes microseconds to ask.

    Other systems than Linux have one nearly always, and show it elsewhere.
    """
    if not sys.platform.startswith("linux"):
        return True
    return any(path for name in CARDS for path in Path("/dev").glob(name))
