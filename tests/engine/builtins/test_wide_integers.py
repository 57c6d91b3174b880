"""Integers of 64 bits keep every digit: beside doubles, in medians, sums by key, divisors."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from app.engine.protocol import OutputText
from app.engine.session.session import Session as DeviceSession
from app.settings import Settings
from app.source import SourceText
from tests.engine.builtins.engine_session import Session

BEFORE = "d = 2^53; a = int64(d) + 1; A = [a a-1 a+1]; M = intmax('uint64');"
RELATIONS = {
    "==": operator.eq,
    "~=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
WHOLE = [0, 1, 2**53 - 1, 2**53, 2**53 + 1, 2**62 + 1, 2**63 - 1]
DOUBLES = [0.0, 1.5, 2.0**53, 2.0**53 + 2, 2.0**62, 2.0**63, 2.0**64, -1.0, np.nan, np.inf, -np.inf]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("symbol", RELATIONS)
@pytest.mark.parametrize("name", ["int64", "uint64"])
@pytest.mark.parametrize("other", ["double", "single"])
def test_a_comparison_with_floats_is_exact(
    session: Session, symbol: str, name: str, other: str
) -> None:
    whole = [*WHOLE, *((-(2**63), -(2**53) - 1) if name == "int64" else (2**64 - 1, 2**64 - 1024))]
    given = np.array(DOUBLES, np.float64 if other == "double" else np.float32)
    wanted = [[RELATIONS[symbol](n, v) for v in given.tolist()] for n in whole]
    numbers = " ".join(str(b) for b in np.array(whole, name).tobytes())
    floats = " ".join(str(b) for b in given.tobytes())
    session.run(
        f"x = typecast(uint8([{numbers}]), '{name}')'; y = typecast(uint8([{floats}]), '{other}');"
        f"r = x {symbol} y; s = r; t = y {symbol} x;"
        f"for i = 1:numel(x), for j = 1:numel(y), s(i, j) = x(i) {symbol} y(j); end, end"
    )
    assert session.value("r").tolist() == session.value("s").tolist() == wanted
    turned = [[RELATIONS[symbol](v, n) for v in given.tolist()] for n in whole]
    assert session.value("t").tolist() == turned


@pytest.mark.parametrize(
    "fact",
    [
        "~isequal(a, d) && isequal(a - 1, d) && ~isequal(M, 2^64) && ~isequal({a}, {d})",
        "isequal(ismember(A, [d NaN 2^64 0.5]), [false true false])",
        "~ismember(d, a) && ismember(d, A) && ~ismember(2^64, M)",
        "median(A) == a && median([M M-2 0]) == M - 2 && median([M M-1]) == M",
        "median(int8([-2 -1])) == -2 && median(int8([1 2])) == 2 && median(int8([-128 127])) == -1",
        "isequal(median(int32([1 5; 9 2; 3 3])), int32([3 3]))",
        "mean([a a], 'native') == a",
        "isequal(accumarray([1; 2; 1], [a; a; a]), [2 * a; a])",
        "isequal(accumarray([1; 1], [M; M]), M) && accumarray([1; 1], -[a; a] * 2000) == -2^63",
        "gcd(M, uint64(15)) == 15 && gcd(a, a) == a && lcm(a, int64(2)) == 2 * a",
        "lcm(1e10, 1e10 + 1) == 1e10 * (1e10 + 1) && lcm(int8(100), int8(99)) == 127",
        "gcd(0, 0) == 0 && lcm(0, 5) == 0 && isequal(gcd([12 -18], 27), [3 9])",
        "strcmp(jsonencode(A), '[9007199254740993,9007199254740992,9007199254740994]')",
        "(M - 1023) / 5 * 5 + 2 == M - 1023 && M / 2 == uint64(2)^63",
        "isequal([M M - 1] / uint64(3) * 3, [M M])",
        "idivide(M - 1023, uint64(5), 'round') == idivide(M - 1023, uint64(5))",
        "isequal(idivide(int64([7 -7]), 2, 'floor'), int64([3 -4])) && idivide(M, M - 1) == 1",
        "idivide(M - 1, M, 'ceil') == 1 && idivide(M - 1, M, 'floor') == 0",
        "int64(5) / 0 == intmax('int64') && int64(0) / 0 == 0 && int64(5) / 2.5 == 2 && 2.5 / int64(2) == 1",
        "isequal(round(int32([126 -125 124]), -1), int32([130 -130 120]))",
        "round(a, -1) == int64(9007199254740990) && round(uint8(200), 3) == 200",
        "isequal(round(int32([12345 -999 0 7]), 2, 'significant'), int32([12000 -1000 0 7]))",
        "isequal(round(int32([15 25]), -1, 'TieBreaker', 'even'), int32([20 20]))",
        "isequal(class(blkdiag(a, 1)), 'int64') && isequal(blkdiag(a, 1), [a 0; 0 1])",
        "isa(blkdiag(single(1), 2), 'single') && isa(blkdiag(true, 2), 'double')",
    ],
)
def test_every_digit_counts(session: Session, fact: str) -> None:
    session.run(BEFORE)
    assert session.holds(fact)


def test_a_switch_tells_an_integer_from_the_double_it_is_rounded_to(session: Session) -> None:
    session.run(f"{BEFORE} switch a, case d, r = 1; case {{1, a}}, r = 2; otherwise, r = 3; end")
    assert session.holds("r == 2")


@pytest.mark.parametrize("call", ["bitand(int8(1), int8(2), int8([3 3]))", "bitxor(1, 2, {})"])
def test_bits_of_an_unnamed_class_are_an_error(session: Session, call: str) -> None:
    session.run(f"try, {call}; m = ''; catch e, m = e.identifier; end")
    assert session.holds("endsWith(m, ':unknownType')")


def test_bits_of_numbers_beyond_the_class_are_an_error(session: Session) -> None:
    session.run("try, bitand(2^64, 1); m = ''; catch e, m = e.identifier; end")
    assert session.holds("strcmp(m, 'MATLAB:bitand:outOfRange')")


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_what_is_captured_keeps_every_digit(device: str) -> None:
    settings = Settings()
    settings.set("device", device, "option")
    settings.set("capture_threshold", 1, "option")
    told: list[object] = []
    captured = DeviceSession(settings, told.append)
    text = (
        "y = int64(2^52) + int64(mod((1:600)', 10)); y(1:2) = -1e12; k = mod((1:600)', 3) + 1;"
        "r = accumarray(k(1:12), y(1:12)); s = zeros(3, 1, 'int64');"
        "for i = 1:3, s(i) = sum(y(i-1+3*(i==1):3:12), 'native'); end,"
        "z = int64(2^53) + int64(1:600); [m, p] = max(z); t = z(z > 2^53 + 590);"
        "disp([isequal(r, s), s(1) == 18014398509482004, p == 600, m == 2^53 + 600,"
        "sum(t - int64(2^52), 'native') - 10 * int64(2^52) == 5955, isinteger(mean(z, 'native'))])"
    )
    captured.run_source(SourceText("<captured>", text))
    captured.close()
    assert "".join(e.text for e in told if isinstance(e, OutputText)).split() == ["1"] * 6
