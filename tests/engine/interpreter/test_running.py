"""Interruption, changed files, workspaces seen from outside."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from app.engine.values import Cell
from app.errors import Interrupted
from tests.engine.interpreter.running import Machine
from tests.support.machine_code import interpreted_loops
from tests.support.stopping import StoppedAfter


@pytest.mark.parametrize(
    "loop", ["while true, end", "for k = 1:1e12, x = k; end", "do, x = 1; until false"]
)
def test_stop_ends_a_loop_at_once(loop: str) -> None:
    # What a process does once, such as loading the compiler of loops, is no delay of a stop.
    Machine().run("for k = 1:1e5, x = k; end, k = 0; while k < 1e5, k = k + 1; end")
    machine = Machine()
    stopped = StoppedAfter(0.05, lambda: setattr(machine.host, "cancelled", True))
    with pytest.raises(Interrupted), stopped:
        machine.run(f"before = 1;\n{loop}")
    assert stopped.spent < 0.2  # what is promised, with what compiles beside it
    assert machine.interpreter.workspace["before"] == 1.0


def test_no_thread_is_left_behind() -> None:
    before = threading.active_count()
    Machine().run("x = 1;")
    assert threading.active_count() == before


def test_a_changed_file_is_compiled_again(tmp_path: Path) -> None:
    file = tmp_path / "answer.m"
    machine = Machine()
    machine.interpreter.path.set_current(str(tmp_path))
    file.write_text("function r = answer(), r = 1; end\n")
    assert machine.value("answer()") == 1.0
    file.write_text("function r = answer(), r = 22; end\n")
    os.utime(file, (1, 1))
    assert machine.value("answer()") == 22.0


def test_a_new_file_shadows_a_builtin(tmp_path: Path) -> None:
    machine = Machine()
    machine.interpreter.path.set_current(str(tmp_path))
    assert machine.value("numel([1 2])") == 2.0
    (tmp_path / "numel.m").write_text("function r = numel(x), r = -1; end\n")
    assert machine.value("numel([1 2])") == -1.0


def test_functions_typed_at_the_command_line_stay_known() -> None:
    machine = Machine()
    machine.interpreter.context.evaluate("function r = twice(x), r = 2 * x; end", 0, "base")
    assert machine.value("twice(4)") == 8.0


def test_input_is_evaluated() -> None:
    assert Machine().value("input('? ')") == 42.0


def test_in_place_assignment_needs_a_sole_owner() -> None:
    machine = Machine()
    machine.run("a = zeros(1, 5); a(1) = 1; b = a; b(2) = 7; a(3) = 9;")
    assert machine.value("a").tolist() == [[1.0, 0.0, 9.0, 0.0, 0.0]]
    assert machine.value("b").tolist() == [[1.0, 7.0, 0.0, 0.0, 0.0]]


def test_growing_vectors_do_not_share_their_buffer() -> None:
    machine = Machine()
    machine.run("a = []; for k = 1:5, a(end+1) = k; end, b = a; a(end+1) = 6; b(end+1) = 60;")
    assert machine.value("a(6)") == 6.0
    assert machine.value("b(6)") == 60.0


def test_a_name_that_may_be_a_function_stays_one() -> None:
    machine = Machine()
    assert (
        machine.value("feval(str2func('@(x) cos(x) + exp(cos(x))'), 0)") == 1.0 + 2.718281828459045
    )
    machine.run("f = @(x) numel(x) + numel([x x]); r = f(1:3);")
    assert machine.value("r") == 9.0


def test_appended_columns_leave_other_holders_alone() -> None:
    machine = Machine()
    machine.run("x = zeros(50, 2); for k = 3:40, x(:, k) = k; end, y = x; y(:, end+1) = 7;")
    machine.run("x(:, end+1) = 8; z = y; z(1, end+5) = 1; c = cell(2, 2);")
    machine.run("for k = 1:30, c(:, k) = {k}; end, d = c; d(:, end+1) = {5}; c{2, 31} = 6;")
    assert machine.value("isequal(x(3, :), [0 0 3:40 8]) && isequal(y(3, :), [0 0 3:40 7])")
    assert machine.value("isequal(z(1, 40:46), [40 7 0 0 0 0 1])")
    assert machine.value("isequal(c(:, 30:31), {30 []; 30 6}) && isequal(d{1, 31}, 5)")


def test_a_complex_array_becomes_real_when_nothing_imaginary_is_left() -> None:
    machine = Machine()
    machine.run("x = [1i 2 3]; x(2) = 4i; a = isreal(x); x(1:2) = [5 6i]; b = isreal(x); x(2) = 7;")
    assert machine.value("~a && ~b && isreal(x) && isequal(x, [5 7 3])")


def test_vectors_and_texts_by_a_range_are_read_as_by_its_elements() -> None:
    machine = Machine()
    machine.run(
        "x = {1:6, (1:6)', 'abcdef', \"abc\", {1, 2, 3}, [1+2i 3 4 5], logical([1 0 1 1]),"
        " int8(1:5), single([4; 5; 6]), magic(4), 7, [], struct('a', {1, 2, 3}), @(t) t * 2};"
        "bounds = {1, 1; 2, 3; 3, 2; 1, 9; 0, 2; 1.5, 3; 2, 3.7; NaN, 2; int8(1), int8(2); 'a', 'b'};"
        "bad = {};"
        "for k = 1:numel(x), for b = 1:size(bounds, 1)\n v = x{k}; [p, q] = bounds{b, :};"
        " try, one = v(p:q); catch e, one = e.message; end;"
        " try, r = p:q; two = v(r); catch e, two = e.message; end;"
        " if ~isequaln(one, two) || ~strcmp(class(one), class(two)) || ~isequal(size(one), size(two)),"
        " bad{end+1} = [k b]; end, end, end"
    )
    assert machine.value("numel(bad)") == 0
    assert machine.value("numel(x)") == 14


GROWN = [
    ("c = {}; for k = 1:200, c(end + 1) = {sprintf('%d', k)}; end", "data"),
    ("c = {}; for k = 1:200, c{end + 1} = sprintf('%d', k); end", "data"),
    ("c.a = {}; for k = 1:200, c.a(end + 1) = {sprintf('%d', k)}; end", "a"),
    ("for k = 1:200, c(k) = struct('a', sprintf('%d', k)); end", "a"),
    ("for k = 1:200, c(k).a = sprintf('%d', k); end", "a"),
]


@pytest.mark.parametrize(("code", "part"), GROWN)
def test_appending_keeps_room_for_more(code: str, part: str) -> None:
    machine = Machine()
    with interpreted_loops():
        machine.run(code)
    held = machine.interpreter.workspace["c"]
    values = held.data if part == "data" else held.fields[part]
    values = getattr(values, "data", values) if isinstance(values, Cell) else values
    assert values.size == 200
    assert values.base.size > 200


@pytest.mark.parametrize("base", ["", " < handle"])
def test_parts_of_properties_are_assigned_in_place(tmp_path: Path, base: str) -> None:
    (tmp_path / "Kept.m").write_text(f"classdef Kept{base}\nproperties, Data, end\nend\n")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); h = Kept; h.Data = zeros(1, 9) + 1; h.Data(1) = 2;")
    held = machine.interpreter.base["h"].properties["Data"]
    place = held.__array_interface__["data"]
    del held
    machine.run("h.Data(2) = 3; g = h; try, h.Data(0) = 1; catch, end; h.Data(3) = 4;")
    machine.run("clear g; h.Data(4) = 5;")
    again = machine.interpreter.base["h"].properties["Data"]
    assert again.ravel().tolist() == [2, 3, 4, 5, 1, 1, 1, 1, 1]
    if base:  # another variable has the value otherwise, and the write made a new one
        assert again.__array_interface__["data"] == place
    del again
    machine.run("a = h.Data; h.Data(1) = -1; b = {h.Data}; h.Data(2) = -2;")
    assert machine.value("isequal(a(1:2), [2 3]) && isequal(b{1}(1:2), [-1 3])")
    assert machine.value("isequal(h.Data(1:3), [-1 -2 4])")
