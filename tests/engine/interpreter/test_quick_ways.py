"""Quick ways of builtins and subscripts give what the general functions give, errors included."""

from __future__ import annotations

import itertools
import math
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine.builtins.arrays import creation
from app.engine.builtins.text import scanning
from app.engine.declarations import registry
from app.engine.interpreter import support
from app.engine.interpreter.compile.intrinsics import quick_entry
from app.engine.interpreter.indexing import (
    block_parts,
    gather_elements,
    index_assign,
    index_read,
    vector_parts,
)
from app.engine.interpreter.indexing.index_delete import delete
from app.engine.interpreter.indexing.subscripts import COLON
from app.engine.operators import comparison, concatenation, operators
from app.engine.operators.operators import colon
from app.engine.values import EMPTY, Cell, Value, canonical, class_of, size_of
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

NAN = math.nan


def _row(*numbers: float) -> Any:
    return np.array([numbers], dtype=float)


def _values() -> list[Value]:
    """Numbers, vectors, matrices and others, with NaN, without elements, of several classes."""
    rows = [_row(3, 1, 2, 4), _row(0, NAN), _row(0, 0, 0), _row(0, 5, 0), _row(NAN, NAN)]
    made: list[Value] = [2.0, 0.0, True, NAN, "abcde", "", *rows, *(r.T.copy() for r in rows)]
    made += [np.zeros((1, 0)), np.zeros((0, 1)), np.zeros((0, 0)), np.zeros((2, 3, 2))]
    made += [np.asfortranarray(np.arange(16.0).reshape(4, 4)), np.eye(3) > 0, _row(1, 0, 1) > 0]
    made += [_row(1, 0, 2).astype(np.float32), _row(1, 0, 2).astype(np.int8), _row(1, 2) * 1j]
    cells = np.array([[1.0, "b", _row(3, 4)]], dtype=object)
    return [*made, Cell(cells), Cell(cells.T.copy())]


def _outcome(action: Callable[..., Value], *args: Any, **named: int) -> Any:
    """The value as something that compares, or the error."""
    try:
        return _told(action(*args, **named))
    except MatlabError as problem:
        return problem.identifier, problem.message


def _told(v: Value) -> Any:
    if isinstance(v, tuple):
        return [_told(part) for part in v]
    data = getattr(v, "data", None) if not isinstance(v, np.ndarray) else v
    text = repr(data.tolist()) if isinstance(data, np.ndarray) else repr(v)
    return type(v).__name__, class_of(v), size_of(v), text


def _calls() -> list[tuple[Value, ...]]:
    values, numbers = _values(), [0.0, 1.0, 2.0, 3.0, 2.5, -1.0, NAN]
    calls: list[tuple[Value, ...]] = [(), *((v,) for v in values), *((n,) for n in numbers)]
    calls += [(v, n) for v in values for n in numbers]
    return [
        *calls,
        *((m, n) for m in numbers for n in numbers),
        (2.0, 3.0, 2.0),
        (2.0, "single"),
        *((v, m, n) for v in values for m in (1.0, 2.0, 4.0, 8.0) for n in numbers),
    ]


@pytest.mark.parametrize(
    "name", ["any", "all", "find", "size", "zeros", "ones", "eye", "numel", "reshape", "sum"]
)
def test_builtins(name: str) -> None:
    context = Machine().interpreter.context
    builtin = registry.lookup(name)
    assert builtin is not None
    quick = quick_entry(context, name, lambda *a, nargout: builtin.call(context, a, nargout))
    assert quick is not None
    for args in _calls():
        for nargout in (1, 2) if name in {"find", "size"} else (1,):
            there = _outcome(builtin.call, context, args, nargout)
            assert _outcome(quick, *args, nargout=nargout) == there, (args, nargout)


def test_steps() -> None:
    numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 2.5, -1.0, NAN]
    choose = random.Random(1)
    for x in _values():
        for _ in range(150):
            start, step, stop = (choose.choice(numbers) for _ in range(3))
            step = choose.choice((step, -step))
            there = _outcome(index_read.paren, x, colon(start, step, stop))
            here = _outcome(vector_parts.paren_steps, x, start, step, stop)
            assert here == there, (x, start, step, stop)


def test_blocks() -> None:
    """``x(a:b, j)`` by its ends is what the subscripts give, read and written."""
    ends: list[Value] = [0.0, 1.0, 2.0, 3.0, 4.0, 2.5, -1.0, NAN, True]
    choose = random.Random(3)
    changed = 0
    for x in _values():
        for _ in range(120):
            subs = [_subscript(choose, ends) for _ in range(2)]
            plain = [colon(*s) if isinstance(s, tuple) else s for s in subs]
            there = _outcome(index_read.paren, x, *plain)
            assert _outcome(block_parts.paren_block, x, *subs) == there, (x, subs)
            if not isinstance(x, np.ndarray):
                continue
            v = choose.choice((7.0, -0.5, True, 1j, x[:2, :2].copy(), *_values()))
            there = _outcome(index_assign._stored, x.copy(order="F"), plain, v, False)
            mine = [x.copy(order="F")]
            assert _outcome(_set_block, mine, *subs, v) == there, (x, subs, v)
            changed += bool(mine)
    assert changed > 200


def _subscript(choose: random.Random, ends: list[Value]) -> Value:
    pair = (choose.choice(ends), choose.choice(ends))
    return choose.choice((pair, pair, choose.choice(ends), COLON, np.array([[2.0, 1.0]])))


def _set_block(mine: list[Value], i: Value, j: Value, v: Value) -> Value:
    """`set_block` of an array that nobody else holds; puts it back where it was changed itself."""
    x = mine.pop()
    made = block_parts.set_block(x, i, j, v)
    if made is x:
        mine.append(made)
    return made


