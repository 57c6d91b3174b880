"""gpuArray and its kin, with MATLAB's meanings, on a software adapter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app import settings
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

TRUE = """
isgpuarray(gpuArray(5))
isgpuarray(gpuArray(rand(300)) + 1)
existsOnGPU(sin(gpuArray(rand(300))))
~isgpuarray(gather(gpuArray(rand(300)) + 1))
~isgpuarray(rand(300))
isequal(gather(gpuArray([1 2; 3 4])), [1 2; 3 4])
isgpuarray(zeros(300, 'like', gpuArray(single(1))))
isa(gather(zeros(3, 'like', gpuArray(single(1)))), 'single')
~isgpuarray(zeros(300, 'like', single(1)))
isgpuarray(ones(3, 'gpuArray'))
isa(ones(3, 'int8', 'gpuArray'), 'int8')
isgpuarray(rand(300, 'single', 'gpuArray'))
isgpuarray(gpuArray.rand(300))
isa(gpuArray.zeros(300, 'single'), 'single')
isequal(gather(gpuArray.colon(1, 5)), 1:5)
isequal(gather(gpuArray.eye(3)), eye(3))
isequal(size(gpuArray.linspace(0, 1, 7)), [1 7])
isgpuarray(cast(1:3000, 'like', gpuArray(single(1))))
isgpuarray(randn(300, 'like', gpuArray(1)))
isgpuarray(randi(9, 300, 'like', gpuArray(1)))
isgpuarray(eye(300, 'like', gpuArray(1)))
isgpuarray(true(3, 'gpuArray'))
isequal(gather(arrayfun(@(a, b) a * 2 + b, gpuArray(1:9), 5)), (1:9) * 2 + 5)
isequal(size(arrayfun(@(a, b) a + b, gpuArray(ones(4, 1)), gpuArray(ones(1, 3)))), [4 3])
isgpuarray(arrayfun(@(a) a + 1, gpuArray(1:5)))
isequal(gather(pagefun(@mtimes, gpuArray(ones(2, 2, 3)), gpuArray(ones(2)))), 2 * ones(2, 2, 3))
isgpuarray(pagefun(@transpose, gpuArray(ones(2, 3, 4))))
isequal(size(pagefun(@transpose, gpuArray(ones(2, 3, 4)))), [3 2 4])
gpuDevice().DeviceAvailable && gpuDevice(1).Index == 1 && gpuDeviceCount == 1 && canUseGPU
gpuDevice().TotalMemory >= gpuDevice().AvailableMemory
gputimeit(@() sum(gpuArray(rand(300)), 'all')) > 0
strcmp(class(gpuArray(single(1:9)) + 1), 'gpuArray')
isa(gpuArray(1:9), 'gpuArray') && isa(gpuArray(1:9), 'float') && isfloat(gpuArray(1:9))
strcmp(underlyingType(gpuArray(1:9) > 2), 'logical')
strcmp(classUnderlying(gpuArray(int8(1:9)) + 1), 'int8')
strcmp(class(gather(gpuArray(1:9))), 'double') && ~isa(1:9, 'gpuArray')
strcmp(class(rand(300) * 2), 'double')
strcmp(class(zeros(2, class(gpuArray(1)))), 'gpuArray')
isUnderlyingType(gpuArray(single(1)), 'single') && isaUnderlying(gpuArray(single(1)), 'float')
"""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    made = Session(settings.load({"FUSELAB_DEVICE": "gpu"}), lambda _: None)
    require_adapter(made.acceleration.runtime.open())
    yield made
    made.close()


def run(session: Session, code: str) -> None:
    session.run_source(SourceText("gpu.m", code))
    error = session.last_report["error"]
    assert session.last_status == "ok", error and error["message"]


@pytest.mark.parametrize("condition", TRUE.strip().splitlines())
def test_it_holds(session: Session, condition: str) -> None:
    run(session, f"assert({condition})")


def test_resetting_the_device_frees_it_and_loses_no_value(session: Session) -> None:
    run(session, "clear; x = gpuArray(rand(300)); y = x * 2; s = gather(sum(y, 'all'));")
    before = session.acceleration.runtime.memory()["live"]
    run(session, "reset(gpuDevice); assert(~existsOnGPU(x)); assert(isequal(x * 2, gather(y)))")
    assert before > 0
    run(session, "clear; reset(gpuDevice)")
    session.acceleration.runtime.executor.storage.bury()
    assert session.acceleration.runtime.memory()["live"] < before / 100


def test_arrays_of_the_device_before_are_device_arrays_on_the_next_one(session: Session) -> None:
    run(session, "clear; x = gpuArray(rand(300)); c = gpuArray(single(1:5)); s = rand(300) + 1;")
    session.choose_device("gpu")  # opens it anew: another device to the arrays there are
    run(session, "y = x*2 + 1; assert(isgpuarray(y) && existsOnGPU(y)); assert(isgpuarray(x + s))")
    run(session, "assert(isequal(gather(y), 2*gather(x) + 1)); d = c*2; assert(isgpuarray(d))")
    run(session, "assert(isa(d, 'single') && isequal(gather(d), single(2:2:10)))")
    run(session, "assert(~isgpuarray(s*2) && isgpuarray(x)); assert(isgpuarray(sum(x)))")
    run(session, "clear")


@pytest.mark.parametrize(
    ("code", "identifier"),
    [
        ("gpuDevice(2);", "parallel:gpu:device:InvalidDeviceID"),
        ("gpuArray('abc');", "parallel:gpu:array:UnsupportedType"),
        ("gpuArray({1});", "parallel:gpu:array:UnsupportedType"),
    ],
)
def test_what_is_refused(session: Session, code: str, identifier: str) -> None:
    session.run_source(SourceText("gpu.m", code))
    assert session.last_report["error"]["identifier"] == identifier
