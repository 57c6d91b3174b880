"""What masks and places select of arrays on the device stays there; only numbers are fetched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from tests.engine.builtins.engine_session import Session

DATA = "rng(1); h = randn(3000, 2); h(5) = NaN; x = gpuArray(h); m = h > 0.5;"
A_NUMBER = 8
SELECTIONS = [
    ("x(x > 0.5)", "h(m)", A_NUMBER),
    ("x(m)", "h(m)", A_NUMBER),
    ("find(x > 0.5)", "find(m)", A_NUMBER),
    ("find(x > 0.5, 7, 'last')", "find(m, 7, 'last')", A_NUMBER),
    ("nonzeros(x .* (x > 1))", "nonzeros(h .* (h > 1))", A_NUMBER),
    ("x(gpuArray(3000:-1:1))", "h(3000:-1:1)", 0),
    ("x(gpuArray(3000:-1:1), 2)", "h(3000:-1:1, 2)", 0),
    ("x(gpuArray(mod((1:3000)*7, 3000)+1), :)", "h(mod((1:3000)*7, 3000)+1, :)", 1),
    ("x(mod((1:1500)*7, 3000)+1, [2 1 1])", "h(mod((1:1500)*7, 3000)+1, [2 1 1])", 0),
    ("x((x > 0.5) * 2 + 1)", "h(m * 2 + 1)", 0),
    ("h(double(uint8(abs(x) * 9)) + 1)", "h(double(uint8(abs(h) * 9)) + 1)", 0),
    ("x([end 1:end-1], :)", "h([end 1:end-1], :)", 0),
    ("x([1 1:end-2 end end], [2 1])", "h([1 1:end-2 end end], [2 1])", 0),
    ("x([2:end 1], 2)", "h([2:end 1], 2)", 0),
    ("x([5:2:end 1])", "h([5:2:end 1])", 0),
    ("sort(x, 2, 'descend')", "sort(h, 2, 'descend')", 0),
    ("median(x)", "median(h)", 0),
]
"""On the device, the same on the host, and the bytes that may be fetched."""


WRITES = [
    "b = {x}; b({m}(:, 1), 2) = abs(b({m}(:, 1), 2));",
    "b = {x}; b({m}(:, 1), 2) = b({m}(:, 1), 1) + 2;",
    "b = {x}; o = {m}(:, 2); b(o, :) = -b(o, :); b(~o, 1) = 0;",
    "s.b = {x}; s.o = find({m}(:, 1)); s.b(s.o, 1) = sqrt(abs(s.b(s.o, 1))); b = s.b;",
    "b = {x} > 0; b({m}(:, 2), 1) = b({m}(:, 2), 2);",
]
"""What is written where a mask of the rows is true."""


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    provider = open_provider()
    made = Runtime(AccelOptions(device="gpu"), provider)
    yield made
    made.close()


@pytest.fixture
def session(runtime: Runtime) -> Iterator[Session]:
    made = Session()
    made.run("h = 0; m = 0;")
    capture_session.deactivate()
    made.run(DATA.replace("x = gpuArray(h);", ""))
    capture_session.activate(runtime, 1024)
    made.run("x = gpuArray(h);")
    yield made
    made.run("clear")
    capture_session.deactivate()


@pytest.mark.parametrize(("device", "host", "fetched"), SELECTIONS)
def test_selection_is_right_and_stays(
    runtime: Runtime, session: Session, device: str, host: str, fetched: int
) -> None:
    counters = runtime.recorder.counters
    before = counters.download_bytes
    session.run(f"d = {device};")
    lazy = session.value("d")
    runtime.evaluate([lazy.node])
    assert counters.download_bytes - before == fetched
    assert counters.fallbacks == 0
    capture_session.deactivate()
    session.run(f"e = {host};")
    assert session.holds("isequaln(gather(d), e) && isequal(size(d), size(e))")


@pytest.mark.parametrize("text", WRITES)
def test_what_rows_of_a_mask_get_stays(runtime: Runtime, session: Session, text: str) -> None:
    session.run("g = x > 0.5;")
    counters = runtime.recorder.counters
    before = counters.download_bytes
    session.run(text.format(x="x", m="g"))
    runtime.evaluate([session.value("b").node])
    assert counters.download_bytes == before
    capture_session.deactivate()
    session.run("d = gather(b); " + text.format(x="h", m="m"))
    assert session.holds("isequaln(d, b)")


def test_as_many_values_as_rows_of_a_mask_are_written(session: Session) -> None:
    session.run("g = x > 0.5; v = gpuArray(-(1:nnz(m(:, 1)))'); b = x; b(g(:, 1), 2) = v;")
    session.run("e = h; e(m(:, 1), 2) = gather(v);")
    assert session.holds("isequaln(gather(b), e)")
    session.run("try, b(g(:, 1), 2) = [1; 2]; catch problem, end")
    assert session.holds("strcmp(problem.identifier, 'MATLAB:subsassigndimmismatch')")


@pytest.mark.parametrize("name", ["uint8", "int8", "uint16", "int16", "int32"])
def test_integers_of_a_class_are_places(runtime: Runtime, session: Session, name: str) -> None:
    session.run(f"p = {name}(mod(abs(x) * 40, 90)); t = sin(1:91); d = 0; clear d; p = p + 1;")
    counters = runtime.recorder.counters
    before = counters.download_bytes
    session.run("d = t(p);")
    runtime.evaluate([session.value("d").node])
    assert counters.download_bytes - before <= 1  # whether all are valid
    assert session.holds("isequal(gather(d), t(double(gather(p)))) && isequal(size(d), size(x))")


@pytest.mark.parametrize("call", ["x(x > 1e9)", "find(x > 1e9)", "nonzeros(x > 1e9)"])
def test_nothing_selected_is_an_empty_array(session: Session, call: str) -> None:
    session.run(f"d = {call};")
    assert session.holds("isequal(size(d), [0 1])")


@pytest.mark.parametrize("places", ["(2000:6001)", "(0:3000)", "(1:2000) + 0.5"])
def test_wrong_places_are_the_hosts_errors(session: Session, places: str) -> None:
    session.run(
        f"try, h({places}); catch a, end, try, x(gpuArray({places})); catch b, end,"
        "same = strcmp(a.identifier, b.identifier) && numel(a.message) > 0;"
    )
    assert session.holds("same")