def test_masks() -> None:
    for x in _values():
        for like in _values():
            if not isinstance(like, np.ndarray):
                continue
            for mask in (like == like, like > 1, like < -9):
                there = _outcome(index_read.paren, x, mask)
                assert _outcome(index_read.paren1, x, mask) == there, (x, mask)
                if isinstance(x, np.ndarray):
                    kept = x.copy()
                    there = _outcome(index_assign._stored, x, (mask,), 7.0, False)
                    assert _outcome(index_assign.set1, x, mask, 7.0) == there, (x, mask)
                    assert np.array_equal(x, kept, equal_nan=x.dtype.kind in "fc")


def test_stores_in_place() -> None:
    """What is solely held is changed in place by single places and colons, or as always."""
    places: list[Value] = [0.0, 1.0, 2.0, 3.0, 5.0, 2.5, -1.0, NAN, COLON, ":"]
    places += [np.array([p]) for p in ([2.0, 1.0], [1.0, 3.0, 1.0], [1.0, 9.0], [1.5, 2.0])]
    places += [np.array([[True, False]]), np.array([[False], [True]]), np.zeros((1, 0))]
    choose = random.Random(2)
    arrays = [v for v in _values() if isinstance(v, np.ndarray)]
    changed = 0
    for x in arrays:
        for _ in range(400):
            count = choose.choice((1, 2, 2, 3))
            args = tuple(choose.choice(places) for _ in range(count))
            v = choose.choice((7.0, -0.5, 300.0, NAN, True, 1j, *_values()))
            there = _outcome(index_assign._stored, x.copy(order="F"), args, v, False)
            mine = x.copy(order="F")
            here = _outcome(index_assign.set_general, mine, args, v, True)
            assert here == there, (x, args, v)
            changed += not np.array_equal(x, mine, equal_nan=x.dtype.kind in "fc")
    assert changed > 200


@pytest.mark.parametrize("kind", [float, np.float32, np.int8, bool, complex, object])
def test_single_elements_by_their_subscripts(kind: type) -> None:
    """``x(i, j, k)``, ``c{i, j}`` and ``x(i, j, k) = v`` by numbers are as by any subscripts."""
    numbers = [1.0, 2.0, 3.0, 0.0, 2.5, -1.0, NAN]
    for shape in ((2, 3), (2, 3, 2), (1, 2, 1, 2)):
        x = np.asfortranarray(np.arange(float(math.prod(shape))).reshape(shape).astype(kind))
        for args in itertools.product(numbers, repeat=len(shape)):
            there = _outcome(_selected, x, args)
            if kind is object:
                assert _outcome(index_read.braces, Cell(x), *args) == there, args
                continue
            assert _outcome(index_read.paren, x, *args) == there, args
            there = _outcome(index_assign._stored, x.copy(order="F"), args, 7.0, False)
            mine: list[Value] = [x.copy(order="F")]
            assert _outcome(_set_alone, mine, args) == there, args


def _selected(x: Any, args: tuple[Value, ...]) -> Value:
    found = gather_elements.select(x, args)
    return found.item() if x.dtype == object else canonical(found)


def _set_alone(mine: list[Value], args: tuple[Value, ...]) -> Value:
    return index_assign.set_args(mine.pop(), args, 7.0)


def test_structs_and_cells_without_an_element() -> None:
    machine = Machine()
    machine.run(
        "S = struct('a', {1, 2, 3, 4}, 'b', 5); T = S; T(2) = []; c = {1, 'x', [1 2], 4}; d = c;"
        "d(3) = []; U = S; U(1) = []; U(1) = []; U(1) = []; q = S(1:2); q(2) = [];"
        "r = [isequal([T.a], [1 3 4]), isequal(size(T), [1 3]), isequal([S.a], 1:4), isequal(d,"
        "{1, 'x', 4}), numel(c) == 4, isequal(size(U), [1 1]), U.a == 4, q.a == 1, isempty(q) == 0];"
        "U(1) = []; r(end + 1) = isempty(U) && isequal(fieldnames(U), {'a'; 'b'});"
        "try, S(5) = []; r(end + 1) = false; catch, r(end + 1) = true; end"
    )
    assert machine.interpreter.workspace["r"].all()


def test_stacks_grow_from_nothing_and_shrink_to_nothing() -> None:
    machine = Machine()
    machine.run(
        "r = true; for x = {[], zeros(1, 0), 5, [5 6], [5; 6], int8(5), single(2)},"
        "for k = 1:3, y = x{1}; t.v = y; c = {y}; n = k - numel(y);"
        "if n < 2, y(k) = 7; t.v(k) = 7; c{1}(k) = 7; z = double(x{1}); z(k) = 7;"
        "r(end + 1) = isequal(double(y), z) && isequal(y, t.v, c{1}) && isequal(size(y), size(z));"
        "r(end + 1) = strcmp(class(y), class(x{1})); end, end, end;"
        "s = []; for k = 1:4, s(end + 1) = k; end, m = zeros(0, 2);"
        "while ~isempty(s), m(end + 1, :) = [s(end) numel(s)]; s(end) = []; end,"
        "r(end + 1) = isequal(m, [4 4; 3 3; 2 2; 1 1]) && isequal(size(s), [1 0]);"
        "q = [1; 2]; q(1) = []; r(end + 1) = isequal(q, 2); q(1) = []; r(end + 1) = isempty(q);"
        "z = [1i 2]; z(1) = []; r(end + 1) = isreal(z) && z == 2; w = int8([3 4]); w(2) = [];"
        "r(end + 1) = isa(w, 'int8') && w == 3; l = [true false]; l(1) = []; r(end + 1) = islogical(l);"
        "z = [1i 2 3]; z(1) = []; r(end + 1) = isreal(z); try, e = 5; e(2) = []; r(end + 1) = false;"
        "catch, r(end + 1) = true; end, r(end + 1) = isequal(cross([1 2 3], [4 5 6]), [-3 6 -3]);"
        "r(end + 1) = isequal(cross([1; 2; 3], [4; 5; 6]), [-3; 6; -3]);"
    )
    assert machine.interpreter.workspace["r"].all()


