"""Random bodies of parfor loops over single numbers, which become machine code."""

from __future__ import annotations

from random import Random

_EXPRESSIONS = (
    "x(i)*{k} + i",
    "sin(x(i))*a + t",
    "a/(1 + i)",
    "mod(i*{k}, 7) - t",
    "rand + i",
    "M({k}, i) - M(1, i)",
    "max(x(i), a*t)",
    "p.v*{k} + t",
    "local(x(i), {k})",
    "sqrt(x(i) + {k}/2)",
    "log(x(i)^2 + {k})",
    "numel(x) + sum(M(:, i))",
)
_STATEMENTS = (
    "y(i) = {e};",
    "y(i) = y(i) + {e};",
    "z(i, 2) = {e}; t = t - z(i, 2);",
    "w(:, i) = {e};",
    "g(i) = {e};",
    "t = {e};",
    "for j = 1:{k}, t = t*0.5 + j*{e}; end",
    "while t > 3, t = t/2 - {k}; end",
    "if x(i) > 0.{k}, u(i) = {e}; else, t = -t; end",
    "q(i + 2) = i;",
    "s1 = s1 + {e};",
    "s3 = s3 - t - ({e});",
    "s2 = max(s2, {e});",
    "s3 = s3 - ({e});",
    "s4 = s4 .* (1 + 0.01*mod(i, 3));",
    "s5 = s5 + t; s5 = s5 + 1;",
    "k8(i) = {e};",
    "if mod(i, {k}0) == 3, d{{i}} = 'word'; end",
    "if i == {k}{k}, g(i, 1) = t; end",
)
BEFORE = """rng({seed}); x = linspace({low}, 2, {n}); a = 1.5; M = reshape(1:9*{n}, 9, {n}); p = struct('v', 3);
y = zeros(1, {n}); z = zeros({n}, 2); w = zeros(2, {n}); u = nan(1, {n}); g = []; q = single(1:{n}+2); d = {{}};
s1 = 0; s2 = -inf; s3 = 1; s4 = 1; s5 = 0; k8 = zeros(1, {n}, 'int16');
"""
AFTER = """last = rand;
function y = local(v, k)
y = v;
for j = 1:k
    if y > 1, y = y - 0.7; else, y = y*1.5 + j; end
end
end
"""
NAMES = "y z w u g q d k8 s1 s2 s3 s4 s5 last".split()


def scalar_body(seed: int) -> str:
    """A program with one parfor."""
    random = Random(seed)
    n = random.choice((2, 3, 40, 128, 129, 1000))
    lines = ["  t = i/2;"]
    chosen = [s for s in random.sample(_STATEMENTS, random.randint(1, 5)) if "i == " not in s]
    for statement in chosen:
        k = random.randint(2, 5)
        expression = random.choice(_EXPRESSIONS).format(k=k)
        lines.append("  " + statement.format(e=expression, k=k))
    before = BEFORE.format(seed=seed % 97, n=n, low=random.choice((0, 0, -1)))
    return before + f"parfor i = 1:{n}\n" + "\n".join(lines) + "\nend\n" + AFTER
