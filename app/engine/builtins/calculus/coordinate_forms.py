"""Coordinates as formulas."""

from __future__ import annotations

from app.engine.capture.terms import Term


def cart2pol(x: Term, y: Term, *z: Term) -> tuple[Term, ...]:
    """Polar or cylindrical coordinates."""
    return (y.atan2(x), x.hypot(y), *z)


def pol2cart(angle: Term, radius: Term, *z: Term) -> tuple[Term, ...]:
    """Cartesian coordinates of polar ones."""
    return (radius * angle.cos(), radius * angle.sin(), *z)


def cart2sph(x: Term, y: Term, z: Term) -> tuple[Term, ...]:
    """Azimuth, elevation and radius."""
    flat = x.hypot(y)
    return y.atan2(x), z.atan2(flat), flat.hypot(z)


def sph2cart(azimuth: Term, elevation: Term, radius: Term) -> tuple[Term, ...]:
    """Cartesian coordinates of spherical ones."""
    flat = radius * elevation.cos()
    return flat * azimuth.cos(), flat * azimuth.sin(), radius * elevation.sin()
