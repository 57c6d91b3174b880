"""bwmorph and bwboundaries: small pictures, and what must never change in any."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.engine import stoppable
from app.errors import Interrupted, MatlabError
from app.toolboxes.images import morphology, texture, wide_windows
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run(
        "R = false(9, 13); R(2:8, 2:12) = 1; O = R; O(4:5, 5:6) = 0;"
        "Z = false(5); Z(3, :) = 1; Z(:, 3) = 1; D = false(9); D([1 9], :) = 1; D(:, [1 9]) = 1;"
        "D(4:6, 4:6) = 1; W = mod(reshape((1:900) * .618, 30, 30), 1) .^ 2 > .3;"
        "L = logical([0 0 0 1; 0 0 1 0; 0 1 0 0; 1 1 0 0]);"
    )
    return made


@pytest.mark.parametrize(
    "text",
    [
        "isequal(find(bwmorph(Z, 'branchpoints')), 13)",
        "isequal(find(bwmorph(Z, 'endpoints')), [3; 11; 15; 23])",
        "isequal(bwmorph(logical([1 1 1; 0 1 0; 1 1 1]), 'hbreak'), [1 1 1; 0 0 0; 1 1 1] > 0)",
        "isequal(bwmorph(logical([0 1; 1 0]), 'diag'), true(2))",
        "isequal(bwmorph(L, 'spur'), L & ~(cumsum(L) == 1 & [0 0 0 1; 0 0 0 0; 0 0 0 0; 0 0 0 0]))",
        "isequal(bwmorph(logical([1 0 0; 0 0 1; 0 0 1]), 'clean'), [0 0 0; 0 0 1; 0 0 1] > 0)",
        "isequal(bwmorph(logical([1 1 0; 1 0 0; 1 1 0]), 'majority'), [0 0 0; 1 1 0; 0 0 0] > 0)",
        "isequal(bwmorph(R, 'remove'), bwperim(R)) && isequal(bwmorph(R, 'remove', Inf), bwperim(R))",
        "isequal(bwmorph(W, 'dilate'), imdilate(W, ones(3)))",
        "isequal(bwmorph(W, 'erode', 2), imerode(imerode(W, ones(3)), ones(3)))",
        "isequal(bwmorph(W, 'open'), imopen(W, ones(3)))",
        "isequal(bwmorph(W, 'close'), imclose(W, ones(3)))",
        "isequal(bwmorph(W, 'tophat') | bwmorph(W, 'open'), W)",
        "isequal(find(any(bwmorph(R, 'thin', Inf), 2)), 5) && nnz(bwmorph(R, 'thin', Inf)) == 5",
        "all(bwmorph(R, 'skel', Inf)(sub2ind([9 13], [2 3 4 5 8], [2 3 4 5 12])))",
        "isequal(bwmorph(R, 'skel', 0), R) && nnz(bwmorph(R, 'shrink', Inf)) == 1",
    ],
)
def test_operations(session: Session, text: str) -> None:
    assert session.holds(text)


@pytest.mark.parametrize("operation", ["thin", "skel", "shrink"])
@pytest.mark.parametrize("picture", ["W", "O", "D", "Z"])
def test_no_region_and_no_hole_is_lost(session: Session, operation: str, picture: str) -> None:
    session.run(f"T = bwmorph({picture}, '{operation}', Inf); [~, n] = bwlabel({picture});")
    assert session.holds("isequal(bwlabel(T) > 0, T) && max(max(bwlabel(T))) == n")
    assert session.holds(f"numel(bwboundaries(T)) == numel(bwboundaries({picture}))")
    assert session.holds(f"all({picture}(T)) && nnz(T) <= nnz({picture})")


@pytest.mark.parametrize(
    "text",
    [
        "isequal(B{1}(1:4, :), [2 2; 2 3; 2 4; 2 5]) && isequal(B{1}(1, :), B{1}(end, :))",
        "isequal(B{2}, [4 5; 4 6; 5 6; 5 5; 4 5]) && n == 1 && isequal(full(A), [0 0; 1 0])",
        "isequal(K == 2, R & ~O) && numel(bwboundaries(O, 8, 'noholes')) == 1",
        "isequal(unique(sub2ind(size(O), B{1}(:, 1), B{1}(:, 2))), find(bwperim(R)))",
        "numel(bwboundaries(logical([1 0; 0 1]))) == 1 && numel(bwboundaries(eye(2), 4)) == 2",
        "isequal(bwboundaries(true), {[1 1; 1 1]}) && isempty(bwboundaries(false(3)))",
        "isequal(bwboundaries(true(2), 4), {[1 1; 1 2; 2 2; 2 1; 1 1]})",
        "isequal(full(nthargout(4, @bwboundaries, D)), [0 0 0; 0 0 1; 1 0 0])",
    ],
)
def test_boundaries(session: Session, text: str) -> None:
    session.run("[B, K, n, A] = bwboundaries(O);")
    assert session.holds(text)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("bwmorph(R, 'nope')", "bwmorph:unrecognizedStringChoice"),
        ("bwmorph(ones(2, 2, 2), 'thin')", "bwmorph:expected2D"),
        ("bwboundaries(R, 5)", "bwboundaries:badScalarConn"),
        ("bwboundaries(R, 8, 'nope')", "bwboundaries:unrecognizedStringChoice"),
    ],
)
def test_errors(session: Session, text: str, identifier: str) -> None:
    with pytest.raises(MatlabError) as caught:
        session.value(text)
    assert caught.value.identifier == f"MATLAB:{identifier}"


WINDOWS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "dilated": lambda a, cells: morphology._dilated_or_eroded(a, cells, True),
    "eroded": lambda a, cells: morphology._dilated_or_eroded(a, cells, False),
    "range": texture._range,
    "deviation": texture._deviation,
    "disorder": texture._disorder,
}


@pytest.mark.parametrize("what", WINDOWS)
@pytest.mark.parametrize("kind", ["f8", "u1", "?", "i2"])
def test_windows_with_large_gaps(monkeypatch: pytest.MonkeyPatch, what: str, kind: str) -> None:
    """Shifted pictures that are joined give what ndimage gives."""
    draw = np.random.default_rng(3)
    for size, window in (((7, 9), (3, 4)), ((3, 2), (6, 5)), ((1, 8), (4, 9))):
        a, cells = (draw.random(size) * 200).astype(kind), draw.random(window) > 0.6
        cells[0, 0] = cells[1, 2] = True
        expected = WINDOWS[what](a, cells)
        with monkeypatch.context() as patch:
            patch.setattr(wide_windows, "MOST_PLACES", -1)
            found = WINDOWS[what](a, cells)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_window_as_large_as_the_picture_heeds_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise Interrupted

    monkeypatch.setattr(stoppable.Stop, "poll", stop)
    for measure in WINDOWS.values():
        with pytest.raises(Interrupted):
            measure(np.eye(500), np.eye(500) > 0)
