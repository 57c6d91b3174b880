"""What a mask selects is computed and reduced as a whole array; it is counted where it must be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app import settings
from app.accel.ir.node import Node
from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.engine.capture import capture_session
from app.engine.session.session import Session
from app.engine.values import as_array
from app.source import SourceText
from tests.engine.interpreter.running import Machine

START = "X = reshape(mod((1:2500) * 0.618, 1), 100, 25); n = 500; a = linspace(-1, 1, n); b = a.^2; m = a > 0.2; k = 3; f = single(b);"
CHOSEN = [
    "b(m) = a(m); b(~m) = a(~m); b(m) = -b(m);",
    "b(m) = 2 * a(m) - b(m) / k + 1; a(m) = b(m) ./ a(m);",
    "f(m) = f(m) + a(m); b(m) = f(m) * 2; b(m) = single(b(m));",
    "b(m) = k - a(m); t = b(m); u = t - a(m); a(m) = u * a(7);",
    "b(a > 0.2 & ~m) = 2 * a(a > 0.2 & ~m); f(f > 2 * k) = f(f > 2 * k) + 1;",
    "s.b = b; s.m.m = m; s.b(~s.m.m) = s.b(~s.m.m) - 1; b(s.m.m) = s.b(s.m.m); s = b;",
    "b(m) = sqrt(a(m)) + log(a(m)); b(m) = a(m).^2; b(m) = a(m).^0.5;",
    "b(m) = sqrt(a(m) - 0.5);",
    "y = sqrt(b); y(y > 0.5) = 0.1 * y(y > 0.5); y(y > 0.05) = 0.5 * log(y(y > 0.05));",
    "g = @(v) 1 + log(v); b(m) = g(b(m)); b(m) = max(a(m), min(b(m), 0.5)); g = 0;",
    "b(m) = abs(b(m)) + mod(b(m), 3) + floor(a(m)); b(m) = sind(a(m));",
    "c = complex(a, b); c(m) = 0.1 * c(m).^2; d = c; d(m) = a(m); b(m) = c(m);",
    "q = int32(100 * a); q(m) = q(m) * 2; q(~m) = a(~m); b(m) = q(m); q(q < 0) = -q(q < 0);",
    "l = a > 0.5; l(m) = ~l(m) & a(m) < 0.9; l(~m) = b(~m) > 0.3;",
    "e = a > 5; b(e) = log(b(e)); s = [sum(a(e)) mean(a(e)) std(a(e)) any(b(e)) all(b(e))];",
    "e = a == a(7); b(e) = 3 * a(e); s = [sum(a(e)) mean(a(e)) std(a(e)) var(a(e), 1) prod(a(e))];",
    "s = [sum(a(m)) mean(a(m)) std(a(m)) var(a(m)) nnz(a(m) > 0.5) mean(a(m) > 0.7)];",
    "b(abs(a) > 0.7 & abs(a) < 0.72) = NaN; s = [sum(b(m)) mean(b(m), 'omitnan') mean(b(~m)) any(b(m) > 3)];",
    "M = reshape(b, 20, 25); s = [sum(M(M > 0.3)) mean(M(M > 0.3), 1)]; M(M > 0.5) = M(M > 0.5)/2;",
    "t = a; for i = 1:9, t = a(m); b(m) = t * 2 + b(m) / i; end",
    "z = a(m); z(z > 0.5) = 0; b(m) = z; z = z(z < 0.2); s = sum(z + 1); clear z",
]
CHOSEN += [
    "b(find(m)) = a(find(m)); i = find(a > 0.5); b(i) = -b(i); j = find(a' > 0.7); s = sum(b(j));",
    "X(find(X > 0.5)) = 1; i = find(X(:) < 0.2); X(i) = X(i) / 2; s = mean(X(find(X == 1)));",
    "r = find(X(:, 1) > 0.3); X(r, :) = 2 * X(r, :); X(r, 3) = 0; s = sum(X(r, :), 1) / 7;",
    "b(a > 0.5) = []; a(find(a > 0.5)) = []; W = X; W(X(:, 2) > 0.4, :) = [];",
    "X(X(:, 1) > 0.3, 3) = 0; X(find(X(:, 2) > 0.4), 4:6) = 1; X(2:5, X(1, :) > 0.5) = k; r = 0;",
    "i = find(m(2:end-1)) + 1; s = [mean(a(i)) sum(b(i + 1)) numel(i) length(a(i - 1))]; clear i",
    "i = 2 + find(a(3:end) > b(1:n-2)); z = a(i); s = numel(z) + sum(z .* b(i)); clear i z",
    "for i = 1:5, j = find(b > 0.1 * i); b(j) = b(j) - 0.05; end",
    "r = X(:, 1) > 0.3; X(r, :) = 2 * X(r, :); X(~r, :) = 0; s = mean(X(r, :), 1);",
    "r = X(:, 1) > 0.3; X(r, :) = log(X(r, :)) - mean(X) .* X(r, 2); s = any(X(r, :) > 0, 1);",
    "r = X(:, 1) > 9; X(r, :) = X(r, :) + 1; s = [sum(X(r, :), 1); std(X(r, :), 0, 1)];",
    "r = X(1, :) > 0.5; X(:, r) = sqrt(X(:, r)); s = sum(X(:, r), 2); X(:, r) = NaN;",
    "Q = int32(100 * X); r = X(:, 1) > 0.3; Q(r, :) = Q(r, :) * 2; L = X > 0.4; L(r, :) = ~L(r, :);",
    "k = mod((1:100)', 4) + 1; C = zeros(4, 25); for j = 1:4, C(j, :) = mean(X(k == j, :), 1); end",
    "T = reshape(X, 100, 5, 5); r = T(:, 2, 1) > 0.2; s = sum(T(r, :, :), 1); T(r, :, :) = 7;",
]
COUNTED = [
    "r = X(:, 1) > 0.3; s = mean(X(r, :)); t = X(r, 2) * 2; t = t'; W = X(r, :) * ones(25, 3);",
    "r = X(:, 1) == X(3, 1); s = mean(X(r, :)); W = max(X(r, :)); W = X(r, :) + X; W = sum(X(r, :), 2);",
    "r = X(:, 1) > 9; W = X(r, :); s = sum(W); W = [W; W]; t = size(W); V = W';",
    "b(m) = b(m) + (1:nnz(m));",
    "b(m) = b(1:nnz(m));",
    "W = X; W(X(:, 2) > 0.4, :) = []; W(:, W(1, :) > 0.9) = []; b(m) = []; b(b > 0.5) = [];",
    "b(m) = a(~m(end:-1:1) & m | m);",
    "k = (1:nnz(m)); b(m) = a(m) + k;",
    "b(~m) = a(1:nnz(~m)); z = a(m); b(m) = z(end:-1:1); clear z",
    "z = a(m); u = z + 1; b(m) = b(m) + (1:numel(u)); s = max(z); u = u'; b(m) = ~a(m);",
    "z = a; for i = 1:6, z = z(z < 0.9 * max(z)); end",
]
"""How many there are is asked for, or what is selected is needed at other places."""


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, 64)
    yield made
    capture_session.deactivate()
    made.close()


def ran(program: str) -> Machine:
    machine = Machine(capture_session.Session.runtime)
    machine.run(f"{START} {program}")
    return machine


def values(machine: Machine) -> dict[str, np.ndarray]:
    return {name: as_array(value) for name, value in machine.interpreter.workspace.items()}


def outcome(program: str) -> dict[str, np.ndarray]:
    return values(ran(program))


def is_counted(runtime: Runtime) -> bool:
    return any("how many" in row.detail for row in runtime.recorder.boundaries.values())


@pytest.mark.parametrize("program", CHOSEN + COUNTED)
def test_same_as_on_the_host(runtime: Runtime, program: str) -> None:
    capture_session.Session.runtime = None
    expected = outcome(program)
    capture_session.Session.runtime = runtime
    machine = ran(program)
    assert is_counted(runtime) == (program in COUNTED)
    found = values(machine)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=1e-6 if name == "f" else 1e-13)
    rows = runtime.recorder.boundaries.values()
    assert "indexed-assignment" not in {row.reason.value for row in rows}


@pytest.mark.parametrize(
    "program",
    [
        "m = 2; a(m) = b(m) + 1;",
        "v = std(a); s = [size(v(v > 5)) size(find(v > 5)) size(find(v > 5, 1)) v(v < 5)];",
        "s = [size(find(a > 5)) size(find(a' > 5, 1)) size(find(X > 9)) find(a > 0.5, 1)];",
        "s = [find(a > 0.5, 1, 'last') find(X > 0.5, 1) numel(find(m)) max(find(X > 0.9))];",
        "i = find(m) + 1; s = sum(b(i(1:end-1))); z = a(find(b' > 0.5)); for j = find(a > 0.99), z = z + j; end",
        "i = find(m) + 1; s = size(i); k = numel(i); z = zeros(1, k); t = length(i(1:3)); q = b(find(~m) + 2);",
        "i = find(m(1:end-1)) + 1; z = X(i); r = a'; w = r(i); s = [size(z) size(w)]; X(i) = a(i);",
        "i = find(m) - 300; e = 0; try, b(i), catch, e = 1; end; j = find(m) / 2; try, b(j), catch, e = e + 1; end; s = e;",
        "i = find(m) + 1; e = 0; try, z = a(i); catch, e = 1; end; s = b(2 * find(a < -0.1)); i = int32(find(a < 0)); t = b(i + 1);",
        "W = X(find(X(:, 1) > 9), :); i = find(X > 0.3); c = size(a(i(1:3))); z = X([3 1], [2; 5]); w = X([], 2);",
        "z = a(m); z = [z 1]; u = a(a > 5); u(3) = 1; v = a(a > 5)'; w = sort(v(:)); t = -w;",
        "z = a(m); z(2) = []; s = a(m); t = s; s(1) = 7; t = t - 1; v = a(a == a(7)) * ones(3);",
        "m = a' > 0.2; b(m) = a(m);",
        "z = []; z(m) = a(m);",
        "m = logical([1 0 1]); b(m) = a(m) + 1;",
        "m = []; b(m) = a(m);",
        "a(m + 1) = b(m + 1);",
        "s.k = 2; s.b = b; s.b(s.k) = b(s.k); s.b(s.k + 1) = b(s.k + 1); s = s.b;",
        "z = 1:0; z(z > 1) = 2 * z(z > 1); o = 7; o(o > 1) = o(o > 1) + 1;",
        "s.m = a > 0.2; s.c(s.m) = b(s.m); t.b = b; t.b(s.m) = s.c(s.m); s = s.c; t = t.b;",
        "s(2).b = b; s(2).b(m) = a(m); s = s(2).b; c = {b}; c{1}(m) = a(m); c = c{1};",
    ],
)
def test_other_subscripts(runtime: Runtime, program: str) -> None:
    capture_session.Session.runtime = None
    expected = outcome(program)
    capture_session.Session.runtime = runtime
    for name, value in outcome(program).items():
        np.testing.assert_array_equal(value, expected[name])


def test_a_loop_over_masks_is_one_kernel(runtime: Runtime) -> None:
    program = (
        "x = zeros(1, n); y = x; c = x; for t = 1:20, m = x.^2 + y.^2 < 4; w = x.^2 - y.^2 + a;"
        " y(m) = 2 * x(m) .* y(m) + b(m); x(m) = w(m); c(m) = c(m) + 1; end"
    )
    capture_session.Session.runtime = None
    expected = outcome(program)
    capture_session.Session.runtime = runtime
    found = outcome(program)
    np.testing.assert_array_equal(found["c"], expected["c"])
    np.testing.assert_allclose(found["x"], expected["x"], rtol=1e-9)
    assert any(row.kind == "loop" for row in runtime.recorder.groups.values())


@pytest.mark.parametrize("given", ["", "s."], ids=["variables", "fields"])
def test_a_loop_over_masks_of_operators_counts_nothing(runtime: Runtime, given: str) -> None:
    program = (
        "#l = 0 * a; #h = 2 + 0 * a; for t = 1:24, #c = (#l + #h) / 2; #u = #c.^3 + #c > 1 + b;"
        " #h(#u) = #c(#u); #l(~#u) = #c(~#u); end, x = #l; clear s"
    ).replace("#", given)
    capture_session.Session.runtime = None
    expected = outcome(program)["x"]
    capture_session.Session.runtime = runtime
    np.testing.assert_allclose(outcome(program)["x"], expected, rtol=1e-12)
    rows = runtime.recorder.groups.values()
    assert any(row.kind == "loop" for row in rows)
    assert not is_counted(runtime)


def test_a_mask_whose_elements_were_counted_is_not_computed_again(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another kernel a comparison of rounded numbers may turn out differently."""
    masks: list[str] = []
    apply = runtime.apply

    def seen(op: str, inputs: tuple[Node, ...], *rest: Any) -> Node:
        masks.extend(node.op for node in inputs[1:] if op == "compact")
        return apply(op, inputs, *rest)

    monkeypatch.setattr(runtime, "apply", seen)
    Machine(runtime).run(f"{START} g = sin(7 * a).^3 + a; y = g(~(g > b)); y(2)")
    assert masks == ["leaf"]


