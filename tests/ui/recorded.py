"""A recorded run of ``resources/examples/quickstart.m``: events as the engine sent them.

The panels show it without an engine and without a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.engine import protocol
from app.engine.protocol import Event, Request, RunState, VariableSummary
from app.engine.run_rows import (
    ArrayRow,
    BoundaryRow,
    Calibration,
    DeviceRow,
    GroupRow,
    KernelRow,
    LineRow,
    OperationRow,
    ResidencyRow,
    RunRows,
    TransferRow,
)
from app.paths import resource
from app.ui.shell.main_window import MainWindow
from app.ui.support.bridge import Bridge

QUICKSTART = resource("examples/quickstart.m")

KERNEL = """\
// sin -> mul -> add, one element per lane, four per invocation
@group(0) @binding(0) var<storage, read> in0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> out0: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> p: Params;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
  if (i >= p.n4) { return; }
  let x = in0[i];
  let v0 = sin_f32(x);  // line 99
  let v1 = v0 * x;
  let v2 = v1 + vec4<f32>(p.c0);
  out0[i] = v2;
}
"""

DEVICE = DeviceRow(
    "NVIDIA H200 (NVK)",
    "NVIDIA",
    "Vulkan",
    "discrete",
    "580.65.06",
    f64=True,
    max_buffer_bytes=4 << 30,
    max_binding_bytes=2 << 30,
    features=("shader-f64", "timestamp-query"),
    provider="wgpu",
)
SOFTWARE = DeviceRow(
    "llvmpipe (LLVM 15.0.6, 256 bits)",
    "Mesa",
    "Vulkan",
    "cpu",
    "Mesa 22.3.6",
    f64=True,
    max_buffer_bytes=2 << 30,
    max_binding_bytes=128 << 20,
    features=("shader-f64",),
    provider="wgpu",
)
CALIBRATION = Calibration(
    {
        "device launch_ms": 0.0051,
        "device bandwidth": 4.1e9,
        "device arithmetic": 3.4e10,
        "device doubles": 1.2e10,
        "device matmul": 1.7e10,
        "device upload": 2.4e7,
        "device download": 4.0e6,
        "device compile_ms": 9.1,
        "host launch_ms": 0.0008,
        "host bandwidth": 2.1e7,
        "host arithmetic": 8.2e6,
        "host doubles": 4.1e6,
        "host matmul": 3.0e7,
    }
)


COLUMNS = {"random": (4, 27), "sin": (4, 10), "mul": (4, 15), "add": (4, 21), "mean": (4, 18)}
"""Where the quickstart computes what: ``y = sin(x) .* x + 0.5`` and ``m = mean(y, 'all')``."""


def deliver(bridge: Bridge) -> None:
    """Hand all that waits to the window: a turn of a bridge takes some milliseconds of it."""
    while bridge._queue:
        bridge.drain()


def group(number: int, kind: str, lines: list[int], ops: list[str], **more: Any) -> GroupRow:
    """A row of a group with everything that a run tells; its operations are a chain."""
    operations = tuple(
        OperationRow(
            k,
            op,
            "single",
            (1, 1) if op == "mean" else (1024, 1),
            (k - 1,) if k or op != "random" else (),
            lines[min(k, len(lines) - 1)],
            COLUMNS.get(op, (0, 0)),
        )
        for k, op in enumerate(ops)
    )
    row = GroupRow(
        number,
        kind,
        "wgpu",
        "fused",
        tuple(ops),
        tuple(sorted(set(lines))),
        (ArrayRow((1024, 1), "single", resident=True),),
        (ArrayRow((1024, 1), "single", resident=True),),
        0.42,
        0.09,
        8192,
        f"key{number}",
        executions=1,
        dispatches=1,
        measured_ms=0.08,
        operations=operations,
        stored=(len(ops) - 1,),
        units=1024 * len(ops),
        work_inflation=0.5,
    )
    return replace(row, **more)


GROUPS = (
    group(1, "random", [5], ["random"], reason="cost-model-device"),
    group(
        2, "reduction", [6, 6, 6, 7], ["sin", "mul", "add", "mean"], measured_ms=0.11, dispatches=2
    ),
    group(
        3,
        "random",
        [12],
        ["random"],
        host_estimate_ms=21.4,
        device_estimate_ms=0.9,
        measured_ms=1.02,
        bytes=16_000_000,
    ),
    group(
        4,
        "reduction",
        [13, 13, 13, 14],
        ["sin", "mul", "add", "mean"],
        host_estimate_ms=38.0,
        device_estimate_ms=1.9,
        measured_ms=2.21,
        bytes=16_000_000,
        dispatches=2,
    ),
    group(
        5,
        "elementwise",
        [18],
        ["linspace"],
        provider="host",
        reason="too-small",
        measured_ms=0.02,
        kernel=None,
        host_estimate_ms=0.02,
        device_estimate_ms=0.09,
    ),
    group(6, "elementwise", [19], ["neg", "div", "exp", "sin", "mul"], measured_ms=0.13),
)
KERNELS = tuple(
    KernelRow(f"key{n}", label, KERNEL, (256,), ms, hits, 1, ms / 9)
    for n, label, ms, hits in (
        (1, "random f32", 11.8, 1),
        (2, "reduce mean(sin·x + c) f32", 7.9, 3),
        (4, "reduce mean(sin·x + c) f32 two-pass", 8.4, 1),
        (6, "sin·exp f64", 14.2, 0),
    )
)
TRANSFERS = (
    TransferRow("down", 4, 0.14, 8, "fprintf needs the value", "m"),
    TransferRow("down", 4, 0.12, 15, "fprintf needs the value", "m"),
    TransferRow("up", 32768, 0.21, 19, "input of group 6", "t"),
)
VARIABLES = (
    VariableSummary("m", "single", (1, 1), 4, "host", "0.7911406"),
    VariableSummary("n", "double", (1, 1), 8, "host", "4000000"),
    VariableSummary("t", "double", (1, 4096), 32768, "both", "1×4096 double"),
    VariableSummary("x", "single", (4_000_000, 1), 16_000_000, "device", "4000000×1 single"),
    VariableSummary("y", "single", (4_000_000, 1), 16_000_000, "lazy", "4000000×1 single"),
)
COUNTERS = {
    "captured_ops": 22,
    "plans": 5,
    "plan_cache_hits": 1,
    "groups": 6,
    "dispatches": 8,
    "submits": 5,
    "kernels_compiled": 4,
    "compile_ms": 42.3,
    "pipeline_hits": 5,
    "pipeline_misses": 4,
    "uploads": 1,
    "upload_bytes": 32768,
    "upload_ms": 0.21,
    "downloads": 2,
    "download_bytes": 8,
    "download_ms": 0.26,
    "plot_download_bytes": 0,
    "device_ms": 3.6,
    "host_ms": 1.2,
    "fallbacks": 0,
    "evictions": 0,
    "peak_device_bytes": 32_100_000,
}


def residency() -> tuple[ResidencyRow, ...]:
    """The residency rows of the variables."""
    return tuple(
        ResidencyRow(v.name, v.class_name, v.size, v.n_bytes, v.where)
        for v in VARIABLES
        if v.n_bytes > 1000
    )


def spans() -> tuple[tuple[str, str, float, float, dict[str, Any]], ...]:
    """A few trace spans on every track."""
    found: list[tuple[str, str, float, float, dict[str, Any]]] = []
    clock = 1000.0
    for line in (5, 6, 7, 12, 13, 14, 19):
        found.append(("Script", f"line {line}", clock, 900.0, {"line": line}))
        found.append(("Planner", "plan", clock + 80, 120.0, {"line": line, "flow": line}))
        found.append(("Compile", "kernel", clock + 210, 340.0, {"line": line, "flow": line}))
        found.append(("Device", f"group {line}", clock + 560, 260.0, {"line": line, "flow": line}))
        clock += 1000
    found.append(("Upload", "t", clock - 950, 210.0, {"line": 19}))
    found.append(("Download", "m", clock - 3100, 120.0, {"line": 15}))
    return tuple(found)


def events(file: Path = QUICKSTART) -> Iterator[Event]:
    """The whole run of the quickstart."""
    name = str(file)
    yield protocol.StateChanged(RunState.RUNNING)
    yield protocol.RunStarted(name, 1)
    yield protocol.OutputText("mean of 1024 values: 0.803261\n")
    yield protocol.OutputText("mean of 4000000 values: 0.791141\n")
    yield protocol.VariablesChanged(VARIABLES)
    lines = (
        LineRow(name, 8, 1, 0.3, download_bytes=4),
        LineRow(name, 15, 1, 0.3, download_bytes=4),
        LineRow(name, 19, 1, 0.3, 0.1, upload_bytes=32768),
    )
    boundaries = (
        BoundaryRow(8, "needs-host-value", "fprintf prints m.", name),
        BoundaryRow(18, "too-small", "4096 elements.", name),
    )
    rows = RunRows(COUNTERS, GROUPS, KERNELS, TRANSFERS, boundaries, residency(), lines)
    yield protocol.TelemetryBatch(rows, spans())
    yield protocol.RunFinished(1, "ok", 51.7)
    yield protocol.StateChanged(RunState.IDLE)


class FakeEngine:
    """Answers like the engine thread, from the recording, in the caller's thread."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self.emit = emit
        self.requests: list[Request] = []
        self.stopped = 0
        self.closed = False
        emit(protocol.StateChanged(RunState.STARTING))
        emit(protocol.DeviceReady(DEVICE, (DEVICE, SOFTWARE), CALIBRATION))
        emit(protocol.StateChanged(RunState.IDLE))

    def post(self, request: Request) -> None:
        """Remember a request; run requests play the recording."""
        self.requests.append(request)
        if isinstance(request, protocol.RunText) and request.name.endswith(".m"):
            for event in events(Path(request.name)):
                self.emit(event)

    def stop_run(self) -> None:
        """Count the request to stop."""
        self.stopped += 1

    def close(self) -> None:
        """Remember that we were closed."""
        self.closed = True


def engine_of(window: MainWindow) -> FakeEngine:
    """The recorded engine behind a window."""
    engine = window.bridge._engine
    assert isinstance(engine, FakeEngine)
    return engine
