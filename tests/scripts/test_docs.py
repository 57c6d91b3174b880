"""The documents name what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "docs", ROOT / "resources" / "guides")
PAGES = [ROOT / "README.md", *sorted(page for folder in FOLDERS for page in folder.rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_named_places_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = set(re.findall(r"(?<![\w/])((?:accel|engine|ui|cli)(?:/\w+)+(?:\.py)?)", text))
    assert sorted(p for p in places if not (ROOT / "app" / p).exists()) == []
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_package_of_a_layer_is_described() -> None:
    for layer in ("accel", "engine", "ui"):
        text = (ROOT / "docs" / "architecture" / f"{layer}.md").read_text(encoding="utf-8")
        packages = [p.parent.name for p in (ROOT / "app" / layer).glob("*/__init__.py")]
        assert [p for p in packages if f"`{layer}/{p}`" not in text] == []


def test_the_glossary_stays_short() -> None:
    rows = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").count("\n| ")
    assert rows - 1 <= 40
