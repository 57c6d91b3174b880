"""What a toolbox says of itself: its manifest, ``toolbox.toml``.

::

    name = "waves"
    version = "1.2"
    description = "Waves on strings"      # one line
    fuselab = ">=0.1,<1"                  # versions of Fuselab that it works with
    path = ["m"]                          # folders of .m files; without it, its own folder
    feature = "Wave_Toolbox"              # what ``license('test', …)`` calls it, if anything
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from app import __version__, paths, tomlfile
from app.errors import UsageError
from app.late_pattern import late_pattern

MANIFEST = "toolbox.toml"
_TEXTS = ("name", "version", "description", "fuselab", "feature")
_CONDITION = late_pattern(r"(==|!=|>=|<=|>|<|)\s*(\d+(?:\.\d+)*)")


@dataclass
class Toolbox:
    """One toolbox that was found.

    Attributes:
        folder: where its manifest lies.
        name: what it calls itself; its folder's name where the manifest cannot be read.
        version: its version, such as ``1.2.3``.
        description: one line.
        path: folders of ``.m`` files.
        package: the Python package that its folder is imported as.
        feature: what ``license`` calls it; empty where programs do not ask.
        is_installed: whether it came with Fuselab, or the user installed or added it: restricted
            runs use it, too.
        is_shipped: whether it came with Fuselab; its functions keep the library's own rules.
        modules: the module that declares each function written in Python.
        extensions: the modules that add functions or operators to each class of ours.
        problem: why it is not used; empty where it is.
    """

    folder: Path
    name: str
    version: str = ""
    description: str = ""
    path: tuple[Path, ...] = ()
    package: str = ""
    feature: str = ""
    is_installed: bool = False
    is_shipped: bool = False
    modules: dict[str, str] = field(default_factory=dict)
    extensions: dict[str, list[str]] = field(default_factory=dict)
    problem: str = ""


def read(folder: Path) -> Toolbox:
    """What a toolbox's manifest says; ``problem`` says what is wrong with it."""
    toolbox = Toolbox(folder, folder.name)
    try:
        given = tomlfile.read(folder / MANIFEST)
    except UsageError as problem:
        toolbox.problem = str(problem)
        return toolbox
    try:
        _check(given)
    except UsageError as problem:
        toolbox.problem = f"{folder / MANIFEST}: {problem}"
        return toolbox
    toolbox.name, toolbox.version = given["name"], given["version"]
    toolbox.description = given.get("description", "")
    toolbox.feature = given.get("feature", "")
    parts = [folder / part for part in given.get("path", ["."])]
    missing = next((part for part in parts if not paths.is_folder(part)), None)
    toolbox.path = () if missing is not None else tuple(part.resolve() for part in parts)
    wanted = given.get("fuselab", "")
    if missing is not None:
        toolbox.problem = f"{folder / MANIFEST}: there is no folder {missing}"
    elif not satisfies(__version__, wanted):
        toolbox.problem = f"it works with Fuselab {wanted}; this is {__version__}"
    return toolbox


def _check(given: dict[str, object]) -> None:
    for key in ("name", "version"):
        if key not in given:
            raise UsageError(f"there is no entry '{key}'")
    for key, value in given.items():
        if key == "path":
            good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        elif key in _TEXTS:
            good = isinstance(value, str)
        else:
            raise UsageError(f"'{key}' is not an entry; the entries are {', '.join(_TEXTS)}, path")
        if not good:
            raise UsageError(f"{key} must be a {'list of texts' if key == 'path' else 'text'}")
    if not re.fullmatch(r"[A-Za-z]\w*", str(given["name"])):
        raise UsageError("name must be a word of letters, digits and underscores")
    if not re.fullmatch(r"\d+(\.\d+)*", str(given["version"])):
        raise UsageError("version must be numbers with points between, such as 1.2")
    satisfies("0", str(given.get("fuselab", "")))


def satisfies(version: str, wanted: str) -> bool:
    """Whether a version is among those that a text such as ``>=1.2,<2`` allows.

    Raises:
        UsageError: the text says no versions.
    """
    holds = True
    for part in filter(None, (p.strip() for p in wanted.split(","))):
        condition = _CONDITION.fullmatch(part)
        if condition is None:
            raise UsageError(f"'{part}' says no versions; '>=1.2,<2' does")
        have, limit = _numbers(version), _numbers(condition[2])
        holds = (
            holds
            and {
                "": have == limit,
                "==": have == limit,
                "!=": have != limit,
                ">=": have >= limit,
                "<=": have <= limit,
                ">": have > limit,
                "<": have < limit,
            }[condition[1]]
        )
    return holds


def _numbers(version: str) -> tuple[int, ...]:
    """The parts of a version; zeros at its end do not count."""
    found = [int(part) for part in re.findall(r"\d+", version)]
    while found and not found[-1]:
        found.pop()
    return tuple(found)
