"""Computations with a loop, written plainly; `rewriting` spells them in other ways.

Every one has a set-up, which is not rewritten, and the body of a loop ``for k = 1:passes``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Computation:
    """One computation.

    Attributes:
        name: its name.
        setup: assigns the inputs and the first state, each at the top level.
        body: what a pass does.
        passes: how many passes there are.
    """

    name: str
    setup: str
    body: str
    passes: int = 12

    def __str__(self) -> str:
        return self.name


_BOARD = "u = zeros(24, 20); u(8:12, 6:14) = 1; c = 0.2;"
_SERIES = "x = reshape(sin((1:3600) / 7), 300, 12);"

COMPUTATIONS = [
    Computation("ema", f"{_SERIES} a = 0.3; y = zeros(300, 1);", "y = a * x(:, k) + (1 - a) * y;"),
    Computation(
        "bank",
        f"{_SERIES} y = zeros(300, 1); Y = zeros(300, 12);",
        "y = 0.9 * y + x(:, k); Y(:, k) = y;",
    ),
    Computation(
        "brownian",
        "M = 300; mu = 0.01; s = 0.2; p = 100 * ones(M, 1, 'single');",
        "z = randn(M, 1, 'single'); p = p .* exp(mu + s * z);",
    ),
    Computation(
        "neurons",
        "I = reshape(1 + cos(1:3600), 300, 12); v = zeros(300, 1); n = zeros(300, 1);",
        "v = v + 0.3 * (I(:, k) - v); f = v > 0.6; v(f) = 0; n = n + f;",
    ),
    Computation(
        "rk4",
        "y = linspace(0, 1, 300)'; w = y(end:-1:1); h = 0.01;",
        "a1 = w; b1 = -y; a2 = w + h / 2 * b1; b2 = -(y + h / 2 * a1);"
        " a3 = w + h / 2 * b2; b3 = -(y + h / 2 * a2); a4 = w + h * b3; b4 = -(y + h * a3);"
        " y = y + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);"
        " w = w + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);",
    ),
    Computation(
        "stencil",
        _BOARD,
        "u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + c * (u(1:end-2, 2:end-1) + u(3:end, 2:end-1)"
        " + u(2:end-1, 1:end-2) + u(2:end-1, 3:end) - 4 * u(2:end-1, 2:end-1));",
    ),
    Computation(
        "wave",
        "u = exp(-linspace(-3, 3, 400) .^ 2); p = u; r = 0.3;",
        "q = 2 * u - p; q(2:end-1) = q(2:end-1) + r * (u(3:end) - 2 * u(2:end-1) + u(1:end-2));"
        " p = u; u = q;",
    ),
    Computation(
        "mandelbrot",
        "c = reshape(linspace(-2, 1, 300), 20, 15) + 1i * 0.4; z = zeros(20, 15);"
        " n = zeros(20, 15);",
        "z = z .^ 2 + c; in = abs(z) <= 2; n = n + in; z(~in) = 3;",
    ),
    Computation(
        "power",
        "A = reshape(cos(1:2500), 50, 50); A = A + A'; v = ones(50, 1); l = 0;",
        "w = A * v; l = norm(w); v = w / l;",
    ),
    Computation(
        "logistic",
        "X = reshape(sin(1:3000), 300, 10); t = double(X(:, 1) > 0.1); w = zeros(10, 1); r = 0.01;",
        "p = 1 ./ (1 + exp(-X * w)); w = w - r * (X' * (p - t));",
    ),
    Computation(
        "centred",
        "x = reshape(sin(1:600), 300, 2);",
        "x = x - mean(x); x = x ./ (0.1 + max(abs(x), [], 'all'));",
    ),
    Computation(
        "sums",
        f"{_SERIES} y = zeros(300, 1); s = 0; m = zeros(1, 12);",
        "y = 0.9 * y + x(:, k); s = s + sum(y); m(k) = mean(y .^ 2);",
    ),
    Computation(
        "adam",
        "w = ones(300, 1); m = zeros(300, 1); v = m; t = linspace(0, 2, 300)';",
        "g = 2 * (w - t); m = 0.9 * m + 0.1 * g; v = 0.99 * v + 0.01 * g .^ 2;"
        " w = w - 0.1 * (m / (1 - 0.9 ^ k)) ./ (sqrt(v / (1 - 0.99 ^ k)) + 1e-8);",
    ),
    Computation(
        "predators",
        "a = linspace(1, 2, 300)'; b = ones(300, 1); h = 0.02; t = 0;",
        "d = h * (a - a .* b); b = b + h * (a .* b - b); a = a + d; t = t + h;",
    ),
    Computation(
        "bytes",
        "x = uint8(mod(1:400, 251)); y = zeros(1, 400, 'uint8');",
        "y = y / 2 + x / 3; y(y > 100) = 7;",
    ),
    Computation(
        "switching",
        f"{_SERIES} y = zeros(300, 1); mode = 2;",
        "if mode == 1, y = y + 1; elseif mode == 2, y = 0.5 * y + x(:, k); else, y = -y; end",
    ),
    Computation(
        "parity",
        f"{_SERIES} y = zeros(300, 1);",
        "if mod(k, 2) == 0, y = y + x(:, k); else, y = 0.5 * y; end",
    ),
    Computation(
        "walkers",
        "n = 300; p = zeros(n, 1); far = p;",
        "s = rand(n, 1) - 0.5; p = min(max(p + s, -2), 2); far = max(far, abs(p));",
    ),
    Computation(
        "horner",
        "x = linspace(-1, 1, 300); q = linspace(1, 2, 12); y = zeros(1, 300);",
        "y = y .* x + q(k);",
    ),
    Computation(
        "jacobi",
        "u = zeros(30, 20); g = reshape(sin(1:600), 30, 20);",
        "u = 0.25 * (circshift(u, 1) + circshift(u, -1) + circshift(u, 1, 2)"
        " + circshift(u, -1, 2) + g);",
    ),
    Computation(
        "complex_rotation",
        "z = exp(1i * linspace(0, 1, 300)); r = exp(0.1i); e = 0;",
        "z = z .* r + 0.01 * conj(z); e = e + sum(abs(z));",
    ),
    Computation(
        "single_decay",
        "y = single(linspace(1, 2, 300))'; g = single(0.97); b = 0 * y;",
        "y = g * y + single(0.01); b = b + y .* y;",
    ),
]
