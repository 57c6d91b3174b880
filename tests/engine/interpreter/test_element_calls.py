"""arrayfun over resident arrays: the same answers as calls one by one, and nothing downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app import settings
from app.engine.interpreter.loops import element_calls
from app.engine.session.session import Session
from app.engine.values import DeviceArray, Value, as_array, class_of, host, size_of
from app.source import SourceText
from tests.support.adapters import require_adapter

DATA = """
x = (sin((1:600)' * 1.7) * 3); x(5) = NaN; x(9) = Inf; x(11) = -0; x(12) = 0;
y = cos((1:600)' * 0.3); f = single(x); b = y > 0; j = int32(x * 100); u = uint8(abs(y) * 255);
c = [2 -1 0.5]; S.gain = 3; S.table = {4, 5}; M = reshape(y, 30, 20);
"""
FUNCTIONS = """
function c = escape(a)
  c = 0; z = 0;
  while c < 20 && abs(z) < 2
    z = z * z + a; c = c + 1;
  end
end
function r = clipped(a, low, high)
  if a < low
    r = low; return
  elseif a > high
    r = high;
  else
    r = a;
  end
end
function [p, q] = both(a)
  p = a * 2; q = a > 1;
end
function r = summed(a)
  r = 0;
  for k = 1:12
    if k > a * 4, break, end
    r = r + a / k;
  end
end
function r = switched(a)
  switch a > 0
    case true, r = single(1);
    otherwise, r = single(-2);
  end
end
function r = inner(a)
  g = @(t) t ^ 2 - a; r = g(a) + g(3);
end
function r = newton(a)
  r = 1;
  for k = 1:30
    n = r - (r ^ 2 - abs(a)) / (2 * r);
    if abs(n - r) < 1e-9, r = n; continue, end
    r = n;
  end
end
"""
ON_DEVICE = (
    "arrayfun(@(a) a ^ 2 + 1, x)",
    "arrayfun(@(a) max(a, 0.3) * c(1) - c(3), x)",
    "arrayfun(@(a, b) a * b / (b + 2), x, y)",
    "arrayfun(@(a) S.gain * a + S.table{2}, x)",
    "arrayfun(@escape, y)",
    "arrayfun(@(a) clipped(a, -1, c(1)), x)",
    "arrayfun(@summed, y)",
    "arrayfun(@switched, y)",
    "arrayfun(@inner, x)",
    "arrayfun(@newton, y)",
    "nthargout(1:2, @arrayfun, @both, x)",
    "arrayfun(@(a) a > 0 && a < 1, y)",
    "arrayfun(@(a) isnan(a) || a > 2, x)",
    "arrayfun(@(a) a * 2, f)",
    "arrayfun(@(a) a + 1, j)",
    "arrayfun(@(a) a / 3, u)",
    "arrayfun(@(a) ~a, b)",
    "arrayfun(@(a) sin(a) + exp(-a), y)",
    "arrayfun(@sin, y)",
    "arrayfun(@(a) 7, x)",
    "arrayfun(@(a) sqrt(a), y)",
    "arrayfun(@(a) a', M)",
    "arrayfun(@(a) c(1) ^ a, M)",
    "arrayfun(@(a) sum([a a * 2 1]), y)",
    "arrayfun('sin', y)",
    "arrayfun(@(a) c(min(3, 1 + (a > 0))), y)",
    "arrayfun(@(k) sum(M(k, :)) + y(k), mod((1:600)', 30) + 1)",
    "arrayfun(@(a) double(a) + 0.5, u)",
)
ON_HOST = (
    "arrayfun(@(a) {a}, x)",
    "arrayfun(@(a) a, x, 'UniformOutput', false)",
    "arrayfun(@(a) [a a], x, 'UniformOutput', false)",
    "arrayfun(@(a) num2str(a), 1:3, 'UniformOutput', false)",
    "arrayfun(@(a, b) a + b, x(1:300), y(1:300))",
    "arrayfun(@(a) a(1), x(1:3))",
)
ERRORS = (
    "arrayfun(@(a) [a a], x)",
    "arrayfun(@(a, b) a + b, x, y')",
    "arrayfun(@(a) nothing_of_the_kind(a), x)",
    "arrayfun(@(a) c(10), x)",
    "arrayfun(@(a) c(4 + floor(a)), y)",
    "arrayfun(@(a) error('my:id', 'no'), x)",
)


@pytest.fixture(scope="module")
def sessions() -> Iterator[tuple[Session, Session]]:
    made = [
        Session(settings.load({"FUSELAB_DEVICE": device}), lambda _: None)
        for device in ("gpu", "cpu")
    ]
    require_adapter(made[0].acceleration.runtime.open())
    for session in made:
        _run(session, DATA)
    yield made[0], made[1]
    for session in made:
        session.close()


def _run(session: Session, code: str) -> None:
    session.run_source(SourceText("calls.m", code))
    error = session.last_report["error"]
    assert session.last_status == "ok", error and error["message"]


def _results(session: Session, call: str) -> list[Value]:
    names = ("r1", "r2") if call.startswith("nthargout") else ("r1",)
    call = call.replace("nthargout(1:2, @arrayfun, ", "arrayfun(")
    _run(session, DATA + f"clear r1 r2; [{', '.join(names)}] = {call};" + FUNCTIONS)
    return [session.interpreter.workspace[n] for n in names]


@pytest.mark.parametrize("call", ON_DEVICE)
def test_calls_are_maths_where_the_data_are(sessions: tuple[Session, Session], call: str) -> None:
    gpu, cpu = sessions
    for ours, theirs in zip(_results(gpu, call), _results(cpu, call), strict=True):
        assert type(ours) is DeviceArray
        assert (class_of(ours), size_of(ours)) == (class_of(theirs), size_of(theirs))
        near = 1e-5 if class_of(theirs) == "single" else 1e-12
        a, b = as_array(host(ours)), as_array(theirs)
        np.testing.assert_allclose(a, b, rtol=near, atol=near, equal_nan=True)


def test_of_loops_in_all_elements_one_byte_says_whether_any_goes_on(
    sessions: tuple[Session, Session],
) -> None:
    gpu, _ = sessions
    _results(gpu, "arrayfun(@escape, y)")
    counters = gpu.acceleration.recorder.counters
    assert counters.downloads == counters.download_bytes > 0


@pytest.mark.parametrize("call", ON_HOST)
def test_what_the_host_has_to_do_is_the_same(sessions: tuple[Session, Session], call: str) -> None:
    gpu, cpu = sessions
    for session in (gpu, cpu):
        _run(session, DATA + f"r = {call};")
    for name in ("class(r)", "size(r)"):
        for session in (gpu, cpu):
            _run(session, f"t = {name};")
    assert repr(gpu.interpreter.workspace["t"]) == repr(cpu.interpreter.workspace["t"])


@pytest.mark.parametrize("call", ERRORS)
def test_errors_are_those_of_single_calls(sessions: tuple[Session, Session], call: str) -> None:
    found = []
    for session in sessions:
        session.run_source(SourceText("calls.m", DATA + f"r = {call};"))
        error = session.last_report["error"]
        assert session.last_status != "ok"
        found.append((error["identifier"], error["message"]))
    assert found[0] == found[1]


def test_what_cannot_be_traced_is_said_and_not_tried_for_ever(
    sessions: tuple[Session, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = []
    trace = element_calls._traced

    def counted(*given: Any) -> Any:
        tried.append(given)
        return trace(*given)

    monkeypatch.setattr(element_calls, "_traced", counted)
    gpu, _ = sessions
    call = "for k = 1:9, r = arrayfun(@(a) a + 0*rand, x); end"
    for run in (1, 2):
        _run(gpu, DATA + call)
        assert len(tried) == run * element_calls.MOST_FAILURES
        details = [row["detail"] for row in gpu.last_report["boundaries"]]
        said = "arrayfun calls its function once per element: a random scalar is drawn"
        assert any(detail.startswith(said) for detail in details)
