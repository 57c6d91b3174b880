"""Parts of one array side by side, as circshift and ``x([end 1:end-1])`` make them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from app.api import Session

SIZES = ((70, 90), (4096, 1), (1, 3000), (17, 300), (20, 30, 12))
CLASSES = ("double", "single", "int16", "uint8", "logical")
MOVES = (
    "circshift({x}, {k})",
    "circshift({x}, {k}, 2)",
    "circshift({x}, [{k} -2])",
    "{x}([end 1:end-1], :)",
    "{x}([1 1:end-1], :)",
    "{x}(:, [2:end end])",
    "{x}([2:2:end 1:2:end], :)",
    "{x}(end:-1:1, :)",
    "[{x}(3:end, :); {x}(1:2, :)]",
    "[{x}(:, end), {x}(:, 1:end-1)]",
    "circshift({x}, 1)'",
)
PASSES = (
    "n = 1.2 * a - b / 3 + 0.1 * circshift(a, 1); b = a; a = n;",
    "n = circshift(a, 1, 2) / 2 + x / 4; b = a; a = n;",
    "n = a(:, [end 1:end-1]) / 2 + b / 3; b = a; a = n;",
    "a = a - 0.1 * (a - x([end 1:end-1], :)); b = a .* x;",
    "a = 0.5 * circshift(circshift(a, 1), 1, 2) + 0.1; b = b / 2 + a;",
)


@pytest.fixture
def sessions() -> Iterator[tuple[Session, Session]]:
    with Session(device="cpu") as host, Session(device="gpu") as device:
        yield host, device


def check(sessions: tuple[Session, Session], code: str, *names: str) -> None:
    """The device's values are the host's."""
    for session in sessions:
        session.eval(code)
    for name in names:
        wanted, found = (np.asarray(session[name]) for session in sessions)
        assert found.dtype == wanted.dtype, code
        assert found.shape == wanted.shape, code
        assert np.allclose(found, wanted, rtol=2e-5, equal_nan=True), code


def expression(draw: random.Random, flat: bool) -> str:
    """Moves within moves, with arithmetic between them."""
    x = "x"
    for _ in range(draw.randint(1, 4)):
        move = draw.choice(MOVES[:2] + MOVES[6:7] if flat else MOVES)
        x = move.format(x=x, k=draw.choice((-3, 1, 2, 7)))
        if "(" in x and draw.random() < 0.9:
            x = f"f({x})"
    return x


@pytest.mark.parametrize("seed", range(3))
def test_neighbours_are_those_of_the_host(sessions: tuple[Session, Session], seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(10):
        size = draw.choice(SIZES)
        count = int(np.prod(size))
        make = f"reshape(mod((1:{count}) * 7, 23), {list(size)})"
        value = f"{draw.choice(CLASSES)}({make})"
        lines = [f"x = {value};", "f = @(v) v;"]
        moves = len(size) == 2 and min(size) > 1
        text = expression(draw, not moves)
        while moves and text.count("'"):
            text = expression(draw, False)
        check(
            sessions,
            "\n".join([*lines, f"y = {text}; z = double(y) + sum(double(y(:)));"]),
            "y",
            "z",
        )


def test_passes_that_begin_with_equal_variables(sessions: tuple[Session, Session]) -> None:
    """What is one value before the first pass is not one after it."""
    make = "s.now = single(reshape(mod((1:16384)' * 0.618, 1), 128, 128)); s.old = s.now; f = s;"
    check(sessions, f"{make} if f.now(1) > 5, disp(1), end, t = 1;", "t")
    work = (
        "f = s; for k = 1:40, d = circshift(f.now, 1) + circshift(f.now, [0 1]) - 2 * f.now;"
        "n = 1.5 * f.now - f.old / 2 + 0.1 * d; f.old = f.now; f.now = n; end, t = sum(f.now(:).^2);"
    )
    for _ in range(3):
        check(sessions, work, "t")


@pytest.mark.parametrize("one_pass", PASSES)
def test_passes_over_neighbours(sessions: tuple[Session, Session], one_pass: str) -> None:
    make = "x = single(reshape(mod((1:4096)' * 0.618, 1), 64, 64)); a = x; b = x + 1;"
    check(sessions, f"{make} for k = 1:30, {one_pass} end", "a", "b")


def test_a_pass_over_neighbours_is_one_dispatch() -> None:
    code = (
        "for k = 1:40, n = 2 * a - b + 0.2 * (circshift(a, 1) + circshift(a, -1)"
        "+ circshift(a, 1, 2) + circshift(a, [0 -1]) - 4 * a); b = a; a = n; end"
    )
    with Session(device="gpu") as s:
        s.eval("a = single(reshape(mod((1:4096)' * 0.618, 1), 64, 64)); b = a; a = a + 0;")
        s.eval(code)
        s.eval(f"{code}\nif a(1) > 1e9, disp(1), end")
        assert s.report is not None
        assert s.report.counters["dispatches"] <= 41
