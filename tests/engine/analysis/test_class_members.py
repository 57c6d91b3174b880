"""References and definitions of members of classes: certain where the class of an object is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.navigation import definition
from app.engine.analysis.renaming import Renaming, renaming
from app.source import SourceText

FILES = {
    "Tank.m": """classdef Tank < handle
  properties
    Level (1,1) double = 0
  end
  properties (Dependent), Part, end
  events, Full, end
  methods
    function obj = Tank(level), obj.Level = level; end
    function p = get.Part(obj), p = obj.Level/100; end
    function fill(obj, other)
      obj.Level = obj.Level + other.Level;
      fill(obj, other); notify(obj, 'Full');
    end
  end
  methods (Static)
    function t = start(Level), t = Tank(Level); end
  end
end
""",
    "BigTank.m": """classdef BigTank < Tank
  methods
    function burst(self), self.Level = 0; fill(self, self); end
  end
end
""",
    "Dial.m": "classdef Dial\n  properties, Level, Hand, end\nend\n",
    "use.m": """t = Tank(3); b = BigTank(1); d = Dial; s = struct('Level', 1);
t.Level = b.Level + d.Level + s.Level;
t.fill(b); fill(t, b); Tank.start(1);
x = something(1); x.Level, x.Hand
function f(q, n)
arguments, q Tank, n double, end
q.Level = n; n.Level
end
""",
    "+kit/Part.m": "classdef Part\n  enumeration, Red, Green, end\nend\n",
    "pack.m": "a = kit.Part.Red; b = kit.Part.Green; c = Part.Red;\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def _document(folder: Path, file: str) -> Document:
    return open_document(SourceText(str(folder / file), FILES[file]))


def _renaming(folder: Path, file: str, before: str) -> Renaming:
    document = _document(folder, file)
    offset = FILES[file].index(before) + len(before)
    return renaming(document, offset, folder, [folder], {})


def _counts(folder: Path, found: Renaming, *, certain: bool) -> dict[str, int]:
    files = [str(Path(p.file).relative_to(folder)) for p in found.places if p.certain is certain]
    assert all(
        FILES[Path(p.file).name if "kit" not in p.file else "+kit/Part.m"] for p in found.places
    )
    return {name: files.count(name) for name in dict.fromkeys(files)}


LEVEL = {"BigTank.m": 1, "Tank.m": 5, "use.m": 3}


@pytest.mark.parametrize(
    ("file", "before"),
    [
        ("Tank.m", "properties\n    "),
        ("Tank.m", "function obj = Tank(level), obj."),
        ("BigTank.m", "self."),
        ("use.m", "\nt."),
        ("use.m", "t.Level = b."),
        ("use.m", "end\nq."),
    ],
)
def test_every_place_of_a_property(folder: Path, file: str, before: str) -> None:
    found = _renaming(folder, file, before)
    assert found.name == "Level"
    assert _counts(folder, found, certain=True) == LEVEL
    assert _counts(folder, found, certain=False) == {"Tank.m": 1, "use.m": 2}  # other, x, n
    assert all(p.text[p.span.start - _line_start(p) :].startswith("Level") for p in found.places)
    assert found.objection("fill")
    assert not found.objection("Height")


def _line_start(place: object) -> int:
    text = Path(place.file).read_text()  # type: ignore[attr-defined]
    return text.rfind("\n", 0, place.span.start) + 1  # type: ignore[attr-defined]


def test_methods_called_in_both_ways(folder: Path) -> None:
    for before in ("t.", "t.fill(b); "):
        found = _renaming(folder, "use.m", f"\n{before}" if before != "t." else "Level;\nt.")
        assert found.name == "fill"
        assert _counts(folder, found, certain=True) == {"BigTank.m": 1, "Tank.m": 2, "use.m": 2}


@pytest.mark.parametrize(
    ("file", "before", "name", "places"),
    [
        ("use.m", "Tank.", "start", {"Tank.m": 1, "use.m": 1}),
        ("Tank.m", "get.", "Part", {"Tank.m": 2}),
        ("pack.m", "kit.Part.", "Red", {"+kit/Part.m": 1, "pack.m": 2}),
        ("use.m", "d.", "Level", {"Dial.m": 1, "use.m": 1}),
    ],
)
def test_other_members(
    folder: Path, file: str, before: str, name: str, places: dict[str, int]
) -> None:
    found = _renaming(folder, file, before)
    assert (found.name, _counts(folder, found, certain=True)) == (name, places)


def test_behind_an_unknown_object_only_one_class_decides(folder: Path) -> None:
    assert _renaming(folder, "use.m", "x.Level, x.").name == "Hand"
    assert not _renaming(folder, "use.m", "; x.").places  # Tank and Dial have a Level
    assert not _renaming(folder, "use.m", "d.Level + s.").places  # a struct


@pytest.mark.parametrize(
    ("file", "before", "home", "line"),
    [
        ("use.m", "\nt.", "Tank.m", 3),
        ("BigTank.m", "self.", "Tank.m", 3),
        ("use.m", "Level;\nt.", "Tank.m", 10),
        ("use.m", "d.", "Dial.m", 2),
        ("pack.m", "kit.Part.", "+kit/Part.m", 2),
    ],
)
def test_definitions(folder: Path, file: str, before: str, home: str, line: int) -> None:
    offset = FILES[file].index(before) + len(before)
    found = definition(_document(folder, file), offset, [folder], {})
    assert found is not None
    assert (found.file, found.line) == (folder / home, line)
    assert found.span is not None
    assert FILES[home][found.span.start : found.span.end] == found.name
