"""Memory of large host arrays is used again once nobody sees it, and never sooner."""

from __future__ import annotations

import numpy as np
import pytest

from app.accel.backends.host import host_memory
from app.accel.backends.host.host_memory import SLACK, SMALLEST, HostMemory

F64 = np.dtype(np.float64)
COUNT = SMALLEST // 8


def address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]


def test_the_memory_of_an_array_that_is_gone_is_used_again() -> None:
    memory = HostMemory()
    first = memory.array(F64, 2 * COUNT)
    first[:] = 7.0
    place = address(first)
    del first
    assert memory.held == 2 * SMALLEST
    second = memory.array(np.dtype(np.float32), 4 * COUNT - 100)
    assert (address(second), memory.held) == (place, 0)
    assert (second.dtype, second.size, second.flags.writeable) == (
        np.float32,
        4 * COUNT - 100,
        True,
    )


def test_a_view_keeps_it() -> None:
    memory = HostMemory()
    view = memory.array(F64, COUNT)[10:20].reshape(2, 5, order="F")
    view[:] = 3.0
    other = memory.array(F64, COUNT)
    other[:] = 0.0
    assert memory.held == 0
    assert (view == 3.0).all()
    del view
    assert memory.held == SMALLEST


def test_memory_that_is_far_too_large_is_left_alone() -> None:
    memory = HostMemory()
    memory.array(F64, 2 * COUNT)
    assert memory.array(F64, COUNT).size == COUNT
    assert memory.held >= 2 * SMALLEST


def test_the_process_grows_by_little_more_than_what_is_used() -> None:
    memory = HostMemory()
    arrays = [memory.array(F64, COUNT * k) for k in range(8, 14)]
    arrays.clear()
    assert memory.held > SLACK
    kept = memory.array(F64, COUNT * 40)
    assert kept.size == COUNT * 40
    assert memory.held <= SLACK


def test_it_is_bounded_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_memory, "MOST", 3 * SMALLEST)
    memory = HostMemory()
    arrays = [memory.array(F64, COUNT) for _ in range(5)]
    arrays.clear()
    assert memory.held == 3 * SMALLEST
    memory.release()
    assert memory.held == 0
    last = memory.array(F64, COUNT)
    memory.close()
    del last
    assert memory.held == 0


def test_small_arrays_are_ordinary_ones() -> None:
    assert HostMemory().array(F64, COUNT - 1).base is None
