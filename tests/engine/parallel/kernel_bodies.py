"""Random bodies of parfor loops over numbers and small arrays, most of which become kernels."""

from __future__ import annotations

from random import Random

BEFORE = """x = mod((1:{n})*0.37, 3) - 0.5; p = linspace(1, 2, {n})'; M = reshape(mod((1:3*{n})*7, 11), 3, {n}) - 4;
P = struct('k', 3, 'r', -0.25); f = @(a, b) a*P.k - b*b; q = {{0.5, 2}}; n = {n};
y = ones(1, {n}); z = zeros({n}, 2); w = zeros(2, {n}); g = []; b = false(1, {n}); e = 7*ones(1, {n} + 3);
s1 = 0; s2 = -inf; s3 = 1; s4 = 1;
"""
AFTER = """
function r = rate(a, b, P)
if a > P.k/4, r = a - b*P.r; elseif a > 0, r = b; else, r = -a; end
end
function [c, d] = both(a, b)
c = b/2; d = -a - 0.1*b;
end
"""
NAMES = "y z w g b e s1 s2 s3 s4".split()
_LEAVES = (
    "t",
    "u",
    "x(i)",
    "p(i)",
    "M(2, i)",
    "P.k",
    "P.r",
    "i",
    "v(1)",
    "v(2)",
    "q{1}",
    "0.75",
    "n",
)
_FORMS = (
    "({a} + {b})",
    "({a} - {b})",
    "{a}*{b}",
    "{a}/(1 + abs({b}))",
    "min({a}, {b})",
    "max({a}, {b})",
    "sqrt(abs({a}))",
    "floor({a}*4)",
    "round({a})",
    "mod({a}, 3)",
    "rem({a}, 2.5)",
    "sign({a})",
    "-{a}",
    "abs({a})",
    "({a} > {b})",
    "({a} <= {b} || {b} > 1)",
    "f({a}, {b})",
    "rate({a}, {b}, P)",
    "sum(M(:, i))",
    "sum(v)",
    "{a}^2",
    "exp(-abs({a}))",
)
_STATEMENTS = (
    "t = {e};",
    "u = {e};",
    "v = [{e}; {f}];",
    "v = v*0.5 + [{e}; t];",
    "v(2) = {e};",
    "[t, u] = both({e}, u);",
    "for k = 1:{k}, t = t*0.5 + 0.25*{e}; end",
    "for k = 1:2, v(k) = {e}; end",
    "for k = 1:{k}, u = t; t = 0.25*u - 0.5*{e} + k; if t > {f}, t = t/2; end; end",
    "m = 0; while t < 9 && m < {k}, t = t + 0.5 + abs({e}); m = m + 1; end",
    "for k = 1:{k}, if t > 5, break; end; t = t + abs({e}); end",
    "for k = 1:{k}, if u > t, continue; end; u = u + 0.5; end",
    "if {e} > {f}, t = {e}; else, u = {f}; end",
    "y(i) = {e};",
    "y(i) = y(i) + {e};",
    "z(i, 2) = {e}; t = t - z(i, 2);",
    "w(:, i) = [{e}; t];",
    "w(:, i) = v;",
    "g(i) = {e};",
    "b(i) = {e} > {f};",
    "e(i + 2) = {e};",
    "if {e} > {f}, y(i) = {e}; end",
    "if {e} > {f}, w(:, i) = v; else, w(:, i) = [1; {e}]; end",
    "if i > 400, g(i) = t; end",
    "s1 = s1 + {e};",
    "s2 = max(s2, {e});",
    "s3 = s3 - {e};",
    "s4 = s4*(1 + 0.001*mod(i, 3));",
    "if {e} > {f}, s1 = s1 + t; end",
)


def _expression(random: Random, depth: int) -> str:
    if not depth or random.random() < 0.25:
        return random.choice(_LEAVES)
    forms = _FORMS if random.random() < 0.1 else _FORMS[:-1]
    a, b = (_expression(random, depth - 1) for _ in range(2))
    return random.choice(forms).format(a=a, b=b)


def kernel_body(seed: int) -> str:
    """A program with one parfor."""
    random = Random(seed)
    lines = ["  t = i/8; u = x(i); v = [u; 1];"]
    for statement in random.sample(_STATEMENTS, random.randint(2, 6)):
        e, f = (_expression(random, random.randint(1, 3)) for _ in range(2))
        lines.append("  " + statement.format(e=e, f=f, k=random.choice((2, 3, 6, 30))))
    n = random.choice((300, 513, 1000))
    return BEFORE.format(n=n) + f"parfor i = 1:{n}\n" + "\n".join(lines) + "\nend\n" + AFTER
