"""Every example a builtin declares is true; every declaration is complete."""

from __future__ import annotations

import re

import pytest

from app.engine import values
from app.engine.builtins import registry
from app.engine.builtins.registry import Builtin
from app.engine.interp.interpreter import Interpreter
from app.settings import Settings


class QuietHost:
    """A session without a window; keeps what was printed."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []

    def write(self, text: str) -> None:
        self.out.append(text)

    def write_error(self, text: str) -> None:
        self.err.append(text)

    def read_line(self, prompt: str) -> str:
        return ""

    def poll(self) -> None:
        pass

    def tell(self, event: object) -> None:
        pass


BUILTINS = registry.load_all()
CASES = [(b.name, case) for b in BUILTINS.values() for case in b.cases]


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    """One session for all cases, without acceleration."""
    return Interpreter(Settings(), None, QuietHost())


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{n}: {c}"[:90] for n, c in CASES])
def test_example_is_true(interpreter: Interpreter, name: str, case: str) -> None:
    (value,) = interpreter.guarded(lambda: interpreter.context.evaluate(case, 1, "base"))
    assert values.true_value(value), case


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=list(BUILTINS))
def test_declaration_is_complete(builtin: Builtin) -> None:
    assert builtin.summary.strip(), "a one-line help"
    assert builtin.signatures, "at least one signature"
    last = builtin.name.rpartition(".")[2]
    word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
    assert any(word.search(s) for s in builtin.signatures), "the name in its signatures"
    assert builtin.category
    assert set(builtin.see) <= set(BUILTINS), "related names that exist"


def test_index_finds_exactly_what_loading_declares() -> None:
    assert set(registry.index()) == set(BUILTINS)
    for name, module in registry.index().items():
        assert BUILTINS[name].function.__module__.startswith("app.engine"), (name, module)
