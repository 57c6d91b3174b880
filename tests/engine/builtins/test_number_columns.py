"""Columns of text as numbers: the bits of Python's reader, and what is left to it."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from app.engine.builtins.files.number_columns import Columns, read_columns

WORDS: dict[str, Callable[[Random], str]] = {
    "any bits": lambda r: repr(struct.unpack("d", struct.pack("Q", r.getrandbits(64)))[0]),
    "shortest": lambda r: repr(r.random() * 10.0 ** r.randint(-20, 20)),
    "17 digits": lambda r: f"{r.gauss(0, 1):.17g}",
    "64 bits": lambda r: f"{r.getrandbits(64)}.{r.getrandbits(10)}",
    "whole": lambda r: str(r.randint(-1000, 1000)),
    "between two doubles": lambda r: f"{r.getrandbits(53) | 1 << 53}.{r.choice('05')}",
    "large powers": lambda r: f"{r.getrandbits(62)}e{r.randint(-300, 300)}",
    "blanks": lambda r: f"  {r.gauss(0, 1):+.3E} ",
    "leading zeros": lambda r: f"-000{r.random():.12f}000",
}


def read(text: bytes, kinds: str) -> Columns | None:
    words = {"n": "number", "t": "text", ".": ""}
    return read_columns(text, ",", [words[k] for k in kinds], 100_000)


@pytest.mark.parametrize("kind", WORDS)
def test_the_bits_of_python(kind: str) -> None:
    random = Random(1)
    words = [WORDS[kind](random) for _ in range(3000)]
    text = ("\n".join(words) + "\n").encode()
    values, at, listed = [], 0, 0
    while at < len(text):
        found = read_columns(memoryview(text)[at:], ",", ["number"], 1000)
        assert found is not None
        part = found.values[:, 0].copy()
        for row, _, begin, end in found.listed.tolist():
            part[row] = float(text[at + begin : at + end])
        values.append(part)
        at += found.length
        listed += len(found.listed)
    wanted = np.array([float(w) for w in words])
    assert np.array_equal(np.concatenate(values), wanted, equal_nan=True)
    assert kind in ("any bits", "64 bits", "between two doubles") or listed < 200


TAKEN = [
    (b"1,,3\r\n\r\n4, 5 ,6\r\n", "nnn", [[1, math.nan, 3], [4, 5, 6]]),
    (b" \n1,2\n", "nn", [[1, 2]]),
    (b"-0,+1.\n.5,1e3\n", "nn", [[-0.0, 1], [0.5, 1000]]),
    (b"1,x y,3\n", "n.n", [[1, 3]]),
    (b'1,"a,b",3\n', "n.n", [[1, 3]]),
    (b"1\n\n2\n", "n", [[1], [2]]),
]


@pytest.mark.parametrize(("text", "kinds", "rows"), TAKEN)
def test_rows(text: bytes, kinds: str, rows: list[list[float]]) -> None:
    found = read(text, kinds)
    assert found is not None
    assert np.array_equal(found.values, rows, equal_nan=True)
    assert found.length == len(text)
    assert not len(found.listed)


@pytest.mark.parametrize("text", [b"1,2,3\n", b"1\n", b",\n", b'1,"2\n3",4\n', b"1\r2,3\n"])
def test_rows_that_are_refused(text: bytes) -> None:
    assert read(text, "nn") is None


def test_fields_that_are_listed() -> None:
    text = b'NaN,-\r\n"1",0x10\n1e,12345678901234567890\n'
    found = read(text, "nn")
    assert found is not None
    words = [text[a:b] for _, _, a, b in found.listed.tolist()]
    assert words == [b"NaN", b"-\r", b'"1"', b"0x10", b"1e", b"12345678901234567890"]
    assert found.listed[:, :2].tolist() == [[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]]


def test_texts() -> None:
    text = b'a b,1\r\n,2\n "c,d" ,3\n'
    found = read(text, "tn")
    assert found is not None
    assert [text[a:b] for a, b in found.spans.tolist()] == [b"a b", b"", b' "c,d" ']


def test_rows_beyond_those_asked_for_stay() -> None:
    text = b"1\n2\n3\n"
    found = read_columns(text, ",", ["number"], 2)
    assert found is not None
    assert (found.values.tolist(), found.length) == ([[1.0], [2.0]], 4)
