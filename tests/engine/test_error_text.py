"""Errors as text for people."""

from __future__ import annotations

from app.engine.error_text import MOST_FRAMES, stack_lines


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
