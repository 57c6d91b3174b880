from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path

import pytest

from app.accel.backends.base import DeviceInfo
from app.accel.ir.node import Origin
from app.accel.ir.plan import Reason
from app.accel.support import telemetry
from app.accel.support.telemetry import ArrayRow, Event, GroupRow, KernelRow, Recorder, TransferRow
from app.engine import run_rows
from app.engine.session import explain, perfetto_trace, report
from app.engine.session.telemetry_feed import TelemetryFeed
from app.errors import MatlabError, StackFrame

DEVICE = DeviceInfo(
    "Card",
    "Maker",
    "Vulkan",
    "discrete",
    "1.0",
    f64=True,
    int64=True,
    max_buffer_bytes=4,
    max_binding_bytes=2,
    features=("shader-f64",),
    provider="wgpu",
)
FIELDS = {
    "groups": "id kind provider reason ops lines inputs outputs executions dispatches "
    "host_estimate_ms device_estimate_ms measured_ms bytes kernel",
    "boundaries": "line reason detail",
    "kernels": "key label source workgroup compile_ms hits misses device_ms",
    "transfers": "direction bytes ms line cause variable",
    "lines": "file line count host_ms device_ms upload_bytes download_bytes",
    "device": "name vendor backend type driver f64 max_buffer_bytes max_binding_bytes "
    "features provider",
}


@pytest.fixture
def recorder() -> Recorder:
    made = Recorder()
    made.groups[1] = GroupRow(
        1,
        "elementwise",
        "wgpu",
        Reason.FUSED,
        ("sin", "times"),
        (2, 3),
        (ArrayRow((4, 1), "single", resident=True),),
        (),
        0.5,
        0.1,
        8,
        "k1",
    )
    made.kernels["k1"] = KernelRow("k1", "elementwise sin·times", "@compute", (64, 1, 1), 3.0)
    made.transfers.append(TransferRow("down", 4, 0.2, 3, "display", "y"))
    made.boundary(Origin("a.m", 3, "y"), Reason.NEEDS_HOST_VALUE, "fprintf")
    made.line(Origin("a.m", 2)).host_ms += 1.5
    return made


def built(recorder: Recorder, outcome: report.Outcome | None = None) -> report.Row:
    outcome = outcome or report.Outcome("a.m", "ok", 12.0, 3.0)
    rows = run_rows.all_rows(recorder, ())
    return report.document(report.RunReport(outcome, run_rows.device_row(DEVICE), rows))


def test_every_field_of_schema_1_is_there(recorder: Recorder) -> None:
    made = built(recorder)
    assert made["schema"] == 1
    for section, names in FIELDS.items():
        row = made[section] if section == "device" else made[section][0]
        assert set(names.split()) <= set(row), section


def test_reasons_are_their_public_names(recorder: Recorder) -> None:
    made = built(recorder)
    assert made["groups"][0]["reason"] == "fused"
    assert made["boundaries"][0]["reason"] == "needs-host-value"


def test_error_names_the_innermost_place(recorder: Recorder) -> None:
    error = MatlabError("MATLAB:x", "wrong")
    error.stack = (StackFrame("inner", "b.m", 7, 5), StackFrame("a", "a.m", 2))
    row = built(recorder, report.Outcome("a.m", "error", 1.0, 1.0, error))["error"]
    assert (row["file"], row["line"], row["column"], row["identifier"]) == ("b.m", 7, 5, "MATLAB:x")
    assert [f["name"] for f in row["stack"]] == ["inner", "a"]


def test_written_report_is_strict_json(recorder: Recorder, tmp_path: Path) -> None:
    recorder.counters.host_ms = math.nan
    path = tmp_path / "r.json"
    report.write(built(recorder), path)
    assert json.loads(path.read_text(encoding="utf-8"))["counters"]["host_ms"] is None


def test_no_device_is_told_as_the_host() -> None:
    row = report.device_json(run_rows.device_row(None))
    assert (row["provider"], row["type"], row["backend"]) == ("host", "none", "none")


def test_summary_names_groups_kernels_and_transfers(recorder: Recorder) -> None:
    text = report.summary(built(recorder))
    for word in ("elementwise", "sin·times", "down", "Card", "line 3"):
        assert word in text
    assert len(text.splitlines()) < 24


