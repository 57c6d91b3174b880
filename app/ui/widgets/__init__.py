"""Widgets that know nothing of MATLAB or of runs."""
