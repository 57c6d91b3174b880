"""What an untrusted process sends: our records and arrays come through, nothing else does."""

from __future__ import annotations

import io
import json
import random
import struct
from dataclasses import replace

import numpy as np
import pytest

from app.engine import inspected, protocol, run_rows
from app.engine.dialog_state import Question
from app.engine.parallel_state import LoopState, ParallelState, WorkerState
from app.engine.session import event_encoding


def recorded_rows() -> run_rows.RunRows:
    """A row of every kind."""
    array = run_rows.ArrayRow((2, 1), "double", resident=True)
    operation = run_rows.OperationRow(3, "sin", "double", (2, 1), (-1,), 1)
    group = run_rows.GroupRow(1, "single", "host", "forced", ("sin",), (1,), (array,))
    return run_rows.RunRows(
        {"dispatches": 1},
        (replace(group, operations=(operation,), stored=(3,)),),
        (run_rows.KernelRow("k", "sin", "fn", (64,), 1.5),),
        (run_rows.TransferRow("down", 4, 0.5, 1, "display", "x"),),
        (run_rows.BoundaryRow(1, "forced"),),
        (run_rows.ResidencyRow("x", "double", (2, 1), 16, "both"),),
        (run_rows.LineRow("a.m", 1),),
    )


PAGE = inspected.VariablePage(
    inspected.InspectVariable("x", path=(("field", "a"), ("cell", 3))),
    "double",
    (2, 2),
    "numeric",
    (("1", "NaN"), ("\ud800", "∞")),
    values=((1.0, float("inf")), (-0.0, 1e-320)),
)
FIGURE = {
    "kind": "figure",
    "children": [
        {"array": np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)), 3: (1, None)}
    ],
    "texts": np.array([["a", "bcd"]]),
    "empty": np.zeros((0, 3)),
    "objects": np.array(["a", 2], object),
    "number": np.float32(0.5),
    "bytes": b"\0\xff",
    "complex": 1 + 2j,
}
ITEMS: list[object] = [
    protocol.StateChanged(protocol.RunState.PAUSED, "x"),
    protocol.RunText("x = 1;", "a.m", lines=(1, 2)),
    protocol.RunText("x = 1;", "a.m"),
    protocol.VariablesChanged((protocol.VariableSummary("x", "double", (1, 1), 8, "host"),)),
    protocol.SetBreakpoints((protocol.Breakpoint("a.m", 3),), ("error",)),
    protocol.QuestionAsked(Question("texts", "t", ("p",))),
    protocol.TelemetryBatch(recorded_rows(), (("t", "s", 0.0, 1.5, {"a": None}),)),
    protocol.RunFinished(1, "ok", 2.5, recorded_rows(), run_rows.DeviceRow("card")),
    protocol.FigureInput(1, "limits", 3, ("X", 0.5)),
    PAGE,
    ParallelState((WorkerState(1, "idle"),), 0, (LoopState("a.m", 3, 100, 7, True),)),
    ("setting", "seed", 3, "set"),
]


def _through(item: object) -> object:
    stream = io.BytesIO()
    event_encoding.write(stream, item)
    stream.seek(0)
    return event_encoding.read(stream)


def test_items_come_through() -> None:
    for item in ITEMS:
        found = _through(item)
        assert found == item
        assert type(found) is type(item)


def test_a_state_is_a_state_again() -> None:
    found = _through(ITEMS[0])
    assert isinstance(found, protocol.StateChanged)
    assert found.state is protocol.RunState.PAUSED


def test_arrays_come_through() -> None:
    found = _through(protocol.FigureUpdated(1, FIGURE))
    assert isinstance(found, protocol.FigureUpdated)
    figure = found.figure
    array = figure["children"][0]["array"]
    assert array.flags.f_contiguous
    assert array.dtype == np.float32
    assert np.array_equal(array, FIGURE["children"][0]["array"])
    assert figure["children"][0][3] == (1, None)
    assert figure["texts"].tolist() == [["a", "bcd"]]
    assert figure["empty"].shape == (0, 3)
    assert figure["objects"].tolist() == ["a", 2]
    assert (figure["number"], figure["bytes"], figure["complex"]) == (0.5, b"\0\xff", 1 + 2j)