def test_the_summary_says_why_a_device_did_nothing(recorder: Recorder) -> None:
    recorder.groups[1].provider = "host"
    recorder.groups[1].detail = "no work so far was worth opening Card (about 17 ms)"
    told = "the device did nothing: no work so far was worth opening Card (about 17 ms); --device"
    assert told in report.summary(built(recorder))
    recorder.counters.dispatches = 1
    assert "did nothing" not in report.summary(built(recorder))


def test_explain_joins_what_is_known_of_a_line(recorder: Recorder) -> None:
    rows = explain.rows(built(recorder), "x = 1;\ny = sin(x);\ndisp(y)\n")
    assert [row["line"] for row in rows] == [2, 3]
    assert rows[0]["source"] == "y = sin(x);"
    assert rows[0]["groups"][0]["id"] == 1
    assert rows[1]["boundaries"][0]["detail"] == "fprintf"
    assert "boundary: needs-host-value: fprintf" in explain.table(built(recorder), "a\nb\nc\n")


def test_explain_names_what_nothing_has_needed(recorder: Recorder) -> None:
    document = built(recorder)
    waiting = [{"name": name, "where": where} for name, where in (("A", "lazy"), ("B", "host"))]
    assert explain.table(document | {"residency": waiting}, "").endswith("needed them yet: A\n")
    assert "needed them" not in explain.table(document | {"residency": waiting[1:]}, "")


@pytest.mark.parametrize("name", ["GroupRow", "BoundaryRow", "KernelRow", "LineRow"])
def test_what_is_recorded_is_told(name: str) -> None:
    kinds = (getattr(module, name) for module in (telemetry, run_rows))
    recorded, told = ([field.name for field in fields(kind)] for kind in kinds)
    assert told == recorded


def test_trace_leads_from_the_line_to_its_dispatch_to_its_download() -> None:
    events = [
        Event("Script", "a.m", 1.0, 3.0),
        Event("Planner", "plan", 1.5, 0.1, 3),
        Event("Compile", "kernel", 1.6, 0.1),
        Event("Device", "kernel", 2.0, 0.5, 2, flow=9),  # its work is another line's
        Event("Download", "fprintf", 3.0, 0.2, 3),
        Event("Planner", "plan", 3.5, 0.1, 3),
    ]
    rows = perfetto_trace.build(events)["traceEvents"]
    threads = {r["tid"]: r["args"]["name"] for r in rows if r["name"] == "thread_name"}
    arrows = [(r["ph"], threads[r["tid"]]) for r in rows if r["name"] == "value"]
    assert arrows == [("s", "Script"), ("t", "Device"), ("f", "Download")]
    script = [(r["name"], r["ts"], r["dur"]) for r in rows if r["ph"] == "X" and r["tid"] == 1]
    assert script == [("line 3", 5e5, 1.7e6), ("line 3", 2.5e6, 1e5), ("a.m", 0.0, 3e6)]
    assert {"Script", "Planner", "Compile", "Upload", "Device", "Download", "UI"} <= set(
        threads.values()
    )


def test_trace_counts_the_memory_that_is_live() -> None:
    recorder = Recorder()
    recorder.memory("allocate", 7, 400, 400, 3, "x")
    recorder.memory("free", 7, -400, 0)
    rows = perfetto_trace.build(recorder.events)["traceEvents"]
    counted = [row["args"]["bytes"] for row in rows if row["ph"] == "C"]
    assert counted == [400, 0]
    assert not any(row.get("cat") == "Memory" for row in rows)


def test_feed_sends_a_row_again_only_when_it_changed(recorder: Recorder) -> None:
    feed = TelemetryFeed(recorder)
    first = feed.batch().rows
    assert (len(first.groups), len(first.transfers), len(first.boundaries)) == (1, 1, 1)
    assert feed.batch().rows.groups == ()
    recorder.groups[1].executions += 1
    recorder.emit(Event("Device", "dispatch", 1.0, 0.1, 2, flow=1))
    batch = feed.batch()
    assert batch.rows.groups[0].executions == 1
    assert (batch.rows.transfers, batch.rows.lines) == ((), ())
    assert batch.spans[0][:2] == ("Device", "dispatch")
    feed.close()
    assert not recorder.subscribers
