"""Toolboxes: folders and wheels of others that bring functions.

A toolbox is a folder with a manifest (`toolbox_manifest`). Python modules in it declare functions
as the library does, with ``@builtin("name", ...)`` of ``fuselab.toolbox``. The names are read from
their text: a module is imported when one of its functions is first called or asked about.
Toolboxes are found where

* they came with Fuselab (``app/toolboxes``), unless the user leaves them out,
* an installed distribution has an entry point of the group ``fuselab.toolboxes`` whose value is the
  Python package with the manifest,
* the user added a folder (``fuselab toolbox add``),
* a folder of the search path has a manifest.

What is wrong with one is kept as a sentence, which its functions raise and ``ver`` shows.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

from app import log, paths, restricted
from app.engine.declarations.builtin_index import index, read_declarations, shipped
from app.engine.declarations.toolbox_manifest import MANIFEST, Toolbox, read
from app.errors import MatlabError, UsageError
from app.late_pattern import late_pattern

if TYPE_CHECKING:
    from app.engine.values import Value

GROUP = "fuselab.toolboxes"
IDENTIFIER = "Fuselab:toolbox"
_SECTION = late_pattern(rf"(?ms)^\[{re.escape(GROUP)}\]\s*$(.*?)(?=^\[|\Z)")
_ENTRY = late_pattern(r"(?m)^\s*[\w.-]+\s*=\s*([\w.]+)")
_LEFT_OUT = "-"
"""What stands before the name of a toolbox of Fuselab's own in the user's list."""


class _Known:
    """The toolboxes of this process.

    Attributes:
        by_folder: every toolbox that was found, the first ones first.
        functions: the toolbox of each function written in Python.
        loading: the toolbox whose module is being imported.
        by_scripts: whether nobody but scripts may have those imported that are not installed.
    """

    by_folder: dict[Path, Toolbox] = {}  # noqa: RUF012 - there is one
    functions: dict[str, Toolbox] = {}  # noqa: RUF012 - there is one
    loading: Toolbox | None = None
    by_scripts: bool = False


def known_toolboxes() -> tuple[Toolbox, ...]:
    """Every toolbox that was found so far, broken ones included."""
    _find_installed()
    return tuple(_Known.by_folder.values())


def names() -> frozenset[str]:
    """The functions written in Python that toolboxes bring."""
    _find_installed()
    return frozenset(_Known.functions)


def installed_folders() -> list[str]:
    """The folders of ``.m`` files of toolboxes of others that are installed or added."""
    return [str(f) for t in _usable_toolboxes() if not t.is_shipped for f in t.path]


def shipped_folders() -> list[str]:
    """The folders of ``.m`` files of the toolboxes that came with Fuselab."""
    return [str(f) for t in _usable_toolboxes() if t.is_shipped for f in t.path]


def _usable_toolboxes() -> list[Toolbox]:
    _find_installed()
    return [t for t in _Known.by_folder.values() if t.is_installed and not t.problem]


def folders_at(folder: str) -> list[str]:
    """The folders that a folder on the search path stands for: its own, those of its toolbox."""
    place = Path(folder)
    if not paths.is_file(place / MANIFEST):
        return [folder]
    toolbox = use(place)
    return list(dict.fromkeys((folder, *map(str, toolbox.path))))


def use(folder: Path, package: str = "", *, is_installed: bool = False) -> Toolbox:
    """The toolbox in a folder, whose functions exist from now on."""
    folder = folder.resolve()
    found = _Known.by_folder.get(folder)
    if found is None:
        found = _Known.by_folder[folder] = read(folder)
        found.package = package or "fuselab_toolbox_" + re.sub(r"\W", "_", str(folder))
        if not found.problem:
            read_declarations(found)
        _take_names(found)
    found.is_installed |= is_installed
    return found


def _take_names(toolbox: Toolbox) -> None:
    """The functions that its modules declare, where nobody else declares them."""
    for name in toolbox.modules:
        other = _Known.functions.get(name)
        if name in index() or (other is not None and other is not toolbox):
            owner = "is a builtin" if other is None else f"is one of the toolbox {other.name}"
            toolbox.problem = f"it declares '{name}', which {owner}"
            toolbox.modules, toolbox.extensions = {}, {}
            return
    _Known.functions.update(dict.fromkeys(toolbox.modules, toolbox))


# --- finding --------------------------------------------------------------------------------------


@cache
def _find_installed() -> None:
    left_out = left_out_names()
    for toolbox in shipped():
        if toolbox.name not in left_out:
            _Known.by_folder[toolbox.folder] = toolbox
            _take_names(toolbox)
    for package, folder in _entry_points():
        use(folder, package, is_installed=True)
    for folder in added_folders():
        use(folder, is_installed=True)


def _entry_points() -> Iterator[tuple[str, Path]]:
    """Package and folder of every toolbox that is installed.

    Read from the text of the installed distributions: importlib.metadata takes longer to import
    than an empty script takes to run. The current folder holds no distributions.
    """
    for place in dict.fromkeys(sys.path):
        if not place or Path(place) == Path.cwd():
            continue
        for text in _texts_of_entry_points(place):
            section = _SECTION.search(text)
            for package in () if section is None else _ENTRY.findall(section[1]):
                yield package, _folder_of(package, Path(place))


def _texts_of_entry_points(place: str) -> Iterator[str]:
    """What the distributions in a folder say that may be about toolboxes."""
    try:
        names = [n for n in os.listdir(place) if n.endswith(".dist-info")]  # noqa: PTH208 - quick
    except OSError:  # an archive, or a folder that is not there
        return
    for name in names:
        try:
            with open(f"{place}/{name}/entry_points.txt", "rb") as file:  # noqa: PTH123 - quick
                content = file.read()
        except OSError:  # most have none
            continue
        if GROUP.encode() in content:
            yield content.decode("utf-8")


def _folder_of(package: str, place: Path) -> Path:
    """The folder of an installed package, which is not imported for that."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(folders[0]) if folders else place.joinpath(*package.split("."))


