"""wgpu's C interface without reading its header: that takes a fifth of a second of Python.

cffi can write down what it makes of a header as plain tables. They are kept by the versions of wgpu
and cffi, and handed to wgpu's loader when the next process opens the device.
"""

from __future__ import annotations

import ast
import io
import logging
import sys
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.accel.support import disk_cache

LOADER = "wgpu.backends.wgpu_native._ffi"
_log = logging.getLogger("fuselab.gpu")


class Known:
    """Stands for ``cffi.FFI()`` after ``cdef``: the same calls, with the tables behind them."""

    def __init__(self, made: Any) -> None:
        for name in dir(made):
            if not name.startswith("_"):
                setattr(self, name, getattr(made, name))

    def cdef(self, text: str) -> None:
        """The header is known."""

    def set_source(self, name: str, source: str | None) -> None:
        """There is none."""


def prepare(folder: Path) -> bool:
    """Load wgpu with the tables that an earlier process has left; whether there were any."""
    if LOADER in sys.modules:
        return False
    tables = disk_cache.read(_file(folder))
    if not isinstance(tables, dict):
        return False
    cffi = import_module("cffi")
    plain, known = cffi.FFI, Known(import_module("_cffi_backend").FFI("wgpu", **tables))

    def either(*args: Any, **options: Any) -> Any:
        ours = sys._getframe(1).f_globals.get("__name__") == LOADER
        return known if ours else plain(*args, **options)

    cffi.FFI = either  # type: ignore[attr-defined]
    try:
        import_module(LOADER)
    finally:
        cffi.FFI = plain  # type: ignore[attr-defined]
    return True


def keep(folder: Path) -> None:
    """Leave the tables to later processes, if this one has read the header."""
    path, made = _file(folder), import_module(LOADER).ffi
    if isinstance(made, Known) or path.exists():
        return
    text = io.StringIO()
    import_module("cffi.recompiler").make_py_source(made, "wgpu", text)
    call = ast.parse(text.getvalue()).body[-1]
    if not isinstance(call, ast.Assign) or not isinstance(call.value, ast.Call):
        _log.warning("cffi writes its tables in another way: wgpu's header is read every time")
        return
    disk_cache.write(path, {k.arg: ast.literal_eval(k.value) for k in call.value.keywords})


def _file(folder: Path) -> Path:
    """The tables of these versions; another header has another file."""
    found = find_spec("wgpu")
    header = Path(found.origin or "").parent / "resources" / "combined_header.h" if found else None
    try:
        facts = [version("wgpu"), version("cffi"), sys.version, header and header.stat().st_size]
    except (PackageNotFoundError, OSError):
        facts = [sys.version]
    return folder / f"{blake2b(repr(facts).encode(), digest_size=8).hexdigest()}.wgpu"
