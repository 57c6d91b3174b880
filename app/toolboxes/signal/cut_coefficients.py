"""Leading coefficients near 0: SciPy warns where it cuts them, MATLAB does it without a word."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cut_silently() -> Iterator[None]:
    """SciPy says nothing of the coefficients that it cuts."""
    from scipy import signal

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", signal.BadCoefficients)
        yield
