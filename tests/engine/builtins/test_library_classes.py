"""Classes and functions of the library that are written in the language itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

ROWS = (
    "t = datetime(2020,1,1,[0 6 30 50],0,0)'; T = timetable(t, [1;2;3;4], 'VariableNames', {'a'});"
)
SQUARE = "T = triangulation([1 2 3; 2 4 3], [0 0; 1 0; 0 1; 1 1]);"
RING = "P = polyshape([0 0 4 4 NaN 1 1 2 2], [0 4 4 0 NaN 1 2 2 1]);"
STREAM = "s = RandStream('mt19937ar', 'Seed', 1); a = rand(s, 1, 3);"
CASES = [
    (SQUARE, "isequal(T(2, :), [2 4 3]) && isequal(T.Points(4, :), [1 1])"),
    (STREAM + "rng(1, 'twister'); b = rand(1, 3);", "isequal(a, b)"),
    ("rng(5); b = rand; rng(5);" + STREAM + "c = rand;", "b == c"),
    (STREAM + "kept = s.State; b = rand(s, 2); s.State = kept;", "isequal(b, rand(s, 2))"),
    ("[s, t] = RandStream.create('mt19937ar', 'Seed', 3);", "rand(s) ~= rand(t)"),
    (
        "c = cvpartition(11, 'KFold', 3); t = [c.test(1) c.test(2) c.test(3)];",
        "all(sum(t, 2) == 1) && isequal(sort(c.TestSize), [3 4 4]) && all(c.training(2) == ~t(:, 2))",
    ),
    (
        "c = cvpartition([ones(1, 8) 2*ones(1, 4)], 'KFold', 4); t = test(c, 2);",
        "isequal(c.TestSize, [3 3 3 3]) && nnz(t(1:8)) == 2",
    ),
    (
        "c = cvpartition(repmat({'a'; 'b'}, 10, 1), 'HoldOut', 0.2); t = c.test;",
        "c.TestSize == 4 && nnz(t(1:2:end)) == 2 && cvpartition(5, 'LeaveOut').NumTestSets == 5",
    ),
    (STREAM + "reset(s);", "isequal(rand(s, 1, 3), a)"),
    (
        STREAM + "reset(s); o = RandStream.setGlobalStream(s); b = rand(1, 3);"
        "RandStream.setGlobalStream(o);",
        "isequal(a, b)",
    ),
    (
        "g = RandStream.getGlobalStream; kept = g.State; a = rand(1, 3); g.State = kept;"
        "c = RandStream.create('mrg32k3a', 'NumStreams', 3, 'CellOutput', true);"
        "s = RandStream.create('mrg32k3a', 'NumStreams', 3, 'StreamIndices', 2);",
        "isequal(a, rand(1, 3)) && numel(c) == 3 && rand(c{2}) == rand(s)",
    ),
    (SQUARE, "isequal(edges(T), [1 2; 1 3; 2 3; 2 4; 3 4])"),
    (SQUARE, "isequal(sortrows(sort(freeBoundary(T), 2)), [1 2; 1 3; 2 4; 3 4])"),
    (SQUARE + "[c, r] = circumcenter(T);", "norm(c - 0.5) < 1e-12 && norm(r - sqrt(0.5)) < 1e-12"),
    (SQUARE, "isequaln(pointLocation(T, [0.2 0.2; 5 5]), [1; NaN])"),
    (SQUARE, "isequaln(neighbors(T), [2 NaN NaN; NaN 1 NaN])"),
    (
        "D = delaunayTriangulation([0 1 0 1 0.5]', [0 0 1 1 0.5]');",
        "size(D.ConnectivityList, 1) == 4 && numel(convexHull(D)) == 5",
    ),
    (RING, "area(P) == 15 && P.NumHoles == 1 && P.NumRegions == 1 && perimeter(P) == 20"),
    (RING, "isequal(isinterior(P, [1.5 3], [1.5 3]), [false; true])"),
    (RING + "Q = rotate(rmholes(P), 90);", "abs(area(Q) - 16) < 1e-9"),
    (RING + "Q = subtract(rmholes(P), P);", "isequal(sortrows(Q.Vertices), [1 1; 1 2; 2 1; 2 2])"),
    (
        RING + "Q = union(P, translate(P, 4, 0));",
        "area(Q) == 30 && Q.NumHoles == 2 && Q.NumRegions == 1",
    ),
    (RING + "Q = xor(P, P);", "isequal(size(Q.Vertices), [0 2]) && area(union(P, P)) == 15"),
    (RING + "Q = translate(P, 4, 4);", "~overlaps(P, Q) && union(P, Q).NumRegions == 2"),
    (RING + "Q = union([P, translate(P, 1, 0), translate(P, 2, 0)]);", "area(Q) == 24"),
    (
        RING + "Q = intersect([P, rmholes(P), polyshape([0 9 9 0], [0 0 1.5 1.5])]);",
        "area(Q) == 5.5",
    ),
    (ROWS, "isequal(retime(T, 'daily', 'sum').a, [3; 3; 4])"),
    (ROWS, "isequal(retime(T, 'daily', 'mean').a, [1.5; 3; 4])"),
    (ROWS, "retime(T, datetime(2020,1,1,3,0,0), 'linear').a == 1.5"),
    (ROWS, "isequaln(retime(T, [t(1); datetime(2021,1,1)]).a, [1; NaN])"),
    (
        ROWS + "S = synchronize(T, timetable(t([1 3]), [10; 30], 'VariableNames', {'b'}));",
        "isequaln([S.a S.b], [1 10; 2 NaN; 3 30; 4 NaN])",
    ),
    (
        "d = arrayDatastore(magic(4), 'ReadSize', 3, 'IterationDimension', 2, 'OutputType', 'same');"
        "a = read(d); b = read(d);",
        "isequal([a b], magic(4)) && size(a, 2) == 3 && ~hasdata(d) && progress(d) == 1",
    ),
    (
        "d = arrayDatastore((1:3)'); read(d); c = read(d);",
        "isequal(c, {2}) && numel(readall(d)) == 3",
    ),
]
ALGEBRAIC = """
M = diag([1 0]); f = @(t, y) [-y(1); y(1) + y(2) - 1];
[t, y, te] = deal([]);
o = odeset('Mass', M, 'Events', @(t, y) deal(y(1) - 0.5, 1, 0));
[t, y, te, ye] = SOLVER(f, [0 5], [1; 7], o);
[s, w] = SOLVER(f, [0 0.5 1], [1; 0], odeset('Mass', @(t, y) sparse(M), 'RelTol', 1e-6));
"""
IMAGES = """
mkdir('cat'); mkdir('dog');
imwrite(uint8(zeros(4)), 'cat/a.png'); imwrite(uint8(ones(4)), 'dog/b.png');
imwrite(uint8(2*ones(4)), 'dog/c.png');
ds = imageDatastore(pwd, 'IncludeSubfolders', true, 'LabelSource', 'foldernames');
[p, q] = splitEachLabel(ds, 1); total = 0;
while hasdata(ds), total = total + sum(read(ds), 'all'); end
"""


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_the_language(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)


def test_images_are_read_one_by_one(session: Session, tmp_path: Path) -> None:
    session.run(f"old = cd('{tmp_path}');{IMAGES}cd(old);")
    assert session.holds("numel(ds.Files) == 3 && total == 48")
    assert session.holds("isequal(cellstr(ds.Labels), {'cat'; 'dog'; 'dog'})")
    assert session.holds("numel(p.Files) == 2 && numel(q.Files) == 1")


def test_files_are_read_one_by_one(session: Session, tmp_path: Path) -> None:
    session.run(
        f"old = cd('{tmp_path}'); writematrix([1 2], 'a.csv'); writematrix([3 4], 'b.csv');"
        "d = fileDatastore('*.csv', 'ReadFcn', @readmatrix, 'UniformRead', true);"
        "x = read(d); [y, info] = read(d); z = readall(d); cd(old);"
    )
    assert session.holds("isequal([x; y], z) && isequal(z, [1 2; 3 4]) && ~hasdata(d)")
    assert session.holds("endsWith(info.Filename, 'b.csv')")


@pytest.mark.parametrize("solver", ["ode15s", "ode23t"])
def test_a_singular_mass_matrix_makes_equations_algebraic(session: Session, solver: str) -> None:
    session.run(ALGEBRAIC.replace("SOLVER", solver))
    assert session.holds("abs(y(1, 2)) < 1e-9 && abs(te - log(2)) < 1e-3")
    assert session.holds("max(abs(sum(y, 2) - 1)) < 1e-6 && abs(ye(1) - 0.5) < 1e-6")
    assert session.holds("isequal(s', [0 0.5 1]) && norm(w(:, 1) - exp(-s)) < 1e-5")


def test_other_solvers_refuse_a_singular_mass_matrix(session: Session) -> None:
    with pytest.raises(MatlabError, match="use ode15s or ode23t"):
        session.run("ode45(@(t, y) -y, [0 1], [1; 1], odeset('Mass', [1 0; 0 0]));")


CROSSED = """
rng(4); ok = true; whole = 0;
for k = 1:12
    A = polyshape(randi(6, 1, 6), randi(6, 1, 6)); B = polyshape(rand(1, 7)*6, randi(6, 1, 7));
    U = union(A, B); I = intersect(A, B); S = subtract(A, B); X = xor(A, B);
    q = rand(200, 2)*8 - 1; a = odd(A, q); b = odd(B, q);
    ok = ok && isequal(odd(U, q), a | b) && isequal(odd(I, q), a & b);
    ok = ok && isequal(odd(S, q), a & ~b) && isequal(odd(X, q), xor(a, b));
    whole = max(whole, abs(area(U) - area(I) - area(X)));
end
function in = odd(P, q)
in = false(size(q, 1), 1); v = [zeros(0, 2); P.Vertices; NaN NaN]; s = 1;
for k = find(isnan(v(:, 1)))'
    r = v(s:k - 1, :); s = k + 1; w = r([2:end, 1:min(1, end)], :);
    for j = 1:size(r, 1)
        x = r(j, 1) + (q(:, 2) - r(j, 2))./(w(j, 2) - r(j, 2)).*(w(j, 1) - r(j, 1));
        in = xor(in, (r(j, 2) <= q(:, 2)) ~= (w(j, 2) <= q(:, 2)) & q(:, 1) < x);
    end
end
end
"""


def test_polygons_that_cross_themselves_and_share_edges_are_overlaid_point_by_point() -> None:
    session = Session()
    session.run(CROSSED)
    assert session.holds("ok && whole < 1e-9")
