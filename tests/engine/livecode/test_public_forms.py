"""Live documents as public files have them: forms that MATLAB writes and its manual does not say."""

from __future__ import annotations

import json
import random
from html import escape
from pathlib import Path

import pytest

from app.engine.livecode.document import LiveDocument
from app.engine.livecode.html_page import to_html
from app.engine.livecode.markup import Equation, Link, Span, inlines, plain_text
from app.engine.livecode.mlx import read_mlx
from app.engine.livecode.reading import read_script
from app.engine.livecode.running import Result, with_results
from app.engine.livecode.stored_results import stored_results
from app.errors import UsageError
from tests.engine.livecode import mlx_files
from tests.engine.livecode.mlx_files import custom, newer, paragraph

LOOP = """for k = 1:2 %[output:group:0a0a0a0a]
    figure(k) %[output:11111111] %[output:22222222]
    title('x')  %[output:11111111] %[output:22222222]
end %[output:group:0a0a0a0a]
imshow(1)  %[output:33333333]
title('y') %[output:33333333]
z %[output:99999999]

%[appendix]{"version":"1.0"}
%---
a note that no rule explains
%[metadata:view]
%   data: {"layout":"onright"}
%---
%[output:11111111]
%   data: {"dataType":"text", "outputData":{"text":"1"}}
%---
%[output:22222222]
%   data: {"dataType":"text","outputData":{"text":"2"}}
%---
%[output:33333333]
%   data: {"dataType":"text","outputData":{"text":"3"}}
%---
"""


def test_outputs_of_several_lines_and_of_loops_stay_as_they_are() -> None:
    document = LiveDocument(LOOP)
    results = stored_results(document)
    assert [(r.line, r.text) for r in results] == [(4, "1"), (4, "2"), (6, "3")]
    assert with_results(document, results).text == LOOP
    other = with_results(document, (*results[:2], Result(6, "text", "new")))
    changed = [
        (a, b) for a, b in zip(LOOP.split("\n"), other.text.split("\n"), strict=True) if a != b
    ]
    assert [before for before, _ in changed] == [
        '%   data: {"dataType":"text","outputData":{"text":"3"}}'
    ]
    fewer = with_results(document, results[:1])
    assert "22222222" not in fewer.text
    assert "33333333" not in fewer.text
    assert "a note that no rule explains" in fewer.text
    assert fewer.without_outputs().lines[3:5] == ["end", "imshow(1) "]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "***The $z_1$ axis***",
            (Span("The ", "bolditalic"), Equation("z_1"), Span(" axis", "bolditalic")),
        ),
        (
            "**see [the *link*](x) and `c*d`**",
            (
                Span("see ", "bold"),
                Link((Span("the ", "bold"), Span("link", "bolditalic")), "x"),
                Span(" and ", "bold"),
                Span("c*d", "mono"),
            ),
        ),
        ("***Author****: W. N.*", (Span("Author", "bolditalic"), Span(": W. N.", "italic"))),
        (r"*F*(1) \< *a \* b*", (Span("F", "italic"), Span("(1) < "), Span("a * b", "italic"))),
    ],
)
def test_emphasis_holds_what_a_paragraph_holds(text: str, pieces: tuple[object, ...]) -> None:
    assert inlines(text) == pieces


def test_runs_of_an_mlx_file_in_any_styles_are_read_as_they_were(tmp_path: Path) -> None:
    marks = {"bold": "b", "italic": "i", "bolditalic": "bi", "plain": ""}
    chosen = random.Random(7)
    for _ in range(60):
        styles = chosen.choices(list(marks), k=5)
        wanted = [
            Span("".join(chosen.choices("ab*_$`\\[<", k=3)), style)  # type: ignore[arg-type]
            for style, before in zip(styles, ["", *styles], strict=False)
            if style != before
        ]
        runs = "".join(
            mlx_files.run(escape(piece.text), "".join(f"<w:{m}/>" for m in marks[piece.style]))
            for piece in wanted
        )
        path = tmp_path / "a.mlx"
        mlx_files.write(path, paragraph("text", runs))
        (block,) = LiveDocument(read_mlx(path)).blocks
        assert list(block.content) == wanted  # type: ignore[union-attr]


