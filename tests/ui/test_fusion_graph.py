"""Groups as graphs, and where their nodes are placed."""

from __future__ import annotations

from itertools import combinations

from app.engine.run_rows import ArrayRow, GroupRow, OperationRow
from app.ui.run_model.fusion_graph import dot_text, inside, neighbours
from app.ui.run_model.graph_layout import arrange
from app.ui.run_model.kernel_text import annotated_kernel

LINE = ArrayRow((8, 1), "single", resident=True)


def op(ident: int, name: str, *args: int, line: int = 0, back: int | None = None) -> OperationRow:
    """An operation's row."""
    shape = (1, 1) if name == "sum" else (8, 1)
    return OperationRow(ident, name, "single", shape, args, line or ident, back=back)


def group(number: int, *operations: OperationRow, sources: tuple[int, ...] = ()) -> GroupRow:
    """A group that stores its last operation."""
    return GroupRow(
        number,
        "elementwise",
        "wgpu",
        "fused",
        tuple(row.op for row in operations),
        (1,),
        (LINE,),
        (LINE,),
        operations=operations,
        stored=(operations[-1].id,),
        sources=sources,
    )


def test_edges_carry_arrays_and_say_what_is_new() -> None:
    nodes, edges = inside(group(1, op(2, "sin", -1), op(3, "times", 2, -1), op(5, "sum", 3)))
    assert [n.text for n in nodes] == ["■ 8×1 single", "sin", "times", "sum", "■ 8×1 single"]
    told = {(e.start[0], e.start[2], e.end[0], e.end[2]): e.told for e in edges}
    assert told == {
        ("in", 0, "op", 2): False,
        ("op", 2, "op", 3): False,
        ("in", 0, "op", 3): False,
        ("op", 3, "op", 5): False,
        ("op", 5, "out", 0): False,
    }
    random = group(1, op(2, "random"), op(3, "sum", 2), op(4, "sqrt", 3))
    assert [e.text for e in inside(random)[1] if e.told] == ["8×1 single", "1×1 single"]


def test_what_a_loop_carries_goes_back() -> None:
    loop = group(1, op(1, "fill"), op(2, "carry", 1, back=3), op(3, "plus", 2, -1))
    back = [e for e in inside(loop)[1] if e.back]
    assert [(e.start, e.end) for e in back] == [(("op", 1, 3), ("op", 1, 2))]
    assert "op3 -> op2" in dot_text(loop)


def test_straight_runs_of_long_groups_are_one_node_until_they_are_opened() -> None:
    long = group(1, op(1, "sin", -1), *(op(k, "plus", k - 1) for k in range(2, 41)))
    nodes, _ = inside(long)
    assert [n.text for n in nodes] == ["■ 8×1 single", "sin … plus (40)", "■ 8×1 single"]
    assert len(inside(long, [1])[0]) == 42


def test_neighbours_read_and_are_read() -> None:
    rows = {n: group(n, op(1, "sin", -1), sources=(n - 1,)) for n in (1, 2, 3)}
    assert neighbours(rows, 2) == ([1], [3])
    assert neighbours(rows, 3) == ([2], [])


def test_ranks_go_down_nodes_stay_apart_and_long_edges_bend() -> None:
    edges = [("x", "sin"), ("sin", "exp"), ("exp", "times"), ("x", "times"), ("c", "times")]
    keys = ("x", "c", "sin", "exp", "times")
    found = arrange(dict.fromkeys(keys, (40.0, 20.0)), edges, 10.0, 15.0)
    tops = {key: found.places[key][1] for key in keys}
    assert tops["x"] < tops["sin"] < tops["exp"] == tops["c"] < tops["times"]
    for one, other in combinations(keys, 2):
        (ax, ay), (bx, by) = found.places[one], found.places[other]
        assert ay != by or abs(ax - bx) >= 50.0 - 1e-6
    bends = found.bends["x", "times"]
    assert [y for _, y in bends] == [tops["sin"] + 10, tops["exp"] + 10]
    for (x, _), beside in zip(bends, ("sin", "exp"), strict=True):
        left = found.places[beside][0]
        assert not left < x < left + 40


def test_lines_of_a_kernel_are_tied_to_the_operations_of_the_group_that_is_shown() -> None:
    source = (
        "fn point() {\n    let v2_0 = sin(x);  // line 7\n    let x3 = normal_quad_f32(a);\n}\n"
    )
    shown = annotated_kernel(source, [op(2, "sin", line=12), op(3, "random_normal", line=13)])
    assert shown.text.split("\n")[1:3] == [
        "    let v2_0 = sin(x);  // line 12: sin",
        "    let x3 = normal_quad_f32(a);  // line 13: random_normal",
    ]
    assert (shown.lines([2, 3]), shown.op_at) == ([1, 2], {1: 2, 2: 3})
    assert "line" not in annotated_kernel(source, []).text
