"""wgpu's C interface without reading its header: that takes a fifth of a second of Python.

cffi can write down what it makes of a header as plain tables. They are kept by the versions of wgpu
and cffi, and handed to wgpu's loader when the next process opens the device.
"""

from __future__ import annotations

import ast
import io
import logging
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.accel.support import disk_cache
from app.digests import text_digest

LOADER = "wgpu.backends.wgpu_native._ffi"
_log = logging.getLogger("fuselab.gpu")


class Tables:
    """Stands for ``cffi.FFI()`` with wgpu's declarations behind it as tables.

    cffi's own class reads C again for every type that is named to it, a twentieth of a second each;
    from tables it finds them by itself.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def cdef(self, text: str) -> None:
        """Take the declarations: from the file, or from the text, which makes the file."""
        tables = disk_cache.read(self._file) if self._file else None
        made = None
        if not isinstance(tables, dict):
            made = import_module("cffi").FFI()
            made.cdef(text)
            made.set_source("wgpu.h", None)
            tables = _tables_of(made)
            if tables is not None and self._file:
                disk_cache.write(self._file, tables)
        if tables is not None:
            made = import_module("_cffi_backend").FFI("wgpu", **tables)
        for name in dir(made):
            if not name.startswith("_") and name not in {"cdef", "set_source"}:
                setattr(self, name, getattr(made, name))

    def set_source(self, name: str, source: str | None) -> None:
        """There is none."""


def prepare(folder: Path | None) -> None:
    """Load wgpu with tables, which are kept in the folder."""
    if LOADER in sys.modules:
        return
    cffi = import_module("cffi")
    plain, ours = cffi.FFI, Tables(_file(folder) if folder else None)

    def either(*args: Any, **options: Any) -> Any:
        loading = sys._getframe(1).f_globals.get("__name__") == LOADER
        return ours if loading else plain(*args, **options)

    cffi.FFI = either  # type: ignore[attr-defined]
    try:
        import_module(LOADER)
    finally:
        cffi.FFI = plain  # type: ignore[attr-defined]


def _tables_of(made: object) -> dict[str, object] | None:
    """What cffi made of a header as plain objects; None where it writes them in another way."""
    text = io.StringIO()
    import_module("cffi.recompiler").make_py_source(made, "wgpu", text)
    call = ast.parse(text.getvalue()).body[-1]
    if not isinstance(call, ast.Assign) or not isinstance(call.value, ast.Call):
        _log.warning("cffi writes its tables in another way: wgpu's header is read every time")
        return None
    return {str(k.arg): ast.literal_eval(k.value) for k in call.value.keywords}


def _file(folder: Path) -> Path:
    """The tables of these versions; another header has another file."""
    found = find_spec("wgpu")
    header = Path(found.origin or "").parent / "resources" / "combined_header.h" if found else None
    try:
        facts = [version("wgpu"), version("cffi"), sys.version, header and header.stat().st_size]
    except (PackageNotFoundError, OSError):
        facts = [sys.version]
    return folder / f"{text_digest(repr(facts))}.wgpu"
