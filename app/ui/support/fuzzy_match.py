"""Matching what a person types against titles: letters in order, starts of words first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
OTHER_ORDER = 200
"""What another order of words costs: more than letters in order wherever they stand."""


def score(query: str, text: str) -> tuple[int, tuple[int, ...]] | None:
    """How well ``query`` fits ``text`` and at which positions; None when it does not.

    Smaller is better: letters at starts of words and runs of letters cost nothing. Words may stand
    in another order than in the text; that costs more than any other fit.
    """
    folded = text.casefold()
    in_order = _score(query.casefold().replace(" ", ""), folded)
    words = query.casefold().split()
    if in_order is not None or len(words) < 2:
        return in_order
    found = [_score(word, folded) for word in words]
    if None in found:
        return None
    each = [one for one in found if one is not None]
    positions = sorted({place for _, places in each for place in places})
    return OTHER_ORDER + sum(cost for cost, _ in each), tuple(positions)


def _score(query: str, folded: str) -> tuple[int, tuple[int, ...]] | None:
    """How well letters without blanks fit a text in small letters."""
    whole = folded.find(query)
    if query and whole >= 0:
        start_cost = 0 if whole == 0 or not folded[whole - 1].isalnum() else 2
        return start_cost + whole // 8, tuple(range(whole, whole + len(query)))
    positions: list[int] = []
    cost, position = 4, -1
    for letter in query:
        found = _next_match(folded, letter, position)
        if found < 0:
            return None
        if found != position + 1 and not _starts_word(folded, found):
            cost += 3 + min(found - position, 8)
        positions.append(found)
        position = found
    return cost, tuple(positions)


def _starts_word(text: str, position: int) -> bool:
    return position == 0 or not text[position - 1].isalnum()


def _next_match(text: str, letter: str, after: int) -> int:
    """The next ``letter``: directly behind, else at a start of a word, else anywhere."""
    nearest = text.find(letter, after + 1)
    if nearest == after + 1 or nearest < 0:
        return nearest
    candidate = nearest
    while candidate >= 0:
        if _starts_word(text, candidate):
            return candidate
        candidate = text.find(letter, candidate + 1)
    return nearest


def best(
    query: str, items: Iterable[T], text: Callable[[T], str], most: int = 60
) -> list[tuple[T, tuple[int, ...]]]:
    """The items that fit, the best first, with the positions of the letters found."""
    scored = [(found, item) for item in items if (found := score(query, text(item))) is not None]
    ordered = sorted(scored, key=lambda pair: (pair[0][0], len(text(pair[1]))))
    return [(item, found[1]) for found, item in ordered[:most]]


def first(query: str, texts: Sequence[str]) -> str | None:
    """The text that fits best."""
    found = best(query, texts, lambda t: t, 1)
    return found[0][0] if found else None
