"""Speeds, estimates, corrections, and when a device is opened."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.accel.backends.device_opening import Opening
from app.accel.backends.host import host_cost
from app.accel.backends.host.host_provider import HostProvider
from app.accel.backends.null import NullProvider
from app.accel.ir.plan import KernelRequest, Template
from app.accel.planner import calibration, cost
from app.accel.planner.calibration import Opened
from app.accel.planner.cost import Correction, Side, Speeds
from app.accel.planner.placement import Placer
from app.accel.planner.schedule import PRICING
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.errors import Unsupported
from tests.accel.graphs import Graph

FAST = Speeds(0.01, 1e9, 1e9, 1e9, 1e9, 0.001, 1e9, 0.001, 1e9, 0.0)
SLOW = Speeds(100.0, 1e3, 1e3, 1e3, 1e3, 0.001, 1e3, 0.001, 1e3, 0.0)
WORK = cost.Work(1 << 20, 0, 0, 0)
SINE = calibration.kernel(1)
SLOW_BUS = Speeds(0.01, 1e9, 1e9, 1e9, 1e9, 50.0, 1e9, 50.0, 1e9, 0.0)


def placed(device: Speeds, host: Speeds) -> Runtime:
    runtime = Runtime(AccelOptions(verify=True), NullProvider())
    runtime.placer.device, runtime.placer.host = device, host
    return runtime


def reasons(runtime: Runtime) -> list[tuple[str, str]]:
    return [(row.provider, row.reason.value) for row in runtime.recorder.groups.values()]


@pytest.mark.parametrize(
    ("device", "host", "expected"),
    [
        (FAST, SLOW, ("null", "cost-model-device")),
        (SLOW, FAST, ("host", "cost-model-host")),
        (SLOW_BUS, FAST, ("host", "cost-model-host")),
    ],
)
def test_the_cheaper_side_is_chosen(
    device: Speeds, host: Speeds, expected: tuple[str, str]
) -> None:
    runtime = placed(device, host)
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    assert reasons(runtime) == [expected]
    row = next(iter(runtime.recorder.groups.values()))
    assert row.host_estimate_ms is not None
    assert row.device_estimate_ms is not None
    runtime.close()


def test_residency_counts() -> None:
    """What is on the device already is worth staying there, though the bus is slow."""
    runtime = placed(SLOW_BUS, Speeds(1.0, 1e6, 1e6, 1e6, 1e6))
    g = Graph(runtime)
    x = g.leaf(np.ones(100000))
    runtime.to_device(x)
    runtime.evaluate([g.sin(x)])
    assert reasons(runtime) == [("null", "resident")]
    runtime.close()


def test_forced_cpu_says_so(host: Runtime) -> None:
    runtime = Runtime(AccelOptions(device="cpu"))
    runtime.evaluate([Graph(runtime).sin(Graph(runtime).leaf(np.ones(10)))])
    assert reasons(runtime) == [("host", "forced")]
    runtime.close()


@pytest.mark.parametrize(
    "limits", [("max_binding_bytes",), ("max_binding_bytes", "max_buffer_bytes")]
)
def test_arrays_beyond_a_binding_or_a_buffer_stay_on_the_device(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[str, ...]
) -> None:
    runtime = placed(FAST, SLOW)
    info = runtime.placer.provider.info  # type: ignore[union-attr]
    small = replace(info, **dict.fromkeys(limits, 4096))
    monkeypatch.setattr(NullProvider, "info", small)
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(10000)))])
    assert reasons(runtime) == [("null", "cost-model-device")]
    runtime.close()


def test_corrections_follow_what_runs_show() -> None:
    correction = Correction()
    for _ in range(30):
        correction.observe(Side.DEVICE, SINE, WORK, 1.0, 3.0)
    assert correction.factor(Side.DEVICE, Template.MAP) == pytest.approx(3.0, rel=0.05)
    assert correction.factor(Side.NUMPY, Template.MAP) == 1.0
    assert correction.epoch >= 1


def test_one_outlier_changes_little() -> None:
    correction = Correction()
    correction.observe(Side.DEVICE, SINE, WORK, 1.0, 1000.0)
    assert correction.factor(Side.DEVICE, Template.MAP) < 1.6


def test_what_is_longest_unused_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session of many programs learns of ever more kernels."""
    monkeypatch.setattr(cost, "MOST_KNOWN", 4)
    correction = Correction()
    works = [cost.Work(1 << k, 0, 0, 0) for k in range(20)]
    for k, work in enumerate(works):
        correction.observe(Side.DEVICE, SINE, work, 1.0, 2.0)
        correction.observe(Side.DEVICE, SINE, works[0], 1.0, 2.0)
        correction.has_compiled(calibration.kernel(k + 1), 1.0)
    held = (correction.own, correction.shown, correction.compiled)
    assert [len(known) for known in held] == [4, 4, 4]
    assert correction.known(True, SINE, works[0]) is not None
    assert correction.known(True, SINE, works[1]) is None


