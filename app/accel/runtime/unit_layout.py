"""Which storage the values of a unit of passes lie in: found out once for a tape, by numbers.

What a unit needs depends on the tape and on which of the storage that is there is the same, or the
same kind; not on what it is. Later units and runs of the loop look their layout up.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from app.records import mutable_record, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.backends.residency import DeviceStorage
    from app.accel.ir.dtypes import DType
    from app.accel.runtime.tape import Operation, Tape

Kind: TypeAlias = "tuple[DType, int]"
Pattern: TypeAlias = tuple[object, ...]


@record
class Layout:
    """The storage of a unit; numbers are places in what is there, and behind it in what is made.

    Attributes:
        launches: per operation that is dispatched its number, and the storage that it reads and
            writes; copies for which memory is taken over are not.
        after: of the variables after the unit.
        made: kinds of the storage that is made for it.
    """

    launches: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...]
    after: tuple[int, ...]
    made: tuple[Kind, ...]


def layout_of(
    tape: Tape, before: Sequence[DeviceStorage], owned: Sequence[DeviceStorage]
) -> tuple[Pattern, Layout]:
    """The layout of a unit that begins with the variables in `before`, and by what it is known.

    There is what all units read, then `before`, then `owned`, which nobody else sees.
    """
    first: dict[int, int] = {}
    there = [*tape.fixed.values(), *before, *owned]
    same = tuple([first.setdefault(id(storage), k) for k, storage in enumerate(there)])
    kinds = tuple([(s.buffer.dtype, s.buffer.count) for s in owned])
    pattern = (len(before), same, kinds)
    found = tape.layouts.get(pattern)
    if found is None:
        found = tape.layouts[pattern] = _Allotment(tape, len(before), same, kinds).layout()
    return pattern, found


@mutable_record
class _Allotment:
    """Storage being given to the operations of a unit.

    Attributes:
        begun: how many variables there are: the first unit finds nothing of earlier ones.
        same: of all storage the first number of the same.
        kinds: of that which is ours, and made here.
        there: by value, its storage.
        free: storage of ours that holds nothing of use.
        needed: values that other units need.
    """

    tape: Tape
    begun: int
    same: Sequence[int]
    kinds: Sequence[Kind]
    ours: dict[int, Kind] = field(init=False)
    there: dict[int, int] = field(init=False)
    free: list[int] = field(init=False)
    made: list[Kind] = field(default_factory=list)
    needed: set[int] = field(init=False)

    def __post_init__(self) -> None:
        tape, same = self.tape, self.same
        fixed, own = len(tape.fixed), len(tape.fixed) + self.begun
        self.there = dict(zip(tape.fixed, same, strict=False))
        self.there |= dict(zip(tape.before, same[fixed:own], strict=False))
        self.ours = dict(zip(same[own:], self.kinds, strict=True))
        self.needed = {*tape.before, *tape.after, *tape.fixed}
        used = set(same[fixed:own])
        self.free = [number for number in self.ours if number not in used]

    def layout(self) -> Layout:
        tape, launches = self.tape, []
        for k, operation in enumerate(tape.operations):
            if not self._taken_over(k, operation):
                outputs = tuple([self._output(number) for number in operation.outputs])
                inputs = tuple([self.there[number] for number in operation.inputs])
                launches.append((k, inputs, outputs))
            self._drop(k, operation)
        after = tuple([self.there[number] for number in tape.after])
        return Layout(tuple(launches), after, tuple(self.made))

    def _taken_over(self, k: int, operation: Operation) -> bool:
        """Whether a copy need not be made, because its source is not needed any more."""
        tape, donor = self.tape, operation.donor
        storage = self.there.get(donor)
        if storage is None or tape.last.get(donor, -1) > k or donor in tape.after:
            return False
        if storage not in self.ours or list(self.there.values()).count(storage) > 1:
            return False
        self.there[operation.outputs[0]] = self.there.pop(donor)
        return True

    def _output(self, number: int) -> int:
        """The storage of a result; a part of it may have been written before."""
        storage = self.there.get(number)
        if storage is None:
            storage = self.there[number] = self._new(self.tape.kinds[number])
        return storage

    def _new(self, kind: Kind) -> int:
        for k, storage in enumerate(self.free):
            if self.ours[storage] == kind:
                return self.free.pop(k)
        storage = len(self.same) + len(self.made)
        self.made.append(kind)
        self.ours[storage] = kind
        return storage

    def _drop(self, k: int, operation: Operation) -> None:
        """Storage of values made here that nothing will read again is free."""
        kept, needed = self.tape.kept, self.needed
        for number in (*operation.inputs, *operation.outputs, operation.donor):
            if number not in needed and kept[number] <= k and number in self.there:
                self.free.append(self.there.pop(number))
