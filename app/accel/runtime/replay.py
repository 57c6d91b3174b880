"""Passes that repeat: computed once through planner and executor, then replayed from a tape.

A unit of some passes is captured and computed as anything else is. Once its variables end where
they began (on the device, of the same type and size), what was done is written down, and the units
that follow are only handed in: nothing is captured, planned or priced, and variables change places
between buffers that are there already.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from app.accel.backends.residency import Record
from app.accel.fusion.loops.host_choices import LOOKED_AT
from app.accel.fusion.loops.pass_units import UnitCapture
from app.accel.ir.node import NOWHERE, make_leaf
from app.accel.ir.plan import Reason
from app.accel.planner.dispatch_template import BufferTemplate
from app.accel.runtime.kept_tapes import Body, tapes_of
from app.accel.runtime.tape import Operation, Tape, TapeWriter
from app.accel.runtime.unit_layout import Layout, layout_of
from app.errors import DeviceLost, Unsupported
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from app.accel.backends.base import Buffer, Player, Submission
    from app.accel.backends.residency import DeviceStorage
    from app.accel.fusion.loops.traced import Traced
    from app.accel.ir.node import Node, Number
    from app.accel.runtime.runtime import Runtime

READ_BY_ALL = "what all passes of the loop read is stored before them"
"""Why values are computed before a loop."""
LEAST_UNITS = 3
"""Units worth a tape: the first two are often computed before there can be one."""
LEAST_PASSES = 24
"""Passes worth a tape the first time: writing it costs about as much as capturing so many."""
ATTEMPTS = 3
"""Units after which a loop that has no tape gets none."""
MOST_TAPES = 8
"""Tapes of one loop, whose numbers change signs."""
MOST_PLACED = 4
"""How often a loop's kernels are placed anew because they took other times than expected."""
UNREAD = 32
"""Submissions whose times are read later; of those before them they are there by now."""
AT_ONCE = 1000
"""Dispatches of the repetitions that are handed in together, or those of one."""
LONGEST_MS = 100.0
"""What they take together as far as one knows: a stop waits for what has been handed in."""


@mutable_record
class Repetition:
    """A unit over given storage: what is played, and the variables after it.

    Attributes:
        numbers: the operations that are dispatched; copies for which memory is taken over are not.
    """

    played: Any
    after: list[DeviceStorage]
    numbers: list[int]


UNCHECKED = 8
"""Submissions after which it is asked whether they left the real numbers."""
MOST_SEQUENCES = 64
"""Sequences of one tape."""
MOST_VARIANTS = 4096
"""Units of one tape whose shaders are known."""


