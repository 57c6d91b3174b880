"""Which builtins only compute: a pass of a loop may be traced once in place of many calls."""

from __future__ import annotations

_FAMILIES = frozenset(
    (
        "device",
        "files",
        "graphics",
        "session",
        "sound",
        "system",
        "text input",
        "text output",
        "time",
        "web",
        "workspace",
        "evaluation",
        "objects",
        "networks",
        "Python",
    )
)
"""Families that look at or change something beside their arguments."""

_EXCEPT = frozenset(
    (
        "builtin",
        "canUseGPU",
        "classUnderlying",
        "datenum",
        "existsOnGPU",
        "feval",
        "fileparts",
        "filesep",
        "fullfile",
        "isUnderlyingType",
        "isdeployed",
        "isgpuarray",
        "iskeyword",
        "ismac",
        "ismethod",
        "isobject",
        "ispc",
        "isprop",
        "isunix",
        "isvalid",
        "isvarname",
        "jsondecode",
        "jsonencode",
        "methods",
        "properties",
        "sprintf",
        "sscanf",
        "strread",
        "underlyingType",
    )
)
"""Those of their members that only compute."""

_OTHERS = frozenset(
    (
        "addpath",
        "containers.Map",
        "dbstack",
        "insert",
        "lasterr",
        "lasterror",
        "lastwarn",
        "memoize",
        "onCleanup",
        "path",
        "remove",
        "rmpath",
        "rng",
        "warning",
        "which",
    )
)
"""Members of other families that do not only compute."""

_SURROUNDINGS = frozenset(
    (
        "datetime",
        "genpath",
        "hasFrame",
        "imwrite",
        "inputParser",
        "is_valid_file_id",
        "isargout",
        "read",
        "readFrame",
        "unlink",
    )
)
"""Functions that can be left anywhere, but look at the clock, at files or at what calls them.

One that declares ``reads_file`` need not be named."""

_OF_A_WORKER = frozenset(("labindex", "numlabs", "spmdIndex", "spmdSize"))
"""Parallel functions that only say where they are."""


def only_computes(name: str, category: str) -> bool:
    """Whether a call of a builtin can be left anywhere: nothing is left half done."""
    return name not in _OTHERS and (category not in _FAMILIES or name in _EXCEPT)


def is_pure(name: str, category: str) -> bool:
    """Whether a builtin that reads no file changes nothing, and depends on its arguments alone.

    Draws of random numbers are no effects: who traces a loop accounts for them.
    """
    if name in _SURROUNDINGS or (category == "parallel" and name not in _OF_A_WORKER):
        return False
    return only_computes(name, category)
