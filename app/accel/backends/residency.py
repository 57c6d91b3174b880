"""Where values live: the table from nodes to records.

The table is asked several times per operation, so it goes by identity: `WeakKeyDictionary` makes a
reference and hashes it every time.

A record may have its data on the host, on the device or on both; a node without a record is lazy.
When the last reference to a node goes, its record goes, and device buffers return to the pool.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any
from weakref import ref

from app.accel.ir.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.accel.backends.base import Buffer
    from app.accel.backends.recovery import Recipe
    from app.accel.ir.dtypes import DType


class DeviceStorage:
    """Sole owner of a device buffer; records share it, the last one buries it."""

    __slots__ = ("buffer", "graveyard")

    def __init__(self, buffer: Buffer, graveyard: list[Buffer]) -> None:
        self.buffer = buffer
        self.graveyard = graveyard

    def __del__(self) -> None:
        # Appending is atomic: nodes may die on any thread, buffers are freed under the lock.
        self.graveyard.append(self.buffer)


@dataclass(slots=True, eq=False)
class Record:
    """The data of one node.

    Attributes:
        dtype: the node's type.
        count: elements.
        host: flat column-major array, or None. Its dtype is complex where a guarded function
            left the real domain.
        device: shared device storage, or None.
        pins: users (plots) that need the device buffer to stay.
        made: when the value came to be, in `perf_counter` seconds.
        last_use: the table's clock when last touched.
        used: when that was, in `perf_counter` seconds; 0 before.
        used_line: the line that used it last; 0 before.
        missed_ms: what it has cost so far that it is not on the other side.
        name: owner's variable name.
        least: range fact of the value: a lower bound of its elements, or only of their signs.
        whole: between what all elements are, where they are known to be whole numbers.
        line: where the value was computed or captured.
        source: the group that computed it; 0 for none.
        recipe: how to compute the value again if the device is lost: an evaluation and the number
            of the value in it.
    """

    dtype: DType
    count: int
    host: NDArray[Any] | None = None
    device: DeviceStorage | None = None
    pins: int = 0
    last_use: int = 0
    name: str = ""
    least: float = -math.inf
    whole: tuple[float, float] | None = None
    line: int = 0
    source: int = 0
    recipe: tuple[Recipe, int] | None = None
    made: float = field(default_factory=perf_counter)
    used: float = 0.0
    used_line: int = 0
    missed_ms: float = 0.0

    @property
    def where(self) -> str:
        """The report's name of the state."""
        if self.host is None:
            return "device" if self.device is not None else "lazy"
        return "host" if self.device is None else "both"

    @property
    def is_complex(self) -> bool:
        """Whether a value of a real node left the real domain."""
        return self.host is not None and self.host.dtype.kind == "c" and not self.dtype.is_complex

    @property
    def device_bytes(self) -> int:
        """Bytes on the device."""
        return self.device.buffer.nbytes if self.device is not None else 0


class Pinned:
    """Keeps the operands of a step where they are while room is made for its results."""

    __slots__ = ("records",)

    def __init__(self, records: list[Record]) -> None:
        self.records = records

    def __enter__(self) -> None:
        for record in self.records:
            record.pins += 1

    def __exit__(self, *_: object) -> None:
        for record in self.records:
            record.pins -= 1


class Held(ref[Node]):
    """A reference to a node that knows its record, and under which number it is filed."""

    __slots__ = ("key", "record")

    key: int
    record: Record


class Table:
    """Records by node; a record goes when its node does."""

    __slots__ = ("_forget", "_held")

    def __init__(self) -> None:
        held: dict[int, Held] = {}

        def forget(entry: Held) -> None:  # names no global: nodes outlive modules at exit
            if held.get(entry.key) is entry:
                del held[entry.key]

        self._held, self._forget = held, forget

    def get(self, node: Node) -> Record | None:
        """The record of a node."""
        held = self._held.get(id(node))
        return None if held is None else held.record

    def __setitem__(self, node: Node, record: Record) -> None:
        key = id(node)
        held = Held(node, self._forget)
        held.key, held.record = key, record
        self._held[key] = held

    def __delitem__(self, node: Node) -> None:
        del self._held[id(node)]

    def __len__(self) -> int:
        return len(self._held)

    def items(self) -> list[tuple[Node, Record]]:
        """All nodes that are alive, with their records."""
        found = ((held(), held.record) for held in list(self._held.values()))
        return [(node, record) for node, record in found if node is not None]

    def values(self) -> list[Record]:
        """All records."""
        return [held.record for held in list(self._held.values())]

    def clear(self) -> None:
        """Forget all."""
        self._held.clear()


@dataclass(slots=True, weakref_slot=True, eq=False)
class Residency:
    """The table, its clock and the buffers waiting to be freed."""

    table: Table = field(default_factory=Table)
    graveyard: list[Buffer] = field(default_factory=list)
    clock: int = 0

    def record(self, node: Node) -> Record | None:
        """The node's record, if its value is known."""
        return self.table.get(node)

    def put(self, node: Node, record: Record) -> None:
        """The node's value is known now."""
        self.table[node] = record

    def touch(self, record: Record, line: int = 0) -> None:
        """Mark as used just now by a line."""
        self.clock += 1
        record.last_use, record.used, record.used_line = self.clock, perf_counter(), line

    def own(self, buffer: Buffer) -> DeviceStorage:
        """Storage that returns the buffer when nobody uses it any more."""
        return DeviceStorage(buffer, self.graveyard)

    def victims(self) -> list[Record]:
        """Records that could leave the device, least recently used first."""
        resident = [r for r in self.table.values() if r.device is not None and not r.pins]
        return sorted(resident, key=lambda record: record.last_use)
