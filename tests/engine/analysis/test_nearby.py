"""What is known at a place of a long text is what the whole text says of it."""

from __future__ import annotations

import re

import pytest

from app.engine.analysis import nearby
from app.engine.session import language_service as service
from app.source import SourceText

SCRIPT = "".join(f"value_{k} = sin({k}) + value_{max(k - 1, 0)};\n" for k in range(4000))
FUNCTIONS = "base = 3;\n" + "".join(
    f"function [r, s] = step{k}(x, gain)\n% Step {k}.\n    r = gain * x + step{(k + 7) % 90}(x, {k});\n"
    f"    if r > {k}\n        s = cos(r);\n    end\nend\n\n"
    for k in range(90)
)
UNCLOSED = "".join(
    f"function r = plain{k}(x)\n% Plain {k}.\nif x\nr = plain{(k + 1) % 60}(x) + {k};\nend\n"
    for k in range(60)
)
CLASS = (
    "classdef Thing < handle\n    properties\n        Size = 3\n    end\n    methods\n"
    + "".join(
        f"        function r = turn{k}(obj, angle, ...\n                times)\n"
        f"            % Turn {k}.\n            r = obj.Size * angle + helper(times);\n        end\n"
        for k in range(40)
    )
    + "    end\n    methods (Static)\n        function r = make()\n            r = Thing();\n        end\n"
    "    end\nend\nfunction y = helper(x)\n% Helps.\ny = x;\nend\n"
)


@pytest.mark.parametrize(
    "text", [FUNCTIONS, UNCLOSED, CLASS], ids=["functions", "unclosed", "class"]
)
def test_names_are_what_the_whole_text_says(text: str) -> None:
    source = SourceText("thing.m", text)
    whole = service.open_document(source)
    names = list(re.finditer(r"[A-Za-z]\w*", text))
    assert len(names) > 300
    for name in names[::17]:
        part = nearby.part_around(source, name.start())
        assert len(part.text) == len(text)
        known = service.open_document(part)
        assert known.result.diagnostics == () or text is UNCLOSED
        assert service.hover(known, name.start()) == service.hover(whole, name.start())


def test_far_functions_are_left_out() -> None:
    source = SourceText("steps.m", FUNCTIONS)
    part = nearby.part_around(source, FUNCTIONS.index("step57(x, 50)"))
    assert "Step 57." in part.text
    assert "Step 50." in part.text
    assert "Step 3." not in part.text


def test_a_begun_name_finds_the_functions_of_the_text() -> None:
    begun = FUNCTIONS.replace("s = cos(r)", "s = step8", 1)
    offset = begun.index("s = step8") + len("s = step8")
    part = service.open_document(nearby.part_around(SourceText("steps.m", begun), offset))
    _, found = service.best_completions(part, offset)
    assert {c.label for c in found} >= {f"step{k}" for k in range(80, 90)}


def test_of_a_long_script_what_is_near_is_read() -> None:
    source = SourceText("script.m", SCRIPT)
    offset = SCRIPT.index("value_2000 =")
    part = nearby.part_around(source, offset)
    assert len(part.text) == len(SCRIPT)
    assert len(part.text.split()) < len(SCRIPT.split()) / 2
    found = service.hover(service.open_document(part), offset)
    assert found is not None
    assert (found.name, found.kind) == ("value_2000", "variable")


def test_a_text_that_is_known_is_answered_from_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SourceText("known.m", FUNCTIONS + "% of its own\n")
    monkeypatch.setattr(nearby, "WHOLE", 100)
    assert service.document_near(source, 5).source.text != source.text
    whole = service.open_document(source)
    assert service.document_near(source, 5) is whole
