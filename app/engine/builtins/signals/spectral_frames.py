"""How spectral estimates and short-time transforms cut signals into parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engine.arguments.checks import option_pairs, real_number, within
from app.engine.builtins.signals.pictures import CIRCLE
from app.engine.builtins.vectors import is_given, vector, whole
from app.engine.values import Array, Value, is_text_scalar, numel, text_of
from app.errors import MatlabError


@dataclass(frozen=True)
class Frames:
    """How signals are cut into parts and which frequencies are wanted.

    Attributes:
        window: the weights of a part.
        overlap: samples that neighbours share.
        points: length of the transform.
        rate: samples per unit of time.
        sides: ``onesided``, ``twosided`` or ``centered``; empty for what suits the signal.
        scaling: SciPy's word for a density or for power.
        wanted: the frequencies that are asked for one by one; None for those of the transform.
    """

    window: Array
    overlap: int
    points: int
    rate: float
    sides: str
    scaling: str
    wanted: Array | None = None

    @classmethod
    def of(
        cls,
        name: str,
        length: int,
        args: list[Value | None],
        words: list[str],
        window: Array | None = None,
    ) -> Frames:
        """From ``window, noverlap, nfft, fs`` and option words."""
        shape, shared, count, rate = [*args, None, None, None, None][:4]
        if is_given(shape):
            window = np.hamming(whole(shape)) if numel(shape) == 1 else vector(shape)
        elif window is None:
            window = np.hamming(max(int(np.fix(length / 4.5)), 1))
        overlap = whole(shared) if is_given(shared) else window.size // 2
        within(0, window.size - 1)(name, 3, float(overlap))
        default = max(256, 1 << int(np.ceil(np.log2(window.size))))
        known = {"onesided", "twosided", "centered", "power", "psd", "mean", "yaxis", "xaxis"}
        if set(words) - known:
            message = f"Unknown option '{min(set(words) - known)}'."
            raise MatlabError(f"signal:{name}:UnrecognizedOption", message)
        wanted = vector(count) if is_given(count) and numel(count) > 1 else None
        return cls(
            window,
            overlap,
            whole(count) if is_given(count) and wanted is None else default,
            real_number(rate) if is_given(rate) else CIRCLE,
            next((w for w in words if w.endswith(("sided", "centered"))), ""),
            "spectrum" if "power" in words else "density",
            wanted,
        )

    def parts(self, x: Array) -> Array:
        """The weighted parts of a signal, one in each column."""
        hop = self.window.size - self.overlap
        starts = np.arange(max((x.size - self.overlap) // hop, 0)) * hop
        found: Array = x[starts[None, :] + np.arange(self.window.size)[:, None]]
        return found * self.window[:, None]

    def transforms_at(self, x: Array) -> Array:
        """The transforms of all parts at the frequencies that are asked for, one in each row."""
        assert self.wanted is not None
        turns = np.outer(self.wanted / self.rate, np.arange(self.window.size))
        found: Array = np.exp(-2j * np.pi * turns) @ self.parts(x)
        return found

    def weight(self) -> float:
        """What squares of magnitudes are divided by."""
        if self.scaling == "spectrum":
            return float(np.sum(self.window) ** 2)
        return float(self.rate * np.sum(self.window**2))

    def densities_at(self, *signals: Array) -> Array:
        """Two-sided (cross) densities of the columns of one or two signals at those frequencies."""
        first, last = signals[0], signals[-1]
        columns = [
            (self.transforms_at(first[:, k]) * self.transforms_at(last[:, k]).conj()).mean(axis=1)
            for k in range(first.shape[1])
        ]
        table: Array = np.stack(columns, axis=1) / self.weight()
        return table if len(signals) > 1 else table.real

    def densities(self, *signals: Array) -> tuple[Array, Array]:
        """Frequencies and the (cross) densities of the columns of one or two signals."""
        from scipy import signal

        if self.points < self.window.size:
            return self._wrapped_densities(*signals)
        options = {"scaling": self.scaling, **self.options(*signals)}
        f, p = signal.csd(signals[-1], signals[0], **options)
        return f, p if len(signals) > 1 else p.real

    def _wrapped_densities(self, *signals: Array) -> tuple[Array, Array]:
        """The same where parts are longer than the transform, around which they are wrapped."""
        f = np.arange(self.points) * self.rate / self.points
        p = replace(self, wanted=f).densities_at(*signals)
        if self._is_two_sided(*signals):
            return f, p
        kept, inner = self.points // 2 + 1, slice(1, (self.points + 1) // 2)
        p[inner] *= 2
        return f[:kept], p[:kept]

    def _is_two_sided(self, *signals: Array) -> bool:
        return self.sides in ("twosided", "centered") or any(np.iscomplexobj(s) for s in signals)

    def options(self, *signals: Array) -> dict[str, Any]:
        """What SciPy's estimators take."""
        return {
            "fs": self.rate,
            "window": self.window,
            "noverlap": self.overlap,
            "nfft": self.points,
            "detrend": False,
            "axis": 0,
            "return_onesided": not self._is_two_sided(*signals),
        }

    def ordered(self, f: Array, p: Array) -> tuple[Array, Array]:
        """Ascending frequencies: from zero, or around it."""
        if self.sides == "centered":
            half = (self.points - 1) // 2
            step = self.rate / self.points
            return (np.arange(self.points) - half) * step, np.roll(p, half, axis=0)
        return np.where(f < 0, f + self.rate, f), p


def split_options(args: tuple[Value, ...]) -> tuple[list[Value | None], list[str]]:
    """Numbers and option words of a call."""
    words = [text_of(a).lower() for a in args if is_text_scalar(a)]
    return [a for a in args if not is_text_scalar(a)], words


class Short:
    """How a short-time transform cuts and places its parts."""

    def __init__(self, name: str, args: tuple[Value, ...]) -> None:
        rate = next((v for v in args[:1] if not is_text_scalar(v)), None)
        options = option_pairs(
            name, args[rate is not None :], "Window OverlapLength FFTLength FrequencyRange"
        )
        self.rate = real_number(rate) if rate is not None else 2 * np.pi
        self.window = vector(options["window"]) if "window" in options else self._hann()
        shared = options.get("overlaplength")
        self.overlap = whole(shared) if is_given(shared) else int(self.window.size * 0.75)
        count = options.get("fftlength")
        self.points = whole(count) if is_given(count) else self.window.size
        self.sides = text_of(options.get("frequencyrange", "centered")).lower()
        self.hop = self.window.size - self.overlap
        if self.hop < 1 or self.points < self.window.size:
            message = "The overlap must be shorter than the window, the transform not shorter."
            raise MatlabError(f"signal:{name}:InvalidOverlapLength", message)

    @staticmethod
    def _hann() -> Array:
        from scipy.signal import windows

        return np.asarray(windows.hann(128, sym=False))

    def turned(self, table: Array, *, back: bool = False) -> Array:
        """Zero frequency in the middle where the range is centred, and back."""
        if self.sides != "centered":
            return table
        shift = (self.points - 1) // 2 + 1
        return np.roll(table, shift if back else -shift, axis=0)

    def frequencies(self) -> Array:
        """The frequency of every row."""
        step, n = self.rate / self.points, self.points
        first = -((n - 1) // 2) if self.sides == "centered" else 0
        return np.arange(first, first + n) * step
