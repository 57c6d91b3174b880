"""Answers of a device that were not those of the host: what a driver folds or a form adds up."""

from __future__ import annotations

import pytest

from app.api.session import Session
from tests.support.adapters import require_adapter

PROGRAMS = {
    # Mesa took every number for less than an extended one, where it knew that number.
    "known numbers before extended ones": "y = int64(mod(1:3000, 7) - 9); c = int64(y == y);"
    " r = [sum(c < int64(int16(y))), sum(int64(int32(y)) > c), min(int64(c < int64(int8(y)))) + 0];",
    "the mean of two negative zeros": "x = single([2.5; -0; -0; -0]); r = 1 ./ median(x);",
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS)
def test_the_device_gives_the_answers_of_the_host(code: str) -> None:
    found = []
    for device in ("cpu", "gpu"):
        with Session(device=device, capture_threshold=1) as session:
            session.eval(code)
            session.eval("r = double(gather(r));")
            found.append(session.eval("disp(r)").output)
            if device == "gpu":
                require_adapter(session.report.device["provider"] == "wgpu")
    assert found[0] == found[1]
