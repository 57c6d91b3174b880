"""What a report counts is the sum of what it lists, for programs of every kind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from app import settings
from app.accel.backends.wgpu import WgpuProvider
from app.accel.backends.wgpu.device import open_device
from app.accel.ir.plan import Reason
from app.accel.runtime import devices
from app.engine.interpreter import frames
from app.engine.session import report as report_module
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

Report = dict[str, Any]
LIMIT = 64 << 10
PROGRAMS = {
    "fused": "x = single(rand(300)); y = sin(x) .* x + 0.5; m = mean(y, 'all'); disp(m)",
    "random": "x = rand(5000, 1); s = sum(x); disp(s)",
    "long loop": "s = ones(3000, 1, 'single');\nfor t = 1:50\n  s = s .* 0.5 + rand(3000, 1, 'single');\n"
    "end\ndisp(sum(s))",
    "pass by pass": "x = rand(4000, 1); y = x;\nfor k = 1:6\n  y = y .* x + k; disp(sum(y))\nend",
    "function": "z = spread(rand(400));\ndisp(z(3))\nfunction y = spread(x)\n  w = x * 2; w(7) = 1;\n"
    "  y = gather(sum(w) + max(w));\nend",
    "guard": "x = rand(3000, 1) - 0.5; y = sqrt(x); disp(sum(abs(y)))",
    "indexing": "x = rand(200); y = x + 1; y(3, :) = 0; disp(y(5)); disp(sum(y(:, 4)))",
    "products": "A = rand(80); B = A' * A; C = max(B * A, 0); disp(sum(C, 'all'))",
    "scan": "x = rand(20000, 1, 'single'); y = cumsum(x) * 2; disp(y(end))",
    "integers": "x = uint8(rand(300) * 300); y = x + 100; disp(sum(y, 'all'))",
    "error": "x = rand(3000, 1); y = x + 1; disp(sum(y)); error('a:b', 'stop')",
    "plot": "x = linspace(0, 9, 20000); y = sin(x); plot(x, y); s = gather(y(7)); disp(s)",
    "large": "x = single(rand(200, 300)); y = x * 2 + 1; disp(sum(y, 'all')); disp(y(end))",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """One session on a device that binds little, so that large arrays are computed in parts."""
    patch = pytest.MonkeyPatch()

    def opened(name: str, _: object) -> WgpuProvider:
        device = open_device(name)
        return WgpuProvider(replace(device, info=replace(device.info, max_binding_bytes=LIMIT)))

    patch.setattr(devices, "_open", opened)
    made = Session(settings.load({"FUSELAB_DEVICE": "gpu"}), lambda _: None)
    try:
        require_adapter(made.acceleration.runtime.open())
        yield made
    finally:
        made.close()
        patch.undo()


@pytest.fixture(params=PROGRAMS)
def report(request: pytest.FixtureRequest, session: Session) -> Report:
    session.run_source(SourceText("account.m", PROGRAMS[request.param]))
    made = session.last_report
    assert made["status"] == ("error" if request.param == "error" else "ok")
    return made


def total(rows: list[Report], name: str) -> Any:
    return sum(row[name] or 0 for row in rows)


def test_counters_are_sums_of_rows(report: Report) -> None:
    c, groups, kernels = report["counters"], report["groups"], report["kernels"]
    assert c["groups"] == total(groups, "executions") > 0
    assert c["dispatches"] == total(groups, "dispatches") >= c["submits"] > 0
    assert c["kernels_compiled"] == c["pipeline_misses"] == total(kernels, "misses")
    assert c["pipeline_hits"] == total(kernels, "hits")
    assert c["compile_ms"] == pytest.approx(total(kernels, "compile_ms"))
    assert c["plan_cache_hits"] <= c["plans"]
    assert c["peak_device_bytes"] > 0


def test_transfers_are_listed(report: Report) -> None:
    c, lines = report["counters"], report["lines"]
    for direction, name in (("up", "upload"), ("down", "download")):
        rows = [t for t in report["transfers"] if t["direction"] == direction]
        assert c[f"{name}s"] == len(rows)
        assert c[f"{name}_bytes"] == total(rows, "bytes") == total(lines, f"{name}_bytes")
        assert c[f"{name}_ms"] == pytest.approx(total(rows, "ms"))
    plots = [t for t in report["transfers"] if t["cause"] == "plot"]
    assert c["plot_download_bytes"] == total(plots, "bytes")


def test_times_are_those_of_lines_groups_and_kernels(report: Report) -> None:
    c, groups, lines = report["counters"], report["groups"], report["lines"]
    assert c["host_ms"] == pytest.approx(total(lines, "host_ms"))
    assert (c["device_ms"] or 0) == pytest.approx(total(lines, "device_ms"))
    assert (c["device_ms"] or 0) == pytest.approx(total(report["kernels"], "device_ms"))
    measured = total([g for g in groups if g["provider"] == "wgpu"], "measured_ms")
    assert (c["device_ms"] or 0) == pytest.approx(measured)


def test_rows_are_complete(report: Report) -> None:
    reasons = {reason.value for reason in Reason}
    kernels = {k["key"] for k in report["kernels"]}
    for group in report["groups"]:
        assert group["reason"] in reasons
        assert group["ops"]
        assert group["bytes"] > 0
        if group["provider"] == "wgpu" and group["executions"]:
            assert group["kernel"] in kernels
    assert {b["reason"] for b in report["boundaries"]} <= reasons
    assert all(k["source"] and k["workgroup"] for k in report["kernels"])


def test_transfers_in_functions_name_their_variable(session: Session) -> None:
    code = (
        "z = spread(rand(400));\nfunction y = spread(x)\n  w = x * 2;\n  y = sprintf('%g', w);\nend"
    )
    session.run_source(SourceText("account.m", code))
    named = {t["variable"] for t in session.last_report["transfers"] if t["direction"] == "down"}
    assert "w" in named


def test_looking_at_variables_leaves_no_reference() -> None:
    """An array that somebody else refers to would be copied at every assignment."""
    space: dict[str, Any] = {"#unit": None, "frames": frames, "sys": sys}
    exec(  # a function whose globals make it a compiled one
        "def function():\n"
        "    x = object()\n"
        "    before = sys.getrefcount(x)\n"
        "    names = [n for n, _ in frames.variables_of(sys._getframe())]\n"
        "    return names, sys.getrefcount(x) - before\n",
        space,
    )
    names, references = space["function"]()
    assert "x" in names
    assert references == 0


def test_a_report_is_written_down_when_somebody_asks(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    document = report_module.document
    monkeypatch.setattr(
        report_module, "document", lambda r: made.append(r.outcome.file) or document(r)
    )
    for name in ("one.m", "two.m"):
        session.run_source(SourceText(name, "x = 1;"))
    assert not made
    assert [session.last_report["file"], session.last_report["status"]] == ["two.m", "ok"]
    assert made == ["two.m"]
    session.run_source(SourceText("three.m", "error('no');"))
    assert session.last_report["status"] == "error"
    assert made == ["two.m", "three.m"]
