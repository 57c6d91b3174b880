"""Operations and the parts of lines that they compute."""

from __future__ import annotations

from app.engine.run_rows import GroupRow, OperationRow
from app.ui.run_model.line_parts import REST, Part, ops_at, parts_of


def row(number: int, op: str, line: int, *columns: int) -> OperationRow:
    """An operation of the group."""
    return OperationRow(
        number, op, "single", (1, 1), (), line, (columns[0], columns[1]) if columns else (0, 0)
    )


# y = sin(x) .* x + 0.5;
GROUP = GroupRow(
    1,
    "elementwise",
    "wgpu",
    "fused",
    (),
    (6, 7, 8),
    operations=(
        row(0, "sin", 6, 4, 10),
        row(1, "times", 6, 4, 15),
        row(2, "plus", 6, 4, 21),
        row(3, "sum", 7, 4, 0),
        row(4, "rdivide", 7, 4, 0),
        row(5, "abs", 8),
    ),
)


def test_operations_have_parts() -> None:
    assert parts_of(GROUP, [0]) == [Part(6, 4, 10)]
    assert parts_of(GROUP, [0, 2]) == [Part(6, 4, 21), Part(6, 4, 10)]
    assert parts_of(GROUP, [3, 4]) == [Part(7, 4, REST)]
    assert parts_of(GROUP, [5]) == []


def test_the_smallest_part_around_the_caret_is_meant() -> None:
    assert ops_at(GROUP, Part(6, 5, 5)) == (0,)
    assert ops_at(GROUP, Part(6, 12, 12)) == (1,)
    assert ops_at(GROUP, Part(6, 18, 18)) == (2,)
    assert ops_at(GROUP, Part(6, 1, 1)) == ()
    assert ops_at(GROUP, Part(7, 30, 30)) == (3, 4)
    assert ops_at(GROUP, Part(8, 3, 3)) == ()


def test_what_is_selected_is_meant() -> None:
    assert ops_at(GROUP, Part(6, 4, 15)) == (0, 1)
    assert ops_at(GROUP, Part(6, 0, 40)) == (0, 1, 2)
    assert ops_at(GROUP, Part(6, 11, 13)) == ()
