"""Every kind of kernel is explained in the guide."""

from __future__ import annotations

import pytest

from app import paths
from app.accel.fusion.step_kinds import RULES

KINDS = (
    "elementwise",
    "reduction",
    "matmul_epilogue",
    "centered_gram",
    "power_step",
    "explained_variance",
    "image_normalize",
    "loop",
    "scan",
    "random",
    "single",
)


@pytest.mark.parametrize("kind", KINDS)
def test_section(kind: str) -> None:
    guide = paths.guides()["Kinds of kernels"].read_text(encoding="utf-8")
    assert f"\n## {kind}\n" in guide


def test_every_named_rule_is_a_kind() -> None:
    assert {name for name, _ in RULES} <= set(KINDS)
