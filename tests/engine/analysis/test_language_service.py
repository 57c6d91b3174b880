"""What the editor asks, asked of small texts with a ``|`` where the caret is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.analysis.named_arguments import words_of
from app.engine.session import language_service as service
from app.engine.session.language_service import Document
from app.source import SourceText
from tests.support.scripts import Script

TEXT = """\
function r = main(a, b)
% MAIN does it.
%% first part
x = a + helper(b);
s.alpha = 1; s.beta = x;
r = arrayfun(@(t) t + x, s.alpha);
%% second
%{
a block
%}
    function inner()
        x = 3;
    end
inner()
end
function o = helper(u)
% HELPER helps.
% More.
o = u;
for k = 1:3
    o = o + k;
end
end
"""


def at(text: str) -> tuple[Document, int]:
    """A document and the offset of the ``|`` in its text."""
    offset = text.index("|")
    return service.open_document(SourceText("t.m", text.replace("|", "", 1))), offset


def marked(pattern: str) -> tuple[Document, int]:
    """TEXT with the caret where ``pattern`` has it."""
    place = TEXT.index(pattern.replace("|", "")) + pattern.index("|")
    return service.open_document(SourceText("t.m", TEXT)), place


def test_outline() -> None:
    found = [(e.name, e.kind, e.line, e.depth) for e in service.outline(marked("|x = a")[0])]
    assert found == [
        ("main", "function", 1, 0),
        ("first part", "section", 3, 0),
        ("second", "section", 7, 0),
        ("inner", "function", 11, 1),
        ("helper", "function", 16, 0),
    ]


def test_outline_of_a_class_and_of_broken_text() -> None:
    text = "classdef C\nproperties\na\nend\nmethods\nfunction f(o)\nend\nend\nevents\nE\nend\nend"
    document = service.open_document(SourceText("c", text))
    names = [(e.name, e.kind) for e in service.outline(document)]
    assert names == [
        ("C", "class"),
        ("a", "property"),
        ("f", "method"),
        ("E", "event"),
    ]
    broken = service.open_document(SourceText("b", "function a(\nx = (1;\nfunction b\ny = 3"))
    assert [e.name for e in service.outline(broken)][-1] == "b"


def test_folds() -> None:
    folds = service.folds(marked("|x = a")[0])
    assert {(f.first, f.last, f.kind) for f in folds} == {
        (1, 15, "block"),
        (1, 2, "section"),
        (3, 6, "section"),
        (7, 24, "section"),
        (8, 10, "comment"),
        (11, 13, "block"),
        (16, 23, "block"),
        (17, 18, "comment"),
        (20, 22, "block"),
    }


@pytest.mark.parametrize(
    ("place", "target"),
    [
        ("a + helper(|b)", "b)\n% MAIN"),
        ("s.beta = |x;", "x = a"),
        ("x = a + hel|per(b)", "helper(u)"),
        ("@(t) |t + x", "t) t + x"),
        ("in|ner()\nend", "inner()\n        x"),
    ],
)
def test_definition(place: str, target: str) -> None:
    document, offset = marked(place)
    found = service.definition(document, offset)
    assert found is not None
    assert found.span is not None
    assert found.span.start == TEXT.index(target)


def test_definition_elsewhere() -> None:
    found = service.definition(*marked("r = array|fun"))
    assert found == service.Definition("arrayfun", None)


def test_references_of_a_shared_variable() -> None:
    document, offset = marked("|x = a")
    spans = service.references(document, offset)
    assert [document.source.line_of(s.start) for s in spans] == [4, 5, 6, 12]


def rename(text: str, name: str) -> str:
    document, offset = at(text)
    found = service.renaming(document, offset, Path(), (), {})
    problem = found.problem or found.objection(name)
    if problem:
        return problem
    result = document.source.text
    for place in reversed(found.places):
        result = result[: place.span.start] + name + result[place.span.end :]
    return result


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("|x = 1; y = x + f(x); s.x = x;", "z", "z = 1; y = z + f(z); s.x = z;"),
        (
            "y = f|1(2);\nfunction r = f1(x)\nr = x;\nend",
            "g",
            "y = g(2);\nfunction r = g(x)\nr = x;\nend",
        ),
        ("x = 1; g = @(|x) x + 1;", "t", "x = 1; g = @(t) t + 1;"),
        ("|x = 1; y = 2;", "y", "'y' is already in use here."),
        ("|x = 1;", "end", "'end' is not a valid name."),
        ("si|n(1)", "cos", "'sin' is not defined in a file of this folder."),
        ("1 | + 2", "x", "There is no name at the caret."),
        (
            "function f(a|)\nglobal g\nx(a) = g;\nend",
            "bb",
            "function f(bb)\nglobal g\nx(bb) = g;\nend",
        ),
        ("try\ncatch |e\ndisp(e.message)\nend", "err", "try\ncatch err\ndisp(err.message)\nend"),
    ],
)
def test_rename(text: str, name: str, expected: str) -> None:
    assert rename(text, name) == expected


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("value = 1;\nval|", "value"),
        ("function f(param)\npar|\nend", "param"),
        ("s.alpha = 1;\ns.|", "alpha"),
        ("s.a.b = 1;\ns.a.|", "b"),
        ("y = cellfun(@hel|);\nfunction helper\nend", "helper"),
        ("whi|", "while"),
        ("num|", "numel"),
        ("x = f(1, |);\nfunction f(a, o)\narguments\na\no.Name string\nend\nend", "Name="),
        (
            "classdef C\nproperties\nsize\nend\nmethods\nfunction f(obj)\nobj.|\nend\nend\nend",
            "size",
        ),
        ("pathf|", "pathfun"),
    ],
)
def test_completion(text: str, first: str) -> None:
    document, offset = at(text)
    around = service.Surroundings({"pathfun": service.Arity()}, frozenset({"based"}))
    span, candidates = service.complete(document, offset, around)
    assert span.end == offset
    found = service.ranked_completions(candidates, document.source.text[slice(*span)])
    assert first in [c.label for c in found[:3]]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("lin", "linspace"),
        ("lnsp", "linspace"),
        ("PLO", "plot"),
        ("rdtab", "readtable"),
        ("max", "maxk"),
        ("va", "value"),
        ("ze", "zeros"),
    ],
)
def test_candidates_are_ranked_by_fit_use_and_scope(typed: str, first: str) -> None:
    document, offset = at(f"value = 1;\n{typed}|")
    _, candidates = service.complete(document, offset, service.Surroundings())
    labels = [c.label for c in service.ranked_completions(candidates, typed)]
    assert labels[0] == first


def test_what_is_used_comes_first() -> None:
    document, offset = at("lin|")
    _, candidates = service.complete(document, offset)
    assert service.ranked_completions(candidates, "lin", {"linsolve": 3})[0].label == "linsolve"


def test_workspace_variables_are_not_seen_in_functions() -> None:
    around = service.Surroundings({}, frozenset({"based"}))
    inside, offset = at("function f\n|\nend")
    assert "based" not in [c.label for c in service.complete(inside, offset, around)[1]]
    script, offset = at("x = 1;\n|")
    assert "based" in [c.label for c in service.complete(script, offset, around)[1]]


def test_functions_of_files_are_explained_and_completed(tmp_path: Path) -> None:
    code = "function y = scaled(x, o)\n% SCALED Multiplies.\narguments\nx\no.Factor = 2\nend\n"
    (tmp_path / "scaled.m").write_text(code + "y = x * o.Factor;\nend\n")
    around = service.look_around([tmp_path])
    document, offset = at("y = scaled(3, Fa|")
    _, candidates = service.complete(document, offset, around)
    assert service.ranked_completions(candidates, "Fa")[0].label == "Factor="
    tip = service.signature_help("y = scaled(3, ", document, around, offset)
    assert tip is not None
    assert (tip.signatures, tip.summary) == (("y = scaled(x, o)",), "SCALED Multiplies.")
    page = service.function_help("scaled", document, around)
    assert page is not None
    assert page.text == "SCALED Multiplies."


def test_an_index_is_no_call() -> None:
    document, offset = at("sum = [1 2];\nsum(|")
    assert service.signature_help("sum(", document, None, offset) is None
    assert service.signature_help("sum(", None) is not None


@pytest.mark.parametrize(
    ("before", "name", "argument"),
    [
        ("x = sin(", "sin", 0),
        ("x = max(a, [1, 2], ", "max", 2),
        ("x = max(a(1, 2), ", "max", 1),
        ("x = max('(,', ", "max", 1),
        ("x = helper(1, ", "helper", 1),
        ("x = (1, ", None, 0),
        ("x = sin(1)", None, 0),
    ],
)
def test_signature_help(before: str, name: str | None, argument: int) -> None:
    found = service.signature_help(before, marked("|x = a")[0])
    if name is None:
        assert found is None
    else:
        assert found is not None
        assert (found.name, found.argument) == (name, argument)


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("|x = a", "variable"),
        ("x = |a", "parameter"),
        ("+ hel|per", "function"),
        ("|arrayfun", "builtin"),
    ],
)
def test_hover(place: str, kind: str) -> None:
    found = service.hover(*marked(place))
    assert found is not None
    assert found.kind == kind


def test_hover_shows_help() -> None:
    found = service.hover(*marked("+ hel|per"))
    assert found is not None
    assert found.signatures == ("o = helper(u)",)
    assert found.text == " HELPER helps.\n More."


PIECES = st.sampled_from(
    "x y f( ) [ ] { } ' , ; = @ @(x) . s.a if end for function classdef properties methods % %% \n "
    "+ hold on 3 'a' try catch e global".split(" ")
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, max_size=30), st.integers(0, 60))
def test_any_text_can_be_asked_about(pieces: list[str], place: int) -> None:
    text = " ".join(pieces)
    offset = min(place, len(text))
    document = service.open_document(SourceText("any", text))
    service.analyse(document.source)
    service.complete(document, offset)
    service.hover(document, offset)
    service.definition(document, offset)
    service.renaming(document, offset, Path(), (), {}).objection("zz")
    service.signature_help(text[:offset], document)
    for span in service.references(document, offset):
        assert text[slice(*span)].isidentifier()
    assert all(1 <= f.first < f.last <= text.count("\n") + 1 for f in service.folds(document))


def test_analysis() -> None:
    analysis = service.analyse(SourceText("t.m", TEXT))
    assert [TEXT[slice(*s)] for s in analysis.functions] == [
        "main",
        "helper",
        "arrayfun",
        "inner",
        "inner",
        "helper",
    ]
    assert {"a", "b", "x", "s", "r", "t", "u", "o", "k"} == analysis.variables
    assert analysis.diagnostics == ()
    assert [s.title for s in analysis.sections] == ["", "first part", "second"]


@pytest.mark.parametrize(
    ("text", "among"),
    [
        ("hold o", "on"),
        ("x = 1; axis eq", "equal"),
        ("format ", "shortG"),
        ("colormap pa", "parula"),
        ("warning o", "off"),
        ("S = sum(A, 'om", "omitnan"),
        ("set(gca, 'Fo", "FontSize"),
        ("h = plot(1:3);\nset(h, 'Mark", "MarkerSize"),
        ("set(findobj(gcf), 'Line", "LineWidth"),
        ("ax = gca;\nax.Fo", "FontSize"),
        ("ax = gca;\nax.XScale = 'l", "log"),
        ("set(gcf, 'Visible', 'o", "off"),
        ("legend('a', 'Location', 'n", "northwest"),
        ('plot(1:3, LineStyle="', "--"),
        ("kept = 1;\nclear ke", "kept"),
        ("help linsp", "linspace"),
    ],
)
def test_words_that_fit_are_offered(text: str, among: str) -> None:
    document = service.open_document(SourceText("a.m", text))
    _, candidates = service.complete(document, len(text))
    assert among in [c.label for c in candidates]


def test_words_of_other_places_are_not_offered() -> None:
    for text in ("x = 'da", "strcmp(x, 'o", "set(gcf, 'Position', '", "disp hello w"):
        document = service.open_document(SourceText("a.m", text))
        assert not service.complete(document, len(text))[1], text


def test_the_words_told_for_commands_are_taken_by_them() -> None:
    script = Script()
    for name in ("hold", "grid", "box", "axis", "shading", "lighting", "format", "hidden"):
        words = words_of(name)
        assert words
        for word in words:
            script.run(f"surf(peaks(5)); {name} {word}")
    for word in words_of("colormap"):
        script.run(f"colormap {word}")


@pytest.mark.parametrize("name", ["nowhere", "\ud800", "a\0b"])
def test_a_folder_that_cannot_be_has_no_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.m").write_text("x = 1;\n")
    assert list(service.code_files(tmp_path)) == [tmp_path / "a.m"]
    assert not list(service.code_files(tmp_path / name))