KINDS_OF_STACKS = {
    "row": ("[{}]", "{0}(end+1) = {1};", "{0}({2}) = {1};", "{}"),
    "column": ("[{}]'", "{0}(end+1, 1) = {1};", "{0}({2}) = {1};", "{}"),
    "whole numbers": ("int32([{}])", "{0}(end+1) = {1};", "{0}({2}) = {1};", "double({})"),
    "cell": ("{{{}}}", "{0}{{end+1}} = {1};", "{0}{{{2}}} = {1};", "[{}{{:}}]"),
    "struct": ("struct('v', {{{}}})", "{0}(end+1).v = {1};", "{0}({2}).v = {1};", "[{}.v]"),
}


@pytest.mark.parametrize("where", ["{}", "h.{}", "k{{{}}}"])
@pytest.mark.parametrize("kind", KINDS_OF_STACKS)
def test_stacks_that_share_their_memory_change_alone(kind: str, where: str) -> None:
    """What is taken off the end leaves copies as they were, and what is put on them later."""
    made, put, set_to, numbers = KINDS_OF_STACKS[kind]
    choose, lists = random.Random(len(kind) + len(where)), dict[str, list[int]]()
    names = {n: where.format(i if "{{" in where else n) for i, n in enumerate("abc", 1)}
    lines = []
    for n, name in names.items():
        lists[n] = [choose.randrange(99) for _ in range(8)]
        lines.append(f"{name} = {made.format(', '.join(map(str, lists[n])))};")
    for _ in range(400):
        n, other, v = choose.choice("abc"), choose.choice("abc"), choose.randrange(99)
        held, name, what = lists[n], names[n], choose.random()
        place = choose.randrange(len(held))
        if what < 0.4 and len(held) > 3:
            held.pop()
            lines.append(f"{name}(end) = [];")
        elif what < 0.5 and len(held) > 3:
            del held[place]
            lines.append(f"{name}({place + 1}) = [];")
        elif what < 0.75:
            held.append(v)
            lines.append(put.format(name, v))
        elif what < 0.9:
            held[place] = v
            lines.append(set_to.format(name, v, place + 1))
        else:
            lists[other] = list(held)
            lines.append(f"{names[other]} = {name};")
    body = "\n".join(lines)
    answer = ", ".join(f"reshape({numbers.format(names[n])}, 1, [])" for n in names)
    machine = Machine()
    machine.run(f"r = stacks();\nfunction r = stacks()\n{body}\nr = {{{answer}}};\nend")
    found = [np.asarray(v).ravel().tolist() for v in machine.value("r").items()]
    assert found == [lists[n] for n in names]


def test_what_is_taken_off_a_cell_is_let_go_of_and_its_memory_given_back() -> None:
    machine = Machine()
    machine.run("gone = 0; c = num2cell(1:50); c{51} = onCleanup(@() disp('gone'));")
    assert machine.run("c(end) = []; disp('next');") == "gone\nnext\n"
    machine.run("v = zeros(1, 1e5); while numel(v) > 10, v(end) = []; end")
    held = machine.value("v")
    assert (held if held.base is None else held.base).size < 100


def test_complex_arrays_are_multiplied_the_same_way_however_many_there_are() -> None:
    machine = Machine()
    machine.run(
        "x = (1:40) / 7 + 1i * (40:-1:1) / 3; y = cos(1:40) - 1i * sin(1:40); p = x .* y; r = true;"
        "for k = 1:39, r = r && isequal(x(k:k + 1) .* y(k:k + 1), p(k:k + 1)); end,"
        "for k = 1:40, r = r && isequal(x(k) * y(k), p(k)); end,"
        "z = [1 + 2i, 3 - 1i]; r(2) = isreal(z .* conj(z)) && isequal(z .^ 2, z .* z + 0i * 0);"
        "r(3) = isequal([0 2i] .^ 3, [0 -8i]) && isequal(z - z, [0 0]) && isreal(z + [-2i 1i]);"
        "r(4) = isequal(z / 2, [0.5 + 1i, 1.5 - 0.5i]) && isequal(2 ./ [2i 4], [-1i 0.5]);"
    )
    assert machine.interpreter.workspace["r"].all()


def test_literals_of_several_rows() -> None:
    machine = Machine()
    machine.run(
        "a = 1; b = 2; x = [1 2]; c = {3, 4}; n = 0;"
        "r = [isequal([a b; 3 4], [1 2; 3 4]), isequal([a; b], [1; 2]), isequal([x; a b], [1 2; 1 2]);"
        "isequal([c{:}; a b], [3 4; 1 2]), isequal(['ab'; 'cd'], char('ab', 'cd')), isa([int8(1) a;"
        "b 3], 'int8'); islogical([true false; a > 0, b < 0]), isequal([[] a; b], [1; 2]),"
        "isequal([a, x; 3 4 b], [1 1 2; 3 4 2])];"
        "try, y = [1 2; a]; catch e, n = n + ~isempty(e.message); end,"
        "M = [a b; b a]; M(1, 2) = 7; N = M; N(1) = 9; n = n + (M(1) == 1);"
    )
    assert machine.interpreter.workspace["r"].all()
    assert machine.interpreter.workspace["n"] == 2


