"""Complex arrays on the graph have the host's numbers, classes and sizes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.runtime.runtime import Runtime
from app.accel.support.options import AccelOptions
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.builtins.complex_programs import (
    BOTH,
    ONLY_SMOOTH,
    SMOOTH,
    SPECIAL,
    check,
    stays_lazy,
)
from tests.engine.interpreter.running import Machine


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu", verify=True))
    capture_session.activate(made, 64)
    yield made
    capture_session.deactivate()
    made.close()


@pytest.mark.parametrize("program", BOTH + ONLY_SMOOTH)
def test_smooth_numbers(runtime: Runtime, program: str) -> None:
    check(f"{SMOOTH} {program}")


@pytest.mark.parametrize("program", BOTH)
def test_special_numbers(runtime: Runtime, program: str) -> None:
    check(f"{SPECIAL} {program}")


@pytest.mark.parametrize(
    "program",
    ["a = z + w;", "a = exp(z .* t) ./ w;", "a = (s + 1)';", "a = sum(reshape(z, 2, 1000));"],
)
def test_results_stay_lazy(runtime: Runtime, program: str) -> None:
    assert stays_lazy(f"{SMOOTH} {program}")


def test_a_chain_is_one_kernel(runtime: Runtime) -> None:
    machine = Machine(runtime)
    machine.run(f"{SMOOTH} a = sum(abs(exp(z) .* w + 2i) .^ 2);")
    machine.value("a")
    machine.run("if a > 0, end")
    assert [row.kind for row in runtime.recorder.groups.values()][-1] == "reduction"


@pytest.mark.parametrize(
    ("program", "identifier"),
    [
        ("a = z + ones(3, 3);", "MATLAB:sizeDimensionsMustMatch"),
        ("a = logical(z);", "MATLAB:nologicalcomplex"),
    ],
)
def test_errors_are_the_hosts(runtime: Runtime, program: str, identifier: str) -> None:
    assert Machine(runtime).fails(f"{SMOOTH} {program}").identifier == identifier


@pytest.mark.parametrize(
    "call",
    [
        "nthargout(2, @max, {}(:))",
        "cov({})",
        "corrcoef({})",
        "norm({}(:), 1)",
        "dot({0}(:, 1), {0}(:, 2))",
        "histcounts({}, 7)",
        "find({} > 0.5)",
        "t(ceil(abs({})) + 1)",
        "var({}, ones(500, 1))",
        "isequal({0}, {0} + 0)",
        "complex({0}, {0})",
    ],
)
@pytest.mark.parametrize("root", ["sqrt(x)", "log10(x + 0.1)", "sqrt(x - 0.5)"])
def test_what_may_be_complex_is_looked_at_by_its_guard(
    runtime: Runtime, root: str, call: str
) -> None:
    text = f"x = mod(reshape((1:2000) * 0.37, 500, 4), 1); t = (1:9)' / 2; v = {root};"
    machine = Machine(runtime)
    counters = runtime.recorder.counters
    machine.run(f"{text} try, a = {call.format('v')}; catch problem, a = problem.identifier; end")
    if "0.5" not in root:
        machine.value("a")
        lazy = machine.interpreter.workspace["a"]
        assert type(lazy) is not np.ndarray or lazy.size < 10
    capture_session.deactivate()
    plain = Machine(runtime)
    plain.run(f"{text} try, a = {call.format('v')}; catch problem, a = problem.identifier; end")
    assert counters.fallbacks == 0
    found, expected = (m.interpreter.workspace["a"] for m in (machine, plain))
    if isinstance(expected, str):
        assert found == expected
    else:
        np.testing.assert_allclose(as_array(found), as_array(expected), rtol=1e-10, atol=1e-12)
