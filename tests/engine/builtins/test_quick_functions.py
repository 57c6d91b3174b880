"""Quick ways through common functions give what the plain ones give."""

from __future__ import annotations

import numpy as np
import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


LETTERS = "aZ3 \t_-.\u00e9\u0416\u65e5\u00b2"
"""Letters, digits, blanks and marks of several alphabets."""


@pytest.mark.parametrize("name", "isspace isletter isdigit isupper islower".split())
@pytest.mark.parametrize("letters", [LETTERS, LETTERS[:8], ""])
def test_long_texts_are_asked_as_their_characters_are(
    session: Session, name: str, letters: str
) -> None:
    whole = session.value(f"{name}(repmat('{letters}', 1, 40))")
    single = [bool(session.value(f"{name}('{c}')")) for c in letters] * 40
    assert np.asarray(whole).ravel().tolist() == single


@pytest.mark.parametrize(
    "code",
    [
        "C = {'abc', 'ABD'; 'b', ''; 'ab', 'abcd'}; f = @(t) strncmp(t, 'abx', 2);",
        "C = {'abc', 'ABD'; 'b', ''; 'ab', 'abcd'}; f = @(t) strncmp(t, 'ab', 5);",
        "C = {'abc', 'ABC'; 'b', ''; 'aBc', 3}; f = @(t) strcmpi(t, 'AbC');",
        "C = {'abc'; ['ab'; 'cd']; {}}; f = @(t) strncmp('ab', t, 1);",
    ],
)
def test_cells_are_compared_as_their_texts_are(session: Session, code: str) -> None:
    session.run(f"{code} one = cellfun(@(t) any(f(t)), C);")
    assert session.holds("isequal(f(C), one)")


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_sorted_by_later_columns_where_earlier_ones_tie(
    session: Session, seed: int
) -> None:
    drawn = np.random.default_rng(seed)
    rows = drawn.integers(0, 1 + seed, (30, 7)).astype(float)
    rows[drawn.random(rows.shape) < 0.1] = np.nan
    down = drawn.random(7) < 0.5
    session.run(f"A = [{'; '.join(' '.join(map(str, row)) for row in rows.tolist())}];")
    picks = " ".join(str(-k - 1 if d else k + 1) for k, d in enumerate(down))
    _, order = session.interpreter.guarded(
        lambda: session.interpreter.context.evaluate(f"sortrows(A, [{picks}])", 2, "base")
    )
    keys = []
    for k, is_down in enumerate(down):
        ranks = np.unique(rows[:, k], return_inverse=True)[1]  # NaN is the largest
        keys.append(-ranks if is_down else ranks)
    assert (np.asarray(order).ravel() - 1 == np.lexsort(keys[::-1])).all()


@pytest.mark.parametrize(
    ("numbers", "ascends", "descends"),
    [
        ("[1 2 2 3]", True, False),
        ("[3; 2; 2]", False, True),
        ("[1 2 NaN]", True, False),
        ("[NaN 2 1]", False, True),
        ("[1 NaN 2]", False, False),
        ("[NaN NaN]", True, True),
        ("int8([1 2 2])", True, False),
        ("[true false]", False, True),
        ("[]", True, True),
        ("NaN", True, True),
        ("[0 -0 0]", True, True),
    ],
)
def test_order_is_seen(session: Session, numbers: str, ascends: bool, descends: bool) -> None:
    assert session.value(f"issorted({numbers})") is ascends
    assert session.value(f"issorted({numbers}, 'descend')") is descends


OPERANDS = ("2", "-3i", "[1 -2 3]", "[1+2i 0 -1i]", "[4i 5 1-1i]", "single([1 2i 3])", "Inf")


@pytest.mark.parametrize("symbol", [".*", "./", "+", "-", ".^"])
def test_few_complex_numbers_are_computed_as_many_are(session: Session, symbol: str) -> None:
    """Long rows go other ways than short ones and single numbers do."""
    for left in OPERANDS:
        for right in OPERANDS:
            session.run(f"few = ({left}) {symbol} ({right});")
            longer = [
                f"repmat({x}, 1, 50)" if x.startswith(("[1", "[4", "single")) else x
                for x in (left, right)
            ]
            session.run(f"many = ({longer[0]}) {symbol} ({longer[1]});")
            few, many = (np.atleast_2d(session.value(n)) for n in ("few", "many"))
            part = many[:, : few.shape[1]]
            assert np.allclose(few, part, rtol=1e-5, equal_nan=True), (left, right)


