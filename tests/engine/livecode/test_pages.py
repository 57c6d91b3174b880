"""Exported pages: where results stand, and how lists are nested."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.language.parser import parse
from app.engine.livecode.document import CodeBlock, LiveDocument
from app.engine.livecode.html_page import to_html
from app.engine.livecode.running import Result
from app.engine.livecode.stored_results import code_parts
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
    depths = [min(depth, sum(depths[:place])) for place, depth in enumerate(depths)]
    mark = "1." if numbered else "-"
    items = [f"%[text]{'  ' * depth} {mark} item{n}" for n, depth in enumerate(depths)]
    page = to_html(LiveDocument("\n".join((*items[:-1], items[-1] + " \\"))), (), "x")
    body = ET.fromstring(page[page.index("<main>") : page.index("</main>") + 7])
    assert " ".join(body.itertext()).split() == [f"item{n}" for n in range(len(depths))]
    for tag in ("ul", "ol"):
        assert all(child.tag == "li" for one in body.iter(tag) for child in one)