@mutable_record
class Replay:
    """Does passes of traced loops from tapes, for one runtime."""

    runtime: Runtime

    def run(
        self,
        traced: Traced,
        place: int,
        trips: int,
        values: list[Node],
        poll: Callable[[], None],
        apart: bool,
    ) -> tuple[int, list[Node]]:
        """Passes from `place` on, at most `trips`: how many were done, and the values then.

        With `apart` every pass is planned by itself. None are done without a device that plays.
        Raises Unsupported where the body is none that units can be made of.
        """
        device = self.runtime.executor.device
        player = device.player if device is not None else None
        if player is None or self.runtime.placer.force == "cpu":
            return 0, values
        capture = UnitCapture(traced, self.runtime.apply)
        size = 1
        if not apart:
            begun = dict(zip(traced.carries, values, strict=True))
            numbers = [float(begun[c].data[0].real) for c in capture.numbers.carries]
            ahead, _ = capture.numbers.rows(place, min(trips, LOOKED_AT), numbers)
            size = min(capture.passes(trips, ahead), max(1, trips // LEAST_UNITS))
        if trips < LEAST_UNITS * size:
            return 0, values
        body = Body.of(capture, self.runtime.residency, apart)
        if not tapes_of(self.runtime).knows(body) and trips < LEAST_PASSES:
            return 0, values
        return _Loop(self.runtime, player, capture, body, size, poll, place).run(trips, values)


@mutable_record
class _Loop:
    """Units of one loop under way.

    Attributes:
        body: what it is known by.
        size: passes of a unit.
        place: the next pass.
        placed: how often its kernels were placed anew.
        playing: tapes of units, by turns.
    """

    runtime: Runtime
    player: Player[Any]
    capture: UnitCapture
    body: Body
    size: int
    poll: Callable[[], None]
    place: int
    placed: int = 0
    playing: list[_Playing] = field(default_factory=list)

    def run(self, trips: int, values: list[Node]) -> tuple[int, list[Node]]:
        """As `Replay.run`."""
        capture, begun, end = self.capture, self.place, self.place + trips
        by_carry = dict(zip(capture.traced.carries, values, strict=True))
        state = [self._opaque_value(by_carry[c]) for c in capture.carries]
        numbers = [float(by_carry[c].data[0].real) for c in capture.numbers.carries]
        # So units are the same kernels whether their tape is known or not.
        known = *capture.shared(), *capture.left_behind().values(), *state
        self.runtime.evaluate(known, Reason.FUSED, READ_BY_ALL)
        with self.runtime.lock:  # units take what dead values have left, also where no plan is run
            self.runtime.executor.storage.bury()
        tapes = failures = 0
        try:
            self._add(self._earlier_tapes(state))
            state, numbers = self._played(state, numbers, end)
            while end - self.place >= self.size and tapes < MOST_TAPES and failures < ATTEMPTS:
                self.poll()
                tape, state, numbers = self._record_unit(state, numbers, end - self.place)
                if tape is None:  # variables may have begun as one value: now they are several
                    failures += 1
                    if not self.playing:
                        self._add(self._earlier_tapes(state))
                elif end - self.place >= self.size:
                    tapes, failures = tapes + 1, 0
                    self._add([tape])
                    self._keep(tape)
                state, numbers = self._played(state, numbers, end)
        except DeviceLost as problem:  # and with it what was computed: begin again
            self.runtime.lose_device(problem)
            return 0, values
        finally:
            self.playing.clear()  # storage of theirs is free at once, not when Python looks for it
        return self.place - begun, capture.with_numbers(state, numbers)

    def _add(self, tapes: Iterable[Tape]) -> None:
        """Play these tapes, too, in the places of those that hold for the same units."""
        for tape in tapes:
            others = [known for known in self.playing if not known.tape.is_alike(tape)]
            self.playing = [_Playing(self, tape, []), *others]

    def _played(
        self, state: list[Node], numbers: list[float], end: int
    ) -> tuple[list[Node], list[float]]:
        """The variables after the passes up to `end` that tapes hold for, by turns."""
        begun = -1
        while begun < self.place and end - self.place >= self.size:
            begun = self.place
            for playing in self.playing:
                playing.numbers = numbers
                state, numbers = playing.play(state, end), playing.numbers
            self.playing = [playing for playing in self.playing if playing.holds]
        return state, numbers

    def _keep(self, tape: Tape) -> None:
        """Leave a tape that has just been written to later runs."""
        runtime = self.runtime
        tapes_of(runtime).keep(self.body, tape, runtime.residency, runtime.recorder)

    def _earlier_tapes(self, state: list[Node]) -> list[Tape]:
        """Tapes of earlier runs for units that begin with these variables."""
        runtime, tapes = self.runtime, tapes_of(self.runtime)
        if not tapes.forms.get(self.body.form):
            return []
        return tapes.bound(self.body, state, self._on_device, runtime.recorder, self._number)

    def _on_device(self, nodes: Sequence[Node]) -> list[Record | None]:
        """The records of values, on the device; None where one is not to be had there.

        Those that are not computed yet are so together: a plan for each takes longer than the loop.
        """
        runtime, record_of = self.runtime, self.runtime.residency.record
        missing = [node for node in nodes if record_of(node) is None]
        if missing:
            runtime.evaluate(missing, Reason.FUSED, READ_BY_ALL)
        found = list(map(record_of, nodes))
        records = [None if r is None or r.is_complex else r for r in found]
        with runtime.lock:
            for record in records:
                if record is not None:
                    runtime.executor.storage.device_buffer(record, runtime.locate())
        return records

    def _bring(self, nodes: Sequence[Node]) -> None:
        """Have variables on the device alone, where units of the loop are computed.

        What a unit did not touch, such as a table that few passes write to, may lie elsewhere.
        """
        for record in self._on_device(nodes):
            if record is not None:
                record.host = None

    def _opaque_value(self, value: Node) -> Node:
        """A value that arithmetic does not look into: the next unit begins with another one."""
        if value.op != "param":
            return value
        return self.runtime.apply("fill", (value,), ((1, 1),))

    def _number(self, node: Node) -> Number:
        """The value of a number that all passes read.

        A unit of an earlier run may have stored it that was computed before there was a tape.
        """
        runtime = self.runtime
        if runtime.residency.record(node) is None:
            runtime.evaluate((node,), Reason.FUSED, READ_BY_ALL)
        record = runtime.evaluation.record(node)
        with runtime.lock:
            buffer = runtime.executor.storage.host_buffer(record, NOWHERE, "scalar")
        found: Number = buffer[0].item()
        return found

    def _record_unit(
        self, state: list[Node], numbers: list[float], left: int
    ) -> tuple[Tape | None, list[Node], list[float]]:
        """Compute a unit of `left` passes; its tape, if it has one, and the variables after it."""
        capture, runtime = self.capture, self.runtime
        rows, after = capture.numbers.rows(self.place, self.size, numbers)
        unit = capture.capture(self.place, rows, state)
        executions = runtime.executor.executions = []
        runtime.planner.repeats = max(1, left // self.size)
        try:
            runtime.evaluate(
                unit.following, Reason.FUSED, "what passes of the loop leave is stored"
            )
        finally:
            runtime.executor.executions, runtime.planner.repeats = None, 1
        self.place += self.size
        writer = TapeWriter(
            unit,
            state,
            set(capture.outer),
            runtime.residency,
            runtime.executor.pipeline_of,
            self._number,
            Tape(self.size, self.place - self.size),
        )
        try:
            return writer.write(executions), unit.following, after
        except Unsupported:
            steps = [step for execution in executions for step in execution.plan.steps]
            if steps and all(step.decision.device for step in steps):
                self._bring(unit.following)
            return None, unit.following, after


@mutable_record
class _Playing:
    """A tape being played.

    Attributes:
        numbers: the variables that the host knows.
        owned: storage made here, which nobody else sees.
        repetitions: units over storage that has been used before.
        following: the units after these, by the shaders that they need.
        unit: the next one, counted from the recorded one.
        unchecked: what was handed in since it was asked whether guards were left.
        aside: storage made here whose values are needed if they were.
        likely: units that are looked at to see how many the tape holds for.
        holds: whether it is worth another try.
        prepared: sequences of launches that no earlier run had left.
    """

    loop: _Loop
    tape: Tape
    numbers: list[float]
    owned: list[DeviceStorage] = field(default_factory=list)
    repetitions: dict[Hashable, Repetition] = field(default_factory=dict)
    following: dict[tuple[int, Hashable], Repetition] = field(default_factory=dict)
    unit: int = 1
    unchecked: list[Submission] = field(default_factory=list)
    aside: list[DeviceStorage] = field(default_factory=list)
    likely: int = AT_ONCE
    holds: bool = True
    prepared: int = 0

    def play(self, state: list[Node], end: int) -> list[Node]:
        """Play up to pass `end`, as far as the tape holds; the variables then.

        Raises DeviceLost, after which the variables are lost, too.
        """
        records = [self.runtime.residency.record(node) for node in state]
        held = [r.device for r in records if r is not None and r.device is not None]
        begun = self.tape.unit_at(self.loop.place)
        if len(held) < len(state) or begun is None or not self._fits(records):
            return state
        self.unit = begun
        if not self.tape.goes_on:
            end = min(end, self.loop.place + self.tape.passes)
        while end - self.loop.place >= self.tape.passes:
            before = self.unit
            held, onward = self._play_checked(held, end)
            if not onward or self.unit == before:
                break
        return state if self.unit == begun else self._nodes(state, held)

    def _fits(self, records: Iterable[Record | None]) -> bool:
        """Whether what the tape needs to be known of the variables is."""
        known = zip(records, self.tape.needs, strict=False)
        return all(record is not None and record.least >= least for record, least in known)

    def _play_checked(
        self, held: list[DeviceStorage], end: int
    ) -> tuple[list[DeviceStorage], bool]:
        """Units up to some that are known to have real answers, and whether the tape holds on.

        Those that were played in vain are as if they had not been.
        """
        if self.tape.guarded:
            self._set_aside(held)
        begun = held, self.unit, self.loop.place, self.numbers
        while end - self.loop.place >= self.tape.passes and len(self.unchecked) < UNCHECKED:
            self.loop.poll()
            with self.runtime.lock:
                found = self._play_some_units(held, end - self.loop.place)
            if found is None:
                break
            held = found
        if self._has_left():
            held, self.unit, self.loop.place, self.numbers = begun
            self.holds = False
            return held, False
        return held, True

    def _has_left(self) -> bool:
        """Whether what was handed in since this was asked left the real numbers."""
        device, sent = self.runtime.executor.device, self.unchecked.copy()
        self.unchecked.clear()
        with self.runtime.lock:
            return device is not None and any(any(device.status(s)) for s in sent)

    def _set_aside(self, held: list[DeviceStorage]) -> None:
        """Do not write to the storage of these: units may have to be done again from here."""
        ids = set(map(id, held))
        kept = [storage for storage in self.owned if id(storage) in ids]
        if not kept and not self.aside:
            return
        self.owned = [storage for storage in self.owned if id(storage) not in ids] + self.aside
        self.aside = kept
        self.repetitions.clear()
        self.following.clear()

    @property
    def runtime(self) -> Runtime:
        """The runtime that plays it."""
        return self.loop.runtime

    def _play_some_units(
        self, held: list[DeviceStorage], passes: int
    ) -> list[DeviceStorage] | None:
        """Some units, handed in together; None where the tape does not hold any more."""
        tape, loop = self.tape, self.loop
        most = min(AT_ONCE // len(tape.operations), int(LONGEST_MS / max(tape.expected_ms, 1e-3)))
        units = min(passes // tape.passes, max(1, most), self.likely)
        rows, after = self._rows(units)
        steady = tape.steady(rows)
        self.likely = 2 * units if steady == units else max(1, steady)
        if steady < units:
            units = steady
            rows, after = self._rows(units)
        if units and self._is_mispriced():
            self.holds = False
        if not units or not self.holds:
            return None
        if not all(loop.player.serves(known.played) for known in self.repetitions.values()):
            self.repetitions.clear()
            self.following.clear()
        try:
            repetitions = self._repetitions(held, units)
        except Unsupported:
            return None
        if len(repetitions) < units:
            units = len(repetitions)
            rows, after = self._rows(units)
        changes = tape.changes(self.unit, rows, repetitions[0].numbers)
        wanted = [storage.buffer for storage in repetitions[-1].after]
        sent = loop.player.play([r.played for r in repetitions], changes, wanted)
        self._count(repetitions, sent)
        if tape.guarded:
            self.unchecked += sent
        self.unit += units
        loop.place += units * tape.passes
        self.numbers = after
        return repetitions[-1].after

    def _repetitions(self, held: list[DeviceStorage], units: int) -> list[Repetition]:
        """At most so many units that are handed in together.

        No more where the first copies more than the others, nor behind one that had to be prepared:
        the device begins with it meanwhile.
        """
        prepared = self.prepared
        found = [self._repetition(held, self.unit, self._variants(self.unit))]
        while len(found) < units and self.prepared == prepared:
            following = self._next(found[-1], self.unit + len(found))
            if following.numbers != found[0].numbers:
                break
            found.append(following)
        return found

    def _rows(self, units: int) -> tuple[list[tuple[float, ...]], list[float]]:
        loop = self.loop
        return loop.capture.numbers.rows(loop.place, units * self.tape.passes, self.numbers)

    def _is_mispriced(self) -> bool:
        """Whether the planner is to place the unit anew; a few times in a loop."""
        loop = self.loop
        found = any(loop.runtime.planner.is_mispriced(plan) for plan in self.tape.plans)
        loop.placed += found
        return found and loop.placed < MOST_PLACED

    # --- repetitions ------------------------------------------------------------------------------

    def _next(self, before: Repetition, unit: int) -> Repetition:
        """The repetition of a unit that begins where another one ended."""
        key = id(before), self._variants(unit)
        found = self.following.get(key)
        if found is None:
            found = self.following[key] = self._repetition(before.after, unit, key[1])
        return found

    def _variants(self, unit: int) -> Hashable:
        """Which shaders a unit needs."""
        player, known = self.loop.player, self.tape.variants
        variants = known.get(unit)
        if variants is None:
            if len(known) >= MOST_VARIANTS:
                known.clear()
            variants = known[unit] = tuple(
                [
                    player.variant(operation.dispatch(unit, *self._templates(operation)))
                    for operation in self.tape.varying
                ]
            )
        return variants

    def _repetition(self, before: list[DeviceStorage], unit: int, variants: Hashable) -> Repetition:
        """The repetition of a unit that begins with the variables in this storage."""
        key = (tuple(map(id, before)), variants)
        found = self.repetitions.get(key)
        if found is None:
            found = self.repetitions[key] = self._bound(before, unit, variants)
        return found

    def _bound(self, before: list[DeviceStorage], unit: int, variants: Hashable) -> Repetition:
        """A unit over this storage. Raises Unsupported where there is no memory for it."""
        tape, allocate = self.tape, self.runtime.executor.storage.allocate
        pattern, layout = layout_of(tape, before, self.owned)
        made = [allocate(Record(*kind)) for kind in layout.made]
        there = [*tape.fixed.values(), *before, *self.owned, *made]
        self.owned += made
        buffers = [storage.buffer for storage in there]
        played = self._sequence(layout, (pattern, variants), buffers, unit)
        rows = [tape.rows[k] for k, _, _ in layout.launches]
        self.loop.player.label(played, iter(rows))
        return Repetition(
            played, [there[k] for k in layout.after], [k for k, _, _ in layout.launches]
        )

    def _sequence(
        self, layout: Layout, form: Hashable, buffers: Sequence[Buffer], unit: int
    ) -> object:
        """What is played for a unit: the sequence of an earlier run, if it is over this storage."""
        player, tape = self.loop.player, self.tape
        key = self.runtime.planner.script, form, tape.given, player.storage(buffers)
        found = tape.sequences.get(key)
        if found is None or not player.serves(found):
            while len(tape.sequences) >= MOST_SEQUENCES:
                del tape.sequences[next(iter(tape.sequences))]
            self.prepared += 1
            found = tape.sequences[key] = player.prepare(
                [
                    tape.operations[k].dispatch(
                        unit, [buffers[i] for i in inputs], [buffers[i] for i in outputs]
                    )
                    for k, inputs, outputs in layout.launches
                ]
            )
        return found

    def _templates(self, operation: Operation) -> tuple[list[BufferTemplate], list[BufferTemplate]]:
        """Stand-ins for the buffers of an operation."""
        made = {k: BufferTemplate(self.tape.kinds[k][1]) for k in operation.touched}
        return [made[k] for k in operation.inputs], [made[k] for k in operation.outputs]

    # --- the account -------------------------------------------------------------------------

    def _count(self, repetitions: list[Repetition], submissions: Sequence[Submission]) -> None:
        """Count what is on its way as if it had been planned."""
        runtime, tape = self.runtime, self.tape
        executor, counters = runtime.executor, runtime.recorder.counters
        plans = len(repetitions) * len(tape.plans)
        counters.plans += plans
        for plan in tape.plans:
            plan.uses += len(repetitions)
        counters.plan_cache_hits += plans
        counters.groups += len(repetitions) * len(repetitions[0].numbers)
        operations = [tape.operations[k] for k in repetitions[0].numbers]
        rows = [tape.rows[k] for k in repetitions[0].numbers]
        sent = [(op.step, row, op.places) for op, row in zip(operations, rows, strict=True)]
        executor.sent.repeated(sent, len(repetitions), [op.pipeline for op in operations])
        executor.sent.add(sent, submissions, len(repetitions))
        executor.sent.settle(UNREAD)

    def _nodes(self, state: list[Node], held: list[DeviceStorage]) -> list[Node]:
        """Leaves with the values of the variables."""
        made: dict[int, Node] = {}
        made_by = zip(self.tape.operations, self.tape.rows, strict=True)
        rows = {k: row for op, row in made_by for k in op.outputs}
        for k, (node, storage) in enumerate(zip(state, held, strict=False)):
            known = made.get(id(storage))
            if known is not None and known.dtype is node.dtype and known.shape == node.shape:
                continue
            leaf = made[id(storage)] = make_leaf(node.dtype, node.shape, node.origin)
            record = Record(node.dtype, node.size, device=storage, line=node.origin.line)
            record.least = self.tape.least[k]
            record.source = rows.get(self.tape.after[k], 0)
            self.runtime.residency.put(leaf, record)
        return [made[id(storage)] for storage in held[: len(state)]]
