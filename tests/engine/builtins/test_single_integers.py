"""Single numbers of other classes than double go ways of their own, with the answers of arrays."""

from __future__ import annotations

import pytest

from app.engine.operators import arithmetic
from app.engine.values import print_formats
from tests.engine.builtins.engine_session import Session

NUMBERS = (
    "int8(-7)",
    "int8(127)",
    "uint8(200)",
    "uint8(0)",
    "int32(5)",
    "int64(9007199254740993)",
    "uint64(2)^63",
    "2.5",
    "-3",
    "0",
    "NaN",
    "Inf",
    "single(2.5)",
    "1+2i",
    "-2.5i",
)
FUNCTIONS = (
    *("plus", "minus", "times", "rdivide", "mod", "rem", "eq", "ne", "lt", "ge"),
    *("bitand", "bitor", "bitxor", "idivide"),
)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_single_numbers_give_what_arrays_of_them_give(session: Session, name: str) -> None:
    shown = session.run(
        f"v = {{{', '.join(NUMBERS)}}}; mixed = 0; for i = 1:numel(v), for j = 1:numel(v),"
        "a = v{i}; b = v{j}; s = ''; t = ''; c = ''; d = '';"
        f"try, x = {name}(a, b); c = class(x); s = sprintf('%.17g ', real(x), imag(x)); "
        "catch e, s = e.message; end, "
        f"try, y = {name}([a a a], [b b b]); d = class(y); y = y(2);"
        "t = sprintf('%.17g ', real(y), imag(y)); catch e, t = e.message; end, "
        "if isempty(d) && ~isempty(c) && (isinteger(a) ~= isinteger(b)), mixed = mixed + 1;"
        "elseif ~strcmp(s, t) || ~strcmp(c, d), disp({s t c d}), end, end, end"
    )
    assert not shown
    assert session.holds("mixed < numel(v)^2 / 2")  # arrays of integers and doubles are refused


@pytest.mark.parametrize("shift", ["0", "1", "7", "8", "40", "1e10", "-1", "-9", "[1 -1]"])
@pytest.mark.parametrize("number", ["uint8(200)", "int32(5)", "uint64(2)^63", "int16(-300)"])
def test_shifted_integers_keep_their_class(session: Session, number: str, shift: str) -> None:
    session.run(f"a = {number}; x = bitshift(a, {shift}); y = bitshift([a a], {shift}(1));")
    assert session.holds("strcmp(class(x), class(a)) && x(1) == y(2)")


@pytest.mark.parametrize(
    ("made", "value", "shown"),
    [
        ("int8([1 2; 3 4])", "300", "int8([1 2; 127 4])"),
        ("int8([1 2; 3 4])", "2.5", "int8([1 2; 3 4])"),
        ("int8([1 2; 3 4])", "int8(9)", "int8([1 2; 9 4])"),
        ("int8([1 2; 3 4])", "true", "int8([1 2; 1 4])"),
        ("single([1 2; 3 4])", "0.1", "single([1 2; 0.1 4])"),
        ("single([1 2; 3 4])", "1i", "single([1 2; 1i 4])"),
        ("[1i 2; 3 4]", "5i", "[1i 2; 5i 4]"),
        ("[1 2; 3i 4]", "5", "[1 2; 5 4]"),
        ("[true false; true true]", "false", "[true false; false true]"),
    ],
)
def test_elements_of_any_class_are_set_and_read(
    session: Session, made: str, value: str, shown: str
) -> None:
    for place in ("2", "2, 1"):
        session.run(f"a = {made}; b = a; a({place}) = {value}; w = {shown};")
        assert session.holds("isequal(a, w) && strcmp(class(a), class(w))")
        assert session.holds("isreal(a) == isreal(w)")
        assert session.holds(f"isequal(b, {made}) && isequal(a({place}), w({place}))")


def test_single_integers_are_computed_without_arrays(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arithmetic, "host_arithmetic", None)
    session.run("i = int32(7); u = uint8(200); z = 1 + 2i;")
    session.run("x = i + 1; x = 2*i; x = i/2; x = i*i; x = u - 250; x = z/(1 + 1i); x = z/2;")
    assert session.holds("x == 0.5 + 1i")


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("sprintf('%d%c', 3, 'a')", "3a"),
        ("sprintf('%02X ', [15 255 16])", "0F FF 10 "),
        ("sprintf('%x|%o|%-4X|', 255, 8, 171)", "ff|10|AB  |"),
        ("sprintf('%i,%u,%E,%G', 1, 2, 0.5, 0.25)", "1,2,5.000000E-01,0.25"),
    ],
)
def test_ordinary_formats_take_no_detour(
    session: Session, monkeypatch: pytest.MonkeyPatch, call: str, shown: str
) -> None:
    monkeypatch.setattr(print_formats, "_take", None)
    assert session.value(call) == shown


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("sprintf('%x', -1)", "-1.000000e+00"),
        ("sprintf('%x', 2.5)", "2.500000e+00"),
        ("sprintf('%c', 'abc')", "abc"),
        ("sprintf('%5c|', 65)", "    A|"),
        ("sprintf('%#x', 255)", "0xff"),
        ("sprintf('%c|%x|', 'ab', 255)", "a|62|\xff|"),
    ],
)
def test_other_formats_are_looked_at_one_by_one(session: Session, call: str, shown: str) -> None:
    assert session.value(call) == shown


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"])
@pytest.mark.parametrize("missing", ["NaN", "single(NaN)", "[NaN 1] * [1; 0]"])
def test_what_is_missing_is_zero_as_an_integer(session: Session, kind: str, missing: str) -> None:
    session.run(
        f"n = {missing}; k = {kind}(3); x = [n/k, k\\n, k/n, n*k, n+k, n-k, k-n];"
        f"y = zeros(1, 4, '{kind}'); for i = 1:4, y(i) = n ./ {kind}(i); end;"
        f"z = n ./ {kind}([1 2 3]); w = {kind}([1 2]) ./ n;"
    )
    assert session.holds(f"strcmp(class(x), '{kind}') && ~any([x y z w])")
