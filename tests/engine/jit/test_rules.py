"""Rules of compiled loops, one by one: the same values, errors and places as interpreted."""

from __future__ import annotations

import pytest

from app.engine.jit import loop_version
from tests.engine.jit.comparing import compare

RULES = {
    "integers saturate": "p = int8(100); for k = 1:20, p = p + k*3; q = uint8(k) - 9; end",
    "halves round away": "s = 0; for k = -5:5, s = s*3 + double(int32(k/2)); r = round(k/2); end",
    "integer division": "p = int32(7); for k = 1:6, q = p / k; r = idivide(p, int32(k)); end",
    "64 bits are exact": "p = int64(2)^0; p = int64(1); for k = 1:70, p = p * 3 - 1; end",
    "mod and rem": "s = 0; for k = -7:0.5:7, s = s + mod(k, 3)*rem(k, -2) + mod(k, 0.3); end",
    "mod of signs": "x = []; for k = [1], end, for k = -3:3, x(end+1) = mod(k, -3); end",
    "NaN compares": "c = 0; x = [NaN 1 NaN]; for k = 1:3, if x(k) ~= x(k), c = c + 1; end, end",
    "max passes NaN by": "m = NaN; x = [2 NaN 5]; for k = 1:3, m = max(m, x(k)); end",
    "growth of a row": "x = []; for k = 1:50, x(end+1) = k^2; end",
    "growth of a column": "x = zeros(2, 1); for k = 1:40, x(end+1) = k; end",
    "gaps are zeros": "x = 1; for k = 1:9, x(2*k) = k; end",
    "a stack": "x = []; for k = 1:40, x(end+1) = k; if mod(k, 3) == 0, x(end) = []; end, end",
    "a queue": "q = 1:9; s = 0; while ~isempty(q), s = s * 2 + q(1); q(1) = []; end",
    "a column is used up": "x = (1:6)'; for k = 1:6, x(ceil(end/2)) = []; end",
    "what is deleted is the variable's own": "x = 1:9; y = x; for k = 1:5, x(k) = []; end",
    "columns are added": "x = ones(2, 1); for k = 2:9, x(1, k) = k; end",
    "text is read and written": "s = 'abc'; t = s; for k = 1:3, t(k) = char(s(4-k) + 1); end",
    "logical arrays": "m = false(1, 9); for k = 1:9, m(k) = mod(k, 2) == 1; end",
    "single stays single": "u = single(0.1); for k = 1:9, u = u * 1.5 + k; end",
    "while with two tests": "k = 0; while k < 5 && k*k < 10, k = k + 1; end",
    "break and continue": "s = 0; for k = 1:9, if k == 3, continue, end, if k > 6, break, end,"
    " s = s + k; end",
    "switch on numbers": "s = 0; for k = 1:6, switch k, case 1, s = 1; case {2, 4}, s = s + k;"
    " otherwise, s = s * 2; end, end",
    "switch on a char": "s = 0; w = 'abca'; for k = 1:4, switch w(k), case 'a', s = s + 1; case"
    " {'b', 'xx'}, s = s + 10; end, end",
    "a pass that ends early after its inner loop was left": "s = 0; for k = 1:4, for j = 1:3, if j"
    " == 2, cc = {j}; end, end, if k < 3, continue, end, s = s + k; break, end",
    "steps that are variables": "x = zeros(1, 9); d = 2; for k = 1:3, for j = k:d:9, x(j) = x(j) +"
    " j; end, d = d + 1; end",
    "steps that are no whole numbers": "x = zeros(1, 9); d = 0.5; for k = 1:3, for j = 1:d:4, if"
    " j == floor(j), x(j) = j; end, end, end",
    "characters as numbers": "s = 0; w = 'a7Z'; for k = 1:3, c = w(k); if c >= '0' && '9' >= c,"
    " s = s * 10 + (c - '0'); else, s = s + 'z' - c; end, end",
    "empty inner loops": "s = 0; for k = 1:4, for j = k:3, s = s + j; end, end",
    "fractional steps": "s = 0; for k = 0:0.1:1, s = s + k; end",
    "bits": "s = 0; for k = 1:20, s = bitxor(s, bitshift(k, 2)); t = bitand(k, 6); end",
    "random numbers": "s = 0; for k = 1:20, s = s + rand; if rand < 0.5, s = s + randi(6); end, end",
    "slices": "A = magic(4); for k = 1:4, b = A(k, :); A(:, k) = b' * 2; c = b(end:-1:1); end",
    "short circuits": "x = [1 2 3]; k = 1; while k <= numel(x) && x(k) < 9, k = k + 1; end",
    "sizes": "x = zeros(3, 2); for k = 1:4, s = size(x, 1) + numel(x) + length(x); end",
    "unset before a branch": "for k = 1:5, if k > 2, z = k; end, end",
    "constants": "s = 0; for k = 1:3, s = s + pi + eps; t = Inf; f = true; end",
    "a scalar becomes an array": "x = 5; for k = 1:6, x(k) = k; end",
    "complex scalars": "c = complex(-0.4, 0.6); z = c; n = 0; for k = 1:30, if abs(z) > 2, break, end,"
    " z = z^2 + c*2 - 1i/3; n = n + real(z) - imag(-z); end",
    "complex arguments": "n = 0; for k = 1:9, n = n + far(complex(k/5, 0.3)); end\n"
    "function n = far(c)\nz = c; n = 0;\nwhile abs(z) < 2 && n < 20,"
    " z = z*z + c; n = n + 1; end\nend",
    "several outputs": "for k = 1:4, [a, b] = two(k); end\nfunction [a, b] = two(n)\na = n; b = -n;"
    "\nend",
    "recursion": "for k = 1:9, r = fac(k); end\nfunction r = fac(n)\nif n < 2, r = 1; else,"
    " r = n * fac(n - 1); end\nend",
    "arrays are copied": "x = 1:4; y = x; for k = 1:4, x(k) = 0; z = y; z(1) = k; end",
    "arrays as arguments": "x = 1:4; for k = 1:4, y = put(x, k); end\nfunction x = put(x, k)\n"
    "x(k) = -1;\nend",
    "loops in a function": "r = f(9);\nfunction r = f(n)\nr = 0;\nfor k = 1:n, if k == 7, return,"
    " end, r = r + k; end\nend",
}


