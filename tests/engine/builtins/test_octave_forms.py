"""What programs and packages of Octave rely on; each check was held against Octave 7.3."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import OctaveSession
from tests.support.examples import parts

CHECKS = (
    "idx = [3 -1 2]; y = idx([~, i] = sort(abs(idx))); isequal(y, [-1 2 3], idx(i))",
    "x = [a, b] = size(ones(2, 3)); isequal([x a b], [2 2 3])",
    "s = struct(); z = ([s.p, c{2}] = max([4 8])); s.p == 8 && c{2} == 2 && z == 8",
    "k = 0; while ([d, e] = max([k 1])) < 3, k++; end; isequal([k d e], [3 3 1])",
    "c = {([~, i] = max([1 9 3])), 2}; c{1} == 2 && i == 2",
)


@pytest.fixture(scope="module")
def kept() -> OctaveSession:
    """One session for all of them."""
    return OctaveSession()


@pytest.mark.parametrize("case", CHECKS)
def test_value(kept: OctaveSession, case: str) -> None:
    first, last = parts(case)
    kept.run("clear; " + first)
    assert kept.holds(last)
