"""Dates, durations, clocks."""