def _list_file() -> Path:
    return paths.config_dir() / "toolboxes.txt"


def added_folders() -> list[Path]:
    """The folders that the user added."""
    return [Path(line) for line in _lines() if not line.startswith(_LEFT_OUT)]


def left_out_names() -> set[str]:
    """The toolboxes of Fuselab's own that the user leaves out."""
    return {line.removeprefix(_LEFT_OUT) for line in _lines() if line.startswith(_LEFT_OUT)}


def _lines() -> list[str]:
    try:
        paths.check_file(_list_file())
        text = _list_file().read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as problem:
        kept = paths.set_aside(_list_file())
        text = "The list of toolboxes cannot be read (%s); kept as %s"
        log.topic("toolboxes").warning(text, problem, kept)
        return []
    return [line for line in text.splitlines() if line and "\0" not in line]


def set_added(folders: Iterable[Path]) -> None:
    """Keep the folders that the user added, for every session from now on."""
    _write_list(folders, left_out_names())


def set_left_out(names: Iterable[str]) -> None:
    """Keep which toolboxes of Fuselab's own are left out, for every process from now on."""
    _write_list(added_folders(), names)


def _write_list(folders: Iterable[Path], left_out: Iterable[str]) -> None:
    lines = (*map(str, folders), *(_LEFT_OUT + name for name in sorted(left_out)))
    paths.write_private(_list_file(), "".join(f"{line}\n" for line in lines).encode())


# --- loading --------------------------------------------------------------------------------------


def load_by_scripts_only() -> None:
    """Import nothing of a folder because an editor asks about it: nobody may trust it yet."""
    _Known.by_scripts = True


def load(name: str) -> bool:
    """Import the module that declares a function; False where no toolbox brings it.

    Raises:
        MatlabError: it cannot be imported, or must not be: in a restricted run, or by an editor.
    """
    _find_installed()
    toolbox = _Known.functions.get(name)
    if toolbox is None:
        return False
    if not toolbox.problem:
        if not toolbox.is_installed:
            restricted.refuse(f"Python code of the toolbox '{toolbox.name}' in {toolbox.folder}")
            if _Known.by_scripts and not restricted.runs_script():
                text = f"'{name}' is Python code in {toolbox.folder}: known once a script ran it."
                raise MatlabError(IDENTIFIER, text)
        _import(toolbox, toolbox.modules[name])
    if toolbox.problem:
        text = f"The toolbox '{toolbox.name}' cannot be used: {toolbox.problem}."
        raise MatlabError(IDENTIFIER, text)
    return True


