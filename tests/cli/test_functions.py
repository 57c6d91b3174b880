from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import main
from app.engine.builtins import help_pages
from app.engine.declarations.shipped_code import shipped_folders


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main.main(arguments) == 0
    return capsys.readouterr().out


def test_functions_json_has_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(printed(capsys, "functions", "--format", "json"))
    names = {"name", "category", "device", "fuses", "reason", "summary"}
    assert all(names <= set(row) <= {*names, "toolbox"} for row in rows)
    by_name = {row["name"]: row for row in rows}
    assert by_name["sin"]["device"] is True
    assert by_name["sin"]["fuses"] is True
    assert all(row["reason"] for row in rows if not row["device"])
    assert by_name["chol"]["device"] is True  # of large matrices, on cards
    assert by_name["chol"]["fuses"] is False
    assert all(row["summary"].strip() for row in rows)


def test_functions_text_ends_with_the_count(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "functions")
    assert "builtins" in text.splitlines()[-1]
    chol = next(line for line in text.splitlines() if line.startswith("chol "))
    assert " stays " in chol


def test_help_of_a_builtin(capsys: pytest.CaptureFixture[str]) -> None:
    assert "sum(A, dim)" in printed(capsys, "help", "sum")
    entry = json.loads(printed(capsys, "help", "sum", "--format", "json"))
    assert (entry["kind"], entry["name"]) == ("builtin", "sum")


def test_help_of_a_file(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("m")
    text = "function y = twice(x)\n% TWICE  Two times.\n%   More.\n\n% not this\ny = 2*x;\n"
    (folder / "twice.m").write_text(text, encoding="utf-8")
    assert printed(capsys, "help", "twice", "--path", str(folder)) == "TWICE  Two times.\n  More.\n"


def test_what_is_written_in_the_language_itself_has_help() -> None:
    """``fuselab help bootstrp`` knew the user's files only; `help` in a script knew these."""
    shipped = {file.stem for folder in shipped_folders() for file in Path(folder).glob("*.m")}
    assert len(shipped) > 300
    assert [name for name in sorted(shipped) if not help_pages.find(name, ())["help"]] == []


def test_help_of_nothing_suggests(capsys: pytest.CaptureFixture[str]) -> None:
    assert main.main(["help", "summ"]) == 2
    assert "did you mean sum" in capsys.readouterr().err
