"""Live scripts and notebooks with one part wrong, through every way in which documents are taken.

`structure` says what is wrong; here a document is checked, read, taken apart, edited and written in
every format. What is neither a document nor a refusal (`UsageError`) is a finding, and so is what takes
too long or too much memory.

``python -m tests.fuzz.documents [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import base64
import json
import random
import resource
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from app.cli.check import check_file
from app.engine.livecode.consistency import problems_of
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.document_export import write_document
from app.engine.livecode.reading import read_script
from app.engine.livecode.running import Result, with_results
from app.engine.livecode.segments import segments
from app.errors import UsageError
from tests.engine.livecode import mlx_files as mlx
from tests.fuzz import structure

MOST_S, MOST_BYTES = 10.0, 1 << 30
_PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
LIVE = r"""%[text]{"align":"center"} # Head $ a^2 $ ![p](text:image:1)
%[text:tableOfContents]{"heading":"H"}
%[text:table]{"ignoreHeader":true}
%[text] | a | b |
%[text] | --- | :-: |
%[text:table]
x = 1; %[control:slider:1]{"position":[5,6]} %[output:1] %[output:2]
y = 2; %[control:dropdown:2]{"position":[5,6]} %[output:3] %[output:4] %[output:5]
z = 3; %[control:rangeslider:3]{"position":[5,6]} %[output:6]
w = 4; %[control:spinner:4]{"position":[5,6]}

