"""Sets up everything that ``make`` needs: system libraries, virtual environment, packages.

Runs on the system's own python3 with nothing but the standard library. Each of its two steps
leaves a stamp in the virtual environment and does nothing while the stamp is right, so a
second call takes a fraction of a second and touches neither apt nor pip.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_PYTHON = (3, 11)

# What Qt, the Vulkan loader and the software adapter need: shared library -> Debian package.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libvulkan.so.1": "libvulkan1",
}
# Packages recognised by a file: glob under / -> Debian package.
FILES = {
    "usr/share/vulkan/icd.d/*.json": "mesa-vulkan-drivers",
    "usr/share/fonts/**/*.ttf": "fonts-dejavu-core",
    # The screen, the window manager and the hands of tests/desk.
    "usr/bin/Xvfb": "xvfb",
    "usr/bin/openbox": "openbox",
    "usr/bin/xdotool": "xdotool",
    "usr/bin/xclip": "xclip",
}

WRITE_TABLE = "from app.engine.language.grammar import write_beside; write_beside()"


def say(text: str) -> None:
    """Tell the person what happens; standard output belongs to the script that is run."""
    print(f"[setup] {text}", file=sys.stderr, flush=True)


def succeeds(command: list[str]) -> bool:
    """Whether ``command`` ends well; what it prints is of no interest."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def known_libraries() -> str:
    """The names of the shared libraries the dynamic linker knows."""
    ldconfig = shutil.which("ldconfig") or "/sbin/ldconfig"
    return subprocess.run([ldconfig, "-p"], capture_output=True, text=True, check=True).stdout


def has_venv() -> bool:
    """Whether this Python can make virtual environments with pip in them."""
    return succeeds([sys.executable, "-c", "import ensurepip, venv"])


def missing_packages() -> list[str]:
    """Debian packages whose content this Linux system lacks."""
    known = known_libraries()
    missing = [package for library, package in LIBRARIES.items() if library not in known]
    root = Path("/")
    missing += [package for glob, package in FILES.items() if not any(root.glob(glob))]
    if not has_venv():
        missing.append("python3-venv")
    return missing


def privilege() -> list[str] | None:
    """The command prefix that makes one root, or None when there is none without a password."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    if sudo and succeeds([sudo, "-n", "true"]):
        return [sudo, "-n"]
    return None


def install_system(packages: list[str]) -> bool:
    """Install ``packages`` with apt where that is allowed; otherwise say what to type."""
    prefix = privilege()
    if prefix is None or not shutil.which("apt-get"):
        say("some system libraries are missing. Please type:")
        print(f"    sudo apt-get install -y {' '.join(packages)}", file=sys.stderr)
        return False
    say(f"installing system packages: {' '.join(packages)}")
    quiet = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    subprocess.run([*quiet, "update"], check=False, stdout=sys.stderr)
    command = [*quiet, "install", "-y", "--no-install-recommends", *packages]
    return subprocess.run(command, check=False, stdout=sys.stderr).returncode == 0


def ensure_system(stamp: Path) -> None:
    """See to the system libraries; a machine that lacks some can still run headless."""
    wanted = digest(repr(sorted(LIBRARIES.items())), repr(sorted(FILES.items())))
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if platform.system() != "Linux":
        return
    missing = missing_packages()
    if missing and not install_system(missing):
        if not has_venv():
            sys.exit("[setup] python3-venv is needed before anything else")
        return
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(wanted)


def digest(*texts: str) -> str:
    """A short name for the state that a stamp stands for."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def ensure_packages(venv: Path, stamp: Path) -> None:
    """Make the virtual environment and install the pinned packages into it."""
    wanted = digest(
        (ROOT / "pyproject.toml").read_text(),
        (ROOT / "constraints.txt").read_text(),
        sys.version,
        str(ROOT),
    )
    python = venv / "bin" / "python"
    if python.exists() and stamp.exists() and stamp.read_text() == wanted:
        return
    if not python.exists():
        say(f"creating {venv}")
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], check=True)
    say("installing packages (the first time takes a few minutes)")
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["-c", "constraints.txt", "-e", ".[test,lint]"]
    if subprocess.run(command, cwd=ROOT, check=False, stdout=sys.stderr).returncode != 0:
        sys.exit("[setup] the packages could not be installed; pip's message is above")
    for words in (("-m", "compileall", "-q", "app"), ("-c", WRITE_TABLE)):  # for the first start
        subprocess.run([str(python), *words], cwd=ROOT, check=True)
    stamp.write_text(wanted)


def main() -> None:
    """Bring the machine into the state that ``make run`` and ``make test`` expect."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("venv", nargs="?", default=".venv", help="folder of the environment")
    venv = (ROOT / parser.parse_args().venv).absolute()
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"[setup] Python 3.11 or newer is needed, this is {platform.python_version()}")
    ensure_system(venv / "system.stamp")
    ensure_packages(venv, venv / "packages.stamp")


if __name__ == "__main__":
    main()
