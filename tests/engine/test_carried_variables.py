"""Variables that go from one engine to another: values return, nothing is overwritten or unsaid."""

from __future__ import annotations

import pytest

from app.engine import protocol
from app.engine.session import carried_variables
from app.engine.session.session import Session
from app.settings import Settings

VALUES = {
    "magic(4)": "isequal(v, magic(4))",
    "zeros(0, 3)": "isequal(size(v), [0 3])",
    "int8([1 -2])": "isa(v, 'int8') && isequal(v, [1 -2])",
    "single(1 + 2i)": "isa(v, 'single') && v == 1 + 2i",
    "true": "islogical(v) && v",
    "'abc'": "strcmp(v, 'abc')",
    '["a" missing]': "isstring(v) && ismissing(v(2))",
    "{1, {'b'}}": "isequal(v, {1, {'b'}})",
    "struct('a', {{1}}, 'b', @(x) x + 1)": "v.b(2) == 3",
    "sparse([0 1; 2 0])": "issparse(v) && v(2) == 2",
    "datetime(2024, 1, 2)": "v == datetime(2024, 1, 2)",
    "table([1; 2], 'VariableNames', {'q'})": "isequal(v.q, [1; 2])",
    "containers.Map('k', 5)": "v('k') == 5",
    "@(x) x * k": "v(2) == 6",
}


@pytest.fixture
def session() -> Session:
    return Session(Settings(), lambda _: None)


def carried(session: Session, code: str, other: str = "") -> tuple[str, Session]:
    """What a fresh session is told when it takes the variables that code makes."""
    events: list[protocol.Event] = []
    session.emit = events.append
    session.run_text(protocol.RunText(code, "<test>"))
    sent = carried_variables.packed(session)
    fresh = Session(Settings(), events.append)
    fresh.run_text(protocol.RunText(other, "<test>"))
    carried_variables.take(fresh, protocol.TakeVariables(sent.data, sent.left))
    return next((e.text for e in events if isinstance(e, protocol.Notice)), ""), fresh


def holds(session: Session, code: str) -> bool:
    """Whether a condition is true in a session."""
    session.run_text(protocol.RunText(f"held = {code};", "<test>"))
    return session.workspace.get("held") is True


def test_values_of_every_class_go_along(session: Session) -> None:
    made = "k = 3; " + "".join(f"v{n} = {code};" for n, code in enumerate(VALUES))
    told, fresh = carried(session, made)
    assert told == ""
    for n, check in enumerate(VALUES.values()):
        assert holds(fresh, f"feval(@(v) {check}, v{n})"), check


def test_what_has_the_name_already_is_kept_and_what_stays_is_said(session: Session) -> None:
    told, fresh = carried(session, "x = 1; y = 2; t = timer;", "x = 7; x_before = 8;")
    assert "There was x already, which is x_before2 from now on" in told
    assert "t (timer)" in told
    assert holds(fresh, "x == 1 && x_before == 8 && x_before2 == 7 && y == 2")


def test_nothing_is_left_unsaid_when_there_is_no_room(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carried_variables, "MOST_BYTES", 1000)
    told, fresh = carried(session, "a = 1; large = rand(20); z = 2;")
    assert "large" in told
    assert holds(fresh, "a == 1 && z == 2 && ~exist('large', 'var')")


def test_no_variables(session: Session) -> None:
    told, fresh = carried(session, "")
    assert told == ""
    assert fresh.workspace.names() == []
