"""The serial number of one date is that of the date among others, to the last digit."""

from __future__ import annotations

import random

import numpy as np

from app.engine.builtins.dates.date_fields import serial, serial_of_numbers


def test_one_date_is_as_one_of_many() -> None:
    draw = random.Random(7)
    for _ in range(400):
        parts = [float(draw.randint(-50, 3000)), float(draw.randint(1, 12)), draw.uniform(-40, 70)]
        if draw.random() < 0.5:
            parts = [*map(float, map(round, parts)), *(draw.uniform(0, 70) for _ in range(3))]
        assert serial_of_numbers(parts) == serial([np.array([p]) for p in parts]).item()


def test_what_is_no_month_of_a_year_is_left_to_arrays() -> None:
    for month in (0.0, 13.0, 1.5, float("nan"), float("inf")):
        assert serial_of_numbers([2000.0, month, 1.0]) is None
    assert serial_of_numbers([float("nan"), 1.0, 1.0]) is None
