"""Machine code from LLVM assembly: the one door to the compiler, for loops and host kernels.

llvmlite is used directly. Beside a compiler for Python functions, measured on loops of ten to fifty
statements: importing it takes 0.1 s instead of 1 s, compiling 20–50 ms instead of 0.5–2 s, and the
interpreter lock is released meanwhile, so that a script goes on while its hot loop is compiled.
What is lost, type inference for Python, is not wanted: MATLAB's types are inferred by us.

Code is kept on disk by the text it was made from, the processor and the compiler's version, so
that the next start links it in about 2 ms.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from contextlib import ExitStack, suppress
from functools import cache
from itertools import count
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from app import cachefile, memory, paths, restricted
from app.digests import text_digest
from app.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from llvmlite.binding import TargetMachine
    from llvmlite.binding.newpassmanagers import PassBuilder
    from llvmlite.binding.orcjit import JITLibraryBuilder, ResourceTracker

MOST_BYTES = 64 << 20
"""Of compiled code kept on disk; beyond it the files used longest ago go."""
OF_CODE = ".o"
INSTANT, QUICK, VECTORS, THOROUGH = 0, 1, 2, 3
"""How much is optimised. Nothing takes a tenth of the time of the least (3 to 6 ms), and such code
is a third as fast. Loops over single numbers hardly gain by more than the least: unrolling and
vectors cost three times the time to compile and save them a tenth. Loops over arrays gain by
vectors, and by nothing else that takes as long."""

LIBRARIES = 8
"""Libraries of one linker. It costs 110 kB and keeps 26 kB of each, removed ones as well, until the
last one goes: with many to a linker, a few that stay in use keep what is left of all the others."""

_names = count()
_waking = Lock()
_at = ctypes.c_void_p.from_address
_BEFORE_POINTER = object.__basicsize__
"""Bytes of a NumPy array before the pointer to its elements: part of NumPy's binary interface."""


def address_of(array: object) -> int:
    """Where the elements of a NumPy array begin.

    NumPy's own answers (``ctypes``, ``__array_interface__``) take fifty times as long, more than
    what small arrays are handed over for.
    """
    return _at(id(array) + _BEFORE_POINTER).value or 0


