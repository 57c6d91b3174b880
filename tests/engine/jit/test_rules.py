"""Rules of compiled loops, one by one: the same values, errors and places as interpreted."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.jit import loop_version
from app.engine.jit.inlining import Inliner
from tests.engine.jit.comparing import compare
from tests.support.loop_rules import RULES


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


def test_calls_that_multiply_stay_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that reaches 6^4 calls of containers through its functions is not written out."""
    scopes = 0
    made = Inliner._scope

    def counted(self: Inliner, *args: Any) -> Any:
        nonlocal scopes
        scopes += 1
        return made(self, *args)

    monkeypatch.setattr(Inliner, "_scope", counted)
    lines = ["s = struct('a', 0); for k = 1:3, s = f1(s); end", "disp(s.a)"]
    for depth in range(1, 5):
        calls = " ".join(f"s = f{depth + 1}(s);" for _ in range(6))
        lines.append(f"function s = f{depth}(s)\n{calls}\nend")
    lines.append("function s = f5(s)\ns.a = s.a + 1;\nend")
    found = compare("\n".join(lines))
    assert found.error is None
    assert scopes < 500
