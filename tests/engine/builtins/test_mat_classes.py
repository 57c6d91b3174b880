"""Strings, dates, durations, categories and tables in MAT-files that MATLAB wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.api import Session
from tests.engine.builtins.mat_class_files import (
    MatFile,
    cell,
    chars,
    codes,
    doubles,
    fields,
    text_numbers,
)


@pytest.fixture
def session() -> Session:
    return Session(device="cpu")


def loaded(session: Session, file: MatFile, folder: Path, words: str = "") -> None:
    file.write(folder / "made.mat")
    session.eval(f"cd('{folder}'); load made.mat {words}")


def strings(file: MatFile, texts: list[str | None], *shape: int) -> bytes:
    return file.object("string", first=True, any=text_numbers(texts, shape))


def test_strings(session: Session, tmp_path: Path) -> None:
    file = MatFile()
    file.variable("s", "string", strings(file, ["one", "zwölf", None, ""], 2, 2))
    file.plain("x", 3.0)
    file.variable("t", "string", strings(file, ["\U0001f600 🎈"], 1, 1))
    loaded(session, file, tmp_path)
    session.eval(
        'a = isequaln(s, ["one" missing; "zwölf" ""]); n = numel(who); b = double(char(t));'
    )
    assert (session["a"], session["n"], session["x"]) == (True, 4, 3)
    assert session["t"] == "\U0001f600 🎈"


def test_dates_durations_and_categories(session: Session, tmp_path: Path) -> None:
    file = MatFile()
    day = 86_400_000.0
    empty = chars("")
    time = file.object("datetime", data=doubles(0.0, day), fmt=empty, tz=empty)
    file.variable("d", "datetime", time)
    file.variable("l", "duration", file.object("duration", millis=doubles(6e4), fmt=chars("m")))
    names = cell(chars("low"), chars("high"), shape=(2, 1))
    kinds = file.object(
        "categorical", codes=codes(2, 0, 1), categoryNames=names, isOrdinal=True, isProtected=True
    )
    file.variable("c", "categorical", kinds)
    loaded(session, file, tmp_path)
    session.eval("a = isequal(d, datetime(1970, 1, 1:2)); b = minutes(l); u = isundefined(c)';")
    session.eval("e = c(3) < c(1); f = strcmp(char(c(1)), 'high');")
    assert (session["a"], session["b"], session["e"], session["f"]) == (True, 1, True, True)
    assert session["u"].tolist() == [[False, True, False]]


def test_a_table_holds_objects(session: Session, tmp_path: Path) -> None:
    file = MatFile()
    words = strings(file, ["a", "b"], 2, 1)
    inner = file.object(
        "table",
        data=cell(doubles(1.0, 2.0, shape=(2, 1)), words),
        nrows=doubles(2.0),
        rownames=cell(chars("r"), chars("q"), shape=(2, 1)),
        varnames=cell(chars("x"), chars("w")),
        props=fields(VariableUnits=cell(chars("m"), chars(""))),
    )
    file.variable("T", "table", inner)
    loaded(session, file, tmp_path)
    session.eval("a = T.x'; b = T.w(2); u = T.Properties.VariableUnits{1}; v = T{'q', 'x'};")
    assert (session["b"], session["u"], session["v"]) == ("b", "m", 2)
    assert session["a"].tolist() == [[1, 2]]


def test_a_timetable_has_times(session: Session, tmp_path: Path) -> None:
    file = MatFile()
    times = file.object("duration", millis=doubles(0.0, 1e3, shape=(2, 1)), fmt=chars("s"))
    told = fields(
        rowTimes=times,
        data=cell(doubles(5.0, 6.0, shape=(2, 1))),
        varNames=cell(chars("v")),
        dimNames=cell(chars("When"), chars("Variables")),
        numRows=doubles(2.0),
    )
    file.variable("T", "timetable", file.object("timetable", first=True, any=told))
    loaded(session, file, tmp_path)
    session.eval("a = istimetable(T); b = seconds(T.When(2)); c = T.v(2);")
    assert (session["a"], session["b"], session["c"]) == (True, 1, 6)


def test_other_classes_leave_the_other_variables_readable(session: Session, tmp_path: Path) -> None:
    file = MatFile()
    file.variable("o", "elsewhere", file.object("elsewhere", part=doubles(1.0)))
    file.plain("x", 3.0)
    loaded(session, file, tmp_path, "x")
    session.eval("n = strjoin(who);")
    assert (session["x"], session["n"]) == (3, "x")
    session.eval("s = load('made.mat'); k = strjoin(fieldnames(s)); c = class(s.o);")
    assert (session["k"], session["c"]) == ("o x", "struct")
