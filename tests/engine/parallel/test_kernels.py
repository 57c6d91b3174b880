"""Passes of a parfor as one kernel: the same bits as passes one by one, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.engine.interpreter.loops import parfor_kernel
from app.engine.interpreter.loops.parfor_run import Run
from tests.engine.parallel.running import Owner

BEFORE = """clear; N = 1000; y0 = linspace(0.5, 1.5, N); p = linspace(1, 2, N)'; P = struct('k', 3, 'r', 0.25);
f = @(y, a) a*y*(1 - y); M = reshape(1:3*N, 3, N); s = 0; q = 1; m = -inf; out = zeros(1, N); two = zeros(2, N);
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
    "w = M(:, i); t = sum(w)/3; out(i) = t*w(2); if t > 9, s = s - t; end; q = q .* (1 + t*1e-6);",
    "z = struct('y', y0(i), 'v', 1); for k = 1:9, z.v = z.v - z.y/9; z.y = z.y + z.v/9; end; out(i) = z.y;",
]
REFUSED = {
    "out(i) = exp(y0(i));": "exp may have other last bits in a kernel",
    "out(i) = rand;": "random",
    "c = {y0(i)}; d{i} = c;": "d",
    "out(i) = y0(mod(i*7, N) + 1);": "1000 elements",
}


@pytest.fixture(scope="module")
def owner() -> Iterator[Owner]:
    made = Owner()
    yield made
    made.close()


@pytest.fixture
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every loop is worth a kernel after its first range."""
    monkeypatch.setattr(parfor_kernel, "LEAST_S", 0.0)
    monkeypatch.setattr(Run, "is_timed", property(lambda run: run.at > 0))


def ran(owner: Owner, body: str, word: str) -> tuple[str, str]:
    """All that a loop makes, as text, and what the report says of kernels."""
    shown = "\nanswer = sprintf('%.17g ', s, q, m, out, two);\n"
    owner.run(f"{BEFORE}{word} i = 1:N\n{body}\nend{shown}{AFTER}")
    runtime = owner.session.interpreter.runtime
    texts = [b.detail for b in runtime.recorder.boundaries.values() if "kernel" in b.detail]
    return str(owner.value("answer")), " ".join(texts)


@pytest.mark.parametrize("body", SAME)
def test_the_same_bits(
    owner: Owner, kernels: None, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    made, text = ran(owner, body, "parfor")
    assert "ran as one kernel" in text
    monkeypatch.setattr(parfor_kernel, "LEAST_PASSES", 1 << 40)
    assert made == ran(owner, body, "parfor")[0]


@pytest.mark.parametrize("body", REFUSED)
def test_what_is_no_kernel_says_why(owner: Owner, kernels: None, body: str) -> None:
    assert REFUSED[body] in ran(owner, body, "parfor")[1]
