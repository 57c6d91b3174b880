"""Programs at the limits of what the host language takes: deep blocks, methods as statements."""

from __future__ import annotations

import random
import threading
import time
from functools import partial
from itertools import pairwise

import pytest

from app import textfile
from app.engine.protocol import ErrorRaised, Event
from app.engine.session.session import Session
from app.errors import UsageError
from app.settings import Settings
from app.source import SourceText
from tests.support.stopping import StoppedAfter

OPEN = {
    "for": "for i{n} = 1:2,",
    "while": "w{n} = true; while w{n}, w{n} = false;",
    "try": "try,",
    "if": "if true,",
    "switch": "switch 1, case 1,",
}


class Runner:
    """A session, what it told, and the variables it left."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.session = Session(Settings(), self.events.append)

    def run(self, text: str) -> str:
        self.events.clear()
        self.session.run_source(SourceText("<test>", text))
        errors = [e.identifier for e in self.events if isinstance(e, ErrorRaised)]
        return errors[0] if errors else self.session.last_status

    def value(self, name: str) -> object:
        return self.session.interpreter.base[name]


@pytest.fixture
def runner():
    made = Runner()
    yield made
    made.session.close()


@pytest.mark.parametrize("kind", sorted(OPEN))
@pytest.mark.parametrize("inside", ["script", "function"])
def test_blocks_nest_beyond_the_limit_of_the_host_language(
    runner: Runner, kind: str, inside: str
) -> None:
    depth = 30
    heads = [OPEN[kind].format(n=n).replace("1:2", "1:1") for n in range(depth)]
    body = "\n".join([*heads, "x = x + 1;", *["end"] * depth])
    if inside == "script":
        assert runner.run(f"x = 1;\n{body}") == "ok"
    else:
        text = f"x = deep(1);\nfunction x = deep(x)\n{body}\nend\n"
        assert runner.run(text) == "ok"
    assert runner.value("x") == 2.0


def test_what_leaves_a_deep_block_goes_where_it_should(runner: Runner) -> None:
    choose = random.Random(5)
    for _ in range(12):
        outer = [f"for o{k} = 1:1" for k in range(choose.randrange(10, 22))]
        steps = [
            "if a == 2, continue, end",
            "if a == 4, break, end",
            "if n > 40, r = n; return, end",
        ]
        choose.shuffle(steps)
        body = "; ".join(steps)
        tried = choose.random() < 0.5
        loop = f"for a = 1:5\n{'try' if tried else ''}\nn = n + a; {body}\n{'catch' if tried else ''}\n"
        loop += "end\n" * (1 + tried) + "n = n + 100;\n"
        plain = f"for b = 1:3\n{loop}end\n"
        deep = "\n".join(outer) + "\n" + plain + "end\n" * len(outer)
        text = "p = one(); q = two();\n"
        for name, code in (("one", plain), ("two", deep)):
            text += f"function r = {name}()\nr = -1; n = 0;\n{code}r = n;\nend\n"
        assert runner.run(text) == "ok"
        assert runner.value("p") == runner.value("q"), text


def test_blocks_without_end_are_an_error_in_time(runner: Runner) -> None:
    started = time.process_time()
    text = "\n".join(["if true"] * 5000 + ["end"] * 5000)
    assert runner.run(text) == "MATLAB:m_block_too_deep"
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    "text",
    [
        "p = inputParser; p.addRequired('a');",
        "p = inputParser; p.addRequired('a')",
        "s.p = inputParser; s.p.addRequired('a'); s.p.parse(3); x = s.p.Results.a;",
        "g = graph([1 2], [2 3]); g.addnode(1);",
        "m = containers.Map; m.keys();",
        "f = figure('Visible', 'off'); h = plot(1:3); h.delete(); close(f);",
    ],
)
def test_methods_stand_as_statements(runner: Runner, text: str) -> None:
    assert runner.run(text) == "ok"
    assert not any(type(v) is tuple for v in runner.session.interpreter.base.values())


def test_a_method_without_a_result_has_none_to_give(runner: Runner) -> None:
    text = "p = inputParser; x = p.addRequired('a');"
    assert runner.run(text) == "MATLAB:TooManyOutputs"


def test_a_match_that_takes_for_ever_can_be_stopped(runner: Runner) -> None:
    beats: list[float] = []
    over = threading.Event()

    def beat() -> None:
        while not over.wait(0.01):
            beats.append(time.process_time())  # not what others have the machine do

    thread = threading.Thread(target=beat)
    thread.start()
    with StoppedAfter(1.0, partial(runner.session.cancel, ahead=True)) as stopped:
        status = runner.run("regexp([repmat('a', 1, 60) 'c'], '(a|aa|b)+(d|e)(?=.)x?')")
    over.set()
    thread.join()
    assert status == "interrupted"
    assert stopped.spent < 4
    assert max(b - a for a, b in pairwise(beats)) < 1.0


def test_braces_are_text_where_they_are_no_quantifier(runner: Runner) -> None:
    text = "x = regexp('a{d} aaa x{e<=1}', '(a\\{d\\}|a{2}|x{e<=1})', 'match'); y = regexp('b{i}', 'b{i}');"
    assert runner.run(text) == "ok"
    assert list(runner.value("x").items()) == ["a{d}", "aa", "x{e<=1}"]  # type: ignore[attr-defined]
    assert runner.value("y") == 1.0


@pytest.mark.parametrize("body", [b"x = 1;\n", b"\xd8", b"ab\n"])
@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_a_mark_with_a_broken_body_is_no_text(mark: bytes, body: bytes) -> None:
    with pytest.raises(UsageError, match=r"a\.m is not a text file"):
        textfile.decode(mark + body, "a.m")