SPANNED = """B = [1 0; %[output:group:0a0a0a0a] %[output:11111111]
    0 1] %[output:group:0a0a0a0a]

%[appendix]{"version":"1.0"}
%---
%[output:11111111]
%   data: {"dataType":"textualVariable","outputData":{"name":"B","value":"1"}}
%---
"""


def test_a_statement_of_several_lines_keeps_its_output_when_it_runs_again() -> None:
    document = LiveDocument(SPANNED)
    (stored,) = (dict(document.appendix["output:11111111"]),)
    assert document.with_outputs({1: (stored,)}).text == SPANNED
    changed = {"dataType": "text", "outputData": {"text": "2"}}
    once = document.with_outputs({1: (changed,)})
    assert once.lines[:3] == document.lines[:3]
    assert once.with_outputs({1: (changed,)}).text == once.text


def test_an_app_keeps_what_stands_behind_it() -> None:
    text = "classdef a\nend\n%[appendix]\n%---\n%[app:layout]\n%{\n<x/>\n%}\n%---\n"
    document = LiveDocument(text)
    assert not document.problems
    assert document.with_outputs({1: ({"dataType": "text"},)}).without_outputs().text == text


def test_a_button_stands_for_a_blank_behind_which_it_is_written() -> None:
    line = '  %[control:button:3204]{"position":[1,2]}'
    document = LiveDocument(f'{line}\n%[control:checkbox:1]\n%[appendix]{{"version":"1.0"}}\n')
    assert [(c.kind, c.first, c.last) for c in document.code_blocks[0].controls] == [
        ("button", 1, 2)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('$x${"editStyle":"visual"} y', (Equation("x"), Span(" y"))),
        (r'$\\alpha${"altText":"\alpha"}', (Equation(r"\alpha", r"\alpha"),)),
        ("[pause](<matlab:doc pause>)", (Link((Span("pause"),), "matlab:doc pause"),)),
    ],
)
def test_what_public_files_write_in_a_line(text: str, expected: tuple[object, ...]) -> None:
    assert inlines(text) == expected


def test_an_mlx_file_keeps_what_matlab_writes_in_it(tmp_path: Path) -> None:
    cell = "<w:tc>{}</w:tc>"
    heading = newer('<w:pPr><w:pStyle w:val="heading3"/></w:pPr>', "<w:pPr/>")
    slider = custom(
        "livecontrol",
        context="{&quot;data&quot;:{&quot;text&quot;:&quot;n&quot;,&quot;value&quot;:6,"
        "&quot;executionModel&quot;:&quot;Section&quot;,&quot;minimum&quot;:4,"
        "&quot;maximum&quot;:12},&quot;type&quot;:&quot;slider&quot;}",
        startOffsetLine="1",
        endOffsetLine="1",
        startColumn="4",
        endColumn="5",
    )
    contents = paragraph("TOCHeading", mlx_files.run("In it")) + paragraph(
        "TOC1", "<w:hyperlink w:anchor='internal:H_1'>" + mlx_files.run("a\n") + "</w:hyperlink>"
    )
    body = "".join(
        (
            paragraph("title", mlx_files.run("A")),
            newer(
                "<w:sdt><w:sdtPr><w:docPartObj/></w:sdtPr>"
                f"<w:sdtContent>{contents}</w:sdtContent></w:sdt>"
            ),
            f'<w:p>{heading}<w:bookmarkStart w:id="H_1"/>{mlx_files.run("deep ", "<w:b/>")}</w:p>',
            newer(
                "<w:tbl><w:tr>"
                + cell.format(paragraph("text", mlx_files.run("1")))
                + cell.format(paragraph("text", custom("equation", mlx_files.run("x_1"))))
                + "</w:tr></w:tbl>",
                paragraph("text", mlx_files.run("no table")),
            ),
            newer(
                '<w:sdt><w:sdtPr><w:alias w:val="codeexample_matlab"/></w:sdtPr><w:sdtContent>'
                + paragraph("CodeExampleLine", mlx_files.run("for k = 1:3"))
                + paragraph("CodeExampleLine", mlx_files.run("end"))
                + "</w:sdtContent></w:sdt>"
            ),
            paragraph("code", mlx_files.run("a = 1;\nn = 6\n") + newer(slider)),
        )
    )
    outputs = (
        "<element><type>variable</type><outputData><name>n</name><value>6</value></outputData>"
        "<lineNumbers><element>2</element></lineNumbers></element>"
    )
    path = tmp_path / "a.mlx"
    mlx_files.write(path, body, outputs)
    text = read_mlx(path)
    assert text.split("\n")[:17] == [
        "%[text] # A",
        '%[text:tableOfContents]{"heading":"In it"}',
        "%[text] %[text:anchor:H_1] #### **deep**",
        '%[text:table]{"ignoreHeader":true}',
        r"%[text] | 1 | $ x\_1 $ |",
        "%[text] | --- | --- |",
        "%[text:table]",
        "%[text] ```matlabCodeExample",
        "%[text] for k = 1:3",
        "%[text] end",
        "%[text] ```",
        "a = 1;",
        'n = 6 %[control:slider:0001]{"position":[5,6]} %[output:00000001]',
        "",
        "",
        '%[appendix]{"version":"1.0"}',
        "%---",
    ]
    document = LiveDocument(text)
    assert not document.problems
    assert document.line_of("H_1") == 3
    (block,) = document.code_blocks
    assert dict(block.controls[0].data) == {"label": "n", "run": "Section", "min": 4, "max": 12}
    assert [(r.line, r.text) for r in stored_results(document)] == [(13, "n = 6\n")]


