"""What the torch programs share: the same numbers as the ``.m`` programs make, on the card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Program = Callable[[Any, int], Callable[[], Any]]
"""``program(torch, n)`` prepares the data and gives the function whose time is taken."""


def positions(torch: Any, count: int) -> Any:
    """1 … `count` in double, as MATLAB counts; quotients of torch's whole numbers are single."""
    return torch.arange(1, count + 1, dtype=torch.float64)


def uniform(torch: Any, count: int, step: float = 0.6180339887498949) -> Any:
    """`count` numbers of a sequence that fills [0, 1) evenly, in double: (count,)."""
    return torch.remainder(positions(torch, count) * step, 1)


def single(torch: Any, count: int, step: float = 0.6180339887498949) -> Any:
    """The same numbers in single."""
    return uniform(torch, count, step).float()


SECOND = 0.7548776662466927
THIRD = 0.5698402909980532
"""Steps of further sequences, independent of the first."""
