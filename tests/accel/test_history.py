"""What runs leave for the next ones, and kernels compiled beside the script."""

from __future__ import annotations

import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.accel.backends.device_opening import Opening
from app.accel.backends.null import NullProvider
from app.accel.codegen.compile_weight import kernel_weight
from app.accel.planner import calibration, history, plan_cache
from app.accel.planner.calibration import Opened
from app.accel.planner.cost import Correction, Side, Speeds
from app.accel.planner.plan_cache import PlanCache
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.accel.support import disk_cache
from app.errors import Unsupported
from tests.accel.graphs import Graph

QUICK = Speeds(0.001, 1e9, 1e9, 1e9, 1e9, 0.0, 1e9, 0.0, 1e9, 50.0)
SLUGGISH = Speeds(1.0, 1e5, 1e5, 1e5, 1e5)


class Slow(NullProvider):
    """A device whose compiler is at work until it is told to be done."""

    def __init__(self) -> None:
        super().__init__()
        self.done = False

    def ready(self, kernel: Any, like: Any) -> bool:
        """Nothing is before it is done."""
        return self.done and super().ready(kernel, like)


def run(runtime: Runtime, x: Any, k: int) -> str:
    """Where a group went."""
    g = Graph(runtime)
    runtime.evaluate([g.plus(g.sin(x), float(k))])
    return list(runtime.recorder.groups.values())[-1].provider


def absent(name: str) -> NullProvider:
    """There is no device."""
    raise Unsupported(name)


def test_the_host_goes_on_while_a_kernel_is_compiled() -> None:
    device = Slow()
    runtime = Runtime(AccelOptions(verify=True, calibration=False), device)
    runtime.placer.device, runtime.placer.host = QUICK, SLUGGISH
    x = Graph(runtime).leaf(np.ones(100000))
    assert [run(runtime, x, k) for k in range(3)] == ["host"] * 3
    assert (len(device.anticipated), device.calls["prepare"]) == (1, 0)
    row = next(iter(runtime.recorder.groups.values()))
    assert row.reason.value == "cost-model-host"
    assert row.detail.endswith("ms to compile, which goes on beside")
    device.done = True
    assert [run(runtime, x, k) for k in range(3, 6)] == ["null"] * 3
    assert (len(device.anticipated), device.calls["prepare"]) == (1, 1)
    runtime.close()


def test_work_longer_than_the_compilation_waits_for_it() -> None:
    device = Slow()
    runtime = Runtime(AccelOptions(verify=True, calibration=False), device)
    runtime.placer.device, runtime.placer.host = QUICK, Speeds(200.0, 1e5, 1e5, 1e5, 1e5)
    assert run(runtime, Graph(runtime).leaf(np.ones(100000)), 0) == "null"
    assert (len(device.anticipated), device.calls["prepare"]) == (0, 1)
    runtime.close()


def test_the_second_run_knows_what_the_first_measured(private_home: Path) -> None:
    def estimate(measured: float) -> float:
        runtime = Runtime(AccelOptions(host_threads=1), opener=absent)
        placer = runtime.placer
        runtime.executor.sent.observe = lambda step, side, _: placer.observe(step, side, measured)
        x = Graph(runtime).leaf(np.ones(1000000))
        run(runtime, x, 0)
        first = next(iter(runtime.recorder.groups.values())).host_estimate_ms or 0.0
        for k in range(12):
            run(runtime, x, k)
        runtime.close()
        return first

    assert estimate(700.0) < 300.0
    assert estimate(700.0) == pytest.approx(700.0, rel=0.05)


def test_measurements_of_one_side_are_kept_apart(private_home: Path) -> None:
    runtime = Runtime(AccelOptions())
    correction = runtime.placer.correction
    correction.factors = {(Side.NUMPY, kind): 2.0 for kind in history.Template}
    history.keep(correction, True, "card", QUICK, {"a.m": 12.0})
    assert history.read("card").factors == {}
    history.keep(correction, False, "host", QUICK, {})
    correction.factors = {}
    history.recall(correction, False, "host", SLUGGISH)
    assert correction.factors == {}
    history.recall(correction, False, "host", QUICK)
    assert set(correction.factors.values()) == {2.0}
    assert history.read("card").scripts == {"a.m": 12.0}
    runtime.close()


