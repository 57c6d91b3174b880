"""What a new state of a figure changes: all of it, or only the numbers of series on the device.

A slider, or a loop that draws, changes numbers and nothing else many times a second: rulers, texts
and everything around them then stay, and what is painted is the next picture of the device.
"""

from __future__ import annotations

import numpy as np

from app.ui.plots.device.series_layers import on_device
from app.ui.plots.host.projection import is_space
from app.ui.plots.series_arrays import Exported

MOST_NUMBERS = 4096
"""Arrays beside the series that are compared; larger ones count as changed."""
_PASSING = frozenset(("revision", "raised"))


def is_only_data(before: Exported, after: Exported) -> bool:
    """Whether two states of a figure differ in the numbers of series on the device at most."""
    pairs = _pairs(before["children"], after["children"])
    return (
        pairs is not None
        and _are_same({**before, "children": None}, {**after, "children": None})
        and all(_is_only_data_of_axes(*pair) for pair in pairs)
    )


def _is_only_data_of_axes(before: Exported, after: Exported) -> bool:
    if before["kind"] != "axes" or after["kind"] != "axes":
        return _are_same(before, after)
    if before["legend"] is not None or before["colorbar"] is not None or is_space(before):
        return False
    pairs = _pairs(before["children"], after["children"])
    return (
        pairs is not None
        and _are_same({**before, "children": None}, {**after, "children": None})
        and all(_is_only_data_of_series(*pair) for pair in pairs)
    )


def _is_only_data_of_series(before: Exported, after: Exported) -> bool:
    if not (on_device(before) and on_device(after)):
        return False
    rest = [{k: _without_data(v) for k, v in each.items() if k != "id"} for each in (before, after)]
    return _are_same(*rest)


def _without_data(value: object) -> object:
    """A property of a series; of numbers on the device only what they are."""
    if isinstance(value, dict) and value.get("kind") in ("device", "range"):
        return value["kind"], value.get("dtype")
    return value


def _pairs(before: list[Exported], after: list[Exported]) -> list[tuple[Exported, Exported]] | None:
    return list(zip(before, after, strict=True)) if len(before) == len(after) else None


def _are_same(before: object, after: object) -> bool:
    if before is after:
        return True
    if type(before) is not type(after):
        return False
    if isinstance(before, dict) and isinstance(after, dict):
        return before.keys() == after.keys() and all(
            key in _PASSING or _are_same(value, after[key]) for key, value in before.items()
        )
    if isinstance(before, list | tuple) and isinstance(after, list | tuple):
        return len(before) == len(after) and all(map(_are_same, before, after))
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        few = before.size <= MOST_NUMBERS and before.dtype == after.dtype
        return few and before.shape == after.shape and before.tobytes() == after.tobytes()
    return bool(before == after)
