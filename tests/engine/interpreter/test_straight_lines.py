"""Straight lines that run again: put together, not run, and the same in everything one can see."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import ref

import pytest

from app import settings
from app.accel.planner import put_off
from app.accel.planner.walk import Walk
from app.accel.runtime.runtime import Runtime
from app.accel.support.telemetry import ArrayRow
from app.engine.interpreter.straight_lines import Graph, StraightLines
from app.engine.protocol import Breakpoint
from app.engine.session.session import Session
from app.engine.values import as_array
from app.errors import Interrupted
from app.source import SourceText
from tests.campaigns import long_form

DATA = "X = reshape(mod((1:640)' * 0.618, 1), 80, 8); y = X(:, 3) - 0.5; k = 2;"
TEXTS = {
    "chain": "E = exp(X - max(X));\nP = E ./ sum(E);\nr = -mean(sum(P .* log(P + 1e-12))) * k;",
    "several outputs": "[m, at] = max(X);\nr = sum(m) + sum(at);",
    "its own input": "z = X + k; z = z .* z - X; r = sum(z(:));",
    "the old value": "t = X; w = X + 1; u = t; r = sum(sum(u .* w));",
    "small values": "n = size(X, 1); c = [1 2 3] * n; s = 'sum'; r = sum(X(:)) / n + c(2);",
    "domain left": "r = sum(sqrt(y));",
    "slices": "r = sum(X(2:end, 1) .* X(1:end-1, 2)) + sum(X(:, 4));",
    "short rows": "w = X .* (1:8) + X(:, 1) .* linspace(0, 1, 8); r = sum(w(:));",
    "parts": "z = X; z(z < 0.3) = 0; z(:, 2) = 1; c = [1 2 3]; c(2) = k; r = sum(z(:)) + c(2);",
    "a table": "f = fft([y; X(:); zeros(304, 1)]); r = sum(abs(f).^2);",
    "a filter": "F = fft2([X X]); F(1:40, :) = 0; B = real(ifft2(F .* y)); r = sum(B(:).^2);",
    "what may be real": "B = ifft2(fft2([X X]) .* y); t = B; r = sum(sum(real(B).^2));",
    "a tally": "c = accumarray(double(uint8(X(:) * 200)) + 1, 1, [256 1]); r = (1:256) * cumsum(c);",
    "places": "at = find(X(:, 1) > 0.3) + 1; h = y(at - 1); r = numel(at) + mean(h);",
    "a choice": "m = y > 0.1; s = y(m); t = s * 2; u = y(m); r = sum(s) + k;",
    "from nothing": "a = (1:70000)' * 0.5; r = sum(sin(a) .* ones(70000, 1));",
}


@contextmanager
def session_on(device: str, folder: Path) -> Iterator[Session]:
    """A session that captures nearly everything."""
    chosen = settings.load({"FUSELAB_DEVICE": device, "FUSELAB_CAPTURE_THRESHOLD": "64"})
    session = Session(chosen, lambda _: None, (str(folder),))
    try:
        yield session
    finally:
        session.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("path")


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[Session]:
    with session_on("gpu", folder) as made:
        yield made


@pytest.fixture
def session(opened: Session) -> Session:
    """The session with the data as they were, which have been computed."""
    start(opened)
    return opened


def start(session: Session) -> None:
    session.interpreter.files.clear()
    run(session, "clear\n" + DATA, "data.m")
    run(session, "q = gather(sum(X(:)) + sum(y));", "stored.m")
    run(session, "q = gather(sum(sum(X)) + sum(y) + 1);", "stored.m")


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The operations that each replay has counted."""
    found: list[int] = []
    plainly = Graph.put_together

    def counted(graph: Graph, *rest: object) -> None:
        plainly(graph, *rest)  # type: ignore[arg-type]
        found.append(graph.operations)

    monkeypatch.setattr(Graph, "put_together", counted)
    return found


def run(session: Session, text: str, name: str = "main.m") -> None:
    session.run_source(SourceText(name, text))
    assert session.last_status == "ok", session.last_report["error"]


