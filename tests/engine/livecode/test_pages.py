"""Exported pages: where results stand, and how lists are nested."""

from __future__ import annotations

import base64
import io
import json
import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.engine.language.parser import parse
from app.engine.livecode.document import CodeBlock, LiveDocument
from app.engine.livecode.html_page import to_html
from app.engine.livecode.latex_text import to_latex
from app.engine.livecode.markdown_text import to_markdown
from app.engine.livecode.notebook import to_notebook
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import code_parts
from app.engine.livecode.text_blocks import ListBlock
from app.source import SourceText

STATEMENTS = ("a = 1", "for k = 1:3\n  k\nend", "b = [1 ...\n 2]", "if a, c, end; d", "% words", "")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6), st.data())
def test_results_stand_behind_whole_statements(chosen: list[str], data: st.DataObject) -> None:
    """Whatever line gave something: no loop is cut in two, nothing is lost, the order stays."""
    code = "\n".join(("first", *chosen))
    count = code.count("\n") + 1
    lines = sorted(data.draw(st.lists(st.integers(1, count), max_size=5)))
    results = [Result(5 + line, "text", str(place)) for place, line in enumerate(lines)]
    parts = list(code_parts(CodeBlock(6, 5 + count, code), results))
    assert [one for _, made in parts for one in made] == results
    assert "\n".join(part for part, _ in parts).split() == code.split()
    assert all(parse(SourceText("", part)).ok for part, _ in parts)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=9), st.booleans())
def test_lists_of_any_depths_are_whole(depths: list[int], numbered: bool) -> None:
    """Inner lists are within the items above them; everything that begins ends."""
    page = to_html(_list(depths, numbered=numbered), (), "x")
    body = ET.fromstring(page[page.index("<main>") : page.index("</main>") + 7])
    assert " ".join(body.itertext()).split() == [f"item{n}" for n in range(len(depths))]
    for tag in ("ul", "ol"):
        assert all(child.tag == "li" for one in body.iter(tag) for child in one)


def _list(depths: list[int], *, numbered: bool) -> LiveDocument:
    depths = [min(depth, sum(depths[:place])) for place, depth in enumerate(depths)]
    mark = "1." if numbered else "-"
    items = [f"%[text]{'  ' * depth} {mark} item{n}" for n, depth in enumerate(depths)]
    return LiveDocument("\n".join((*items[:-1], items[-1] + " \\")))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=9), st.booleans())
def test_lists_of_latex_are_nested_as_deep_as_it_can(depths: list[int], numbered: bool) -> None:
    document = _list(depths, numbered=numbered)
    block = document.blocks[0]
    assert isinstance(block, ListBlock)
    text, _ = to_latex(document, (), "x")
    depth, found = 0, []
    for mark in re.findall(r"\\(?:begin|end)\{(?:itemize|enumerate)|\\item \w+|\\item\[\]", text):
        assert depth or "begin" in mark
        depth += mark.startswith("\\begin") - mark.startswith("\\end")
        found += [depth] if mark.startswith("\\item ") else []
    assert depth == 0
    assert found == [min(level + 1, 4) for level, _ in block.items]
    assert (
        re.search(r"\\begin\{(\w+)\}\n(?!\\item)", text.partition("\\begin{document}")[2]) is None
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=5))
def test_every_row_of_a_table_has_all_columns(counts: list[int]) -> None:
    rows = [f"%[text] |{' [x] |' * count}" for count in counts]
    rows.insert(1, "%[text] |" + " --- |" * counts[0])
    text = "\n".join(("%[text:table]", *rows, "%[text:table]"))
    latex, _ = to_latex(LiveDocument(text), (), "x")
    table = latex.partition("\\begin{tabular}")[2].partition("\\end{tabular}")[0]
    assert table.startswith("{" + "l" * max(counts) + "}")
    assert [line.count("&") + 1 for line in table.split("\n") if "&" in line or "[" in line] == (
        [max(counts)] * len(counts)
    )
    lines = to_markdown(LiveDocument(text), ()).strip().split("\n")
    assert {line.count(" |") for line in lines} == {max(counts)}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP"])
