"""One run of a ``parfor``: ranges of passes, what reductions begin with, and how they are joined.

The passes are cut into blocks by their number alone. A reduction begins anew in every block, and
the blocks are joined in order: the answer has the same bits wherever the blocks are computed, and
up to :data:`MOST_BLOCKS` passes those of a ``for`` loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import numpy as np

from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.compile.parfor_bodies import join_of, passes_of
from app.engine.interpreter.loops.iteration import Columns, Counter
from app.engine.interpreter.loops.parfor_account import LoopAccount
from app.engine.interpreter.loops.parfor_kernel import KernelPasses
from app.engine.interpreter.loops.parfor_place import (
    NO_POOL,
    Stay,
    most_workers,
    on_threads,
    record_stay,
)
from app.engine.interpreter.loops.parfor_threads import Divided, Piece, Shares, threads_of
from app.engine.interpreter.tracing import Tracing
from app.engine.interpreter.undefined_names import undefined_name
from app.engine.values import (
    EMPTY,
    Array,
    Cell,
    CharArray,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    Value,
    host,
    int_of,
)
from app.engine.values.random_stream import stream_of
from app.errors import MatlabError, Unsupported

if TYPE_CHECKING:
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.compile.parfor import ParforLoop
    from app.engine.interpreter.compile.parfor_bodies import Passes
    from app.engine.interpreter.compile.spmd import SpmdBlock
    from app.engine.interpreter.interpreter import Interpreter

MOST_BLOCKS = 128
SHOWN_S = 0.1
"""How long a range takes of a loop that stays here: its progress is seen between two of them."""
SHORT_S = 0.005
"""Work that is left for less time is done in one range, where no reduction needs blocks."""
BRIEF_S = 1e-3
"""Passes shorter than this may be done much faster by code that is still being compiled."""
SURE = 5
"""Ranges of brief passes after which their time is known."""
ONCE_S = 0.25
"""A first range that took longer shows what passes cost; a shorter one may have been spent on what
is done once: compiling, copying what is assigned to."""
_STARTS: dict[str, Value] = {
    "+": -0.0,  # 0 would make a sum of negative zeros positive
    "-": -0.0,
    ".*": 1.0,
    "x * …": 1.0,
    "… * x": 1.0,
    "[x, …]": EMPTY,
    "[…, x]": EMPTY,
    "[x; …]": EMPTY,
    "[…; x]": EMPTY,
}
_FROM_FIRST = frozenset(
    f"{name}{order}"
    for name in ("min", "max", "union", "intersect")
    for order in ("(x, …)", "(…, x)")
) | {"&", "|"}
"""Reductions for which joining a value twice changes nothing: every block begins with it."""
_NUMBERS = (float, bool, complex, str, CharArray, np.ndarray, DeviceArray)
_MAY_CALL = (FunctionHandle, ObjectValue, ObjectArray, NativeObject)


class Elsewhere(Protocol):
    """Who may take the blocks of a parfor over: a pool of workers."""

    @property
    def always(self) -> bool:
        """Whether it takes every parfor over."""

    def stay(self, run: Run) -> Stay | None:
        """Why the blocks that are left had better be done here; None where elsewhere is better."""

    def finish(self, run: Run, slices: tuple[Value, ...]) -> tuple[Value, ...]:
        """Do the blocks that are left; gives the sliced variables afterwards."""

    def spmd(
        self,
        interpreter: Interpreter,
        block: SpmdBlock,
        most: Value,
        values: dict[str, Value],
    ) -> tuple[Value, ...]:
        """Run an spmd block; gives the variables that it sets."""


class Range:
    """The passes of a parfor: consecutive whole numbers.

    Attributes:
        first: the first of them.
        count: how many there are.
        dtype: their class where it is not double.
    """

    __slots__ = ("count", "dtype", "first")

    def __init__(self, source: Iterable[Value]) -> None:
        self.dtype: np.dtype[np.generic] | None = None
        if isinstance(source, Counter):
            self.first, self.count = int(source.start), source.count
            if source.count and (source.step != 1.0 or not source.start.is_integer()):
                raise _bad_range()
            return
        held = host(source.value) if isinstance(source, Columns) else None
        if type(held) is float:
            held = np.array([[held]])
        if type(held) is not np.ndarray or held.dtype.kind not in "fiu":
            raise _bad_range()
        self.count = held.size
        self.first = int(held.flat[0]) if held.size else 1
        if held.size and (held.ndim > 2 or held.shape[0] != 1 or not _rises(held)):
            raise _bad_range()
        if held.dtype != np.float64:
            self.dtype = held.dtype

    def number(self, k: int) -> Value:
        """The counter in pass ``k``, from 0."""
        if self.dtype is None:
            return float(self.first + k)
        return np.array([[self.first + k]], dtype=self.dtype)


def _rises(held: Array) -> bool:
    whole = held.astype(np.int64)
    return bool((whole == held).all() and (np.diff(whole[0]) == 1).all())


def _bad_range() -> MatlabError:
    text = "The range of a parfor loop must be a row of consecutive increasing whole numbers."
    return MatlabError("MATLAB:parfor:range", text)


def run(
    interpreter: Interpreter,
    loop: ParforLoop,
    source: Iterable[Value],
    workers: Value,
    *values: Value,
) -> tuple[Value, ...]:
    """Run a loop: the values of its output variables afterwards, None for one that has none."""
    if Limits.pure:
        raise Unsupported("a parfor runs in it")
    return Run(interpreter, loop, Range(source), workers, values).go()


def begin_pass(interpreter: Interpreter, counter: Value) -> None:
    """A pass begins: it has random numbers of its own; one that is traced draws none."""
    if Tracing.lanes is not None:
        return
    stream_of(interpreter.context).enter_pass(int_of(counter))


class Run:
    """One run of a loop in this process, until somebody else takes the rest over.

    Attributes:
        loop: the loop.
        range: its passes.
        workers: what stands behind the range: a number, options, or None.
        most: how many workers it may have.
        values: the variables by name.
        block: passes in a block.
        at: passes done.
        away: passes that workers have done.
        workers_text: on how many workers the passes left run; empty while they run here.
        seconds: spent on those that were done one by one.
        draws: whether passes have random numbers of their own.
        joined: the reductions so far.
        unstarted: reductions that a block begins without a value.
        continues: whether a range here may begin with the reductions so far: where every block is
            one pass that joins one value, that is the same.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        loop: ParforLoop,
        range_: Range,
        workers: Value,
        values: tuple[Value, ...],
    ) -> None:
        self.interpreter, self.loop, self.range, self.workers = interpreter, loop, range_, workers
        self.most = most_workers(workers)
        pairs = zip(loop.names, values, strict=True)
        self.values = {name: value for name, value in pairs if value is not None}
        self.block = max(1, -(-range_.count // MOST_BLOCKS))
        self.at = self.away = 0
        self.workers_text = ""
        self.seconds = 0.0
        self.draws = loop.draws or any(isinstance(v, _MAY_CALL) for v in self.values.values())
        self.joined: dict[str, Value] = {}
        for name in loop.reductions:
            if name not in self.values:
                raise undefined_name(name)
            self.joined[name] = self.values[name]
        self.unstarted: frozenset[str] = frozenset()
        self.continues = (
            self.block == 1 and loop.reduces_once and all(map(_keeps_class, self.joined.values()))
        )
        self._begun = self._first_s = self._last_pass_s = 0.0
        self._given = self._first = self._ranges = 0
        self._stay: Stay | None = NO_POOL
        self._site: Divided | None = None
        self._kernel = KernelPasses(self)
        self._whole = False  # machine code has not divided what it might have
        self._pieces: deque[Piece] = deque()
        self._piece: Piece | None = None

    def go(self) -> tuple[Value, ...]:
        """Do all passes."""
        loop, interpreter = self.loop, self.interpreter
        if not self.range.count:
            return tuple(self.values.get(n) for n in loop.outputs)
        fresh = {n: _empty_variable(loop, n) for n in loop.slices if n not in self.values}
        self.values.update(fresh)
        stream = stream_of(interpreter.context) if self.draws else None
        held = stream.branch() if stream is not None else None
        account = self._account()
        interpreter.parfor_depth += 1
        try:
            outs = self._compiled_passes()(self, *self.values.values())
        finally:
            self._offer(1)
            interpreter.parfor_depth -= 1
            if account is not None:
                account.end()
                interpreter.parfors.changed()
            if stream is not None and held is not None:
                stream.rejoin(held)
        if self.at:
            loop.pass_s = self.pass_s
        made = dict(zip(loop.outputs, outs, strict=True))
        return tuple(None if made[n] is fresh.get(n, 0) else made[n] for n in loop.outputs)

    def _account(self) -> LoopAccount | None:
        """What people are told of this run; None for a loop inside another one."""
        interpreter, loop = self.interpreter, self.loop
        if interpreter.parfor_depth:
            return None
        made = interpreter.parfors.of(loop.unit.source.name, loop.line)
        made.begin(self)
        return made

    @property
    def done(self) -> int:
        """Passes that are done, here or elsewhere."""
        shares = None if self._site is None else self._site.shares
        begun = 0 if shares is None else sum(p.at - p.first for p in tuple(shares.pieces))
        return self.at + self.away + begun - sum(p.end - p.at for p in tuple(self._pieces))

    @property
    def where(self) -> str:
        """Where the passes run, in words, and why."""
        if self.workers_text or not self._given + self.at:
            return self.workers_text
        return f"this process: {self._stay.text}" if self._stay is not None else ""

    @property
    def starts(self) -> dict[str, Value]:
        """What the reductions of a block begin with; None for those without such a value."""
        return starts_of(self.loop, self.joined)

    def _compiled_passes(self) -> Passes:
        """The passes as a function of the variables that have a value."""
        self.unstarted = frozenset(n for n, v in self.starts.items() if v is None)
        unstarted = frozenset[str]() if self.continues else self.unstarted
        blocks = not self.continues
        code = passes_of(self.loop, tuple(self.values), unstarted, draws=self.draws, blocks=blocks)
        self._site = code.site
        return code.run

    def __call__(self, *outs: Value) -> tuple[Value, ...]:
        """A range of passes is done, or none yet: the next one, and what its variables are."""
        parts, slices = outs[: len(self.joined)], outs[len(self.joined) :]
        if self._given:
            self._time()
            self._take(parts)
        unfinished = next((p for p in self._pieces if p.at < p.end), None)
        if unfinished is not None:
            self._piece = unfinished
            return self._handed_out(unfinished.at, unfinished.end, unfinished.parts, slices)
        if self.at >= self.range.count:
            if self._stay is not None:
                record_stay(self.loop, self._stay)
            return (None, None, *self.joined.values(), *slices)
        self.interpreter.parfors.changed()
        elsewhere = self.interpreter.elsewhere
        slices = self._kernel.advance(slices)
        if self.at >= self.range.count:
            return (None, None, *self.joined.values(), *slices)
        if not self._divides(elsewhere):
            self._stay = NO_POOL if elsewhere is None else elsewhere.stay(self)
            if elsewhere is not None and self._stay is None:
                slices = elsewhere.finish(self, slices)
                return (None, None, *self.joined.values(), *slices)
        starts = self.joined if self.continues else self.starts
        return self._handed_out(self.at, self.at + self._next_pass_count(), starts.values(), slices)

    def _handed_out(
        self, first: int, end: int, starts: Iterable[Value], slices: tuple[Value, ...]
    ) -> tuple[Value, ...]:
        """The range from pass ``first`` to before ``end``, with what its variables are."""
        self._given = end - first
        self._begun = perf_counter()
        return (self.range.number(first), self.range.number(end - 1), *starts, *slices)

    @property
    def form(self) -> LoopForm | None:
        """A pass as a function of its variables."""
        return None if self._site is None else self._site.form

    @property
    def threads(self) -> int:
        """Threads that machine code may have for the passes left; 1 where there is none."""
        return threads_of(self) if self._site is not None and self._site.has_code() else 1

    # --- threads ---

    def _divides(self, elsewhere: Elsewhere | None) -> bool:
        """Whether machine code may do the blocks that are left on several threads."""
        site = self._site
        if site is None or self._whole or not site.has_code():
            return False
        if elsewhere is not None and elsewhere.always:
            return False
        threads = threads_of(self)
        self._offer(threads)
        if threads > 1:
            self._stay = on_threads(threads)
        return threads > 1

    def _offer(self, threads: int) -> None:
        """Let machine code use so many threads."""
        if self._site is not None:
            self._site.shares = Shares(self, threads, self.starts) if threads > 1 else None

    def _take(self, parts: tuple[Value, ...]) -> None:
        """Take in the reductions of what was done."""
        shares = None if self._site is None else self._site.shares
        if self._piece is not None:
            self._piece.at, self._piece.parts, self._piece = self._piece.end, parts, None
        elif shares is not None and shares.pieces:
            self._pieces = deque(shares.pieces)
        elif self.continues:
            self.joined = dict(zip(self.joined, parts, strict=True))
        else:
            self.join(parts)
        self._offer(1)
        while self._pieces and self._pieces[0].at == self._pieces[0].end:
            self.join(self._pieces.popleft().parts)

    def _time(self) -> None:
        """Take in what the range that was given took."""
        spent, given = perf_counter() - self._begun, self._given
        self._given = 0
        self.seconds += spent
        if self._piece is not None:
            return
        shares = None if self._site is None else self._site.shares
        if shares is not None:
            self._whole = not shares.pieces
            given = self.range.count - self.at if shares.pieces else given
        self._last_pass_s = spent / given
        self._ranges += 1
        if not self.at:
            self._first, self._first_s = given, spent
        self.at += given

    def join(self, parts: tuple[Value, ...]) -> None:
        """Join the reductions of the next block."""
        for name, part in zip(self.joined, parts, strict=True):
            if part is not None:
                self.joined[name] = self._joined_value(name, self.joined[name], part)

    def _joined_value(self, name: str, value: Value, part: Value) -> Value:
        function, _, order = self.loop.body.variables[name].operation.partition("(")
        handle = self.values.get(function)
        if handle is None:
            return join_of(self.loop, name)(value, part)
        pair = (value, part) if order.startswith("x") else (part, value)
        return self.interpreter.call(handle, pair)[0]

    @property
    def pass_s(self) -> float:
        """Seconds that a pass by itself takes, by the ranges after the first and the last one;
        before any, by the last run."""
        if self.at == self._kernel.done:
            return self.loop.pass_s or 0.0
        single = self.at - self._kernel.done
        later = single - self._first
        if not later:
            return self.seconds / single
        return min((self.seconds - self._first_s) / later, self._last_pass_s)

    @property
    def is_timed(self) -> bool:
        """Whether `pass_s` is more than what the first ranges took, in which code is compiled.

        Where a block is one pass, what the last run has shown is enough; elsewhere a new look costs
        little, and short passes, of which compiled code may do a thousand as fast, are looked at
        for some ranges more.
        """
        if not self.at:
            return self.block == 1 and self.loop.pass_s is not None
        if self.block > 1 and self._last_pass_s < BRIEF_S:
            return self._ranges > SURE
        return self._ranges > 1 or self._first_s > ONCE_S

    @property
    def left_s(self) -> float:
        """Seconds that the passes left will take, going by those that are done."""
        return self.pass_s * (self.range.count - self.at)

    def _next_pass_count(self) -> int:
        left = self.range.count - self.at
        stays = self._stay is not None and self._stay.final
        nobody = stays and self.interpreter.parfor_depth > 1  # is shown the progress of inner loops
        if (self.continues or not self.joined) and (nobody or (self.at and self.left_s < SHORT_S)):
            return left
        if self.at and stays and not self.joined:
            return min(left, max(self.block, int(SHOWN_S / (self.pass_s or SHOWN_S))))
        if not self.joined and self.loop.pass_s is None:  # nothing is known: one long pass is much
            return min(self.block, left, 1 << self._ranges)
        return min(self.block, left)


def _keeps_class(value: Value) -> bool:
    """Whether joining nothing to the value of a reduction leaves its class."""
    if isinstance(value, np.ndarray):
        return bool(value.dtype != np.bool_)
    return not isinstance(value, bool | str | CharArray | DeviceArray)


def starts_of(loop: ParforLoop, initial: dict[str, Value]) -> dict[str, Value]:
    """What the reductions of a loop begin a block with; None for those without a neutral value."""
    made = {}
    for name, value in initial.items():
        kind = loop.body.variables[name].operation
        if kind in _FROM_FIRST:
            made[name] = value
        elif kind == "{x{:}, …}":
            made[name] = Cell.empty()
        else:
            made[name] = _STARTS.get(kind) if isinstance(value, _NUMBERS) else None
    return made


def _empty_variable(loop: ParforLoop, name: str) -> Value:
    """What a sliced variable is before its first element is assigned."""
    if loop.body.variables[name].form == "{}":
        return Cell.empty()
    return np.zeros((0, 0))
