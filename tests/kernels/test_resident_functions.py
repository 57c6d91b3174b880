"""What library functions fetch when their arguments are on the device: bytes per call, exactly.

``resident_functions.txt`` has a call of each of the most used functions of arrays, and what it
downloads; UPDATE_GOLDEN=1 writes it anew. A few bytes are counts on which sizes depend.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api import Session

GOLDEN = Path(__file__).parent / "resident_functions.txt"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
DATA = {
    "x": "mod((1:4096)' * 0.618, 1) - 0.4",
    "y": "mod((1:4096)' * 0.7548, 1) - 0.5",
    "p": "mod((1:4096)' * 0.5698, 1)",
    "t": "(1:4096)' / 7",
    "q": "4 * mod((1:5000)' * 0.618, 1) + 1",
    "v": "mod((1:4096)' * 0.618, 1) > 0.4",
    "k": "floor(50 * mod((1:4096)' * 0.618, 1)) + 1",
    "A": "reshape(mod((1:6000) * 0.618, 1) - 0.4, 100, 60)",
    "B": "reshape(mod((1:6000) * 0.7548, 1) - 0.4, 100, 60)",
    "S": "single(reshape(mod((1:6000) * 0.618, 1), 100, 60))",
    "G": "reshape(mod((1:6000) * 0.618, 1), 100, 60)",
    "U": "uint8(reshape(mod((1:6000) * 37, 256), 100, 60))",
    "M": "reshape(mod((1:6000) * 0.618, 1), 100, 60) > 0.4",
    "N": "int32(floor(50 * mod((1:4096)' * 0.618, 1)))",
}
"""Arrays of the calls; none is so small that the host is better at it."""


def _calls() -> list[tuple[str, int]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    pairs = (line.rpartition(" | ") for line in lines)
    return [(call, int(count)) for call, _, count in pairs]


def _used(call: str) -> list[str]:
    return [name for name in DATA if re.search(rf"\b{name}\b", call)]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    opened = Session(device="gpu")
    setup = "".join(f"{name}_ = {made};" for name, made in DATA.items())
    opened.eval(setup + "one_ = gpuArray(1); no_ = gpuArray(false);")
    yield opened
    opened.close()


def fetched(session: Session, call: str) -> int:
    """The bytes that a call downloads whose arguments only the device has."""
    fresh = (
        f"{n} = gpuArray({f'xor({n}_, no_)' if n in 'vM' else f'{n}_ .* one_'});"
        for n in _used(call)
    )
    session.eval("".join(fresh))
    session.eval(f"{call};" if "=" in call.split("(", maxsplit=1)[0] else f"made_ = {call};")
    assert session.report is not None
    count: int = session.report.counters["download_bytes"]
    return count


def test_functions_fetch_no_more_than_they_must(session: Session) -> None:
    found = [(call, fetched(session, call)) for call, _ in _calls()]
    if UPDATE:
        GOLDEN.write_text("".join(f"{call} | {n}\n" for call, n in found), encoding="utf-8")
    assert found == _calls()
