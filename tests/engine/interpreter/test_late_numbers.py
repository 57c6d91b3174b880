"""Numbers that the device makes are stored in small arrays without a wait, as the host stores them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array, class_of, host
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

START = "c = mod((1:6000)' * 0.618, 1); "
PASS = "t = tic; c = c .* (2 - c);"  # a clock is read: no loop of these is traced
NAMES = {"y", "z", "k"}
"""Variables that are compared."""
LATE = {
    "row": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c); end",
    "many": "y = zeros(1, 50); for k = 1:50, {p} y(k) = sum(c); end",
    "field": "s.y = zeros(9, 1); for k = 1:9, {p} s.y(k) = max(c); end, y = s.y; clear s",
    "cell": "s = {zeros(9, 1)}; for k = 1:9, {p} s{1}(k) = max(c); end, y = s{1}; clear s",
    "function": "y = noted(c); function y = noted(c), y = zeros(9, 1); for k = 1:9, {p} y(k) = sum(c); end, end",
    "while": "y = zeros(3, 3); k = 0; while k < 9, k = k + 1; {p} y(k) = mean(c); end",
    "rows": "X = [c 2 * c 1 ./ c]; y = ones(9, 3); for k = 1:9, {p} X = X * 0.5; y(k, :) = max(X); end, X = 0;",
    "columns": "y = -ones(2, 9); for k = 1:9, {p} y(2, k) = min(c); end",
    "backwards": "y = zeros(1, 9); for k = 9:-2:1, {p} y(k) = sum(c); end",
    "single": "y = zeros(1, 9, 'single'); for k = 1:9, {p} y(k) = sum(c) / 3; end",
    "of single": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(single(c) / 3); end",
    "integer": "y = zeros(1, 9, 'uint8'); for k = 1:9, {p} y(k) = sum(c) / 30 - 60; end",
    "of integer": "y = zeros(1, 9); for k = 1:9, {p} y(k) = max(int16(c * 100)); end",
    "integer of integer": "y = zeros(1, 9, 'int8'); for k = 1:9, {p} y(k) = max(int16(c * 300)); end",
    "of truth": "y = zeros(1, 9); for k = 1:9, {p} y(k) = any(c > 0.99); end",
    "NaN": "c(7) = NaN; y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c); end",
    "root": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(sqrt(c)); end",
    "growing": "y = []; for k = 1:9, {p} y(end + 1) = sum(c); end",
    "growing column": "y = [3; 4]; for k = 1:40, {p} y(end + 1) = max(c); end",
    "growing in a field": "s.y = []; for k = 1:9, {p} s.y(end + 1) = sum(c); end, y = s.y; clear s",
    "read at once": "y = zeros(9); for k = 1:9, {p} y(k, k) = sum(c); c = c / y(k, k) * 3000; end",
    "read at once in a field": "s.y = zeros(9, 1); for k = 1:9, {p} s.y(k) = max(c); c = c / s.y(k); end, y = s.y;",
    "read at once as single": "y = zeros(1, 9, 'single'); for k = 1:9, {p} y(k) = max(c); c = double(y(k)) * c; end",
    "three dimensions": "y = zeros(2, 3, 4); for k = 1:4, {p} y(2, 3, k) = sum(c); end",
}
"""Stores for which nobody waits."""
OTHERS = {
    "logical": "y = false(1, 9); for k = 1:9, {p} y(k) = sum(c) > 100; end",
    "number as truth": "y = false(1, 9); for k = 1:9, {p} y(k) = sum(c); end",
    "complex": "y = complex(zeros(1, 9), 1); for k = 1:9, {p} y(k) = sum(c); end",
    "turned complex": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(sqrt(c - 0.9)); end",
    "of complex": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c * (1 + 2i)); end",
    "growing single": "y = single([]); for k = 1:9, {p} y(end + 1) = sum(c); end",
    "growing of single": "y = []; for k = 1:9, {p} y(end + 1) = sum(single(c)); end",
    "growing from no columns": "y = zeros(3, 0); for k = 1:9, {p} y(:, end + 1) = sum(c); end",
    "growing from a number": "y = 7; for k = 1:9, {p} y(end + 1) = sum(c); end, z = numel(y);",
    "growing rows": "y = zeros(0, 2); for k = 1:9, {p} y(end + 1, :) = [sum(c) max(c)]; end",
    "growing and read": "y = []; for k = 1:9, {p} y(end + 1) = sum(c); if numel(y) > 2 && y(end) > 1e9, break, end, end",
    "growing and kept": "y = []; for k = 1:9, {p} z = y; y(end + 1) = sum(c); end",
    "growing behind a gap": "y = zeros(1, 2); for k = 3:2:9, {p} y(k) = sum(c); end",
    "read": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c); if k > 2 && y(k) > y(k - 1) + y(k - 2), break, end, end",
    "added to": "y = zeros(1, 3); for k = 1:9, {p} j = mod(k, 3) + 1; y(j) = y(j) + sum(c); end",
    "seen by another": "y = zeros(1, 9); for k = 1:9, {p} z = y; y(k) = sum(c); z(k) = -1; end",
    "kept by another": "y = zeros(1, 9); s = {}; for k = 1:9, {p} s{k} = y; y(k) = sum(c); end, z = [s{:}]; clear s",
    "with numbers between": "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c); y(10 - k) = k; end",
    "places": "y = zeros(1, 9); for k = 1:8, {p} y([k k + 1]) = sum(c); end",
    "mask": "y = zeros(1, 9); for k = 1:9, {p} y((1:9) == k) = sum(c); end",
    "text": "y = 'abcdefghi'; for k = 1:9, {p} y(k) = 70 + max(c); end",
    "number": "y = 0; for k = 1:9, {p} y(1) = sum(c); end",
    "deleted": "y = zeros(1, 9); for k = 1:9, {p} y(2) = sum(c); y(3) = []; y = [y k]; end",
    "late end": "y = zeros(1, 9); for k = 1:9, {p} y(end) = sum(c); y = circshift(y, 1); end",
}
"""Other classes, sizes and readers."""
ERRORS = (
    "y = zeros(1, 9); for k = 1:9, {p} y(k) = sum(c); if k == 5, error('a:b', 'five'), end, end",
    "y = zeros(1, 9); for k = 1:9, {p} y(5 - k) = sum(c); end",
    "y = zeros(1, 9); for k = 1:9, {p} y(k + 0.5 * (k > 3)) = sum(c); end",
    "y = zeros(3, 3); for k = 1:9, {p} y(k, :) = [sum(c) max(c)]; end",
    "y = zeros(2, 2); for k = 1:9, {p} y(k) = sum(c); end",
    "y = false(1, 9); for k = 1:9, {p} y(k) = sum(c) / (k < 4) * 0; end",
)


@pytest.fixture(scope="module")
def device() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="gpu"), open_provider())
    yield made
    made.close()


def _run(text: str, runtime: Runtime | None) -> tuple[dict[str, Any], str]:
    """The variables after a program on the device, or on the host; and its error."""
    if runtime is not None:
        capture_session.activate(runtime, 2048)
    try:
        machine, problem = Machine(runtime), ""
        try:
            machine.run(START + text.replace("{p}", PASS))
        except MatlabError as found:
            problem = f"{found.identifier}: {found}"
        held = machine.interpreter.base.items()
        return {n: host(v) for n, v in held if n in NAMES and v is not None}, problem
    finally:
        if runtime is not None:
            capture_session.deactivate()


def _assert_alike(device: Runtime, text: str) -> None:
    found, expected = _run(text, device), _run(text, None)
    assert found[1] == expected[1]
    assert found[0].keys() == expected[0].keys()
    for name, value in expected[0].items():
        assert class_of(found[0][name]) == class_of(value)
        ours, theirs = as_array(found[0][name]), as_array(value)
        assert ours.dtype == theirs.dtype
        rtol = 1e-6 if ours.dtype == np.float32 or "single" in text else 1e-12
        np.testing.assert_allclose(ours, theirs, rtol=rtol, atol=0)


@pytest.mark.parametrize("text", LATE.values(), ids=LATE)
def test_nobody_waits_for_what_is_stored(device: Runtime, text: str) -> None:
    before = device.recorder.counters.downloads
    _run(text, device)
    assert device.recorder.counters.downloads - before <= 3  # when the variables are looked at
    _assert_alike(device, text)


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_other_stores(device: Runtime, text: str) -> None:
    _assert_alike(device, text)


@pytest.mark.parametrize("text", ERRORS)
def test_what_was_stored_before_an_error_is_there(device: Runtime, text: str) -> None:
    _assert_alike(device, text)