def test_handles_of_a_name_mean_what_is_first_on_the_path(tmp_path: Path) -> None:
    machine = Machine()
    for folder, value in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "numel.m").write_text(f"function r = numel(x), r = {value} + 40; end")
    made = [f"addpath('{tmp_path / folder}')" for folder in "ab"]
    machine.run("function r = look(x)\nf = @numel; r = f(x);\nend")
    text = f"r = look(1); {made[0]}; r(2) = look(1); {made[1]}; r(3) = look(1);"
    machine.run(f"{text} rmpath('{tmp_path / 'b'}'); r(4) = look(1);")
    assert machine.interpreter.workspace["r"].tolist() == [[1.0, 41.0, 42.0, 41.0]]


@pytest.mark.parametrize("name", ["isempty", "length", "ischar", "numel", "iscell", "isstruct"])
def test_handles_of_builtins_are_asked_of_whole_cells(name: str, tmp_path: Path) -> None:
    machine = Machine()
    machine.run(
        "c = {1, [], 'a', '', \"s\", strings(0, 1), {}, {1, 2}, struct(), struct('a', {}), @sin, "
        "table(), table([1; 2]), datetime.empty, containers.Map(), containers.Map('a', 1), "
        "sparse(3, 3), int8([]), true, 1i, categorical({'a'}), seconds(1:3), zeros(0, 3, 2), "
        "dictionary(1, 2), missing, inputParser, timetable()}; texts = {'ab', '', 'c'};"
        f"calls = cellfun(@(v) {name}(v), c); h = @{name}; found = cellfun(h, c);"
        f"of_texts = isequal(cellfun(h, texts), cellfun(@(v) {name}(v), texts));"
    )
    workspace = machine.interpreter.workspace
    assert workspace["of_texts"]
    assert workspace["found"].tolist() == workspace["calls"].tolist()
    assert workspace["h"].target.builtin is registry.lookup(name), "no call for each"
    (tmp_path / f"{name}.m").write_text(f"function r = {name}(x), r = 7; end")
    machine.run(f"addpath('{tmp_path}'); own = cellfun(@{name}, texts);")
    assert machine.interpreter.workspace["own"].tolist() == [[7.0, 7.0, 7.0]]


def test_deleted_rows_and_columns() -> None:
    for x in [*_values(), np.arange(6.0).reshape(3, 2), np.arange(6).astype(np.int8).reshape(2, 3)]:
        for place in (0.0, 1.0, 2.0, 3.0, 4.0, 2.5, -1.0, NAN):
            several = np.array([[place, place]])  # goes the way of masks
            for axis in (0, 1):
                lines = [(COLON, p) if axis else (p, COLON) for p in (place, several)]
                here, there = (_outcome(delete, x, args) for args in lines)
                assert here == there, (x, place, axis)


def test_truths_extremes_and_norms_of_matrices() -> None:
    machine = Machine()
    made = "M = {[1 NaN; 3 0], [Inf 1; -Inf 2], magic(4), [1 2 3; 4 5 6], eye(3) > 0};"
    machine.run(
        f"{made} r = true; for k = 1:numel(M), x = M{{k}}; y = double(x);"
        "r = r && isequaln(max(y), max(y, [], 1, 'omitnan')) && isequaln(max(y, 2), max(y, [2]));"
        "r = r && isequaln(min(y, [], 2), min(y, [], 2, 'omitnan'));"
        "r = r && isequal(any(x), sum(x ~= 0 & x == x) > 0);"
        "r = r && isequal(all(x, 2), sum(x ~= 0, 2) == size(x, 2));"
        "if all(isfinite(y(:))), r = r && norm(y, 1) == max(sum(abs(y))); end,"
        "if all(isfinite(y(:))), r = r && norm(y, Inf) == max(sum(abs(y), 2)); end,"
        "r = r && (any(isnan(double(x(:)))) || isequal(x & x, ~~x)); end,"
        "r(2) = isnan(norm([1 NaN], 1)) && norm([1 -Inf], Inf) == Inf && norm([3; -4], 1) == 7;"
        "[l, u, p] = lu(magic(4)); r(3) = norm(lu(magic(4)) - (l + u - eye(4))) < 1e-12;"
    )
    assert machine.interpreter.workspace["r"].all()


def test_lines_go_without_masks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "compress", None)
    monkeypatch.setattr(np, "ones", None)
    machine = Machine()
    machine.run("q = [1 2; 3 4; 5 6]; q(1, :) = []; q(:, 2) = []; c = {1, 2, 3}; c(1) = [];")
    assert machine.interpreter.workspace["q"].tolist() == [[3.0], [5.0]]


def _any_index(rng: random.Random, extent: int) -> slice | np.ndarray[Any, Any]:
    kind = rng.choice(("all", "part", "one", "list", "none"))
    if kind == "all":
        return slice(None)
    if kind == "part":
        first = rng.randrange(extent)
        return slice(first, rng.randint(first, extent))
    if kind == "one":
        first = rng.randrange(extent)
        return slice(first, first + 1)
    return np.array([rng.randrange(extent) for _ in range(0 if kind == "none" else 9)], np.int64)


@pytest.mark.parametrize("seed", range(60))
def test_outer_products_of_indices_are_picked_whatever_the_order_in_memory(seed: int) -> None:
    rng = random.Random(seed)
    shape = rng.choice([(3, 4), (70, 90), (300, 400), (5, 6, 7), (40, 30, 20), (1, 50)])
    numbers = np.arange(math.prod(shape), dtype=float).reshape(shape)
    layouts = [np.asfortranarray(numbers), numbers, np.repeat(numbers, 2, axis=0)[::2]]
    indices = [_any_index(rng, extent) for extent in shape]
    lists = [np.arange(n)[i] for i, n in zip(indices, shape, strict=True)]
    for data in (*layouts, np.asfortranarray(numbers.astype(object))):
        picked = gather_elements.pick(data, list(indices))
        np.testing.assert_array_equal(picked, data[np.ix_(*lists)])
        assert not np.shares_memory(picked, data)


