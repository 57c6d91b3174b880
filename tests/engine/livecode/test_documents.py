"""Live documents: blocks, round trips, edits, damage, and what is written of them."""

from __future__ import annotations

import base64
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import main
from app.api import Session
from app.engine.livecode.appendix import appendix_json
from app.engine.livecode.document import CodeBlock, LiveDocument, SectionBreak
from app.engine.livecode.html_page import to_html
from app.engine.livecode.markdown_text import to_markdown
from app.engine.livecode.markup import (
    Anchor,
    Equation,
    Image,
    Link,
    Span,
    Underlined,
    escape,
    escape_latex,
    inlines,
    plain_text,
    published_inlines,
    unescape_latex,
)
from app.engine.livecode.mlx import read_mlx
from app.engine.livecode.notebook import from_notebook, to_notebook
from app.engine.livecode.running import (
    run_document,
    section_code,
    spanned_sections,
    with_results,
)
from app.engine.livecode.segments import segments
from app.engine.livecode.stored_results import stored_results
from app.engine.livecode.text_blocks import CodeExample, Contents, ListBlock, Paragraph, TableBlock

PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
        "1f15c4890000000d49444154789c6360f8cf500f0004850180e2d8d4a90000000049454e44ae426082"
    )
).decode()
TEXT = r"""%[text] # A **bold** title
%[text] One _line_ with `code`, <u>under **bold**</u>, [a link](https://x.y/z_\(1\)), $ \\frac{a\_1}{b} ${"altText":"a fraction"} and \*stars\*.
%[text]{"align":"center"} Centred
%[text] > quoted
%[text:tableOfContents]{"heading":"Contents"}
%[text] - one
%[text]   - inner
%[text] - last \
%[text] 1. first
%[text] 2. second \
%[text] ```matlab
%[text] x = 1
%[text] ```
%[text:table]
%[text] | a | b\|c |
%[text] | --- | --- |
%[text] | 1 | **2** |
%[text:table]
x = 4; %[control:slider:7527]{"position":[5,6]} %[control:checkbox:0001]{"position":[1,2]}
y = x^2 %[output:126e6871] %[output:99aabbcc]
%%
%[text] %[text:anchor:H_1] ## Second
%[text] ![alt \] text](text:image:5964)
disp(y) % a comment

%[appendix]{"version":"1.0"}
%---
%[metadata:view]
%   data: {"layout":"inline","rightPanelPercent":40}
%---
%[text:image:5964]
%   data: {"align":"baseline","height":1,"src":"data:image\/png;base64,@","width":1}
%---
%[control:slider:7527]
%   data: {"defaultValue":4,"label":"x","max":10,"min":0,"run":"Section","step":1}
%---
%[output:126e6871]
%   data: {"dataType":"textualVariable","outputData":{"name":"y","value":"16"}}
%---
%[output:99aabbcc]
%   data: {"dataType":"matrix","outputData":{"columns":2,"exponent":"4","name":"A","rows":1,"type":"double","value":[["1","-2.5"]]}}
%---
""".replace("@", PIXEL.replace("/", r"\/"))


