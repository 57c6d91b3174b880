"""Random bodies of parfor loops whose answers can be compared bit by bit."""

from __future__ import annotations

from random import Random

_EXPRESSIONS = (
    "x(i)*{k} + i",
    "sin(x(i)) + a",
    "a / (1 + i)",
    "mod(i*{k}, 7)",
    "rand + i",
    "sum(M(:, i))",
    "sum(rand(1, {k}))",
    "w(i).v * {k}",
    "numel(c{{i}})",
    "h(i)",
    "max(x(i), a)",
)
_STATEMENTS = (
    "y(i) = {e};",
    "z(i, :) = [{e}, i];",
    "d{{i}} = sprintf('%d', {k}*i);",
    "v(i).f = {e};",
    "s1 = s1 + {e};",
    "s2 = max(s2, {e});",
    "s3 = [s3, {e}];",
    "s4 = [s4; i, {e}];",
    "s5 = s5 .* (1 + 0.01*mod(i, 3));",
    "s6 = g(s6, {e});",
    "for j = 1:{k}, t = {e}; s7 = s7 - t; end",
    "if mod(i, {k}) == 0, u(i) = {e}; end",
    "q(i+2) = i;",
)
BEFORE = """rng({seed}); x = linspace(-1, 2, {n}); a = 1.5; M = reshape(1:3*{n}, 3, {n});
w = struct('v', num2cell(1:{n})); c = cell(1, {n}); for k = 1:{n}, c{{k}} = ones(1, mod(k, 4)); end
h = @(k) k*a + sum(x); g = @(p, q) p + 2*q; y = zeros(1, {n}); z = zeros({n}, 2); u = nan(1, {n});
s1 = 0; s2 = -inf; s3 = []; s4 = []; s5 = 1; s6 = 0; s7 = 0; q = single(1:{n}+2); d = {{}}; v = [];
"""
NAMES = "y z u q d v s1 s2 s3 s4 s5 s6 s7".split()


def random_body(seed: int) -> tuple[str, str]:
    """What comes before a loop, and the loop."""
    random = Random(seed)
    n = random.choice((1, 2, 7, 40, 300))
    chosen = random.sample(_STATEMENTS, random.randint(1, 5))
    lines = []
    for statement in chosen:
        k = random.randint(2, 5)
        expression = random.choice(_EXPRESSIONS).format(k=k)
        lines.append("  " + statement.format(e=expression, k=k))
    loop = f"parfor i = 1:{n}\n" + "\n".join(lines) + "\nend\nlast = rand;\n"
    return BEFORE.format(seed=seed % 97, n=n), loop
