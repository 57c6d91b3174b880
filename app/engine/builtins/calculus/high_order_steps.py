"""Steps of order 8 (Dormand and Prince) of states that are on the device: SciPy's, as terms.

One number per step is fetched, the size of its error. What a time inside a step needs is worked out
when somebody asks for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import add

import numpy as np

from app.engine.builtins.calculus.ode_states import CAUSE, State
from app.engine.capture.capture_session import Session
from app.engine.capture.terms import Term, where

SMALLEST, LARGEST, SAFETY = 0.2, 10.0, 0.9
"""By what a step may be longer or shorter than the one before, and how careful it is."""
POWER = -1 / 8
"""Of the error, by which steps grow."""


class HighOrderSteps:
    """Marches as ``scipy.integrate.DOP853`` does, whose numbers it uses.

    Args:
        slope: the slopes at a time and a state.
        begin, end: times.
        state: a real column on the device.
        rtol, atol: the tolerances, relative and absolute.
        max_step: the longest step.

    Attributes:
        status: ``running``, ``finished`` or ``failed``.
        t, y: time and state.
    """

    def __init__(
        self,
        slope: Callable[[float, State], State],
        begin: float,
        state: Term,
        end: float,
        *,
        rtol: float,
        atol: float,
        max_step: float,
    ) -> None:
        from scipy.integrate import DOP853

        self.method = DOP853
        self.slope, self.t, self.y, self.end = slope, begin, state, end
        self.rtol, self.atol, self.max_step = rtol, atol, max_step
        self.direction = float(np.sign(end - begin))
        self.status, self.f = "running", slope(begin, state)
        self.h = self._first_step()
        self._old: tuple[float, Term, float, list[Term]] = (begin, state, 0.0, [])

    def _first_step(self) -> float:
        span, scale = abs(self.end - self.t), abs(self.y) * self.rtol + self.atol
        size, rate = _rms(self.y / scale), _rms(self.f / scale)
        first = 1e-6 if size < 1e-5 or rate < 1e-5 else 0.01 * size / rate
        first = min(first, span)
        h = first * self.direction
        bent = _rms((self.slope(self.t + h, self.y + h * self.f) - self.f) / scale) / first
        if rate <= 1e-15 and bent <= 1e-15:
            found = max(1e-6, first * 1e-3)
        else:
            found = (0.01 / max(rate, bent)) ** -POWER
        return min(100 * first, found, span, self.max_step)

    def step(self) -> str | None:
        """March one step; why that is not possible, else None."""
        t, least = self.t, 10 * abs(np.nextafter(self.t, self.direction * np.inf) - self.t)
        length = self.max_step if self.h > self.max_step else max(self.h, least)
        rejected = False
        while length >= least:
            t_new = t + length * self.direction
            if self.direction * (t_new - self.end) > 0:
                t_new = self.end
            h = t_new - t
            stages, point, error = self._tried(h)
            if error < 1:
                growth = LARGEST if error == 0 else min(LARGEST, SAFETY * error**POWER)
                self.h = abs(h) * (min(1.0, growth) if rejected else growth)
                self._old = t, self.y, h, stages
                self.t, self.y, self.f = t_new, point, stages[-1]
                if self.direction * (t_new - self.end) >= 0:
                    self.status = "finished"
                return None
            length, rejected = abs(h) * max(SMALLEST, SAFETY * error**POWER), True
        self.status = "failed"
        return "the step is too small"

    def _tried(self, h: float) -> tuple[list[Term], Term, float]:
        """The slopes of a step, the state after it and the size of its error."""
        method, stages, t, y = self.method, [self.f], self.t, self.y
        for c, row in zip(method.C[1:], method.A[1:], strict=True):
            stages.append(self.slope(t + c * h, y + h * _weighted(row, stages)))
        point = y + h * _weighted(method.B, stages)
        stages.append(self.slope(t + h, point))
        scale = abs(y).max(abs(point)) * self.rtol + self.atol
        fifth, third = (_weighted(w, stages) / scale for w in (method.E5, method.E3))
        fine, coarse = (fifth * fifth).sum(0), (third * third).sum(0)
        ratio = fine / ((fine + 0.01 * coarse) * float(y.size)).root()
        error = where(fine.eq(0.0), 0.0, abs(h) * ratio)
        Session.runtime.evaluate([error.node, point.node, stages[-1].node], CAUSE)
        return stages, point, float(Session.runtime.gather(error.node, CAUSE).item())

    def dense_output(self) -> Callable[[float], Term]:
        """The state at times of the step before."""
        begin, old, h, stages = self._old
        new, slope = self.y, self.f
        made: list[Term] = []

        def at(time: float) -> Term:
            if not made:
                made.extend(self._inside(begin, old, h, stages, new, slope))
            x = (time - begin) / h
            found = made[-1] * x
            for k, part in enumerate(reversed(made[:-1]), 1):
                found = (found + part) * (1 - x if k % 2 else x)
            return found + old

        return at

    def _inside(
        self, begin: float, old: Term, h: float, stages: list[Term], new: Term, slope: Term
    ) -> list[Term]:
        """The parts of the polynomial of a step."""
        method, known, moved = self.method, list(stages), new - old
        for row, c in zip(method.A_EXTRA, method.C_EXTRA, strict=True):
            known.append(self.slope(begin + c * h, old + h * _weighted(row, known)))
        higher = [h * _weighted(row, known) for row in method.D]
        return [moved, h * stages[0] - moved, 2.0 * moved - h * (slope + stages[0]), *higher]


def _weighted(weights: Iterable[float], stages: Sequence[Term]) -> Term:
    """The sum of slopes, so much of each."""
    pairs = zip(weights, stages, strict=False)
    return reduce(add, [float(weight) * stage for weight, stage in pairs if weight])


def _rms(x: Term) -> float:
    """The root of the mean square, fetched."""
    total = (x * x).sum(0)
    Session.runtime.evaluate([total.node], CAUSE)
    return math.sqrt(float(Session.runtime.gather(total.node, CAUSE).item()) / x.size)
