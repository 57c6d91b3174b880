"""Every example a builtin declares is true; every declaration is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.engine import values
from app.engine.declarations import registry
from app.engine.declarations.builtin_index import shipped
from app.engine.declarations.registry import Builtin
from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.settings import Settings
from tests.support.examples import parts


class QuietHost:
    """A session without a window; keeps what was printed."""

    windowed = False

    def __init__(self) -> None:
        self.out: list[str] = []
        self.err: list[str] = []

    def write(self, text: str) -> None:
        self.out.append(text)

    def write_error(self, text: str, stream: str = "err") -> None:
        self.err.append(text)

    def ask(self, question: object) -> None:
        """No window: dialogs are asked line by line."""

    def read_line(self, prompt: str, *, any_key: bool = False) -> str:
        return ""

    def poll(self) -> None:
        pass

    def tell(self, event: object) -> None:
        pass


BUILTINS = registry.load_all()
WAITING = {"exit", "quit", "keyboard", "ginput", "gtext", "uiwait", "waitfor", "waitforbuttonpress"}
"""Those that end the session or wait for a person have no example that runs by itself."""
CASES = [(b.name, case) for b in BUILTINS.values() for case in b.cases]


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    """One session for all cases, without acceleration."""
    return Interpreter(Settings(), None, QuietHost(), NATIVE)


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{n}: {c}"[:90] for n, c in CASES])
def test_example_is_true(
    interpreter: Interpreter, name: str, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its statements run, and the last, an expression, is true."""
    if name.startswith("parquet"):
        pytest.importorskip("pyarrow")
    first, last = parts(case)
    evaluate = interpreter.context.evaluate
    if first:
        monkeypatch.chdir(tmp_path)
        before = f"close all force; clear; cd('{tmp_path}')"
        interpreter.guarded(lambda: evaluate(before, 0, "base"))
        interpreter.guarded(lambda: evaluate(first, 0, "base"))
    (value,) = interpreter.guarded(lambda: evaluate(last, 1, "base"))
    assert values.true_value(value), case


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=list(BUILTINS))
def test_declaration_is_complete(builtin: Builtin) -> None:
    assert builtin.summary.strip(), "a one-line help"
    assert builtin.signatures, "at least one signature"
    last = builtin.name.rpartition(".")[2]
    word = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
    assert any(word.search(s) for s in builtin.signatures), "the name in its signatures"
    assert builtin.category
    assert builtin.cases or builtin.name in WAITING, "a runnable example"
    assert set(builtin.see) <= set(BUILTINS), "related names that exist"


def test_index_finds_exactly_what_loading_declares() -> None:
    of_toolboxes = {name: module for t in shipped() for name, module in t.modules.items()}
    assert not set(registry.index()) & set(of_toolboxes)
    assert {*registry.index(), *of_toolboxes} == set(BUILTINS)
    for name, module in registry.index().items():
        assert BUILTINS[name].function.__module__.startswith("app.engine"), (name, module)
