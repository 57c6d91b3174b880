"""A part of the campaign of programs over numbers for every run of the tests."""

from __future__ import annotations

from tests.fuzz.numbers import Campaign, Programs


def test_every_spelling_gives_what_the_whole_gives_on_host_and_device() -> None:
    campaign = Campaign()
    make = Programs(7)
    found = list(campaign.findings([make() for _ in range(60)], with_octave=False))
    campaign.close()
    assert not found, "\n".join(found)
