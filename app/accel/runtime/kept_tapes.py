"""Tapes of loops that were done before, for loops of the same form in later runs.

A loop is traced anew in every run of a script, with other nodes. What its units do is the same
where the bodies have one form: operations, numbers, types and sizes, and what is known of what all
passes read. A kept tape refers to those values by their places in the body and holds no storage, so
it keeps nothing alive.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import field, replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, cast
from weakref import WeakKeyDictionary

from app.accel.fusion.loops.traced import is_moving
from app.accel.ir.node import Node
from app.accel.runtime.tape import standing_draws
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.accel.backends.base import Provider
    from app.accel.backends.residency import DeviceStorage, Record, Residency
    from app.accel.fusion.loops.pass_units import UnitCapture
    from app.accel.ir.node import Number
    from app.accel.runtime.runtime import Runtime
    from app.accel.runtime.tape import Operation, Tape
    from app.accel.support.telemetry import GroupRow, Recorder

Form: TypeAlias = tuple[object, ...]
MOST_FORMS = 64
MOST_TAPES = 8
"""Tapes of one form: numbers of other signs, and what is decided otherwise, have others."""


@mutable_record
class Body:
    """A traced body, in a form that another trace of the same loop has as well.

    Attributes:
        order: its nodes, operands first.
        form: equal for equal bodies.
        stream: key and offset of the first random numbers that a pass draws; empty for none.
    """

    order: list[Node]
    form: Form
    stream: tuple[int, ...] = ()

    @classmethod
    def of(cls, capture: UnitCapture, residency: Residency, apart: bool) -> Body:
        """The body of a loop before anything of it is computed."""
        traced, before = capture.traced, set(capture.shared())
        order = traced.nodes(
            "between", lambda: _nodes_between((*traced.carries, *traced.following), before)
        )
        drawing = traced.nodes("drawing", lambda: _first_draw(order, before))
        stream = cast("tuple[int, ...]", drawing[0].data) if drawing else ()
        form = traced.fact(
            f"form {apart}", lambda: _form_of(order, before, capture, residency, apart, stream)
        )
        return cls(order, form, stream)


def _first_draw(order: Sequence[Node], before: set[Node]) -> list[Node]:
    """The first node of a body that draws random numbers, if one does."""
    drawing = (node for node in order if node not in before and node.op.startswith("random"))
    return list(islice(drawing, 1))


def _form_of(
    order: Sequence[Node],
    before: set[Node],
    capture: UnitCapture,
    residency: Residency,
    apart: bool,
    stream: tuple[int, ...],
) -> Form:
    """The form of a body of which the values in `before` are computed by then."""
    traced, place = capture.traced, {node: k for k, node in enumerate(order)}
    described = tuple(
        [
            (node.dtype, node.shape)
            if node in before or (node.op == "leaf" and node.size > 1)
            else _node_description(node, place, residency, stream)
            for node in order
        ]
    )
    ends = tuple([place[node] for node in (*traced.carries, *traced.following)])
    variables = tuple([place[node] for node in (*capture.carries, *capture.numbers.read)])
    counts = traced.counter in place or any(map(is_moving, order))
    counter = (traced.first, traced.step) if counts else ()
    counted = repr((counter, len(capture.carries), apart))
    return described, ends, variables, counted


def _nodes_between(roots: Sequence[Node], ends: set[Node]) -> list[Node]:
    """The nodes that one comes to without going on from `ends`, operands first.

    In the same order whether those have been computed or not.
    """
    found: dict[Node, None] = {}
    pending = list(reversed(roots))
    while pending:
        node = pending[-1]
        below = () if node in ends else node.inputs
        fresh = [child for child in below if child not in found]
        pending += reversed(fresh)
        if not fresh:
            pending.pop()
            found[node] = None
    return list(found)


def _node_description(
    node: Node, place: dict[Node, int], residency: Residency, stream: tuple[int, ...]
) -> object:
    """What a node is, but for what nodes and traces are called and where the stream begins."""
    kind = node.op, node.dtype, node.shape
    if node.op == "leaf":
        record = residency.record(node)
        return kind, record is not None and (record.least, record.is_complex)
    attrs = () if node.op in {"carry", "counter"} else node.attrs
    inputs = tuple([place[child] for child in node.inputs])
    data = node.data
    if node.op.startswith("random"):
        data = tuple([item - begun for item, begun in zip(data, stream, strict=True)])
    return kind, attrs, inputs, tuple(map(repr, data))


@mutable_record
class _Kept:
    """A tape without storage.

    Attributes:
        fixed: per value that all units read, its place in the body.
        facts: what is known of these values.
        scalars: numbers of the host that are parameters: the operation, the slot and the place.
        varying: operations that may need other shaders in other units.
        rows: of the report of the run that it was written in, per operation.
        stream: of the body that it was written for.
    """

    tape: Tape
    fixed: dict[int, int]
    facts: list[object]
    scalars: list[tuple[int, int, int]]
    varying: list[int]
    rows: list[GroupRow]
    stream: tuple[int, ...]


@mutable_record
class KeptTapes:
    """The tapes of loops, by the form of the body, those used last at the end.

    Attributes:
        device: whose kernels they are.
    """

    device: Provider | None
    forms: OrderedDict[Form, list[_Kept]] = field(default_factory=OrderedDict)

    def knows(self, body: Body) -> bool:
        """Whether such a loop has been done before; from now on it has."""
        known = body.form in self.forms
        self.forms.setdefault(body.form, [])
        self.forms.move_to_end(body.form)
        if len(self.forms) > MOST_FORMS:
            self.forms.popitem(last=False)
        return known

    def keep(self, body: Body, tape: Tape, residency: Residency, recorder: Recorder) -> None:
        """Keep a tape that has just been written, unless it refers to more than the body."""
        place = {node: k for k, node in enumerate(body.order)}
        number = {id(operation): k for k, operation in enumerate(tape.operations)}
        rows = [recorder.groups.get(row) for row in tape.rows]
        known = [row for row in rows if row is not None]
        read = [*tape.sources.values(), *(node for _, _, node in tape.scalars)]
        if len(known) < len(rows) or not all(node in place for node in read):
            return
        fixed = {k: place[node] for k, node in tape.sources.items()}
        scalars = [(number[id(op)], slot, place[node]) for op, slot, node in tape.scalars]
        varying = [number[id(operation)] for operation in tape.varying]
        bare = replace(tape, fixed={}, sources={}, scalars=[], varying=[])
        tapes = self.forms.setdefault(body.form, [])
        alike = [kept for kept in tapes if kept.tape.is_alike(tape)]
        for kept in alike:  # which did not fit any more
            tapes.remove(kept)
        facts = [_facts(residency.record(node)) for node in tape.sources.values()]
        tapes.insert(0, _Kept(bare, fixed, facts, scalars, varying, known, body.stream))
        del tapes[MOST_TAPES:]

    def bound(
        self,
        body: Body,
        state: Sequence[Node],
        there: Callable[[Sequence[Node]], list[Record | None]],
        recorder: Recorder,
        scalar: Callable[[Node], Number],
    ) -> list[Tape]:
        """The tapes for a body with these variables, bound to the values it reads.

        `there` gives the records of values that are on the device, or are brought there.
        """
        begun = there(state)
        own = {id(record.device) for record in begun if record is not None}
        found = []
        for kept in self.forms.get(body.form, ()):
            if not _fits(kept.tape, begun):
                continue
            read = there([body.order[at] for at in kept.fixed.values()])
            records = dict(zip(kept.fixed, read, strict=True))
            fixed = {k: r.device for k, r in records.items() if r is not None and r.device}
            same = kept.facts == [_facts(record) for record in records.values()]
            if same and len(fixed) == len(records) and own.isdisjoint(map(id, fixed.values())):
                found.append(_tape_over_values(kept, fixed, body, recorder, scalar))
        return found


_kept: WeakKeyDictionary[Runtime, KeptTapes] = WeakKeyDictionary()


def tapes_of(runtime: Runtime) -> KeptTapes:
    """The tapes of a runtime's loops; none once it has another device."""
    found = _kept.get(runtime)
    if found is None or found.device is not runtime.executor.device:
        found = _kept[runtime] = KeptTapes(runtime.executor.device)
    return found


