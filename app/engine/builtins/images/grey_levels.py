"""What histograms of grey levels say: thresholds, limits, and levels that are used alike."""

from __future__ import annotations

import numpy as np

from app.engine.values import Array, Value, as_array


def otsu(counts: Array) -> tuple[float, float]:
    """Otsu's threshold in 0 … 1 of a histogram, and how well it separates."""
    share = counts / (counts.sum() or 1.0)
    omega = np.cumsum(share)
    mu = np.cumsum(share * np.arange(1, share.size + 1))
    between = (mu[-1] * omega - mu) ** 2 / (omega * (1 - omega))
    best = np.nanmax(np.where(np.isfinite(between), between, np.nan), initial=-np.inf)
    if not np.isfinite(best):
        return 0.0, 0.0
    place = float(np.mean(np.flatnonzero(between == best)))
    total = float(((np.arange(1, share.size + 1) - mu[-1]) ** 2 * share).sum())
    return place / (share.size - 1), float(best) / total


def stretch_limits(counts: Array, tol: Value | None) -> tuple[float, float]:
    """Grey levels outside which lies a share of the pixels that were counted."""
    ends = np.array([0.01, 0.99]) if tol is None else as_array(tol).astype(np.float64).ravel()
    low, high = (ends[0], 1 - ends[0]) if ends.size == 1 else ends[:2]
    share = np.cumsum(counts) / (counts.sum() or 1.0)
    first, last = int(np.argmax(share > low)), int(np.argmax(share >= high))
    return (0.0, 1.0) if first == last else (first / 255, last / 255)


def equalizing(counts: Array, goal: Array) -> Array:
    """The grey level for each of the old ones whose cumulative count fits best."""
    have, want = np.cumsum(counts), np.cumsum(goal)
    slack = np.minimum(np.append(counts[:-1], 0), np.append(0, counts[1:])) / 2
    away = want[:, None] - have[None, :] + slack[None, :]
    away = np.where(away < -counts.sum() * np.sqrt(np.finfo(float).eps), counts.sum(), away)
    return np.asarray(np.argmin(away, axis=0) / max(goal.size - 1, 1))
