"""What every test gets: an offscreen display, a private home, fixed seeds; noise is failure.

A log record at WARNING or above, a thread that outlives its test, or a live device buffer fails
the test that made it.
"""

from __future__ import annotations

import atexit
import gc
import logging
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import pytest

# Before any Qt import: no display is touched, and nothing of the person's own home is read.
_PRIVATE = Path(tempfile.mkdtemp(prefix="fuselab-tests-"))
atexit.register(shutil.rmtree, _PRIVATE, ignore_errors=True)
_RUNTIME = _PRIVATE / "runtime"
_RUNTIME.mkdir(mode=0o700)
os.environ["QT_QPA_PLATFORM"] = os.environ.get("FUSELAB_TEST_PLATFORM", "offscreen")
# Nothing of the person's own shell either: unbuffered output would hide what is never flushed.
for _name in [n for n in os.environ if n.startswith(("FUSELAB_", "PYTHON")) and n != "PYTHONPATH"]:
    del os.environ[_name]
os.environ["XDG_RUNTIME_DIR"] = str(_RUNTIME)
os.environ["PYTHONHASHSEED"] = "0"
_SECRET = bytes(range(32))


_HOMES = count()


def _new_home() -> Path:
    """A home with the secret of caches that all homes of the tests share.

    It lies beside no folder of a test: most tests have none, and making one costs as much again.
    """
    home = _PRIVATE / f"home{next(_HOMES)}"
    home.mkdir()
    data = home / "data"
    data.mkdir(mode=0o700)
    (data / "cache.key").touch(mode=0o600)
    (data / "cache.key").write_bytes(_SECRET)
    return home


os.environ["FUSELAB_HOME"] = str(_new_home())

SETTLE_S = 2.0
PATIENCE_MS = 60_000
MOST_HOLDERS = 20
# Threads that live as long as the process, by the beginning of their names.
LASTING = (
    "wgpu",
    "pytest",
    "ThreadPoolExecutor",
    "fuselab-pool",
    "fuselab-compile",
    "fuselab-poll",
    "asyncio",
    "Dummy",
)


@pytest.fixture(autouse=True)
def private_home(monkeypatch: pytest.MonkeyPatch) -> Path:
    """User folders of the test's own.

    All of them have one secret of caches: a session that serves a whole module keeps its caches
    where the module began, and reads there what it wrote in another test.
    """
    home = _new_home()
    monkeypatch.setenv("FUSELAB_HOME", str(home))
    return home


@pytest.fixture(autouse=True)
def fixed_seeds() -> None:
    """The same random numbers in every run."""
    random.seed(1)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(1)


@pytest.fixture(autouse=True)
def quiet_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A warning in the log fails the test, unless the test read the records itself."""
    yield
    noise = [
        f"{r.name}: {r.getMessage()}"
        for r in caplog.get_records("call")
        if r.levelno >= logging.WARNING and r.name.startswith(("fuselab", "wgpu", "rendercanvas"))
    ]
    if noise and not getattr(caplog, "expected", False):
        pytest.fail("log records: " + "; ".join(noise))


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Every thread a test starts has ended when it ends."""
    before, providers = set(threading.enumerate()), _providers_made()
    yield
    deadline = time.monotonic() + SETTLE_S
    while (left := _own_threads(before, providers)) and time.monotonic() < deadline:
        time.sleep(0.01)
    if left and (left := _without_owner(left)):
        pytest.fail(f"threads still run: {', '.join(t.name for t in left)}")


_OF_HOST = re.compile(r"fuselab-host-(\d+)_")


def _own_threads(before: set[threading.Thread], providers: int) -> list[threading.Thread]:
    """Threads that began since, but for those that a session of several tests starts when it likes:
    how fast the machine is decides whether kernels of its host are spread before they are compiled.
    """
    new = [t for t in threading.enumerate() if t not in before and not t.name.startswith(LASTING)]
    owners = [_OF_HOST.match(t.name) for t in new]
    return [t for t, of in zip(new, owners, strict=True) if not of or int(of[1]) > providers]


