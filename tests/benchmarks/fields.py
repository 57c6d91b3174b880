"""Loops of twenty fields that nothing was written for: they are timed in spellings, without torch."""

from __future__ import annotations

from tests.spellings.programs import Computation

_NOISE = "z = reshape(cos(single(mod(0:100*n-1, 8191))), n, 100);"
_LINE = "linspace(single({}), single({}), n)'"


def _line(first: float, last: float) -> str:
    return _LINE.format(first, last)


FIELDS = (
    Computation(
        "tracking",
        f"{_NOISE} x = zeros(n, 1, 'single'); p = x + 1; q = single(0.01); r = single(0.5);",
        "p = p + q; g = p ./ (p + r); x = x + g .* (z(:, k) - x); p = (1 - g) .* p;",
        100,
    ),
    Computation(
        "volatility",
        f"{_NOISE} h = {_line(1, 2)}; e = 0 * h; s = e; w = single(0.1);",
        "h = w + 0.1 * e .^ 2 + 0.8 * h; e = sqrt(h) .* z(:, k); s = s + e .^ 2;",
        100,
    ),
    Computation(
        "barrier",
        "M = n; p = 100 * ones(M, 1, 'single'); alive = p > 0; m = single(1e-4);",
        "p = p .* exp(m + 0.01 * randn(M, 1, 'single')); alive = alive & p > 80;",
        200,
    ),
    Computation(
        "infection",
        f"s = {_line(0.9, 0.99)}; j = 1 - s; r = 0 * s; beta = single(0.4); dt = single(0.05);",
        "b = beta * s .* j; g = 0.1 * j; s = s - dt * b; j = j + dt * (b - g); r = r + dt * g;",
        200,
    ),
    Computation(
        "excitable",
        f"v = {_line(-1, 1)}; w = 0 * v; top = v; h = single(0.05); J = single(0.5);",
        "v = v + h * (v - v .^ 3 / 3 - w + J); w = w + h * 0.08 * (v + 0.7 - 0.8 * w);"
        " top = max(top, v);",
        200,
    ),
    Computation(
        "newton",
        f"c = {_line(1, 9)}; x = c;",
        "x = x - (x .^ 3 - c) ./ (3 * x .^ 2);",
        100,
    ),
    Computation(
        "halving",
        f"c = {_line(1, 9)}; lo = 0 * c; hi = c;",
        "m = (lo + hi) / 2; up = m .^ 3 + m > c; hi(up) = m(up); lo(~up) = m(~up);",
        40,
    ),
    Computation(
        "chaos",
        f"r = {_line(3, 4)}; x = 0 * r + 0.3; L = 0 * r;",
        "x = r .* x .* (1 - x); L = L + log(abs(r .* (1 - 2 * x)) + 1e-6);",
        200,
    ),
    Computation(
        "julia",
        f"z = {_line(-1, 1)} + 1i * {_line(-1, 1)}; c = single(-0.4 + 0.6i);"
        " t = zeros(n, 1, 'single');",
        "z = z .^ 2 + c; in = abs(z) < 2; t = t + in; z(~in) = 0;",
        100,
    ),
    Computation(
        "pendulum",
        f"q = {_line(-3, 3)}; p = 0 * q; h = single(0.02);",
        "p = p - h * sin(q); q = q + h * p;",
        200,
    ),
    Computation(
        "kinetics",
        f"a = {_line(0.5, 1)}; b = 0 * a; c = 1 - a; h = single(0.01);",
        "f = 0.04 * a; g = 10 * b .* c; a = a + h * (g - f); b = b + h * (f - g - 3 * b .^ 2);"
        " c = 1 - a - b;",
        200,
    ),
    Computation(
        "smoothing",
        f"{_NOISE} y = zeros(n, 1, 'single'); Y = z;",
        "y = 0.8 * y + 0.2 * z(:, k); Y(:, k) = y;",
        100,
    ),
    Computation(
        "adam",
        f"w = {_line(1, 2)}; m = 0 * w; v = m; t = {_line(0, 2)};",
        "g = 2 * (w - t); m = 0.9 * m + 0.1 * g; v = 0.99 * v + 0.01 * g .^ 2;"
        " w = w - 0.1 * (m / (1 - 0.9 ^ k)) ./ (sqrt(v / (1 - 0.99 ^ k)) + 1e-8);",
        100,
    ),
    Computation(
        "refractory",
        f"J = {_line(1, 3)}; v = 0 * J; rest = v; s = v;",
        "rest = max(rest - 1, 0); on = rest == 0; v(on) = v(on) + 0.1 * (J(on) - v(on));"
        " f = v > 1; v(f) = 0; rest(f) = 5; s = s + f;",
        100,
    ),
    Computation(
        "weights",
        f"x = {_line(-2, 2)}; w = 0 * x + 1 / n; y = linspace(-1, 1, 50);",
        "w = w .* exp(-0.5 * (y(k) - x) .^ 2); w = w / sum(w);",
        50,
    ),
    Computation(
        "ranking",
        "A = reshape(sin(single(mod(0:2000*2000-1, 8191))) + 1, 2000, 2000); A = A ./ sum(A);"
        " v = ones(2000, 1, 'single') / 2000; d = single(0.85);",
        "v = d * (A * v) + (1 - d) / 2000;",
        50,
    ),
    Computation(
        "ridge",
        "X = reshape(sin(single(mod(0:16*n-1, 8191))), n, 16); t = X(:, 3); w = zeros(16, 1, 'single');",
        "g = X' * (X * w - t) + 0.1 * w; w = w - 1e-6 * g;",
        50,
    ),
    Computation(
        "ring",
        f"u = exp(-{_line(-5, 5)} .^ 2); D = single(0.2);",
        "u = u + D * (circshift(u, 1) - 2 * u + circshift(u, -1));",
        100,
    ),
    Computation(
        "shock",
        f"u = 1 + exp(-{_line(-5, 5)} .^ 2); c = single(0.2);",
        "f = 0.5 * u .^ 2; u(2:end) = u(2:end) - c * (f(2:end) - f(1:end-1));",
        100,
    ),
    Computation(
        "generator",
        "s = (0:n-1)'; h = 0 * s;",
        "s = mod(1103515 * s + 12345, 2147483648); h = h + (s > 1e9);",
        100,
    ),
)
