"""Time zones: how far they are ahead of UTC, which there are, and when summer time is kept."""

from __future__ import annotations

import math
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import numpy as np

from app.engine.values import Array
from app.errors import MatlabError

_UNSHIFTED = ("", "UTC", "Z", "Etc/UTC")


def zone_name(zone: str) -> str:
    """The name of a zone as properties show it; ``local`` is where the machine stands."""
    if zone == "local":
        return _local()
    if zone not in _UNSHIFTED and zone[0] not in "+-":
        _zone_named(zone)
    return zone


def _local() -> str:
    link = os.path.realpath("/etc/localtime")
    known = link.partition("zoneinfo/")[2] if Path(link).exists() else ""
    return os.environ.get("TZ", "").lstrip(":") or known or "UTC"


def _zone_named(zone: str) -> ZoneInfo:
    try:
        return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as problem:
        text = f"'{zone}' is not a recognized time zone."
        raise MatlabError("MATLAB:datetime:UnknownTimeZone", text) from problem


_FIRST, _LAST = (datetime(year, 7, 1, tzinfo=UTC).timestamp() * 1e3 for year in (2, 9998))
"""Milliseconds between which the library knows the clocks; they go on as they are at the ends."""


def moment(ms: float, zone: str) -> datetime:
    """A point in time on the clock of a named zone."""
    return datetime.fromtimestamp(ms / 1e3, UTC).astimezone(_zone_named(zone))


def offset(ms: float, zone: str) -> float:
    """Milliseconds that a zone is ahead of UTC at a point in time."""
    if zone in _UNSHIFTED or not math.isfinite(ms):
        return 0.0
    if zone[0] in "+-":
        hours, minutes = zone[1:3], zone[-2:] if len(zone) > 3 else "0"
        return (-1 if zone[0] == "-" else 1) * (int(hours) * 60 + int(minutes)) * 60e3
    found = moment(min(max(ms, _FIRST), _LAST), zone).utcoffset()
    return found.total_seconds() * 1e3 if found is not None else 0.0


def to_utc(wall: Array, zone: str) -> Array:
    """Milliseconds of UTC from those on the clock of a zone."""
    if zone in _UNSHIFTED:
        return wall
    moved = [_instant(ms, zone) for ms in wall.ravel(order="F").tolist()]
    return np.array(moved).reshape(wall.shape, order="F")


def _instant(wall: float, zone: str) -> float:
    """Times that the clock leaps over move on by the leap."""
    shift = offset(wall - offset(wall, zone), zone)
    before = offset(wall - shift, zone)
    return wall - (shift if before == shift else min(before, shift))


def label(ms: float, zone: str) -> str:
    """Such as ``-0500 EST`` at a point in time."""
    minutes = int(offset(ms, zone) / 60e3)
    sign = "-" if minutes < 0 else "+"
    number = f"{sign}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"
    if zone in _UNSHIFTED or zone[0] in "+-":
        return f"{number} {'UTC' if not minutes else f'UTC{number[:3]}:{number[3:]}'}"
    return f"{number} {moment(ms, zone).tzname()}"


def summer(ms: float, zone: str) -> bool:
    """Whether summer time is kept."""
    if zone in _UNSHIFTED or zone[0] in "+-" or not math.isfinite(ms):
        return False
    return bool(moment(ms, zone).dst())


def known_zones() -> list[tuple[str, str, float, float]]:
    """Name, area, hours ahead of UTC in winter and hours of summer time of every zone."""
    now = datetime.now(UTC)
    found = []
    for name in sorted(n for n in available_timezones() if "/" in n):
        here = now.astimezone(ZoneInfo(name))
        year = [here + timedelta(days=30 * k) for k in range(12)]
        shifts = [(t.astimezone(ZoneInfo(name)).utcoffset() or timedelta()) for t in year]
        winter = min(shifts).total_seconds() / 3600
        summer_time = max(shifts).total_seconds() / 3600 - winter
        found.append((name, name.partition("/")[0], winter, summer_time))
    return found
