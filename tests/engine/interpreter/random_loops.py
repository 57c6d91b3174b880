"""Random loops over arrays, scalars and the counter."""

from __future__ import annotations

import random

PASSES = 20


def program(seed: int) -> str:
    """A script whose loop the tracing may or may not make a kernel of."""
    r = random.Random(seed)
    body = " ".join(_statement(r) for _ in range(r.randint(1, 5)))
    n = r.choice([70, 301, 1000])
    return (
        f"n = {n}; x = reshape(sin((1:{PASSES * n}) / 7), n, {PASSES}); y = x(:, 1); z = x(:, 2);"
        f" w = zeros(n, 1); s = 0.2; q = 0; m = zeros(1, {PASSES}); Y = zeros(n, {PASSES});"
        f" for t = 1:{PASSES}, {body} end"
    )


def _expression(r: random.Random, depth: int = 0) -> str:
    kind = r.random()
    if depth > 2 or kind < 0.3:
        leaves = ["y", "z", "w", "s", "t", "0.5", "x(:, t)", f"x(:, {PASSES + 1} - t)", "y", "z"]
        return r.choice(leaves)
    left = _expression(r, depth + 1)
    if kind < 0.85:
        return f"({left} {r.choice(['+', '-', '.*'])} {_expression(r, depth + 1)})"
    if kind < 0.93:
        return f"{r.choice(['sin', 'cos', 'abs', 'tanh', 'sqrt'])}({left})"
    return f"max({left}, {_expression(r, depth + 1)})"


def _statement(r: random.Random) -> str:
    """Variables stay bounded, so that rounding is not blown up from pass to pass."""
    part = r.choice(["y", "z", "x(:, t)", "y .* z", "abs(y)", "y - z"])
    condition = r.choice(
        ["t > 7", "mod(t, 3) == 0", "s > 0.3", "t == 2 || t == 5", "t < 4 && s < 1"]
    )
    rest = r.choice(["", f"else, {_simple(r)}", f"elseif t == 4, {_simple(r)}"])
    return r.choice(
        [
            f"y = 0.3 * tanh(w + 0.01 * {_expression(r)});",
            f"z = cos(w + 0.01 * {_expression(r)});",
            f"s = 0.5 * s + {r.choice(['0.1', 't / 9', 'sin(t)'])};",
            f"q = q + {r.choice(['sum', 'mean', 'max', 'min', 'norm'])}({part});",
            f"m(t) = {r.choice(['mean', 'sum', 'max', 'std', 'var'])}({part});",
            f"Y(:, t) = w + {_expression(r)};",
            f"if {condition}, Y(:, t) = w - {part}; end",
            f"if {condition}, m(t) = sum({part}); end",
            f"if {condition}, {_simple(r)} {rest} end",
            f"for k = 1:{r.choice([2, 3])}, y = 0.5 * y + k * 0.01; end",
        ]
    )


def _simple(r: random.Random) -> str:
    return r.choice(
        ["y = 0.9 * y;", "z = -z;", "s = s + 1;", "y = 0.3 * tanh(w + z);", "z = x(:, t);"]
    )
