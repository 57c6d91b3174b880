from __future__ import annotations

import json
from pathlib import Path

import pytest

from app import main, paths
from app.cli import check as check_command


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main.main(["check", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_examples_are_fine(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, str(paths.resource("examples")))
    assert (code, out) == (0, "")
    assert "with errors: 0" in err


def test_of_a_long_line_the_surroundings_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.m"
    file.write_text("x = 1; " * 60 + "y = ) ; " + "z = 2; " * 60, encoding="utf-8")
    code, out, _ = check(capsys, str(file))
    assert code == 1
    place, line, carets = out.splitlines()[:3]
    assert ":1:425: error" in place
    assert len(line) < 170
    assert line[carets.index("^")] == ")"


def test_error_has_place_and_caret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.m"
    bad.write_text("x = 1;\ny = (x + ;\n", encoding="utf-8")
    code, out, _ = check(capsys, str(bad))
    assert code == 1
    first, source, caret = out.splitlines()[:3]
    assert first.startswith(f"{bad}:2:5: error: ")
    assert source == "    y = (x + ;"
    assert caret == "    " + " " * 4 + "^"


def test_a_notebook_is_checked_by_its_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And not by what it holds of answers, which may be long."""
    output = {"output_type": "stream", "name": "stdout", "text": ["(" * 100_000]}
    cells = [
        {"cell_type": "code", "metadata": {}, "source": text, "outputs": [output]}
        for text in ("x = 1;", "y = (x + ;")
    ]
    book = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "a.ipynb").write_text(json.dumps(book), encoding="utf-8")
    (tmp_path / "b.ipynb").write_text("{}", encoding="utf-8")
    code, out, _ = check(capsys, str(tmp_path / "a.ipynb"), str(tmp_path / "b.ipynb"))
    assert code == 1
    assert "y = (x + ;" in out
    assert "a.ipynb" in out.splitlines()[0]
    assert "b.ipynb" in out


def test_json_counts_files_and_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a folder.m").mkdir()
    (tmp_path / "good.m").write_text("x = 1;\n", encoding="utf-8")
    (tmp_path / "inner" / "bad.m").write_text("if x\n", encoding="utf-8")
    code, out, _ = check(capsys, str(tmp_path), "--format", "json")
    answer = json.loads(out)
    assert (code, answer["files"], answer["failed"]) == (1, 2, 1)
    row = answer["diagnostics"][0]
    needed = {"file", "line", "column", "end_line", "end_column", "severity", "code", "message"}
    assert needed <= set(row)
    assert row["severity"] == "error"


def test_what_is_no_text_is_an_error_of_that_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "image.m").write_bytes(b"\x89PNG\0\0")
    code, out, _ = check(capsys, str(tmp_path))
    assert code == 1
    assert "not a text file" in out


def test_many_files_are_shared_out_with_the_same_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        broken = "x = (;\n" * number
        (tmp_path / f"f{number}.m").write_text(f"y = 1;\n{broken}", encoding="utf-8")
    alone = check(capsys, str(tmp_path))
    monkeypatch.setattr(check_command, "MANY_FILES", 2)
    monkeypatch.setattr(check_command, "FILES_PER_PROCESS", 2)
    assert check(capsys, str(tmp_path)) == alone


def test_a_stray_zero_byte_is_a_blank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "old.m").write_bytes(b"x = 1;\0\r\n" + b"y = 2;\n" * 300)
    assert check(capsys, str(tmp_path))[0] == 0


def test_latin1_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "old.m").write_bytes(b"x = 1; % caf\xe9\n")
    code, out, _ = check(capsys, str(tmp_path))
    assert code == 0
    assert "warning: " in out
    assert "Latin-1" in out


def test_missing_file_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = check(capsys, "nowhere.m")
    assert code == 2
    assert "there is no file nowhere.m" in err
