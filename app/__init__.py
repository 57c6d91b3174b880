"""Fuselab: a desktop IDE that runs MATLAB-syntax scripts fused and placed on the GPU.

Its Python interface (:mod:`app.api`) is reached from here and imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from app.api import (
        DeviceArray,
        Function,
        Interrupted,
        MatlabError,
        Report,
        RunResult,
        Session,
        StackFrame,
        UsageError,
        compile,  # noqa: A004 - as users write it
        from_matlab,
        to_matlab,
    )

__version__ = "0.1.0"
__all__ = [
    "DeviceArray",
    "Function",
    "Interrupted",
    "MatlabError",
    "Report",
    "RunResult",
    "Session",
    "StackFrame",
    "UsageError",
    "compile",
    "from_matlab",
    "to_matlab",
]


if not TYPE_CHECKING:  # a checker would take any name for one of them

    def __getattr__(name: str) -> Any:
        if name in __all__:
            return getattr(import_module("app.api"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
