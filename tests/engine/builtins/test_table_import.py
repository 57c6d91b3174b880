"""What the dialog of an import shows is what its code then reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.session.table_import import OUTPUTS, Choices, look, reading_code
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

TEXT = 'time,level,place,it\'s\n2024-01-01,1.5,north,true\n2024-01-02,,"west, far",no\n'


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.chdir(tmp_path)
    return Session()


def taken(session: Session, file: Path, chosen: Choices) -> None:
    session.run(reading_code(file, chosen, look(file, chosen).names, ()))


def test_the_first_rows_say_what_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(TEXT)
    seen = look(file, Choices(kinds={"place": "single", "level": "int8"}))
    assert seen.names == ("time", "level", "place", "it_s")
    assert seen.kinds == ("datetime", "int8", "single", "char")
    assert [(f.text, f.becomes) for f in seen.rows[1]] == [
        ("2024-01-02", ""),
        ("", "0"),
        ("west, far", "NaN"),
        ("no", ""),
    ]
    assert (seen.delimiter, seen.named, seen.height, seen.whole) == (",", True, 2, True)


@pytest.mark.parametrize("output", OUTPUTS)
def test_every_output_is_read_as_shown(session: Session, tmp_path: Path, output: str) -> None:
    file = tmp_path / "o'clock.csv"
    file.write_text(TEXT)
    kinds = {"place": "categorical", "it_s": "logical", "level": "single"}
    chosen = Choices(kinds=kinds, left_out=frozenset({"time"}), output=output)
    taken(session, file, chosen)
    shown = {
        "table": "isequal(varfun(@class, data, 'OutputFormat', 'cell'), {'single' 'categorical' 'logical'})",
        "columns": "isequal({class(level) class(place) class(it_s)}, {'single' 'categorical' 'logical'})",
        "matrix": "isequaln(data, [1.5 NaN 1; NaN NaN 0])",
        "strings": 'isequaln(data, ["1.5" "north" "true"; missing "west, far" "no"])',
        "cell": "isequal(size(data), [2 3]) && islogical(data{2, 3})",
    }
    if output == "matrix":
        assert [f.becomes for f in look(file, chosen).rows[0]] == ["NaN", "", "NaN", "NaN"]
        shown["matrix"] = "isequaln(data, [1.5 NaN NaN; NaN NaN NaN])"
    assert session.holds(shown[output])
    assert not session.holds("exist('opts', 'var')")


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("a;b\n1;2,5\n3;4,5\n", Choices(decimal=","), "isequal(data.b, [2.5; 4.5])"),
        ("1\t2\n3\t4\n", Choices(delimiter="\t"), "isequal(data.Var2, [2; 4])"),
        ("a,b\n1,2\n3,4\n", Choices(cells="A2:A3"), "isequal(data{:, :}, [1; 3])"),
        ("a,b\n1,2\n3,4\n", Choices(cells="1:2"), "isequal(data{:, :}, [1 2])"),
        ("a,b\n1,2\n3,4\n", Choices(cells="b:B"), "isequal(data.b, [2; 4])"),
        ("a,b\n1,2\n", Choices(named=False), "isequal(data.Var1, {'a'; '1'})"),
        ("1,2\n3,4\n", Choices(named=True, output="matrix"), "isequal(data, [3 4])"),
        ("a b\n1 2\n", Choices(), "isequal(data.b, 2)"),
        ("a b,c\n1,2\n", Choices(as_written=True), "isequal(data.('a b'), 1)"),
        ("a b,c\n1,2\n", Choices(as_written=True, output="columns"), "isequal([aB c], [1 2])"),
        (
            "a b,c d\n1,2\n",
            Choices(as_written=True, kinds={"a b": "int8"}, left_out=frozenset({"c d"})),
            "isa(data.('a b'), 'int8') && width(data) == 1",
        ),
    ],
)
def test_what_is_chosen_holds(
    session: Session, tmp_path: Path, text: str, chosen: Choices, expected: str
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(text)
    taken(session, file, chosen)
    assert session.holds(expected)


def test_worksheets_have_names(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "a.xlsx"
    session.run(
        "writecell({'x'; 1}, 'a.xlsx'); writecell({'y', 'z'; 2, 3}, 'a.xlsx', 'Sheet', 'B b')"
    )
    assert look(file, Choices()).sheets == ("Sheet1", "B b")
    chosen = Choices(sheet="B b", output="columns")
    assert look(file, chosen).names == ("y", "z")
    taken(session, file, chosen)
    assert session.holds("isequal([y z], [2 3])")


def test_the_beginning_of_a_long_text_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("a,b\n" + "1,22222222\n" * 200_000)
    seen = look(file, Choices())
    assert not seen.whole
    assert seen.height < 200_000
    assert seen.rows[-1][1].text == "22222222"


def test_a_variable_that_is_there_stays(tmp_path: Path) -> None:
    chosen = Choices(output="matrix", name="opts")
    code = reading_code(tmp_path / "a.csv", chosen, ("opts2",), {"opts3"})
    assert code.splitlines()[-1] == "clear opts4"


@pytest.mark.parametrize("cells", ["x", "A1:b", "1:B"])
def test_no_range_is_an_error(tmp_path: Path, cells: str) -> None:
    file = tmp_path / "a.csv"
    file.write_text(TEXT)
    with pytest.raises(MatlabError, match="is no range"):
        look(file, replace(Choices(), cells=cells))