@pytest.mark.parametrize(
    "args",
    [
        (_row(4, 5, 6), _row(9, 10)),
        (_row(1, 7, 3), COLON),
        (COLON, _row(1, 2)),
        (_row(1, 3), 5.0),
        (_row(5, 2, 9),),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.uint8, np.bool_, np.complex128])
def test_a_few_elements_are_read_without_a_copy_of_the_rest(
    args: tuple[Value, ...], dtype: type[np.generic]
) -> None:
    data = np.zeros((2000, 1500), dtype, order="F")
    tracemalloc.start()
    try:
        index_read.paren(data, *args)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 200_000


@pytest.mark.parametrize("seed", range(40))
def test_characters_of_a_text_are_replaced_as_elements_of_an_array(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choice("abñ😀 ") for _ in range(rng.randint(1, 12)))
    first = rng.randint(1, len(text))
    last = rng.randint(first, len(text))
    places: Value = np.arange(float(first), last + 1).reshape(1, -1)
    if rng.random() < 0.3:
        places = np.array([[float(rng.randint(1, len(text) + 1)) for _ in range(3)]])
    elif rng.random() < 0.3:
        places = float(rng.randint(1, len(text) + 1))
    count = places.size if type(places) is np.ndarray else 1
    given = "".join(rng.choice("xyz") for _ in range(rng.choice((1, count))))
    expected = list(text)
    for k, letter in zip(
        np.ravel(places), given * count if len(given) == 1 else given, strict=False
    ):
        expected += " " * (int(k) - len(expected))
        expected[int(k) - 1] = letter
    assert index_assign.set_args(text, (places,), given) == "".join(expected)


def test_short_texts_are_compared_as_arrays_are() -> None:
    texts = [
        "ab",
        "aab",
        "x",
        "zb",
        "abcdefghijklmnop",
        "abcdefghijklmnopq",
        "\u00e9\u4e00",
        "a" * 16,
    ]
    relations = [r for r in vars(operators).values() if isinstance(r, comparison.Relation)]
    for a in texts:
        for b in texts:
            for relation in relations:
                codes = [np.array([[float(ord(c)) for c in t]]) for t in (a, b)]
                there = _outcome(comparison.host_relational, relation, *codes)
                assert _outcome(comparison.relational, relation, a, b) == there, (a, b)


def test_rows_and_columns_of_one_class_are_joined_as_others_are() -> None:
    parts = [v for v in _values() if isinstance(v, np.ndarray)]
    parts += [_row(1, 2).astype(np.int16), _row(3).astype(np.int16), _row(5, 6).T.astype(np.int16)]
    for a in parts:
        for b in parts:
            for axis in (0, 1, 2):
                kinds = [class_of(v) for v in (a, b)]
                there = _outcome(concatenation._numbers, axis, (a, b), kinds)
                assert _outcome(concatenation.concatenate, axis, (a, b)) == there, (a, b, axis)


@pytest.mark.parametrize("value", ["'hello'", "1:5", "{1, 2, 3, 4, 5}", "magic(3)", "(1:5)*1i"])
@pytest.mark.parametrize("part", ["2:4", "1:0", "2:end", "end:-1:2", "3:2", "5:6", "0:1", "1.5:3"])
def test_parts_of_fields_are_those_of_variables(value: str, part: str) -> None:
    machine = Machine()
    machine.run(f"x = {value}; s.x = x; t.s = s; n = 'x';")
    wanted = _outcome(machine.value, f"x({part})")
    for text in (f"s.x({part})", f"t.s.x({part})", f"s.(n)({part})"):
        assert _outcome(machine.value, text) == wanted, text


@pytest.mark.parametrize("first", [1.5, -0.0, NAN, 2j, 1 + 0j, -1 - 1j])
@pytest.mark.parametrize("second", [1.5, -0.0, NAN, 2j, 1 + 0j, -1 - 1j])
def test_rows_and_tables_of_numbers_are_what_joining_gives(first: Value, second: Value) -> None:
    items = first, second
    table = support.even_rows(support.column, 2, *items, *items)
    for found, wanted in (
        (support.row(*items), concatenation.concatenate(1, items)),
        (table, concatenation.concatenate(0, (concatenation.concatenate(1, items),) * 2)),
    ):
        assert class_of(found) == class_of(wanted)
        assert size_of(found) == size_of(wanted)
        assert np.array_equal(found, wanted, equal_nan=True)


@pytest.mark.parametrize("places", [np.zeros((0, 0)), np.zeros((1, 0)), np.zeros((0, 1))])
@pytest.mark.parametrize(("x", "v"), [(_row(1, 2, 3), 5.0), ("abc", "x")])
def test_writing_to_no_place_changes_nothing(places: Value, x: Value, v: Value) -> None:
    made = index_assign.set_general(x, (places,), v, False)
    general = index_assign._stored(x, (places,), v, False)
    assert type(made) is type(general)
    assert np.array_equal(made, general)
    assert np.array_equal(made, x)


