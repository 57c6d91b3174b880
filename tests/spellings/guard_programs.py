"""Random programs of functions that leave the real numbers, and of what asks whether they did."""

from __future__ import annotations

import random

NAMES = "xyzw"
PARTS = ["2:end, :", ":, 3", ":, 2:5", "1, :", "1:2:end, :", "end:-1:1, :"]


def guard_program(seed: int) -> str:
    """A script, now and then with a loop, of matrices that may turn out complex."""
    r = random.Random(seed)
    body = "\n".join(_statement(r) for _ in range(r.randint(1, 6)))
    if r.random() < 0.5:
        body = f"for t = 1:5\n{body}\nend"
    asked = "".join(f"r{name} = isreal({name}); " for name in NAMES)
    return (
        "x = reshape(sin((1:900) / 7), 30, 30); y = x + 1; z = cos(x) * 2; w = x * 0.1 + 0.5;\n"
        f"q = 0; k = mod((1:900)', 4) + 1;\n{body}\n{asked}"
    )


def _root(r: random.Random) -> str:
    """What may be complex, or is real though what it is made of may not be."""
    v = r.choice(NAMES)
    return r.choice(
        [
            *(f"sqrt({v})", f"log({v})", f"{v} .^ 0.5", f"acos({v})", f"log2({v})", f"acosh({v})"),
            *(f"sqrt(abs({v}))", f"{v} * 0.5", f"log({v} + 3)", f"real(sqrt({v}))", f"asin({v})"),
            *(f"{v} + {r.choice(NAMES)}", f"abs({v})", f"imag(log({v}))", f"(-1) .^ {v}"),
        ]
    )


def _statement(r: random.Random) -> str:
    t, v, part, root = r.choice(NAMES), r.choice(NAMES), r.choice(PARTS), _root(r)
    return r.choice(
        [
            *[f"{t} = {root};"] * 3,
            f"{t}({part}) = {t}({part}) * 0.5;",
            f"h = {root}; {t}({part}) = h({part});",
            f"h = {root}; {t}({part}) = {t}({part}) + h({part});",
            f"h = {root}; {t}(:, 4) = sum(h, 2) / 30; {t} = {t}';",
            f"h = {root}; u = zeros(30, 30); u(2:end, :) = h(2:end, :); {t} = u' + 0.1;",
            f"g = real({v}) > 0.2; {t}(g) = sqrt({v}(g));",
            f"g = real({v}) > 0.2; {t}(g) = {v}(g) * 2;",
            f"h = {root}; {t} = [{v}(1:10, :); h(11:end, :)];",
            f"{t} = {v}.';",
            f"h = {root}; {t} = h([30 1:29], :);",
            f"h = {root}; {t} = circshift(h(:, end:-1:1), 1);",
            f"{t} = max(real({v}), {r.choice(['0', '-1'])}); {t} = sqrt({t});",
            f"h = {root}; {t}(:) = h(:);",
            f"h = {root}; {t} = {t} - mean(h) + sum(h, 2) / 30;",
            f"{t} = sort(real({v})) + {root};",
            f"if isreal({v}), {t} = {t} + 1; else, {t} = {t} * 2; end",
            f"h = {root}; if any(real(h(:)) > 1), {t} = {t} * 0.9; end",
            f"h = {root}; q = q + sum(h(:)) / 1e3;",
            f"{t} = cumsum({root}) / 30;",
            f"h = {root}; {t} = cumprod(h(1:3, :)); {t} = repmat({t}, 10, 1);",
            f"h = {root}; c = {{h}}; s.a = c{{1}}; {t} = s.a;",
            f"{t} = conj({v}); {t} = imag({t}) + 1;",
            f"h = {root}; h = reshape(permute(h, [2 1]), 15, []); {t} = reshape(h, 30, 30);",
            f"{t}(:, 2) = []; {t}(:, end + 1) = 0.3;",
            f"{t} = min({root}, 0.4);",
            f"h = {root}; {t} = h * {v} / 30;",
            f"h = diff({root}); {t} = [h; h(1, :)];",
            f"h = accumarray(k, reshape({root}, [], 1)); {t} = {t} + h(2) / 99;",
            f"h = prod({root}); {t} = {t} + h ./ (1 + abs(h));",
            f"h = {root}; {t} = h ./ norm(h(:, 1));",
        ]
    )