def test_pictures_of_the_text_are_files_beside_latex(kind: str) -> None:
    made = io.BytesIO()
    Image.new("RGB", (3, 2), "red").save(made, kind)
    source = f"data:image/{kind.lower()};base64,{base64.b64encode(made.getvalue()).decode()}"
    entry = json.dumps({"width": 240, "src": source})
    text = "%[text] ![a_b](text:image:1) ![none](text:image:2) ![a file](a b.png)\n"
    text += f"%[appendix]\n%[text:image:1]\n%   data: {entry}\n"
    latex, pictures = to_latex(LiveDocument(text), (), "my doc")
    ((name, content),) = pictures.items()
    assert f"\\includegraphics[width=0.5\\linewidth]{{{name}}} \\emph{{{{[}}none{{]}}}}" in latex
    assert "\\IfFileExists{\\detokenize{a b.png}}" in latex
    assert " " not in name
    with Image.open(io.BytesIO(content)) as picture:
        assert (picture.size, picture.format) == ((3, 2), "JPEG" if kind == "JPEG" else "PNG")


def test_results_stand_behind_their_statements_in_every_format() -> None:
    document = LiveDocument("%[text] # T\nfirst = 1\nfor k = 1:2\n  k\nend\nlast = 3")
    made = (Result(4, "text", "of the loop\n"), Result(2, "text", "of the first\n"))
    for text in (to_markdown(document, made), to_latex(document, made, "x")[0]):
        order = ("first = 1", "of the first", "for k", "of the loop", "last = 3")
        places = [text.index(one) for one in order]
        assert places == sorted(places)
    cells = json.loads(to_notebook(document, made))["cells"][1:]
    assert [cell["source"] for cell in cells] == ["first = 1", "for k = 1:2\n  k\nend", "last = 3"]
    assert [len(cell["outputs"]) for cell in cells] == [1, 1, 0]


def test_contents_of_latex_are_those_of_its_headings() -> None:
    text = '%[text] # T\n%[text:tableOfContents]{"heading":"In [1]"}\n%[text] ## A\n%[text] ### B'
    latex, _ = to_latex(LiveDocument(text), (), "x")
    for part in (r"\section*{T}", r"\textbf{In {[}1{]}}", r"\headings", r"\subsection{A}"):
        assert part in latex
    assert r"\subsubsection{B}" in latex


def test_the_title_of_contents_is_text_with_markup() -> None:
    line = '%[text:tableOfContents]{"heading":"**In *one* page**"}\n%[text] ## A'
    document = LiveDocument(line)
    assert "**" not in to_html(document, (), "x")
    assert "<em>one</em>" in to_html(document, (), "x") or "<strong>" in to_html(document, (), "x")
    assert "In" in to_markdown(document, ()).split("\n")[0]
    assert "**" not in to_latex(document, (), "x")[0]


def test_columns_stand_as_their_rule_says() -> None:
    rows = ("| a | b | c | d |", "| :-- | :---: | ---: | --- |", "| 1 | 2 | 3 | 4 |")
    text = "\n".join(("%[text:table]", *(f"%[text] {row}" for row in rows), "%[text:table]"))
    document = LiveDocument(text)
    page = to_html(document, (), "x")
    assert [page.count(f'style="text-align:{side}"') for side in ("center", "right")] == [2, 2]
    assert "| --- | :---: | ---: | --- |" in to_markdown(document, ())
    assert "{tabular}{lcrl}" in to_latex(document, (), "x")[0]


def test_a_formula_alone_is_set_as_large_as_it_wants_to_be() -> None:
    alone, inside = "%[text] $ x^2 $", "%[text] it is $ x^2 $"
    pages = [to_html(LiveDocument(text), (), "x") for text in (alone, inside)]
    assert ['display="block"' in page for page in pages] == [True, False]