@pytest.mark.parametrize("shape", [(2, 3), (3, 1), (2, 2, 2), (0, 2)])
@pytest.mark.parametrize("subs", [(2.0, 1.0), (1.0, 2.0, 2.0), (5.0,), (0.0, 1.0), (1.5, 1.0)])
def test_a_cell_is_stored_where_it_is(shape: tuple[int, ...], subs: tuple[float, ...]) -> None:
    size, place = ", ".join(map(str, shape)), ", ".join(map(str, subs))
    machine = Machine()
    machine.run(f"c = cell({size}); m = zeros({size});")
    there = _outcome(machine.run, f"m({place}) = 7;")
    if there != _outcome(str, ""):
        assert _outcome(machine.run, f"c{{{place}}} = 7;") == there
        return
    machine.run(f"d = c; c{{{place}}} = [1 2 3]; full = ~cellfun('isempty', c);")
    assert machine.value("isequal(full, m == 7)")
    assert machine.value(f"isequal(d, cell({size}))")
    machine.run(f"s.c = c; t = s; s.c{{{place}}} = c; s.c{{{place}}}{{{place}}} = 'in';")
    assert machine.value(f"isequal(t.c{{{place}}}, [1 2 3])")
    assert machine.value(f"isequal(c{{{place}}}, [1 2 3])")
    assert machine.value(f"s.c{{{place}}}{{{place}}}") == "in"


def test_structs_in_a_matrix_are_read_and_written_by_two_subscripts() -> None:
    machine = Machine()
    machine.run("for i = 1:2, for j = 1:3, g(i, j).h = 10*i + j; g(i, j).t = {}; end, end")
    machine.run("k = g; g(2, 2).h = -1; g(1, 3).t{end+1} = 'a'; g(2, 1).h(3) = 5; e = g(2, 3);")
    assert machine.value("isequal([k.h], [11 21 12 22 13 23])")
    assert machine.value("g(2, end - 1).h") == -1.0
    assert machine.value("e.h") == 23.0
    assert machine.value("isequal(g(2, 1).h, [21 0 5]) && isequal(g(1, end).t, {'a'})")
    assert machine.value("isequal([g(1, :).h], [11 12 13]) && isempty(k(1, 3).t)")
    for place in ("3, 1", "0, 1", "1.5, 1", "1, -2"):
        wanted = _outcome(machine.value, f"g({place})")
        assert wanted == _outcome(machine.value, f"g({place}).h"), place
    machine.run("g(3, 4).h = 8; n.v = 5;")
    assert machine.value("isequal(size(g), [3 4]) && isempty(g(3, 1).h) && n(1, 1).v == 5")


@pytest.mark.parametrize("kind", ["double", "single", "int8", "logical"])
@pytest.mark.parametrize("place", ["1:end", "2:3", "[3 1 1]", "7", "0", "1.5", "[]"])
def test_a_shared_array_is_copied_before_it_is_written_to(kind: str, place: str) -> None:
    machine = Machine()
    machine.run(f"x = {kind}([1 0 1]); y = x; z = x;")
    alone = _outcome(machine.run, f"y({place}) = 1;")
    machine.run("w = [z, 0]; w(4) = [];")
    assert _outcome(machine.run, f"w({place}) = 1;") == alone
    assert machine.value(f"isequal(x, {kind}([1 0 1])) && isequal(y, w) && isa(y, '{kind}')")


def test_matrices_that_fit_are_joined_as_others_are() -> None:
    parts = [np.arange(6.0).reshape(shape) for shape in ((2, 3), (3, 2), (1, 6), (6, 1))]
    parts += [p.astype(kind) for p in parts for kind in (np.int16, bool, np.float32)]
    parts += [np.zeros((0, 3)), np.zeros((2, 0)), np.zeros((0, 0))]
    for axis, (a, b) in itertools.product((0, 1, 2), itertools.product(parts, parts)):
        there = _outcome(concatenation._numbers, axis, (a, b), [class_of(v) for v in (a, b)])
        assert _outcome(concatenation.concatenate, axis, (a, b)) == there, (a, b, axis)


@pytest.mark.parametrize("made", ["[1 2 3]", "'abc'", "{1, 2, 3}", "struct('a', {1, 2, 3})", "7"])
@pytest.mark.parametrize("place", ["0", "-1", "1.5", "NaN", "Inf"])
def test_what_is_no_place_is_not_deleted(made: str, place: str) -> None:
    machine = Machine()
    machine.run(f"x = {made}; y = x;")
    with pytest.raises(MatlabError, match="positive integers"):
        machine.run(f"x({place}) = [];")
    assert machine.value("isequal(x, y)")


def test_rows_of_structs_grow_and_shrink_beside_what_they_were() -> None:
    machine = Machine()
    machine.run("one = struct('a', 1, 'b', 'x'); two = one; two(2) = struct('b', 'y', 'a', 2);")
    assert machine.value("isequal(size(one), [1 1]) && isequal(size(two), [1 2])")
    machine.run(
        "three = two; three(end+1) = struct('a', 3, 'b', 'z'); four = three; four(4) = one;"
    )
    assert machine.value("isequal([two.a], [1 2]) && isequal([three.b], 'xyz')")
    assert machine.value("isequal([four.a], [1 2 3 1]) && isequal(fieldnames(four), {'a'; 'b'})")
    machine.run("left = two; left(1) = []; right = two; right(2) = []; four(2).a = 9;")
    assert machine.value(
        "isequal(left, two(2)) && isequal(right, one) && isequal(size(left), [1 1])"
    )
    assert machine.value("isequal([three.a], [1 2 3]) && isequal([four.a], [1 9 3 1])")
    assert machine.value("isequal([four([4 2]).a], [1 9]) && isequal(size(four([2; 1])), [1 2])")
    with pytest.raises(MatlabError, match="dissimilar"):
        machine.run("two(3) = struct('a', 1);")
    with pytest.raises(MatlabError, match="exceed"):
        machine.run("four([1 5]);")


