"""The documents name what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OWN = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [*OWN, *sorted((ROOT / "resources" / "guides").rglob("*.md"))]
TOP = ("app", "docs", "editors", "resources", "scripts", "tests")
TREE = {p.name for p in ROOT.iterdir()}
TREE |= {p.relative_to(ROOT).as_posix() for top in TOP for p in (ROOT / top).rglob("*")}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_named_places_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    places = set(re.findall(r"(?<![\w/])((?:accel|engine|ui|cli)(?:/\w+)+(?:\.\w+)?)", text))
    assert sorted(p for p in places if not (ROOT / "app" / p).exists()) == []
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


def files_named(line: str) -> Iterator[tuple[str, bool]]:
    """Files that a line of a page names, and whether they are there.

    A name without a folder is looked for in the folders that the line has named before it.
    """
    folders = {"app", ""}
    for name in re.findall(r"(?<![\w*{…])[\w./]*\w", line):
        if re.search(r"\w\.(py|txt|wgsl|lark)$", name):
            if "/" in name:
                found = {p for p in TREE if f"/{p}".endswith(f"/{name}")}
            else:
                found = {p for p in TREE if any(p == f"{f}/{name}".lstrip("/") for f in folders)}
            yield name, bool(found)
            folders |= {p.rpartition("/")[0] for p in found}
        elif "/" in name:
            folders |= {p for p in TREE if f"/{p}".endswith(f"/{name}") and (ROOT / p).is_dir()}


@pytest.mark.parametrize("page", OWN, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_named_files_exist(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [name for line in lines for name, found in files_named(line) if not found] == []


def test_every_package_of_a_layer_is_described() -> None:
    for layer in ("accel", "engine", "ui"):
        text = (ROOT / "docs" / "architecture" / f"{layer}.md").read_text(encoding="utf-8")
        packages = [p.parent.name for p in (ROOT / "app" / layer).glob("*/__init__.py")]
        assert [p for p in packages if f"`{layer}/{p}`" not in text] == []


def test_every_module_beside_the_layers_is_described() -> None:
    text = (ROOT / "docs" / "architecture" / "doors.md").read_text(encoding="utf-8")
    modules = [p.name for p in (ROOT / "app").glob("*.py") if not p.name.startswith("__")]
    assert [name for name in modules if name not in text] == []


def test_every_folder_of_code_is_named() -> None:
    """Families of builtins and sets of shaders are named by what they lie in."""
    text = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "docs").rglob("*.md"))
    folders = {p.parent.relative_to(ROOT / "app") for p in (ROOT / "app").glob("*/*/**/*.py")}
    nested = [p.as_posix() for p in folders if len(p.parts) > 2]
    inner = [p for p in nested if not p.startswith(("engine/builtins/", "accel/codegen/shaders/"))]
    assert [p for p in inner if p not in text and f"`{p.rpartition('/')[2]}`" not in text] == []


def test_the_glossary_stays_short() -> None:
    rows = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").count("\n| ")
    assert rows - 1 <= 40