def _facts(record: Record | None) -> object:
    return record is not None and (record.dtype, record.least, record.is_complex)


def _fits(tape: Tape, state: Sequence[Record | None]) -> bool:
    """Whether units may begin with these variables, on the device; those that are one value are."""
    before = tape.before[: len(state)]
    lie = [0 if record is None else id(record.device) for record in state]
    if not len(set(before)) == len(set(lie)) == len(set(zip(before, lie, strict=True))):
        return False
    if not all(op.step.decision.device for op in tape.operations):
        return False
    for number, least, record in zip(before, tape.needs, state, strict=True):
        if record is None or record.is_complex:
            return False
        if tape.kinds[number] != (record.dtype, record.count):
            return False
        if record.least < least:
            return False
    return True


def _tape_over_values(
    kept: _Kept,
    fixed: dict[int, DeviceStorage],
    body: Body,
    recorder: Recorder,
    scalar: Callable[[Node], Number],
) -> Tape:
    """The tape over these values, with rows in the report of this run."""
    operations, again = kept.tape.operations.copy(), dict[int, int]()
    for operation, old, row in zip(operations, kept.tape.rows, kept.rows, strict=True):
        if old not in again:  # a new run does not have it yet
            there = old in recorder.groups
            again[old] = old if there else recorder.again(operation.step.kernel.key, row)
    rows = [again[old] for old in kept.tape.rows]
    given = [scalar(body.order[at]) for _, _, at in kept.scalars]
    for (k, slot, _), number in zip(kept.scalars, given, strict=True):
        params = list(operations[k].params)
        params[slot] = number
        operations[k] = replace(operations[k], params=tuple(params))
    if kept.stream != body.stream:
        operations = [_drawing(op, kept.stream, body.stream) for op in operations]
    varying = [operations[k] for k in kept.varying]
    return replace(
        kept.tape,
        operations=operations,
        rows=rows,
        fixed=fixed,
        varying=varying,
        given=(*map(repr, given), *standing_draws(operations)),
    )


def _drawing(operation: Operation, then: Sequence[int], now: Sequence[int]) -> Operation:
    """An operation whose random numbers lie elsewhere in the stream, or in another one."""
    if not operation.drawn:
        return operation
    params = list(operation.params)
    for slot, item in operation.drawn.items():
        params[slot] += now[item] - then[item]
    return replace(operation, params=tuple(params))
