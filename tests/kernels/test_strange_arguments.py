"""Arrays where a form for the device expects one number: the host's error, no internal one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.api import MatlabError, Session

CALLS = [
    "movvar(x, 3, w)",
    "movstd(x, 3, [0 1])",
    "skewness(x, w)",
    "kurtosis(x, [1 2])",
    "detrend(x, w)",
    "zscore(x, w)",
    "mad(x, w)",
]


@pytest.fixture(scope="module")
def sides() -> Iterator[tuple[Session, Session]]:
    sides = Session(device="gpu"), Session(device="cpu")
    for side in sides:
        side.eval("x = gpuArray(mod((1:300)' * (1:300) * 0.618, 1)); w = ones(300, 1);")
    yield sides
    for side in sides:
        side.close()


@pytest.mark.parametrize("call", CALLS)
def test_they_are_refused_as_on_the_host(sides: tuple[Session, Session], call: str) -> None:
    said = []
    for side in sides:
        with pytest.raises(MatlabError) as refused:
            side.eval(f"y = {call};")
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert "Internal error" not in said[0]


@pytest.mark.parametrize(
    "call",
    [
        "cart2pol(x(:, 1:2))",
        "cart2pol(x(:, 1:3))",
        "pol2cart(x(:, 1:2))",
        "cart2sph(x(:, 1:3))",
        "sph2cart(x(:, 1:3))",
        "tripuls(x, 0.5, 0.3)",
    ],
)
def test_forms_leave_other_numbers_of_arguments_to_the_host(
    sides: tuple[Session, Session], call: str
) -> None:
    device, host = (np.asarray(side.eval(f"r = {call};") and side["r"]) for side in sides)
    assert device.shape == host.shape
    np.testing.assert_allclose(device, host, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("call", ["cart2sph(x, x)", "cart2pol(x)", "cart2sph(x, x, x, x)"])
def test_wrong_numbers_of_arguments_are_the_host_s_errors(
    sides: tuple[Session, Session], call: str
) -> None:
    test_they_are_refused_as_on_the_host(sides, call)
