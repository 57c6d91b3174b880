"""Classes of the variables of parfor bodies, and what bodies are refused for."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.analysis import check_text
from app.engine.language import OCTAVE, Severity, parse
from app.engine.language.parfor_variables import ParforBody, classify, parfor_loops
from app.source import SourceText

FUNCTIONS = (
    "zeros sum size numel max min union best struct load disp n solve cost feval fprintf send tic toc isnan mean "
    "meshgrid fminsearch isempty single squeeze"
).split()


def bodies(name: str) -> list[tuple[str, str]]:
    lines = Path(__file__).with_name(name).read_text().splitlines()
    pairs = (line.partition("=>") for line in lines if line and not line.startswith("#"))
    return [(body.strip().replace(" ⏎ ", "\n"), expected.strip()) for body, _, expected in pairs]


def classified(body: str, header: str = "parfor i = 1:n") -> ParforBody:
    result = parse(SourceText("t.m", f"{header}\n{body}\nend\n"), OCTAVE)
    assert not result.diagnostics, result.diagnostics
    node, _ = next(iter(parfor_loops(result.file)))
    return classify(node, frozenset({"helper"}))


def test_there_are_enough() -> None:
    assert len(bodies("parfor_accepted.txt")) >= 60
    assert len(bodies("parfor_refused.txt")) >= 60


@pytest.mark.parametrize(("body", "expected"), bodies("parfor_accepted.txt"))
def test_accepted(body: str, expected: str) -> None:
    found = classified(body)
    assert found.problems == ()
    wanted = dict(item.split() for item in expected.split(", ")) if expected else {}
    assert {n: str(found.variables[n].kind) for n in wanted} == wanted
    others = {n for n in found.variables if n not in wanted}
    assert others <= {"i", *FUNCTIONS}


@pytest.mark.parametrize(("body", "expected"), bodies("parfor_refused.txt"))
def test_refused(body: str, expected: str) -> None:
    name, _, rule = expected.partition(": ")
    messages = [p.message for p in classified(body).problems]
    assert any(name.strip("'") in m and f"{rule}" in m and "Rule: " in m for m in messages), (
        messages
    )


@pytest.mark.parametrize("values", ["1:2:9", "9:-1:1", "0:0.5:2"])
def test_ranges_that_do_not_rise_by_one(values: str) -> None:
    (problem,) = classified("disp(i)", f"parfor i = {values}").problems
    assert "rise by one" in problem.message


def test_the_place_and_the_repair() -> None:
    text = "function f(n)\nparfor i = 1:n\n  y(2*i) = 1;\nend\nend\n"
    found = [d for d in check_text(SourceText("f.m", text)) if d.severity is Severity.ERROR]
    assert [text[slice(*d.span)] for d in found] == ["2*i"]
    fix = found[0].fix
    assert fix is not None
    assert (text[slice(*fix.span)], fix.text) == ("parfor", "for")


def test_nested_functions_are_known_from_the_text() -> None:
    text = "function f(n)\nparfor i = 1:n\n  g(i)\nend\nfunction g(i)\ndisp(i)\nend\nend\n"
    found = [d.message for d in check_text(SourceText("f.m", text)) if d.code == "parfor"]
    assert len(found) == 1
    assert "'g' is a nested function" in found[0]
