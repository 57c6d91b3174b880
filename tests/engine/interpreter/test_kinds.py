"""Which variables are known to be plain numbers."""

from __future__ import annotations

import pytest

from app.engine.interpreter.compile.analysis import names_of_script
from app.engine.interpreter.compile.kinds import Inference
from app.engine.language.parser import parse
from app.source import SourceText


def kinds(text: str) -> dict[str, str]:
    body = parse(SourceText("<t>", text)).file.body
    return Inference(names_of_script(body), set()).run(body)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s = 0; for i = 1:10, s = s + i * 0.5; end", {"s": "F"}),
        ("s = 0; for i = 1:n, s = s + i; end", {}),
        ("x = 1; x = 'a';", {}),
        ("b = 1 < 2; c = ~b;", {"b": "B", "c": "B"}),
        ("x = 2 ^ 3; y = x ^ 0.5;", {"x": "F"}),
        ("x = 1; y = x; x = f(y);", {}),
        ("x = 1; [x, y] = size(3);", {}),
        ("x = 1; x(2) = 3;", {}),
    ],
)
def test_kinds(text: str, expected: dict[str, str]) -> None:
    assert kinds(text) == expected
