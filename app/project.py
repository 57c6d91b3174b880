"""The project file ``fuselab.toml``: path, entry point, device and tests of a folder.

It lies in the folder of the project and holds for everything below it::

    [project]
    name = "heat"                    # for people
    path = ["src", "lib/tools"]      # searched for functions, beside the project's own folder
    entry = "main.m"                 # what `fuselab run` runs without a file
    device = "auto"                  # unless the command line or the environment says otherwise

    [test]
    paths = ["tests"]                # where `fuselab test` looks; else the whole folder
    coverage = ["src"]               # files whose lines are counted; else those of the path

    [toolboxes]                      # what it needs: in a folder, in a repository, or installed
    waves = { folder = "lib/waves", version = ">=1.2,<2" }
    optics = { git = "https://example.org/optics.git", revision = "v2.1" }
    chemistry = { version = "3" }
"""

from __future__ import annotations

from pathlib import Path

from app import paths, tomlfile
from app.errors import UsageError
from app.records import record

NAME = "fuselab.toml"
_KNOWN: dict[str, dict[str, type]] = {
    "project": {"name": str, "path": list, "entry": str, "device": str},
    "test": {"paths": list, "coverage": list},
    "toolboxes": {},
}
_PIN = ("folder", "git", "revision", "version")


@record
class Pin:
    """A toolbox that a project needs.

    Attributes:
        name: what it calls itself.
        folder: where it is; None where it is in a repository or to be installed.
        git: the address of its repository, empty without one.
        revision: the commit, tag or branch of the repository.
        version: the versions that do, such as ``>=1.2,<2``; empty for any.
    """

    name: str
    folder: Path | None
    version: str
    git: str = ""
    revision: str = ""


@record
class Project:
    """What a project file says; paths are absolute.

    Attributes:
        folder: where the file lies.
        name: for people; the folder's name without one.
        path: folders searched for functions, the project's own first.
        entry: what is run without a file; None without one.
        device: where to compute; empty for no wish.
        tests: files and folders of tests.
        coverage: files and folders whose lines are counted in tests.
        toolboxes: what it needs; those in folders are on its path.
    """

    folder: Path
    name: str
    path: tuple[Path, ...] = ()
    entry: Path | None = None
    device: str = ""
    tests: tuple[Path, ...] = ()
    coverage: tuple[Path, ...] = ()
    toolboxes: tuple[Pin, ...] = ()


def find(place: Path) -> Project | None:
    """The project that a file or folder belongs to.

    Raises:
        UsageError: its file cannot be read, or says what it may not.
    """
    file = file_of(place)
    return None if file is None else read(file)


def file_of(place: Path) -> Path | None:
    """The nearest project file above a file or folder, if any; it is not read."""
    start = place.absolute()
    files = (folder / NAME for folder in (start, *start.parents))
    return next((file for file in files if file.is_file()), None)


def read(file: Path) -> Project:
    """The project that a file describes.

    Raises:
        UsageError: it cannot be read, has an unknown entry, or names a folder that is not there.
    """
    given = tomlfile.read(file)
    for name, section in given.items():
        _check(file, name, section)
    folder = file.parent
    project, test = given.get("project", {}), given.get("test", {})
    entry = project.get("entry")
    own = _paths(file, "path", project.get("path", []))
    pins = tuple(_pin(file, *item) for item in given.get("toolboxes", {}).items())
    return Project(
        folder=folder,
        name=project.get("name", folder.name),
        path=(folder, *own, *(pin.folder for pin in pins if pin.folder is not None)),
        entry=None if entry is None else _paths(file, "entry", [entry])[0],
        device=project.get("device", ""),
        tests=_paths(file, "paths", test.get("paths", [])) or (folder,),
        coverage=_paths(file, "coverage", test.get("coverage", [])) or (folder, *own),
        toolboxes=pins,
    )


def _check(file: Path, name: str, section: object) -> None:
    """Refuse what nobody would read."""
    known = _KNOWN.get(name)
    if known is None or not isinstance(section, dict):
        names = ", ".join(f"[{n}]" for n in _KNOWN)
        raise UsageError(f"{file}: there is no section [{name}]; there are {names}")
    for key, value in section.items() if known else ():
        wanted = known.get(key)
        if wanted is None:
            raise UsageError(f"{file}: [{name}] has no entry '{key}'; it has {', '.join(known)}")
        texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not (texts if wanted is list else isinstance(value, wanted)):
            kind = "a list of texts" if wanted is list else "a text"
            raise UsageError(f"{file}: {key} in [{name}] must be {kind}")


def _pin(file: Path, name: str, given: object) -> Pin:
    if not isinstance(given, dict) or not all(
        key in _PIN and isinstance(value, str) for key, value in given.items()
    ):
        what = f"{', '.join(_PIN[:-1])} and {_PIN[-1]}, all texts"
        raise UsageError(f"{file}: {name} in [toolboxes] takes {what}")
    git, revision = given.get("git", ""), given.get("revision", "")
    if bool(git) != bool(revision) or (git and "folder" in given):
        text = "in [toolboxes] is in a folder, or has git with a revision"
        raise UsageError(f"{file}: {name} {text}")
    folder = _paths(file, name, [given["folder"]])[0] if "folder" in given else None
    if paths.is_folder(file.parent / git):
        git = str((file.parent / git).resolve()) if git else ""
    return Pin(name, folder, given.get("version", ""), git, revision)


def _paths(file: Path, key: str, names: list[str]) -> tuple[Path, ...]:
    for name in names:
        path = file.parent / name
        if not (paths.is_file(path) or paths.is_folder(path)):
            raise UsageError(f"{file}: {key} names '{name}', which is not there")
    return tuple((file.parent / name).resolve() for name in names)
