"""Reductions along dimensions, integers, characters and arrays made of others in machine code.

Each program runs in the interpreter and in machine code and leaves the same to the bit; none of its
loops stays in the interpreter, where it does not say so.
"""

from __future__ import annotations

import random

import pytest

from app.engine.jit import reporting
from app.engine.jit.jit_statements import Exit
from app.engine.jit.loop_version import Version
from app.native import INSTANT
from tests.campaigns import long_form
from tests.engine.jit.comparing import compare

SETUP = """
A = {a}; B = A > 0.4; C = int32(A * 9); r = {r}; c = r'; iv = int16([5 9 -14]); u8 = uint8([3 250; 7 9]);
w = 'Hello World 12_x'; t = ''; s = 0; n = 0; m = 0; y = zeros(size(A, 1), 1); x = zeros(1, size(A, 2));
v = 1:9; p = [1 2 3]; q = [3; 1; 2]; g = zeros(1, 9); b = false; D = [1 2; 3 4];
E = zeros(0, 2); G = []; H = []; K = [];
"""
FUNCTIONS = """
function t = listed(v, k)
  t = 0;
  for e = v
    for g = [e, k], t = t + g; if t > 100, return, end, end
  end
end
"""
PARTS = (
    "y = y + sum(A, 2);",
    "x = x + sum(A, 1);",
    "y = y + mean(A, 2); x = x - mean(A, 1);",
    "y = y + prod(A, 2); x = x + prod(A, 1);",
    "s = s + sum(sum(A)) + prod(prod(A)) + sum(sum(B));",
    "[z, i] = max(A, [], 2); y = y + z + i;",
    "[z, i] = min(A, [], 1); x = x + z - i;",
    "x = x + max(A, [], 1); y = y - min(A, [], 2);",
    "[~, i] = max(A .* k, [], 2); y(1) = i(end);",
    "[z, i] = max(C, [], 2); s = s + double(z(1)) + i(1); y = y + sum(C, 2);",
    "s = s + double(max(iv)) + sum(iv) + mean(iv); iv = iv + int16(k); [z, i] = min(iv); s = s + i;",
    "if all(all(A > -k, 2)), s = s + 1; end, b = any(A(:, 1) > 0.5) || all(any(B, 1), 2);",
    "s = s + max(k) + min(s);",
    "s = s + max(max(abs(A - 1))) + min(min(A)); b = any(any(A > 1)) || all(all(B)); m = max(max(C)); s = s + double(m);",
    "D(mod(k, 5) + 1, mod(k, 3) + 1) = k; s = s + size(D, 1);",
    "D(k + 2, 2) = k; s = s + D(end, 1) + sum(sum(D)); E(size(E, 1) + 1, 1) = k;",
    "for i = 1:3, for j = 1:2, T(i, j) = k + i * j; end, end, s = s + T(3, 1);",
    "G = [G; k s]; H = [H k]; t = [t w(mod(k, 5) + 1)]; K = [r; K; r];",
    "a = w(mod(k, numel(w)) + 1); if isspace(a), n = n + 1; elseif isletter(a), n = n + 2; end",
    "if isdigit(w(mod(k, 15) + 1)), n = n + 3; end, z = sum(isspace(w)) + sum(isupper(w)); n = n + z;",
    "t = upper(w); if strcmp(t, w), s = s + 1; end, t = lower(t); if strcmp(t, lower(w)), n = n + 1; end",
    "d = 1:k; s = s + sum(d(mod(k, d) == 0)); n = n + nnz(d > 2) + nnz(A);",
    "d = v(floor(v / 2) * 2 == v); s = s + sum(d) + numel(v(abs(v) > 3));",
    "d = r(find(r > 0.3)); if numel(d) > 1, s = s + d(1); end",
    "p = cross(p, [k 1 2]) / 10; q = cross(q, p') / 5;",
    "n = n + isequal(p, p) + isequal(A, B) + isequal(v, v + 0) + isequal(w, t) + isequal(p, v);",
    "n = n + ismember(k, v) + ismember(s, r);",
    "e = repmat(p, 2, 3); s = s + sum(e(:)); e = repmat(k, 2, 2); s = s + e(end); e = repmat(A, 1, 2); s = s + e(end);",
    "z = bitget(k * 5, 1:6); s = s + sum(z) + bitget(k, 2); iv = bitand(iv, int16(255)); z = bitxor(v, k); s = s + z(2);",
    "g = cumsum(v * k); s = s + g(end); g = cumprod(r); s = s + g(end); z = diff(r); s = s + z(1);",
    "z = fliplr(r); s = s + z(1); z = flipud(A); y(1) = z(1); z = fliplr(A); x(1) = z(1);",
    "for e = r, s = s + e; if e > k, break, end, end, n = n + (numel(e) > 0);",
    "for e = [k 2 3], for q2 = v, if q2 == e, continue, end, s = s + q2 * e; end, end",
    "for e = w, if e == 'o', n = n + 1; end, end, for h = B(1, :), s = s + h; end",
    "L = 1:3; for e = L, L(end + 1) = e; s = s + numel(L); end, for h = iv, s = s + double(h); end",
    "for e = find(v > k), s = s + e; end, s = s + listed(v, k);",
    "for e = s, n = n + 1; end, for e = v(v > 99), n = n + 1; end, n = n + numel(e);",
    "u8 = u8 + 1; [z, i] = max(u8, [], 2); s = s + i(1) + sum(sum(u8)) + double(z(2)); b = max(u8(:)) > 9;",
    "z = bitshift(k * 70000, [-18 -12 -6 0 3]); s = s + sum(z); iv = bitshift(bitand(iv, int16(255)), 2); g = bitshift(uint8([1 200]), k); s = s + sum(g);",
)
MATRICES = (
    "magic(4)/7",
    "rand(9, 3)",
    "-magic(5)'/3",
    "reshape(1:6, 3, 2)",
    "ones(1, 4)",
    "ones(4, 1)",
)
ODD = (*MATRICES, "[NaN 1; 2 -0]", "[Inf -Inf; 0 1]", "zeros(0, 3)", "zeros(3, 0)", "[]", "5")
ROWS = ("[0.5 1 2 0.25]", "[NaN 1 2 3]", "[-0 0]", "(1:12)/7")


