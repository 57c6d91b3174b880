"""Fuselab for Python programs: sessions that run MATLAB-syntax code, fused and placed on the GPU.

>>> import fuselab
>>> with fuselab.Session(device="cpu") as s:
...     s["x"] = [1.0, 2.0, 3.0]
...     _ = s.eval("y = 2*cell2mat(x) + 1;")
...     s["y"].tolist()
[[3.0, 5.0, 7.0]]

A session holds a workspace, as the window's does. Values go in and out by name; functions of the
search path are attributes; a script's failure is a :class:`MatlabError`. In a checkout of the
sources this package is called ``app.api``.
"""

from app.api.arrays import DeviceArray
from app.api.compiled import compile_function
from app.api.convert import from_matlab, to_matlab
from app.api.functions import Function
from app.api.results import Report, RunResult
from app.api.session import Session
from app.errors import Interrupted, MatlabError, StackFrame, UsageError

compile = compile_function  # noqa: A001 - named as users think of it: fuselab.compile

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
