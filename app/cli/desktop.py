"""``fuselab install-desktop``: the menu entry, the icon and the file type, for this user."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from app import paths
from app.cli.command_line import Options
from app.errors import UsageError

_ENTRY = """\
[Desktop Entry]
Type=Application
Version=1.5
Name=Fuselab
GenericName=Scientific IDE
Comment=Run MATLAB-syntax scripts, fused on the GPU
Exec={command} %F
Icon=fuselab
Terminal=false
Categories=Development;IDE;Science;Math;
MimeType=text/x-matlab;
StartupWMClass=fuselab
"""
_MIME = """\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="text/x-matlab">
    <comment>MATLAB script</comment>
    <sub-class-of type="text/plain"/>
    <icon name="fuselab"/>
    <glob pattern="*.m" weight="60"/>
  </mime-type>
</mime-info>
"""
_REFRESH = (
    ("update-desktop-database", "applications"),
    ("update-mime-database", "mime"),
    ("gtk-update-icon-cache", "icons/hicolor"),
)
LIMIT_S = 20


def do_install_desktop(options: Options) -> int:
    """Install below the user's data folder, and say what was written."""
    if not sys.platform.startswith("linux"):
        raise UsageError("install-desktop is for Linux desktops; elsewhere the installer does it")
    share = data_home()
    for path in install(share, command()):
        if not options.quiet:
            sys.stdout.write(f"{path}\n")
    refresh(share)
    return 0


def data_home() -> Path:
    """Where the desktop looks for entries of this user."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def command() -> str:
    """How the desktop starts us: the script of the installation, else Python with the module."""
    script = shutil.which("fuselab") or str(Path(sys.executable).with_name("fuselab"))
    if Path(script).is_file():
        return _quoted_path(script)
    checkout = _quoted_path(f"PYTHONPATH={Path(__file__).parents[2]}")
    return f"env {checkout} {_quoted_path(sys.executable)} -P -m app"


def _quoted_path(path: str) -> str:
    return f'"{path}"' if " " in path else path


def install(share: Path, start: str) -> list[Path]:
    """Write entry, file type and icon below ``share``."""
    icon = paths.resource("icons/fuselab.svg").read_text(encoding="utf-8")
    files = {
        share / "applications" / "fuselab.desktop": _ENTRY.format(command=start),
        share / "mime" / "packages" / "fuselab.xml": _MIME,
        share / "icons" / "hicolor" / "scalable" / "apps" / "fuselab.svg": icon,
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def refresh(share: Path) -> None:
    """Let the desktop notice at once, where its tools are installed."""
    for tool, folder in _REFRESH:
        found = shutil.which(tool)
        if found is not None:
            subprocess.run(  # noqa: S603 - the system's own tools
                [found, str(share / folder)], capture_output=True, check=False, timeout=LIMIT_S
            )
