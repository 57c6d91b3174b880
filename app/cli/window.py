"""``fuselab [PATH…]`` and ``fuselab shot``: the only verbs that open the window."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.cli.command_line import Options, existing_file, existing_path
from app.cli.project_options import with_trusted_project
from app.engine.protocol import ErrorRaised
from app.errors import UsageError

PARTNERS = ("PySide6_Essentials", "shiboken6", "pyside6_scintilla")
NO_DISPLAY = (
    "the window needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set;"
    " `fuselab run FILE` needs none, nor does a picture: `fuselab shot FILE OUT.png`"
)


def do_window(options: Options) -> int:
    """Open the window with the files named, in the folder named."""
    named = [existing_path(name) for name in options.operands]
    folders = [str(path) for path in named if path.is_dir()]
    if len(folders) > 1:
        raise UsageError(f"the window has one folder at a time, not {' and '.join(folders)}")
    if options.run and len(folders) == len(named):
        raise UsageError("--run runs the first file: name one")
    if not _has_display():
        raise UsageError(NO_DISPLAY)
    _check_qt()
    with _loading_qt():
        from app.ui.shell import application

    return application.run_window(named, options, with_trusted_project)


def do_shot(options: Options) -> int:
    """Run a file in the window to its end, and save a picture of the window."""
    file = existing_file(options.operands[0])
    size, wait_ms = window_size(options.size), milliseconds(options.wait_ms)
    picture = Path(options.operands[1]).absolute()  # running a file changes the current folder
    if not picture.parent.is_dir():
        raise UsageError(f"there is no folder {picture.parent}")
    if not _has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _check_qt()
    with _loading_qt():
        from app.ui.shell import application

    layout, theme = options.layout or "classic", options.theme or "dark"
    return application.shot(file, picture, layout, size, theme, wait_ms, options, _tell_error)


def _tell_error(error: ErrorRaised) -> None:
    """The script's error, as the other verbs print it."""
    from app.engine.error_text import error_text

    sys.stderr.write(error_text(error))


def window_size(text: str) -> tuple[int, int]:
    """Width and height of ``WxH``."""
    found = re.fullmatch(r"(\d{2,5})[xX](\d{2,5})", text)
    if not found:
        raise UsageError(f"--size is WxH, such as 1600x1000, not {text!r}")
    return int(found[1]), int(found[2])


def milliseconds(text: str) -> int:
    """The number of ``--wait-ms``."""
    if not text.isdigit():
        raise UsageError(f"--wait-ms is a number of milliseconds, not {text!r}")
    return int(text)


def _has_display() -> bool:
    if "QT_QPA_PLATFORM" in os.environ or sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _check_qt() -> None:
    """Say in a sentence when Qt is missing, or is not the one the editor was built for."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        qt, shiboken, scintilla = map(version, PARTNERS)
    except PackageNotFoundError as missing:
        raise UsageError(f"the window needs the package {missing.name}; install it") from None
    if _minor(qt) != _minor(shiboken) or not _minor(qt) == (6, 11):
        raise UsageError(
            f"PySide6-Essentials {qt}, shiboken6 {shiboken} and pyside6-scintilla {scintilla} do"
            " not fit together: install PySide6-Essentials and shiboken6 6.11"
        )


@contextmanager
def _loading_qt() -> Iterator[None]:
    """Say in a sentence when Qt lacks a library of the system."""
    try:
        yield
    except ImportError as problem:
        if "pyside6" not in (problem.path or "").lower():
            raise
        text = f"Qt cannot be loaded: {problem}; install the system library that it lacks"
        raise UsageError(text) from None


def _minor(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
