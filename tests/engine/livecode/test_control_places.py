"""Where controls stand: what public files say is believed, what an edit broke is found again."""

from __future__ import annotations

import pytest

from app.engine.livecode.control_places import meant_place
from app.engine.livecode.document import LiveDocument

CASES = [
    # as public files have them
    ("slider", "x = 4;", (5, 6), (5, 6)),
    ("editfield", "A = [ ]", (6, 7), (6, 7)),
    ("editfield", "C = [1 2; 3 4]", (1, 15), (1, 15)),
    ("editfield", "   ", (1, 2), (1, 2)),
    ("editfield", "p = t(  == 1,:);", (6, 7), (6, 7)),
    ("button", " ", (1, 2), (1, 2)),
    ("dropdown", 'm = fitlm(X,y,"constant")', (15, 25), (15, 25)),
    ("dropdown", "f(A + B)", (3, 8), (3, 8)),
    ("rangeslider", "G(c=[1 11]);", (5, 11), (5, 11)),
    ("statebutton", "if false", (4, 9), (4, 9)),
    ("filebrowser", "f = 'a;b=c';", (5, 12), (5, 12)),
    # after an edit elsewhere
    ("slider", "yyx = 4;", (5, 6), (7, 8)),
    ("slider", "x = 123;", (5, 6), (5, 8)),
    ("slider", "x1 = 10*4 + 7;", (9, 10), (9, 10)),
    ("slider", "x = y;", (5, 7), None),
    ("editfield", "abc = 12", (2, 3), (7, 9)),
    ("datepicker", "d = datetime(2024,3,5);", (4, 20), (5, 23)),
    ("slider", "", (5, 6), None),
]


@pytest.mark.parametrize(("kind", "code", "said", "meant"), CASES)
def test_the_place_that_is_meant(
    kind: str, code: str, said: tuple[int, int], meant: tuple[int, int] | None
) -> None:
    assert meant_place(kind, code, *said) == meant


def test_items_of_a_list_are_values_whatever_they_are() -> None:
    assert meant_place("dropdown", "f(a = 1;)", 3, 9, ["a = 1;"]) == (3, 9)


def test_what_was_taken_is_told_and_written_with_the_next_value() -> None:
    line = 'yyx = 4; ok = true; %[control:slider:01]{"position":[5,6]} %[control:checkbox:02]'
    document = LiveDocument(f'%[text] T\n{line}{{"position":[12,16]}}')
    assert len(document.problems) == 2
    slider, _ = document.code_blocks[0].controls
    changed = document.with_literal(slider, "12")
    assert changed.lines[1] == (
        'yyx = 12; ok = true; %[control:slider:01]{"position":[7,9]} '
        '%[control:checkbox:02]{"position":[16,20]}'
    )
    assert not changed.problems


def test_blanks_in_front_of_a_mark_are_of_the_code() -> None:
    text = "%[text] T\nx = 1;  \ny  % z"
    stored = LiveDocument(text).with_outputs({2: ({"dataType": "text"},)})
    assert stored.lines[1].startswith("x = 1;   %[output:")
    assert stored.without_outputs().text.startswith(text)