def _import(toolbox: Toolbox, module: str) -> None:
    before, _Known.loading = _Known.loading, toolbox
    package = __name__.partition(".")[0]
    sys.modules.setdefault("fuselab", sys.modules[package])  # another name in the sources
    try:
        _have_package(toolbox)
        importlib.import_module(module)
    except Exception as problem:  # whatever the code of others raises
        toolbox.problem = f"{_place(problem, toolbox)}{type(problem).__name__}: {problem}"
    finally:
        _Known.loading = before


def _have_package(toolbox: Toolbox) -> None:
    """A folder that is no installed package becomes one."""
    if toolbox.package in sys.modules or importlib.util.find_spec(toolbox.package) is not None:
        return
    start = toolbox.folder / "__init__.py"
    loader = SourceFileLoader(toolbox.package, str(start)) if start.is_file() else None
    spec = ModuleSpec(toolbox.package, loader, is_package=True)
    spec.submodule_search_locations = [str(toolbox.folder)]
    package = sys.modules[toolbox.package] = importlib.util.module_from_spec(spec)
    if loader is not None:
        loader.exec_module(package)


def _place(problem: BaseException, toolbox: Toolbox) -> str:
    """Where in the toolbox's own files an error came from, such as ``functions.py:12: ``."""
    if isinstance(problem, SyntaxError) and problem.filename:
        return f"{Path(problem.filename).name}:{problem.lineno}: "
    frames = traceback.extract_tb(problem.__traceback__)
    own = [f for f in frames if Path(f.filename).is_relative_to(toolbox.folder)]
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}: " if own else ""


def declaring_toolbox(name: str, module: str) -> Toolbox | None:
    """The toolbox of others that declares a function in a module; None for what is ours.

    Raises:
        UsageError: it declares a name that its text did not show, or that is another's.
    """
    owner, loading = _Known.functions.get(name), _Known.loading
    if (
        loading is not None
        and owner is not loading
        and f"{module}.".startswith(f"{loading.package}.")
    ):
        raise UsageError(f"'{name}' is not declared at the head of a line, or is another's name")
    return None if owner is None or owner.is_shipped else owner


def toolbox_of(name: str) -> Toolbox | None:
    """The toolbox that brings a function written in Python; None for the library's own."""
    _find_installed()
    return _Known.functions.get(name)


def extensions(class_name: str) -> list[str]:
    """The modules of toolboxes that add functions or operators to a class of ours."""
    _find_installed()
    found = (t.extensions.get(class_name, ()) for t in _Known.by_folder.values())
    return [module for modules in found for module in modules]


def error_of(name: str, toolbox: Toolbox, problem: Exception) -> MatlabError:
    """What a function of a toolbox raised, as an error of the script."""
    text = f"{name} of the toolbox '{toolbox.name}': {_place(problem, toolbox)}"
    return MatlabError(f"{IDENTIFIER}:PythonError", f"{text}{type(problem).__name__}: {problem}")


def as_value(found: object) -> Value:
    """What a function of a toolbox gave as a value: arrays of one dimension are rows.

    Raises:
        TypeError: MATLAB has no such class.
    """
    import numpy as np  # checking a text asks for toolboxes, and needs no arrays

    from app.engine.values import CLASS_OF_DTYPE, canonical

    match found:
        case None:
            return ()
        case tuple():
            return tuple(map(as_value, found))
        case np.ndarray() | np.generic():
            data = np.asarray(found)
            if data.dtype not in CLASS_OF_DTYPE:
                raise TypeError(f"it gave an array of {data.dtype}, which is not a MATLAB class")
            return canonical(data.reshape(1, -1) if data.ndim < 2 else data)
        case bool() | float() | complex() | str():
            return found
        case int():
            return float(found)
        case list() | dict() | set():
            raise TypeError(f"it gave a {type(found).__name__}; toolbox.to_matlab makes values")
    return found
