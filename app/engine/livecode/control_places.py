"""Where controls stand in their lines: the columns that their marks say, and what is meant where
the line was edited and they say something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

LITERAL = re.compile(
    r"""datetime\([^()]*\)|\[[-+.\d\s,eE]*\]|"(?:[^"]|"")*"|(?<![\w\])}'.])'(?:[^']|'')*'"""
    r"""|\b(?:true|false)\b|(?<![\w.])-?(?:\d++\.?\d*+|\.\d+)(?:[eE][-+]?\d+)?"""
)
"""What controls stand for."""
MARK = re.compile(
    r"[ \t]?(?P<mark>%\[control:(?P<kind>\w+):(?P<id>\w+)\]"
    r"\{\"position\":\[(?P<first>\d+),(?P<last>\d+)\]\})"
)
TAIL = re.compile(r"[ \t]?%\[(?:output|control|task|text:anchor):[\w:-]+\][^\n]*$")
"""The marks behind the code of a line."""
_WORD = re.compile(r"""\w+(?:\.\d*)?|"(?:[^"]|"")*"|(?<![\w\])}'.])'(?:[^']|'')*'""")
_FORMS = {
    "slider": r"[-.\d]",
    "spinner": r"[-.\d]",
    "rangeslider": r"\[",
    "colorpicker": r"""[\["']""",
    "checkbox": r"[tf]",
    "statebutton": r"[tf]",
    "datepicker": "d",
    "filebrowser": r"""["']""",
}
"""How the literals begin that a kind of control stands for; the others stand for any."""
Span = tuple[int, int]


def code_of(line: str) -> str:
    """A line without the marks behind its code."""
    found = TAIL.search(line)
    return line[: found.start()] if found else line


def meant_place(
    kind: str, code: str, first: int, last: int, items: Sequence[str] = ()
) -> Span | None:
    """The columns (from 1, the last one is behind it) that a control stands for: those that it
    says where they hold a value, else those of the literal that they touch or that is the nearest;
    None where there is none."""
    if kind == "button":
        return first, last
    said, form = (first - 1, last - 1), _FORMS.get(kind.lower())
    spans = [found.span() for found in LITERAL.finditer(code)]
    is_inside = 0 <= said[0] < said[1] <= len(code)
    if said in spans or (is_inside and _is_whole(code, said, items, any_text=kind == "editfield")):
        return first, last
    touched = [span for span in spans if span[0] < said[1] and span[1] > said[0]]
    fitting = touched or [span for span in spans if re.match(form or "", code[span[0] :])]
    if not fitting:
        return None
    begin, end = min(fitting, key=lambda span: abs(span[0] - said[0]))
    return begin + 1, end + 1


def _is_whole(code: str, said: Span, items: Sequence[str], *, any_text: bool) -> bool:
    """Whether columns hold a whole expression: no part of a word, no assignment, no half of a
    pair. An edit field holds any text, or none yet, but no part of a word."""
    text = code[slice(*said)]
    if text in items:
        return True
    if any(a < place < b for a, b in (w.span() for w in _WORD.finditer(code)) for place in said):
        return False
    if any_text:
        return True
    if not text.strip() or re.search(r"(?<![=~<>])=(?!=)|;", re.sub(r"\[[^][]*\]", "", text)):
        return False
    pairs = all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))
    return pairs and re.match(r"\s*[,)\]}*/^&|<>:.]", text) is None


def with_places(line: str, places: Mapping[str, Span]) -> str:
    """A line whose marks say other columns, by the controls' identifiers."""

    def changed(found: re.Match[str]) -> str:
        place = places.get(found["id"])
        if place is None:
            return found[0]
        return re.sub(r"\[\d+,\d+\]\}$", f"[{place[0]},{place[1]}]}}", found[0])

    return MARK.sub(changed, line)


def moved_span(span: Span, column: int, inserted: int, deleted: int = 0) -> Span:
    """Where columns are after characters were inserted or deleted at a column."""
    first, last = span
    if inserted:
        return (
            first + inserted if column <= first < last else first,
            last + inserted if column < last or first == last == column else last,
        )
    end = column + deleted
    return (
        first - deleted if first >= end else min(first, column),
        last - deleted if last >= end else min(last, column),
    )
