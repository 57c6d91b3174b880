"""Parts of texts by boundaries: extractBetween, insertBefore, eraseBetween, replaceBetween …."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.builtins.text.pattern_class import Pattern, searcher
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import map_text
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    int_of,
    is_char,
    is_numeric_like,
    object_array,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError, size_error

_FAMILY = "strings"
Span = tuple[int, int]


def _is_place(v: Value) -> bool:
    return is_numeric_like(v) and not is_char(v)


def _inclusive(options: tuple[Value, ...], *, places: bool) -> bool:
    """Whether the boundaries belong to the part."""
    if not options:
        return places
    if len(options) != 2 or text_of(options[0]).lower() != "boundaries":
        raise MatlabError("MATLAB:string:InvalidOption", "Expected the option 'Boundaries'.")
    return text_of(options[1]).lower().startswith("inc")


def spans(text: str, start: Value, end: Value, options: tuple[Value, ...]) -> list[Span]:
    """Where the parts of a text between two boundaries begin and end."""
    if _is_place(start):
        first, last = int_of(start), int_of(end)
        inner = _inclusive(options, places=True)
        if not 1 <= first <= last + 1 <= len(text) + 1:
            problem = "Numeric value exceeds the number of characters in element 1."
            raise MatlabError("MATLAB:string:PositionOutOfRange", problem)
        return [(first - 1, last) if inner else (first, last - 1)]
    keep = _inclusive(options, places=False)
    found: list[Span] = []
    opening, closing = searcher(start), searcher(end)
    at = 0
    while (
        at <= len(text)
        and (before := opening.search(text, at))
        and (after := closing.search(text, before.end()))
    ):
        found.append((before.start(), after.end()) if keep else (before.end(), after.start()))
        at = after.end() + (after.end() == before.start())  # two empty boundaries at one place
    return found


@builtin(
    "extractBetween",
    category=_FAMILY,
    signatures=(
        "s = extractBetween(text, start, end)",
        "s = extractBetween(..., 'Boundaries', 'inclusive')",
    ),
    cases=(
        'numel(extractBetween("ab", "", "")) == 3',
        "isequal(extractBetween('a(b)', '(', ')'), {'b'})",
        'isequal(extractBetween("a<b>c<d>", "<", ">"), ["b"; "d"])',
    ),
    see=("extractBefore", "replaceBetween"),
)
def extract_between(text: Value, start: Value, end: Value, *options: Value) -> Value:
    """The parts between two texts or positions."""
    return _parts(
        text, [[t[a:b] for a, b in spans(t, start, end, options)] for t in texts_of(text)]
    )


def _parts(text: Value, lists: list[list[str]]) -> Value:
    """The parts found in every text: a column for one text, a row for each of a column."""
    if len({len(x) for x in lists}) > 1:
        problem = "All texts must have the same number of parts."
        raise MatlabError("MATLAB:string:MustHaveSameNumberOfMatches", problem)
    made = StringArray if isinstance(text, StringArray) else Cell
    if len(lists) == 1:
        return made(object_array(lists[0], (len(lists[0]), 1)))
    count = len(lists[0]) if lists else 0
    shape = size_of(text) if count == 1 else (len(lists), count)
    flat = [x[0] for x in lists] if count == 1 else [x[k] for k in range(count) for x in lists]
    return made(object_array(flat, shape))


def declare_edit(name: str, case: str, summary: str, *, new: bool) -> None:
    """Declare a function that changes the parts between boundaries."""

    def edited(text: str, start: Value, end: Value, by: str, options: tuple[Value, ...]) -> str:
        for a, b in reversed(spans(text, start, end, options)):
            text = text[:a] + by + text[b:]
        return text

    def replaced(text: Value, start: Value, end: Value, by: Value, *options: Value) -> Value:
        fresh = text_of(by)
        return map_text(lambda t: edited(t, start, end, fresh, options), text, name)

    def erased(text: Value, start: Value, end: Value, *options: Value) -> Value:
        return map_text(lambda t: edited(t, start, end, "", options), text, name)

    extra = ", new" if new else ""
    builtin(
        name,
        category=_FAMILY,
        signatures=(f"s = {name}(text, start, end{extra})",),
        cases=(case,),
        text=summary,
        see=("extractBetween",),
    )(replaced if new else erased)


declare_edit(
    "eraseBetween",
    "strcmp(eraseBetween('a(b)c', '(', ')'), 'a()c')",
    "Remove the parts between two texts or positions.",
    new=False,
)
declare_edit(
    "replaceBetween",
    "strcmp(replaceBetween('a(b)c', '(', ')', 'x'), 'a(x)c')",
    "Replace the parts between two texts or positions.",
    new=True,
)


def _boundaries(values: Value, count: int) -> list[Value]:
    """A boundary for each text."""
    if _is_place(values):
        numbers = as_array(values).ravel(order="F").tolist()
        return numbers * count if len(numbers) == 1 else numbers
    texts: list[Value] = [values] if isinstance(values, Pattern) else [*texts_of(values)]
    return texts * count if len(texts) == 1 else texts


def _edited_at(name: str, text: Value, place: Value, work: Callable[[str, Value], str]) -> Value:
    count = len(texts_of(text))
    found = _boundaries(place, count)
    if len(found) != count:
        raise size_error()
    places = iter(found)
    return map_text(lambda t: work(t, next(places)), text, name)


def declare_insert(name: str, case: str, summary: str, *, after: bool) -> None:
    """Declare a function that inserts text at a place."""

    def inserted(text: Value, place: Value, new: Value) -> Value:
        extra = text_of(new)

        def work(t: str, where: Value) -> str:
            if not isinstance(where, float):
                return searcher(where).sub(
                    lambda m: m.group() + extra if after else extra + m.group(), t
                )
            k = int(where) - (0 if after else 1)
            if not 0 <= k <= len(t):
                problem = "Numeric value exceeds the number of characters in element 1."
                raise MatlabError("MATLAB:string:PositionOutOfRange", problem)
            return t[:k] + extra + t[k:]

        return _edited_at(name, text, place, work)

    builtin(
        name,
        category=_FAMILY,
        signatures=(f"s = {name}(text, place, new)",),
        cases=(case,),
        text=summary,
        see=("replace", "append"),
    )(inserted)


declare_insert(
    "insertAfter",
    "strcmp(insertAfter('ac', 'a', 'b'), 'abc')",
    "Insert a text after a text or position.",
    after=True,
)
declare_insert(
    "insertBefore",
    "strcmp(insertBefore('ac', 'c', 'b'), 'abc')",
    "Insert a text before a text or position.",
    after=False,
)


@builtin(
    "extract",
    category=_FAMILY,
    signatures=("s = extract(text, part)",),
    cases=(
        "isequal(extract('abab', 'ab'), {'ab'; 'ab'})",
        'isequal(extract("a1b22", digitsPattern), ["1"; "22"])',
    ),
    see=("extractBetween", "pattern"),
)
def extract(text: Value, part: Value) -> Value:
    """Every occurrence of a text or pattern, or the character at a position."""
    if _is_place(part):
        k = int_of(part)
        return map_text(lambda t: t[k - 1 : k], text, "extract")
    return _parts(text, [[m.group() for m in searcher(part).finditer(t)] for t in texts_of(text)])


@builtin(
    "istext",
    category=_FAMILY,
    signatures=("tf = istext(x)",),
    cases=("istext('a')", "~istext(1)"),
    see=("ischar", "isstring"),
)
def istext(x: Value) -> Value:
    """True for char, strings and cells of char vectors."""
    from app.engine.operators.texts import is_text

    return is_text(x)