def _program(seed: int, matrices: tuple[str, ...], parts: tuple[str, ...]) -> str:
    choose = random.Random(seed)
    setup = SETUP.format(a=choose.choice(matrices), r=choose.choice(ROWS))
    body = "\n  ".join(choose.sample(parts, min(len(parts), 4)))
    return (
        f"{setup}\ntry\nfor k = 1:12\n  {body}\nend\ncatch err, err = err.message; end\n{FUNCTIONS}"
    )


@pytest.mark.parametrize("first", range(0, len(PARTS), 3))
def test_every_form_is_compiled(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    setup = SETUP.format(a="magic(4)/7", r="[0.5 1 2 0.25]")
    loops = "".join(f"for k = 1:12\n{part}\nend\n" for part in PARTS[first : first + 3])
    compare(setup + loops + FUNCTIONS, first % 2, INSTANT)
    assert not refused


@pytest.mark.parametrize("first", long_form(range(0, 240, 6), 3))
def test_random_programs(first: int) -> None:
    for seed in range(first, first + 6):
        compare(_program(seed, ODD if seed % 2 else MATRICES, PARTS), seed % 3, INSTANT)


LEFT = """
r = [4 1 3 2]; out = ''; s = 0;
for k = 1:6
  for e = [r k]
    for g = 1:2
      s = s + e * g;
      if s == {at}, out = [out sprintf('%d:%d:%d,', k, e, g)]; end
    end
    if e > k && {trap}, out = sprintf('%s%d;', out, e); r(1) = k; end
    s = s + 1;
  end
  s = s - e;
end
"""


@pytest.mark.parametrize("trap", ["mod(e, 2) == 0", "e == 3", "true"])
def test_the_interpreter_goes_on_in_the_middle_of_a_row(trap: str) -> None:
    for at in (9, 31):
        for passes in (0, 1):
            compare(LEFT.format(at=at, trap=trap), passes, INSTANT)


GROWN = """
for q = 1:4, s = grown(20); end
function s = grown(n)
  for k = 1:n, D(k, 2) = k; end
  s = sum(sum(D));
end
"""


def test_code_for_first_passes_alone_is_given_up_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What gives a variable its value is left each time; the code for the other passes stays."""
    left: list[Version] = []
    exit_at = Version.exit_at

    def recorded(version: Version, site: int) -> Exit:
        exit_ = exit_at(version, site)
        if "D" in version.names:  # not the loop that calls the function
            left.append(version)
            if len(left) == 3:
                version._give_up(exit_)
        return exit_

    monkeypatch.setattr(Version, "exit_at", recorded)
    compare(GROWN, 0, INSTANT)
    assert len(left) == 3
    site = left[0].site
    assert not site.closed
    assert any(v.passes > 3 * 18 for v in site.versions.values() if not v.given_up)
