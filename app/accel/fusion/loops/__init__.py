"""Loops of elementwise maths, traced into one kernel."""
