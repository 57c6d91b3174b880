"""Matching commands by a few letters."""

from __future__ import annotations

from app.ui.support import fuzzy_match

TITLES = [
    "Run: Run",
    "Run: Run Section",
    "Run: Run Section and Advance",
    "Edit: Smart Indent",
    "View: Reset Layout",
    "File: Save All",
]


def test_letters_must_come_in_order() -> None:
    assert fuzzy_match.score("rsa", "Run Section and Advance") is not None
    assert fuzzy_match.score("asr", "Run Section") is None


def test_starts_of_words_win() -> None:
    assert fuzzy_match.first("rs", TITLES) == "Run: Run Section"
    assert fuzzy_match.first("rl", TITLES) == "View: Reset Layout"
    assert fuzzy_match.first("save", TITLES) == "File: Save All"


def test_words_may_come_in_another_order() -> None:
    assert fuzzy_match.first("layout reset", TITLES) == "View: Reset Layout"
    assert fuzzy_match.first("section run", TITLES) == "Run: Run Section"
    assert fuzzy_match.score("layout load", "View: Reset Layout") is None
    found = fuzzy_match.score("layout reset", "Reset Layout")
    assert found is not None
    assert found[1] == (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11)


def test_the_letters_found_are_told() -> None:
    found = fuzzy_match.score("sec", "Run Section")
    assert found is not None
    assert found[1] == (4, 5, 6)
