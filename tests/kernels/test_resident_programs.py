"""Programs whose data stay on the device: dispatches and downloads, however they are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from app.api import Session


@dataclass(frozen=True)
class Work:
    """One computation in several spellings, which set ``y``.

    Attributes:
        data: made before, on the device.
        spellings: the work, plainly and otherwise.
        downloads: how often data are fetched before ``y`` is.
        dispatches: at most so many.
        functions: local functions.
    """

    data: str
    spellings: tuple[str, ...]
    downloads: int
    dispatches: int
    functions: str = ""


WORKS = {
    "a number of a class where a mask is true": Work(
        "A = uint32(floor(256 * reshape(mod((1:4096)' * 0.618, 1), 64, 64).^2)); m = A > 99;"
        "big = intmax('uint32'); n = single(0.5) * 6;",
        (
            "y = A; y(m) = big; y(~m & A < 7) = n;",
            "s.y = A; s.y(m) = big; s.y(~m & s.y < 7) = n; y = s.y;",
            "y = held(A, m, big); y = held(y, A < 7, n);",
            "y = A; y(find(m)) = big; y(A < 7) = 3;",
        ),
        0,
        3,
        "function y = held(y, m, v), y(m) = v; end",
    ),
    "several selections by one mask": Work(
        "x = mod((1:4096)' * 0.618, 1); z = 2 * x;",
        (
            "m = x > 0.5; y = [x(m); z(m); 3 * x(m)];",
            "m = 2 * x > 1; s.x = x(m); k = ones(size(s.x)); y = [s.x; 2 * k .* x(m); 3 * x(m)];",
            "y = picked(x, z, 0.5 < x);",
        ),
        1,
        5,
        "function y = picked(x, z, m), y = cat(1, x(m), z(m)); y = [y; 3 * x(m)]; end",
    ),
    "are integers equal": Work(
        "A = uint16(floor(256 * reshape(mod((1:4096)' * 0.618, 1), 64, 64))); B = A + 0; C = A + 1;",
        (
            "y = isequal(A, B) + 2 * isequal(A, C);",
            "s.A = A; y = isequaln(s.A, B) + 2 * isequal(s.A, C, B);",
            "y = double(same(A, B)) + 2 * same(C, A);",
        ),
        0,
        2,
        "function t = same(A, B), t = isequal(A, B); end",
    ),
    "table of bytes": Work(
        "A = uint8(floor(256 * reshape(mod((1:4096)' * 0.618, 1), 64, 64).^2));"
        "t = uint8(mod((1:256) * 7, 251));",
        (
            "y = t(double(A) + 1);",
            "s.map = t; y = s.map(double(A) + 1);",
            "k = double(A(:)) + 1; y = reshape(t(k), 64, 64);",
            "y = looked(t, A);",
        ),
        0,
        1,
        "function y = looked(t, A), y = t(1 + double(A)); end",
    ),
    "counts of bytes": Work(
        "A = uint8(floor(256 * mod((1:4096)' * 0.618, 1)));",
        (
            "y = accumarray(double(A) + 1, 1, [256 1]);",
            "s.A = A; y = accumarray(1 + double(s.A(:)), 1, [256 1]);",
            "y = counted(A);",
            "y = accumarray({double(A) + 1}, ones(4096, 1), [256 1], @numel);",
        ),
        0,
        4,
        "function y = counted(A), y = accumarray(double(A) + 1, 1, [256 1]); end",
    ),
    "places that were found": Work(
        "x = single(mod((1:4096)' * 0.618, 1));",
        (
            "k = find(x > 0.9) - 1; y = x(k) * 2;",
            "k = find(x > 0.9); y = 2 * x(k - 1);",
            "s.k = -(1 - find(x > 0.9)); y = x(s.k); y = y * 2;",
            "y = 2 * before(x, 0.9);",
        ),
        2,
        5,
        "function y = before(x, low), y = x(find(x > low) + 0 - 1); end",
    ),
    "how many places, and what is there": Work(
        "x = single(mod((1:4096)' * 0.618, 1)); u = x(2:end-1);",
        (
            "k = find(u > x(1:end-2) & u > x(3:end)) + 1; y = numel(k) / 4096 + mean(x(k));",
            "k = find(u > x(1:end-2) & u > x(3:end)); h = x(k + 1); y = mean(h) + length(h) / 4096;",
            "s.x = x; s.k = 1 + find(u > s.x(1:end-2) & u > s.x(3:end));"
            "y = sum(s.x(s.k)) / numel(s.k) + length(s.k) / 4096;",
            "k = highs(x); y = mean(x(k)) + numel(k) / 4096;",
        ),
        0,
        2,
        "function k = highs(x), k = find(x(2:end-1) > x(1:end-2) & x(2:end-1) > x(3:end)) + 1; end",
    ),
    "two rows of places": Work(
        "x = mod((1:4096)' * 0.618, 1);",
        (
            "y = x([1:4095; 2:4096]);",
            "k = [1:4095; 2:4096]; y = x(k);",
            "s.x = x; s.k = [1:4095; (1:4095) + 1]; y = s.x(s.k);",
        ),
        0,
        2,
    ),
    "grids of lazy rows": Work(
        "n = 4096;",
        (
            "u = single(1:n) - 3; [X, Y] = meshgrid(u, 1:4); y = X - 2 * Y;",
            "s.u = single(1:n) - 3; [X, Y] = meshgrid(s.u', (1:4)'); y = X - 2 * Y;",
            "u = (single(1:n) - 3)'; [Y, X] = ndgrid(1:4, u); y = X - 2 * Y;",
            "u = single(1:n) - 3; [X, Y, Z] = meshgrid(u, 1:4, 0); y = X - 2 * Y + Z;",
        ),
        0,
        1,
    ),
    "all elements assigned": Work(
        "A = sin(1:4096);",
        (
            "y = 2 * A + 1;",
            "y = A; y(:) = 2 * A + 1;",
            "y = A; y(1:end) = 2 * A + 1;",
            "y = zeros(1, 4096); y(:, :) = feval(@(a) 2 * a + 1, A);",
            "s.y = A; s.y(:) = 2 * A' + 1; y = s.y;",
            "y = A; y(:) = feval('affine', A);",
            "validateattributes(A, {'numeric'}, {'row', 'numel', 4096}); y = affine(A);",
        ),
        0,
        1,
        "function y = affine(a), mustBeNumeric(a); y = 2 * a + 1; end",
    ),
    "one number into all": Work(
        "A = reshape(sin(1:4096), 64, 64);",
        (
            "y = repmat(sum(A(:)), 64, 64);",
            "y = A; y(:) = sum(A(:));",
            "y = A; y(:, :) = sum(A(:));",
            "y = A; y(1:64, :) = sum(A(:)); ",
        ),
        0,
        2,
    ),
    "places that are found": Work(
        "A = reshape(mod((1:4096) * 0.618, 1) - 0.4, 64, 64);",
        (
            "y = A; y(A < 0) = 0;",
            "y = A; y(find(A < 0)) = 0;",
            "y = A; i = find(y < 0); y(i) = 0;",
            "s.y = A; s.y(find(s.y < 0)) = 0; y = s.y;",
            "y = A; i = find(A < 0); z = 0 * A; y(i) = z(i);",
            "y = A(:); i = find(y' < 0); y(i) = 0; y = reshape(y, 64, 64);",
            "c = {A}; c{1}(find(c{1} < 0)) = 0; y = c{1};",
            "y = cut(A);",
        ),
        0,
        1,
        "function y = cut(y), k = find(y(:) < 0); y(k) = 0; end",
    ),
    "how many are found": Work(
        "x = mod((1:4096)' * 0.618, 1) - 0.4;",
        (
            "y = sum(x(x > 0.1)) / nnz(x > 0.1);",
            "y = mean(x(find(x > 0.1)));",
            "i = find(x > 0.1); s.x = x; y = mean(s.x(i));",
        ),
        0,
        2,
    ),
    "the first that is found": Work(
        "x = mod((1:4096)' * 0.618, 1) - 0.4;",
        (
            "y = find(x > 0.58, 1);",
            "y = find(x > 0.58, 1, 'first');",
            "s.x = x'; y = find(s.x > 0.58, 1);",
            "y = 4097 - find(flipud(x) > 0.58, 1, 'last');",
        ),
        1,
        2,
    ),
    "a few rows": Work(
        "A = reshape(mod((1:4096) * 0.618, 1) - 0.4, 64, 64); m = (1:64)' == 9;",
        (
            "y = [A([9 3 40], 2:3); A(m, 4:5)];",
            "s.A = A; y = [s.A([9; 3; 40], [2 3]); s.A(m', 4:5)];",
        ),
        1,
        3,
    ),
    "parts of long columns": Work(
        "x = gpuArray(mod((1:70000)' * 0.618, 1)); z = gpuArray(mod((1:70000)' * 0.755, 1));",
        (
            "y = sqrt((x(1:64) - x(1:64)').^2 + (z(1:64) - z(1:64)').^2);",
            "s.x = x; a = s.x(1:64); b = z(1:64, 1); y = sqrt((a - a').^2 + (b - b').^2);",
            "c = {x, z}; a = c{1}(1:64); b = c{2}(1:64); y = hypot(a - a', b - b');",
        ),
        0,
        1,
    ),
    "some rows deleted": Work(
        "A = reshape(mod((1:4096) * 0.618, 1) - 0.4, 64, 64); m = A(:, 7) > 0;",
        (
            "y = sum(A(~m, :));",
            "y = A; y(m, :) = []; y = sum(y);",
            "y = A; y(find(m), :) = []; y = sum(y);",
            "s.A = A; s.A(m', :) = []; y = sum(s.A);",
        ),
        0,
        4,
    ),
    "truth of doubles": Work(
        "A = max(mod((1:4096)' * 0.618, 1) - 0.4, 0); B = floor(3 * A);",
        (
            "y = ~A & ~B;",
            "y = not(A); y = y & not(B);",
            "s.A = A; y = ~(s.A | floor(3 * s.A));",
            "y = ~or(A, B);",
        ),
        2,
        4,
    ),
    "resampling": Work(
        "x = single(mod((1:4096)' * 0.618, 1));",
        (
            "rng(2); m = zeros(40, 1); for k = 1:40, m(k) = mean(x(randi(4096, 4096, 1))); end;"
            "y = mean(m);",
            "rng(2); s.x = x; s.m = zeros(40, 1);"
            "for k = 1:40, i = randi(4096, 4096, 1); s.m(k) = mean(s.x(i)); end; y = mean(s.m);",
            "rng(2); m = zeros(40, 1); for k = 1:40, m(k) = once(x, 4096); end; y = mean(m);",
        ),
        0,
        70,
        "function m = once(x, n), m = mean(x(randi(n, n, 1))); end",
    ),
    "blurred": Work(
        "A = single(reshape(mod((1:4096)' * 0.618, 1), 64, 64)); t = -7:7;"
        "h = exp(-t.^2 / 8); h = h / sum(h);",
        (
            "y = conv2(h, h, A, 'same');",
            "y = conv2(A, h' * h, 'same');",
            "y = conv2(conv2(A, h', 'same'), h, 'same');",
            "s.h = h; y = conv2(s.h', s.h(:), A, 'same');",
            "y = filter2(h' * h, A);",
            "y = imfilter(A, h' * h);",
        ),
        0,
        2,
    ),
    "neighbours around": Work(
        "u0 = single(1 + 0.5 * sin((1:4096)' / 99));",
        (
            "u = u0; for k = 1:32, f = u.^2 / 2; u = u - 0.2 * (f - f([end 1:end-1])); end; y = u;",
            "s.u = u0; for k = 1:32, s.f = s.u.^2 / 2;"
            "s.u = s.u - 0.2 * (s.f - s.f([end, 1:end-1])); end; y = s.u;",
            "u = u0; i = [4096, 1:4095];"
            "for k = 1:32, f = u.^2 / 2; u = u - 0.2 * (f - f(i)); end; y = u;",
            "u = u0; for k = 1:32, u = stepped(u); end; y = u;",
        ),
        0,
        100,
        "function u = stepped(u), f = u.^2 / 2; u = u - 0.2 * (f - f([end 1:end-1], 1)); end",
    ),
    "groups by the nearest": Work(
        "X = single(mod((1:4096)' * [0.618 0.755], 1)); C0 = X(1:8, :);",
        (
            "C = C0; for k = 1:6, [d, g] = min((X(:,1) - C(:,1)').^2 + (X(:,2) - C(:,2)').^2, [], 2);"
            "n = accumarray(g, 1, [8 1]);"
            "for j = 1:2, C(:, j) = accumarray(g, X(:, j), [8 1]) ./ max(n, 1); end; end; y = C;",
            "s.C = C0; for k = 1:6,"
            "[~, g] = min((X(:,1) - s.C(:,1)').^2 + (X(:,2) - s.C(:,2)').^2, [], 2);"
            "n = accumarray(g, 1, [8 1]);"
            "for j = 1:2, s.C(:, j) = accumarray(g, X(:, j), [8 1]) ./ max(n, 1); end; end; y = s.C;",
            "C = C0; for k = 1:6, C = moved(X, C); end; y = C;",
        ),
        0,
        200,
        "function C = moved(X, C)\n"
        "[d, g] = min((X(:,1) - C(:,1)').^2 + (X(:,2) - C(:,2)').^2, [], 2);\n"
        "n = accumarray(g, 1, [8 1]);\n"
        "for j = 1:2, C(:, j) = accumarray(g, X(:, j), [8 1]) ./ max(n, 1); end\nend",
    ),
}
CASES = [(name, k) for name, work in WORKS.items() for k in range(len(work.spellings))]


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, Session]]:
    with Session(device="cpu") as host, Session(device="gpu") as device:
        yield {"cpu": host, "gpu": device}


def value(session: Session, work: Work, spelling: str) -> tuple[np.ndarray, dict[str, int]]:
    """What a spelling gives, and the counters of its second run."""
    session.eval(f"clear\n{work.data}\n{work.functions}")
    for _ in range(2):
        session.eval(spelling)
    assert session.report is not None
    return np.asarray(session["y"]), dict(session.report.counters)


@pytest.mark.parametrize(("name", "number"), CASES)
def test_data_stay_on_the_device(sessions: dict[str, Session], name: str, number: int) -> None:
    work = WORKS[name]
    found, counters = value(sessions["gpu"], work, work.spellings[number])
    wanted, _ = value(sessions["cpu"], work, work.spellings[0])
    assert counters["downloads"] == work.downloads
    assert counters["dispatches"] <= work.dispatches
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    assert np.allclose(found, wanted, rtol=1e-4)


ASKED_AGAIN = """
x = sin((1:4096)'); k = floor(abs(x) * 4000) + 1; g = cumsum(abs(x) + 0.1); q = g(1) + abs(x) * 50;
s.k = k;
for t = 1:{n}
    x = x(s.k) / 2 + interp1(g, x, q);
    fprintf('');
end
y = sum(x);
"""


def test_what_is_asked_of_the_same_array_in_every_pass_is_fetched_once(
    sessions: dict[str, Session],
) -> None:
    """Whether places are valid, and whether sample points ascend."""
    fetched: list[int] = []
    for passes in (3, 9):
        found: dict[str, float] = {}
        for device, session in sessions.items():
            session.eval(ASKED_AGAIN.replace("{n}", str(passes)))
            assert session.report is not None
            fetched += [session.report.counters["downloads"]] if device == "gpu" else []
            found[device] = np.asarray(session["y"]).item()
        assert found["gpu"] == pytest.approx(found["cpu"], rel=1e-12)
    assert fetched[0] == fetched[1]
