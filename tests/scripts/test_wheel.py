"""The wheel's package is called fuselab, and nothing in it looks for the folder ``app``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.wheel import renamed, write_package

ROOT = Path(__file__).parents[2]
MODULES = frozenset(("engine", "main", "ui"))


def test_references_to_our_package_are_renamed() -> None:
    before = (
        "import app\n"
        "from app import crash, errors\n"
        "    from app.engine.language import ast\n"
        'RENDERER = "app.ui.plots"\n'
        "app.exec()\n"
        "myapp.engine.x\n"
    )
    after = (
        "import fuselab as app\n"
        "from fuselab import crash, errors\n"
        "    from fuselab.engine.language import ast\n"
        'RENDERER = "fuselab.ui.plots"\n'
        "app.exec()\n"
        "myapp.engine.x\n"
    )
    assert renamed(before, MODULES) == after


def test_the_package_runs_alone(tmp_path: Path) -> None:
    write_package(ROOT / "app", tmp_path / "fuselab")
    (tmp_path / "fuselab" / "_resources").symlink_to(ROOT / "resources")
    program = (
        "import sys; sys.path.insert(0, '.')\n"
        "import fuselab, fuselab.main\n"
        "with fuselab.Session(device='gpu') as s:\n"
        "    s.eval('x = (1:1e5); y = sum(sin(x).*x); z = fft(1:8); p = polyfit(1:3, 1:3, 1); disp(y)')\n"
        "    assert s.report.counters['dispatches'] > 0\n"
        "names = [n for n in sys.modules if n == 'app' or n.startswith('app.')]\n"
        "assert not names, names\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=120)
