"""A second process opens the device without reading wgpu's header again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from app.accel.backends.wgpu import adapters
from app.accel.support import disk_cache
from tests.support.adapters import require_adapter

ROOT = Path(__file__).parents[3]
OPENS = """
import sys
from pathlib import Path
from unittest import mock
import cffi
import numpy as np
from app.accel.ir.dtypes import DType
from app.accel.backends.wgpu import open_provider

with mock.patch.object(cffi.FFI, "cdef", autospec=True, side_effect=cffi.FFI.cdef) as read:
    opened = open_provider("auto", None, Path(sys.argv[1]))
buffer = opened.allocate(DType.F32, 9)
opened.upload(buffer, np.arange(9, dtype=np.float32))
print(read.call_count, opened.download(buffer)[7], cffi.FFI.__module__)
opened.close()
"""


def _opened(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", OPENS, str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.split()


def test_the_header_is_read_once(tmp_path: Path) -> None:
    require_adapter(adapters())
    assert _opened(tmp_path) == ["1", "7.0", "cffi.api"]
    [kept] = tmp_path.glob("*.wgpu")
    assert _opened(tmp_path) == ["0", "7.0", "cffi.api"]
    assert isinstance(disk_cache.read(kept), dict)
