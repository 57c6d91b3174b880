"""Loops that run again: their traces are put together, not traced, and the same in all one sees."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from app.accel.runtime.kept_tapes import tapes_of
from app.engine.capture import capture_session
from app.engine.interpreter.loops.kept_traces import KeptTrace, KeptTraces
from app.engine.interpreter.loops.tracer import Tracer
from app.engine.session.session import Session
from app.engine.values import DeviceArray, as_array
from app.source import SourceText
from tests.campaigns import long_form
from tests.engine.interpreter.test_straight_lines import CHANGES, account, run, session_on
from tests.spellings.replays import program, without_tape
from tests.support.machine_code import interpreted_loops

DATA = "X = reshape(mod((1:640)' * 0.618, 1), 80, 8); y = X(:, 3) - 0.5; k = 2;"
LOOPS = {
    "product": "v = ones(8, 1);\nfor j = 1:30\nw = X' * (X * v);\nv = w / norm(w);\nend\nr = sum(v);",
    "struct": "s.v = y; s.t = 0.1;\nfor j = 1:30\ns.v = s.v - s.t * mean(s.v);\nend\nr = sum(s.v);",
    "cell": "c = {y, 0.5};\nfor j = 1:30\nc{1} = c{1} * 0.9 + c{2} * mean(c{1});\nend\nr = sum(c{1});",
    "counter": "v = y;\nfor j = 2:3:90\nv = v + (j - 40) * 0.001 * mean(v);\nend\nr = sum(v);",
    "inductive": "v = y; n = 1;\nfor j = 1:30\nv = v / n + mean(v); n = n + 1;\nend\nr = sum(v) + n;",
    "columns": "v = y; B = [X X X X];\nfor j = 1:30\nv = v + B(:, j) * mean(v);\nend\nr = sum(v);",
    "parts": "v = X;\nfor j = 1:30\nv(2:end-1, 3) = v(1:end-2, 3) * 0.5 + k;\nend\nr = sum(v(:));",
    "branches": (
        "v = y;\nfor j = 1:30\nif sum(v) > 0, v = v - 0.1 * mean(v); else, v = v + 0.1; end\nend\n"
        "r = sum(v);"
    ),
    "break": "v = y + 2;\nfor j = 1:90\nv = v - 0.1 * mean(v);\nif max(v) < 1, break, end\nend\nr = j;",
    "while": "v = y + 2; e = 1;\nwhile e > 1e-3\nw = v * 0.9; e = max(abs(w - v)); v = w;\nend\nr = e;",
    "now and then": (
        "v = y + 2; e = 1; i = 0;\nwhile e > 1e-3 && i < 90\nw = v * 0.9; i = i + 1;\n"
        "if ~mod(i, 3)\ne = max(abs(w - v));\nend\nv = w;\nend\nr = e + i;"
    ),
    "table": (
        "E = toeplitz(1 ./ (1:8)); at = mod((1:80)' * (1:30), 8) + 1; v = X;\nfor j = 1:30\n"
        "v = v .* E(:, at(:, j))'; v = v ./ sum(v, 2);\nend\nr = sum(v(:, 2));"
    ),
    "looks": (
        "v = X; e = [];\nfor j = 1:40\nv = v - 0.1 * mean(v(:));\nif mod(j, 20) == 0\n"
        "e(end + 1) = norm(v(:)); if e(end) < 1e-8, break, end\nend\nend\nr = sum(e);"
    ),
    "another class": (
        "v = single(y) + 2; e = 1;\nwhile e > 1e-3\nw = v * 0.9; e = max(abs(w - v)); v = w;\nend\n"
        "r = e;"
    ),
    "sums": (
        "v = y;\nfor j = 1:30\n[d, at] = min(X, [], 2); a = accumarray(at, v, [8 1]);\n"
        "v = v + 0.01 * sum(a) * d;\nend\nr = sum(v);"
    ),
    "inner loop": (
        "v = X;\nfor j = 1:24\nm = mean(v(:));\nfor i = 1:8\nv(:, i) = v(:, i) - 0.1 * m;\nend\nend\n"
        "r = sum(v(:));"
    ),
    "local function": (
        "v = y;\nfor j = 1:30\n[v, m] = step(v, k);\nend\nr = sum(v) + m;\n"
        "function [v, m] = step(v, k)\nm = middle(v);\nif k > 1\nv = v - m / k;\nend\nend\n"
        "function m = middle(v)\nm = mean(v);\nend"
    ),
    "function": "r = total(X);\nfunction r = total(X)\nv = X(:, 1);\nfor j = 1:30\n"
    "v = v - 0.1 * mean(v); w = v * 2;\nend\nr = sum(v) + sum(w);\nend",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("path")


@pytest.fixture(scope="module")
def opened(folder: Path) -> Iterator[Session]:
    with session_on("gpu", folder) as made, interpreted_loops():
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
    tapes_of(capture_session.Session.runtime).forms.clear()


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The operations that each trace that was put together has counted."""
    found: list[int] = []
    plainly = KeptTrace.put_together

    def counted(trace: KeptTrace, *rest: object) -> object:
        made = plainly(trace, *rest)  # type: ignore[arg-type]
        found.append(trace.operations)
        return made

    monkeypatch.setattr(KeptTrace, "put_together", counted)
    return found


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ends of the passes that are run on placeholders."""
    found: list[str] = []
    plainly = Tracer._pass

    def counted(tracer: Tracer, *rest: object) -> object:
        made = plainly(tracer, *rest)  # type: ignore[arg-type]
        found.append(made[0])
        return made

    monkeypatch.setattr(Tracer, "_pass", counted)
    return found


def without(patch: pytest.MonkeyPatch) -> None:
    """Every run of a loop traces it."""
    patch.setattr(KeptTraces, "found", lambda _, __, settled: settled())


def answer(session: Session) -> bytes:
    return as_array(session.interpreter.workspace["r"]).tobytes()


def outcomes(session: Session, text: str, runs: int = 6) -> list[object]:
    """What runs of a text leave behind, and what their reports say."""
    start(session)
    found: list[object] = []
    for _ in range(runs):
        run(session, text)
        found += [answer(session), account(session)]
    return found


@pytest.mark.parametrize("name", LOOPS)
def test_later_runs_trace_nothing_and_are_the_same(
    session: Session, kept: list[int], passes: list[str], name: str
) -> None:
    found = outcomes(session, LOOPS[name])
    assert kept
    passes.clear()
    run(session, LOOPS[name])
    assert not passes
    with pytest.MonkeyPatch.context() as patch:
        without(patch)
        expected = outcomes(session, LOOPS[name])
    assert found == expected


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["product", "columns", "parts"])
def test_what_changed_is_seen(session: Session, change: str, name: str) -> None:
    def seen() -> list[object]:
        start(session)
        for _ in range(4):
            run(session, LOOPS[name])
        run(session, CHANGES[change], "change.m")
        found: list[object] = []
        for _ in range(4):
            session.run_source(SourceText("main.m", LOOPS[name]))
            found.append(session.last_status)
            found += [answer(session), account(session)] if found[-1] == "ok" else []
        return found

    found = seen()
    with pytest.MonkeyPatch.context() as patch:
        without(patch)
        assert found == seen()


LISTED = "v = y;\nfor j = 1:30\nv = v + X(:, at(j)) * mean(v);\nend\nr = sum(v);"


def test_a_list_of_subscripts_on_the_host_is_another_one(session: Session) -> None:
    seen = []
    for step in (1, 2, 1, 2):
        text = f"at = {step} * (1:2000); v = X; X = repmat(X(:, 1:8), 1, 10);"
        start(session)
        run(session, text, "list.m")
        for _ in range(4):
            run(session, LISTED)
            seen.append((step, answer(session)))
    assert len(set(seen)) == 2


TABLE = "v = y;\nfor j = 1:30\nv = v + E(at(:, j)) * mean(v);\nend\nr = sum(v);"


def test_a_subscript_on_the_device_that_is_not_valid_is_an_error(session: Session) -> None:
    for last in (8, 9, 8, 9):
        start(session)
        text = f"E = (1:8)'; at = mod((1:80)' * (1:30), 8) + 1; at(80, 30) = {last};"
        for _ in range(5):
            run(session, text, "table.m")
            session.run_source(SourceText("main.m", TABLE))
            assert session.last_status == ("ok" if last == 8 else "error")


FUNCTIONS = """function r = drawn()
r = sum(rand(100, 1));
end
function r = counted()
persistent n
if isempty(n), n = 0; end
n = n + 1;
r = n;
end"""


@pytest.mark.parametrize(
    "given",
    [
        "normrnd(0, 1)",
        "rand",
        "sum(rand(100, 1))",
        "randg(2)",
        "sum(imnoise(zeros(4), 'gaussian', 0, 1), 'all')",
        "feval('rand')",
        "feval(@rand)",
        "feval(f)",
        "str2num('rand')",
        "second(datetime)",
        "cellfun(@(x) rand, {1})",
        "drawn()",
        "counted()",
    ],
)
def test_what_changes_from_run_to_run_is_asked_again(session: Session, given: str) -> None:
    found = set()
    for _ in range(8):
        run(session, "x = y; f = 'rand';", "set.m")
        run(session, f"for j = 1:30\nx = x - mean(x) + {given};\nend\nr = sum(x);\n{FUNCTIONS}")
        found.add(answer(session))
    assert len(found) > 4


def test_a_function_typed_since_takes_over(session: Session) -> None:
    text = "v = y;\nfor j = 1:30\nv = cosh(v) - mean(v);\nend\nr = sum(v);"
    for _ in range(5):
        run(session, text)
    before = answer(session)
    session.run_source(SourceText("<command>", "function y = cosh(x)\ny = x * 0.5;\nend\n"))
    run(session, text)
    assert answer(session) != before


def test_a_trace_that_is_kept_holds_no_array(session: Session, kept: list[int]) -> None:
    for _ in range(5):
        run(session, LOOPS["product"])
    assert kept
    held = session.interpreter.workspace["X"]
    assert isinstance(held, DeviceArray)
    node = ref(held.node)
    del held
    run(session, "clear", "clear.m")
    gc.collect()
    assert node() is None


@pytest.mark.parametrize("seed", long_form(range(100, 112), 2))
def test_random_loops_are_the_same(seed: int, session: Session, kept: list[int]) -> None:
    def seen() -> list[object]:
        start(session)
        found: list[object] = []
        for _ in range(4):
            session.run_source(SourceText("main.m", f"rng(3);\n{program(seed)}"))
            found.append(session.last_status)  # some programs end with a wrong subscript
            work = session.interpreter.workspace
            found += [(name, as_array(v).tobytes()) for name, v in sorted(work.items())]
            found.append(account(session))
        return found

    found = seen()
    with pytest.MonkeyPatch.context() as patch:
        without(patch)
        assert found == seen()


DRAWS = {
    "means": "m = zeros(40, 1);\nfor j = 1:40\nm(j) = mean(y(randi(80, 80, 1)));\nend\nr = sum(m);",
    "two kinds": (
        "v = y;\nfor j = 1:40\nv = 0.9 * v + 0.1 * randn(80, 1) - mean(rand(80, 1));\nend\nr = sum(v);"
    ),
    "drawn before": "z = rand(80, 1); v = y;\nfor j = 1:40\nv = v * 0.9 + z - rand(80, 1);\nend\n"
    "r = sum(v);",
}
STREAMS = (
    "rng(3, 'philox');",
    "",
    "",
    "q = rand(7, 1);",
    "",
    "rng(8);",
    "",
    "rng(8, 'twister');",
    "",
    "",
)


@pytest.mark.parametrize("name", DRAWS)
def test_every_run_draws_its_own_numbers(
    session: Session, kept: list[int], passes: list[str], name: str
) -> None:
    def seen() -> list[object]:
        start(session)
        found: list[object] = []
        for text in STREAMS:
            run(session, text, "stream.m")
            run(session, DRAWS[name])
            found += [answer(session), account(session)]
        return found

    found, again = seen(), name != "drawn before"
    assert bool(kept) is again
    start(session)
    run(session, STREAMS[0], "stream.m")
    for _ in range(4):
        passes.clear()
        run(session, DRAWS[name])
    assert bool(passes) is not again
    with pytest.MonkeyPatch.context() as patch, without_tape():
        without(patch)
        expected = seen()
    assert found[::2] == expected[::2]
    assert len(set(found[::2])) == len(STREAMS)
