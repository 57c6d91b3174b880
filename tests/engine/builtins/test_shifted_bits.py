"""bitshift: doubles stand for integers of a class, and what leaves the class is lost."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

HOLDS = (
    "isequal(bitshift(6, 5:7, 'uint8'), [192 128 0])",
    "isequal(bitshift(6, 5:7, 'int8'), [-64 -128 0])",
    "isequal(bitshift(int8(6), 5:7), int8([-64 -128 0])) && bitshift(int8(6), 5) == -64",
    "bitshift(1, 53) == 2^53 && bitshift(1, 63) == 2^63 && bitshift(1, 64) == 0",
    "isequal(bitshift([1 2^53], [53 11]), [2^53 0])",
    "isequal(bitshift([-6 5], -1, 'int8'), [-3 2]) && bitshift(int64(-8), -70) == -1",
    "isequal(bitshift(uint8(255), [1 -1 9 -9]), uint8([254 127 0 0]))",
    "isequal(bitshift(single(5), 2), single(20)) && isequal(bitshift([], 1), [])",
)
REFUSED = ("75.5, 1", "[1 2.5], 1", "-6, 1", "NaN, 1", "2^64, 1", "300, 1, 'uint8'", "Inf, -2")


@pytest.mark.parametrize("condition", HOLDS)
def test_it_holds(condition: str) -> None:
    assert Session().holds(condition)


@pytest.mark.parametrize("inputs", REFUSED)
def test_doubles_that_are_no_integers_of_the_class_are_refused(inputs: str) -> None:
    session = Session()
    for call in (
        f"bitshift({inputs})",
        f"feval(@bitshift, {inputs})",
        f"s.f = bitshift({inputs});",
    ):
        with pytest.raises(MatlabError, match="integer values in the range of ASSUMEDTYPE"):
            session.run(call)


def test_a_loop_refuses_them_too() -> None:
    session = Session()
    with pytest.raises(MatlabError, match="integer values in the range"):
        session.run("t = 0; for k = 1:9, t = t + bitshift(k/2, 1); end")
    session.run("t = 0; for k = 1:9, t = t + bitshift(k, 1); end")
    assert session.value("t") == 90.0
