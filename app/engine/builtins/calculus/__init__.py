"""Interpolation, polynomials, geometry, integrals, differential equations, optimisation."""
