"""What git says about the files below a folder."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from app import textfile
from app.errors import UsageError

LIMIT_S = 10


def repository_of(folder: Path) -> Path | None:
    """The folder with the records of git that rule ``folder``; found without asking git."""
    return next((place for place in (folder, *folder.parents) if (place / ".git").exists()), None)


def marks_below(
    folder: Path, trusts: Callable[[Path], bool] = lambda _: True
) -> tuple[dict[str, str], str]:
    """Path of each changed file to its letter, and the folder where git keeps its records.

    Nothing without git, outside a repository, and in one that ``trusts`` does not know: the
    configuration of a repository names programs that git starts.
    """
    git, repository = shutil.which("git"), repository_of(folder)
    if git is None or repository is None or not trusts(repository):
        return {}, ""
    top, _, kept = (
        _output_of_git(git, folder, "rev-parse", "--show-toplevel", "--absolute-git-dir")
        .strip()
        .partition("\n")
    )
    if not top:
        return {}, ""
    listing = _output_of_git(
        git, folder, "status", "--porcelain", "-z", "--untracked-files=all", "--", "."
    )
    return parse(listing, Path(top)), kept


def versions(file: Path, trusts: Callable[[Path], bool] = lambda _: True) -> tuple[str, str] | None:
    """A file's text in the last commit (empty for a new file) and on the disk (empty when deleted).

    None where git may not be asked, and for what is no text.
    """
    git, repository = shutil.which("git"), repository_of(file.parent)
    if git is None or repository is None or not trusts(repository):
        return None
    before = _output_of_git(git, file.parent, "show", "--no-textconv", f"HEAD:./{file.name}")
    try:
        now = textfile.read(file).text if file.is_file() else ""
    except (OSError, UsageError):
        return None
    return None if "\0" in before + now else (before.replace("\r\n", "\n"), now)


def _output_of_git(git: str, folder: Path, *arguments: str) -> str:
    command = [git, "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False)  # noqa: S603 - git, with words of ours
    except (OSError, subprocess.TimeoutExpired):
        return ""  # no answer in time: the tree stays without marks
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else ""


def parse(listing: str, top: Path) -> dict[str, str]:
    """The answer of ``git status --porcelain -z``."""
    found: dict[str, str] = {}
    entries = iter(listing.split("\0"))
    for entry in entries:
        if len(entry) < 4:
            continue
        index, tree, name = entry[0], entry[1], entry[3:]
        if index == "R":
            next(entries, "")  # the name it had
        letter = "U" if "U" in (index, tree) else tree if tree != " " else index
        found[str(top / name)] = letter
    return found


def folders_of(marks: dict[str, str], below: Path) -> set[str]:
    """The folders that hold changed files."""
    found: set[str] = set()
    for name in marks:
        for parent in Path(name).parents:
            if parent == below or str(parent) in found:
                break
            found.add(str(parent))
    return found