def test_every_construct_is_a_block() -> None:
    document = LiveDocument(TEXT)
    assert not document.problems
    kinds = [type(block) for block in document.blocks]
    assert kinds == [
        Paragraph,
        Paragraph,
        Paragraph,
        Paragraph,
        Contents,
        ListBlock,
        ListBlock,
        CodeExample,
        TableBlock,
        CodeBlock,
        SectionBreak,
        Paragraph,
        Paragraph,
        CodeBlock,
    ]
    assert document.title == "A bold title"
    text, centred, quote = document.blocks[1:4]
    assert isinstance(text, Paragraph)
    assert Span("line", "italic") in text.content
    assert Span("code", "mono") in text.content
    assert Underlined((Span("under "), Span("bold", "bold"))) in text.content
    assert Link((Span("a link"),), "https://x.y/z_(1)") in text.content
    assert Equation(r"\frac{a_1}{b}", "a fraction") in text.content
    assert plain_text(text.content).endswith(" and *stars*.")
    assert isinstance(centred, Paragraph)
    assert isinstance(quote, Paragraph)
    assert (centred.align, quote.kind) == ("center", "quote")
    bullets, numbers, example, table = document.blocks[5:9]
    assert isinstance(bullets, ListBlock)
    assert [depth for depth, _ in bullets.items] == [0, 1, 0]
    assert isinstance(numbers, ListBlock)
    assert numbers.numbered
    assert isinstance(example, CodeExample)
    assert (example.code, example.language) == ("x = 1", "matlab")
    assert isinstance(table, TableBlock)
    assert [[plain_text(cell) for cell in row] for row in table.rows] == [["a", "b|c"], ["1", "2"]]
    code = document.code_blocks[0]
    assert code.code == "x = 4;\ny = x^2"
    assert [(c.kind, c.first, c.last) for c in code.controls] == [
        ("slider", 5, 6),
        ("checkbox", 1, 2),
    ]
    assert code.controls[0].data["max"] == 10
    assert [o.line for o in code.outputs] == [20, 20]
    heading = document.blocks[11]
    assert isinstance(heading, Paragraph)
    assert heading.content[0] == Anchor("H_1")
    image = document.blocks[12]
    assert isinstance(image, Paragraph)
    assert image.content == (Image("alt ] text", "text:image:5964"),)


def test_stored_outputs_are_told_as_text_and_pictures() -> None:
    texts = [result.text for result in stored_results(LiveDocument(TEXT))]
    assert texts == ["y = 16\n", "A =\n  1.0e+04 *\n\n1  -2.5\n"]
    picture = appendix_json(
        {"dataType": "image", "outputData": {"dataUri": f"data:image/png;base64,{PIXEL}"}}
    )
    document = LiveDocument(
        f"plot(1) %[output:1]\n%[appendix]\n%---\n%[output:1]\n%   data: {picture}\n"
    )
    assert [r.kind for r in stored_results(document)] == ["figure"]


def test_a_literal_is_edited_with_its_columns() -> None:
    document = LiveDocument(TEXT)
    slider = document.code_blocks[0].controls[0]
    edited = document.with_literal(slider, "12.5")
    assert edited.lines[18] == (
        'x = 12.5; %[control:slider:7527]{"position":[5,9]} %[control:checkbox:0001]{"position":[1,2]}'
    )
    assert edited.lines[:18] + edited.lines[19:] == document.lines[:18] + document.lines[19:]
    back = edited.with_literal(edited.code_blocks[0].controls[0], "4")
    assert back.text == TEXT


def test_storing_the_same_outputs_changes_nothing() -> None:
    document = LiveDocument(TEXT)
    same = {20: tuple(o.data for o in document.code_blocks[0].outputs)}
    assert document.with_outputs(same).text == TEXT
    bare = document.without_outputs()
    assert "%[output" not in bare.text
    assert not bare.problems
    again = bare.with_outputs(same)
    assert [o.data for o in again.code_blocks[0].outputs] == list(same[20])
    assert again.without_outputs().text == bare.text


PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=20)


@settings(max_examples=100, deadline=None)
@given(PLAIN)
def test_escaped_text_comes_back(text: str) -> None:
    wanted = text.replace("\\n", "n")
    found = plain_text(inlines(escape(text)))
    assert found == text or "\\n" in escape(text), wanted


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("\\{}_^[]abfrac n*`12 +-"), max_size=20))
def test_escaped_formulas_come_back(latex: str) -> None:
    assert unescape_latex(escape_latex(latex)) == latex.strip()


LINES = st.sampled_from(
    [*TEXT.split("\n"), "x = 1", "% c", "", "%{", "%}", "for k=1:3", "end", "%---"]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(LINES, max_size=30))