def test_a_cell_that_another_variable_holds_is_lengthened_in_a_copy() -> None:
    machine = Machine()
    machine.run(
        "c = {1, 2}; d = c; d{end+1} = 3; e = d; e{end+1} = 4; d{1} = 'd'; f = c; f{2} = 5;"
    )
    assert machine.value("isequal(c, {1, 2}) && isequal(d, {'d', 2, 3}) && isequal(f, {1, 5})")
    assert machine.value("isequal(e, {1, 2, 3, 4})")
    machine.run("col = {1; 2}; g = col; g{3} = 3; none = {}; h = none; h{1} = 1;")
    assert machine.value("isequal(g, {1; 2; 3}) && isequal(col, {1; 2}) && isempty(none)")


@pytest.mark.parametrize("made", [np.arange(6.0).reshape(2, 3, order="F"), _row(1, 0), _row(2)])
def test_reshape_with_one_size_left_open(made: Any) -> None:
    reshape = registry.lookup("reshape")
    assert reshape is not None
    general = lambda *args, nargout=1: reshape.call(None, args, nargout)  # noqa: E731
    entry = quick_entry(None, "reshape", general)
    assert entry is not None
    for size in (1.0, 2.0, 3.0, 6.0, 4.0, 0.0, -1.0, 1.5, NAN, math.inf):
        for sizes in ((EMPTY, size), (size, EMPTY), (np.zeros((1, 0)), size), (EMPTY, EMPTY)):
            assert _outcome(entry, made, *sizes) == _outcome(general, made, *sizes), sizes


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-2.0, 2.0), (3.0, 3.0), (5.0, -1.0), (0.0, NAN)])
@pytest.mark.parametrize("count", [0.0, 1.0, 2.0, 3.0, 7.0, 100.5])
def test_points_of_numbers_are_those_of_arrays(ends: tuple[float, float], count: float) -> None:
    machine = Machine()
    machine.run(f"y = linspace({ends[0]}, {ends[1]}, {count}); z = linspace({ends[0]}, {ends[1]});")
    rows = [creation.linear_points(*map(np.atleast_2d, ends), int(n)) for n in (count, 100)]
    for made, wanted in zip((machine.value("y"), machine.value("z")), rows, strict=True):
        assert np.array_equal(np.atleast_2d(made), wanted, equal_nan=True)


@pytest.mark.parametrize("name", ["sqrt", "log", "exp", "floor", "asin", "gamma", "abs", "sign"])
@pytest.mark.parametrize("made", ["[0.5 1 4]", "[-1 2; 3 4]'", "[NaN -Inf 0 -0]", "[2; 11; 7]"])
def test_functions_of_few_doubles_are_those_of_each(name: str, made: str) -> None:
    machine = Machine()
    machine.run(f"x = {made}; y = {name}(x); z = y; for k = 1:numel(x), z(k) = {name}(x(k)); end")
    assert machine.value("isequaln(y, z) || isequaln(complex(y), complex(z))")
    assert machine.value("isequal(size(x), size(y)) && isa(y, 'double')")


def test_long_and_short_texts_are_scanned_alike() -> None:
    numbers = ("7", "-3", "+12", "2147483648", "-9999999999", "x", "1.5", "")
    for several in itertools.product(numbers, repeat=3):
        text = ",".join(several)
        for template in ("%d,", "%f,", "%d,%f,", "%d %d"):
            there = scanning.scan(text, template, 100.0)
            assert scanning.scan(text + " " * scanning.LONG, template).items == there.items, text


LISTS: tuple[Any, ...] = (
    *(_row(1, 2), _row(2, 1), _row(3, 3, 1), _row(1, 2, 3).T, _row(1, 9), _row(0, 1), _row(1.5)),
    *(np.zeros((0, 0)), np.zeros((1, 0)), _row(NAN, 1), np.array([[True, False, True]])),
    *(np.array([[1.0, 2.0], [3.0, 1.0]]), _row(*[1, 2, 3] * 4), 2.0, COLON),
)


@pytest.mark.parametrize("kind", [float, complex, np.float32, np.int8, bool])
def test_blocks_by_lists_are_those_of_the_general_way(kind: type) -> None:
    x = np.asfortranarray(np.arange(9).reshape(3, 3).astype(kind))
    if kind is complex:
        x += 1j
    for i, j in itertools.product(LISTS, LISTS):
        general = _outcome(index_read._array, x, (i, j))
        assert _outcome(index_read.paren2, x, i, j) == general, (i, j)
        block = x[1:, 1:].copy(order="F")
        for v in (block, block[:, :1].copy(), block[0, 0].item() + 0.0):
            stored = _outcome(index_assign.set_general, x, (i, j), v, False)
            assert stored == _outcome(index_assign._stored, x, (i, j), v, False), (i, j)
    for i in LISTS[:-1]:
        for row in (x.reshape(1, -1), x.reshape(-1, 1)):
            assert _outcome(index_read.paren1, row, i) == _outcome(index_read._array, row, (i,))


@pytest.mark.parametrize("kind", ["double", "single", "int8", "logical", "complex"])
@pytest.mark.parametrize("place", ["2", "[1 2]", "[3 1]", "[2 2]", "4", "[1 4]", "0", "1.5", "[]"])
@pytest.mark.parametrize("line", ["({}, :)", "(:, {})"])
def test_lines_of_a_matrix_are_replaced(kind: str, place: str, line: str) -> None:
    machine = Machine()
    made = "complex(magic(3) - 4, 1)" if kind == "complex" else f"{kind}(magic(3) - 4)"
    part = line.format(place)
    machine.run(f"x = {made}; y = x; n = numel({place}); v = x(3:-1:1, 1:max(n, 1));")
    machine.run("v = v.';" if line.startswith("({}") else "")
    alone = _outcome(machine.run, f"y{part} = v;")  # which x is copied for
    machine.run(f"z = {made}; z(1) = z(1); kept = v;")
    assert _outcome(machine.run, f"z{part} = v;") == alone
    assert machine.value(f"isequal(x, {made}) && isequal(y, z) && isequal(v, kept)")
    assert machine.value("isequal(class(z), class(x)) && isequal(isreal(z), isreal(x))")


