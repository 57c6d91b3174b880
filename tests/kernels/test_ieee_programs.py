"""A part of the campaign of special values for every run of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.engine.protocol import ErrorRaised
from tests.fuzz.ieee import CLASSES, COMPLEX, FLOATS, Campaign, Item


@pytest.fixture(scope="module")
def campaign(provider: object) -> Iterator[Campaign]:
    made = Campaign()
    yield made
    made.close()


FOLDED = (
    "-(x + y) + (x + y)",
    "-(x .* y) + (x .* y)",
    "conj(y - x) - conj(y - x)",
    "(x - y) - (x - y)",
    "-(-(x + y) - y) - ((x + y) + y)",
)
"""Differences of a number that is not finite with itself, in spellings a compiler sees through."""
REMAINDERS = ("mod(x, y)", "rem(x, y)", "mod(x, 3)", "rem(x, -4)", "mod(x, Inf)", "rem(y, x) .* 0")


@pytest.mark.parametrize("kind", [*FLOATS, *COMPLEX])
def test_a_difference_with_itself_is_nan_where_the_number_is_not_finite(
    campaign: Campaign, kind: str
) -> None:
    assert not list(campaign.compared(kind, [Item(f"r = {e};") for e in FOLDED]))


@pytest.mark.parametrize("kind", COMPLEX)
def test_a_last_digit_that_decides_whether_an_array_is_real_is_no_difference(
    campaign: Campaign, kind: str
) -> None:
    codes = ("r = min(NaN, y ./ y);", "r = max(y ./ y, NaN);")
    assert not list(campaign.compared(kind, [Item(code, "rdivide") for code in codes]))


@pytest.mark.parametrize("kind", COMPLEX)
def test_powers_products_means_and_extremes_of_special_parts_agree(
    campaign: Campaign, kind: str
) -> None:
    exact = ("x .^ 1", "x .^ 2", "x .^ 3", "x .^ -1", "isnan(x .^ y)", "isnan(2 .^ x)")
    several = ("prod([x y], 2)", "mean([x y], 2)", "[x y] * [1; 2]", "mode([x y x], 2)")
    extremes = [f"{m}([x y], [], 2); r(isnan(r)) = 7; r = abs(r)" for m in ("max", "min")]
    items = [Item(f"r = {e};", "times") for e in (*exact, *several, *extremes)]
    assert not list(campaign.compared(kind, items))


@pytest.mark.parametrize("kind", FLOATS)
def test_remainders_and_the_sign_of_their_zeros_are_one_thing_everywhere(
    campaign: Campaign, kind: str
) -> None:
    assert not list(campaign.compared(kind, [Item(f"r = {e};") for e in REMAINDERS]))


def test_a_remainder_of_zero_has_no_sign(campaign: Campaign) -> None:
    code = "r = [];\nfor k = 1:8, a = -8 * k / k; r(k) = rem(a, 4) + mod(a, -4) + rem(a, 0.5); end"
    (kind, value) = campaign.plain.results("double", [Item(f"{code} r = 1 ./ [r rem(-4, 2)];")])[0]
    assert (value > 0).all(), (kind, value)


@pytest.mark.parametrize("kind", FLOATS)
def test_powers_that_leave_the_reals_keep_the_class_and_what_zero_gives(
    campaign: Campaign, kind: str
) -> None:
    """One negative base makes all elements complex: powers of 0 among them, too."""
    assert not list(campaign.compared(kind, [Item("r = y .^ (x + y);", "power")]))


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("exponent", ["round(x)", "mod(x, x)", "(x ./ x)", "fix(x) + x .* 0"])
def test_a_missing_exponent_makes_no_power_complex(
    campaign: Campaign, kind: str, exponent: str
) -> None:
    items = [Item(f"r = y .^ {exponent};", "power"), Item(f"e = {exponent}; r = y .^ e;", "power")]
    assert not list(campaign.compared(kind, items))
    (class_, value) = campaign.plain.results(kind, items)[0]
    assert class_ == kind
    assert value.dtype.kind == "f"


@pytest.mark.parametrize("kind", COMPLEX)
def test_infinite_numbers_over_parts_of_very_different_size(campaign: Campaign, kind: str) -> None:
    """The quotient of the parts is zero, not denormal: infinite times it is no number anywhere."""
    items = [Item(f"r = {code};", "divide") for code in ("x ./ y", "x ./ -y - Inf")]
    assert not list(campaign.compared(kind, items))


@pytest.mark.parametrize("kind", COMPLEX)
def test_complex_functions_do_not_overflow_on_the_way(campaign: Campaign, kind: str) -> None:
    items = [Item(f"r = {name}(x);", name) for name in ("sqrt", "log", "exp")]
    assert not list(campaign.compared(kind, items))


@pytest.mark.parametrize("kind", CLASSES)
def test_expressions_over_special_values_agree(campaign: Campaign, kind: str) -> None:
    assert not list(campaign.findings(kind, seed=7, count=8))


@pytest.mark.parametrize("name", ["atan2", "rem", "mod", "gamma", "erf", "gammaln", "erfc"])
def test_complex_arguments_are_refused_in_the_same_words_everywhere(
    campaign: Campaign, name: str
) -> None:
    """Whether a root is complex is known late where it is captured."""
    pair = name in {"atan2", "rem", "mod"}
    inputs = ("r, x", "x, r", "r, 2") if pair else ("r",)
    items = [Item(f"r = sqrt(-abs(x) - 1); r = {name}({given});") for given in inputs]
    for side in (campaign.plain, *campaign.others):
        said = []
        for item in items:
            side.session.acceleration.activate()
            side.run(f"clear; x = (1:70)';\n{item.code}\ns = r(1);")
            said += [(e.identifier, e.message) for e in side.events if isinstance(e, ErrorRaised)]
        if side is campaign.plain:
            expected = said
        assert said == expected
        assert len(said) == len(items)


@pytest.mark.parametrize("kind", COMPLEX)
def test_a_complex_factor_without_an_imaginary_part_stays_a_complex_one(
    campaign: Campaign, kind: str
) -> None:
    """Infinite times its zero is no number; only a real factor scales both parts."""
    code = "r = {0} .* complex({1}, 0);"
    cast = kind.split()[1]
    codes = [code.format("x", f"{cast}(2)"), code.format("(x + y)", f"{cast}(-0.5)"), "r = 2 .* x;"]
    assert not list(campaign.compared(kind, [Item(code) for code in codes]))


@pytest.mark.parametrize("kind", FLOATS)
def test_a_real_factor_scales_both_parts_of_what_turned_out_complex(
    campaign: Campaign, kind: str
) -> None:
    """It is known when the group has run: infinite parts stay what they are."""
    codes = ("log(y) .* 1", "0 .* sqrt(x)", "log((-Inf) + y) ./ 2", "(x .^ y) .* y", "asin(x) ./ y")
    assert not list(campaign.compared(kind, [Item(f"r = {code};", "power") for code in codes]))
