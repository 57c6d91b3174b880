"""Dates, tables and categoricals: arithmetic, indexing, assignment and what they look like."""

from __future__ import annotations

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    "text",
    [
        "isequal(datetime(2020,1,31) + calmonths(1:2), datetime(2020,[2 3],[29 31]))",
        "hours(datetime(2020,1,2) - datetime(2020,1,1)) == 24",
        "isequal(datetime(2020,1,1):datetime(2020,1,3), datetime(2020,1,1:3))",
        "isequal(sort(datetime(2020,1,[3 1 2]), 'descend'), datetime(2020,1,3:-1:1))",
        "strcmp(char(datetime(2020,1,2,3,4,5.678,'Format','yyyy-MM-dd HH:mm:ss.SSS')), "
        "'2020-01-02 03:04:05.678')",
        "isequal(datetime('5/6/2021','InputFormat','d/M/yyyy'), datetime(2021,6,5))",
        "isnat(datetime({'2020-01-01',''})) == [false true]",
        "datetime(2020,7,1,12,0,0,'TimeZone','Europe/Paris') == "
        "datetime(2020,7,1,10,0,0,'TimeZone','UTC')",
        "isequal(seconds([30 90]) / minutes(1), [0.5 1.5])",
        "strcmp(char(duration(25, 1, 2)), '25:01:02')",
        "isequal(sum(hours(1:3)), hours(6)) && max(minutes([1 5 2])) == minutes(5)",
        "strcmp(char(between(datetime(2019,1,31), datetime(2020,3,1))), '1y 1mo 1d')",
        "strcmp(datestr([2005 12 18 2 33 17], 'dd/mm/yy HH:MM PM'), '18/12/05  2:33 AM')",
        "isequal(datevec('07-Sep-2000 15:38:09'), [2000 9 7 15 38 9])",
        "isequal(weekday({'19-Dec-1994','01-Feb-2024'}), [2; 5])",
    ],
)
def test_dates(session: Session, text: str) -> None:
    assert session.holds(f"all({text})")


def test_what_dates_look_like(session: Session) -> None:
    assert session.run("t = datetime(2020,1,[1 2])") == (
        "t = \n\n  1×2 datetime array\n\n   01-Jan-2020   02-Jan-2020\n\n"
    )
    assert session.run("d = hours(2)") == "d = \n\n  duration\n\n   2 hr\n\n"


def test_what_a_table_looks_like(session: Session) -> None:
    session.run("Name = {'Smith'; 'Al'}; Age = [38; 4]; Ok = [true; false];")
    assert session.run("T = table(Name, Age, Ok)") == (
        "T = \n\n  2×3 table\n\n"
        "      Name       Age     Ok  \n"
        "    _________    ___    _____\n"
        "\n"
        "    {'Smith'}    38     true \n"
        "    {'Al'   }     4     false\n\n"
    )


def test_table_indexing_and_assignment(session: Session) -> None:
    session.run(
        "T = table([1;2;3], {'a';'b';'c'}, 'VariableNames', {'x','k'}, "
        "'RowNames', {'r1','r2','r3'});"
    )
    assert session.holds("isequal(T{'r2','x'}, 2) && isequal(T.k{3}, 'c')")
    assert session.holds("isequal(T(T.x > 1, :).Properties.RowNames, {'r2';'r3'})")
    session.run("T.x(2) = 20; T.y = T.x * 2; T{'r1','y'} = 7; T.k = []; T(3,:) = [];")
    assert session.holds("isequal(T{:,:}, [1 7; 20 40]) && isequal(size(T), [2 2])")
    session.run("T.Properties.VariableNames{1} = 'z'; T(end+1,:) = {9, 8};")
    assert session.holds("isequal(T.z, [1; 20; 9]) && T.y(end) == 8")
    with pytest.raises(MatlabError, match="Unrecognized table variable name 'nope'"):
        session.run("T(:, 'nope')")
    with pytest.raises(MatlabError, match="must match the height"):
        session.run("T.bad = [1; 2];")
    session.run("T.(2) = T.(1) + 1; T.(3) = [4; 5; 6]; T.(1)(2) = 0; n = 3;")
    assert session.holds("isequal(T{:,:}, [1 2 4; 0 21 5; 9 10 6]) && T.(n)(end) == 6")
    with pytest.raises(MatlabError, match="Variable index exceeds table dimensions"):
        session.run("T.(4)")


@pytest.mark.parametrize("text", ["s.(1);", "s.(1) = 2;", "s.(1).b = 2;", "s(2).(1) = 3;"])
def test_a_number_names_no_field_of_a_structure(session: Session, text: str) -> None:
    session.run("s = struct('a', 1);")
    with pytest.raises(MatlabError, match="valid field name"):
        session.run(text)


