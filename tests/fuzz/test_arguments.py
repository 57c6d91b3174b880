"""A part of the campaign of changed examples for every run of the tests, and what it found."""

from __future__ import annotations

import random

import pytest

from tests.fuzz import arguments, programs

FOUND = """
treeplot(single(3e38))
[a, b] = mle(NaN)
num2str(1:3000, 1e18)
interp1('text', [1 8 27 64], 'spline', 'pp')
graycomatrix([1 1; 2 2], 'GrayLimits', int8(200))
addcats(categorical([1 2; 3 4]), 'q', 'Before', 'b')
intersect(axes, [2 3], 'stable')
timeit([NaN Inf -Inf])
timeit(1)
nthargout(2, [1 2], @size, [1 .5 .1])
nthargout(3, 2, @size, 1)
norm([1 2 3], 3, categorical({'a', 'b'}))
x = 1:3; x() = []
s = struct('a', {1, 2, 3}); s() = [];
d = dictionary(["a" "b"], [1 2]); d()
d = dictionary("a", 1); d("a", "b") = 2
T = table([1; 2], [3; 4]); T.Properties.VariableUnits = "a";
T = table([1; 2], [3; 4]); T.Properties.DimensionNames = 'x';
T = table([1; 2], [3; 4]); T.Properties.RowNames = {'a'};
T = table([1; 2], [3; 4]); T.Row = {'a', 'a'};
T = table([1; 2], [3; 4], 'RowNames', {'a'});
T = table(1); T = addprop(T, 'P');
T = table(1); T(2) = {2, "b"};
T = table(1); T{1} = 2;
timetable(datetime(2020, 1, [1; 2; 3]), 0.5)
TT = timetable(seconds([1; 2]), [1; 2]); TT.Time = seconds(1);
TT = timetable(seconds([1; 2]), [3; 4]); TT(timerange(seconds(1), seconds(zeros(0, 3))), :)
unstack(table([1; 1], ["a"; "b"], [1; 2]), 1:3, 'Var2')
d = datetime(2024, 1, 1); d.Day = ones(3, 3, 3) > 0;
datetime(2024, 1, 1):calmonths('text'):datetime(2024, 4, 1)
normalize([1 2 3], 'range', 'range')
histcounts(datetime(2024, [1 1 3], 5), 'month', 'BinMethod')
gallery('tridiag')
taylorwin(8, duration(NaN, 1, 1))
"""
"""Calls that ended as a bug of ours or with an object of Python's in their text."""


@pytest.fixture(scope="module")
def campaign() -> arguments.Arguments:
    return arguments.Arguments()


@pytest.mark.parametrize("code", FOUND.split("\n")[1:-1])
def test_a_wrong_argument_is_an_error_of_matlabs(code: str) -> None:
    runs = programs.Runs()
    assert runs(code) == ""
    assert runs.statuses == {"error": 1}
    assert not [e for e in runs.events if "<app." in getattr(e, "message", "")]


@pytest.mark.parametrize(
    "code",
    [
        "assert(isequal(compose('%d', int32([1 -2; 3 4])), {'1', '-2'; '3', '4'}))",
        'assert(isequal(compose("%d:%d", uint8([1 2]), uint8([3 4])), ["1:2" "3:4"]))',
        "assert(isequal(compose('%d', intmax('uint64')), {'18446744073709551615'}))",
        "h = figure; d = dictionary('a', h); assert(isequal(d('a'), h))",
        'd = dictionary("a", {[]}); assert(isempty(d("a"){1}))',
        's = tf(1, [1 1]); d = insert(dictionary, "a", s); assert(d.numEntries == 1)',
        "assert(isequal(arrayfun(@(x) x.Ts, tf(1, [1 1])), 0))",
        "assert(isequal(peak2peak([1 5], 3), [0 0]))",
        "assert(isequal(size(datasample(1:3, 4, 3)), [1 3 4]))",
        "d = datetime(30000, 1, 1, 'TimeZone', 'Europe/Paris'); assert(year(d) == 30000)",
        "assert(all(isnan(seconds(NaN):seconds(1):seconds(3))))",
        "T = table([1; 2]); T.Row = {'a'; 'b'}; assert(isequal(T.Row, {'a'; 'b'}))",
        "t = timetable(seconds([1; 2]), [1; 2]); t.Time = seconds([3; 4]);"
        " assert(isequal(t.Time, seconds([3; 4])))",
    ],
)
def test_what_was_refused_and_means_something(code: str) -> None:
    runs = programs.Runs()
    assert runs(code) == ""
    assert runs.statuses == {"ok": 1}, runs.events


def test_a_change_keeps_the_line_or_makes_another_of_it() -> None:
    lines = arguments.corpus()
    made = {arguments.changed("x = max([1 2 3], [], 2);", random.Random(k)) for k in range(300)}
    assert len(lines) > 3000
    assert len(made) > 150


def test_changed_examples_end_in_values_or_errors(campaign: arguments.Arguments) -> None:
    found = [said for seed in range(150) for said in campaign.findings(seed)]
    assert not found, "\n".join(found)
