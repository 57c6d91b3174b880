"""Comparison with an installed GNU Octave: run by ``make oracle``, not by the suite."""
