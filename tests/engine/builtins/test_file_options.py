"""Options of the functions that read and write rows: each has an effect or is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

LACKING = {
    "readtable": "'t.csv', 'ExpectedNumVariables', 9",
    "readtimetable": "'t.csv', 'Rubbish', 'a'",
    "readmatrix": "'t.csv', 'EmptyLineRule', 'skip'",
    "readcell": "'t.csv', 'ConsecutiveDelimitersRule', 'join'",
    "readlines": "'t.csv', 'WhitespaceRule', 'trim'",
    "readvars": "'t.csv', 'Rubbish', 1",
    "detectImportOptions": "'t.csv', 'Rubbish', 1",
    "writetable": "table(1), 'u.csv', 'DateLocale', 'de_DE'",
    "writematrix": "1, 'u.csv', 'DateLocale', 'de_DE'",
    "writecell": "{1}, 'u.csv', 'DateLocale', 'de_DE'",
    "writelines": "\"a\", 'u.txt', 'Rubbish', 1",
}


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session in a folder with one file of rows."""
    (tmp_path / "t.csv").write_bytes("a b,caf\xe9\n1,2\n3,4\n".encode("latin-1"))
    made = Session()
    made.run(f"cd('{tmp_path}')")
    return made


@pytest.mark.parametrize("function", sorted(LACKING))
def test_an_option_that_is_lacking_is_named(session: Session, function: str) -> None:
    with pytest.raises(MatlabError, match="is not an option of"):
        session.run(f"{function}({LACKING[function]});")


@pytest.mark.parametrize(
    ("made", "check"),
    [
        ("t = readtable('t.csv', 'PreserveVariableNames', true);", "any(t.('a b') == 3)"),
        ("t = readtimetable('t.csv', 'RowTimes', seconds([4; 5]));", "isequal(t.(1), [1; 3])"),
        ("t = readtimetable('t.csv', 'TimeStep', hours(2));", "t.Time(2) == hours(2)"),
        (
            "writelines(\"a\", 'l.txt', 'LineEnding', '\\r\\n');",
            "strcmp(fileread('l.txt'), sprintf('a\\r\\n'))",
        ),
        ("c = readcell('t.csv', 'Encoding', 'ISO-8859-1');", "strcmp(c{1, 2}, ['caf' 233])"),
        ("m = readmatrix('t.csv', 'FileType', 'text');", "isequal(m, [1 2; 3 4])"),
    ],
)
def test_effects(session: Session, made: str, check: str) -> None:
    session.run(made)
    assert session.holds(check)


def test_columns_are_named_as_valid_names_are(session: Session, tmp_path: Path) -> None:
    heads = ["Culmen Length (mm)", "d 15 N (o/oo)", "# of x", "9x", "", "a b", "a-b", "a_b", "for"]
    (tmp_path / "n.csv").write_text(f"{','.join(heads)}\n{','.join('1' * 9)}\n")
    session.run("n = readtable('n.csv').Properties.VariableNames;")
    named = "CulmenLength_mm_ d15N_o_oo_ x_OfX x9x Var5 aB a_b a_b_1 xFor".split()
    assert session.holds(f"isequal(n, {{{str(named)[1:-1]}}})")


def test_rows_are_appended_in_the_encoding_asked_for(session: Session, tmp_path: Path) -> None:
    session.run("writelines(char(233), 'u.txt', 'Encoding', 'ISO-8859-1');")
    session.run("writelines('b', 'u.txt', 'WriteMode', 'append');")
    assert (tmp_path / "u.txt").read_bytes() == b"\xe9\nb\n"


@pytest.mark.parametrize(
    "call",
    [
        "readmatrix('t.csv', 'FileType', 'spreadsheet')",
        "writelines('b', 'u.txt', 'WriteMode', 'upside')",
        "writematrix(1, 'u.xlsx', 'WriteMode', 'append')",
        "readcell('t.csv', 'Encoding', 'klingon')",
    ],
)
def test_values_that_are_not_supported_are_refused(session: Session, call: str) -> None:
    with pytest.raises(MatlabError, match=r"FileType|WriteMode|klingon"):
        session.run(f"{call};")


XML = {
    "readtable": "'x.xml'",
    "readtimetable": "'x.xml'",
    "readmatrix": "'x.xml'",
    "readcell": "'x.xml'",
    "readvars": "'x.xml'",
    "detectImportOptions": "'x.xml'",
    "writetable": "table(1), 'y.xml'",
    "writetimetable": "timetable(seconds(1), 2), 'y.xml'",
    "writematrix": "1, 'y.XML'",
    "writecell": "{1}, 'y.xml'",
}


@pytest.mark.parametrize("function", sorted(XML))
def test_xml_is_refused_with_what_takes_it(session: Session, function: str) -> None:
    session.run("writelines('<a><b>1</b><b>2</b></a>', 'x.xml');")
    remedy = "xmlwrite" if function.startswith("write") else "readstruct or xmlread"
    with pytest.raises(MatlabError, match=f"not XML. Use .*{remedy}"):
        session.run(f"{function}({XML[function]});")
    session.run(f"{function}({XML[function]}, 'FileType', 'text'{TIMES.get(function, '')});")


TIMES = {"readtimetable": ", 'TimeStep', seconds(1)"}


def test_lines_of_xml_are_lines(session: Session) -> None:
    session.run('writelines(["<a>" "</a>"], \'x.xml\');')
    assert session.holds(
        "isequal(readlines('x.xml', 'EmptyLineRule', 'skip'), [\"<a>\"; \"</a>\"])"
    )


def test_listings_show_no_control_characters(session: Session, tmp_path: Path) -> None:
    names = ["a\x1b[31m.m", "b\nc.mat", "d\x7f\x9be\t.m", "é ü.m"]
    for name in names:
        (tmp_path / name).touch()
    for call in ("ls", "dir", "dir *.m*", "what"):
        shown = session.run(call)
        assert [c for c in shown if not c.isprintable() and c != "\n"] == []
        assert all(n in shown for n in ("a?[31m.m\n", "b?c.mat\n", "d??e?.m\n", "é ü.m\n"))
    assert session.holds("any(strcmp({dir().name}, ['a' 27 '[31m.m']))")
    assert session.holds("contains(ls, ['b' 10 'c.mat'])")
    assert session.holds("any(strcmp(what().m, ['a' 27 '[31m.m']))")
