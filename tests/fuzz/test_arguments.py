"""A part of the campaign of changed examples for every run of the tests, and what it found."""

from __future__ import annotations

import random
import zlib

import pytest
from scipy import signal, stats

from app.engine.protocol import ErrorRaised
from tests.fuzz import arguments, programs

LOADED = (signal, stats)
"""Libraries that take seconds to load on a busy machine: no run is to be stopped for that."""
FOUND = """
treeplot(single(3e38))
reshape('', '', '', '')
polyfit(int32(5), int32(5), int32(5))
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
triplot(NaN, [0 1 0], [0 0 1])
ismember(table([1; 2]), {'z', 'b'})
d = hours(1); d.Format = 'nosuchoption';
duration(1, 2, 3, 'Format', 'hh:ss')
cellfun(@(x) error('q:w', 'z'), {1, 2}, 'ErrorHandler', 0.5)
accumarray([1; 3], [5; 6], [], {1, 2})
rowfun(3, table([1; 2]), 'OutputFormat', 'cell')
nlfilter([1 2 3], [1 3], single([1 2 3]))
q = parallel.pool.DataQueue; afterEach(q, dictionary()); send(q, 1); drawnow
split(calendarDuration(1, 2, 3))
compose(strings(0), [1 2])
imwrite(uint16(ones(3, 3, 3)), [tempname '.png'])
imwrite(ones(3), [tempname '.png'], 'Alpha', 1)
kalman(1:3000, 3, 1)
gauss2mf(0:5)
[x, y, z] = meshgrid(1:4); slice(y, x, x + y, 2, [], 3, z)
[x, y] = meshgrid(0:4); streamslice(x, y, ones(5), zeros(1:3))
reordercats(categorical({'a', 'b'}), 1:3)
reordercats(categorical({'a', 'b'}), [1 1])
native2unicode(uint8([1 2]), char(0))
localtime(Inf)
cheb2ord(0.2, 0.4, 1, 40, [1+2i 3])
p = plot(graph(1, 2)); labelnode(p, 2, [])
timetable([1; 2; 3], 'TimeStep', single([1 2 3]))
timetable([1; 2; 3], 'TimeStep', hours(1), 'StartTime', single(3))
isargout({1, 'a'})
scatter(1:3, "filled")
t = timer('TimerFcn', 'n = 1;'); delete(t, MException('a:b', 'c'))
tensorprod([1 2], [3; 4], 1e9, 1)
tensorprod([1 2], [3 4], 0)
downsample(1:6, 0)
downsample(1:6, -1)
downsample(1:6, 2, -1)
upsample(1:6, 2, 5)
predict(fitlm((1:3)', (2:4)'), table(1))
tensorprod([1 2], [3; 4], "all")
hammgen([])
movevars(table(1, 2), 'Var2', 'Before', uint8([]))
gensig(sparse([1 0; 0 2]), -0);
linspace(datetime(2020, 1, 1:2), int32([1 -2 3]));
TT=timetable(datetime(2020,1,[1;2;3]),[3;4;5]); isequal(TT(table([1; 2]),:).Var1,[3;5])
perms(table([1; 2]));
enbw(speye(3), 1);
bollinger(datetime(2020,1,1:9),datetime(2020,1,1:9));
a = plot(1:3); uistack(a, repmat('top',1,3));
isonormals(ones(4,4,3),[5 5]);
zoom([0 0 1]);
zoom(false);
findgroups(repmat({'b'; 'a'},2,2));
[U, T] = schur([1 2; 3 4]); ordschur(repmat(U,1,3), repmat(T,1,3), 'rhp');
ordschur([1 2 3],[1 2 3],10);
dst(datetime(2020,1,1:3),datetime(2020,1,1:3));
boxplot(table([1;2],[3;4]));
boxchart(table([1;2],[3;4]));
feather(table([1;2],[3;4]));
interpn('ab','b');
p = plot(graph([1 2], [2 3])); labeledge(p, 20, 'way');
p = plot(graph([1 2], [2 3])); labeledge(p);
strmatch(["ab" "cd"],"cd");
strmatch(["ab" "cd"],["ab" "cd"]);
pade(2, 1000)
cconv(1, 1, -1)
pie(table([1; 2]))
cluster(NaN(3))
spdiags(-Inf, -Inf)
copyobj(figure, gcf)
containsrange(table(1), table(1))
bode(tf(1, [1 1]), ss(eye(2), eye(2), eye(2), 0))
discretize(5, 5, 5)
mpoles(NaN)
fill(ones(2, 2, 2), ones(2, 2, 2), ones(2, 2, 2))
ezmeshc(@(x, y) x, [1 2 3])
triplot([1 2 9], [0 1 0], [0 0 1])
g = []; g(2) = hours(1)
T=table; T.x=1; T.y=polyshape([0 1 1], [0 0 1]); T(2,:)={2,"b"};
cd(char([104 55357 56832]));
nccreate('a.nc', char([104 55357 56832]));
r = mvncdf(1:26);
y = fft(1e10, 1e10, 1e10);
y = ifft([], 3, 1e10);
H = hadamard(2^63);
P = legendre(1e308, []);
r = vertcat(table(), categorical([]), 1, sparse(3, 0));
T = cluster(-5:5, 'MaxClust', 2);
T = cluster([1 2 1; 3 9 1], 'MaxClust', 2);
C = confusionmat({'a', 'b'}, [1 2]);
findpeaks(magic(4), [1 2])
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


def test_an_unusual_argument_is_named_with_what_is_unusual_and_the_functions_form() -> None:
    runs = programs.Runs()
    assert runs("cluster(NaN(3))") == ""
    said = next(e.message for e in runs.events if isinstance(e, ErrorRaised))
    form = "T = cluster(Z, 'MaxClust', n)"
    assert said == f"cluster cannot work with input number 1, which holds NaN. Its form is {form}."


@pytest.mark.parametrize(
    "code",
    [
        "[b, a] = stmcb(1:4, 200, 3); assert(numel(b) == 201)",
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
        "assert(isequal(size(nchoosek([1 2 3], 1e9)), [0 1e9]))",
        "assert(isequal(sum(hist3([0.5 0.5], [3 4]), 'all'), 1))",
        "S = sparse([true false]); assert(isequal(full(exp(S)), exp([1 0])), isa(cos(S), 'double'))",
        "assert(isa(abs(sparse(true)), 'double')); assert(isequal(full(log2(sparse(true))), 0))",
        "f = [tempname '.png']; imwrite(true(3, 3, 3), f); assert(isequal(imread(f), 255*ones(3, 3, 3)))",
        "assert(isequal(compose('%d', cat(3, [1 2], [3 4])), {'1', '2', '3', '4'}))",
        "d = hours(1.5); d.Format = 'hh:mm:ss.SSS'; assert(strcmp(char(d), '01:30:00.000'))",
        "T = table([1; 2]); T.Row = {'a'; 'b'}; assert(isequal(T.Row, {'a'; 'b'}))",
        "t = timetable(seconds([1; 2]), [1; 2]); t.Time = seconds([3; 4]);"
        " assert(isequal(t.Time, seconds([3; 4])))",
        "t(3) = datetime(2020, 1, 1); assert(isequal(isnat(t), [true true false]))",
        "f(2) = hours(1); assert(isequal(size(f), [1 2]) && f(2) == hours(1))",
        'c(1, 2) = categorical("a"); assert(isequal(ismissing(c), [true false]))',
        "assert(numel(powerset(hours(1:2))) == 4)",
        "assert(isempty(odeget(repmat(odeset('RelTol', 2), 1, 3), 'RelTol')))",
        "assert(isequal(is_leap_year(uint8([200 4])), [false true]))",
        "[~, v] = glpk([1 2], [1 2], 10); assert(v == 0)",
        "assert(isequal(compose(char(65), missing, 1), {'', 'A'}))",
        "assert(isequal(rescale(true(1, 2)), [0 0]) && linspace(true, false, 3)(2) == 0.5)",
        "assert(isequaln(imfill(NaN), NaN) && isempty(gcd(zeros(1, 0), 1)))",
        "[n, d] = pade(2, 3); assert(norm(polyval(n, 1i) / polyval(d, 1i) - exp(-2i)) < 1e-2)",
        "[b, a] = bilinear(0, [1 2], 10); assert(isequal(b, [0 0]) && numel(a) == 2)",
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
    """Each example has changes of its own, so that a new one gives the others no other ones."""
    found = []
    for line in campaign.lines:
        number = zlib.crc32(line.encode())
        if number % 40 == 3:
            code = campaign.around(arguments.changed(line, random.Random(number)))
            if said := campaign.problem(code):
                found.append(f"{code} {said}")
    assert not found, "\n".join(found)
