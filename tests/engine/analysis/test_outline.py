"""The outline of a file."""

from __future__ import annotations

import pytest

from app.engine.analysis.analysed_text import open_document
from app.engine.analysis.outline import outline
from app.source import SourceText, section_title

LIVE = """%[text] %[text:anchor:T_7BB7FF35] # Signals: a **tone** of *`sin`*
%[text] words
x = 1;
%%
%[text]{"align":"center"} ## The recording \\_raw\\_
y = x; % ## no heading
function f
end
"""


def test_headings_of_a_live_script_are_parts() -> None:
    found = outline(open_document(SourceText("a.m", LIVE)))
    assert [(e.name, e.kind, e.line, e.depth) for e in found] == [
        ("Signals: a tone of sin", "section", 1, 0),
        ("The recording _raw_", "section", 5, 1),
        ("f", "function", 7, 0),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\u2500\u2500 Parameter \u2500\u2500\u2500\u2500", "Parameter"),
        ("--- Additional Notes", "Additional Notes"),
        ("== A == B ==", "A == B"),
        ("Title%%%%", "Title"),
        ("--------", ""),
        ("__init__ and C++", "__init__ and C++"),
        ("-5 degrees, i--", "-5 degrees, i--"),
        ("[50Hz] loop", "[50Hz] loop"),
    ],
)
def test_lines_drawn_beside_a_title_are_no_part_of_it(text: str, title: str) -> None:
    assert section_title(text) == title
    found = outline(open_document(SourceText("a.m", f"x = 1;\n%% {text}\ny = 1;\n")))
    assert [e.name for e in found] == [title] * bool(title)
