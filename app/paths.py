"""Where things are: shipped resources and the user's folders.

``FUSELAB_HOME`` moves all of the user's folders below one folder (tests, portable copies).
"""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def resource_root() -> Path:
    """The folder of icons, themes, examples and help: inside the wheel or beside the package."""
    shipped = PACKAGE / "_resources"
    return shipped if shipped.is_dir() else PACKAGE.parent / "resources"


def resource(name: str) -> Path:
    """The path of a shipped file such as ``examples/quickstart.m``."""
    return resource_root() / name


def config_dir() -> Path:
    """The user's settings; made when missing."""
    return _user_dir("config")


def cache_dir() -> Path:
    """Compiled kernels and calibrations; may be deleted at any time."""
    return _user_dir("cache")


def data_dir() -> Path:
    """Crash reports, history and sessions."""
    return _user_dir("data")


def crash_dir() -> Path:
    """Reports about bugs of ours."""
    return _made(data_dir() / "crashes")


def set_aside(path: Path) -> Path:
    """Rename a broken file out of the way, and say what it is called now."""
    for number in range(1, 1000):
        target = path.with_name(f"{path.name}.broken-{number}")
        if not target.exists():
            return path.rename(target)
    return path.replace(path.with_name(f"{path.name}.broken"))


def _user_dir(kind: str) -> Path:
    home = os.environ.get("FUSELAB_HOME")
    if home:
        return _made(Path(home) / kind)
    import platformdirs

    folder: Path = getattr(platformdirs, f"user_{kind}_path")("fuselab", appauthor=False)
    return _made(folder)


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