def test_any_lines_are_a_document_and_stay_as_they_are(lines: list[str]) -> None:
    document = LiveDocument("\n".join(lines))
    assert document.text == "\n".join(lines)
    for write in (to_markdown, to_notebook):
        write(document, stored_results(document))
    to_html(document, stored_results(document), "x")
    covered = [n for first, last in document.sections() for n in range(first, last + 1)]
    assert covered == list(range(1, document.appendix_line))
    code = {n for block in document.code_blocks for n in range(block.first, block.last + 1)}
    for number, line in enumerate(lines[: document.appendix_line - 1], 1):
        is_code = bool(line.strip()) and not line.startswith(("%[text", "%%"))
        if document.is_live and is_code:
            assert number in code


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (('"position":[5,6]', '"position":[50,60]'), "the value at columns 5 to 6 is taken"),
        (('{"layout"', '{layout"'), "not JSON"),
        (("%[text:table]\nx", "x"), "not closed"),
        (("%[metadata:view]", "rubbish"), "not an entry"),
        (("%[output:99aabbcc]\n%   data", "%[output:126e6871]\n%   data"), "second entry"),
    ],
)
def test_what_does_not_fit_is_told_and_kept(damage: tuple[str, str], told: str) -> None:
    text = TEXT.replace(*damage)
    assert text != TEXT
    document = LiveDocument(text)
    assert any(told in problem.message for problem in document.problems), document.problems
    assert document.text == text


# --- ordinary scripts ----------------------------------------------------------------------------

PUBLISHED = """%% The Title
% A *bold*, _italic_, |mono| text with $x^2$ and <https://x.y the link>.
%
% * one
% * two
%
%   y = code;
%
x = 1; % no markup
% nor this, *really*
%% Part
z = 2;
"""


def test_comments_follow_the_publishing_markup() -> None:
    document = LiveDocument(PUBLISHED)
    assert not document.is_live
    text = document.blocks[2]
    assert isinstance(text, Paragraph)
    for piece in (
        Span("bold", "bold"),
        Span("italic", "italic"),
        Span("mono", "mono"),
        Equation("x^2"),
        Link((Span("the link"),), "https://x.y"),
    ):
        assert piece in text.content
    assert [type(b) for b in document.blocks[3:6]] == [ListBlock, CodeExample, CodeBlock]
    assert document.code_blocks[0].code.startswith("x = 1; % no markup\n% nor this")
    assert document.sections() == ((1, 10), (11, 13))
    assert published_inlines("a*b*c and 2_3_4") == (Span("a*b*c and 2_3_4"),)


# --- running -------------------------------------------------------------------------------------

RUN = """%% One
a = 3
function_of(2);
warning('off course')
%% Two
plot(1:3)
b = a + 1;
%% Three
error('here it ends')
%% Four
c = 1
function function_of(x)
disp(x)
end
"""


def test_results_belong_to_the_lines_of_the_document(tmp_path: Path) -> None:
    document = LiveDocument(RUN)
    with Session(device="cpu", path=(tmp_path,)) as session:
        session.eval("function function_of(x), disp(x), end")
        results = run_document(document, str(tmp_path / "d.m"), session)
        assert [(r.line, r.kind) for r in results] == [
            (2, "text"),
            (3, "text"),
            (4, "warning"),
            (7, "figure"),
            (9, "error"),
        ]
        assert results[3].picture.startswith(b"\x89PNG")
        stored = with_results(document, results)
        assert [r.kind for r in stored_results(stored)] == [r.kind for r in results]
        assert stored.lines[1].startswith("a = 3 %[output:")
        again = run_document(stored, str(tmp_path / "d.m"), session)
    assert [(r.line, r.kind, r.text) for r in again] == [(r.line, r.kind, r.text) for r in results]