%[appendix]{"version":"1.0"}
%---
%[text:image:1]
%   data: {"align":"baseline","height":1,"src":"data:image\/png;base64,PNG","width":1}
%---
%[control:slider:1]
%   data: {"label":"L","max":10,"min":0,"run":"Section","runOn":"ValueChanged","step":0.1,"defaultValue":1}
%---
%[control:dropdown:2]
%   data: {"itemLabels":["a","b"],"items":["1","2"],"label":"M","run":"Nothing"}
%---
%[control:rangeslider:3]
%   data: {"label":"L","max":10,"min":0,"step":1}
%---
%[control:spinner:4]
%   data: {"label":"L","max":10,"min":0,"step":1}
%---
%[output:1]
%   data: {"dataType":"text","outputData":{"text":"1","truncated":false}}
%---
%[output:2]
%   data: {"dataType":"matrix","outputData":{"columns":2,"columnNames":["a","b"],"exponent":"3","header":"1x2","name":"x","rows":1,"type":"double","value":[["1","2"]]}}
%---
%[output:3]
%   data: {"dataType":"image","outputData":{"dataUri":"data:image\/png;base64,PNG","height":1,"width":1}}
%---
%[output:4]
%   data: {"dataType":"textualVariable","outputData":{"header":"h","name":"x","value":"1"}}
%---
%[output:5]
%   data: {"dataType":"symbolic","outputData":{"name":"s","value":"\\pi"}}
%---
%[output:6]
%   data: {"dataType":"warning","outputData":{"text":"w"}}
%---
""".replace("PNG", _PNG.replace("/", "\\/"))
"""A live script with a mark and an entry of every kind."""


def write_mlx(path: Path) -> None:
    """A live script with a part of every kind that is read."""
    held = {"text": "L", "items": [{"value": "1"}, "2"], "minimum": 0}
    context = json.dumps({"type": "comboBox", "data": held}).replace('"', "&quot;")
    image = {"relationshipId": "r1", "width": "10.5", "height": "20", "altText": "p"}
    body = mlx.paragraph("title", mlx.run("Title", "<w:b/>"))
    body += mlx.paragraph(
        "text",
        mlx.run("a", "<w:i/>")
        + mlx.custom("equation", mlx.run("a^2"))
        + mlx.custom("image", **image),
    )
    body += (
        '<w:p><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr><w:jc w:val="center"/></w:pPr>'
        f'<w:bookmarkStart w:id="B1"/>{mlx.run("item")}'
        '<w:hyperlink w:docLocation="http://x"><w:r><w:t>l</w:t></w:r></w:hyperlink></w:p>'
        f"<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p>{mlx.run('c')}</w:p></w:tc></w:tr></w:tbl>"
        f"<w:sdt><w:sdtPr><w:docPartObj/></w:sdtPr><w:sdtContent>"
        f"{mlx.paragraph('tocheading', mlx.run('Contents'))}</w:sdtContent></w:sdt>"
        '<w:sdt><w:sdtPr><w:alias w:val="codeexample-matlab"/></w:sdtPr><w:sdtContent>'
        f"{mlx.paragraph('code', mlx.run('y=1'))}</w:sdtContent></w:sdt>"
    )
    places = {"startOffsetLine": "0", "endOffsetLine": "0", "startColumn": "4", "endColumn": "5"}
    control = mlx.custom("livecontrol", context=context, className="", **places)
    head = '<w:p><w:pPr><w:sectPr/><w:pStyle w:val="code"/></w:pPr>'
    body += mlx.newer(f"{head}{mlx.run(f'x = 1;{chr(10)}y = x')}{control}</w:p>")
    matrix = (
        '<name>x</name><value>1</value><header>1x2</header><savedData>[["1","2"]]</savedData>'
        "<rows>1</rows><columns>2</columns><type>double</type>"
    )
    outputs = _output("text", "<text>hi</text>", 1) + _output("matrix", matrix, 2)
    picture = f"<figureUri>data:image/png;base64,{_PNG}</figureUri>"
    outputs += _output("figure", picture, 2)
    outputs += _output("variable", "<name>y</name><value>3</value>", 2)
    mlx.write(path, body, outputs)
    with zipfile.ZipFile(path, "a") as archive:
        relation = '<Relationship Id="r1" Target="media/i.png"/>'
        named = f"<Relationships>{relation}</Relationships>"
        archive.writestr("matlab/_rels/document.xml.rels", named)
        archive.writestr("matlab/media/i.png", base64.b64decode(_PNG))


def _output(kind: str, inner: str, line: int) -> str:
    return (
        f"<element><type>{kind}</type><outputData>{inner}</outputData>"
        f"<lineNumbers><element>{line}</element></lineNumbers></element>"
    )


def write_notebook(path: Path) -> None:
    """A notebook with text, code and an output."""
    code = {
        "cell_type": "code",
        "metadata": {},
        "execution_count": 1,
        "source": "x = 1;\ny = x + 1",
    }
    given = [{"output_type": "stream", "name": "stdout", "text": ["y = 2\n"]}]
    text = {"cell_type": "markdown", "metadata": {}, "source": ["# Head\n", "text"]}
    about = {"kernelspec": {"name": "matlab", "display_name": "MATLAB", "language": "matlab"}}
    cells = [text, {**code, "outputs": given}]
    book = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(book), encoding="utf-8")


def take(place: Path, out: Path) -> None:
    """Take a document in every way; a refusal is an end."""
    check_file(place)
    try:
        document = LiveDocument(read_script(place).text)
    except (UsageError, OSError):
        return
    problems_of(document)
    list(segments(document))
    for kind in ("html", "md", "tex", "ipynb", "m"):
        write_document(document, None, out / f"out.{kind}", "x")
    with_results(document, (Result(7, "text", "x =\n\n     1\n\n"),))
    document.without_outputs()
    for control in (c for block in document.code_blocks for c in block.controls):
        document.with_entry(f"control:{control.kind}:{control.id}", {"a": 1})
        document.with_literal(control, "5")
        document.without_control(control)


def problem(name: str, said: str, content: bytes, folder: Path) -> str:
    """What is wrong about how a document is taken; empty where nothing is."""
    place = folder / f"damaged{Path(name).suffix}"
    place.write_bytes(content)
    before, began = _most_memory(), time.process_time()
    try:
        take(place, folder)
    except Exception as bug:
        return f"{name}, {said}: {type(bug).__name__}: {str(bug)[:200]}"
    spent, taken = time.process_time() - began, _most_memory() - before
    if spent > MOST_S or taken > MOST_BYTES:
        return f"{name}, {said}: took {spent:.0f} s, {taken >> 20} MB"
    return ""


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def written(folder: Path) -> dict[str, bytes]:
    """A document of each format, by name."""
    write_mlx(folder / "a.mlx")
    write_notebook(folder / "a.ipynb")
    (folder / "b.m").write_text(LIVE, encoding="utf-8")
    return {name: (folder / name).read_bytes() for name in ("a.ipynb", "a.mlx", "b.m")}


def main(seconds: float, seed: int) -> int:
    """Take what is drawn of all variants for so long; 1 when something was found."""
    found, count, choose = set[str](), 0, random.Random(seed)
    with tempfile.TemporaryDirectory() as place:
        files = written(Path(place))
        for name, data in files.items():
            end = time.monotonic() + seconds / len(files)
            for said, content in structure.variants(name, data):
                if choose.random() < 0.7:
                    continue
                count += 1
                if finding := problem(name, said, content, Path(place)):
                    found.add(finding)
                    sys.stdout.write(f"{finding}\n")
                    sys.stdout.flush()
                if time.monotonic() > end:
                    break
    sys.stdout.write(f"documents: {count} with a part wrong, {len(found)} findings\n")
    return bool(found)


if __name__ == "__main__":
    given = [*sys.argv[1:], *("60", "1")[len(sys.argv) - 1 :]]
    sys.exit(main(float(given[0]), int(given[1])))