@pytest.mark.parametrize("given", ["", "s."], ids=["variables", "fields"])
def test_what_find_gave_is_asked_for_its_number_alone(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Not once more for who selects by it, nor whether places are valid that it found."""
    program = (
        "#c = b'; #d = a'; #i = find(#c > 0.3); #A = [ones(numel(#i), 1), #d(#i), #c(#i)];"
        " #z = #A(:, 2) > #A(:, 3) + 0.1; #c(#i(#z)) = #A(#z, 2); x = #c; clear s A i z"
    ).replace("#", given)
    capture_session.Session.runtime = None
    expected = outcome(program)["x"]
    capture_session.Session.runtime = runtime
    asked: list[str] = []
    gather = runtime.gather

    def heard(node: Node, cause: str, *rest: Any) -> Any:
        if node.op != "leaf":
            asked.append(cause)
        return gather(node, cause, *rest)

    monkeypatch.setattr(runtime, "gather", heard)
    machine = ran(program)
    assert not asked, "numbers are fetched by whom the selection asks"
    assert runtime.recorder.counters.plans == 2, "one for each selection"
    np.testing.assert_array_equal(values(machine)["x"], expected)


@pytest.mark.parametrize(
    "program",
    [
        "i = find(b > 0.3); z = a(i) > 9; b(i(z)) = a(i(z)); s = [sum(b(i(z))), numel(i(z))];",
        "c = b + 1; z = c > 9; c(z) = a(z) + c(z); d = [c(z), c(1:3)]; s = sum(c) + any(c(z));",
        "w = X * 2; r = find(w(:, 1) > 9); Y = w(r, :) + 1; s = sum(Y, 1) + mean(w(:)); v = [Y; w(2, :)];",
        "w = X * 2; r = find(w(:, 1) > 9); Y = w(r, :)'; s = sum(w * Y, 2); t = prod(Y, 2)'; v = size(Y * w(:, r)');",
    ],
)
def test_what_is_made_of_nothing_computes_nothing_for_it(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    capture_session.Session.runtime = None
    expected = outcome(program)
    capture_session.Session.runtime = runtime
    evaluation = runtime.evaluation
    read: list[int] = []
    leaf_value = evaluation.leaf_value
    monkeypatch.setattr(
        evaluation, "leaf_value", lambda node: read.append(node.size) or leaf_value(node)
    )
    found = outcome(program)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name].shape == value.shape
        np.testing.assert_allclose(found[name], value, rtol=1e-13)
    assert sum(read) <= 200, "arrays come to the host one by one only where they meet empty ones"


def test_the_account_of_a_run_counts_nothing() -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda event: None, (".",))
    try:
        session.run_source(
            SourceText("w.m", "a = linspace(-1, 1, 1e5); z = a(a > 0.2); s = sum(z);")
        )
        names = {row["name"] for row in session.last_report["residency"]}
        assert "a" in names
        assert "z" not in names, "nobody knows its size"
        assert not is_counted(session.interpreter.runtime)
        assert session.acceleration.where(session.interpreter.workspace["z"]) == "lazy"
    finally:
        session.close()


@pytest.mark.parametrize("read", ["x = c(m);", "x = c(1, m);", "x = c(1:10 > 5 & 1); y = c(m);"])
def test_a_mask_that_is_too_long_is_refused_alike(read: str) -> None:
    said = []
    for threshold in (1, 10**9):
        found = settings.Settings()
        found.set("capture_threshold", threshold, "option")
        session = Session(found, lambda _event: None)
        code = f"c = 1:10; m = linspace(-1, 1, 200) > 0; try, {read} catch e, said = e.message; end"
        session.run_source(SourceText("<test>", code))
        said.append(str(session.value_of("said")))
        session.close()
    assert said[0] == said[1]
    assert "The logical indices" in said[0]
