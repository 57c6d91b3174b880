"""Objects of classes in MAT-files: properties, identity, saveobj and loadobj, missing classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.builtins.engine_session import Session

CLASSES = {
    "Point": """
classdef Point
  properties, x = 1, y = {}, end
  properties (Transient), cache = 7, end
  properties (Access = private), secret = 0, end
  properties (Dependent), twice, end
  methods
    function o = Point(x), if nargin, o.x = x; o.secret = 5; end, end
    function v = get.twice(o), v = 2*o.x; end
    function v = reveal(o), v = o.secret; end
  end
end""",
    "Node": """
classdef Node < handle
  properties, value = 0, next = [], end
  methods, function o = Node(v), o.value = v; end, end
end""",
    "Kept": """
classdef Kept
  properties, n = 1, end
  methods, function s = saveobj(o), s.stored = o.n; end, end
  methods (Static)
    function o = loadobj(s), o = Kept; o.n = s.stored + 100; end
  end
end""",
    "Mood": "classdef Mood\n enumeration, Good, Bad, end\nend",
}


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session that knows the classes and stands in an empty folder."""
    for name, text in CLASSES.items():
        (tmp_path / f"{name}.m").write_text(text.strip() + "\n")
    monkeypatch.chdir(tmp_path)  # the process stands where it stood, afterwards
    made = Session()
    made.run(f"cd('{tmp_path}')")
    return made


@pytest.mark.parametrize("version", ["-v7", "-v6", "-v7.3"])
@pytest.mark.parametrize(
    ("made", "check"),
    [
        ("p = Point(3); p.y = {1, 'a'}; p.cache = 9;", "p.x == 3 && isequal(p.y, {1, 'a'})"),
        ("p = Point(3); p.cache = 9;", "p.cache == 7 && p.reveal() == 5 && p.twice == 6"),
        ("p = struct('in', {{Point(4), 2}});", "p.in{1}.x == 4 && isa(p.in{1}, 'Point')"),
        ("p = [Point(1), Point(2), Point(3)];", "isequal([p.x], 1:3) && isequal(size(p), [1 3])"),
        (
            "p = Node(1); p.next = Node(2); p.next.next = p;",
            "p.next.next == p && p.next.value == 2",
        ),
        ("n = Node(1); p = {n, n};", "p{1} == p{2} && isa(p{1}, 'Node')"),
        ("p = Kept; p.n = 5;", "p.n == 105"),
        ("p = Mood.Bad;", "p == Mood.Bad"),
        ("p = Point(Point(2));", "p.x.x == 2"),
    ],
)
def test_objects_return(session: Session, made: str, check: str, version: str) -> None:
    session.run(f"{made} save('q.mat', 'p', '{version}'); clear p; load('q.mat');")
    assert session.holds(check)


def test_two_variables_share_a_handle_and_each_is_whole(session: Session) -> None:
    session.run("a = Node(1); b = a; save('q.mat', 'a', 'b'); clear a b; load('q.mat');")
    assert session.holds("a == b && a.value == 1")
    session.run("clear a b; load('q.mat', 'b');")
    assert session.holds("b.value == 1")


def test_without_its_class_an_object_is_a_struct_and_a_warning(
    session: Session, tmp_path: Path
) -> None:
    session.run("p = Point(3); save('q.mat', 'p');")
    other = tmp_path / "other"
    other.mkdir()
    fresh = Session()
    shown = fresh.run(f"cd('{other}'); load('../q.mat');")
    assert "Class 'Point' is not on the search path" in shown
    assert fresh.holds("isstruct(p)")


def test_what_cannot_be_saved_inside_a_cell_is_named(session: Session) -> None:
    shown = session.run("c = {1, timer}; d = 2; save('q.mat', 'c', 'd'); clear; load('q.mat');")
    assert "Variable 'c' of class 'cell' cannot be saved" in shown
    assert session.holds("d == 2 && ~exist('c', 'var')")
