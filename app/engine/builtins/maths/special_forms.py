"""Special functions as formulas of the gamma function's logarithm."""

from __future__ import annotations

from app.engine.capture.terms import Term, value_where


def betaln(z: Term, w: Term) -> Term:
    """Logarithm of the beta function."""
    return value_where((z >= 0.0) & (w >= 0.0), z.gammaln() + w.gammaln() - (z + w).gammaln())


def beta(z: Term, w: Term) -> Term:
    """The beta function."""
    return betaln(z, w).exp()
