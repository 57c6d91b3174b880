"""Passes of a parfor as one kernel: the same bits as passes one by one, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.campaigns import long_form
from tests.engine.parallel.kernel_bodies import NAMES, kernel_body
from tests.engine.parallel.running import Owner
from tests.engine.parallel.same_bits import differences, ran
from tests.support.adapters import require_adapter

SEEDS = range(300)
BEFORE = """ N = 1000; y0 = linspace(0.5, 1.5, N); p = linspace(1, 2, N)'; P = struct('k', 3, 'r', 0.25);
f = @(y, a) a*y*(1 - y); M = reshape(1:3*N, 3, N); s = 0; q = 1; m = -inf; out = zeros(1, N); two = ones(2, N); z = 1:N;
g = []; h = zeros(2, 0); h3 = [];
"""
AFTER = """
function r = rate(y, a, P)
if y > P.k/4, r = a*y*(1 - y/P.k) - P.r*y; else, r = -y; end
end
function [a, b] = both(y, v)
a = v; b = -y - 0.1*v;
end
"""
SAME = [
    "y = y0(i); for k = 1:20, y = y + 0.01*f(y, p(i)); end; out(i) = y; s = s + y; m = max(m, y);",
    "y = y0(i); for k = 1:20, y = y + 0.01*rate(y, p(i), P); end; out(i) = y;",
    "y = y0(i); v = 0; for k = 1:20, [a, b] = both(y, v); y = y + a/9; v = v + b/9; end; two(:, i) = [y; v];",
    "y = y0(i); for k = 1:20, if y > 0.9, y = y - 0.1; else, y = y + p(i)*k; end; end; out(i) = y;",
    "y = y0(i); n = 0; while y < 1.4 && n < 90, y = y + p(i)/70; n = n + 1; end; out(i) = n; s = s + y;",
    "y = y0(i); n = 0; for k = 1:90, if y > 1.2, break; end; y = y + 0.01; n = k; end; two(:, i) = [n; y];",
    "out(i) = i; if y0(i) > 1, out(i) = out(i) + p(i); t = out(i); else, t = 1; end; s = s + t;",
    "if y0(i) > 1, two(:, i) = [y0(i); p(i)]; end; z(i) = z(i)*y0(i);",
    "g(i) = y0(i); h(:, i) = [i; -i]; for k = 1:3, h3(i, k) = k*p(i); end",
    "out(i) = 1/sum(round([-y0(i); -p(i)]/9)) + 1/sum(-0*i);",
    "w = M(:, i); t = sum(w)/3; out(i) = t*w(2); if t > 9, s = s - t; end; q = q .* (1 + t*1e-6);",
    "out(i) = y0(mod(i*7, N) + 1); v = y0([i, N + 1 - i]); s = s + (v(1) - v(2));",
    "z = struct('y', y0(i), 'v', 1); for k = 1:9, z.v = z.v - z.y/9; z.y = z.y + z.v/9; end; out(i) = z.y;",
]
REFUSED = {
    "out(i) = exp(y0(i));": "exp may have other last bits in a kernel",
    "out(i) = rand;": "random",
    "c = {y0(i)}; d{i} = c;": "d",
    "w = y0 * i; out(i) = w(3);": "1000 elements",
}


@pytest.fixture(scope="module")
def owner() -> Iterator[Owner]:
    made = Owner()
    yield made
    made.close()


def ran_once(owner: Owner, body: str, *, forced: bool) -> tuple[str, str]:
    """All that a loop makes, as text, and what the report says of kernels."""
    shown = "\nanswer = sprintf('%.17g ', s, q, m, out, two, z, g, h, h3);\n"
    error, said = ran(owner, f"{BEFORE}parfor i = 1:N\n{body}\nend{shown}{AFTER}", forced=forced)
    assert not error
    return str(owner.value("answer")), said


@pytest.mark.parametrize("body", SAME)
def test_the_same_bits(owner: Owner, body: str) -> None:
    made, said = ran_once(owner, body, forced=True)
    assert "ran as one kernel" in said
    assert made == ran_once(owner, body, forced=False)[0]


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_no_kernel_says_why(owner: Owner, body: str) -> None:
    assert REFUSED[body] in ran_once(owner, body, forced=True)[1]


@pytest.mark.parametrize("machine_code", [False, True])
@pytest.mark.parametrize("wrong", ["1", "2e8", "0.5", "-1000", "NaN", "Inf"])
def test_a_subscript_that_leaves_the_array_is_the_error_of_its_pass(
    owner: Owner, monkeypatch: pytest.MonkeyPatch, wrong: str, machine_code: bool
) -> None:
    """Kernels compute the lanes, too, that cannot be done there: none reads beside the array."""
    text = f"w = zeros(1, 900); w(890) = {wrong}; x = 1:900;\n{{}} i = 1:900\ny(i) = x(i + w(i)*11);\nend"
    wanted, _ = ran(owner, text.format("for"), forced=False)
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    if machine_code:
        for limit in ("hot_ms", "wait_ms"):
            monkeypatch.setattr(runtime.executor.host.compiler, limit, -1.0)
    assert ran(owner, text.format("parfor"), forced=True)[0] == wanted != ""


SHARED = ["sum(x)", "mean(x)", "prod(x + 3)", "max(exp(x))", "x(2)*sum(x(1:5))", "max(x*2)"]


@pytest.mark.parametrize("shared", SHARED)
def test_what_all_passes_share_keeps_its_bits_on_a_device(
    owner: Owner, plain: Owner, shared: str
) -> None:
    device = Owner(device="gpu")
    require_adapter(device.session.acceleration.runtime.open())
    for size in (40, 64, 300):
        text = f"x = linspace(-1, 2, {size}); parfor i = 1:300, y(i) = i*{shared}; end"
        assert ran(plain, text)[0] == ""
        for one in (owner, device):
            assert ran(one, text, forced=True)[0] == ""
            assert differences(plain, one, ["y"]) == []
    device.close()


@pytest.fixture(scope="module")
def plain() -> Iterator[Owner]:
    made = Owner()
    yield made
    made.close()


@pytest.mark.parametrize("seed", long_form(SEEDS, 12))
def test_random_bodies(owner: Owner, plain: Owner, seed: int) -> None:
    assert ran(plain, kernel_body(seed)) == ("", "")
    error, _ = ran(owner, kernel_body(seed), forced=True)
    assert (error, differences(plain, owner, NAMES)) == ("", [])