@pytest.mark.parametrize(
    "book",
    [
        "{}",
        "[]",
        '{"nbformat":4,"cells":{"a":1}}',
        '{"nbformat":3,"worksheets":[]}',
        '{"nbformat":4,"cells":[],"metadata":{"kernelspec":{"language":"python"}}}',
        "[" * 100_000,
    ],
)
def test_notebooks_of_other_kinds_are_refused(book: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(book)
    with pytest.raises(UsageError, match=r"^a\.ipynb: "):
        read_script(path)


def test_a_notebook_becomes_sections(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": "# A\n<br>\n$$a_1\n= 2$$ costs\n\n---\n- one\n- two"},
        {"cell_type": "code", "source": ["x = 1;\n", "y = 2;"]},
        {"cell_type": "code", "source": "z = 3;"},
        7,
        {"cell_type": "raw"},
    ]
    about = {"kernelspec": {"language": "octave"}}
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "cells": cells, "metadata": about}))
    assert read_script(path).text.split("\n")[:10] == [
        "%[text] # A",
        r"%[text] $ a\_1 = 2 $ costs",
        "%[text] - one",
        "%[text] - two \\",
        "x = 1;",
        "y = 2;",
        "%%",
        "z = 3;",
        "%%",
        "",
    ]


@pytest.mark.parametrize(
    "data",
    [
        '{"dataType":"image","outputData":{"dataUri":"data:image/png;base64,AAAAA"}}',
        '{"dataType":"image","outputData":{"dataUri":"data:image/png;base64,A\u2028"}}',
        '{"dataType":"matrix","outputData":{"value":3,"columnNames":7,"exponent":"x"}}',
        '{"dataType":"matrix","outputData":{"value":[["1"],2],"exponent":[]}}',
        '{"dataType":["text"],"outputData":[]}',
        '{"dataType":"text","outputData":"x"}',
        '{"dataType":"textualVariable","outputData":{"name":[1],"value":{}}}',
        '{"a":1}',
        "{}",
    ],
)
def test_stored_outputs_of_any_shape_are_kept(data: str) -> None:
    text = f"x %[output:1]\n%[appendix]\n%---\n%[output:1]\n%   data: {data}\n%---\n"
    document = LiveDocument(text)
    results = stored_results(document)
    assert with_results(document, results).text == text
    assert to_html(document, results, "x")


def test_tags_of_printed_texts_are_not_shown() -> None:
    data = (
        r'{"dataType":"text","outputData":{"text":"<strong>A<\/strong> <a href=\"x\">b<\/a> <c>"}}'
    )
    document = LiveDocument(f"x %[output:1]\n%[appendix]\n%---\n%[output:1]\n%   data: {data}\n")
    assert [result.text for result in stored_results(document)] == ["A b <c>"]


def test_brackets_that_are_not_closed_take_no_time() -> None:
    for text in ("[" * 20_000, "![" * 20_000, "[a](" * 9_000):
        assert plain_text(inlines(text)) == text
