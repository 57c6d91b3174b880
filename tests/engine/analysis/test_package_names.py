"""References of functions in packages: full names, imports, and names that only look alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.analysis.analysed_text import open_document
from app.engine.analysis.renaming import renaming
from app.source import SourceText

TOOL = "function y = tool(x)\ny = x;\nif x > 3, y = tool(1); end\nend\n"
FILES = {
    "+kit/+inner/tool.m": TOOL,
    "tool.m": TOOL,
    "full.m": "a = kit.inner.tool(1); b = tool(2); % kit.inner.tool\n"
    "c = @kit.inner.tool; kit . inner . tool (4);\n"
    "d = cellfun(@(q) kit.inner.tool(q) + 1, {1}); x.kit.inner.tool = 3;\n",
    "text.m": "s = 'kit.inner.tool'; t = 'a kit.inner.tool';\n",
    "one.m": "function one\nimport kit.inner.tool\nb = tool(2);\nend\n",
    "all.m": "function all3\nimport kit.inner.*\nb = tool(2);\nend\n",
    "variable.m": "kit.inner.tool = 3; kit.inner.tool\n",
    "own.m": "function own\nq = kit.inner.tool(1) + tool(1);\nend\nfunction y = tool(x)\ny = x;\nend\n",
    "longer.m": "kit.inner.tool.field; kit.inner.tools(1); kit.tool(1); other.kit.inner.tool(1)\n",
}
OF_PACKAGE = {
    ("+kit/+inner/tool.m", 1): 1,
    ("+kit/+inner/tool.m", 3): 1,
    ("full.m", 1): 1,
    ("full.m", 2): 2,
    ("full.m", 3): 1,
    ("one.m", 2): 1,
    ("one.m", 3): 1,
    ("all.m", 3): 1,
    ("own.m", 2): 1,
    ("longer.m", 1): 1,
}
OF_FOLDER = {("tool.m", 1): 1, ("tool.m", 3): 1, ("full.m", 1): 1}


@pytest.mark.parametrize(
    ("file", "before", "wanted"),
    [
        ("full.m", "a = kit.inner.", OF_PACKAGE),
        ("full.m", "@kit.inner.", OF_PACKAGE),
        ("+kit/+inner/tool.m", "function y = ", OF_PACKAGE),
        ("one.m", "import kit.inner.", OF_PACKAGE),
        ("one.m", "b = ", OF_PACKAGE),
        ("all.m", "b = ", OF_PACKAGE),
        ("own.m", "kit.inner.", OF_PACKAGE),
        ("tool.m", "function y = ", OF_FOLDER),
        ("full.m", "b = ", OF_FOLDER),
    ],
)
def test_all_places_of_a_function(
    tmp_path: Path, file: str, before: str, wanted: dict[tuple[str, int], int]
) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    path = tmp_path / file
    offset = FILES[file].index(before) + len(before) + 1
    document = open_document(SourceText(str(path), FILES[file]))
    found = renaming(document, offset, tmp_path, (tmp_path,), {})
    assert found.name == "tool"
    assert found.home == tmp_path / ("+kit/+inner/tool.m" if wanted is OF_PACKAGE else "tool.m")
    places: dict[tuple[str, int], int] = {}
    for place in found.places:
        assert FILES[str(Path(place.file).relative_to(tmp_path))][place.span.start :][:4] == "tool"
        if place.certain:
            key = (str(Path(place.file).relative_to(tmp_path)), place.line)
            places[key] = places.get(key, 0) + 1
    assert places == wanted
    doubtful = [Path(p.file).name for p in found.places if not p.certain]
    assert doubtful == (["text.m"] if wanted is OF_PACKAGE else [])


def test_a_field_of_a_variable_is_no_function(tmp_path: Path) -> None:
    text = FILES["variable.m"]
    path = tmp_path / "variable.m"
    path.write_text(text)
    (tmp_path / "+kit" / "+inner").mkdir(parents=True)
    (tmp_path / "+kit" / "+inner" / "tool.m").write_text(TOOL)
    document = open_document(SourceText(str(path), text))
    assert renaming(document, text.index("tool") + 1, tmp_path, (tmp_path,), {}).problem
