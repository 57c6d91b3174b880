"""Scripts see what earlier scripts and commands left in the workspace, in loops as well."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from app import settings
from app.engine.declarations.shipped_code import shipped_folders
from app.engine.session.session import Session
from app.errors import MatlabError
from app.source import SourceText


@pytest.mark.parametrize(
    "code",
    [
        "S = ones(n, 1); for t = 1:T, S = S + 1; end, r = S(1);",
        "x = n; for t = 1:T, x = x + n; end, r = x / n;",
        "for t = 1:T, y = n; end, r = y - n + 5;",
        "k = 0; while k < T, k = k + 1; end, r = k + 1;",
    ],
)
def test_loops_read_variables_of_earlier_scripts(code: str) -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    session.run_source(SourceText("first.m", "n = 3000; T = 4;"))
    session.run_source(SourceText("second.m", code))
    assert session.last_status == "ok", session.last_report["error"]
    assert session.interpreter.workspace["r"] == 5.0
    session.close()


def test_globals_that_a_called_script_declares_are_global_in_its_caller(tmp_path: Path) -> None:
    (tmp_path / "shares.m").write_text("global N\n")
    (tmp_path / "setup.m").write_text("shares; r = twice;\n")
    (tmp_path / "twice.m").write_text("function r = twice\nshares; r = 2 * N;\nend\n")
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    session.interpreter.path.set_current(str(tmp_path))
    session.run_source(SourceText("main.m", "shares;\nN = 6;\nsetup;\nk = N;"))
    assert session.last_status == "ok", session.last_report["error"]
    assert session.interpreter.workspace["r"] == 12.0
    assert session.interpreter.workspace["k"] == 6.0
    session.close()


def test_a_cleared_global_is_no_variable_of_its_function(tmp_path: Path) -> None:
    body = "global x\nx = 5;\nclear x\nr = exist('x', 'var');\nglobal x\nr = [r x];\n"
    (tmp_path / "clears.m").write_text(f"function r = clears\n{body}end\n")
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    session.interpreter.path.set_current(str(tmp_path))
    session.run_source(SourceText("main.m", "r = clears;"))
    assert session.interpreter.workspace["r"].tolist() == [[0.0, 5.0]]
    session.close()


def test_a_run_looks_at_the_folders_a_person_edits_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    session.interpreter.path.set_current(str(tmp_path))
    main, looks, stat = SourceText("main.m", "r = helper;"), [], os.stat
    (tmp_path / "helper.m").write_text("function r = helper\nr = mad([1 2 6]);\nend\n")
    session.run_source(main)

    def counted(path: Any, **options: Any) -> os.stat_result:
        looks.append(str(path))
        return stat(path, **options)

    monkeypatch.setattr(os, "stat", counted)
    session.run_source(main)
    assert session.last_status == "ok", session.last_report["error"]
    assert str(tmp_path) in looks, "what a person adds there is found"
    assert str(tmp_path / "helper.m") in looks
    assert not set(shipped_folders()) & set(looks), "what is shipped stays as it is"
    assert max(map(looks.count, looks)) <= 3
    session.close()


def test_what_was_imported_serves_the_next_line(tmp_path: Path) -> None:
    (tmp_path / "+kit").mkdir()
    (tmp_path / "+kit" / "tripled.m").write_text("function y = tripled(x)\ny = 3*x;\nend\n")
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    run = session.interpreter.run
    run(SourceText("first.m", f"addpath('{tmp_path}'); import kit.tripled"))
    run(SourceText("<command>", "y = tripled(2);"))
    assert session.interpreter.workspace["y"] == 6
    run(SourceText("<command>", "clear import"))
    with pytest.raises(MatlabError, match="tripled"):
        run(SourceText("<command>", "z = tripled(2);"))
    session.close()


@pytest.mark.parametrize("imported", ["kit.Color", "kit.*"])
def test_an_imported_class_has_its_members(tmp_path: Path, imported: str) -> None:
    (tmp_path / "+kit").mkdir()
    (tmp_path / "+kit" / "Color.m").write_text(
        "classdef Color\nenumeration, Red, Green, end\n"
        "methods (Static), function n = count(k), if nargin, n = k; else, n = 2; end, end, end\n"
        "end\n"
    )
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    code = (
        f"addpath('{tmp_path}'); import {imported}\n"
        "a = Color.count; b = Color.count(5); c = Color.Red == kit.Color.Red;\n"
        "d = numel(enumeration('kit.Color')); m = ?Color; e = m.Name;"
    )
    session.interpreter.run(SourceText("first.m", code))
    found = [session.interpreter.workspace[name] for name in "abcde"]
    assert found == [2, 5, True, 2, "kit.Color"]
    session.close()
