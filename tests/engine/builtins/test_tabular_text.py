"""Text files read some rows at a time: any ends of lines, at any place in what is read at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from app.engine.builtins.files import tabular_text
from tests.engine.builtins.engine_session import Session


@pytest.mark.parametrize("block", [7, 16, 1 << 22])
@pytest.mark.parametrize("ends", [["\r"], ["\r\n"], ["\n"], ["\r", "\n", "\r\n"]])
def test_rows_are_those_of_readtable_whatever_ends_the_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: list[str], block: int
) -> None:
    """A file of carriage returns had a header of everything, and no rows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tabular_text, "_BLOCK", block)
    choose = random.Random(f"{ends}{block}")
    for count in (1, 2, 9):
        lines = [
            "one,two",
            *(f"{k},{choose.randrange(10 ** choose.randrange(9))}" for k in range(count)),
        ]
        text = "".join(line + choose.choice(ends) for line in lines)
        for written in (text, text.rstrip("\r\n")):
            (tmp_path / "a.csv").write_bytes(written.encode())
            Session().run(
                "w = readtable('a.csv'); d = tabularTextDatastore('a.csv'); t = readall(d); "
                f"assert(isequal(t, w) && height(t) == {count}); d.ReadSize = 1; n = 0; "
                "while hasdata(d), r = read(d); n = n + 1; assert(isequal(r, w(n, :))); end, "
                f"assert(n == {count})"
            )


def test_an_error_does_not_tell_all_of_a_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("a,b\n" + "1,2\n" * 20_000 + "1," + "x" * 400_000 + "\n")
    with pytest.raises(Exception, match="is not a number") as told:
        Session().run("t = readall(tabularTextDatastore('a.csv'));")
    assert len(str(told.value)) < 1000