def test_compilations_are_estimated_by_what_others_took(private_home: Path) -> None:
    """In proportion to weighted operations, on this device; of a kernel itself it is known."""
    few, many = calibration.kernel(1), calibration.kernel(8)
    correction = Correction()
    assert correction.compiling(many, QUICK) > correction.compiling(few, QUICK) >= QUICK.compile_ms
    correction.has_compiled(few, 400.0)
    history.keep(correction, True, "card", QUICK, {})
    later, elsewhere = Correction(), Correction()
    history.recall(later, True, "card", QUICK)
    history.recall(elsewhere, True, "another card", QUICK)
    assert later.compiling(few, QUICK) == 400.0
    share = kernel_weight(many) / kernel_weight(few)
    assert later.compiling(many, QUICK) == pytest.approx(400.0 * share)
    assert elsewhere.compiling(few, QUICK) == Correction().compiling(few, QUICK)


@pytest.mark.parametrize(("gain", "opens"), [(1000.0, True), (3.0, False)])
def test_a_script_that_gained_by_the_device_meets_it_opening(
    private_home: Path, gain: float, opens: bool
) -> None:
    card = NullProvider().info.fingerprint
    calibration.remember_opening("auto", Opened(200.0, card, "discrete"))
    calibration.save(card, QUICK)
    runtime = Runtime(AccelOptions(), opener=lambda _: NullProvider())
    history.keep(runtime.placer.correction, True, card, QUICK, {"a.m": gain})
    runtime.begin("a.m")
    runtime.opening.finish()
    assert (runtime.opening.provider is not None) == opens
    runtime.close()


def test_a_card_is_opened_between_two_runs_once_it_was_missed(private_home: Path) -> None:
    calibration.remember_opening("auto", Opened(200.0, "a card", "discrete"))
    runtime = Runtime(AccelOptions(), opener=lambda _: NullProvider())
    runtime.begin("a.m")
    runtime.measure()
    assert not runtime.opening.under_way
    runtime.planner.missed_ms = 20.0
    runtime.measure()
    runtime.opening.finish()
    assert runtime.opening.provider is not None
    runtime.close()


def test_nobody_waits_for_a_device_that_is_opened_for_nothing() -> None:
    closed: list[NullProvider] = []
    abandoned = threading.Event()
    opened_too_late: list[bool] = []

    class Closing(NullProvider):
        def close(self) -> None:
            closed.append(self)

    def opener(name: str) -> NullProvider:
        opened_too_late.append(not abandoned.wait(60))
        return Closing()

    opening = Opening("auto", lambda _: None, opener)
    opening.begin()
    opening.abandon()
    abandoned.set()
    opening.finish()
    assert opened_too_late == [False]
    assert len(closed) == 1
    assert opening.provider is None


def test_a_device_that_nobody_has_taken_yet_is_closed() -> None:
    closed: list[NullProvider] = []

    class Closing(NullProvider):
        def close(self) -> None:
            closed.append(self)

    runtime = Runtime(opener=lambda name: Closing())
    runtime.opening.begin()
    runtime.opening.finish()
    runtime.close()
    assert closed == [runtime.opening.provider]


def test_files_of_strange_things_are_set_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    path = tmp_path / "some.kernels"
    disk_cache.write(path, {"speeds": QUICK})
    assert disk_cache.read(path) == {"speeds": QUICK}
    disk_cache.write(path, print)
    assert disk_cache.read(path) is None
    assert "builtins.print does not belong here" in caplog.text
    path.write_bytes(disk_cache.stamp() + bytes(16) + pickle.dumps(QUICK))
    assert disk_cache.read(path) is None
    assert not path.exists()
    assert len(caplog.records) == 1


def test_plans_of_the_last_run_are_there(private_home: Path) -> None:
    """Nothing is partitioned a second time; every value is right and has its line."""

    def made() -> tuple[list[float], int, int]:
        runtime = Runtime(AccelOptions(verify=True, calibration=False))
        runtime.begin("a.m")
        runtime.planner.kept.wait()
        g = Graph(runtime)
        x = g.leaf(np.linspace(0, 1, 2000))
        trace = runtime.loop(5)
        y = trace.carry(g.times(x, 2.0))
        [z] = trace.finish([g.plus(g.times(y, 0.5), x)])
        found = [float(runtime.gather(n)[-1, 0]) for n in (g.total(g.sin(x)), z)]
        counters = runtime.recorder.counters
        runtime.close()
        return found, counters.plans, counters.plan_cache_hits

    first, plans, hits = made()
    assert (plans, hits) == (2, 0)
    assert made() == (first, 2, 2)


def test_plans_are_read_once_for_a_script(
    private_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runs after the first one have this process's plans, and wait for no thread."""
    read = list[Path]()
    monkeypatch.setattr(disk_cache, "read", read.append)
    cache = PlanCache()
    for script in ("a.m", "b.m", "a.m", "b.m"):
        cache.expect(script)
        cache.wait()
    assert read == [plan_cache.file_of("a.m"), plan_cache.file_of("b.m")]
