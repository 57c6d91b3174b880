"""Sorting: the host's and the device's answers are the language's, to the bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.accel.ir.dtypes import of_numpy
from app.accel.numerics import host_sort
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.backends.base import Provider

CLASSES = "f4 f8 i1 u1 i2 u2 i4 u4 i8 u8 b1".split()
SHAPES = [((2200, 3), 0), ((37, 50), 0), ((37, 50), 1), ((7, 20, 9), 1), ((1, 1), 0)]


def numbers(name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Values with repetitions, extremes and everything special of a class."""
    random = np.random.default_rng(len(name))
    dtype = np.dtype(name)
    if dtype.kind == "b":
        return np.asfortranarray(random.random(shape) < 0.5)
    if dtype.kind == "f":
        values = np.round(random.normal(size=shape) * 10) / 4
        special = np.array([np.nan, 0.0, -0.0, np.inf, -np.inf, 5e-324])
        values.flat[::3] = special[np.arange(values.flat[::3].size) % special.size]
        return np.asfortranarray(values.astype(dtype))
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    values = random.integers(low, high, shape, dtype, endpoint=True)
    values.flat[::2] = values.flat[0]
    return np.asfortranarray(values)


def same(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Equal bits; NaNs are equal."""
    if a.dtype.kind != "f":
        return np.array_equal(a, b)
    return np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a), np.signbit(b))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
@pytest.mark.parametrize("name", CLASSES)
def test_device_sorts_as_the_language_does(
    provider: Provider, name: str, shape: tuple[int, ...], axis: int, descending: bool
) -> None:
    sorted_on(provider, name, shape, axis, descending)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((2, 8200), 1), ((3, 4000), 1)])
@pytest.mark.parametrize("name", ["f4", "f8", "i4"])
def test_bands_of_lanes_and_larger_workgroups_sort_as_the_language_does(
    graphics: Provider, name: str, shape: tuple[int, ...], axis: int, descending: bool
) -> None:
    sorted_on(graphics, name, shape, axis, descending)


@pytest.mark.parametrize(("lines", "length"), [(5, 2048), (400, 10), (1, 1)])
def test_lines_that_fit_a_workgroup_are_one_launch(
    provider: Provider, lines: int, length: int
) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    leaf = runtime.leaf(numbers("f4", (length, lines)))
    runtime.evaluate([runtime.apply("sort", (leaf,), (0, False))])
    assert runtime.recorder.counters.dispatches == 1


def sorted_on(
    provider: Provider, name: str, shape: tuple[int, ...], axis: int, descending: bool
) -> None:
    """A device's order and values are the language's."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    data = numbers(name, shape)
    leaf = runtime.leaf(data)
    values = runtime.apply("sort", (leaf,), (axis, descending))
    places = runtime.apply("sort_index", (leaf,), (axis, descending))
    runtime.evaluate([values, places])
    order = host_sort.sort_order(data, axis, descending=descending)
    assert runtime.state(values) == "device"
    assert same(runtime.gather(values), np.take_along_axis(data, order, axis))
    assert np.array_equal(runtime.gather(places), order + 1.0)
    assert runtime.recorder.counters.fallbacks == 0
    groups = [row for row in runtime.recorder.groups.values() if row.kind == "single"]
    assert len(groups) == 1, "one run gives both results"
    assert values.dtype is of_numpy(data.dtype)


ALONE = [
    ((2048, 3), 0),
    ((1000, 5), 0),
    ((37, 300), 0),
    ((40, 17), 1),
    ((7, 20, 9), 1),
    ((3, 800), 0),
]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), ALONE)
@pytest.mark.parametrize("name", CLASSES)
def test_values_alone_are_sorted_as_with_places(
    provider: Provider, name: str, shape: tuple[int, ...], axis: int, descending: bool
) -> None:
    values_sorted_on(provider, numbers(name, shape), axis, descending)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((3, 4000), 1), ((4096, 2), 0), ((5, 1500), 1)])
@pytest.mark.parametrize("name", ["f4", "f8", "u8", "i8", "i2"])
def test_larger_workgroups_sort_values_alone(
    graphics: Provider, name: str, shape: tuple[int, ...], axis: int, descending: bool
) -> None:
    values_sorted_on(graphics, numbers(name, shape), axis, descending)


@pytest.mark.parametrize("name", ["f4", "f8"])
@pytest.mark.parametrize("special", [[], [-0.0], [0.0, -0.0, -0.0], [np.nan], [np.inf, -np.inf]])
def test_zeros_keep_their_signs_in_order(
    graphics: Provider, name: str, special: list[float]
) -> None:
    data = np.random.default_rng(3).normal(size=(300, 9)).astype(name)
    if special:
        data.flat[::2] = np.resize(np.array(special, name), data.flat[::2].size)
    values_sorted_on(graphics, np.asfortranarray(data), 0, False)


def values_sorted_on(provider: Provider, data: NDArray[Any], axis: int, descending: bool) -> None:
    """One launch where a line fits into a workgroup, and the language's values."""
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    values = runtime.apply("sort", (runtime.leaf(data),), (axis, descending))
    runtime.evaluate([values])
    order = host_sort.sort_order(data, axis, descending=descending)
    assert runtime.state(values) == "device"
    assert same(runtime.gather(values), np.take_along_axis(data, order, axis))
    assert runtime.recorder.counters.fallbacks == 0


@pytest.mark.parametrize("descending", [False, True])
def test_host_sorts_alike_with_and_without_places(descending: bool) -> None:
    runtime = Runtime(AccelOptions(device="cpu", verify=True))
    data = numbers("f8", (40, 30))
    leaf = runtime.leaf(data)
    alone = runtime.gather(runtime.apply("sort", (leaf,), (0, descending)))
    places = runtime.gather(runtime.apply("sort_index", (leaf,), (0, descending)))
    assert same(alone, np.take_along_axis(data, places.astype(int) - 1, 0))
    runtime.close()


def test_producers_are_computed_first_and_results_stay(provider: Provider) -> None:
    runtime = Runtime(AccelOptions(device="gpu", verify=True), provider)
    data = np.random.default_rng(1).normal(size=(3000, 1)).astype(np.float32)
    leaf = runtime.leaf(data)
    doubled = runtime.apply("plus", (leaf, leaf))
    total = runtime.apply("plus", (runtime.apply("sort", (doubled,), (0, False)), leaf))
    expected = np.sort(data + data, axis=0, kind="stable") + data
    assert same(runtime.gather(total), expected)
    assert runtime.recorder.counters.downloads == 1
