"""Call stacks of a run as a tree of calls, a table of functions, and host time per line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from app.engine.protocol import Stack

Stacks = Iterable[tuple[Stack, float]]


@dataclass(slots=True)
class Call:
    """A function called from one place of the tree.

    Attributes:
        name: the function.
        file: its file.
        line: its line that took longest here.
        ms: time in it and in what it called.
        calls: what it called.
    """

    name: str
    file: str
    line: int = 0
    ms: float = 0.0
    calls: dict[tuple[str, str], Call] = field(default_factory=dict)
    hottest: float = 0.0

    @property
    def own_ms(self) -> float:
        """Time in its own lines."""
        return self.ms - sum(call.ms for call in self.calls.values())


@dataclass(frozen=True, slots=True)
class Function:
    """A row of the function table: time with and without what it called."""

    name: str
    file: str
    line: int
    total_ms: float
    own_ms: float


def tree(stacks: Stacks) -> Call:
    """All calls below one root, which stands for the whole run."""
    root = Call("run", "")
    for stack, ms in stacks:
        root.ms += ms
        node = root
        for name, file, line in stack:
            node = node.calls.setdefault((name, file), Call(name, file))
            node.ms += ms
            if ms > node.hottest:
                node.hottest, node.line = ms, line
    return root


def functions(stacks: Stacks) -> list[Function]:
    """Time per function, the longest first; recursion counts once."""
    total: dict[tuple[str, str], float] = {}
    own: dict[tuple[str, str], float] = {}
    hottest: dict[tuple[str, str], tuple[float, int]] = {}
    for stack, ms in stacks:
        for key in {(name, file) for name, file, _ in stack}:
            total[key] = total.get(key, 0.0) + ms
        name, file, line = stack[-1]
        own[name, file] = own.get((name, file), 0.0) + ms
        hottest[name, file] = max(hottest.get((name, file), (0.0, 0)), (ms, line))
    made = [
        Function(*key, hottest.get(key, (0.0, 0))[1], ms, own.get(key, 0.0))
        for key, ms in total.items()
    ]
    return sorted(made, key=lambda f: -f.total_ms)


def line_times(stacks: Stacks) -> dict[tuple[str, int], float]:
    """Time per line, callees included; a line that is on the stack twice counts once."""
    times: dict[tuple[str, int], float] = {}
    for stack, ms in stacks:
        for place in {(file, line) for _, file, line in stack}:
            times[place] = times.get(place, 0.0) + ms
    return times
