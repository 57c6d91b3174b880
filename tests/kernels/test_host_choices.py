"""Branches of a loop that follow from numbers alone: their work is done in their passes only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import Runtime
from app.engine.capture import capture_session
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine
from tests.spellings.measuring import CAPTURE, device_options
from tests.spellings.replays import without_tape

BEGUN = (
    "n = 300; x = sin((1:n)' / 7); r = x; q = x; s = 0; v = 0; c = 0; t = 0; m = zeros(1, 100);\n"
)
BODY = "x = 1.01 * x - mean(x);"
SPELLINGS = {
    "for": "for k = 1:{0}\n{1}\nif mod(k, 10) == 0, {2} end\nend",
    "while": "k = 0;\nwhile k < {0}\nk = k + 1;\n{1}\nif mod(k, 10) == 0, {2} end\nend",
    "counted": "for k = 1:{0}\n{1}\nc = c + 1; if c >= 10, c = 0; {2} end\nend",
    "switch": "for k = 1:{0}\n{1}\nswitch mod(k, 10), case 0, {2} end\nend",
    "negated": "for k = 1:{0}\n{1}\nif rem(k, 10) ~= 0, else, {2} end\nend",
    "short": "for k = 1:{0}\n{1}\nif k > 1 && mod(k, 10) == 0, {2} end\nend",
    "field": "p = struct('n', 10); \nfor k = 1:{0}\n{1}\nif ~mod(k, p.n), {2} end\nend\nclear p",
    "function": "for k = 1:{0}\n{1}\nif due(k), {2} end\nend\nfunction r = due(k)\n"
    "r = mod(k, 10) == 0;\nend",
}


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    made = Runtime(device_options(), open_provider())
    yield made
    made.close()


def run(text: str, runtime: Runtime) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """The variables of a program afterwards, and how often its groups ran, by kind and lines."""
    runtime.recorder.reset()
    capture_session.activate(runtime, CAPTURE)
    try:
        machine = Machine(runtime)
        machine.run(text)
        values = {name: as_array(v) for name, v in machine.interpreter.workspace.items()}
    finally:
        capture_session.deactivate()
        Machine()
    runtime.synchronize()
    ran: dict[str, int] = {}
    for row in runtime.recorder.groups.values():
        for op in set(row.ops):
            ran[op] = ran.get(op, 0) + row.executions
    return values, ran


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_branch_is_computed_in_its_passes_only(spelling: str, runtime: Runtime) -> None:
    text = BEGUN + SPELLINGS[spelling].format(60, BODY, "x = sort(x, 1);")
    values, ran = run(text, runtime)
    assert ran["sort"] == 6
    assert ran["sum"] == 60
    plain = run(
        BEGUN + "for k = 1:60\n" + BODY + "\nif mod(k, 10) == 0, x = sort(x, 1); end\nend", runtime
    )
    assert np.array_equal(values["x"], plain[0]["x"])


BRANCHES = (
    "r = x; x = sort(x, 1);",
    "q = x;",
    "[x, r] = deal(r, x);",
    "v = v + 1; m(v) = max(x);",
    "x = sort(x, 1); m(k) = sum(x);",
    "s = s + sum(x .* r); r = cumsum(x);",
    "x = sqrt(abs(x)); t = k;",
    "r = q; x = x + r;",
    "x = x .* 0.5; if mod(k, 20) == 0, x = sort(x, 1); else, r = sort(r + x, 1); end",
)


@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("passes", [60, 97])
def test_what_branches_leave_is_what_plain_passes_do(
    branch: str, passes: int, runtime: Runtime
) -> None:
    text = BEGUN + SPELLINGS["for"].format(passes, BODY, branch)
    plain = Machine()
    plain.run(text)
    for _ in range(2):  # the second run has the tapes of the first one
        found, _ran = run(text, runtime)
        for name, value in plain.interpreter.workspace.items():
            np.testing.assert_allclose(found[name], as_array(value), 1e-9, 1e-9, err_msg=name)
    with without_tape():
        found, _ran = run(text, runtime)
    for name, value in plain.interpreter.workspace.items():
        np.testing.assert_allclose(found[name], as_array(value), 1e-9, 1e-9, err_msg=name)


def test_passes_with_branches_by_turns_are_not_captured(runtime: Runtime) -> None:
    captured = []
    for passes in (60, 600):
        text = BEGUN + SPELLINGS["for"].format(passes, BODY, "x = sort(x, 1);")
        run(text, runtime)
        captured.append(runtime.recorder.counters.captured_ops)
    assert captured[1] < 2 * captured[0]
