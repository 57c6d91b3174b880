"""``python -m tests.benchmarks --spellings``: one computation in many spellings, beside torch.

Every computation is timed as it is written plainly and in each spelling that `tests.spellings`
makes of it, in one session, warm; torch eager and ``torch.compile`` do the same beside it where
they are installed. Sums of the answers are compared: they are the same to the last bit among the
spellings, and near those of torch.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import settings
from app.engine.session.session import Session
from app.engine.values import DeviceArray, as_array
from app.source import SourceText
from tests.benchmarks.fields import FIELDS
from tests.spellings.programs import Computation
from tests.spellings.rewriting import SPELLINGS, Loop, loop_of, plain

Row = dict[str, Any]
Peer = Callable[[Any, int], Callable[[], Any]]
"""``peer(torch, n)`` prepares the data and gives the function that does the work."""


@dataclass(frozen=True)
class Case:
    """A computation at a size.

    Attributes:
        computation: its set-up uses ``n``.
        n: the size.
        torch: the same in torch.
        result: a MATLAB expression of one number that tells wrong answers.
    """

    computation: Computation
    n: int
    torch: Peer | None
    result: str


def _sawtooth(torch: Any, count: int) -> Any:
    return (torch.arange(count, device="cuda") % 8191).to(torch.float32)


def _ema(torch: Any, n: int) -> Callable[[], Any]:
    x = torch.sin(_sawtooth(torch, 500 * n) / 7).reshape(500, n)
    a = 0.3

    def work() -> Any:
        y = torch.zeros(n, device="cuda")
        for k in range(500):
            y = a * x[k] + (1 - a) * y
        return y.sum()

    return work


def _neurons(torch: Any, n: int) -> Callable[[], Any]:
    drive = 1 + torch.cos(torch.linspace(0, 9, n, device="cuda"))

    def work() -> Any:
        v = torch.zeros(n, device="cuda")
        count = torch.zeros(n, device="cuda")
        for _ in range(1000):
            v = v + 0.05 * (drive - v)
            fired = v > 0.6
            v = torch.where(fired, torch.zeros_like(v), v)
            count = count + fired
        return count.sum()

    return work


def _stencil(torch: Any, n: int) -> Callable[[], Any]:
    start = torch.zeros(n, n, device="cuda")
    start[n // 4 : n // 2, n // 4 : n // 2] = 1

    def work() -> Any:
        u = start.clone()
        for _ in range(200):
            inner = u[1:-1, 1:-1]
            near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            u[1:-1, 1:-1] = inner + 0.2 * (near - 4 * inner)
        return u[n // 3, n // 3]

    return work


def _mandelbrot(torch: Any, n: int) -> Callable[[], Any]:
    real = torch.linspace(-2, 1, n, device="cuda")
    imag = torch.linspace(-1, 1, n, device="cuda")
    c = torch.complex(real[None, :].expand(n, n), imag[:, None].expand(n, n)).contiguous()

    def work() -> Any:
        z = torch.zeros_like(c)
        count = torch.zeros(n, n, device="cuda")
        for _ in range(100):
            z = z * z + c
            inside = z.abs() <= 2
            count = count + inside
            z[~inside] = 3
        return count.sum()

    return work


def _decay(torch: Any, n: int) -> Callable[[], Any]:
    x = torch.linspace(0, 1, n * n, device="cuda").reshape(n, n)

    def work() -> Any:
        y, error = torch.zeros_like(x), 1.0
        while error > 1e-3:
            old = y
            y = 0.7 * y + 0.3 * x
            error = (y - old).abs().max().item()
        return y[5, 5]

    return work


def _brownian(torch: Any, n: int) -> Callable[[], Any]:
    dt = 1 / 256

    def work() -> Any:
        s = torch.full((n,), 100.0, device="cuda")
        for _ in range(1024):
            z = torch.randn(n, device="cuda")
            s = s * torch.exp((0.03 - 0.5 * 0.2**2) * dt + 0.2 * dt**0.5 * z)
        return s.mean()

    return work


def _power(torch: Any, n: int) -> Callable[[], Any]:
    x = torch.sin(_sawtooth(torch, 512 * n)).reshape(512, n)
    x = x.T

    def work() -> Any:
        v = torch.ones(512, device="cuda")
        for _ in range(30):
            w = x.T @ (x @ v)
            v = w / torch.linalg.norm(w)
        return torch.linalg.norm(w)

    return work


def _logistic(torch: Any, n: int) -> Callable[[], Any]:
    x = torch.sin(_sawtooth(torch, 128 * n)).reshape(128, n)
    x = x.T
    t = (x[:, 0] > 0.1).float()

    def work() -> Any:
        w = torch.zeros(128, device="cuda")
        for _ in range(100):
            p = 1 / (1 + torch.exp(-(x @ w)))
            w = w - 1e-6 * (x.T @ (p - t))
        return w.sum()

    return work


def _guarded(torch: Any, n: int) -> Callable[[], Any]:
    start = torch.linspace(1, 2, n, device="cuda")

    def work() -> Any:
        y = start.clone()
        for _ in range(1000):
            y = 0.999 * y + 0.001
            m = y.mean().item()
            if m < 0:
                break
        return y.sum()

    return work


CASES = [
    Case(
        Computation(
            "ema",
            "x = reshape(sin(single(mod(0:500*n-1, 8191)) / 7), n, 500); a = single(0.3);"
            " y = zeros(n, 1, 'single');",
            "y = a * x(:, k) + (1 - a) * y;",
            500,
        ),
        1_000_000,
        _ema,
        "double(sum(y))",
    ),
    Case(
        Computation(
            "neurons",
            "I = 1 + cos(linspace(single(0), single(9), n))'; v = zeros(n, 1, 'single'); c = v;",
            "v = v + 0.05 * (I - v); f = v > 0.6; v(f) = 0; c = c + f;",
            1000,
        ),
        1_000_000,
        _neurons,
        "double(sum(c))",
    ),
    Case(
        Computation(
            "rk4",
            "y = linspace(single(0), single(1), n)'; w = 1 - y; h = single(0.01);",
            "a1 = w; b1 = -y; a2 = w + h / 2 * b1; b2 = -(y + h / 2 * a1);"
            " a3 = w + h / 2 * b2; b3 = -(y + h / 2 * a2); a4 = w + h * b3; b4 = -(y + h * a3);"
            " y = y + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);"
            " w = w + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4);",
            200,
        ),
        1_000_000,
        None,
        "double(sum(y))",
    ),
    Case(
        Computation(
            "stencil",
            "u = zeros(n, 'single'); u(n/4+1:n/2, n/4+1:n/2) = 1; c = single(0.2);",
            "u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + c * (u(1:end-2, 2:end-1)"
            " + u(3:end, 2:end-1) + u(2:end-1, 1:end-2) + u(2:end-1, 3:end)"
            " - 4 * u(2:end-1, 2:end-1));",
            200,
        ),
        4096,
        _stencil,
        "double(u(floor(n/3)+1, floor(n/3)+1))",
    ),
    Case(
        Computation(
            "mandelbrot",
            "c = linspace(single(-2), single(1), n) + 1i * linspace(single(-1), single(1), n)';"
            " z = complex(zeros(n, 'single'), zeros(n, 'single')); t = zeros(n, 'single');",
            "z = z .* z + c; in = abs(z) <= 2; t = t + in; z(~in) = 3;",
            100,
        ),
        4096,
        _mandelbrot,
        "double(sum(t, 'all'))",
    ),
    Case(
        Computation(
            "tolerance",
            "x = reshape(linspace(single(0), single(1), n * n), n, n)'; y = 0 * x; e = single(1);",
            "o = y; y = 0.7 * y + 0.3 * x; e = max(abs(y - o), [], 'all');"
            " if e <= 1e-3, break, end",
            100_000,
        ),
        2048,
        _decay,
        "double(y(6, 6))",
    ),
    Case(
        Computation(
            "brownian",
            "M = n; mu = single(0.03); sigma = single(0.2); dt = single(1 / 256);"
            " s = 100 * ones(M, 1, 'single');",
            "z = randn(M, 1, 'single');"
            " s = s .* exp((mu - 0.5 * sigma ^ 2) * dt + sigma * sqrt(dt) * z);",
            1024,
        ),
        5_000_000,
        _brownian,
        "double(mean(s))",
    ),
    Case(
        Computation(
            "power",
            "x = reshape(sin(single(mod(0:512*n-1, 8191))), n, 512); v = ones(512, 1, 'single');"
            " l = single(0);",
            "w = x' * (x * v); l = norm(w); v = w / l;",
            30,
        ),
        200_000,
        _power,
        "double(l)",
    ),
    Case(
        Computation(
            "logistic",
            "x = reshape(sin(single(mod(0:128*n-1, 8191))), n, 128); t = single(x(:, 1) > 0.1);"
            " w = zeros(128, 1, 'single'); r = single(1e-6);",
            "p = 1 ./ (1 + exp(-(x * w))); w = w - r * (x' * (p - t));",
            100,
        ),
        1_000_000,
        _logistic,
        "double(sum(w))",
    ),
    Case(
        Computation(
            "guarded",
            "y = linspace(single(1), single(2), n)'; m = single(1);",
            "y = 0.999 * y + 0.001; m = mean(y); if m < 0, break, end",
            1000,
        ),
        100_000,
        _guarded,
        "double(sum(y))",
    ),
]

CASES += [Case(c, 1_000_000, None, f"double(real(sum({loop_of(c).state[0]}(:))))") for c in FIELDS]


_CALLS = frozenset(
    (
        "in_method",
        "in_handle_method",
        "in_local_function",
        "in_handle_of_several",
        "in_nested_function",
    )
)
"""Spellings in which a pass is a function, so that it cannot end the loop."""


def table(only: list[str] | None, sizes: list[int] | None, repeat: int, device: str) -> list[Row]:
    """Print the times in ms as a Markdown table; the rows."""
    rows: list[Row] = []
    sys.stdout.write("| computation | spelling | ms | × plain | × torch | dispatches | parity |\n")
    sys.stdout.write("|---|---|---|---|---|---|---|\n")
    for case in CASES:
        if only and case.computation.name not in only:
            continue
        for n in sizes or [case.n]:
            rows += _case(case, n, repeat, device)
    return rows


def _case(case: Case, n: int, repeat: int, device: str) -> list[Row]:
    loop = loop_of(case.computation)
    peers = {} if case.torch is None else _torch(case.torch, n, repeat)
    eager = peers.get("torch")
    first: Row = {}
    rows: list[Row] = []
    for name, spell in {"plain": plain, **SPELLINGS}.items():
        if name == "end_relative":  # it counts columns, of which some of these have more
            continue
        if name in _CALLS and "break" in case.computation.body:
            continue
        row = _ours(loop, spell(loop), case, n, repeat, device)
        row.update(name=case.computation.name, spelling=name, n=n, peers=peers)
        first = first or row
        row["parity"] = row["result"] == first["result"]
        rows.append(row)
        ratio = f"{row['ms'] / eager[0]:.2f}" if eager else "–"
        sys.stdout.write(
            f"| {case.computation.name} {n} | {name} | {row['ms']:.2f} |"
            f" {row['ms'] / first['ms']:.2f} | {ratio} | {row['dispatches']} |"
            f" {'same' if row['parity'] else 'DIFFERS'} |\n"
        )
        sys.stdout.flush()
    for name, (spent, result) in peers.items():
        near = abs(result - first["result"]) <= 1e-3 * abs(first["result"])
        said = "near" if near else f"{result} / {first['result']}"
        sys.stdout.write(
            f"| {case.computation.name} {n} | *{name}* | {spent:.2f} | | | | {said} |\n"
        )
    return rows


def _ours(loop: Loop, spelled: Any, case: Case, n: int, repeat: int, device: str) -> Row:
    """Median warm time of one spelling in a session of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in spelled.files.items():
            Path(folder, name).write_text(text, encoding="utf-8")
        session = Session(settings.load({"FUSELAB_DEVICE": device}), lambda event: None, (folder,))

        def wait(value: Any, nargout: int = 0) -> None:
            if isinstance(value, DeviceArray):
                session.interpreter.runtime.evaluate([value.node])
            session.interpreter.runtime.synchronize()

        session.interpreter.define_functions({"wait_for": wait})
        try:
            return _timed(session, loop, spelled, case, n, repeat)
        finally:
            session.close()


