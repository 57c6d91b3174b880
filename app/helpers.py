"""Programs that we start ourselves: found and run as the user's environment was at the start.

A script may set any variable for what it calls with `system`; what draws a figure or plays a sound
is not its to choose.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Container

_ENVIRONMENT = dict(os.environ)


def environment() -> dict[str, str]:
    """The variables of this process when it began, for a program of ours."""
    return dict(_ENVIRONMENT)


def forget_all_but(names: Container[str]) -> None:
    """Forget the other variables: from now on a process that is confined may not know them."""
    for name in [name for name in _ENVIRONMENT if name not in names]:
        del _ENVIRONMENT[name]


def python_environment() -> dict[str, str]:
    """The same, for a Python process that runs a module of this program.

    Only folders with a full path are searched for modules: an empty one is the current folder.
    """
    found = environment()
    package = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - before pathlib is there
    above = os.path.dirname(package)  # noqa: PTH120 - as above
    named = found.get("PYTHONPATH", "").split(os.pathsep)
    kept = [path for path in named if os.path.isabs(path)]  # noqa: PTH117 - as above
    found["PYTHONPATH"] = os.pathsep.join([above, *kept])
    return found


def module_command(module: str, *more: str) -> list[str]:
    """How a module of this program is run by this Python, which finds none in the current folder:
    that may be anybody's, with an ``app.py`` or a ``json.py`` in it."""
    return [sys.executable, "-P", "-m", module, *more]


def find(name: str) -> str | None:
    """The full path of a program on the search path as it was at the start; None without one."""
    import shutil

    return shutil.which(name, path=_ENVIRONMENT.get("PATH", os.defpath))
