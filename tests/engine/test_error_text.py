"""Errors as text for people."""

from __future__ import annotations

import pytest

from app.engine.error_text import MOST_FRAMES, stack_lines
from app.engine.protocol import ErrorRaised, Event, OutputText
from app.engine.session.session import Session
from app.settings import Settings
from app.source import SourceText


def _details_of_error(text: str) -> str:
    """What is told below the error that a text ends with."""
    events: list[Event] = []
    Session(Settings(), events.append).run_source(SourceText("<eval>", text))
    return next(e.details for e in events if isinstance(e, ErrorRaised))


def test_a_short_stack_is_shown_whole() -> None:
    assert stack_lines([("f", "f.m", 3, 1), ("", "s.m", 1, 1)]) == [
        "  in f (f.m:3)",
        "  in s.m (s.m:1)",
    ]


def test_of_endless_recursion_both_ends_are_shown() -> None:
    frames = [("f", "f.m", n, 1) for n in range(8000)]
    lines = stack_lines(frames)
    assert len(lines) == 2 * MOST_FRAMES + 1
    assert lines[0] == "  in f (f.m:0)"
    assert lines[MOST_FRAMES] == f"  … {8000 - 2 * MOST_FRAMES} more calls …"
    assert lines[-1] == "  in f (f.m:7999)"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("x = linspce(0, 1, 5);", "linspace"),
        ("total = 3; disp(totl)", "total"),
        ("y = outer(3);\nfunction r = outer(threshold)\nr = treshold + 1;\nend", "threshold"),
        ("y = cellfun(@(x) helpre(x), {1});\nfunction r = helper(x)\nr = x;\nend", "helper"),
        ("s = struct('alpha', {1, 2}); s(2).alhpa", "alpha"),
        ("s.values = 1; s.valuse + 1", "values"),
    ],
)
def test_an_error_about_a_misspelt_name_tells_the_nearest_known_one(text: str, meant: str) -> None:
    assert _details_of_error(text) == f"Did you mean '{meant}'?"


@pytest.mark.parametrize("text", ["nothinglikeit(3)", "s.a = 1; s.quite", "q"])
def test_a_name_like_no_other_gets_no_suggestion(text: str) -> None:
    assert _details_of_error(text) == ""


def test_what_warnings_say_is_told_as_such() -> None:
    seen: list[Event] = []
    code = "warning on verbose; warning('a:b', 'one'); disp(1); fprintf(2, 'two')"
    Session(Settings(), seen.append).run_source(SourceText("<eval>", code))
    texts = [event for event in seen if isinstance(event, OutputText)]
    told = {
        stream: "".join(event.text for event in texts if event.stream == stream)
        for stream in ("out", "warning", "err")
    }
    assert told["warning"].startswith("Warning: one\n(Type")
    assert (told["out"], told["err"]) == ("     1\n", "two")