@pytest.mark.parametrize(
    "text",
    [
        "isequal(sortrows(T, 'x', 'descend').x, [3; 2; 1])",
        "isequal(varfun(@sum, T, 'GroupingVariables', 'g').sum_x, [4; 2])",
        "isequal(groupsummary(T, 'g', 'max').max_x, [3; 2])",
        "isequal(innerjoin(T, table({'u'}, 5, 'VariableNames', {'g','w'})).w, [5; 5])",
        "isequaln(outerjoin(T, table({'u';'n'}, [5;6], 'VariableNames', {'g','w'}), "
        "'MergeKeys', true).w, [6; 5; 5; NaN])",
        "isequal(join(T, table({'v';'u'}, [1;2], 'VariableNames', {'g','w'})).w, [2; 1; 2])",
        "isequal([T; T].x, [1;2;3;1;2;3])",
        "isequal(table2struct(T(2,:)), struct('g', 'v', 'x', 2))",
        "isequal(struct2table(table2struct(T)), T)",
        "isequal(unique(T(:, 'g')).g, {'u';'v'})",
        "isequal(rowfun(@(g, x) x * 2, T, 'OutputFormat', 'uniform'), [2; 4; 6])",
    ],
)
def test_functions_of_tables(session: Session, text: str) -> None:
    session.run("T = table({'u';'v';'u'}, [1;2;3], 'VariableNames', {'g','x'});")
    assert session.holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "isequal(c == 'red', [true false true])",
        "isequal(categories([c categorical({'blue'})]), {'green';'red';'blue'})",
        "isequal(categories(renamecats(c, 'red', 'r')), {'green';'r'})",
        'isequal(string(sort(c)), ["green" "red" "red"])',
        "isequal(o < 'hi', [true false]) && max(o) == 'hi'",
        "isundefined(categorical({'x'}, {'y'}))",
    ],
)
def test_categoricals(session: Session, text: str) -> None:
    session.run("c = categorical({'red','green','red'});")
    session.run("o = categorical({'lo','hi'}, {'lo','hi'}, 'Ordinal', true);")
    assert session.holds(text)


def test_dictionaries_are_values(session: Session) -> None:
    session.run('a = dictionary(["x" "y"], [1 2]); b = a; b("x") = 9; b("z") = 3; b("y") = [];')
    assert session.holds('a("x") == 1 && isequal(keys(b), ["x"; "z"]) && numEntries(a) == 2')
    with pytest.raises(MatlabError, match="Key not found"):
        session.run('a("none")')


@pytest.mark.parametrize(
    ("statement", "made"),
    [
        ("t.N(2) = 5", "[0; 5; 0]"),
        ("t.('N')(3) = single(5)", "single([0; 0; 5])"),
        ("t.N(2, :) = [1 2]", "[0 0; 1 2; 0 0]"),
        ("t.N(2) = true", "[false; true; false]"),
        ('t.N(1) = "a"', '["a"; missing; missing]'),
        ("t.N{2} = 'a'", "{[]; 'a'; []}"),
        ("t.N(1) = datetime(2020, 1, 1)", "[datetime(2020, 1, 1); NaT; NaT]"),
        ("t{2, 'N'} = 7", "[0; 7; 0]"),
        ("t{2:3, {'N'}} = [7; 8]", "[0; 7; 8]"),
    ],
)
def test_storing_into_a_variable_that_is_not_there_makes_it(
    session: Session, statement: str, made: str
) -> None:
    session.run(f"t = table([1; 2; 3]); {statement};")
    assert session.holds(f"isequaln(t, table([1; 2; 3], {made}, 'VariableNames', {{'Var1' 'N'}}))")
    session.run(f"s.t = table([1; 2; 3]); s.{statement};")
    assert session.holds("isequaln(s.t, t)")


def test_several_new_variables_at_once(session: Session) -> None:
    session.run('t = table([1; 2]); t{:, ["A" "B"]} = [3 4; 5 6]; t{1, 4} = 9;')
    assert session.holds("isequal(t.Properties.VariableNames, {'Var1' 'A' 'B' 'Var4'})")
    assert session.holds("isequal(t{:, :}, [1 3 4 9; 2 5 6 0])")


def test_a_store_behind_the_end_of_a_variable_lengthens_its_table(session: Session) -> None:
    session.run('lastwarn(\'\'); t = table([1; 2], ["a"; "b"]); t.Var1(end + 1) = 7; t.N(5) = 1;')
    assert session.holds("isequal(t.Var1, [1; 2; 7; 0; 0]) && isequal(t.N, [0; 0; 0; 0; 1])")
    assert session.holds('isequaln(t.Var2, ["a"; "b"; missing; missing; missing])')
    assert session.holds("contains(lastwarn, 'added rows to the table')")
    session.run("t.Properties.RowNames = {'p' 'q' 'r' 's' 't'}; t.Var1(7) = 3;")
    assert session.holds("isequal(t.Properties.RowNames{7}, 'Row7') && height(t) == 7")
    with pytest.raises(MatlabError, match="must match the height"):
        session.run("t = table([1; 2; 3]); t.N = [1; 2];")


def test_a_table_without_rows_and_variables_stands_beside_and_below_any(session: Session) -> None:
    session.run("T = table; for k = 1:3, T = [T; table(k, k^2, 'VariableNames', {'a', 'b'})]; end")
    assert session.holds("isequal(T, [table, T], [T, table], [T; table], vertcat(table(), T, []))")
    assert session.holds("isequal(T.b, [1; 4; 9]) && isequal(size([table; table]), [0 0])")
    assert session.holds("isequal(size([timetable; timetable(seconds(1), 2)]), [1 1])")
    assert session.holds("istimetable([timetable; timetable]) && isempty(timetable)")
    with pytest.raises(MatlabError, match="same variable names"):
        session.run("[T(:, []); T]")


def test_tables_in_tables_are_shown_in_time_that_grows_as_they_do() -> None:
    session = Session()
    session.run("T = table(1); for k = 1:40, T = table(T); end, t = evalc('T');")
    assert session.holds("count(t, 'Var1') == 41 && endsWith(strtrim(t), '1')")
    session.run("c = evalc('T = table(table(table(2), 5), {7})');")
    assert session.holds("count(c, 'Var1') == 3 && count(c, 'Var2') == 2")
