"""Figures and everything that is drawn in them."""
