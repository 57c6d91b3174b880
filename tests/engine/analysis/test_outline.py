"""The outline of a file."""

from __future__ import annotations

from app.engine.analysis.analysed_text import open_document
from app.engine.analysis.outline import outline
from app.source import SourceText

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
