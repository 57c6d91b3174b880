"""The protocol every device provider fulfils.

A provider owns buffers, pipelines and a queue. It never decides anything: placement, fusion and
residency belong to the planner and the runtime. What it cannot do it refuses with `Unsupported`
(at `prepare` or `allocate`, never halfway), and the runtime records the fall-back.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from app.accel.ir.plan import Elements, Prepared
from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.accel.ir.dtypes import DType
    from app.accel.ir.plan import Dispatch, KernelRequest


@record
class DeviceInfo:
    """What a device is and can do; the report's `device` object."""

    name: str
    vendor: str
    backend: str
    type: str
    driver: str
    f64: bool
    int64: bool
    max_buffer_bytes: int
    max_binding_bytes: int
    features: tuple[str, ...]
    provider: str
    max_storage_bindings: int = 8
    workgroup_bytes: int = 16384
    workgroup_lanes: int = 256

    @property
    def fingerprint(self) -> str:
        """Identifies adapter and driver in calibration and kernel caches."""
        return "|".join((self.name, self.vendor, self.backend, self.type, self.driver))


def cards_among(found: Sequence[DeviceInfo]) -> list[int]:
    """Places of the graphics cards in a list of adapters, best first; a card is listed once.

    Equal cards are told apart by their place alone. A software adapter counts where there is
    nothing else. Other interfaces than the first one's show the same cards again.
    """
    real = [k for k, info in enumerate(found) if info.type != "cpu"]
    if not real:
        return [0] if found else []
    return [k for k in real if found[k].backend == found[real[0]].backend]


class Buffer(Elements, Protocol):
    """A device buffer of `count` elements; its storage layout is the provider's business."""

    @property
    def dtype(self) -> DType:
        """Element type as the graph sees it."""

    @property
    def nbytes(self) -> int:
        """Bytes it really occupies on the device, size-class rounding included."""


class Pipeline(Prepared, Protocol):
    """A compiled kernel."""

    @property
    def source(self) -> str:
        """The text that was compiled."""

    @property
    def workgroup(self) -> tuple[int, ...]:
        """Workgroup size."""

    @property
    def compile_ms(self) -> float:
        """Time of compilation; 0.0 when it came from a cache."""


class Submission(Protocol):
    """Work handed to the device in one go."""

    @property
    def dispatches(self) -> int:
        """Dispatches really encoded (a reduction may take several passes)."""

    @property
    def passes(self) -> Sequence[int]:
        """The same per dispatch handed in."""

    @property
    def submits(self) -> int:
        """Command buffers really submitted."""


@mutable_record
class ProviderStatistics:
    """What a provider holds and has done since it was opened."""

    live_buffers: int = 0
    live_bytes: int = 0
    pooled_bytes: int = 0
    peak_bytes: int = 0
    allocations: int = 0
    pool_hits: int = 0
    pipelines: int = 0
    submits: int = 0
    extra: dict[str, float] = field(default_factory=dict)


class Tell(Protocol):
    """Called again and again while the engine waits; what it raises ends the waiting."""

    def __call__(self, what: str, group: int, seconds: float) -> None:
        """`what` is ``device``, ``compiling`` or ``opening``; `group` the report row, or 0."""


def nobody_told(what: str, group: int, seconds: float) -> None:
    """Nobody wants to know, and nobody gives up."""


Changes: TypeAlias = "dict[tuple[int, bool, int], NDArray[np.generic]]"
"""What differs from sequence to sequence: of a dispatch, whether it is a parameter or the offset of
a map, and its number; its value in every sequence."""


R = TypeVar("R")


