"""Functions and scripts of ``.mlx`` files are called like those of ``.m`` files."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.api import Session
from app.errors import MatlabError
from tests.engine.livecode import mlx_files
from tests.engine.livecode.mlx_files import paragraph

TWICE = "function [y, z] = twice(x)\ny = helper(x);\nz = mfilename;\nend\n\n"
HELPER = "function y = helper(x)\npersistent n\nn = [n 1]; y = 2*x + 0*sum(n) + numel(n) - 1;\nend"


def live(path: Path, *code: str) -> None:
    """A live script or function: words, and its code in cells."""
    text = paragraph("heading", mlx_files.run("Words"))
    cells = (paragraph("code", f"<w:r><w:t><![CDATA[{part}]]></w:t></w:r>") for part in code)
    mlx_files.write(path, text + "".join(cells))


def test_a_live_function_is_found_on_the_path(tmp_path: Path) -> None:
    live(tmp_path / "twice.mlx", TWICE, HELPER)
    with Session(device="cpu", path=(tmp_path,)) as session:
        session.eval(
            "[a, b] = twice(21); c = twice(1); clear twice; d = twice(1); w = which('twice');"
        )
        session.eval("e = exist('twice'); f = cellfun(@twice, {1}); n = nargin('twice');")
        assert [session[name] for name in "abcdefn"] == [42, "twice", 3, 2, 2, 3, 1]
        assert session["w"] == str(tmp_path / "twice.mlx")


def test_a_live_function_of_a_package_and_a_private_one(tmp_path: Path) -> None:
    for folder, value in (("+tools", 5), ("private", 7)):
        (tmp_path / folder).mkdir()
        live(tmp_path / folder / "give.mlx", f"function y = give\ny = {value};\nend")
    (tmp_path / "both.m").write_text("function y = both\ny = [tools.give, give];\nend\n")
    with Session(device="cpu", path=(tmp_path,)) as session:
        session.eval("x = both;")
        assert session["x"].tolist() == [[5, 7]]


def test_a_live_script_runs_by_its_name_and_its_functions_stay_its_own(tmp_path: Path) -> None:
    live(tmp_path / "steps.mlx", "q = inner(3);", "function y = inner(x)\ny = x + 1;\nend")
    with Session(device="cpu", path=(tmp_path,)) as session:
        session.eval(f"steps; a = q; q = 0; run('{tmp_path / 'steps.mlx'}'); b = q;")
        assert (session["a"], session["b"]) == (4, 4)
        with pytest.raises(MatlabError, match="inner"):
            session.eval("inner(1)")


def test_the_plain_text_form_beside_a_live_function_is_meant(tmp_path: Path) -> None:
    live(tmp_path / "f.mlx", "function y = f\ny = 1;\nend")
    with Session(device="cpu", path=(tmp_path,)) as session:
        session.eval("a = f;")
        (tmp_path / "f.m").write_text("function y = f\ny = 2;\nend\n")
        session.eval("b = f;")
        assert (session["a"], session["b"]) == (1, 2)


def test_a_damaged_live_function_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "gone.mlx").write_bytes(b"PK\x03\x04 not much")
    with (
        Session(device="cpu", path=(tmp_path,)) as session,
        pytest.raises(MatlabError, match=r"gone\.mlx") as caught,
    ):
        session.eval("gone(1)")
    assert caught.value.identifier == "MATLAB:invalidLiveScript"