# --- pages ---------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """What a page would do: its tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def test_a_page_holds_everything_and_runs_nothing() -> None:
    hostile = [
        "%[text] <script>alert(1)</script> [x](javascript:alert(1)) [y](matlab:system('x'))",
        "%[text] ![a](javascript:x) ![b](https://evil.example/x.png) ![c](text:image:1)",
        "%[text] # <img src=x onerror=alert(1)>",
        "disp('<script>') % <b> %[output:1]",
        '%[appendix]{"version":"1.0"}',
        "%---",
        "%[text:image:1]",
        '%   data: {"src":"data:image/svg+xml;base64,PHN2Zz4=","width":"1\\" onload=x"}',
        "%---",
        "%[output:1]",
        '%   data: {"dataType":"text","outputData":{"text":"<script>x</script>"}}',
        "%---",
    ]
    document = LiveDocument("\n".join(hostile))
    page = _Page(to_html(document, stored_results(document), "x"))
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "iframe", "object", "embed", "form", "base", "link"}
    for tag, attributes in page.tags:
        assert not any(name.startswith("on") for name in attributes), tag
        for address in (attributes.get("href"), attributes.get("src")):
            assert not re.match(r"\s*(javascript|matlab|data:(?!image/(png|jpe?g)))", address or "")
    whole = _Page(to_html(LiveDocument(TEXT), stored_results(LiveDocument(TEXT)), "x"))
    kinds = [tag for tag, _ in whole.tags]
    for tag in ("h1", "h2", "math", "table", "ul", "ol", "nav", "img", "u", "blockquote"):
        assert tag in kinds, tag
    assert all(
        (a.get("src") or "data:").startswith("data:") for tag, a in whole.tags if tag == "img"
    )


def test_a_formula_nobody_can_read_is_shown() -> None:
    document = LiveDocument("%[text] $ \\\\frac{ $\n%[appendix]\n")
    assert "frac{" in to_html(document, (), "x")


# --- other formats -------------------------------------------------------------------------------


def test_notebooks_both_ways() -> None:
    document = LiveDocument(TEXT)
    made = to_notebook(document, stored_results(document))
    nbformat.validate(nbformat.reads(made, 4))
    back = LiveDocument(from_notebook(made))
    assert [b.code for b in back.code_blocks] == [b.code for b in document.code_blocks]
    # The contents of the document are a list in the notebook.
    found = [type(b) for b in back.blocks if isinstance(b, TableBlock | ListBlock)]
    assert found == [ListBlock, ListBlock, ListBlock, TableBlock]
    assert back.title == document.title
    with pytest.raises(ValueError, match="version 4"):
        from_notebook(json.dumps({"nbformat": 3}))


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def paragraph(text: str, style: str = "text", extra: str = "") -> str:
    return f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{extra}</w:pPr>{text}</w:p>'


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def mlx(path: Path, body: str, relations: str = "", **members: bytes) -> Path:
    head = f'<w:document xmlns:w="{WORD}" xmlns:r="{RELATIONS}"><w:body>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("matlab/document.xml", head + body + "</w:body></w:document>")
        archive.writestr(
            "matlab/_rels/document.xml.rels", f"<Relationships>{relations}</Relationships>"
        )
        for name, content in members.items():
            archive.writestr(f"media/{name}.png", content)
    return path


def test_mlx_files_are_read(tmp_path: Path) -> None:
    equation = (
        '<w:customXml w:element="equation"><w:r><w:t>\\frac{a_1}{2}</w:t></w:r></w:customXml>'
    )
    picture = (
        '<w:customXml w:element="image"><w:customXmlPr><w:attr w:name="height" w:val="1"/>'
        '<w:attr w:name="relationshipId" w:val="rId1"/></w:customXmlPr></w:customXml>'
    )
    listed = "<w:numPr/>"
    body = "".join(
        (
            paragraph(run("Title"), "title"),
            paragraph(run("plain ") + run("bold", "<w:b/>") + run(" a_b ") + equation),
            paragraph(run("one"), "ListParagraph", listed),
            paragraph(run("two"), "ListParagraph", listed),
            paragraph(picture),
            paragraph("<w:r><w:t><![CDATA[x = [1, 2];\ny = x';]]></w:t></w:r>", "code"),
            "<w:p><w:pPr><w:sectPr/></w:pPr></w:p>",
            paragraph(run("Part"), "heading"),
        )
    )
    relation = '<Relationship Id="rId1" Target="../media/image1.png"/>'
    path = mlx(tmp_path / "a.mlx", body, relation, image1=base64.b64decode(PIXEL))
    document = LiveDocument(read_mlx(path))
    assert not document.problems
    assert document.title == "Title"
    assert document.code_blocks[0].code == "x = [1, 2];\ny = x';"
    text = document.blocks[1]
    assert isinstance(text, Paragraph)
    assert Span("bold", "bold") in text.content
    assert Equation(r"\frac{a_1}{2}") in text.content
    assert isinstance(document.blocks[2], ListBlock)
    assert len(document.blocks[2].items) == 2
    assert document.appendix["text:image:0001"]["src"].endswith(PIXEL)
    assert len(document.sections()) == 2


