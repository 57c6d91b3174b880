"""The peers: whichever of NumPy, torch, torch.compile, CuPy, JAX and GNU Octave is installed.

CuPy and JAX run what NumPy runs. Their work returns something that becomes a number, and becoming
one waits for the device. Loops of hundreds of passes are not handed to compilers, which would write
them out. Why a peer has no time is in the row's `missing`.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import which
from typing import Any

from tests.benchmarks.workload import Peer, Workload

Row = dict[str, Any]
LIBRARIES = {
    "numpy": "numpy",
    "torch": "torch",
    "torch.compile": "torch",
    "cupy": "cupy",
    "jax": "jax",
    "jax.jit": "jax",
}
"""Peers by the name of the library that they need."""
COMPILERS = frozenset({"torch.compile", "jax.jit"})
NAMES = (*LIBRARIES, "octave")
LOOP = """{setup}
times = zeros(1, {repeat});
for bench_pass = 1:{repeat}
    bench_start = tic;
    {code}
    times(bench_pass) = toc(bench_start);
end
"""
OCTAVE_SHIMS = {
    "wait_for": "function wait_for(x), end\n",
    "keep": "function keep(x), end\n",
    "gather": "function y = gather(x), y = x; end\n",
}


def versions() -> dict[str, str]:
    """Versions of what is installed."""
    found = {}
    for name in sorted({*LIBRARIES.values(), "wgpu"}):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            if importlib.util.find_spec(name) is not None:
                found[name] = str(getattr(importlib.import_module(name), "__version__", "?"))
    return found


def installed(name: str) -> bool:
    """Whether there is such a peer here."""
    if name == "octave":
        return which("octave-cli") is not None
    return importlib.util.find_spec(LIBRARIES[name]) is not None


def run(work: Workload, n: int, repeat: int, row: Row, names: tuple[str, ...] = NAMES) -> None:
    """Times and results of all peers; what failed, and why, under `missing`."""
    for name in names:
        if name == "octave":
            _octave(work, n, row)
            continue
        peer = work.torch if LIBRARIES[name] == "torch" else work.numpy
        if not installed(name):
            continue
        reason = _unfit(name, work, peer)
        try:
            if reason or peer is None:
                raise RuntimeError(reason)  # noqa: TRY301 - told like what a peer says itself
            row["ms"][name], row["cold"][name], row["results"][name] = _timed(name, peer, n, repeat)
        except Exception as problem:
            row["missing"][name] = f"{type(problem).__name__}: {problem}".splitlines()[0][:200]
        _tidy()


def _unfit(name: str, work: Workload, peer: tuple[Peer, Peer] | None) -> str:
    if peer is None:
        return "the workload has no form for it"
    if name in COMPILERS and {"loop", "overhead"} & set(work.tags):
        return "the loop would be written out"
    return ""


def _library(name: str) -> Any:
    """The namespace that a peer's work is given."""
    if name.startswith("jax"):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        jax = importlib.import_module("jax")
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        return importlib.import_module("jax.numpy")
    library = importlib.import_module(LIBRARIES[name])
    if LIBRARIES[name] == "torch":
        library.set_default_device("cuda" if library.cuda.is_available() else "cpu")
        library.backends.cuda.matmul.allow_tf32 = False
    return library


def _compiled(name: str, library: Any, work: Peer, data: Any) -> Callable[[], Any]:
    if name == "torch.compile":
        made = library.compile(lambda given: work(library, given), dynamic=False)
        return lambda: made(data)
    if name == "jax.jit":
        jax = importlib.import_module("jax")
        fixed = isinstance(data, int)
        made = jax.jit(lambda given: work(library, given), static_argnums=(0,) if fixed else ())
        return lambda: made(data)
    return lambda: work(library, data)


def _timed(name: str, peer: tuple[Peer, Peer], n: int, repeat: int) -> tuple[float, float, float]:
    """Median of the warm times, the first one, and the result."""
    library = _library(name)
    setup, work = peer
    data = setup(library, n)
    data = n if data is None else data
    once = _compiled(name, library, work, data)
    times, result = [], 0.0
    for _ in range(repeat + 1):
        started = time.perf_counter()
        made = once()
        result = float(made[-1] if isinstance(made, tuple) else made)
        times.append((time.perf_counter() - started) * 1e3)
    return statistics.median(times[1:]), times[0], result


def _tidy() -> None:
    """Give memory back before the next peer."""
    gc.collect()
    torch = importlib.util.find_spec("torch") and importlib.import_module("torch")
    if torch and torch.cuda.is_available():
        torch.cuda.empty_cache()
    if importlib.util.find_spec("cupy") is not None:
        importlib.import_module("cupy").get_default_memory_pool().free_all_blocks()


def _octave(work: Workload, n: int, row: Row) -> None:
    if which("octave-cli") is None:
        return
    if n > work.octave:
        row["missing"]["octave"] = "the size is beyond its patience"
        return
    code = LOOP.format(setup=f"n = {n}; {work.setup}", code=work.code, repeat=3)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in OCTAVE_SHIMS.items():
            Path(folder, f"{name}.m").write_text(text, encoding="utf-8")
        script = Path(folder, "bench_main.m")
        script.write_text(
            f"1;\n{code}\nprintf('%.17g ', times(1), median(times(2:end)), result);\n",
            encoding="utf-8",
        )
        command = ["octave-cli", "-f", "--no-history", "--path", folder, str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    parts = done.stdout.split()
    if len(parts) != 3:
        row["missing"]["octave"] = done.stderr.strip().splitlines()[-1] if done.stderr else "silent"
        return
    row["cold"]["octave"], row["ms"]["octave"] = (float(part) * 1e3 for part in parts[:2])
    row["results"]["octave"] = float(parts[2])
