"""Image functions: small pictures whose answers can be worked out by hand."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run(
        "H = [0 0 1 1; 0 0 1 1; 0 2 2 2; 2 2 3 3];"
        "W = [9 9 9 9 9; 9 1 9 2 9; 9 1 9 2 9; 9 9 9 9 9];"
        "A = reshape(1:20, 4, 5); B = false(20); B(5:15, 5:15) = true; B(9:11, 9:11) = false;"
    )
    return made


@pytest.mark.parametrize(
    "text",
    [
        # Haralick, Shanmugam and Dinstein (1973): the table of their figure 3, to the right only
        "isequal(graycomatrix(H, 'NumLevels', 4, 'GrayLimits', [0 3]), "
        "[2 2 1 0; 0 2 0 0; 0 0 3 1; 0 0 0 1])",
        "isequal(graycomatrix(H, 'NumLevels', 4, 'GrayLimits', [0 3], 'Symmetric', true), "
        "[4 2 1 0; 2 4 0 0; 1 0 6 1; 0 0 1 2])",
        "isequal(unique(watershed(W)), [0; 1; 2])",
        "all(watershed(W)(:, 3) == 0) && watershed(W)(2, 1) == 1 && watershed(W)(2, 5) == 2",
        "bweuler(B) == 0 && bweuler(B & ~B) == 0 && bweuler(bwareafilt(B, 1)) == 0",
        "isequal(col2im(im2col(A, [2 2], 'distinct'), [2 2], [4 5], 'distinct'), A)",
        "isequal(size(im2col(A, [3 2])), [6 8])",
        "isequal(im2col(A, [3 2])(:, 2), reshape(A(2:4, 1:2), [], 1))",
        "isequal(blockproc(A, [3 3], @(b) b.data), A)",
        "isequal(blockproc(A, [2 2], @(b) b.data, 'BorderSize', [1 1]), A)",
        "isequal(blockproc(A, [2 2], @(b) mean(b.data(:))), [3.5 11.5 17.5; 5.5 13.5 19.5])",
        "isequal(nlfilter(A, [1 3], @(x) sum(x(:))), conv2(A, [1 1 1], 'same'))",
        "abs(sum(radon(A, 45)) - sum(A(:))) < 1e-9 && max(abs(radon(A, 0)' * 1 - "
        "radon(A, 0)')) == 0",
        "isequal(imwarp(A, affine2d([0 1 0; -1 0 0; 0 0 1])), rot90(A, -1))",
        "isequal(imwarp(A, affine2d([1 0 0; 0 1 0; 1 0 1]), 'OutputView', imref2d(size(A))), "
        "[zeros(4, 1) A(:, 1:4)])",
        "isequal(imquantize(A, [5 10]), 1 + (A > 5) + (A > 10))",
        "isequal(integralImage(A)(end, end), sum(A(:)))",
    ],
)
def test_answers_worked_out(session: Session, text: str) -> None:
    assert session.holds(text)


def test_transforms_fit_their_points(session: Session) -> None:
    session.run(
        "rng(1); p = rand(6, 2); t = projective2d([1 .2 .01; -.1 .9 .02; 3 4 1]);"
        "q = transformPointsForward(t, p); f = fitgeotrans(p, q, 'projective');"
    )
    assert session.holds("norm(transformPointsForward(f, p) - q) < 1e-9")
    assert session.holds("norm(transformPointsInverse(f, q) - p) < 1e-9")


def test_wrong_transforms_are_refused(session: Session) -> None:
    with pytest.raises(MatlabError, match="3 by 3"):
        session.run("affine2d(eye(2))")
    with pytest.raises(MatlabError, match="pairs of points"):
        session.run("fitgeotrans([0 0; 1 1], [0 0; 1 1], 'affine')")