def test_damaged_archives_say_so(tmp_path: Path) -> None:
    whole = mlx(tmp_path / "a.mlx", paragraph(run("x"))).read_bytes()
    path = tmp_path / "b.mlx"
    for cut in range(0, len(whole), 37):
        path.write_bytes(whole[:cut])
        with pytest.raises(ValueError, match=r"damaged|not a live script|no XML"):
            read_mlx(path)
    bomb = mlx(tmp_path / "c.mlx", "")
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("matlab/document.xml", b" " * ((1 << 28) + 1))
    with pytest.raises(ValueError, match="more than"):
        read_mlx(bomb)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("matlab/document.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>')
    with pytest.raises(ValueError, match="entities"):
        read_mlx(path)


# --- the verb ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["html", "md", "tex", "ipynb", "m"])
def test_export_writes_every_format(tmp_path: Path, kind: str) -> None:
    source = tmp_path / "waves.m"
    source.write_text(RUN.partition("%% Three")[0].replace("function_of(2);", ""))
    target = tmp_path / f"out.{kind}"
    assert main.main(["export", str(source), str(target), "--run", "--device", "cpu"]) == 0
    text = target.read_text()
    assert "off course" in text
    if kind == "tex":
        assert (tmp_path / "out_1.png").read_bytes().startswith(b"\x89PNG")
    else:
        assert "iVBORw0KGgo" in text


def test_export_refuses_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "a.m"
    source.write_text("x = 1;\n%% A\nerror('no')\n")
    assert main.main(["export", str(source), str(tmp_path / "a.doc")]) == 2
    assert ".html, .pdf, .md, .tex, .ipynb, .m" in capsys.readouterr().err
    assert main.main(["export", str(source), str(source)]) == 2
    assert main.main(["export", str(source), str(tmp_path / "no" / "a.md")]) == 2
    assert main.main(["export", str(source), str(tmp_path / "a.md"), "--run"]) == 1
    assert "a.m:3:1: error: no" in capsys.readouterr().err
    assert "no" in (tmp_path / "a.md").read_text()
    (tmp_path / "b.mlx").write_bytes(b"rubbish")
    assert main.main(["export", str(tmp_path / "b.mlx"), str(tmp_path / "b.md")]) == 2


def test_exporting_as_it_is_keeps_every_byte(tmp_path: Path) -> None:
    (tmp_path / "a.m").write_text(TEXT, encoding="utf-8")
    assert main.main(["export", str(tmp_path / "a.m"), str(tmp_path / "b.m")]) == 0
    assert (tmp_path / "b.m").read_bytes() == (tmp_path / "a.m").read_bytes()


FUNCTIONS = """%% One
a = f(1)
%% Two

%% Three
b = g(f(2))

function r = f(x)
r = x + 1;
end
function r = g(x)
r = 10 * x;
missing(r > 30)
end
"""


def test_a_section_knows_the_functions_of_the_file() -> None:
    found = [(s.first, s.last, s.is_code) for s in segments(LiveDocument(FUNCTIONS))]
    assert found == [(1, 1, False), (2, 2, True), (3, 3, False), (5, 5, False), (6, 14, True)]
    with Session() as session:
        results = run_document(LiveDocument(FUNCTIONS), "doc.m", session)
    assert [(r.line, r.kind) for r in results] == [(2, "text"), (6, "error")]
    assert section_code(FUNCTIONS, 3, 4) == section_code(FUNCTIONS, 8, 14) == ""
    assert section_code(FUNCTIONS, 1, 2).split("\n")[7] == "function r = f(x)"


@pytest.mark.parametrize(
    ("text", "caret", "wanted"),
    [
        ("", 0, [(1, 1)]),
        ("x\n%%\n%%\n", 0, [(1, 1), (3, 2), (4, 4)]),
        ("x\n\n\n%%\n\ny\n", 0, [(1, 2), (6, 6)]),
        ("x\n\n%% T\n\ny\n", 2, [(1, 2), (3, 3), (5, 5)]),
        ("%% T\n% text\n", 3, [(1, 2), (3, 3)]),
    ],
)
def test_segments_leave_out_one_blank_line(
    text: str, caret: int, wanted: list[tuple[int, int]]
) -> None:
    assert [(s.first, s.last) for s in segments(LiveDocument(text), caret)] == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("%% A\nfor k = 1:2\n%% B\nk\nend\n%% C\nz = 3\n", [(1, 5), (6, 8)]),
        ("if true\n%% B\nwhile true\n%% C\nbreak\nend\n%% D\nend\n%% E\n", [(1, 8), (9, 10)]),
        ("for k = 1:2\n%% B\nend, for k = 1:2\n%% C\nend\n%% D\n", [(1, 5), (6, 7)]),
        ("x = 1;\n%% B\ny = 2;\n%% C\nfunction f\n%% D\nend\n", [(1, 1), (2, 3), (4, 5), (6, 8)]),
        ("x = 1\n%% B\nfor k = 1:2\n%% C\nk\n", [(1, 1), (2, 6)]),
    ],
)
def test_sections_that_a_statement_spans_run_together(
    text: str, wanted: list[tuple[int, int]]
) -> None:
    assert list(spanned_sections(text, LiveDocument(text).sections())) == wanted


