"""Round trips of generated documents: whole ones, made of every construct of the format."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.livecode.document import CodeBlock, LiveDocument
from app.engine.livecode.markup import escape
from app.engine.livecode.notebook import from_notebook, to_notebook
from app.engine.livecode.stored_results import stored_results

WORDS = st.text(st.sampled_from("abc xyz*_[]$`<#|~é語"), min_size=1, max_size=12).map(
    lambda text: escape(text.strip() or "w")
)
STYLED = st.tuples(WORDS, st.sampled_from(["{}", "**{}**", "*{}*", "***{}***", "`k`", "<u>{}</u>"]))
INLINE = st.lists(
    st.one_of(
        STYLED.map(lambda pair: pair[1].format(pair[0])),
        st.just("$ \\\\frac{a\\_1}{b} $"),
        WORDS.map(lambda text: f"[{text}](https://x.y)"),
        st.just("%[text:anchor:H_1a] w"),
    ),
    min_size=1,
    max_size=3,
).map(" ".join)
TEXTS = st.one_of(
    st.tuples(st.sampled_from(["# ", "## ", "### ", "> ", ""]), INLINE).map(
        lambda pair: [f"%[text] {pair[0]}{pair[1]}"]
    ),
    INLINE.map(lambda text: [f'%[text]{{"align":"center"}} {text}']),
    st.lists(INLINE, min_size=1, max_size=3).map(
        lambda items: [f"%[text] - {i}" for i in items[:-1]] + [f"%[text] - {items[-1]} \\"]
    ),
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=2).map(
        lambda rows: [
            "%[text:table]",
            "%[text] | a | b |",
            "%[text] | --- | --- |",
            *(f"%[text] | {a} | {b} |" for a, b in rows),
            "%[text:table]",
        ]
    ),
    st.just(["%[text:tableOfContents]{}"]),
)
CONTROLS = st.sampled_from(
    "slider editfield dropdown checkbox button spinner colorpicker datePicker filebrowser "
    "statebutton rangeslider".split()
)
CODE = st.one_of(
    st.sampled_from([["x = 1;"], ["% a comment"], ["for k=1:3", "    y = k", "end"], ["%%"], [""]]),
    st.tuples(CONTROLS, st.sampled_from(["4", "'é語'", "[1 2]", "true"])).map(
        lambda pair: [("control", *pair)]
    ),
    st.just([("output",)]),
    st.just([("group",)]),
)
PARTS = st.lists(st.one_of(TEXTS, CODE), max_size=12)


def written(parts: list[list[object]]) -> str:
    """A document of these parts, with the appendix that they need."""
    lines: list[str] = []
    entries: list[tuple[str, dict[str, object]]] = [("metadata:view", {"layout": "inline"})]
    for number, piece in enumerate(piece for part in parts for piece in part):
        name = f"{number:08x}"
        match piece:
            case str(text):
                lines.append(text)
            case ("control", kind, literal):
                place = f'{{"position":[5,{5 + len(str(literal))}]}}'
                lines.append(f"v = {literal}; %[control:{kind}:{name[4:]}]{place}")
                entries.append((f"control:{kind}:{name[4:]}", {"label": "v/w", "run": "Section"}))
            case ("output",):
                lines.append(f"z = {number} %[output:{name}]")
                entries.append((f"output:{name}", told(number)))
            case _:
                group = f"%[output:group:{name}]"
                lines += [f"B = [1 0; {group} %[output:{name}]", f"    0 1] {group}"]
                entries.append((f"output:{name}", told(number)))
    tail = [
        f"%[{key}]\n%   data: "
        + json.dumps(data, separators=(",", ":"), sort_keys=True).replace("/", "\\/")
        + "\n%---"
        for key, data in entries
    ]
    return "\n".join([*lines, "", '%[appendix]{"version":"1.0"}', "%---", *tail, ""])


def told(number: int) -> dict[str, object]:
    """A stored output."""
    return {"dataType": "text", "outputData": {"text": f"{number}", "truncated": False}}


def body(document: LiveDocument) -> list[str]:
    """The lines before the appendix."""
    return document.lines[: document.appendix_line - 1]


def code(document: LiveDocument) -> list[str]:
    """The lines of code that are not blank."""
    blocks = (block for block in document.blocks if isinstance(block, CodeBlock))
    return [line.strip() for b in blocks for line in b.code.split("\n") if line.strip()]


@settings(max_examples=300, deadline=None)
@given(PARTS)
def test_a_generated_document_comes_back_from_everywhere(
    parts: list[list[object]],
) -> None:
    text = written(parts)
    document = LiveDocument(text)
    assert not document.problems
    results = stored_results(document)
    by_line: dict[int, tuple[dict[str, object], ...]] = {}
    for result in results:
        by_line[result.line] = (*by_line.get(result.line, ()), *map(dict, result.data()))
    assert document.with_outputs(by_line).text == text
    others = {line: (*kept, told(99)) for line, kept in by_line.items()}
    stored = document.with_outputs(others)
    assert stored.with_outputs(others).text == stored.text
    assert body(stored.without_outputs()) == body(document.without_outputs())
    assert code(LiveDocument(from_notebook(to_notebook(document, results)))) == code(document)
    check_literals(document)


def check_literals(document: LiveDocument) -> None:
    """Another literal of one control changes its line alone, and all controls point at theirs."""
    for block in document.code_blocks:
        for control in block.controls:
            changed = document.with_literal(control, "12345")
            (after,) = [c for b in changed.code_blocks for c in b.controls if c.id == control.id]
            line = changed.lines[after.line - 1]
            assert line[after.first - 1 : after.last - 1] == "12345"
            differing = [
                n
                for n, (a, b) in enumerate(zip(document.lines, changed.lines, strict=True), 1)
                if a != b
            ]
            assert differing in ([control.line], [])
