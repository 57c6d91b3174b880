"""Where the bytes of values are: allocation, eviction, uploads and downloads."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.accel.backends.recovery import gone
from app.accel.backends.residency import DeviceStorage, Record, Residency
from app.accel.ir.node import NOWHERE, Origin
from app.accel.runtime.timeline import Timeline
from app.accel.support.telemetry import Recorder, TransferRow
from app.errors import OutOfDeviceMemory
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from weakref import ref

    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer, Provider


@mutable_record
class Storage:
    """Brings records to the device, while there is one, and back to the host.

    Attributes:
        before_eviction: submits what is queued, which may write to, or still read from, what goes.
        after_waiting: notes when work was done, because something has waited for the device.
        budget: device bytes that may be live; 0 for no limit of our own.
        live_bytes: device bytes that are live now.
        made: device bytes allocated since somebody set it to 0.
    """

    recorder: Recorder
    residency: Residency
    timeline: Timeline
    before_eviction: Callable[[], None]
    after_waiting: Callable[[], None]
    device: Provider | None = None
    budget: int = 0
    live_bytes: int = 0
    made: int = 0

    def bury(self) -> None:
        """Give buffers of dead records back to the pool."""
        graveyard = self.residency.graveyard
        while graveyard:
            buffer = graveyard.pop()
            self.live_bytes -= buffer.nbytes
            self.recorder.memory("free", id(buffer), -buffer.nbytes, self.live_bytes)
            if self.device is not None:
                self.device.free(buffer)

    def left_behind(self, buffers: Sequence[tuple[int, ref[Buffer]]]) -> dict[int, DeviceStorage]:
        """Storage in buffers that dead records have left, by number; none where one is in use.

        A program that runs again has it without a way through the pool.
        """
        graveyard = self.residency.graveyard
        if not buffers or len(graveyard) < len(buffers):
            return {}
        dead = {id(buffer): buffer for buffer in graveyard}
        found = {k: buffer for k, told in buffers if (buffer := dead.get(id(told()))) is not None}
        if len(found) < len(buffers):
            return {}
        for buffer in found.values():
            graveyard.remove(buffer)
        self._note_peak()
        return {k: self.residency.own(buffer) for k, buffer in found.items()}

    def tell_of(self, storage: DeviceStorage, record: Record) -> None:
        """A record has got storage that was another one's; so much is live as before."""
        buffer = storage.buffer
        size, live, told = buffer.nbytes, self.live_bytes, self.recorder.memory
        told("free", id(buffer), -size, live - size)
        told("allocate", id(buffer), size, live, record.line, record.name)

    def allocate(self, record: Record) -> DeviceStorage:
        """Device storage for a record, after evictions if need be."""
        assert self.device is not None
        needed = record.count * record.dtype.size
        self.make_room(needed)
        try:
            buffer = self.device.allocate(record.dtype, record.count)
        except OutOfDeviceMemory:
            self.evict(needed)
            self.device.trim()
            buffer = self.device.allocate(record.dtype, record.count)
        self.live_bytes += buffer.nbytes
        self.made += buffer.nbytes
        self._note_peak()
        self.recorder.memory(
            "allocate", id(buffer), buffer.nbytes, self.live_bytes, record.line, record.name
        )
        return self.residency.own(buffer)

    def _note_peak(self) -> None:
        counters = self.recorder.counters
        counters.peak_device_bytes = max(counters.peak_device_bytes, self.live_bytes)

    def make_room(self, needed: int) -> None:
        """Evict until `needed` bytes fit the budget."""
        if not self.budget or self.live_bytes + needed <= self.budget:
            return
        self.bury()
        self.evict(self.live_bytes + needed - self.budget)
        if self.live_bytes + needed > self.budget:
            raise OutOfDeviceMemory(
                needed,
                f"{needed} bytes do not fit the memory budget of {self.budget} bytes, "
                f"{self.live_bytes} of them are in use",
            )

    def evict(self, wanted: int) -> None:
        """Move least recently used records to the host until `wanted` bytes are free."""
        self.before_eviction()
        freed = 0
        for record in self.residency.victims():
            if freed >= wanted:
                break
            freed += record.device_bytes
            if record.host is None:
                record.host = self.fetch(record, NOWHERE, "eviction")
            record.device = None
            self.recorder.counters.evictions += 1
            self.bury()

    def device_buffer(self, record: Record, origin: Origin, cause: str = "operand") -> Any:
        """The record's device buffer; uploaded now if it is not there yet."""
        if record.device is None:
            record.device = self._upload(record, origin, cause)
        return record.device.buffer

    def _upload(self, record: Record, origin: Origin, cause: str) -> DeviceStorage:
        assert self.device is not None
        if record.host is None:
            raise gone(record)
        storage = self.allocate(record)
        started = time.perf_counter()
        self.device.upload(storage.buffer, record.host)
        ended = time.perf_counter()
        self._count_transfer("up", record, started, ended, record.host.nbytes, origin, cause)
        return storage

    def host_buffer(self, record: Record, origin: Origin, cause: str) -> NDArray[Any]:
        """The record's host array; downloaded now if it is not there yet."""
        if record.host is None:
            record.host = self.fetch(record, origin, cause)
        return record.host

    def fetch(
        self, record: Record, origin: Origin, cause: str, start: int = 0, count: int | None = None
    ) -> NDArray[Any]:
        """Download elements of a device record."""
        if record.device is None or self.device is None:
            raise gone(record)
        self.residency.touch(record, origin.line)
        started = time.perf_counter()
        data = self.device.download(record.device.buffer, start, count)
        ended = time.perf_counter()
        self.after_waiting()
        began = self.timeline.done_between(started, ended)
        if began > started:
            self.timeline.waited(origin, started, began)
        self._count_transfer("down", record, began, ended, data.nbytes, origin, cause)
        return data

    def _count_transfer(
        self,
        direction: str,
        record: Record,
        started: float,
        ended: float,
        n_bytes: int,
        origin: Origin,
        cause: str,
    ) -> None:
        spent = (ended - started) * 1000
        counters, line = self.recorder.counters, self.recorder.line(origin)
        if direction == "up":
            counters.uploads += 1
            counters.upload_bytes += n_bytes
            counters.upload_ms += spent
            line.upload_bytes += n_bytes
        else:
            counters.downloads += 1
            counters.download_bytes += n_bytes
            counters.download_ms += spent
            line.download_bytes += n_bytes
            line.waited_ms += spent
            if cause == "plot":
                counters.plot_download_bytes += n_bytes
        if not self.recorder.full(self.recorder.transfers):
            owner = record.name or self.recorder.owner_of(record)
            self.recorder.transfers.append(
                TransferRow(direction, n_bytes, spent, origin.line, cause, owner, origin.file)
            )
        track = "Upload" if direction == "up" else "Download"
        self.recorder.note(track, cause, started, spent / 1000, origin.line)
