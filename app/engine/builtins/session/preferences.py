"""Preferences that outlive the session: getpref, setpref, addpref, rmpref, ispref, prefdir."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app import paths
from app.engine.arguments.checks import NUMBERS, takes
from app.engine.builtins.files.load_save import read_variables, write_variables
from app.engine.declarations.device_support import SESSION
from app.engine.declarations.registry import builtin
from app.engine.values import Cell, Struct, Value, make_logical, object_array, text_of, texts_of
from app.errors import MatlabError

_FAMILY = "session"


def _file() -> Path:
    return paths.config_dir() / "preferences.mat"


def _stored_preferences() -> dict[str, Value]:
    return read_variables(_file()) if _file().is_file() else {}


def _group(groups: dict[str, Value], name: str) -> dict[str, Value]:
    found = groups.get(name)
    return dict(found.fields) if isinstance(found, Struct) else {}


def _keep(groups: dict[str, Value]) -> None:
    _file().parent.mkdir(parents=True, exist_ok=True)
    write_variables(_file(), groups, "7")


def _pairs(names: Value, values: Value | None) -> list[tuple[str, Value]]:
    if isinstance(names, Cell):
        given = values.items() if isinstance(values, Cell) else [values] * len(texts_of(names))
        return list(zip(texts_of(names), given, strict=False))
    return [(text_of(names), values)]


def _missing(group: str, name: str) -> MatlabError:
    text = f"The preference '{name}' does not exist in the group '{group}'."
    return MatlabError("MATLAB:getpref:prefNotFound", text)


@builtin(
    "getpref",
    category=_FAMILY,
    device=SESSION,
    signatures=(
        "value = getpref(group, name)",
        "value = getpref(group, name, default)",
        "s = getpref(group)",
        "s = getpref",
    ),
    cases=("getpref('fuselabExamples', 'nothing', 3) == 3",),
    see=("setpref", "ispref"),
)
def getpref(group: Value = None, name: Value = None, default: Value = None) -> Value:
    """The value of a preference; a default is stored when there is none yet."""
    groups = _stored_preferences()
    if group is None:
        return Struct(groups)
    title = text_of(group)
    held = _group(groups, title)
    if name is None:
        return Struct(held) if held else np.zeros((0, 0))
    wanted = _pairs(name, default)
    for key, value in wanted:
        if key not in held:
            if value is None:
                raise _missing(title, key)
            held[key] = value
            _keep(groups | {title: Struct(held)})
    found = [held[key] for key, _ in wanted]
    return Cell(object_array(found, (1, len(found)))) if isinstance(name, Cell) else found[0]


@builtin(
    "setpref",
    category=_FAMILY,
    device=SESSION,
    signatures=("setpref(group, name, value)",),
    cases=(
        """strcmp(evalc('setpref(\"fuselabExamples\", \"a\", 2)'), '') && \\
getpref('fuselabExamples', 'a') == 2""",
    ),
    see=("getpref", "rmpref"),
)
def setpref(group: Value, name: Value, value: Value) -> None:
    """Set a preference, in this session and all later ones."""
    groups, title = _stored_preferences(), text_of(group)
    _keep(groups | {title: Struct(_group(groups, title) | dict(_pairs(name, value)))})


@builtin(
    "addpref",
    category=_FAMILY,
    device=SESSION,
    signatures=("addpref(group, name, value)",),
    cases=(
        "setpref('fuselabExamples', 'a', 2); rmpref('fuselabExamples'); "
        "addpref('fuselabExamples', 'b', 1); ispref('fuselabExamples', 'b')",
    ),
    see=("setpref",),
)
def addpref(group: Value, name: Value, value: Value) -> None:
    """Add a preference that must not be there yet."""
    for key, _ in _pairs(name, value):
        if key in _group(_stored_preferences(), text_of(group)):
            text = f"The preference '{key}' exists already in the group '{text_of(group)}'."
            raise MatlabError("MATLAB:addpref:prefExists", text)
    setpref(group, name, value)


@builtin(
    "rmpref",
    category=_FAMILY,
    device=SESSION,
    signatures=("rmpref(group, name)", "rmpref(group)"),
    cases=(
        "setpref('fuselabExamples', 'c', 1); rmpref('fuselabExamples'); ~ispref('fuselabExamples')",
    ),
    see=("setpref", "ispref"),
)
def rmpref(group: Value, name: Value = None) -> None:
    """Remove a preference, or a group of them."""
    groups, title = _stored_preferences(), text_of(group)
    held = _group(groups, title)
    for key, _ in [] if name is None else _pairs(name, None):
        if key not in held:
            raise _missing(title, key)
        del held[key]
    rest = {k: v for k, v in groups.items() if k != title}
    _keep(rest | ({title: Struct(held)} if name is not None and held else {}))


@builtin(
    "ispref",
    category=_FAMILY,
    device=SESSION,
    signatures=("tf = ispref(group, name)", "tf = ispref(group)"),
    cases=("~ispref('fuselabExamples', 'never')",),
    see=("getpref",),
)
def ispref(group: Value, name: Value = None) -> Value:
    """Whether a preference, or a group of them, exists."""
    held = _group(_stored_preferences(), text_of(group))
    if name is None:
        return bool(held)
    if isinstance(name, Cell):
        return make_logical(np.array([[n in held for n in texts_of(name)]]))
    return text_of(name) in held


@builtin(
    "prefdir",
    category=_FAMILY,
    device=SESSION,
    signatures=("folder = prefdir", "folder = prefdir(1)"),
    cases=("isfolder(prefdir) && ischar(prefdir(1))",),
    see=("getpref", "userpath", "tempdir"),
)
@takes(NUMBERS)
def prefdir(_create: Value = 1.0) -> Value:
    """The folder with settings and preferences; it is made where there is none."""
    return str(paths.config_dir())
