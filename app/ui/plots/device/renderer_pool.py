"""One renderer per device, shared by all figures; the screen's pictures have their own thread.

The UI thread never waits for the device: an item paints the last picture it has and is told when
the next one is there. Exports and grabs wait, because they need the picture now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QGraphicsObject

from app.ui.plots.device.renderer import Frame, Layer, Renderer
from app.ui.plots.series_arrays import Window

QUIET_MS = 150
"""How long nothing may have moved before rough pictures are drawn again."""
_renderers: dict[int, Renderer] = {}
_threads: list[ThreadPoolExecutor] = []


def renderer_for(buffer: Any) -> Renderer | None:
    """The renderer of the device a pinned buffer is on; None for a buffer of a recorded event."""
    if buffer.native is None or buffer.provider is None:
        return None
    return _renderer_of(buffer.provider)


def _renderer_of(provider: Any) -> Renderer:
    device = provider.native_device
    key = id(device)
    if key not in _renderers:
        _renderers[key] = Renderer(device, provider.lock, provider.read_back)
    return _renderers[key]


def warm(provider: Any) -> None:
    """Compile in the background what the first figure will need."""
    if provider is not None:
        _pool().submit(_renderer_of(provider).warm)


def _pool() -> ThreadPoolExecutor:
    if not _threads:
        _threads.append(ThreadPoolExecutor(1, "fuselab-pool-plots"))
    return _threads[0]


def close_renderers() -> None:
    """Release all scratch memory and the thread; call before the device is closed."""
    for threads in _threads:
        threads.shutdown(wait=True)
    _threads.clear()
    _under_way.clear()
    for renderer in _renderers.values():
        renderer.close()
    _renderers.clear()


_patient: list[bool] = []


@contextmanager
def synchronous_drawing() -> Iterator[None]:
    """While this lasts, painting waits for the device: exports need the picture now."""
    _patient.append(True)
    try:
        yield
    finally:
        _patient.pop()


def is_synchronous() -> bool:
    """Whether painting shall wait for pictures."""
    return bool(_patient)


_under_way: set[Future[Frame]] = set()


def is_drawing() -> bool:
    """Whether a picture for the screen is on its way."""
    return bool(_under_way)


@dataclass(frozen=True, slots=True, eq=False)
class PictureRequest:
    """A picture that somebody wants.

    Attributes:
        key: comes back with it.
        renderer: who draws it.
        layers: what it shows.
        window: of what part.
        margin: pixels around it that markers may reach into.
        quick: whether it may be rougher to be there sooner.
    """

    key: object
    renderer: Renderer
    layers: list[Layer]
    window: Window
    margin: int
    quick: bool = True


class FrameRequest(QObject):
    """Asks for pictures, one at a time; the latest wish wins. Ends with its parent.

    Attributes:
        failure: why the device did not draw the last one; empty when it did.
    """

    arrived = Signal(object, object)
    failed = Signal()

    def __init__(self, receive: Callable[[object, Frame], None], parent: QGraphicsObject) -> None:
        super().__init__(parent)
        self._parent = parent
        self._running: Future[Frame] | None = None
        self._wish: PictureRequest | None = None
        self._drawn: PictureRequest | None = None
        self._receive = receive
        self.failure = ""
        self.arrived.connect(self._take_frame, Qt.ConnectionType.QueuedConnection)

    def ask(
        self, key: object, renderer: Renderer, layers: list[Layer], window: Window, margin: int = 0
    ) -> None:
        """Have a picture drawn unless it is on its way; ``key`` comes back with it. One that was
        drawn roughly is drawn again once nothing new has been asked for."""
        self._wish = PictureRequest(key, renderer, layers, window, margin)
        if self._running is None:
            self._start()

    def forget(self) -> None:
        """Wish for nothing any more."""
        self._wish = self._drawn = None

    def _start(self) -> None:
        if self._wish is None:
            return
        wish, self._wish = self._wish, None
        key, self._drawn = wish.key, wish
        self._running = _pool().submit(
            wish.renderer.render, wish.layers, wish.window, wish.margin, quick=wish.quick
        )
        _under_way.add(self._running)
        self._running.add_done_callback(lambda done: self._emit_arrived(key, done))

    def _keep_rough(self, frame: Frame) -> None:
        """Remember what was drawn only if it will be drawn again: it holds buffers."""
        if not frame.coarse:
            self._drawn = None
        elif self._drawn is not None and self._wish is None:
            QTimer.singleShot(QUIET_MS, self, partial(self._refine, self._drawn))

    def _refine(self, rough: PictureRequest) -> None:
        """Draw a rough picture again, unless another one was asked for meanwhile."""
        if self._drawn is rough and self._running is None:
            self._wish = replace(rough, quick=False)
            self._start()

    def _emit_arrived(self, key: object, done: Future[Frame]) -> None:
        """In the drawing thread: hand over to the UI thread."""
        try:
            self.arrived.emit(key, done)
        except RuntimeError:
            _under_way.discard(done)  # the item is gone, nobody waits for its picture

    def _take_frame(self, key: object, done: Future[Frame]) -> None:
        self._running = None
        _under_way.discard(done)
        problem = done.exception()
        self.failure = "" if problem is None else str(problem).strip().splitlines()[-1]
        if problem is None:
            self._receive(key, done.result())
            self._keep_rough(done.result())
        else:
            self._parent.update()  # it says what is wrong instead of showing a picture
            self.failed.emit()
        self._start()