def texts_of(loop: Loop, spelled: Any, case: Case, n: int) -> tuple[str, str]:
    """The scripts of set-up and work of one spelling; the work leaves ``result``."""
    prepared = "".join(f"wait_for({name});\n" for name in loop.known)
    setup = f"{spelled.before}\nn = {n};\n{case.computation.setup}\n{prepared}"
    body, _, functions = spelled.text.partition("\nfunction ")
    functions = f"\nfunction {functions}" if functions else ""
    return setup, f"{body}\nresult = gather({case.result});{functions}"


def _timed(session: Session, loop: Loop, spelled: Any, case: Case, n: int, repeat: int) -> Row:
    setup, work = texts_of(loop, spelled, case, n)
    spent = []
    for _ in range(repeat + 1):
        session.run_source(SourceText("setup.m", setup))
        assert session.last_status == "ok", session.last_report
        started = time.perf_counter()
        session.run_source(SourceText("work.m", work))
        spent.append((time.perf_counter() - started) * 1000)
        assert session.last_status == "ok", session.last_report.get("error")
    result = float(as_array(session.interpreter.workspace["result"]).item())
    counters = session.last_report["counters"]
    return {
        "ms": statistics.median(spent[1:]),
        "first_ms": spent[0],
        "result": result,
        "dispatches": counters["dispatches"],
        "downloads": counters["downloads"],
    }


def _torch(peer: Peer, n: int, repeat: int) -> dict[str, tuple[float, float]]:
    """Median time in ms and the result, eager and compiled; empty without torch and a card."""
    if importlib.util.find_spec("torch") is None:
        return {}
    torch = importlib.import_module("torch")
    if not torch.cuda.is_available():
        return {}
    made = {}
    for name, work in (("torch", peer(torch, n)), ("torch.compile", torch.compile(peer(torch, n)))):
        try:
            made[name] = _torch_timed(torch, work, repeat)
        except Exception as problem:  # what it cannot compile it has no time for
            sys.stderr.write(f"{name}: {problem}\n")
        torch.cuda.empty_cache()
    return made


def _torch_timed(torch: Any, work: Callable[[], Any], repeat: int) -> tuple[float, float]:
    spent = []
    for _ in range(repeat + 2):
        torch.cuda.synchronize()
        started = time.perf_counter()
        result = float(work())
        spent.append((time.perf_counter() - started) * 1000)
    return statistics.median(spent[2:]), result
