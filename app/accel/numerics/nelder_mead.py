"""The least value of a function by Nelder and Mead's simplex, step by step as SciPy's.

Importing ``scipy.optimize`` takes a quarter of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_TOO_MANY_CALLS = "Maximum number of function evaluations has been exceeded."
_TOO_MANY_STEPS = "Maximum number of iterations has been exceeded."
_DONE = "Optimization terminated successfully."
_STOPPED = "It was told to stop."


class _Exhausted(Exception):
    """No more values may be asked for."""


@dataclass(slots=True, eq=False)
class Simplex:
    """A simplex on its way down.

    Attributes:
        function: what is minimised.
        corners: a point in each row, the best first.
        most_calls: how many values may be asked for.
        calls: how many were.
        steps: how many were done, the beginning among them.
        message: why it ended.
    """

    function: Callable[[Array], float]
    corners: Array
    most_calls: float
    calls: int = 0
    steps: int = 1
    message: str = ""
    values: Array = field(init=False)

    def __post_init__(self) -> None:
        self.values = np.full(len(self.corners), np.inf)

    @property
    def succeeded(self) -> bool:
        """Whether it ended because it is small enough."""
        return self.message == _DONE

    def run(
        self,
        x_tolerance: float,
        f_tolerance: float,
        most_steps: int,
        tell: Callable[[Array, float], None],
    ) -> None:
        """Go down until corners and values are so near to one another.

        ``tell`` is told of every step; its StopIteration is the end.
        """
        with suppress(_Exhausted):
            for k, corner in enumerate(self.corners):
                self.values[k] = self._value(corner)
        self._sort()
        while self.calls < self.most_calls and self.steps < most_steps:
            if self._is_within(x_tolerance, f_tolerance):
                break
            with suppress(_Exhausted):
                self._step()
                self.steps += 1
            self._sort()
            try:
                tell(self.corners[0], float(self.values[0]))
            except StopIteration:
                self.message = _STOPPED
                return
        self.message = _DONE
        if self.calls >= self.most_calls:
            self.message = _TOO_MANY_CALLS
        elif self.steps >= most_steps:
            self.message = _TOO_MANY_STEPS

    def _is_within(self, x_tolerance: float, f_tolerance: float) -> bool:
        apart = np.abs(self.corners[1:] - self.corners[0]).max()
        near = bool(apart <= x_tolerance)
        return near and bool(np.abs(self.values[0] - self.values[1:]).max() <= f_tolerance)

    def _value(self, point: Array) -> float:
        if self.calls >= self.most_calls:
            raise _Exhausted
        self.calls += 1
        return self.function(np.copy(point))

    def _sort(self) -> None:
        order = np.argsort(self.values)
        self.corners, self.values = self.corners[order], self.values[order]

    def _replace(self, point: Array, value: float) -> None:
        self.corners[-1], self.values[-1] = point, value

    def _step(self) -> None:
        """Turn the worst corner over; stretch, or draw in, what comes of it."""
        worst = self.corners[-1]
        middle = np.add.reduce(self.corners[:-1], 0) / (len(self.corners) - 1)
        turned = 2 * middle - worst
        value = self._value(turned)
        if value < self.values[0]:
            farther = 3 * middle - 2 * worst
            found = self._value(farther)
            self._replace(*((farther, found) if found < value else (turned, value)))
        elif value < self.values[-2]:
            self._replace(turned, value)
        elif value < self.values[-1]:
            nearer = 1.5 * middle - 0.5 * worst
            found = self._value(nearer)
            self._replace_or_shrink(nearer, found, found <= value)
        else:
            nearer = 0.5 * middle + 0.5 * worst
            found = self._value(nearer)
            self._replace_or_shrink(nearer, found, found < self.values[-1])

    def _replace_or_shrink(self, point: Array, value: float, better: bool) -> None:
        if better:
            self._replace(point, value)
            return
        for k in range(1, len(self.corners)):
            self.corners[k] = self.corners[0] + 0.5 * (self.corners[k] - self.corners[0])
            self.values[k] = self._value(self.corners[k])
