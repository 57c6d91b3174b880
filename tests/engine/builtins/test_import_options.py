"""Tables from files: what is found out about a file, and what a script may say about it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from app.engine.builtins.files.import_options import valid_names
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

FILES = {
    "titled.csv": "Measurements of May\n\nTime,Value,Unit\n00:01:00,1.5,m\n00:02:00,,m\n",
    "remarks.txt": "% first\nx y\n% between\n1 2\n3 4\n",
    "german.csv": "a;b\n1.234,5;x\n-;y\n",
    "types.csv": "flag,level,when,word\ntrue,low,05.01.2024,a\nno,high,06.02.2024,\n",
}


def test_names_are_made_unique_in_order() -> None:
    """As many steps as names: a file of 100,000 columns took minutes."""
    choose = random.Random(7)
    for _ in range(300):
        names = [choose.choice(("a", "a_1", "a 1", "", "Var2", "a_1_1")) for _ in range(9)]
        made = valid_names(names)
        assert len(set(made)) == len(names)
        assert all(
            new.startswith(old.strip()[:1] or "Var") for old, new in zip(names, made, strict=True)
        )
    assert valid_names(["a", "a", "a_1", "a", ""]) == ["a", "a_1", "a_1_1", "a_2", "Var5"]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return Session()


def test_title_lines_and_durations_are_found(session: Session) -> None:
    session.run("T = readtable('titled.csv');")
    assert session.holds("isequal(T.Properties.VariableNames, {'Time', 'Value', 'Unit'})")
    assert session.holds("isequal(T.Time, minutes([1; 2])) && isequaln(T.Value, [1.5; NaN])")


BELOW = "table([1; 3], [2; 4], {'a'; 'b'}, 'VariableNames', {'x' 'y' 'z'})"
PREAMBLES = [
    "Report,of May\n\nx,y,z\n1,2,a\n3,4,b\n",  # remarks of two fields, an empty line
    "Report\nof,May\nx,y,z\n\n1,2,a\n\n3,4,b\n",  # empty lines among the data
    "x,y,z\n1,2,a\n3,4,b\n",
    "\nUnits:;m;\n\n\nx;y;z\n1;2;a\n3;4;b\n",
]


@pytest.mark.parametrize("text", PREAMBLES)
def test_names_are_found_below_lines_with_fewer_fields(session: Session, text: str) -> None:
    Path("above.csv").write_text(text)
    session.run("T = readtable('above.csv'); o = detectImportOptions('above.csv');")
    assert session.holds(f"isequal(T, {BELOW})")
    assert session.holds("isequal(readtable('above.csv', o), T)")
    line = 1 + text.splitlines().index(next(x for x in text.splitlines() if x.startswith("x")))
    assert session.holds(f"o.VariableNamesLine == {line}")


def test_names_are_found_below_the_remarks_of_a_worksheet(session: Session) -> None:
    session.run("""
        c = {'Report', 'of May', []; [], [], []; 'x', 'y', 'z'; 1, 2, 'a'; 3, 4, 'b'};
        writecell(c, 'a.xlsx');
        T = readtable('a.xlsx');""")
    assert session.holds(f"isequal(T, {BELOW})")


def test_header_lines_count_empty_lines(session: Session) -> None:
    Path("above.csv").write_text("p,q\n\n7,8\n\nx,y\n\n1,2\n\n3,4\n")
    session.run("T = readtable('above.csv', 'NumHeaderLines', 4);")
    assert session.holds("isequal(T, table([1; 3], [2; 4], 'VariableNames', {'x' 'y'}))")


def test_texts_in_columns_of_numbers_are_no_names(session: Session) -> None:
    Path("above.csv").write_text("name,n\na,x\nb,y\nc,3\n")
    assert session.holds("isequal(readtable('above.csv').Properties.VariableNames, {'name', 'n'})")


def test_comments_are_left_out(session: Session) -> None:
    session.run("T = readtable('remarks.txt', 'CommentStyle', '%');")
    assert session.holds("isequal(T{:, :}, [1 2; 3 4]) && isequal(T.x, [1; 3])")


def test_separators_and_marks_of_missing_values(session: Session) -> None:
    session.run(
        "T = readtable('german.csv', 'DecimalSeparator', ',', "
        "'ThousandsSeparator', '.', 'TreatAsMissing', '-');"
    )
    assert session.holds("isequaln(T.a, [1234.5; NaN])")


def test_a_script_changes_what_was_found(session: Session) -> None:
    session.run(
        "o = detectImportOptions('types.csv'); o = setvartype(o, {'flag' 'level' 'when'}, "
        "{'logical' 'categorical' 'datetime'}); "
        "o = setvaropts(o, 'when', 'InputFormat', 'dd.MM.yyyy'); T = readtable('types.csv', o);"
    )
    assert session.holds("islogical(T.flag) && isequal(T.flag, [true; false])")
    assert session.holds("iscategorical(T.level) && isequal(month(T.when), [1; 2])")
    session.run("p = o; p.SelectedVariableNames = {'word'};")
    assert session.holds(
        "width(readtable('types.csv', p)) == 1 && width(readtable('types.csv', o)) == 4"
    )


def test_structs_survive_files(session: Session) -> None:
    session.run(
        's.n = 3; s.t = "x<y"; s.list = [1 2 3]; s.sub.v = "a"; s.many(1).k = 1; '
        "s.many(2).k = 2; writestruct(s, 's.xml'); writestruct(s, 's.json');"
    )
    for name in ("s.xml", "s.json"):
        session.run(f"r = readstruct('{name}');")
        assert session.holds('r.n == 3 && r.t == "x<y" && isequal(r.list, [1 2 3])')
        assert session.holds('r.sub.v == "a" && isequal([r.many.k], [1 2])')


def test_formats_give_classes_and_leave_columns_out(session: Session) -> None:
    session.run("T = readtable('types.csv', 'Format', '%*s%C%{dd.MM.yyyy}D%q');")
    assert session.holds("isequal(T.Properties.VariableNames, {'level', 'when', 'word'})")
    assert session.holds("iscategorical(T.level) && isequal(month(T.when), [1; 2])")
    with pytest.raises(MatlabError, match="conversion"):
        session.run("readtable('types.csv', 'Format', '%[^,]%s')")


def test_rows_and_columns_with_missing_fields(session: Session) -> None:
    session.run("o = detectImportOptions('titled.csv'); o.MissingRule = 'omitrow';")
    assert session.holds("isequal(readtable('titled.csv', o).Value, 1.5)")
    session.run("o.MissingRule = 'omitvar';")
    assert session.holds("width(readtable('titled.csv', o)) == 2")
    with pytest.raises(MatlabError, match="Missing data"):
        session.run("readtable('titled.csv', 'MissingRule', 'error')")
    assert session.holds(
        "isequal(readtable('titled.csv', 'EmptyValue', -1).Value, [1.5; -1]) && "
        "ischar(readtable('titled.csv', 'DurationType', 'text').Time{1})"
    )


def test_matrices_with_separators_and_options(session: Session) -> None:
    assert session.holds(
        "isequaln(readmatrix('german.csv', 'DecimalSeparator', ',', 'ThousandsSeparator', '.', "
        "'TreatAsMissing', '-', 'EmptyValue', 0), [1234.5 NaN; 0 NaN])"
    )
    session.run(
        "o = delimitedTextImportOptions('NumVariables', 2, 'DataLines', 2, 'Delimiter', ' ', "
        "'CommentStyle', '%'); o = setvartype(o, 'double');"
    )
    assert session.holds("isequal(readmatrix('remarks.txt', o), [1 2; 3 4])")
    assert session.holds("isequal(readmatrix('remarks.txt', 'CommentStyle', '%'), [1 2; 3 4])")


def test_cells_hold_dates_and_durations(session: Session) -> None:
    session.run(
        "writecell({1, 'a', datetime(2020, 1, 2); '', hours(1), true}, 'c.csv'); "
        "writelines(\"x,01:30:00,05-Feb-2021\", 'd.csv'); c = readcell('d.csv');"
    )
    assert session.holds("isequal(class(c{2}), 'duration') && isequal(class(c{3}), 'datetime')")
    assert session.holds("isequal(c{2}, minutes(90)) && month(c{3}) == 2")
    assert session.holds("ischar(readcell('d.csv', 'DatetimeType', 'text'){3})")
    assert session.holds("isstring(readcell('d.csv', 'TextType', 'string'){1})")


def test_quotes_of_written_texts(session: Session) -> None:
    session.run("writecell({'a', 1}, 'q.csv', 'QuoteStrings', 'all');")
    assert session.holds("strcmp(fileread('q.csv'), sprintf('\"a\",1\\n'))")
    session.run("writematrix(\"a,b\", 'q.csv', 'QuoteStrings', 'none');")
    assert session.holds("strcmp(fileread('q.csv'), sprintf('a,b\\n'))")


def test_several_delimiters_and_long_ones(session: Session) -> None:
    Path("area.txt").write_text('area: x=12..17, "y, z"=-3..-8\n')
    session.run('A = readmatrix("area.txt", Delimiter=["=", ", ", ".."]);')
    assert session.holds("isequaln(A, [NaN 12 17 NaN -3 -8])")
    session.run("C = readcell('area.txt', 'Delimiter', {'=', ', ', '..'});")
    assert session.holds("isequal(C, {'area: x', 12, 17, 'y, z', -3, -8})")
    session.run("T = readtable('area.txt', 'Delimiter', {'..', '='}, 'ReadVariableNames', false);")
    assert session.holds("width(T) == 5 && T.Var5 == -8")
    with pytest.raises(MatlabError, match="One delimiter is needed"):
        session.run("writematrix(1:3, 'out.txt', 'Delimiter', {',', ';'})")


def test_a_line_of_remarks_and_empty_lines_are_no_numbers(session: Session) -> None:
    Path("game.txt").write_text("91,17,64\n\n 8  3\n12 40\n\n 1  2\n")
    assert session.holds("isequal(readmatrix('game.txt'), [8 3; 12 40; 1 2])")
    Path("lines.csv").write_text("1,2\n\n,\n3,4\n")
    assert session.holds("isequaln(readmatrix('lines.csv'), [1 2; NaN NaN; 3 4])")
    assert session.holds("isequal(size(readcell('lines.csv')), [3 2])")


def test_complex_numbers_in_a_worksheet(session: Session) -> None:
    session.run("writetable(table([1+2i 3; 4 5]), 'c.xlsx'); C = readcell('c.xlsx');")
    assert session.holds("isequal(C(2, :), {1+2i, 3})")


TEXT = "a b,c\n1,x\n\n2, y ,7\n,,\nq,z\n"


@pytest.mark.parametrize(
    ("settings", "answer"),
    [
        ("", "isequaln(T.n, [1; 2; NaN; NaN]) && isequal(T.ExtraVar1, {''; '7'; ''; ''})"),
        ("o.ExtraColumnsRule = 'ignore';", "width(T) == 2"),
        ("o.DataLines = [4 Inf];", "isequaln(T.n, [2; NaN; NaN])"),
        ("o.DataLines = [2 4];", "isequal(T.n, [1; 2])"),
        ("o.DataLines = 5;", "height(T) == 2"),
        ("o.EmptyLineRule = 'read';", "height(T) == 5"),
        ("o.ImportErrorRule = 'omitrow';", "isequaln(T.n, [1; 2; NaN])"),
        ("o.ImportErrorRule = 'omitvar'; o.ExtraColumnsRule = 'ignore';", "width(T) == 1"),
        ("o.MissingRule = 'omitrow'; o.ExtraColumnsRule = 'ignore';", "height(T) == 3"),
        ("o = setvaropts(o, 't', 'WhitespaceRule', 'preserve');", 'T.t(2) == " y "'),
        ("o = setvaropts(o, 't', 'WhitespaceRule', 'trimleading');", 'T.t(2) == "y "'),
        ("o = setvaropts(o, 't', 'EmptyFieldRule', 'auto');", 'T.t(3) == ""'),
        ("o.LeadingDelimitersRule = 'keep';", "ismissing(T.t(3))"),
    ],
)
def test_rules_of_options_made_by_hand_hold(session: Session, settings: str, answer: str) -> None:
    Path("rules.csv").write_text(TEXT)
    session.run("o = delimitedTextImportOptions('NumVariables', 2); o.DataLines = [2 Inf];")
    session.run('o.Delimiter = \',\'; o.VariableNames = ["n" "t"];')
    session.run(f'o.VariableTypes = ["double" "string"]; {settings}')
    session.run("T = readtable('rules.csv', o);")
    assert session.holds(answer)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("ExtraColumnsRule", "1,2,3\n"),
        ("EmptyLineRule", "1,2\n\n3,4\n"),
        ("ConsecutiveDelimitersRule", "1,,2\n"),
        ("LeadingDelimitersRule", ",1\n"),
        ("TrailingDelimitersRule", "1,2,\n"),
        ("ImportErrorRule", "1,x\n"),
        ("MissingRule", "1,\n"),
    ],
)
def test_every_rule_can_make_an_error_of_it(session: Session, rule: str, text: str) -> None:
    Path("wrong.csv").write_text(text)
    session.run("o = delimitedTextImportOptions('NumVariables', 2, 'Delimiter', ',');")
    session.run("o.VariableTypes = {'double', 'double'}; o.DataLines = 1;")
    session.run("readtable('wrong.csv', o);")
    with pytest.raises(MatlabError, match=rule):
        session.run(f"o.{rule} = 'error'; readtable('wrong.csv', o);")
    with pytest.raises(MatlabError, match="must be one of"):
        session.run(f"o.{rule} = 'nonsense';")


def test_delimiters_next_to_each_other_are_one(session: Session) -> None:
    Path("wide.txt").write_text(";;1;;2\n;3;;;4\n")
    session.run("o = delimitedTextImportOptions('NumVariables', 2, 'Delimiter', ';');")
    session.run("o.ConsecutiveDelimitersRule = 'join'; o.LeadingDelimitersRule = 'ignore';")
    session.run("o = setvartype(o, 'double'); M = readmatrix('wide.txt', o);")
    assert session.holds("isequal(M, [1 2; 3 4])")


@pytest.mark.parametrize(
    ("area", "answer"),
    [
        ("'B2:C3'", "[1 2; 3 4]"),
        ("'B3'", "[3 4; 5 6]"),
        ("[2 2 3 3]", "[1 2; 3 4]"),
        ("[4 2]", "[5 6]"),
    ],
)
def test_data_of_a_worksheet_are_where_the_range_says(
    session: Session, area: str, answer: str
) -> None:
    session.run("writecell({'n', 'x', 'y'; 'a', 1, 2; 'b', 3, 4; 'c', 5, 6}, 's.xlsx');")
    session.run("o = spreadsheetImportOptions('NumVariables', 2); o.Sheet = 'Sheet1';")
    session.run(f'o.DataRange = {area}; o.VariableNames = ["p" "q"];')
    session.run('o.VariableTypes = ["double" "double"];')
    session.run("T = readtable('s.xlsx', o, 'UseExcel', false); M = readmatrix('s.xlsx', o);")
    assert session.holds(f"isequal([T.p T.q], {answer}) && isequal(M, {answer})")


def test_names_of_the_file_come_back(session: Session) -> None:
    Path("named.csv").write_text("a b,c\n1,2\n")
    session.run("o = detectImportOptions('named.csv'); first = o.VariableNames;")
    session.run("o.VariableNamingRule = 'preserve'; T = readtable('named.csv', o);")
    assert session.holds("isequal(first, {'aB', 'c'}) && isequal(T.('a b'), 1)")
    session.run("o.VariableNamingRule = 'modify'; T = readtable('named.csv', o);")
    assert session.holds("isequal(T.aB, 1)")


@pytest.mark.parametrize(
    "setting",
    ["o.VariableUnitsLine = 2;", "o.RowNamesColumn = 2;", "o.Whitespace = 'x';", "o.Nothing = 1;"],
)
def test_what_cannot_be_set_is_refused_by_name(session: Session, setting: str) -> None:
    session.run("o = delimitedTextImportOptions('NumVariables', 2);")
    with pytest.raises(MatlabError, match=setting.split(".")[1].split(maxsplit=1)[0]):
        session.run(setting)


def test_fixed_properties_take_what_they_are(session: Session) -> None:
    session.run("o = delimitedTextImportOptions('NumVariables', 2, 'Encoding', 'UTF-8');")
    session.run("o.Whitespace = '\\b\\t '; o.LineEnding = {'\\n'}; o.VariableUnitsLine = 0;")
    assert session.holds("strcmp(o.ExtraColumnsRule, 'addvars') && o.RowNamesColumn == 0")


def test_further_names_beside_options_are_honoured_or_refused(session: Session) -> None:
    Path("rows.csv").write_text("k,v\na,1\nb,2\n")
    session.run("o = detectImportOptions('rows.csv');")
    session.run("T = readtable('rows.csv', o, 'ReadRowNames', true);")
    assert session.holds("T{'b', 'v'} == 2")
    with pytest.raises(MatlabError, match="Nonsense"):
        session.run("readtable('rows.csv', o, 'Nonsense', 1);")
    with pytest.raises(MatlabError, match="UseExcel"):
        session.run("readtable('rows.csv', o, 'UseExcel', true);")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('k\n"a,b"\nc\n', "isequal(T.k, {'a,b'; 'c'})"),
        ('k v\n"a b" 1\n"say ""x""" 2\n', "isequal(T.k, {'a b'; 'say \"x\"'})"),
        ('k v\n5" 1\nb 2\n', "isequal(T.k, {'5\"'; 'b'})"),
    ],
)
def test_quoted_texts_between_blanks_stay_whole(session: Session, text: str, answer: str) -> None:
    Path("words.txt").write_text(text)
    session.run("T = readtable('words.txt');")
    assert session.holds(answer)
