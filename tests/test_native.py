"""Machine code from assembly: run, kept on disk, refused when wrong."""

from __future__ import annotations

import ctypes
import threading
import time
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from app import native
from app.errors import InternalError
from tests.faults.soak import resident_mb

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SQUARE = """
define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(native, "_folder", lambda: tmp_path / "native")
    return tmp_path / "native"


def test_compiled_code_runs_and_outlives_its_library(folder: Path) -> None:
    square = native.compile_assembly(SQUARE, "square").function(
        "square", ctypes.c_double, ctypes.c_double
    )
    assert square(3.0) == 9.0
    assert len(list(folder.glob("*.o"))) == 1


def test_the_second_time_nothing_is_compiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    native.compile_assembly(SQUARE, "square")
    monkeypatch.setattr(native._Compiler, "build", None)
    again = native.compile_assembly(SQUARE, "square")
    assert again.function("square", ctypes.c_double, ctypes.c_double)(-2.0) == 4.0
    assert folder.exists()


def test_two_libraries_may_export_one_name(folder: Path) -> None:
    other = SQUARE.replace("fmul", "fadd")
    made = [native.compile_assembly(text, "square") for text in (SQUARE, other)]
    calls = [one.function("square", ctypes.c_double, ctypes.c_double) for one in made]
    assert [call(5.0) for call in calls] == [25.0, 10.0]
    assert len(list(folder.glob("*.o"))) == 2


def test_wrong_assembly_is_a_bug_of_ours(folder: Path) -> None:
    with pytest.raises(InternalError, match="invalid assembly"):
        native.compile_assembly("define nonsense", "f")
    assert not folder.exists()


def test_the_folder_stays_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MOST_BYTES", 1)
    native.compile_assembly(SQUARE, "square")
    assert not list(folder.glob("*.o"))


def test_unused_code_is_freed_without_waiting_for_the_compiler(folder: Path) -> None:
    compiler = native._compiler()
    library = native.compile_assembly(SQUARE, "square")
    name = library._name
    with compiler.linking:  # another thread links: the collector must not wait for it
        del library
    assert name in compiler.linked
    native.compile_assembly(SQUARE, "square")
    assert name not in compiler.linked


def test_code_that_is_no_longer_used_leaves_nothing_behind() -> None:
    compiler = native._compiler()
    code = compiler.build(SQUARE, native.QUICK)

    def grown_mb(action: Callable[[], object], times: int) -> float:
        action()
        before = resident_mb()
        for _ in range(times):
            action()
        return resident_mb() - before

    assert grown_mb(lambda: compiler.build(SQUARE, native.THOROUGH), 100) < 3  # 20 MB of passes
    assert grown_mb(lambda: native.Library(code, ("square",), {}), 400) < 2  # 3.6 MB of linkers


def test_a_full_linker_lives_as_long_as_its_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "LIBRARIES", 1)
    compiler = native._Compiler()
    monkeypatch.setattr(native, "_made", lambda: compiler)
    first = compiler.linker
    square = native.compile_assembly(SQUARE, "square").function(
        "square", ctypes.c_double, ctypes.c_double
    )
    native.compile_assembly(SQUARE, "square")
    assert compiler.linker is not first
    assert not first.jit.closed
    assert square(3.0) == 9.0
    del square
    native.compile_assembly(SQUARE, "square")
    assert first.jit.closed


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 4), (2, 3, 4)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_address_of_an_array_is_the_one_that_numpy_says(
    shape: tuple[int, ...], order: Literal["C", "F"]
) -> None:
    whole = np.ones(shape, order=order)
    for array in (whole, whole.T, whole[::-1], whole[..., 1:], np.asarray(memoryview(b"abc"))):
        assert native.address_of(array) == array.__array_interface__["data"][0]


def test_two_threads_that_ask_at_first_get_one_compiler(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[native._Compiler] = []

    class Slow(native._Compiler):
        def __init__(self) -> None:
            made.append(self)
            time.sleep(0.05)  # as long as loading it takes
            super().__init__()

    # The compiler of the tests before stays: functions that are kept elsewhere live in it.
    monkeypatch.setattr(native, "_made", cache(Slow))
    functions: list[Callable[[float], float]] = []

    def build() -> None:
        library = native.compile_assembly(SQUARE, "square")
        functions.append(library.function("square", ctypes.c_double, ctypes.c_double))

    threads = [threading.Thread(target=build) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1  # the code of another would be gone with it
    assert [square(3.0) for square in functions] == [9.0, 9.0]


def test_a_level_has_one_builder_of_passes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """llvmlite leaks a part of each."""
    import llvmlite.binding as llvm

    made, create = [], llvm.create_pass_builder

    def counted(*given: object) -> object:
        made.append(given)
        return create(*given)

    native.compile_assembly(SQUARE, "square", level=native.QUICK)
    monkeypatch.setattr(llvm, "create_pass_builder", counted)
    for k in range(3):
        native.compile_assembly(
            SQUARE.replace("square", f"square{k}"), f"square{k}", level=native.QUICK
        )
    assert not made
