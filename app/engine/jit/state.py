"""Values to the words of a state and back."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from math import prod
from sys import getrefcount
from types import MappingProxyType
from typing import Any

import numpy as np

from app.engine.interpreter.indexing.ownership import owns_data
from app.engine.jit.facts import Facts
from app.engine.jit.jit_types import BOOL, C128, CHAR, F64, Kind, Type
from app.engine.jit.program import LOOPS, WORDS_OF_LOOP
from app.engine.jit.region import Compiled
from app.engine.jit.variables import CLEARED, EMPTY_ROW, OURS, SET
from app.engine.values import (
    Array,
    CharArray,
    DeviceArray,
    Value,
    as_array,
    canonical,
    char_codes,
    host,
)
from app.engine.values import char_value as text_of
from app.native import address_of

CAUSE = "needs-host-value: a compiled loop works on single elements"
_EMPTY_ROW = np.zeros((1, 0))
_SHARED = DeviceArray, str, CharArray
"""What others may have the elements of, too."""


def _measure() -> int:
    class Probe:
        def run(self, *values: object) -> int:
            return getrefcount(values[0])

    variable = np.zeros((2, 2))
    return Probe().run(variable)


SOLE = _measure()
"""The count of a value that only the caller's variable holds, seen among ``*values``."""


def as_elements(v: Value, kind: Kind) -> Array:
    """The elements of a value as an array in column-major order; maybe the value itself."""
    if type(v) is DeviceArray:
        v = host(v, CAUSE)
    if type(v) is np.ndarray:
        if kind is C128 and v.dtype is not C128.dtype:
            return v.astype(C128.dtype, order="F")
        return v if v.flags.f_contiguous else np.asfortranarray(v)
    if type(v) is str or type(v) is CharArray:
        codes = char_codes(v)
        return codes if codes.flags.f_contiguous else np.asfortranarray(codes)
    return np.array([[v]], dtype=kind.dtype)


class State:
    """The variables of one run of compiled code."""

    def __init__(self, compiled: Compiled, facts: Facts, fractional: bool = False) -> None:
        self.compiled = compiled
        self.facts = facts
        self.names = {n: k for k, n in enumerate(facts.names)}
        words = ["q"] * compiled.words
        for number in range(1 + len(set(compiled.inner.values()))):
            if number not in compiled.whole and (number or fractional):
                at = LOOPS + WORDS_OF_LOOP * number
                words[at + 1] = words[at + 2] = "d"
        for kind, at in compiled.variables.values():
            if not kind.array:
                assert kind.kind is not None
                words[at + 1] = kind.kind.word
                if kind.kind is C128:
                    words[at + 1] = words[at + 2] = "d"
        self.layout = struct.Struct("=" + "".join(words))
        self.carried = [
            (n, kind, at, self.names[n], n in facts.assigned)
            for n, (kind, at) in compiled.variables.items()
        ]
        self._read = [(k, *v) for k, v in enumerate(self.carried) if v[0] in facts.exposed]
        self._zeros = [0] * compiled.words
        self._buffer = ctypes.c_char * (8 * compiled.words)

    def enter(
        self,
        header: list[Any],
        values: tuple[Value, ...],
        parts: tuple[Value, ...] = (),
        lent: Mapping[str, Array] = MappingProxyType({}),
    ) -> tuple[Any, list[Any]]:
        """A buffer with the variables, and the arrays that have to stay alive meanwhile.

        ``parts`` belong to other values: what is changed of them is copied. The arrays of ``lent``
        are changed in place, but not enlarged, whoever else has them.
        """
        words = header + self._zeros[len(header) :]
        held: list[Any] = [None] * len(self.carried)
        own = len(values)
        for k, name, kind, at, position, _ in self._read:
            value = values[position] if position < own else parts[position - own]
            if value is None:
                continue
            words[at] = SET
            if type(value) is float and not kind.form:
                words[at + 1] = value
            elif name in lent:
                held[k] = lent[name]
                words[at + 1 : at + 7] = _array_words(lent[name], 0)
            elif kind.form:
                sole = position < own and getrefcount(value) <= SOLE + 1
                held[k] = self._lend(name, kind, value, sole, words, at + 1)
            elif kind.kind is C128:
                number = value if type(value) is complex else complex(_scalar_word(value))
                words[at + 1 : at + 3] = number.real, number.imag
            else:
                words[at + 1] = _scalar_word(value)
        buffer = self._buffer()
        self.layout.pack_into(buffer, 0, *words)
        return buffer, held

    def _lend(
        self, name: str, kind: Type, value: Value, sole: bool, words: list[Any], at: int
    ) -> Array:
        assert kind.kind is not None
        a = as_elements(value, kind.kind)
        fresh = a is not value and not isinstance(value, _SHARED)
        own = fresh or (a is value and sole and owns_data(a))
        if not own and name in self.facts.written:
            a, own = a.copy(order="F"), True
        room = a.size if own and name in self.facts.assigned else 0
        words[at : at + 6] = _array_words(a, room)
        return a

    def leave(
        self, buffer: Any, held: list[Any], values: tuple[Value, ...]
    ) -> tuple[tuple[Any, ...], list[Value]]:
        """The words afterwards and the variables' values."""
        words = self.layout.unpack_from(buffer)
        made = list(values)
        for (_, kind, at, position, assigned), lent in zip(self.carried, held, strict=True):
            flag = words[at]
            if flag == EMPTY_ROW:
                made[position] = _EMPTY_ROW
            elif flag == CLEARED:
                made[position] = None
            elif flag == SET and kind.form:
                made[position] = _array_back(
                    words[at + 1 : at + 7], kind, lent, values[position], assigned
                )
            elif flag == SET and assigned:
                made[position] = scalar_back(words, at + 1, kind)
        return words, made


