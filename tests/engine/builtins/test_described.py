"""Objects with properties: a subscript after a property's name takes a part of it."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

PARTS = [
    ("x = makedist('Normal', 'mu', 3, 'sigma', 2);", "x.ParameterValues(2) == 2"),
    ("x = cvpartition(10, 'KFold', 5);", "isequal(x.TrainSize(1:2), [8 8])"),
    ("x = affine2d([1 0 0; 0 1 0; 5 6 1]);", "isequal(x.T(3, 1:2), [5 6])"),
    ("x = imref2d([2 3]);", "x.XWorldLimits(2) == 3.5 && x.PixelExtentInWorldY == 1"),
    ("x = audioplayer(zeros(10, 2), 8000);", "x.SampleRate == 8000 && x.NumberOfChannels == 2"),
    ("x = fitlm((1:5)', [2 4 6 8 11]');", "isequal(size(x.Coefficients(1, :)), [1 4])"),
    ("x = memoize(@(a) a + 1);", "x.CacheSize == 10 && x(2) == 3"),
]


@pytest.mark.parametrize(("made", "asked"), PARTS, ids=[m for m, _ in PARTS])
def test_parts_of_properties(made: str, asked: str) -> None:
    session = Session()
    session.run(made)
    assert session.holds(asked)
    assert " = " in session.run("x"), "it is shown"
    with pytest.raises(MatlabError, match="Unrecognized method, property, or field 'none'"):
        session.value("x.none")