def test_a_loop_over_section_breaks_runs() -> None:
    text = LiveDocument("%% A\nfor k = 1:2\n%% B\ny = k\nend\n%% C\nz = 3\n")
    with Session(device="cpu") as session:
        results = run_document(text, "doc.m", session)
    assert [(r.line, r.kind) for r in results] == [(4, "text"), (7, "text")]


def test_backspaces_take_away_what_a_loop_printed() -> None:
    text = "for k = 1:3, fprintf('%d\\b', k), end, fprintf('%d\\n', 4)"
    with Session(device="cpu") as session:
        (result,) = run_document(LiveDocument(text), "doc.m", session)
    assert result.text == "4\n"


def test_displayed_variables_are_stored_by_their_kind() -> None:
    with Session() as session:
        text = LiveDocument(
            "A = [1e5 2.5; 3 4]\ns = 'abc'\nfprintf('plain\\n')\ni = int32([1 2])\nc = {1}"
        )
        results = run_document(text, "doc.m", session)
    stored = with_results(text, results)
    (block,) = stored.code_blocks
    kinds = [(o.line, o.data["dataType"]) for o in block.outputs]
    assert kinds == [
        (1, "matrix"),
        (2, "textualVariable"),
        (3, "text"),
        (4, "matrix"),
        (5, "textualVariable"),
    ]
    matrix = block.outputs[0].data["outputData"]
    assert (matrix["rows"], matrix["columns"], matrix["exponent"]) == (2, 2, "5")
    assert block.outputs[3].data["outputData"]["type"] == "int32"
    shown = "".join(result.text for result in stored_results(stored))
    assert "1.0e+05 *" in shown
    assert "1×2 int32 row vector" in shown
    assert with_results(stored, results).text == stored.text
