"""The wheel's package is called ``fuselab``: nothing generic goes into site-packages.

In the sources it is the folder ``app``. A hook of hatchling copies that folder while a wheel is
built and renames the package in what refers to it: imports, and dotted names of our own modules
in texts. Lines stay what they are, so that tracebacks point at the sources.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE, PACKAGE = "app", "fuselab"
IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc")


def renamed(text: str, modules: frozenset[str]) -> str:
    """``text`` with every reference to ``app`` or one of its ``modules`` under the new name."""
    text = re.sub(rf"(?m)^(\s*)import {SOURCE}$", rf"\1import {PACKAGE} as {SOURCE}", text)
    text = re.sub(rf"(?m)^(\s*)from {SOURCE} import", rf"\1from {PACKAGE} import", text)
    names = "|".join(sorted(modules))
    return re.sub(rf"(?<![\w./]){SOURCE}\.(?=(?:{names})\b)", f"{PACKAGE}.", text)


def write_package(source: Path, target: Path) -> None:
    """The package at ``target`` as a wheel carries it."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=IGNORED)
    modules = frozenset(p.stem for p in source.iterdir() if p.is_dir() or p.suffix == ".py")
    for path in target.rglob("*.py"):
        path.write_text(renamed(path.read_text(encoding="utf-8"), modules), encoding="utf-8")


class WheelPackage(BuildHookInterface[BuilderConfig]):
    """Puts the renamed package and the resources into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is built; an editable one refers to the sources as they are."""
        if version == "editable":
            return
        root = Path(self.root)
        target = root / "build" / "wheel" / PACKAGE
        write_package(root / SOURCE, target)
        build_data["force_include"][str(target)] = PACKAGE
        build_data["force_include"][str(root / "resources")] = f"{PACKAGE}/_resources"
