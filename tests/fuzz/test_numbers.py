"""A part of the campaign of programs over numbers for every run of the tests, and what it found."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.ieee import Item, difference
from tests.fuzz.numbers import Campaign, Programs, outcome


@pytest.fixture(scope="module")
def campaign() -> Iterator[Campaign]:
    made = Campaign()
    yield made
    made.close()


def test_every_spelling_gives_what_the_whole_gives_on_host_and_device(campaign: Campaign) -> None:
    make = Programs(7)
    found = list(campaign.findings([make() for _ in range(60)], with_octave=False))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("sind(single([2^31; 2^40; 1e9]))", "sind(single([128; 16; 280]))"),
        ("tand(single([2^31; 2^40; 1e9]))", "tand(single([128; 16; 280]))"),
        ("cosd([1e22; 2^60; 1e300])", "cosd(mod([1e22; 2^60; 1e300], 360))"),
        ("max(int8([-5 3 -128]), NaN)", "int8([0 3 0])"),
        ("min(NaN, uint32([1 0 7]))", "uint32([0 0 0])"),
        ("max(int8([1 2 3]), 2.5)", "int8([3 3 3])"),
        ("fix([2^31 - 0.5; -2^40 - 0.5; 2^29 + 0.25])", "[2147483647; -1099511627776; 2^29]"),
        ("mod([2^31 - 0.5; 7.25], 1) + rem([2^40 + 0.25; 8], 1)", "[0.75; 0.25]"),
        ("int64([2^31 - 0.5; 2^40 + 0.5])", "int64([2147483648; 1099511627777])"),
        ("idivide(int16([5; 3]), -0)", "int16([-32768; -32768])"),
        ("1 ./ ([4 -0 9] .^ 0.5)", "[0.5 Inf 1 / 3]"),
        ("cellfun(@(v) sum(size(v(v > 1e9))), {single(255.5), 7})", "[0 0]"),
        ("fillmissing(single([1; NaN; 3]), 'linear')", "single([1; 2; 3])"),
        ("fillmissing(single([1; NaN; 3]), 'constant', 7)", "single([1; 7; 3])"),
    ],
)
def test_what_only_one_side_gave(campaign: Campaign, code: str, wanted: str) -> None:
    for side in campaign.sides:
        for text in (f"r = {code};", f"f = @() {code}; s.a = f(); r = s.a;"):
            ours, right = outcome(side, text), outcome(side, f"r = {wanted};")
            assert not difference(Item(text, "gamma"), ours, right), side.name
