"""Times of rows at even steps: made from a step or rate, and found again in what there is."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.dates.calendar_duration import CalendarDuration
from app.engine.builtins.dates.datetime_class import Datetime
from app.engine.builtins.dates.duration_class import Duration
from app.engine.values import Value, float_of
from app.errors import MatlabError


def check_row_time_options(function: str, options: dict[str, Value]) -> None:
    """Raise MatlabError where options say twice what the times of rows are, or say too little."""
    ways = options.keys() & {"rowtimes", "samplerate", "timestep"}
    if len(ways) != 1 or ("rowtimes" in ways and "starttime" in options):
        text = "Give one of RowTimes, SampleRate and TimeStep; StartTime goes with the last two."
        raise MatlabError(f"MATLAB:{function}:RowTimesConflict", text)


def row_times_by_step(options: dict[str, Value], count: int) -> NativeArray:
    """Times by the options SampleRate or TimeStep, and StartTime."""
    start = options.get("starttime", Duration(np.zeros((1, 1)), "s"))
    if not isinstance(start, Datetime | Duration) or start.data.size != 1:
        text = "StartTime must be a datetime or duration scalar."
        raise MatlabError("MATLAB:timetable:InvalidStartTime", text)
    places = np.arange(float(count)).reshape(-1, 1)
    if "samplerate" in options:
        rate = float_of(options["samplerate"])
        return start.like(start.data + places * 1e3 / rate)
    step = options["timestep"]
    if isinstance(step, CalendarDuration) and isinstance(start, Datetime):
        made = start.shifted(step.operate("times", (step, places)), 1)
        assert isinstance(made, NativeArray)
        return made
    if not isinstance(step, Duration) or step.data.size != 1:
        text = "TimeStep must be a duration or calendarDuration scalar."
        raise MatlabError("MATLAB:timetable:InvalidTimeStep", text)
    if isinstance(start, Duration) and "starttime" not in options:
        start = step.like(np.zeros((1, 1)))
    made = start.like(start.data + places * step.data)
    assert isinstance(made, NativeArray)
    return made


def regularity(times: Any) -> dict[str, Value]:
    """The properties of a timetable that its times decide."""
    flat = times.data.ravel(order="F")
    steps = np.diff(flat)
    even = steps.size > 0 and bool(np.all(np.abs(steps - steps[0]) <= 1e-9 * np.abs(flat).max()))
    step = float(steps[0]) if even else np.nan
    rate = 1e3 / step if even and step else np.nan
    form = "s" if isinstance(times, Datetime) else times.form
    return {
        "StartTime": times.like(times.data[:1]),
        "SampleRate": rate,
        "TimeStep": Duration(np.array([[step]]), form),
    }