def test_what_is_no_plain_value_stays_here() -> None:
    with pytest.raises(TypeError, match="cannot leave"):
        event_encoding.write(io.BytesIO(), protocol.FigureUpdated(1, {"a": object()}))


def _frame(tree: str, blob: bytes = b"") -> io.BytesIO:
    text = tree.encode()
    return io.BytesIO(struct.pack(">QQ", len(text), len(blob)) + text + blob)


HOSTILE = (
    '{"r": ["Popen", "ls"]}',
    '{"r": ["Notice", 1, "info"]}',
    '{"r": ["Notice", "text"]}',
    '{"r": ["FigureClosed", true]}',
    '{"r": ["StateChanged", "flying", ""]}',
    '{"r": []}',
    '{"r": 3}',
    '{"a": ["O", [1]]}',
    '{"a": ["V8", [1]]}',
    '{"a": ["f8", [-1]]}',
    '{"a": ["f8", [true]]}',
    '{"a": ["f8", [99]]}',
    '{"a": ["f8", [4294967296, 4294967296]]}',
    '{"a": ["nonsense", [1]]}',
    '{"o": [[2], [1]]}',
    '{"o": [[1], "a"]}',
    '{"d": [[[1], 2]]}',
    '{"d": [[1]]}',
    '{"b": "é"}',
    '{"c": ["x", "y"]}',
    '{"x": 1}',
    '{"t": [1], "b": ""}',
    "{}",
    "",
    "nonsense",
    "[" * 100_000,
    "1" * 10_000,
)


def test_hostile_frames_are_refused() -> None:
    for tree in HOSTILE:
        with pytest.raises(event_encoding.MalformedError):
            event_encoding.read(_frame(tree, b"12345678"))


def test_rows_of_another_kind_are_refused() -> None:
    rows = run_rows.RunRows(groups=(run_rows.BoundaryRow(1, "forced"),))  # type: ignore[arg-type]
    with pytest.raises(event_encoding.MalformedError, match=r"RunRows\.groups"):
        _through(rows)


def test_huge_lengths_are_refused_before_anything_is_read() -> None:
    with pytest.raises(event_encoding.MalformedError, match="frame of"):
        event_encoding.read(io.BytesIO(struct.pack(">QQ", 1 << 62, 0)))
    with pytest.raises(event_encoding.MalformedError, match="frame of"):
        event_encoding.read(io.BytesIO(struct.pack(">QQ", 2, 1 << 40)))


def test_a_cut_stream_is_its_end() -> None:
    whole = io.BytesIO()
    event_encoding.write(whole, PAGE)
    for length in range(0, len(whole.getvalue()), 7):
        assert event_encoding.read(io.BytesIO(whole.getvalue()[:length])) is None


def test_damaged_frames_end_in_a_value_or_a_refusal() -> None:
    """Characters of valid trees are changed at random: nothing but our own error may come out."""
    chance = random.Random(5)
    stream = io.BytesIO()
    event_encoding.write(stream, protocol.FigureUpdated(1, FIGURE))
    head = struct.unpack(">QQ", stream.getvalue()[:16])
    text = stream.getvalue()[16 : 16 + head[0]].decode()
    blob = stream.getvalue()[16 + head[0] :]
    refused = 0
    for _ in range(400):
        damaged = list(text)
        for _ in range(chance.randint(1, 3)):
            damaged[chance.randrange(len(damaged))] = chance.choice('[]{}",:0123456789eatrdobc-')
        try:
            event_encoding.read(_frame("".join(damaged), blob))
        except event_encoding.MalformedError:
            refused += 1
    assert refused > 100
    assert json.loads(text)