class Player(Protocol[R]):
    """Plays the same dispatches again and again, with other parameters and offsets."""

    def variant(self, dispatch: Dispatch) -> Hashable:
        """What decides which shaders a dispatch runs: a sequence serves those where it is alike."""

    def prepare(self, dispatches: Sequence[Dispatch]) -> R:
        """A sequence: these dispatches, in order, over these buffers. Raises Unsupported."""

    def storage(self, buffers: Iterable[object]) -> Hashable:
        """What tells the storage of buffers from other storage: a sequence is for one."""

    def serves(self, played: R) -> bool:
        """Whether a sequence can still be played: its kernels may have been given up."""

    def label(self, played: R, rows: Iterator[int]) -> None:
        """Take from `rows` those of the report that the sequence's dispatches run for now."""

    def recorded(self, dispatches: Sequence[Dispatch]) -> Sequence[R] | None:
        """Sequences for `again`; None while better shaders are being compiled for them.

        Raises Unsupported.
        """

    def again(
        self,
        played: Sequence[R],
        parameters: Sequence[tuple[int, Sequence[complex]]],
        wanted: Sequence[Buffer],
        *,
        awaited: bool,
    ) -> Submission | None:
        """Hand in what was recorded, as `submit` would; None where it does not serve any more.

        `parameters` are those of dispatches, by number, that differ from the last time.
        """

    def most(self, played: R) -> int:
        """How many sequences may be handed in together."""

    def play(
        self, sequences: Sequence[R], changes: Changes, wanted: Sequence[Buffer]
    ) -> Sequence[Submission]:
        """Hand in sequences of equally many dispatches without waiting.

        `wanted` are buffers that may be downloaded at once.
        """


class Provider(Protocol):
    """A device. Methods are called by one thread at a time (the runtime holds a lock).

    Buffers and submissions go back to the provider that made them, hence Any.
    """

    @property
    def info(self) -> DeviceInfo:
        """What the device is."""

    @property
    def submitted(self) -> int:
        """Command buffers submitted since it was opened."""

    def expect(self, script: str) -> None:
        """A script begins: get ready what it used the last time."""

    def supports(self, dtype: DType) -> bool:
        """Whether kernels can hold values of this type (f64 needs shader-f64)."""

    def allocate(self, dtype: DType, count: int) -> Buffer:
        """A buffer from the pool, contents undefined. Raises OutOfDeviceMemory, Unsupported."""

    def free(self, buffer: Any) -> None:
        """Return the buffer to the pool; pending work may still read it."""

    def upload(self, buffer: Any, data: NDArray[np.generic], start: int = 0) -> None:
        """Write column-major elements (1-D, the buffer's dtype) beginning at element start."""

    def download(
        self,
        buffer: Any,
        start: int = 0,
        count: int | None = None,
        out: NDArray[np.generic] | None = None,
    ) -> NDArray[np.generic]:
        """Read elements as a fresh 1-D array (or into `out`); waits for pending work."""

    def prepare(self, kernel: KernelRequest, like: Dispatch | None = None) -> Pipeline:
        """Compile, or take from the cache, for a dispatch like this. Raises Unsupported.

        `like` need not have buffers, only something with a count for each, as a template has.
        """

    def ready(self, kernel: KernelRequest, like: Dispatch) -> bool:
        """Whether a dispatch like this can begin without a compilation."""

    def anticipate(self, kernel: KernelRequest, like: Dispatch) -> None:
        """Compile in the background what a dispatch like this needs."""

    def submit(
        self, dispatches: Sequence[Dispatch], wanted: Sequence[Any] = (), *, awaited: bool = True
    ) -> Submission:
        """Encode all in order in one command encoder and submit without waiting.

        `wanted` are buffers that will be downloaded: at once where they are `awaited`.
        """

    @property
    def player(self) -> Player[Any] | None:
        """Plays dispatches that repeat; None where they are to be handed in one by one."""

    def status(self, submission: Any) -> tuple[bool, ...]:
        """Per dispatch of the submission: did a guard leave its domain? Waits if any is guarded."""

    @property
    def idle(self) -> bool:
        """Whether all work handed in so far is known to be done."""

    def tell_waits(self, tell: Tell) -> None:
        """Call `tell` from now on while the engine waits for the device or for a compiler."""

    def synchronize(self) -> None:
        """Wait until all submitted work is done."""

    def timestamps(self, submission: Any) -> tuple[float | None, ...]:
        """Device milliseconds per dispatch (all its passes); None without timestamp queries."""

    def export(self, buffer: Any) -> object:
        """The native buffer for renderers that share the device."""

    def statistics(self) -> ProviderStatistics:
        """A snapshot of what is held."""

    def trim(self) -> None:
        """Give pooled, unused memory back to the system."""

    def close(self) -> None:
        """Release everything; the provider is not used again."""
