"""Unrolled loops are shown as one pass."""

from __future__ import annotations

from app.ui.run_model.op_chains import chain_text, repeats


def test_repeated_runs_are_joined() -> None:
    ops = ["fill", "times", *(["random", "times", "exp"] * 64), "minus", "sum"]
    assert repeats(ops) == [
        (("fill",), 1),
        (("times",), 1),
        (("random", "times", "exp"), 64),
        (("minus",), 1),
        (("sum",), 1),
    ]
    assert chain_text(ops) == "fill → times → (random → times → exp) ×64 → minus → sum"


def test_short_chains_stay_as_they_are() -> None:
    assert chain_text(["sin", "sin", "cos"]) == "sin → sin → cos"
    assert repeats([]) == []