def test_calibration_is_kept(private_home: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.expected = True  # type: ignore[attr-defined]
    assert calibration.load("a device") is None
    calibration.save("a device", FAST)
    assert calibration.load("a device") == FAST
    calibration.speeds_file().write_text("{ torn", encoding="utf-8")
    assert calibration.load("a device") is None


def test_the_host_can_be_measured() -> None:
    host = HostProvider(1)
    speeds = calibration.measure(host)
    assert speeds.bandwidth > 1e4
    assert speeds.arithmetic > 1e3
    assert speeds.matmul > 1e4
    host.close()


def test_estimates_grow_with_the_work() -> None:
    small, large = cost.Work(1000, 1000, 0, 0, 1000.0), cost.Work(10**12, 1000, 0, 0, 1000.0)
    for price in (cost.numpy_ms, cost.machine_ms, cost.device_ms):
        assert price(large, FAST) > price(small, FAST)


def test_a_loop_weighs_all_its_passes() -> None:
    runtime = Runtime(AccelOptions(device="cpu"))
    g = Graph(runtime)
    trace = runtime.loop(1000)
    x = trace.carry(g.rand(100, 1))
    runtime.evaluate(trace.finish([g.sin(x)]))
    step = next(iter(runtime._plans.values())).steps[-1]
    assert step.work.doubles >= 1000 * 100 * cost.units("sin")
    assert step.work.host >= 1000 * 100 * host_cost.NS["sin"][1]
    assert step.work.machine is not None
    runtime.close()


def test_nothing_is_expected_of_machine_code_that_there_is_not() -> None:
    """A loop over complex numbers was taken for what machine code would take: a thirtieth."""
    runtime = Runtime(AccelOptions(device="cpu"))
    g = Graph(runtime)
    trace = runtime.loop(1000)
    z = trace.carry(g.leaf(np.full((100, 1), 0.1j)))
    runtime.evaluate(trace.finish([g.times(z, z)]))
    work = next(iter(runtime._plans.values())).steps[-1].work
    assert work.machine is None
    speeds = runtime.placer.host
    assert cost.machine_ms(work, speeds) == cost.numpy_ms(work, speeds)
    assert not cost.waits(replace(work, host=1e12), speeds)
    runtime.close()


def test_small_work_opens_nothing() -> None:
    opened: list[str] = []

    def opener(name: str) -> NullProvider:
        opened.append(name)
        return NullProvider()

    runtime = Runtime(AccelOptions(calibration=False), opener=opener)
    g = Graph(runtime)
    runtime.evaluate([g.plus(g.leaf(np.ones(100)), 1.0)])
    assert opened == []
    assert reasons(runtime) == [("host", "too-small")]
    assert runtime.open() is not None
    assert opened == ["auto"]
    runtime.close()


def test_no_adapter_is_no_problem() -> None:
    def opener(name: str) -> NullProvider:
        raise Unsupported("nothing there")

    opening = Opening("auto", lambda provider: None, opener)
    assert opening.wanted(1e9) is None
    assert opening.done
    assert opening.problem == "nothing there"


def late(ms: float, opened: list[str]) -> Callable[[str], NullProvider]:
    def opener(name: str) -> NullProvider:
        opened.append(name)
        time.sleep(ms / 1000)
        return NullProvider()

    return opener


def test_large_work_waits_for_the_device() -> None:
    opened: list[str] = []
    runtime = Runtime(AccelOptions(calibration=False), opener=late(20, opened))
    runtime.placer.host = SLOW
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    assert opened == ["auto"]
    [row] = runtime.recorder.groups.values()
    assert (row.provider, row.reason.value) == ("null", "cost-model-device")
    assert row.device_estimate_ms is not None
    runtime.close()


def test_work_beside_the_opening_says_so() -> None:
    opened: list[str] = []
    runtime = Runtime(AccelOptions(calibration=False), opener=late(300, opened))
    runtime.planner.missed_ms = 1e6
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    [row] = runtime.recorder.groups.values()
    assert (row.provider, row.reason.value) == ("host", "cost-model-host")
    assert row.detail == "the device is still opening"
    assert runtime.open() is not None
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    assert list(runtime.recorder.groups.values())[-1].reason.value.startswith("cost-model")
    runtime.close()


def test_an_adapter_that_no_work_was_worth_is_not_called_missing(private_home: Path) -> None:
    calibration.remember_opening("auto", Opened(250.0, "soft|maker|Vulkan|cpu|1", "cpu"))
    runtime = Runtime(AccelOptions(), opener=late(20, []))
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    [row] = runtime.recorder.groups.values()
    assert (row.provider, row.reason.value) == ("host", "cost-model-host")
    assert "worth opening the software adapter soft" in row.detail
    runtime.close()


def test_one_number_never_goes_to_a_software_adapter() -> None:
    """Its compiler may take for ever over it, and there is nothing to share out."""
    for kind, expected in (("cpu", ("host", "too-small")), ("discrete", ("null", "forced"))):
        runtime = Runtime(AccelOptions(device="gpu"), NullProvider(kind=kind))
        g = Graph(runtime)
        runtime.evaluate([g.sin(g.leaf(np.ones((1, 1))))])
        runtime.evaluate([g.total(g.leaf(np.ones((2, 1))))])
        assert reasons(runtime) == [expected, ("null", "forced")]
        runtime.close()


@pytest.mark.parametrize(
    ("kind", "faster", "expected"),
    [("cpu", 1.25, "host"), ("cpu", 4.0, "null"), ("discrete", 1.25, "null")],
)
def test_a_software_adapter_has_to_be_clearly_ahead(
    kind: str, faster: float, expected: str
) -> None:
    """It takes the processor from the host: a little faster on paper is no gain."""
    runtime = Runtime(AccelOptions(verify=True), NullProvider(kind=kind))
    runtime.placer.device = Speeds(1.0, 1e12, 1e12, 1e12, 1e12, 0.0, 1e12, 0.0, 1e12, 0.0)
    runtime.placer.host = Speeds(faster, 1e12, 1e12, 1e12, 1e12)
    g = Graph(runtime)
    x = g.leaf(np.ones(100000))
    runtime.to_device(x)
    runtime.gather(x)
    runtime.evaluate([g.uminus(x)])
    assert reasons(runtime)[0][0] == expected
    runtime.close()


def test_each_step_is_priced_once_on_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan compares several placements; what a step takes is the same in all of them."""
    asked: list[tuple[bool, str]] = []
    run_ms = Placer.run_ms

    def noted(self: Placer, device: bool, kernel: KernelRequest, amount: cost.Work) -> float:
        asked.append((device, kernel.key))
        return run_ms(self, device, kernel, amount)

    runtime = placed(SLOW, SLOW)
    g = Graph(runtime)
    y = g.leaf(np.ones(100000))
    parts = []
    for k in range(12):
        y = g.plus(g.cumsum(y, attrs=(0, False)), float(k))
        parts.append(g.total(y))
    monkeypatch.setattr(Placer, "run_ms", noted)
    runtime.evaluate(parts)
    steps = sum(row.executions for row in runtime.recorder.groups.values())
    assert len(asked) <= 3 * steps  # once more for what a device that is to be opened would win
    runtime.close()


def test_a_plan_is_priced_again_when_its_work_is_worth_it() -> None:
    """Times that change from run to run, as beside other programs, do not price every run."""
    runtime = placed(SLOW, FAST)
    g = Graph(runtime)
    runtime.evaluate([g.sin(g.leaf(np.ones(100000)))])
    [plan] = runtime.planner.plans.values()
    [step] = plan.steps
    step.decision = replace(step.decision, host_ms=PRICING / 4)

    def due_after(uses: int) -> bool:
        plan.uses = plan.priced + uses
        return plan.is_mispriced(plan.epoch + 1, lambda *_: False)

    assert [due_after(uses) for uses in (1, 3, 4, 9)] == [False, False, True, True]
    runtime.close()


def test_what_opening_costs_is_remembered(private_home: Path) -> None:
    calibration.remember_opening("auto", Opened(250.0, "a device"))
    calibration.remember_opening("auto", Opened(900.0, "a device"))
    assert calibration.opening_of("auto") == Opened(250.0, "a device")
    calibration.remember_opening("auto", Opened(900.0, "another", "discrete"))
    assert calibration.opening_of("auto") == Opened(900.0, "another", "discrete")
    calibration.save("another", FAST)
    assert calibration.load("another") == FAST


def test_work_repeated_often_is_worth_compiling() -> None:
    """A kernel too dear to compile for a few uses moves to the device when there are many."""
    host = Speeds(2.0, 1e9, 1e9, 1e9, 1e9)
    runtime = placed(Speeds(0.01, 1e9, 1e9, 1e9, 1e9, 0.0, 1e9, 0.0, 1e9, 50.0), host)
    g = Graph(runtime)
    x = g.leaf(np.ones(100000))
    for k in range(70):
        runtime.evaluate([g.plus(g.sin(x), float(k))])
    found = reasons(runtime)
    assert found[0] == ("host", "cost-model-host")
    assert found[-1][0] == "null"
    runtime.close()


def test_a_kernel_that_has_run_is_known_better_than_its_kind() -> None:
    correction = Correction()
    for _ in range(8):
        correction.observe(Side.NUMPY, SINE, WORK, 1.0, 6.0)
    assert correction.estimate(Side.NUMPY, SINE, WORK, 1.0) == pytest.approx(6.0, rel=0.1)
    assert 1.0 < correction.estimate(Side.NUMPY, calibration.kernel(2), WORK, 1.0) < 6.0
    assert correction.estimate(Side.DEVICE, SINE, WORK, 1.0) == 1.0


def repeated(
    monkeypatch: pytest.MonkeyPatch,
    expected: dict[bool, float],
    measured: dict[bool, float],
    runs: int = 12,
) -> list[str]:
    """Where a step went, run by run, when it takes other times than its estimates say."""
    monkeypatch.setattr(Placer, "plain_ms", lambda _, side, __: expected[side is Side.DEVICE])
    runtime = placed(replace(FAST, upload_ms=0.0), FAST)
    placer = runtime.placer
    runtime.executor.sent.observe = lambda step, side, _: placer.observe(
        step, side, measured[side is Side.DEVICE]
    )
    g = Graph(runtime)
    x = g.leaf(np.ones(100000))
    runtime.to_device(x)
    for k in range(runs):
        runtime.evaluate([g.plus(g.sin(x), float(k))])
    found = reasons(runtime)
    runtime.close()
    return [provider for provider, _ in found]


def test_a_plan_that_takes_other_times_is_placed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates that runs refute do not keep work on the wrong side."""
    sides = repeated(monkeypatch, {False: 10.0, True: 25.0}, {False: 60.0, True: 25.0})
    assert (sides[0], sides[-1]) == ("host", "null")


@pytest.mark.parametrize(("device", "tried"), [(12.0, True), (30.0, False)])
def test_the_other_side_is_tried_once_that_costs_little(
    monkeypatch: pytest.MonkeyPatch, device: float, tried: bool
) -> None:
    expected = {False: 10.0, True: device}
    assert "null" not in repeated(monkeypatch, expected, expected, 24)
    assert ("null" in repeated(monkeypatch, expected, expected, 40)) == tried


def test_what_fails_when_nobody_wants_the_device_any_more_is_not_told() -> None:
    def opener(name: str) -> NullProvider:
        opening.abandon()
        raise ImportError("the program is ending")

    opening = Opening("auto", lambda provider: None, opener)
    opening.begin()
    opening.finish()
    assert opening.problem == "ImportError: the program is ending"


def test_opening_begins_when_enough_was_missed() -> None:
    opening = Opening("auto", lambda provider: None, late(0, []), cost_ms=500.0)
    opening.wanted(1.0, 20.0)
    assert not opening.under_way
    opening.wanted(1.0, 120.0)
    opening.finish()
    assert opening.wanted(0.0) is not None


def test_speeds_are_measured_between_runs(private_home: Path) -> None:
    """A script that waits for the device does not wait for measurements as well."""
    runtime = Runtime(AccelOptions(host_threads=1), opener=lambda _: NullProvider())
    assert runtime.open() is not None
    assert calibration.load(NullProvider().info.fingerprint) is None
    assert runtime.planner.unmeasured
    host = runtime.executor.host
    for _ in range(5):
        runtime.measure()
    assert calibration.complete(host)
    assert not runtime.planner.unmeasured
    assert runtime.placer.host == calibration.load(calibration.name_of(host))
    runtime.close()


def test_machine_code_is_expected_where_numpy_is_slow() -> None:
    speeds = Speeds(0.03, 1e7, 1e6, 3e6, 1e7)
    short, long = (cost.Work(8, 1, 0, 0, n, n / 5) for n in (1e7, 1e9))
    placer, kernel = Placer(None, speeds, speeds), calibration.kernel(1)
    assert placer.run_ms(False, kernel, short) == pytest.approx(10, rel=0.01)
    assert cost.machine_ms(short, speeds) < 1
    expected = 200 / 3 + cost.compiled_ms(kernel)
    assert placer.run_ms(False, kernel, long) == pytest.approx(expected, rel=0.01)


def test_what_numpy_reduces_is_no_faster_with_more_threads() -> None:
    few, many = (cost.typical_host(threads) for threads in (4, 64))
    reduced = cost.Work(8, 1, 0, 0, 1e9, 0.0, 4e8)
    assert cost.machine_ms(reduced, many) == cost.machine_ms(reduced, few)
    assert cost.machine_ms(reduced, few) == pytest.approx(4e8 / few.arithmetic, rel=0.01)


def test_work_to_come_counts_when_a_side_is_chosen() -> None:
    """NumPy is slower than the device here, but machine code will not be."""
    runtime = placed(
        Speeds(2.0, 1e9, 1e9, 1e9, 1e9, 0.0, 1e9, 0.0, 1e9, 0.0), Speeds(0.01, 1e7, 1e5, 1e7, 1e7)
    )
    g = Graph(runtime)
    runtime.evaluate([g.round(g.leaf(np.ones(100000)))])
    [row] = runtime.recorder.groups.values()
    assert row.provider == "host"
    assert (row.host_estimate_ms or 0.0) > (row.device_estimate_ms or 0.0)
    runtime.close()
