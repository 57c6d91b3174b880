"""What a run found out about lines, from rows as the recorder makes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.accel.ir.plan import Reason
from app.engine.run_rows import BoundaryRow, TransferRow
from app.ui.run_model import reason_texts
from app.ui.run_model.findings import QUIET, Finding, findings
from tests.ui.recorded import group


def down(
    line: int, n_bytes: int, cause: str = "needs-host-value", direction: str = "down"
) -> TransferRow:
    """A row of a download."""
    return TransferRow(direction, n_bytes, 0.5, line, cause, "y", "a.m")


def found(*transfers: TransferRow, **rows: Any) -> list[Finding]:
    """The findings of a run of ``a.m``."""
    return findings("a.m", transfers, rows.get("groups", ()), rows.get("boundaries", ()), ())


def test_every_reason_has_a_sentence_and_what_stops_fusion_a_remedy() -> None:
    assert set(reason_texts.REASONS) == {reason.value for reason in Reason}
    without = {name for name, why in reason_texts.REASONS.items() if not why.remedy}
    assert without == QUIET - {"forced"}


def test_a_large_download_is_told_with_its_size_and_its_cause() -> None:
    stop = BoundaryRow(7, "needs-host-value", "interp1", "a.m")
    (only,) = found(down(7, 8_000_000), boundaries=[stop])
    assert (only.code, only.line, only.variable) == ("forced-download", 7, "y")
    assert only.message.startswith(
        "Forces a download of 'y': 7.63 MB in 500 µs (interp1). Reduce it on the GPU first"
    )


def test_small_downloads_and_those_of_the_window_are_not_told() -> None:
    assert (
        found(
            down(7, 8),
            down(8, 8_000_000, "plot"),
            down(9, 8_000_000, "inspection"),
            down(4, 8_000_000, direction="up"),
            down(0, 8_000_000),
        )
        == []
    )


def test_single_reads_are_counted() -> None:
    assert found(*[down(3, 4, "indexing")] * 3) == []
    (only,) = found(*[down(3, 4, "indexing")] * 12)
    assert only.code == "scalar-reads"
    assert "12 downloads of 48 B together took 6.00 ms" in only.message


def test_doubles_without_f64_name_the_bytes_and_the_way_out() -> None:
    slow = group(
        1,
        "elementwise",
        [4, 5],
        ["sin"],
        provider="host",
        reason="precision",
        measured_ms=12.0,
        bytes=8 << 20,
        file="a.m",
    )
    stop = BoundaryRow(4, "precision", "", "a.m")
    first, second = found(groups=[slow, slow], boundaries=[stop])
    assert [(f.line, f.code) for f in (first, second)] == [
        (4, "double-without-f64"),
        (5, "double-without-f64"),
    ]
    assert "8.00 MB are worked on by the host in 12.0 ms. Use single(…)" in first.message


def test_a_boundary_has_the_estimates_of_its_group_and_is_not_marked() -> None:
    small = group(
        1,
        "elementwise",
        [2],
        ["sin"],
        provider="host",
        reason="too-small",
        host_estimate_ms=0.02,
        device_estimate_ms=0.09,
        file="a.m",
    )
    stop = BoundaryRow(2, "too-small", "64 elements", "a.m")
    (only,) = found(groups=[small], boundaries=[stop, replace(stop, reason="fused")])
    assert not only.marked
    assert only.message == (
        "Too small: starting a kernel would take longer than the work. (64 elements) "
        "Estimated GPU 90 µs, host 20 µs. "
        "Work on more elements at once: whole arrays instead of pieces in a loop."
    )


def test_a_loop_that_is_not_compiled_gets_the_remedy_for_loops() -> None:
    detail = "the loop is not compiled: 's' changes from double to single"
    stop = BoundaryRow(2, "unsupported-op", detail, "a.m")
    (only,) = found(boundaries=[stop])
    assert "no device form" not in only.message
    assert only.message.endswith(
        "keep its class and size from pass to pass, or write it as operations on whole arrays."
    )
