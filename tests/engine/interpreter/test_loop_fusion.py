"""Loops that become one kernel give what they give pass by pass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.capture.capture_session import Session
from app.engine.values import as_array
from tests.campaigns import long_form
from tests.engine.interpreter import random_loops
from tests.engine.interpreter.running import Machine

PROGRAMS = {
    "ema": "y = zeros(n, 1); for t = 1:20, y = 0.3 * x(:, t) + 0.7 * y; end",
    "bank": "y = zeros(n, 1); Y = zeros(n, 20); for t = 1:20, y = 0.9 * y + x(:, t); Y(:, t) = y; end",
    "logistic": "y = x(:, 1); for k = 1:30, y = 3.7 * y .* (1 - y); end",
    "brownian": "y = 100 * ones(n, 1); for k = 1:8, z = randn(n, 1); y = y .* exp(0.01 + 0.1 * z); end",
    "counter": "y = x(:, 1); s = 0; for k = 3:2:21, y = y + k * x(:, 2); s = s + k; end",
    "sums": "y = x(:, 1); s = 0; m = zeros(1, 20); for t = 1:20, y = 0.9 * y + x(:, t);"
    " s = s + sum(y); m(t) = mean(y .^ 2); end",
    "deviation": "v = zeros(20, 1); for t = 1:20, c = x(:, t); v(t) = std(c); end",
    "largest": "y = x; s = 0; for t = 1:20, y = 0.9 * y; s = 0.5 * s + max(y, [], 'all'); end",
    "filters": "w = zeros(n, 4); E = zeros(n, 17); for t = 1:17, u = x(:, t:t+3); e = x(:, t+1) - sum(w .* u, 2);"
    " w = w + 0.1 * e .* u ./ (0.01 + sum(u .^ 2, 2)); E(:, t) = e; end",
    "delay": "b = zeros(n, 3); for t = 1:20, b = [x(:, t), b(:, 1:2)]; end",
    "sizes": "y = x(:, 1); z = ones(900, 1); r = ones(1, 70); for t = 1:20, y = y + t; z = 0.5 * z; r = r * 2; end",
    "inner": "y = x(:, 1); for t = 1:20, for k = 1:3, y = 0.9 * y + k * t; end, end",
    "parity": "y = x(:, 1); for t = 1:20, if mod(t, 2) == 0, y = y + t; else, y = 0.5 * y; end, end",
    "ways": "y = x(:, 1); s = 0; for t = 1:20, if t < 4 && s < 100, s = s + 7; elseif t == 9 || t == 11,"
    " y = y * 2; else, y = y - s; s = 0; end, end",
    "gated": "y = zeros(n, 1); Y = zeros(n, 20); for t = 1:20, y = y + x(:, t); if t > 3, Y(:, t) = y;"
    " else, Y(:, t) = -y; end, end",
    "filled at times": "y = x(:, 1); Y = 2 * x; m = ones(1, 20); for t = 20:-1:1, y = 0.9 * y + x(:, t);"
    " if mod(t, 5) == 0, Y(:, t) = y; m(t) = sum(y); elseif t > 14, Y(:, t) = -y; end, end",
    "latest": "y = x(:, 1); z = y; w = 0 * y; for t = 1:20, y = w + t; z = sin(x(:, t) + t); end",
    "unchanged": "y = x(:, 1); m = zeros(1, 20); for t = 1:20, y = y + t; m(t) = max(x(:, 2)); end",
    "roots": "v = zeros(n, 1); w = x(:, 1); for k = 1:20, g = 2 * (w - x(:, k)); v = 0.9 * v + 0.1 * g.^2;"
    " w = w - 0.01 * g ./ (sqrt(v / (1 - 0.9^k)) + 1e-8); end",
    "roots left": "y = x(:, 1) - 0.01; w = y; for k = 1:4, w = sqrt(y) + w; y = y - 0.1 * abs(w); end",
    "left late": "y = x(:, 1); s = 0; for k = 1:5, y = y - 0.2 * k; z = y.^0.5 * 2; s = s + sum(z); end",
    "globals of functions": "global g w\ng = 0 * x(:, 1); w = 0.5; y = x(:, 1); for k = 1:20, y = y + look(k); gain(y); end, z = g;\n"
    "function gain(y), global g, g = 0.5 * g + y; end\n"
    "function v = look(k), global w g, v = w * k + 0.1 * g; try, w = w * 0.9; catch, w = 0; end, end",
    "globals of the loop": "global g h\ng = x(:, 1); h = 2; for k = 1:20, g = 0.9 * g + h * k; h = h + 1; end, y = g; z = h;",
    "global of both": "global g\ng = x(:, 1); y = g; for k = 1:20, y = y + g; gain(0.1 * y); end, z = g;\n"
    "function gain(y), global g, g = 0.5 * g + y; end",
    "persistent": "y = x(:, 1); for k = 1:20, y = smooth_(y + k); end, z = smooth_(0);\n"
    "function y = smooth_(x), persistent held n, if isempty(held), held = 0 * x; n = 0; end\n"
    "n = n + 1; held = 0.8 * held + 0.2 * x; y = held + n; end",
    "nested with a global": "global g\ng = 0; y = outer_(x); z = g;\n"
    "function y = outer_(x)\nglobal g\ny = x(:, 1); g = 0 * y; for k = 1:20, step_(k); end\n"
    "function step_(k), y = 0.9 * y + k; g = g + 0.1 * y; end\nend",
    "frames": "w = x(1:400, 1); z = x(:); Y = zeros(400, 20); for k = 1:20, Y(:, k) = w .* z((k - 1) * 90 + (1:400)); end",
    "frames by fields": "o.at = (0:399)'; o.hop = 90; z = x(:); Y = zeros(400, 20);"
    " for k = 1:20, Y(:, k) = z(o.at + (k - 1) * o.hop + 1); end, clear o",
    "frames back": "z = x(:); y = zeros(400, 1); for k = 5:20, y = y + z(k * 90 - (0:399)) * k; end",
    "every other in frames": "z = x(:)'; y = zeros(1, 200); for k = 0:19, y = y + z((1:200) * 2 + 90 * k); end",
    "set in a branch": "y = x(:, 1); for t = 1:20, y = 0.9 * y + t; if mod(t, 7) == 3, z = y; m = t; end, end",
    "set by the data": "y = x(:, 1); for t = 1:20, y = 0.9 * y + t; if 2 * t > x(3), z = y + 1; end, end",
    "nothing at first": "y = x(:, 1); z = []; for t = 1:20, y = 0.9 * y + t; if t == 5, z = y; end, end",
    "never set": "y = x(:, 1); z = 'a'; w = []; for t = 1:20, y = y + t; if t > 50, w = y; end, end, z = size(w);",
    "set and read": "y = x(:, 1); for t = 1:20, if mod(t, 3) == 0, z = y; y = y + z; end, y = 0.9 * y; end",
    "one of three": "y = x(:, 1); for t = 1:20, y = 0.9 * y + t; if mod(t, 3) == 1, z = y;"
    " elseif mod(t, 3) == 2, w = y + 1; z = 2 * y; else, v = y; end, end",
    "shifted": "y = zeros(n, 1); for k = 1:19, y = y + x(:, k + 1) - x(:, 21 - k); end",
}


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, 64)
    yield made
    capture_session.deactivate()
    made.close()


def outcome(program: str) -> dict[str, object]:
    machine = Machine(Session.runtime)
    machine.run(f"n = 500; x = reshape((1:{500 * 20}) / 1e4, n, 20);\n{program}")
    return machine.interpreter.workspace


@pytest.mark.parametrize("name", PROGRAMS)
def test_same_answer_as_pass_by_pass(name: str, runtime: Runtime) -> None:
    plain_runtime, Session.runtime = Session.runtime, None
    expected = outcome(PROGRAMS[name])
    Session.runtime = plain_runtime
    found = outcome(PROGRAMS[name])
    assert any(g.kind == "loop" for g in _groups(runtime, found))
    for variable, value in expected.items():
        np.testing.assert_allclose(as_array(found[variable]), as_array(value), rtol=1e-12)


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ("if t > 50, z = y; end, y = y + t;", False),
        ("if y(3) > 1e9, z = y; end, y = y + t;", False),
        ("if y(3) > 100, z = y; end, y = y + t;", True),
        ("if t == 20, z = 3; end, y = y + t;", True),
    ],
)
def test_what_no_branch_has_set_is_not_there(body: str, made: bool, runtime: Runtime) -> None:
    found = outcome(f"y = x(:, 1); for t = 1:20, {body} end\nr = exist('z', 'var');")
    assert bool(found["r"]) is made


@pytest.mark.parametrize(
    "body",
    [
        "if t > 4, z = y; end, y = y + z(1);",
        "if exist('z', 'var'), y = 2 * y; end, if t > 4, z = y; end",
    ],
)
def test_what_is_read_before_a_branch_sets_it(body: str, runtime: Runtime) -> None:
    program = f"y = x(:, 1) + 1; try, for t = 1:20, {body} end, catch, end, clear z"
    plain_runtime, Session.runtime = Session.runtime, None
    expected = outcome(program)
    Session.runtime = plain_runtime
    found = outcome(program)
    np.testing.assert_allclose(as_array(found["y"]), as_array(expected["y"]), rtol=1e-12)


def _groups(runtime: Runtime, found: dict[str, object]) -> list[object]:
    for value in found.values():
        as_array(value)
    return list(runtime.recorder.groups.values())


def test_what_is_complex_before_the_loop(runtime: Runtime) -> None:
    program = "y = log(x(:, 1) - 0.02); for k = 1:3, y = y .* y + k; end"
    plain_runtime, Session.runtime = Session.runtime, None
    expected = outcome(program)
    Session.runtime = plain_runtime
    np.testing.assert_allclose(as_array(outcome(program)["y"]), as_array(expected["y"]), rtol=1e-12)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("y = smoothdata(y);", "the data of a value are needed in every pass"),
        ("y(2:end) = y(1:end-1) + 1;", "a part of a value that the loop computes is read"),
        ("y = y + rand;", "a random scalar is drawn in every pass"),
        ("y = y - mean(y);", "the next pass depends on a sum over all elements"),
        ("if max(y) > 1, y = y / 2; end", "the next pass depends on a sum over all elements"),
        ("y = y + 1", "it prints"),
        ("disp(k); y = y + 1;", "disp is called in every pass"),
        ("y = y + 1; t = tic;", "tic is called in every pass"),
        ("y = y + second(datetime);", "datetime is called in every pass"),
        ("t = parcluster; y = y + 1;", "parcluster is called in every pass"),
        ("for q = 1:50, y = y + 1; end", "a loop inside it has many passes"),
        ("c{k} = y;", "needs-host-value: subscript"),
    ],
)
def test_other_loops_run_pass_by_pass_and_say_why(body: str, reason: str, runtime: Runtime) -> None:
    outcome(f"y = x(:, 1); z = x(:, 2); for k = 1:10, {body} end")
    assert any(reason in row.detail for row in runtime.recorder.boundaries.values())


@pytest.mark.parametrize(
    "body",
    [
        "M = conv2(A, ones(3), 'same'); A = double(M == 4 | (A == 1 & M == 3));",
        "A = [A(2:end, :); A(1, :)] - 0.1 * mean(A(:)); A = sort(A, 1);",
    ],
)
def test_passes_over_modest_arrays_stay_what_they_were_in_the_first_run(
    body: str, runtime: Runtime
) -> None:
    """Once compiling the loop was given up, it was planned pass by pass, at many times the cost."""
    capture_session.activate(runtime, 1 << 16, 1 << 12, 1 << 18)
    machine, captured = Machine(runtime), []
    for _ in range(6):
        before = runtime.recorder.counters.captured_ops
        machine.run(f"A = double(mod((1:150)'.^2 + (1:150), 7) < 2);\nfor k = 1:60, {body} end")
        captured.append(runtime.recorder.counters.captured_ops - before)
    assert max(captured) < 250, captured


@pytest.mark.parametrize("seed", long_form(range(0, 60, 10), 2))
def test_random_loops_give_what_they_give_pass_by_pass(seed: int, runtime: Runtime) -> None:
    for number in range(seed, seed + 10):
        text = random_loops.program(number)
        plain_runtime, Session.runtime = Session.runtime, None
        expected = outcome(text)
        Session.runtime = plain_runtime
        found = outcome(text)
        for variable, value in expected.items():
            np.testing.assert_allclose(
                as_array(found[variable]),
                as_array(value),
                1e-9,
                1e-9,
                err_msg=f"{variable} of {text}",
            )
