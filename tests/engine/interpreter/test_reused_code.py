"""A file that has not changed is not parsed and compiled again, and means what it says now."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.engine.interpreter import loader
from app.engine.session.session import Session
from app.source import SourceText


@pytest.fixture
def session() -> Session:
    return Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)


def value(session: Session, name: str) -> float:
    return float(session.interpreter.workspace[name])


def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the texts that are parsed from now on."""
    names: list[str] = []
    parse = loader.parse_checked

    def counted(source: SourceText, octave: bool) -> object:
        names.append(Path(source.name).name)
        return parse(source, octave)

    monkeypatch.setattr(loader, "parse_checked", counted)
    return names


def test_the_same_text_is_parsed_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = compiled(monkeypatch)
    text = SourceText(
        "again.m", "if ~exist('n'), n = 0; end\nn = n + step();\nfunction r = step\nr = 2;\nend"
    )
    for _ in range(4):
        session.run_source(text)
    assert value(session, "n") == 8
    assert parsed == ["again.m"]
    session.run_source(SourceText("again.m", text.text.replace("r = 2", "r = 3")))
    assert value(session, "n") == 11
    assert parsed == ["again.m"] * 2
    session.close()


def test_a_name_is_a_variable_or_a_function_as_it_is_now(session: Session) -> None:
    text = SourceText("meaning.m", "r = numel(magic(4));")
    session.run_source(text)
    session.run_source(SourceText("shadow.m", "magic = 1:9;"))
    session.run_source(text)
    assert value(session, "r") == 1
    session.run_source(SourceText("clear.m", "clear magic"))
    session.run_source(text)
    assert value(session, "r") == 16
    session.close()


def test_a_new_file_on_the_path_is_seen(session: Session, tmp_path: Path) -> None:
    text = SourceText("caller.m", "helper_of_caller")
    session.run_source(SourceText("path.m", f"addpath('{tmp_path}')"))
    session.run_source(text)
    assert session.last_status == "error"
    (tmp_path / "helper_of_caller.m").write_text("fromscript = 5;")
    session.run_source(text)
    assert session.last_status == "ok"
    assert value(session, "fromscript") == 5
    (tmp_path / "helper_of_caller.m").write_text("fromscript = 61;")
    session.run_source(text)
    assert value(session, "fromscript") == 61
    session.close()


def test_codes_of_a_script_that_are_dropped_leave_nothing_behind(session: Session) -> None:
    text = SourceText(
        "grow.m",
        "s = 0; for k = 1:3, s = s + k; end\nif exist('f', 'var'), r = f(2); end\n"
        "if exist('n', 'var') && n == 4, f = @(x) cellfun(@(y) y + x, {1}); end",
    )
    sizes = []
    for n in range(30):
        session.run_source(SourceText("before.m", f"n = {n}; v{n} = 1;"))
        session.run_source(text)
        assert session.last_status == "ok"
        units = [u for u in session.interpreter.units if u.source.name == "grow.m"]
        sizes.append(sum(len(u.namespace) for u in units))
    assert value(session, "s") == 6.0
    assert value(session, "r") == 3.0
    assert sizes[-1] == sizes[10]
