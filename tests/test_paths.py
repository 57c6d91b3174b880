from __future__ import annotations

from pathlib import Path

from app import paths


def test_examples_are_found() -> None:
    assert paths.resource("examples/quickstart.m").is_file()


def test_user_folders_are_below_the_home_that_is_set(private_home: Path) -> None:
    assert paths.config_dir() == private_home / "config"
    assert paths.crash_dir() == private_home / "data" / "crashes"


def test_set_aside_never_overwrites(tmp_path: Path) -> None:
    names = []
    for _ in range(2):
        broken = tmp_path / "cache"
        broken.write_text("?")
        names.append(paths.set_aside(broken).name)
    assert names == ["cache.broken-1", "cache.broken-2"]