def test_shifts_and_quotients_of_polynomials(session: Session) -> None:
    assert session.holds("isequal(bitshift(uint8([1 255 7]), [1 -3 9]), uint8([2 31 0]))")
    assert session.holds("isequal(bitshift(int8([1 -8 7]), -1), int8([0 -4 3]))")
    session.run("[q, r] = deconv([2 3 0 1 5], [2 1 4]);")
    assert session.holds("isequal(conv([2 1 4], q) + r, [2 3 0 1 5]) && isequal(size(q), [1 3])")
    session.run("[q, r] = deconv([4; 2; 6], 2);")
    assert session.holds("isequal(q, [2; 1; 3]) && isequal(r, [0; 0; 0])")
    session.run("[rho, p] = corr([1 2; 3 1; 2 5; 7 3]);")
    assert session.holds("isequal(rho, corr([1 2; 3 1; 2 5; 7 3])) && all(p(:) >= 0 & p(:) <= 1)")


EXPONENTS = ["0.5", "1/3", "-1", "2.5", "3", "NaN", "Inf", "-Inf", "0"]


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize(
    "bases", ["[1 4 9]", "[0 -0 2]", "[NaN 1]", "[-8 8]", "[Inf -Inf 3]", "[]"]
)
def test_one_exponent_gives_what_an_exponent_for_each_gives(
    session: Session, exponent: str, bases: str
) -> None:
    session.run(f"x = {bases}; y = x.^({exponent}); z = x.^repmat({exponent}, size(x));")
    assert session.value("isequaln(y, z) && isreal(y) == isreal(z) && isequaln(1./y, 1./z)")


@pytest.mark.parametrize("function", ["bitand", "bitor", "bitxor", "gcd"])
@pytest.mark.parametrize("second", ["6", "[6; 2^60; 0]", "uint64([9 0 255])", "2^63"])
def test_whole_doubles_count_as_integers(session: Session, function: str, second: str) -> None:
    session.run(f"a = [12 10 2^52]; b = {second};")
    session.run(f"y = {function}(a, b); z = {function}(uint64(a), uint64(b));")
    assert session.value("isequal(y, double(z)) && strcmp(class(y), class(b))")


@pytest.mark.parametrize("wrong", ["[1 -2]", "[1 2.5]", "[1 NaN]", "[Inf 1]", "[1 2 3]"])
def test_what_is_no_bits_is_refused_among_whole_doubles(session: Session, wrong: str) -> None:
    with pytest.raises(MatlabError):
        session.run(f"bitand({wrong}, [3 3])")


@pytest.mark.parametrize("number", ["37.5", "-0.5", "-0", "1e17", "-7.25", "Inf", "-Inf", "NaN"])
@pytest.mark.parametrize("divisor", ["7", "-3", "1", "0", "2^40"])
def test_remainders_of_one_number_are_those_in_arrays(
    session: Session, number: str, divisor: str
) -> None:
    session.run(f"y = mod({number}, {divisor}); z = mod([{number} 1], [{divisor} 1]); z = z(1);")
    assert session.value("isequaln(y, z) && isequaln(1/y, 1/z)")


@pytest.mark.parametrize(
    "x",
    [
        "[NaN Inf; -Inf -0]",
        "single([1.5 NaN 3; -0 5 6])",
        "int8([1 -2; 3 4; 5 6])",
        "[true true; true true]",
        "[1+2i NaN; 3 4i]",
        "zeros(0, 3)",
        "uint64([18446744073709551615 7])",
    ],
)
@pytest.mark.parametrize("k", [-2, -1, 0, 1, 2])
def test_triangles_and_diagonals_hold_every_class(session: Session, x: str, k: int) -> None:
    session.run(f"x = {x}; [r, c] = ndgrid(1:size(x, 1), 1:size(x, 2)); up = x; low = x;")
    session.run(f"up(c - r < {k}) = 0; low(c - r > {k}) = 0;")
    assert session.holds(f"isequaln(triu(x, {k}), up) && isequal(class(triu(x)), class(x))")
    assert session.holds(f"isequaln(tril(x, {k}), low)")
    session.run(f"v = x(:, 1); D = diag(v, {k}); n = numel(v); E = zeros(n + {abs(k)}, class(v));")
    session.run(f"for j = 1:n, E(j + {max(0, -k)}, j + {max(0, k)}) = v(j); end")
    assert session.holds("isequaln(D, E) || (islogical(v) && isequal(D, logical(E)))")


@pytest.mark.parametrize(
    "x", ["[1 2; 3 4]", "int8([1 2; 3 4])", "[true; false]", "(1:3)'", "zeros(2, 0)", "single(7)"]
)
def test_blocks_are_rows_of_blocks_below_each_other(session: Session, x: str) -> None:
    session.run(f"x = {x}; y = x(:, end:-1:1);")
    assert session.holds("isequal([x y; y x], vertcat(horzcat(x, y), horzcat(y, x)))")
    assert session.holds("isequal(class([x y; y x]), class(x))")
    assert session.holds("isequal([x(:); 2; 3], vertcat(x(:), 2, 3))")
    assert session.holds("isequal([x(:)' 5; x(:)' 6], vertcat([x(:)' 5], [x(:)' 6]))")


