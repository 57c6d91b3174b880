"""Graphs: what is known of small ones, and what must hold of any."""

from __future__ import annotations

import pytest

from tests.engine.builtins.engine_session import Session

WEB = "G = digraph([1 2 2 3 3 3 4 5 5 5 8 8], [2 3 4 1 4 5 5 3 6 7 9 10]);"
BUCKY = "rng(3); A = triu(rand(30) < 0.15, 1); W = A .* rand(30); H = graph(W + W');"
NAMED = "N = graph({'a' 'b' 'c'}, {'b' 'c' 'a'}, [3 4 9]);"
CASES = [
    (WEB, "isequal(conncomp(G), [4 4 4 4 4 6 5 1 3 2])"),
    (WEB, "isequal(conncomp(G, 'Type', 'weak'), [1 1 1 1 1 1 1 2 2 2])"),
    (WEB, "isdag(condensation(G)) && numnodes(condensation(G)) == 6"),
    (WEB, "isequal(transclosure(transreduction(G)).Edges, transclosure(G).Edges)"),
    (WEB, "isequal(full(adjacency(flipedge(G))), full(adjacency(G))')"),
    (WEB + "I = full(incidence(G));", "isequal(sum(I), zeros(1, 12)) && all(sum(abs(I)) == 2)"),
    (WEB + "p = [3 1 2 10 9 8 7 6 5 4];", "isisomorphic(G, reordernodes(G, p))"),
    (WEB, "isequal(reordernodes(reordernodes(G, [2:10 1]), [10 1:9]).Edges, G.Edges)"),
    (BUCKY + "D = distances(H);", "max(abs(D - D'), [], 'all') < 1e-12 && all(diag(D) == 0)"),
    (
        BUCKY
        + "D = distances(H); [i, j] = find(isfinite(D), 1, 'last'); [p, d, e] = shortestpath(H, i, j);",
        "abs(sum(H.Edges.Weight(e)) - d) < 1e-12 && d == D(i, j) && numel(p) == numel(e) + 1",
    ),
    (
        BUCKY + "T = minspantree(H, 'Type', 'forest');",
        "numedges(T) == 30 - max(conncomp(H)) && ~hascycles(T)",
    ),
    (BUCKY, "isequal(full(laplacian(H)), diag(degree(H)) - full(adjacency(H)))"),
    (BUCKY + "B = rmedge(H, 1:numedges(H));", "max(conncomp(B)) == 30"),
    (BUCKY + "x = shortestpathtree(H, 1);", "numedges(x) == sum(isfinite(distances(H, 1))) - 1"),
    (
        "F = digraph([1 1 2 2 3 4 4 5], [2 3 3 4 5 3 6 6], [8 9 2 7 6 1 4 5]); [m, f, cs, ct] = maxflow(F, 1, 6);"
        "cut = F.Edges(ismember(F.Edges.EndNodes(:, 1), cs) & ismember(F.Edges.EndNodes(:, 2), ct), :);",
        "m == 9 && sum(cut.Weight) == m",
    ),
    (NAMED, "isequal(shortestpath(N, 'a', 'c'), {'a' 'b' 'c'}) && distances(N, 'a', 'c') == 7"),
    (
        NAMED + "N.Edges.Weight(1) = 1; N.Nodes.Size = [5; 6; 7];",
        "isequal(N.Edges.Weight, [1; 9; 4]) && N.Nodes.Size(2) == 6",
    ),
    (
        NAMED + "M = addedge(N, 'c', 'd', 2);",
        "isequal(M.Nodes.Name, {'a'; 'b'; 'c'; 'd'}) && degree(M, 'd') == 1",
    ),
    (NAMED, "isequal(rmnode(N, 'b').Edges.EndNodes, {'a' 'c'})"),
    ("S = graph([1 1 1], [2 3 4]);", "isequal(centrality(S, 'betweenness'), [3; 0; 0; 0])"),
    (
        "S = graph([1 1 1], [2 3 4]);",
        "norm(centrality(S, 'closeness') - [1/3; 1/5; 1/5; 1/5]) < 1e-12",
    ),
    ("T = bfsearch(graph([1 1 2 3], [2 3 4 4]), 1, 'edgetonew');", "isequal(T, [1 2; 1 3; 2 4])"),
    (
        "p = plot(graph([1 2 3], [2 3 1], [1 1 1]), 'Layout', 'circle');",
        "norm(hypot(p.XData, p.YData) - 1) < 1e-12 && isequal(p.NodeLabel, {'1' '2' '3'})",
    ),
    (
        "p = plot(digraph([1 1 2 3], [2 3 4 4]), 'Layout', 'layered');",
        "isequal(p.YData, [3 2 2 1])",
    ),
    (
        "t = ''; try, shortestpath(graph(1, 2), 1, 5); catch e, t = e.identifier; end",
        "strcmp(t, 'MATLAB:graphfun:graphbuiltin:InvalidNodeID')",
    ),
    (
        "t = ''; try, toposort(digraph([1 2], [2 1])); catch e, t = e.identifier; end",
        "strcmp(t, 'MATLAB:graphfun:toposort:DirectedCycle')",
    ),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_graphs(session: Session, before: str, truth: str) -> None:
    session.run(before)
    assert session.holds(truth)


def test_a_graph_shows_its_tables(session: Session) -> None:
    shown = session.run("G = digraph([1 2], [2 3], [4 5])")
    assert "digraph with properties:" in shown
    assert "Edges: [2×2 table]" in shown
