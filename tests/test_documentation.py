"""What the documentation names is there, and its glossary stays short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
PLACES = [ROOT, *(ROOT / "app" / layer for layer in ("", "accel", "engine", "ui"))]
_NAME = re.compile(r"`((?:[\w-]+/)*[\w-]+\.(?:py|md|lark|txt)|(?:[\w-]+/)+[\w-]+)`")
"""A file, or a folder below another one."""
MOST_WORDS = 40


def _exists(name: str, inside: list[Path]) -> bool:
    """As a path from the top or from a layer, or as the end of one below a folder."""
    if any((place / name).exists() for place in PLACES):
        return True
    return any(path.as_posix().endswith(f"/{name}") for path in inside)


@pytest.fixture(scope="module")
def paths() -> list[Path]:
    folders = ("app", "tests", "resources", "scripts", "docs")
    return [path for folder in folders for path in (ROOT / folder).rglob("*")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_is_there(page: Path, paths: list[Path]) -> None:
    names = _NAME.findall(page.read_text(encoding="utf-8"))
    assert [name for name in names if not _exists(name, paths)] == []


def test_the_glossary_has_few_words() -> None:
    rows = re.findall(r"^\| (?!word|-)", (ROOT / "docs/glossary.md").read_text(), re.MULTILINE)
    assert 0 < len(rows) <= MOST_WORDS