def answer(session: Session, name: str = "r") -> bytes:
    return as_array(session.interpreter.workspace[name]).tobytes()


def sizes(arrays: tuple[ArrayRow, ...]) -> list[tuple[int, ...]]:
    return [array.shape for array in arrays]


def account(session: Session) -> list[object]:
    """What a report says of a run, but for times."""
    recorder = session.interpreter.runtime.recorder
    counters = recorder.counters_json()
    rows = [
        (row.kind, row.ops, row.lines, *sizes(row.inputs), *sizes(row.outputs), row.dispatches)
        for row in recorder.groups.values()
    ]
    names = ("captured_ops", "plans", "groups", "dispatches", "downloads", "fallbacks")
    return [*(counters[name] for name in names), rows]


@pytest.mark.parametrize("name", TEXTS)
def test_the_third_run_captures_nothing_and_is_the_same(
    session: Session, replays: list[int], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    seen, applied = [], list[str]()
    plainly = Runtime.apply

    def apply(runtime: Runtime, op: str, *rest: object, **more: object) -> object:
        applied.append(op)
        return plainly(runtime, op, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Runtime, "apply", apply)
    for _ in range(6):
        applied.clear()
        run(session, TEXTS[name])
        captured = len(applied)
        seen.append((answer(session), captured, account(session)))
    assert len(replays) >= 3
    assert [captured for _, captured, _ in seen[-3:]] == [0, 0, 0]
    assert seen[0][1] > 0
    assert len({bits for bits, _, _ in seen}) == 1
    reused = session.interpreter.runtime.recorder.counters
    assert reused.plan_cache_hits == reused.plans  # no plan is searched
    uploads = reused.uploads
    assert seen[-1][2] == seen[-2][2]
    session.interpreter.files.clear()  # forgotten, the text is run plainly
    replays.clear()
    run(session, TEXTS[name])
    bits = answer(session)
    assert (bits, account(session)) == (seen[-1][0], seen[-1][2])
    assert uploads <= reused.uploads  # what was made on the host is there already
    assert not replays


DRAWN = {
    "numbers": "w = rand(1, 8); r = sum(sum(X .* w));",
    "places": "p = randperm(8); r = sum(sum(X .* p));",
}


@pytest.mark.parametrize("name", ["numbers", "places"])
@pytest.mark.parametrize("generator", ["philox", "twister"])
def test_random_numbers_are_drawn_in_every_run(
    session: Session, replays: list[int], name: str, generator: str
) -> None:
    run(session, f"rng(3, '{generator}');", "seed.m")
    seen = set()
    for _ in range(6):
        run(session, DRAWN[name])
        seen.add(answer(session))
    run(session, "rng(0, 'philox');", "seed.m")
    assert len(seen) > 4
    assert not replays


CHANGES = {
    "shape": "X = X(1:40, :); X = X * 1; q = gather(sum(X(:)));",
    "class": "X = single(X); q = gather(sum(X(:)));",
    "numbers": "X = X * 2 - 0.25; q = gather(sum(X(:)));",
    "nan": "X = X .* (X > 0.3) ./ (X > 0.3); q = gather(sum(X(:)));",
    "scalar": "k = 3;",
    "sign": "k = -0;",
    "on the host": "X = gather(X);",
    "empty": "X = zeros(0, 8);",
    "one": "X = 0.5;",
    "alias": "y = X; q = gather(sum(y(:)));",
    "logical": "X = X > 0.5; q = gather(sum(X(:)));",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", ["chain", "small values"])
def test_what_changed_is_seen(session: Session, change: str, text: str) -> None:
    for _ in range(4):
        run(session, TEXTS[text])
    run(session, CHANGES[change], "change.m")
    seen = []
    for _ in range(4):
        run(session, TEXTS[text])
        seen.append(answer(session))
    session.interpreter.files.clear()
    run(session, TEXTS[text])
    assert seen == [answer(session)] * 4


def test_arrays_on_the_host_are_known_by_themselves(session: Session, replays: list[int]) -> None:
    text, copy = "r = sum(exp(Z) .* Z) + sum(Z(Z > 0.5));", "Z(1) = 0.25;"
    run(session, "Z = gather(mod((1:4096)' * 0.618, 1));", "change.m")
    seen = []
    for change in ("", "W = Z; W(1) = 7;", copy, "Z(1) = 0.618;", "Z = Z + 0;"):
        replays.clear()
        run(session, change, "change.m")
        for _ in range(8):
            run(session, text)
            seen.append(answer(session))
        assert len(replays) >= 3
    assert len(set(seen[16:24])) == len(set(seen) - set(seen[16:24])) == 1


FACTS = {
    "subscripts": (
        "g = 1 + mod((1:640)', 5); g = g + {n}; q = gather(sum(g)); q = gather(sum(g .* g));",
        "a = accumarray(g, X(:)); r = sum(a .* (1:numel(a))');",
    ),
    "spectra": (
        "f = fft(sin((1:128)' / 9)); f = f .* (1 + {n} * 1i); q = gather(sum(abs(f)));"
        "q = gather(sum(abs(f) .* 2));",
        "b = ifft(f); r = sum(abs(b) .* (1:128)');",
    ),
}


@pytest.mark.parametrize("name", FACTS)
def test_what_is_remembered_of_elements_belongs_to_the_array(session: Session, name: str) -> None:
    data, text = FACTS[name]
    for n in (0, 0, 3, 1, 0):
        run(session, data.format(n=n), "change.m")
        seen = []
        for _ in range(4):
            run(session, text)
            seen.append(answer(session))
        session.interpreter.files.pop(str(Path("main.m").resolve()))
        run(session, text)
        assert seen == [answer(session)] * 4
        session.interpreter.files.clear() if n == 1 else None


@pytest.mark.parametrize(
    "name", ["chain", "the old value", "slices", "a filter", "what may be real", "domain left"]
)
def test_what_is_put_together_is_not_walked_through_again(
    session: Session, replays: list[int], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    walked: list[int] = []
    plainly = Walk.go
    monkeypatch.setattr(
        Walk, "go", lambda walk, wanted: walked.append(len(wanted)) or plainly(walk, wanted)
    )
    found = []
    for _ in range(6):
        walked.clear()
        replays.clear()
        run(session, TEXTS[name])
        found.append((answer(session), account(session), bool(replays), bool(walked)))
    bits, accounts, replayed, walks = zip(*found, strict=True)
    assert len(set(bits)) == 1
    assert accounts[-1] == accounts[1]
    assert replayed[-3:] == (True,) * 3
    assert not any(walks[-2:])


def test_nodes_that_nobody_looks_at_are_not_made(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[str]()
    plainly = put_off.make
    monkeypatch.setattr(put_off, "make", lambda op, *rest: made.append(op) or plainly(op, *rest))
    for _ in range(6):
        made.clear()
        run(session, TEXTS["chain"])
        answer(session)
    assert not made
    bits = {name: answer(session, name) for name in "PEr"}  # what else there is can be had
    assert made
    session.interpreter.files.clear()
    run(session, TEXTS["chain"])
    assert bits == {name: answer(session, name) for name in "PEr"}


def test_a_stop_while_operands_are_made_leaves_them_to_be_made(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(6):
        run(session, TEXTS["chain"])
        bits = answer(session)
    wanted = answer(session, "P")
    run(session, TEXTS["chain"])

    def stopped(*_: object) -> None:
        raise Interrupted

    monkeypatch.setattr(put_off, "make", stopped)
    with pytest.raises(Interrupted):
        answer(session, "P")
    monkeypatch.undo()
    assert (answer(session, "P"), answer(session)) == (wanted, bits)


def test_what_is_not_made_holds_no_array_that_it_does_not_need(session: Session) -> None:
    text = "a = X * 2; b = y * 3; r = sum(y) + k;"
    for _ in range(6):
        run(session, text)
        answer(session)
    run(session, text)
    node = ref(session.interpreter.workspace["X"].node)  # type: ignore[attr-defined]
    run(session, "clear X a", "change.m")
    assert node() is None
    assert len(answer(session, "b")) == 640
    answer(session)


def test_where_leaves_are_is_looked_at(session: Session) -> None:
    for _ in range(4):
        run(session, TEXTS["chain"])
        bits = answer(session)
    run(session, TEXTS["chain"])
    session.acceleration.runtime.reset_device()
    assert answer(session) == bits


@pytest.mark.parametrize("name", FACTS)
def test_another_array_of_the_same_description_is_looked_at(session: Session, name: str) -> None:
    data, text = FACTS[name]
    found = {}
    for n in (0, 3):
        run(session, data.format(n=n), "change.m")
        run(session, text, f"plain{n}.m")
        found[n] = answer(session)
    for n in (0, 3, 0, 3):
        run(session, data.format(n=n), "change.m")
        for _ in range(4):
            run(session, text)
            assert answer(session) == found[n]


def test_a_stop_in_the_middle_leaves_the_variables_as_they_were(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        run(session, TEXTS["its own input"])
    bits, held = answer(session), dict(session.interpreter.base)

    def stopped(*_: object, **__: object) -> None:
        raise Interrupted

    monkeypatch.setattr(put_off, "make_put_off", stopped)
    session.run_source(SourceText("main.m", TEXTS["its own input"]))
    assert session.last_status == "interrupted"
    assert all(session.interpreter.base[name] is value for name, value in held.items())
    monkeypatch.undo()
    run(session, TEXTS["its own input"])
    assert answer(session) == bits


def test_a_function_on_the_path_takes_over(session: Session, folder: Path) -> None:
    text = TEXTS["chain"]
    for _ in range(4):
        run(session, text)
    before = answer(session)
    shadow = folder / "exp.m"
    shadow.write_text("function y = exp(x)\ny = x + 1;\nend\n")
    run(session, text)
    assert answer(session) != before
    shadow.unlink()
    run(session, text)
    assert answer(session) == before


def test_a_variable_that_is_gone_is_missed(session: Session) -> None:
    for _ in range(4):
        run(session, TEXTS["chain"])
    run(session, "clear X", "change.m")
    session.run_source(SourceText("main.m", TEXTS["chain"]))
    assert session.last_status == "error"


def test_lines_that_are_watched_are_run(session: Session, replays: list[int]) -> None:
    for _ in range(4):
        run(session, TEXTS["chain"], str(Path("main.m").resolve()))
    replays.clear()
    session.interpreter.debugger.set_breakpoints([Breakpoint(str(Path("other.m").resolve()), 1)])
    run(session, TEXTS["chain"], str(Path("main.m").resolve()))
    session.interpreter.debugger.set_breakpoints([])
    assert not replays


@pytest.mark.parametrize(
    "text",
    [
        "r = sum(X(:) + rand(640, 1));",
        "r = sum(X(:)) + toc(tic) * 0;",
        "r = sum(X(:))",
        "disp(1); r = sum(X(:));",
        "if k > 1, r = sum(X(:)); end",
        "X(1) = 2; r = sum(X(:));",
        "W = X; W(W > 0.5) = []; r = sum(W(:));",
        "v(3) = 1; r = sum(X(:)) + v(3); clear v",
        "r = sum(X(:)) + X(7);",  # an element, which may be known
        "r = sum(X(:)); if gather(r) > 0, r = -r; end",
        "s.a = X; r = sum(s.a(:));",
        "f = @(x) x + 1; r = sum(f(X(:)));",
        "r = sum(X(X > 0.5));",
        "m = gather(sum(X(:))); r = X * m; r = sum(r(:));",
        "pi = pi + 0 * sum(X(:)); r = pi * 2;",
    ],
)
def test_what_is_more_than_straight_lines_goes_on_as_before(session: Session, text: str) -> None:
    lines = text.split("pi =") if text.startswith("pi") else [text]
    for number in range(5):
        if len(lines) > 1:
            run(session, "clear pi", "change.m")
        run(session, f"X = X * 0 + {number} + reshape((1:640)' / 7, 80, 8);", "change.m")
        run(session, "q = gather(sum(X(:))); q = gather(sum(X(:)) + 1);", "stored.m")
        session.evaluate("rng(5);")
        run(session, text)
        found = answer(session)
        session.evaluate("rng(5);")
        if len(lines) > 1:
            run(session, "clear pi", "change.m")
        run(session, text + " ", "plain.m")
        session.interpreter.files.clear() if number == 4 else None
        assert found == answer(session)


UNARY = ("sin", "abs", "floor", "sqrt", "cumsum", "sort", "fliplr", "isnan", "mean", "max", "sum")
BINARY = ("+", "-", ".*", "./", ">", "==", ".^")


def _random_text(rng: random.Random) -> str:
    names, lines = ["X", "y", "k", "X(2:end, :)", "X'", "k / 3", "[1 2 3 4 5 6 7 8]"], list[str]()
    for number in range(rng.randint(1, 6)):
        a, b = rng.choice(names), rng.choice(names)
        kind = rng.random()
        if kind < 0.5:
            expression = f"{rng.choice(UNARY)}({a})"
        else:
            expression = f"({a}) {rng.choice(BINARY)} ({b})"
        name = rng.choice(["X", "y", f"v{number}", f"v{number}"])
        lines.append(f"{name} = {expression};")
        names.append(name)
    return "\n".join(lines)


@pytest.mark.parametrize("seed", long_form(range(5), 1))
def test_random_texts_replayed_and_run_plainly(
    seed: int, folder: Path, replays: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, differing, outcomes = random.Random(seed), list[str](), []
    texts = [_random_text(rng) for _ in range(16)]
    for plain in (False, True):
        if plain:
            monkeypatch.setattr(StraightLines, "_may_be_replayed", lambda _: False)
        with session_on("cpu", folder) as made:
            outcomes.append([_outcomes(made, text) for text in texts])
    differing = [t for t, a, b in zip(texts, *outcomes, strict=True) if a != b]
    assert not differing, "\n---\n".join(differing)
    assert len(replays) > 5


def _outcomes(session: Session, text: str) -> list[object]:
    """Status, variables and account of a text's runs, each from the same variables."""
    start(session)
    found: list[object] = []
    held = dict(session.interpreter.base)
    for _ in range(4):
        session.interpreter.base.clear()
        session.interpreter.base.update(held)
        session.run_source(SourceText("main.m", text))
        found += [session.last_status, account(session)[0]]
        if session.last_status == "ok":
            work = session.interpreter.workspace
            read = {n: as_array(v) for n, v in sorted(work.items()) if n not in held}
            found += [(n, v.dtype, v.tobytes()) for n, v in read.items()]
    return found


def test_a_function_typed_since_takes_over(folder: Path) -> None:
    with session_on("cpu", folder) as session:
        start(session)
        for _ in range(4):
            run(session, TEXTS["chain"])
        before = answer(session)
        session.run_source(SourceText("<command>", "function y = exp(x)\ny = x + 1;\nend\n"))
        run(session, TEXTS["chain"])
        assert answer(session) != before


def test_another_runtime_is_another_graph(folder: Path, replays: list[int]) -> None:
    with session_on("cpu", folder) as session:
        start(session)
        for _ in range(4):
            run(session, TEXTS["chain"])
        assert replays
        bits = answer(session)
        session.acceleration.reopen()
        replays.clear()
        run(session, TEXTS["chain"])
        assert not replays
        assert answer(session) == bits


@pytest.mark.parametrize(
    "given",
    [
        "normrnd(0, 1)",
        "random('Normal', 0, 1)",
        "randg(2)",
        "iwishrnd(1, 4)",
        "sum(imnoise(zeros(4), 'gaussian', 0, 1), 'all')",
        "kmeans((1:20)', 3)' * (1:20)'",
        "feval('rand')",
        "str2num('rand')",
        "posixtime(datetime('now'))",
        "second(datetime)",
    ],
)
def test_what_changes_from_run_to_run_is_asked_again(session: Session, given: str) -> None:
    session.run_source(SourceText("set.m", "clear; x = zeros(20000, 1);"))
    found = set()
    for _ in range(12):
        session.run_source(SourceText("again.m", f"r = x + {given};"))
        assert session.last_status == "ok"
        found.add(float(as_array(session.interpreter.base["r"])[0, 0]))
    assert len(found) > 4