def _without_owner(threads: list[threading.Thread]) -> list[threading.Thread]:
    """Those but for the threads of hosts that live on: a session of several tests makes its host in
    the first test that has a large array."""
    gc.collect()
    module = sys.modules.get("app.accel.backends.host.host_provider")
    kind = module.HostProvider if module is not None else ()
    alive = {found.number for found in gc.get_objects() if type(found) is kind}
    owners = [_OF_HOST.match(t.name) for t in threads]
    return [t for t, of in zip(threads, owners, strict=True) if not of or int(of[1]) not in alive]


def _providers_made() -> int:
    module = sys.modules.get("app.accel.backends.host.host_provider")
    return module.HostProvider.made if module is not None else 0


@pytest.fixture
def qtbot(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """pytest-qt's robot, holding its widgets until they are closed.

    Its own references are weak: once a test's function has returned, a widget is garbage although
    it is still on the screen, and a collection in the middle of its ``paintEvent`` ends the process.
    """
    held: list[Any] = []
    add = qtbot.addWidget

    def hold(widget: Any, **options: Any) -> None:
        held.append(widget)
        add(widget, **options)

    monkeypatch.setattr(qtbot, "addWidget", hold)
    for name in ("waitUntil", "waitSignal"):  # a busy machine takes its time
        monkeypatch.setattr(qtbot, name, partial(getattr(qtbot, name), timeout=PATIENCE_MS))
    yield qtbot
    held.clear()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and all modules stay to the end: no search for garbage looks at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses Qt's fixtures is a gui test."""
    for item in items:
        if {"qapp", "qtbot"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("gui")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Device buffers that outlive all tests fail the whole run, which then says what still runs."""
    if "wgpu" not in sys.modules:
        return
    gc.unfreeze()  # garbage that there was when a command of a test loaded its modules
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while (left := _live_buffers()) and time.monotonic() < deadline:
        time.sleep(0.1)
    if left:
        sys.stderr.write(f"\n{left} device buffers outlived the tests\n{_stacks()}\n{_holders()}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _live_buffers() -> int:
    """How many there are once nothing is left to collect.

    A device that a test no longer waits for is still opened, a shader that was begun is still
    compiled: these hold their buffers until they have ended.
    """
    while gc.collect():  # what a finalizer lets go of may be a cycle itself
        pass
    counts: dict[str, dict[str, int]] = sys.modules["wgpu"].diagnostics.object_counts.get_dict()
    return counts["Buffer"]["count"]


def _holders() -> str:
    """The ways to some of these buffers from modules, classes and calls under way."""
    buffers = [found for found in gc.get_objects() if type(found).__name__ == "GPUBuffer"]
    return "\n".join(" <- ".join(_way_to(buffer, {id(buffers)})) for buffer in buffers[:3])


def _way_to(found: object, seen: set[int]) -> list[str]:
    """What holds an object, what holds that, and so on: the shortest way to what always lives."""
    ways, under_way = deque([(found, [type(found).__name__])]), _frames_under_way()
    seen |= {id(found), id(ways)}
    while ways:
        held, way = ways.popleft()
        root = isinstance(held, (ModuleType, type)) or id(held) in under_way
        if root or len(way) > MOST_HOLDERS:
            return way
        for holder in gc.get_referrers(held):
            here = isinstance(holder, FrameType) and holder.f_code.co_filename == __file__
            if id(holder) in seen or here:
                continue
            seen.add(id(holder))
            name = type(holder).__name__
            if isinstance(holder, (ModuleType, type)):
                name = f"{name} {holder.__name__}"
            elif isinstance(holder, FrameType):
                name = f"call of {holder.f_code.co_qualname}"
            elif isinstance(holder, dict):
                name = f"dict[{next((str(k) for k, v in holder.items() if v is held), 'key')}]"
            ways.append((holder, [*way, name]))
    return ["nothing that is known"]


def _frames_under_way() -> set[int]:
    """Frames that run, rather than being kept by the traceback of an exception."""
    calls = (traceback.walk_stack(frame) for frame in sys._current_frames().values())
    return {id(frame) for call in calls for frame, _line in call}


def _stacks() -> str:
    """Where each thread of this project stands."""
    frames = sys._current_frames()
    return "\n".join(
        f"{thread.name}:\n{''.join(traceback.format_stack(frames[thread.ident])[-6:])}"
        for thread in threading.enumerate()
        if thread.name.startswith("fuselab") and thread.ident in frames
    )
