"""How long the window stands still under what is large: texts, variables, output, figures, folders.

``python -m tests.desk.loads [NAME…]`` does what a person would do with each load and prints the longest
time in which the window did not answer; more than ``FREEZE_S`` is named with the place in the code.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.desk.desk import Desk, Screen

FREEZE_S = 0.5
SETTLE_S = 1.5
Load = Callable[["Measured"], None]
LOADS: dict[str, Load] = {}


def load(act: Load) -> Load:
    """Declare a load under its function's name."""
    LOADS[act.__name__] = act
    return act


class Measured:
    """A desk whose steps are timed."""

    def __init__(self, desk: Desk, name: str) -> None:
        self.desk, self.name = desk, name
        self.frozen = 0

    def step(self, what: str, act: Callable[[], object], settle_s: float = SETTLE_S) -> None:
        """Act, wait a little, and tell how long the window stood still."""
        self.desk.ask("heart.start()")
        began = time.monotonic()
        try:
            act()
            problem = ""
        except AssertionError as error:
            problem = f"  FAILED: {str(error)[:400]}"
        took = time.monotonic() - began
        time.sleep(settle_s)
        longest, where = self.desk.ask("(heart.longest, heart.where)")
        mark = " <-- freeze" if longest > FREEZE_S else ""
        print(f"{self.name:18} {what:24} {longest:6.2f} s  (took {took:5.1f} s){mark}{problem}")
        if mark:
            self.frozen += 1
            print("    " + "\n    ".join(where.strip().splitlines()[-14:]))
        sys.stdout.flush()

    def use_text(self, text: str) -> None:
        """Open a text, go to its end, type there, search, and come back."""
        desk = self.desk
        self.step("open", lambda: desk.open(text, f"{self.name}.m"), 4.0)
        desk.to_editor()
        self.step("to the end", lambda: desk.key("ctrl+End"))
        self.step("type", lambda: desk.type("\nx = (1);\nif x\ny = 2;\nend\n"), 3.0)
        self.step("to the start", lambda: desk.key("ctrl+Home"))
        self.step("type a section", lambda: desk.type("%% one\nfor k=1:3\n"), 3.0)
        self.step("page down", lambda: desk.key(*["Next"] * 10))
        self.step("undo", lambda: desk.key("ctrl+z", "ctrl+z"))
        self.step("find", lambda: (desk.key("ctrl+f"), desk.type("x = (1)\n"), desk.key("Escape")))
        self.step("save", lambda: desk.key("ctrl+s"), 3.0)
        self.step("select all, copy", lambda: desk.key("ctrl+a", "ctrl+c"))
        self.step("another tab and back", lambda: desk.key("ctrl+n", "ctrl+Prior"))


@load
def text_of_100_mb(m: Measured) -> None:
    """A million lines."""
    line = "value_{0} = sin({0}) + cos({0}) * 3.14159; % line of the text {0}\n"
    m.use_text("".join(map(line.format, range(1_300_000))))


@load
def line_of_3_mb(m: Measured) -> None:
    """One line."""
    m.use_text("x = '" + "some letters and (brackets) " * 110_000 + "';\n")


@load
def sections(m: Measured) -> None:
    """60,000 lines with 30,000 sections."""
    m.use_text("".join(f"%% part {k}\nx{k} = {k};\n" for k in range(30_000)))


@load
def numbers(m: Measured) -> None:
    """A line of numbers of 4 MB."""
    m.use_text("x = [" + " ".join(str(k * 0.37) for k in range(500_000)) + "];\n")


@load
def brackets(m: Measured) -> None:
    """2e5 brackets."""
    m.use_text("x = " + "(" * 100_000 + "1" + ")" * 100_000 + ";\n")


def main(names: list[str]) -> int:
    """Measure the loads of these names, or all; how many steps froze."""
    frozen = 0
    screen = Screen()
    try:
        for name in names or LOADS:
            with tempfile.TemporaryDirectory() as folder:
                desk = Desk(screen, Path(folder))
                measured = Measured(desk, name)
                try:
                    LOADS[name](measured)
                except AssertionError as error:
                    print(f"{name}: {error}"[:3000])
                    measured.frozen += 1
                for complaint in desk.crashes():
                    print(complaint)
                frozen += measured.frozen
                desk.close()
    finally:
        screen.close()
    return frozen


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
