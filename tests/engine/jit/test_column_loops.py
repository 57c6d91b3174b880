"""Loops over the columns of an array give what they give one pass after the other."""

from __future__ import annotations

from typing import Any

import pytest

from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.jit import loop_version
from app.engine.values import as_array
from tests.engine.interpreter.running import Machine
from tests.engine.jit.comparing import eager, frozen

SET_UP = """v = mod((1:36).^2, 11); m = reshape(1:108, 3, 36); s = 0; n = 0; x = 0;
"""
PROGRAMS = [
    "for x = v, s = s + x * 0.5; end",
    "for x = v, if x == 7, break, end, s = s + x; end",
    "for x = v, if x == 5, continue, end, s = s + x; end",
    "for x = v, if x < 0, return, end, s = s + x; end, n = 1;",
    "t = ''; for x = v, t = [t sprintf('%d', x)]; end",
    "for c = m, s = s + c(1) * c(3) - sum(c); end",
    "for c = m, s = s + numel(c); c(2) = 5; n = n + c(2); end",
    "for c = m(1, :), s = s + c(1); end",
    "for c = int8(m), n = class(c); s = s + double(c(2)); end",
    "s = int32(0); for k = int32(1):int32(40), s = s + k; end",
    "s = uint8(0); for x = uint8(v), s = s + x * 30; end",
    "s = single(0); for x = single(v) / 3, s = s + x; end",
    "for x = single(v) / 3, s = s + x; end",
    "for b = v > 4, if b, n = n + 1; end, end",
    "for b = v > 4, n = n + ~b; end",
    "for z = v + 1i, s = s + z; end",
    "for x = v, for y = v, if x == y, n = n + 1; end, end, end",
    "for x = v, n = n + 1; v(1) = 100; v(end+1) = 3; end",
    "x = 99; for x = zeros(0, 40), n = n + 1; end",
    "x = 99; for x = zeros(40, 0), n = n + 1; end",
    "for x = zeros(1, 40), x = x + 1; n = n + x; end",
    "for x = reshape(1:72, 1, 36, 2), s = s + x(1); end",
    "try, for x = v, if x == 0, error('my:id', 'at zero'); end, s = s + x; end, catch e, n = e.message; clear e, end",
    "f = @(p) p + 1; for x = v, s = s + f(x); end, clear f",
    "P.v = v; for x = P.v, s = s + x; P.v = 1; end, clear P",
    "for k = find(v > -1), s = s + v(k); end",
    "for k = find(v > 3), m(2, k) = -k; end",
    "for k = fliplr(1:36), n(k) = v(k); end",
    "y = (1:2000)' / 7; for x = v, y = 0.9 * y + x; s = s + x; end",
    "y = (1:2000)' / 7; for c = m, y = 0.9 * y + c(2); s = s + c(1); end",
    "y = zeros(300, 36); k = 0; for x = v, k = k + 1; y(:, k) = x * (1:300)'; end",
    "w = zeros(1, 36); for x = v, for k = 1:3, w(k) = w(k) + x; end, end",
    "while n < 3, n = n + 1; for x = v, s = s + x * n; end, end",
    "g(v); function g(v), s = 0; for x = v, s = s + x; end, disp(s), end",
]


def workspace(program: str) -> dict[str, Any]:
    machine = Machine()
    printed = machine.run(f"{SET_UP}{program}")
    variables = {
        n: frozen(as_array(v))
        for n, v in machine.interpreter.workspace.items()
        if n[0] != "#" and n[:2] != "__"
    }
    return {**variables, "printed": printed}


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The passes at which machine code was entered."""
    found: list[int] = []
    run = loop_version.Version.run

    def noting(self: Any, driver: Any, values: Any, parts: Any) -> Any:
        found.append(driver.at)
        return run(self, driver, values, parts)

    monkeypatch.setattr(loop_version.Version, "run", noting)
    return found


@pytest.mark.parametrize("program", PROGRAMS)
def test_machine_code_does_what_the_interpreter_does(program: str) -> None:
    expected = workspace(program)
    with eager(1):
        assert workspace(program) == expected
    with eager(0):
        assert workspace(program) == expected


@pytest.mark.parametrize("program", PROGRAMS)
def test_kernels_do_what_the_interpreter_does(program: str) -> None:
    expected = workspace(program)
    runtime = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(runtime, 64)
    try:
        found = workspace(program)
    finally:
        capture_session.deactivate()
        runtime.close()
    assert found.keys() == expected.keys()
    for name in expected.keys() - {"y", "s", "printed"}:
        assert found[name] == expected[name], name


@pytest.mark.parametrize("program", [PROGRAMS[0], PROGRAMS[5], PROGRAMS[9], PROGRAMS[25]])
def test_they_are_compiled(program: str, entries: list[int]) -> None:
    with eager(1):
        workspace(program)
    assert entries