@pytest.mark.parametrize("text", RULES.values(), ids=RULES.keys())
def test_a_rule_holds_in_machine_code(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refusals: list[str] = []
    monkeypatch.setattr(
        loop_version, "refuse", lambda site, reason, line=0: refusals.append(reason)
    )
    assert compare(text).error is None
    assert not refusals


LEAVING = {
    "what is not there is deleted": ("x = 1:9; for k = 1:9, x(k) = []; end", "for deletion"),
    "below the first": ("x = 1:3; for k = 3:-1:-1, y = x(k); end", "positive integers"),
    "beyond the end": ("x = 1:3; s = 0;\nfor k = 1:9\n s = s + x(k);\nend", "must not exceed 3"),
    "a fraction": ("x = 1:9; for k = 1:0.5:4, s = x(k); end", "positive integers"),
    "the second position": ("x = ones(2); for k = 1:4, s = x(1, k); end", "position 2"),
    "NaN under if": ("for k = -2:2, if 0/k, s = k; end, end", "NaN"),
    "integers beside doubles": (
        "q = uint8([1 2]); x = [1 2]; for k = 1:3, if k > 2, q = q .* x; end,"
        " x(k) = k; x = x(1:2); end",
        "scalar doubles",
    ),
    "nothing beside integers": (
        "for k = 3:2, end, q = uint8(1); n = 0; while n < 8, n = n + 1; q = q + k; end",
        "scalar doubles",
    ),
    "the truth of a character": (
        "w = 'ab'; for k = 1:3, if k == 2, t = logical(w(1)); end, end",
        "from char",
    ),
    "an unset variable": ("for k = 1:3, if k > 2, s = never + 1; end, end", "'never'"),
    "inside a function": (
        "for k = 1:3, r = f(k); end\nfunction r = f(n)\nx = [1 2]; r = x(n);\nend",
        "must not exceed 2",
    ),
    "an error of the script": (
        "for k = 1:9, if k == 4, error('my:id', 'At %d', k); end, end",
        "At 4",
    ),
    "endless recursion": (
        "for k = 1:2, r = f(k); end\nfunction r = f(n)\nr = f(n + 1);\nend",
        "recursion",
    ),
}


@pytest.mark.parametrize(("text", "message"), LEAVING.values(), ids=LEAVING.keys())
def test_errors_are_those_of_the_interpreter(text: str, message: str) -> None:
    found = compare(text)
    assert found.error is not None
    assert message in found.error[1]


CHANGING = {
    "a root becomes complex": "s = 0; for k = 3:-1:-3, s = s + sqrt(k); end",
    "a power becomes complex": "x = 2; for k = 1:4, x = x - 1; y = x^0.5; end",
    "a complex number becomes real": "z = complex(1, 2); for k = 1:9, z = z * 1i; z = z + conj(z)/4;"
    " w = z - imag(z)*1i; end",
    "text is printed now and then": "for k = 1:30, if mod(k, 10) == 0, fprintf('%d\\n', k); end, end",
    "a cell is made in a branch": "c = {}; s = 0; for k = 1:9, s = s + k; if k == 5, c{end+1} = s; end,"
    " end",
    "an array is given another shape": "x = 1:3; s = 0; for k = 1:6, if k == 4, x = x'; x = [x x]; end,"
    " s = s + x(k); end",
    "try around it": "x = 1:3;\ntry\n for k = 1:9, x(k) = 2*x(k); end\ncatch e\n m = e.message;\nend",
    "the rest of an inner pass": "s = 0; for i = 1:3, for j = 1:4, s = s + j; if s == 7, disp(s); end,"
    " s = s + i; end, s = s * 2; end",
}


@pytest.mark.parametrize("text", CHANGING.values(), ids=CHANGING.keys())
@pytest.mark.parametrize("passes", [0, 2])
def test_nothing_is_lost_or_repeated_when_code_is_left(text: str, passes: int) -> None:
    assert compare(text, passes).error is None
