"""Arrays where a form for the device expects one number: the host's error, no internal one."""

from __future__ import annotations

from collections.abc import Iterator

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