class Library:
    """Linked machine code; its memory is freed by the first library linked after it is unused.

    The collector runs in any thread and in the middle of anything: there, nothing may wait for the
    compiler's lock, which is held for as long as another thread compiles.
    """

    def __init__(self, code: bytes, symbols: tuple[str, ...], imports: Mapping[str, int]) -> None:
        import llvmlite.binding as llvm

        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        for symbol, address in imports.items():
            builder.import_symbol(symbol, address)
        for symbol in symbols:
            builder.export_symbol(symbol)
        compiler, self._name = _compiler(), f"native{next(_names)}"
        self._addresses, self._unused = compiler.link(builder, self._name, symbols), compiler.unused

    def __del__(self) -> None:
        if hasattr(self, "_unused"):  # it was linked
            self._unused.append(self._name)

    def function(self, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """An exported function by its ctypes types; calls run without the interpreter lock.

        The library lives as long as the function.
        """
        made: Any = ctypes.CFUNCTYPE(result, *arguments)(self._addresses[name])
        made.library = self
        return made  # type: ignore[no-any-return]


class _Linker:
    """One of LLVM's linkers, for so many libraries."""

    def __init__(self, machine: TargetMachine) -> None:
        import llvmlite.binding as llvm

        self.jit = llvm.create_lljit_compiler(machine)
        self.room, self.linked = LIBRARIES, 0

    def link(self, builder: JITLibraryBuilder, name: str) -> ResourceTracker:
        """Link one more library."""
        tracker = builder.link(self.jit, name)
        self.room -= 1
        self.linked += 1
        return tracker

    def remove(self, tracker: ResourceTracker) -> None:
        """Unmap a library; with the last of a full linker goes what is kept of all of them."""
        tracker.close()
        self.linked -= 1
        if not self.room and not self.linked:
            self.jit.close()


class _Compiler:
    """The processor's target and the linkers, made once."""

    def __init__(self) -> None:
        import llvmlite
        import llvmlite.binding as llvm

        memory.share_heaps()
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple()
        processor, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
        self.features: str = features
        self.fingerprint = f"{llvmlite.__version__}|{target.triple}|{processor}|{features}"
        self.machine, self.hasty = (
            target.create_target_machine(
                cpu=processor, features=features, opt=effort, codemodel="jitdefault", jit=True
            )
            for effort in (3, 0)
        )
        self._builders: dict[int, PassBuilder] = {}
        self.linker = _Linker(self.machine)
        self.building, self.linking = Lock(), Lock()
        self.linked: dict[str, tuple[_Linker, ResourceTracker]] = {}
        self.unused: deque[str] = deque()

    def link(
        self, builder: JITLibraryBuilder, name: str, symbols: tuple[str, ...]
    ) -> dict[str, int]:
        """The addresses of a library's symbols; frees what is no longer used."""
        with self.linking:
            while self.unused:
                linker, tracker = self.linked.pop(self.unused.popleft())
                linker.remove(tracker)
            if not self.linker.room:
                self.linker = _Linker(self.machine)
            tracker = self.linker.link(builder, name)
            self.linked[name] = self.linker, tracker
            return {symbol: tracker[symbol] for symbol in symbols}

    def _pass_builder(self, machine: TargetMachine, level: int) -> PassBuilder:
        """One for each level, whoever holds `building` uses it: llvmlite leaks 1.5 kB of each."""
        import llvmlite.binding as llvm

        found = self._builders.get(level)
        if found is None:
            speed = level if level in {INSTANT, THOROUGH} else QUICK
            options = llvm.create_pipeline_tuning_options(speed_level=speed)
            options.loop_vectorization = options.slp_vectorization = level > QUICK
            options.loop_unrolling = level > QUICK
            found = self._builders[level] = llvm.create_pass_builder(machine, options)
        return found

    def build(self, assembly: str, level: int) -> bytes:
        """Optimised object code."""
        import llvmlite.binding as llvm
        from llvmlite.binding import ffi

        # Closed here, in this order: the collector of another thread would know no order.
        with self.building, llvm.create_context() as context, ExitStack() as stack:
            try:
                module = stack.enter_context(llvm.parse_assembly(assembly, context))
                module.verify()
            except RuntimeError as problem:
                raise InternalError("native", f"invalid assembly: {problem}") from problem
            machine = self.hasty if level == INSTANT else self.machine
            builder = self._pass_builder(machine, level)
            passes = builder.getModulePassManager()
            try:
                passes.run(module, builder)
            finally:  # llvmlite's own `close` of it frees nothing: 0.2 MB a time
                ffi.lib.LLVMPY_DisposeNewModulePassManger(passes)
                passes.detach()
            return bytes(machine.emit_object(module))


def _compiler() -> _Compiler:
    """The only one: code that a second one had linked would be unmapped together with it, while it
    runs. A cache alone lets two threads that ask at first make one each."""
    with _waking:
        return _made()


@cache
def _made() -> _Compiler:
    return _Compiler()


def features() -> str:
    """What the processor can do, as LLVM lists it: ``+avx2,+fma,-avx512f…``."""
    return _compiler().features


def is_awake() -> bool:
    """Whether the compiler has been loaded, which takes a tenth of a second."""
    return _made.cache_info().currsize > 0


def is_kept(assembly: str, level: int = THOROUGH) -> bool:
    """Whether the code of a text is on the disk."""
    return _path(assembly, level).exists()


def compile_assembly(
    assembly: str,
    *symbols: str,
    level: int = THOROUGH,
    imports: Mapping[str, int] = MappingProxyType({}),
) -> Library:
    """The library of a text of LLVM assembly, with the functions to export.

    ``imports`` are addresses of symbols that the text declares and the process does not export.

    Takes tens of milliseconds where the code is not on disk. Raises InternalError where the text
    is not valid.
    """
    path = _path(assembly, level)
    code = cachefile.read(path)
    if code is None:
        code = _compiler().build(assembly, level)
        cachefile.write(path, code)
        with restricted.restriction_lifted():
            _forget_old(path.parent)
    else:
        with suppress(OSError), restricted.restriction_lifted():
            os.utime(path)
    return Library(code, symbols, imports)


def _path(assembly: str, level: int) -> Path:
    text = f"{_compiler().fingerprint}|{level}\n{assembly}"
    key = text_digest(text, 16)
    return _folder() / f"{key}{OF_CODE}"


def _folder() -> Path:
    return paths.cache_dir() / "native"


def _forget_old(folder: Path) -> None:
    """Remove the files used longest ago while all are together too large."""
    found = []
    for entry in folder.glob(f"*{OF_CODE}"):
        with suppress(FileNotFoundError):  # another process was here first
            found.append((entry.stat(), entry))
    excess = sum(state.st_size for state, _ in found) - MOST_BYTES
    for state, entry in sorted(found, key=lambda item: item[0].st_mtime):
        if excess <= 0:
            return
        entry.unlink(missing_ok=True)
        excess -= state.st_size