def _array_words(a: Array, room: int) -> tuple[int, ...]:
    """The six words of an array that is ours only to look at, or to change within ``room``."""
    return (address_of(a), a.size, a.shape[0], a.shape[1], room, 0)


def _scalar_word(v: Value) -> Any:
    if type(v) is float or type(v) is bool:
        return v
    return ord(v) if type(v) is str else as_array(v).item()


def scalar_back(words: tuple[Any, ...], at: int, kind: Type) -> Value:
    """A word (or two) as a MATLAB scalar."""
    k, word = kind.kind, words[at]
    if k is C128:
        return complex(word, words[at + 1]) if words[at + 1] else word
    if k is F64:
        return word
    if k is BOOL:
        return bool(word)
    if k is CHAR:
        return chr(word)
    assert k is not None
    return np.array([[word]], dtype=k.dtype)


def _array_back(
    facts: tuple[int, ...], kind: Type, lent: Array | None, value: Value, assigned: bool
) -> Value:
    data, count, rows, columns, _, owner = facts
    if not assigned:
        return lent if type(value) is DeviceArray else value
    assert kind.kind is not None
    same = lent is not None and lent.size == count and lent.shape[:2] == (rows, columns)
    if not (same and lent is not None and address_of(lent) == data):
        size = rows * columns * prod(kind.inner)
        pages = (*kind.inner, count // size) if kind.form == "pages" and size else ()
        lent = np.empty((rows, columns, *pages), dtype=kind.kind.dtype, order="F")
        if count:
            ctypes.memmove(address_of(lent), data, lent.nbytes)
    if owner == OURS:
        _free(data)
    if kind.kind is CHAR:
        return text_of(lent)
    whole = count != 1 and kind.kind is not C128 and kind.form != "pages"
    return lent if whole else canonical(lent)


_libc = ctypes.CDLL(None)
_libc.free.argtypes = [ctypes.c_void_p]
_libc.free.restype = None


def _free(data: int) -> None:
    _libc.free(data)
