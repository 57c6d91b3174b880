"""What the GPU half of the tests stands on: an adapter, Mesa's software one where there is no card.

Nothing is skipped for want of one: half of the tests would be green by absence.
"""

from __future__ import annotations

import pytest


def require_adapter(opened: object) -> None:
    """Fail the test, or what it depends on, unless something could be opened."""
    if not opened:
        pytest.fail("no adapter opens here: install Mesa's (mesa-vulkan-drivers)", pytrace=False)
