"""Toolboxes in Git repositories, and those that a project file names.

What ``fuselab toolbox add ADDRESS`` gets is the user's, until it is removed. What a project pins is
kept for that address and revision, got when a run first wants it, and never changed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import mkdtemp

from app import helpers, paths
from app.digests import text_digest
from app.engine.declarations import toolboxes
from app.engine.declarations.toolbox_manifest import MANIFEST, Toolbox, satisfies
from app.errors import UsageError
from app.project import NAME, Pin, Project


def folder_in(place: Path, called: str = "") -> Path:
    """The folder with the manifest: the place itself, or the only one below it.

    Raises:
        UsageError: it has none, or several; they are those of what is ``called`` so.
    """
    if (place / MANIFEST).is_file():
        return place.resolve()
    found = sorted(place.glob(f"*/{MANIFEST}")) + sorted(place.glob(f"src/*/{MANIFEST}"))
    if len(found) > 1:
        raise UsageError(f"there are {len(found)} files {MANIFEST} in {called or place}")
    if not found:
        text = f"there is no {MANIFEST} in {called or place}: fuselab toolbox new makes a folder"
        text += f" with one; folders of .m files alone need none, but stand under path in {NAME}"
        raise UsageError(text)
    return found[0].parent.resolve()


def clone(source: str, revision: str, target: Path) -> Path:
    """The toolbox's folder in a copy of a repository at ``target``, which is made anew.

    Raises:
        UsageError: there is no git, no such repository or revision, or no toolbox in it.
    """
    git = helpers.find("git")
    if git is None:
        raise UsageError(f"getting {source} needs git")
    if source.startswith("-") or revision.startswith("-"):
        raise UsageError(f"{source}@{revision} is not the address of a repository")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(mkdtemp(prefix=".", dir=target.parent))
    steps = [[git, "clone", "--quiet", "--", source, str(fresh)]]
    if revision:
        steps.append([git, "-C", str(fresh), "checkout", "--quiet", "--detach", revision])
    try:
        for step in steps:
            done = subprocess.run(  # noqa: S603 - git, found on the path, with the user's address
                step, capture_output=True, text=True, check=False, env=helpers.environment()
            )
            if done.returncode:
                at = f"@{revision}" if revision else ""
                raise UsageError(f"git could not get {source}{at}: {done.stderr.strip()}")
        inside = folder_in(fresh, source).relative_to(fresh.resolve())
        shutil.rmtree(target, ignore_errors=True)
        fresh.rename(target)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return target.resolve() / inside


def pinned_place(pin: Pin) -> Path:
    """Where the copy of a pinned repository is kept."""
    name = pin.git.rstrip("/").rpartition("/")[2].removesuffix(".git")
    digest = text_digest(f"{pin.git}@{pin.revision}", size=6)
    return paths.data_dir() / "pinned" / f"{name}-{digest}"


def search_path(project: Project) -> tuple[Path, ...]:
    """The folders of a project that are searched now; a repository that no run got yet has none."""
    copies = (pinned_place(pin) for pin in project.toolboxes if pin.git)
    return (*project.path, *(folder_in(place) for place in copies if place.is_dir()))


def with_toolboxes(project: Project) -> tuple[Path, ...]:
    """The folders of a project that are searched once its toolboxes are there and checked.

    Raises:
        UsageError: one cannot be got or used, or is not the one that the project needs.
    """
    for pin in project.toolboxes:
        _check(pin, _toolbox(pin, project.folder / NAME), project.folder / NAME)
    return search_path(project)


def _toolbox(pin: Pin, file: Path) -> Toolbox:
    if pin.folder is not None:
        return toolboxes.use(pin.folder)
    if pin.git:
        place = pinned_place(pin)
        there = folder_in(place) if place.is_dir() else clone(pin.git, pin.revision, place)
        return toolboxes.use(there)
    known = (t for t in toolboxes.known_toolboxes() if t.name == pin.name)
    if (installed := next(known, None)) is None:
        text = f"{file}: the project needs the toolbox {pin.name}, which is not installed"
        raise UsageError(f"{text}: fuselab toolbox add, or pip install")
    return installed


def _check(pin: Pin, found: Toolbox, file: Path) -> None:
    """Refuse a project whose toolboxes are not those that it needs."""
    if found.problem:
        raise UsageError(f"{file}: the toolbox {pin.name} cannot be used: {found.problem}")
    if found.name != pin.name or not satisfies(found.version, pin.version):
        there_is = found.version if found.name == pin.name else found.name
        raise UsageError(f"{file}: the project needs {pin.name} {pin.version}; there is {there_is}")
