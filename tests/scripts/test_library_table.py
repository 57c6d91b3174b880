"""The README's table of the library is today's."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from app.engine.declarations import registry

ROOT = Path(__file__).resolve().parents[2]


def test_the_table_of_the_library_is_current() -> None:
    spec = importlib.util.spec_from_file_location(
        "library_table", ROOT / "scripts/library_table.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert module.replaced(text) == text, "run: python scripts/library_table.py"
    assert {b.category for b in registry.load_all().values()} <= set(module.FAMILY)
