"""A session's context with nothing in it but figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.declarations.registry import lookup
from app.engine.figures.model import Figures, figures_of
from app.engine.protocol import FigureClosed, FigureUpdated


class Plotter:
    """Calls plotting functions with plain Python numbers and lists."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.runtime = None
        self.events: list[FigureUpdated | FigureClosed] = []
        self.figures.emit = self.events.append

    @property
    def figures(self) -> Figures:
        return figures_of(self.state)

    def call(self, name: Any, args: tuple[Any, ...], nargout: int = 1) -> tuple[Any, ...]:
        found = lookup(name)
        assert found is not None, name
        result = found.call(self, args, nargout)
        return result if isinstance(result, tuple) else (result,)

    def __getattr__(self, name: str) -> Any:
        def function(*args: Any, nargout: int = 0) -> Any:
            result = self.call(name, tuple(_value(arg) for arg in args), nargout)
            return result[0] if len(result) == 1 else result

        return function

    def axes(self) -> dict[str, Any]:
        """The snapshot of the current figure's last axes."""
        self.figures.flush()
        updates = [e for e in self.events if isinstance(e, FigureUpdated)]
        return updates[-1].figure["children"][-1]


def _value(arg: Any) -> Any:
    if isinstance(arg, list):
        array = np.array(arg, dtype=float)
        return array.reshape(1, -1) if array.ndim == 1 else array
    return float(arg) if type(arg) is int else arg


@pytest.fixture
def m() -> Plotter:
    """MATLAB's plotting functions."""
    return Plotter()