@pytest.mark.parametrize("places", ["[2 3]", "[3 1 1]", "[2; 1]", "[1 9]", "[0 1]", "[1.5 1]"])
def test_several_of_a_cell_are_those_of_a_list(places: str) -> None:
    machine = Machine()
    machine.run("c = {1, 'b', {3}, [4 5]}; n = 1:4; m = {c{1:4}}; m{2} = 'x';")
    wanted = _outcome(machine.run, f"k = n({places});")
    assert _outcome(machine.run, f"d = c({places});") == wanted
    if wanted == _outcome(str, ""):
        assert machine.value(
            "isequal(size(d), size(k)) && all(arrayfun(@(p) isequal(d{p}, c{k(p)}), 1:numel(k)))"
        )
        machine.run("d{1} = 'new';")
        assert machine.value("isequal(c, {1, 'b', {3}, [4 5]})")


@pytest.mark.parametrize("kind", [float, np.float32, np.int8, np.bool_, complex])
@pytest.mark.parametrize("shape", [(2, 3), (3, 1), (0, 0), (0, 3), (2, 0)])
def test_a_number_behind_a_matrix_makes_it_larger(kind: type, shape: tuple[int, int]) -> None:
    held = np.asfortranarray(np.arange(float(np.prod(shape))).reshape(shape).astype(kind))
    places = (1.0, 2.0, 4.0, 0.0, -1.0, 1.5, NAN, math.inf, 5000.0)
    for i, j in itertools.product(places, places):
        if i * j > 1e5 and i * j < math.inf:
            continue
        for v in (7.6, NAN, True, 3 + 1j, 300.0, np.array([[5]], np.int8)):
            stored = _outcome(index_assign.set2, held.copy(order="F"), i, j, v)
            wanted = _outcome(index_assign._stored, held.copy(order="F"), (i, j), v, False)
            assert stored == wanted, (i, j, v)
            kept = held.copy(order="F")
            assert _outcome(index_assign.set2, kept, i, j, v) == wanted
            assert np.array_equal(kept, held)


@pytest.mark.parametrize("size", ["(0)", "(1, 0)", "(0, 1)", "(0, 3)", "(3, 0)", "(1)", "(3)"])
def test_the_first_struct_of_an_array(size: str) -> None:
    machine = Machine()
    machine.run("s = struct('b', 1, 'a', {{2}}); t = struct('a', 5, 'b', 'x');")
    for place in ("1", "end+1", "2"):
        machine.run(f"q = repmat(s, 3, 3); q = q{size.replace('(', '(1:').replace(', ', ', 1:')};")
        machine.run(f"r = q; r({place}) = t; r(1).a = 8;") if "3, 0" not in size else None
        machine.run("n = fieldnames(q); kept = isequal(t, struct('a', 5, 'b', 'x'));")
        assert machine.value("isequal(n, {'b'; 'a'}) && kept")
    machine.run("e = struct('c', {}); f = [];")
    assert "dissimilar" in str(_outcome(machine.run, "e(1) = t;"))
    machine.run("f(1) = t; f(1).a = 3; h = f; e(1) = struct('c', 4); e(2).c = 5;")
    assert machine.value("isequal(h, struct('a', 3, 'b', 'x')) && isequal([e.c], [4 5])")
    assert machine.value("isequal(t.a, 5)")


def test_elements_of_a_struct_array_are_its_structs() -> None:
    machine = Machine()
    machine.run("q = struct('a', {1, 'b'; {3}, []}, 'c', 7); n = struct('a', {});")
    assert machine.value(
        "isequal(arrayfun(@(e) class(e.a), q, 'UniformOutput', false), "
        "{'double', 'char'; 'cell', 'double'}) && isempty(arrayfun(@(e) e.a, n))"
    )
    assert machine.value(
        "numel(arrayfun(@(e) isempty(fieldnames(e)), repmat(struct(), 1, 3))) == 3"
    )


@pytest.mark.parametrize("place", ["2", "3", "4", "[1 3]", "0", "1.5", "[]"])
@pytest.mark.parametrize("line", ["({}, :)", "(:, {})"])
def test_lines_of_a_cell_are_replaced(place: str, line: str) -> None:
    machine = Machine()
    part = line.format(place)
    machine.run(
        "c = {1, 'b', {3}; [4 5], [], @sin; true, 7, 'z'}; kept = c; f = c(1, :); g = c(:, 1);"
    )
    machine.run("v = repmat(f, max(1, numel(" + place + ")), 1);")
    machine.run("v = repmat(g, 1, max(1, numel(" + place + ")));" if line.startswith("(:") else "")
    shared = _outcome(machine.run, f"d = c; d{part} = v;")
    machine.run("e = c; e{1} = e{1}; w = v;")
    assert _outcome(machine.run, f"e{part} = v; e{part} = v;") == shared
    same = "cellfun(@(p, q) isequal(p, q) || isa(p, 'function_handle'), "
    assert machine.value(f"isequal(size(d), size(e)) && all(all({same}d, e)))")
    assert machine.value(f"all(all({same}c, kept))) && all(all({same}v, w)))")
    machine.run("v{1} = 'changed'; x = e;")
    assert machine.value(f"all(all({same}d, e)))")
