"""Where a group ran and why, in sentences that fit together."""

from __future__ import annotations

from dataclasses import replace

from app.accel.ir.plan import Reason
from app.engine.run_rows import BoundaryRow, GroupRow
from app.ui.run_model import reason_texts

HOST = GroupRow(1, "elementwise", "host", "no-device", ("sin",), (1,), work_inflation=0.0)
UNOPENED = "no work so far was worth opening the software adapter llvmpipe (about 17 ms)"
COMPILING = "its kernel takes about 150 ms to compile"


def group(detail: str, host: float, device: float | None = None) -> GroupRow:
    """A group that the host computed."""
    return replace(
        HOST,
        reason="cost-model-host",
        detail=detail,
        executions=1,
        host_estimate_ms=host,
        device_estimate_ms=device,
        measured_ms=40.0,
    )


def test_an_adapter_that_was_not_opened_is_named_with_the_way_to_use_it() -> None:
    told = reason_texts.decision(group(UNOPENED, 46.0))
    assert told.startswith(f"Ran on the host. The host did it, because {UNOPENED}.")
    assert told.endswith("choose GPU in the Device panel, or run with --device gpu.")


def test_compiling_is_the_reason_only_where_the_gpu_would_win() -> None:
    wins = reason_texts.decision(group(COMPILING, 219.0, 23.6))
    assert f"because {COMPILING}." in wins
    assert wins.endswith("compiled while the script runs, and kept: run again.")
    loses = reason_texts.decision(group(COMPILING, 45.6, 250.0))
    assert "The host is estimated to be faster" in loses
    assert "compile" not in loses


def test_an_idle_gpu_is_explained_by_most_groups() -> None:
    rows = [group(UNOPENED, 46.0), group(UNOPENED, 12.0), group(COMPILING, 219.0, 23.6)]
    assert UNOPENED in reason_texts.idle_device(rows)
    assert reason_texts.idle_device([]) == ""
    assert "no usable adapter" in reason_texts.idle_device([HOST])


def test_what_a_figure_asked_for_stops_at_no_line() -> None:
    """Its group said that fusion stopped at line 0."""
    shown = BoundaryRow(line=0, reason="display", detail="plot")
    assert reason_texts.stops(HOST, [replace(shown, line=4)]).startswith("Fusion stops at line 4")
    assert not reason_texts.stops(replace(HOST, lines=()), [shown, replace(shown, line=4)])


def test_causes_of_transfers_are_clauses() -> None:
    causes = {*reason_texts.CAUSES, *(reason.value for reason in Reason)}
    said = {name: reason_texts.cause(name) for name in causes}
    assert {n: words for n, words in said.items() if words[0].isupper() or words[-1] == "."} == {}
    assert {name for name, words in said.items() if words == name} == set()
    assert reason_texts.cause("a cause of its own") == "a cause of its own"
