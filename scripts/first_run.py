"""``make run``: the window on an example; without a display the same engine, headless.

Headless it prints the script's output and a summary of groups, kernels and transfers, and saves
a picture of the real window after the run as ``build/fuselab.png``.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from app import paths  # noqa: E402 - the repository is on the path only now
from app.main import main as fuselab  # noqa: E402 - the repository is on the path only now


def has_display() -> bool:
    """Whether a window can be seen."""
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return sys.platform in {"win32", "darwin"} or any(os.environ.get(n) for n in names)


def run_headless(example: Path, folder: Path) -> int:
    """Run the example, account for it, and take the picture."""
    from app.engine.session import report as reports

    folder.mkdir(exist_ok=True)
    account = folder / "report.json"
    code = fuselab(["run", str(example), "--report", str(account)])
    if code != 0:
        return code
    sys.stdout.flush()
    sys.stderr.write("\n" + reports.summary(json.loads(account.read_text(encoding="utf-8"))))
    picture = folder / "fuselab.png"
    code = fuselab(["shot", str(example), str(picture)])
    if code == 0:
        sys.stderr.write(f"\nno display: the window's picture is {picture.relative_to(ROOT)}\n")
    return code


def main() -> int:
    """Show the example in the best way this machine has."""
    if has_display():
        return fuselab(["--run", str(paths.own_example("quickstart.m"))])
    return run_headless(paths.resource("examples/quickstart.m"), ROOT / "build")


if __name__ == "__main__":
    sys.exit(main())