def test_a_range_that_was_changed_is_made_as_before(session: Session) -> None:
    session.run("for k = 1:3, r = 0:0.25:1; r(k) = 9; end, s = 0:0.25:1; t = 1 ./ (-1:0.5:-0);")
    assert session.holds("isequal(r, [0 0.25 9 0.75 1]) && isequal(s, [0 0.25 0.5 0.75 1])")
    assert session.holds("t(end) == -Inf && 1 / subsref(-1:0.5:0, substruct('()', {3})) == Inf")


@pytest.mark.parametrize(
    ("x", "k"),
    [
        ("[1 2 7 2^52 2^53-1]", 1),
        ("[1 2 7; 4 0 2^40]", -2),
        ("[2^61 2^62 2^63]", 1),
        ("1:3", 63),
        ("zeros(1, 0)", 1),
        ("0:7", 64),
    ],
)
def test_bits_of_several_doubles_are_shifted_as_those_of_one(
    session: Session, x: str, k: int
) -> None:
    assert session.holds(f"isequal(bitshift({x}, {k}), arrayfun(@(t) bitshift(t, {k}), {x}))")


@pytest.mark.parametrize("wrong", ["[1 1.5]", "[1 -1]", "[1 NaN]", "[1 2^64]", "[1 Inf]"])
def test_doubles_without_bits_are_refused(session: Session, wrong: str) -> None:
    with pytest.raises(MatlabError):
        session.value(f"bitshift({wrong}, 1)")


@pytest.mark.parametrize("join", [",", " ", ", ", " ;"])
@pytest.mark.parametrize("form", ["%d", "%f"])
@pytest.mark.parametrize("end", ["", "{}", " ", "{} ", "{}x", "{}1_0", "{}1d3", "{}99999999999"])
def test_numbers_between_one_literal_are_read_one_by_one(
    session: Session, join: str, form: str, end: str
) -> None:
    text = join.join(["1", "-2", "+3", "40"]) + end.format(join)
    session.run(f"t = '{text}'; f = '{form}{join}'; [got, n] = sscanf(t, f); one = [];")
    session.run("for k = 1:n, [a, m] = sscanf(t, f, k); one(k, 1) = a(end); end")
    assert session.holds("isequaln(got, one) && n >= 4")


@pytest.mark.parametrize("op", "+ - .* ./ .^ == ~= < <= > >= & |".split())
@pytest.mark.parametrize(
    "other", ["m", "[1.5 -2 0]", "2", "-0", "true", "single(3)", "[1i 2 0]", "true(3, 1)", "'a'"]
)
def test_truth_values_count_as_their_numbers(session: Session, op: str, other: str) -> None:
    session.run(f"m = [true false true]; x = {other};")
    if "i" in other and op in "&|":
        return
    session.run("d = @(v) subsref({v, double(v)}, substruct('{}', {1 + islogical(v)}));")
    for left, right in (("m", "x"), ("x", "m")):
        code = f"isequaln({left} {op} {right}, d({left}) {op} d({right}))"
        assert session.holds(code), code
        same = f"strcmp(class({left} {op} {right}), class(d({left}) {op} d({right})))"
        assert session.holds(same), same


@pytest.mark.parametrize("kind", "double single int8 uint32 int64 logical".split())
@pytest.mark.parametrize("op", "== ~= < <= > >=".split())
def test_arrays_are_compared_as_their_elements_are(session: Session, kind: str, op: str) -> None:
    session.run(f"a = {kind}([0 1 0 1; 1 1 0 0]); b = {kind}([1 1 0 0; 0 1 0 1]); s = {kind}(1);")
    for code in (f"a {op} b", f"a {op} 1", f"1 {op} a", f"a {op} s", f"s {op} a", f"a {op} 0.5"):
        one = code.replace("a", "a(k)").replace("b", "b(k)")
        session.run(f"y = {code}; z = false(2, 4); for k = 1:8, z(k) = {one}; end")
        assert session.holds("isequal(y, z) && islogical(y)"), code


@pytest.mark.parametrize("x", ["magic(4) > 8", "magic(3) > 0", "true(2, 0)", "false(3, 2)"])
def test_columns_of_truths_are_asked_as_vectors_are(session: Session, x: str) -> None:
    session.run(f"x = {x}; n = size(x, 2); one = false(1, n); each = true(1, n);")
    session.run("for k = 1:n, one(k) = any(x(:, k)); each(k) = all(x(:, k)); end")
    assert session.holds("isequal(any(x), one) && isequal(all(x), each) && islogical(any(x))")
