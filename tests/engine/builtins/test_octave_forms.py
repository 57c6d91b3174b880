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
    "k = 0; while ((a = k) < 3 && (b = a + 1) > 0), k++; end; isequal([k a b], [3 3 3])",
    "eval('function r = dflt(a, b = 7, c = \":\"), r = {a, b, c, nargin}; end'); "
    "isequal(dflt(1, :, :), {1, 7, ':', 3}) && isequal(dflt(1, ':'), {1, ':', ':', 2})",
    "strcmp(strrep('aaa', 'aa', 'b', 'overlaps', false), 'ba')",
    "strcmp(strrep('aaa', 'aa', 'b'), 'bb')",
    "isequal(['a'; 'bcd'; ''; ['x'; 'y']], ['a  '; 'bcd'; 'x  '; 'y  '])",
    "lastwarn('before'); warning('off', 'a:b'); w = warning('a:b', 'x %d', 3); strcmp(w, 'before')",
    "isequal(['' {5} zeros(0, 3)], {5})",
    "isequal(__fieldnames__(struct('b', 1, 'a', 2)), {'b'; 'a'})",
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
