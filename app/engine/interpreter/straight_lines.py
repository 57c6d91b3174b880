"""Straight lines that run again: their graph is put together anew, without running them.

A text of nothing but assignments to variables, of functions that only compute, captures the same
graph whenever its variables have the same description (see `descriptions`). Where elements of an
array were looked at, nothing is remembered.

What is remembered of a run are the nodes below its variables. Planning, placement, reports and
donated memory see nodes like any others.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from weakref import ref

import numpy as np

from app.accel.ir.node import toposort
from app.accel.planner.put_off import Blueprint, Step
from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.descriptions import (
    ATTEMPTS,
    HELD,
    NUMBERS,
    SMALL,
    describe,
    describe_held,
    is_constant,
    links_of,
    put_last,
    step_of,
)
from app.engine.interpreter.unit import Unit
from app.engine.interpreter.watched import Watched
from app.engine.language import ast
from app.engine.language.walk import children, walk_body
from app.engine.values import DeviceArray, Value
from app.engine.values.lazy import Pending, Question, Selection, Undecided, Watch
from app.engine.values.random_stream import stream_of
from app.records import mutable_record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from types import CodeType

    from app.accel.backends.base import DeviceInfo
    from app.accel.ir.node import Node
    from app.accel.runtime.runtime import Runtime

    Workspace: TypeAlias = dict[str, object]

_PLAIN = (
    ast.Name,
    ast.Number,
    ast.Char,
    ast.String,
    ast.Colon,
    ast.End,
    ast.Unary,
    ast.Postfix,
    ast.Binary,
    ast.Range,
    ast.Index,
    ast.Matrix,
)
"""Expressions that assign nothing and make no functions."""


class Output(NamedTuple):
    """A variable afterwards: an array of the graph, what a variable was before, or a value.

    Of an array that may be real `source` is the number of what tells, asked by `is_real`. Of what
    is still to be selected from an array `selection` is the number of what selects, and `work` what
    `Pending` says.
    """

    name: str
    number: int = -1
    guarded: bool = False
    source: int = -1
    is_real: Question | None = None
    before: str = ""
    value: Value = None
    selection: int = -1
    work: int = 0


class Chosen(NamedTuple):
    """What selects: numbers of its mask and, after `find`, of all places, and its axis."""

    mask: int
    places: int
    axis: int | None

    def again(self, values: Mapping[int, Node], runtime: Runtime) -> Selection:
        """The same of other values."""
        made = Selection(values[self.mask], runtime, self.axis)
        made.places = values.get(self.places)
        return made


@mutable_record
class Graph:
    """What a run captured.

    Attributes:
        code: what ran.
        runtime: where it was captured.
        device: what that computed on.
        links: the functions that its names meant.
        constants: arrays that were made on the host: tables, short rows.
        held: those of them that are too small for it to matter that they stay.
        blueprint: its nodes: given ones, constants, and what is made of them.
        operations: those that were captured, with what nobody needs.
        selections: what is still to be selected by.
    """

    code: CodeType
    runtime: Runtime
    device: DeviceInfo | None
    links: dict[str, object]
    constants: Sequence[ref[Node]]
    held: Sequence[Node]
    blueprint: Blueprint
    outputs: Sequence[Output]
    operations: int
    selections: Sequence[Chosen]

    def serves(self, code: CodeType, unit: Unit) -> bool:
        """Whether this is what a run would capture again."""
        names, runtime = unit.namespace, self.runtime
        same = code is self.code and runtime is Session.runtime
        same = same and runtime.device_info is self.device
        same = same and all(constant() is not None for constant in self.constants)
        return same and all(names.get(key) is link for key, link in self.links.items())

    def put_together(self, workspace: Workspace, given: Sequence[Node]) -> None:
        """Give the variables their values; `given` are the nodes below those that there are."""
        constants = [constant() for constant in self.constants]
        there = [*given, *(c for c in constants if c is not None)]
        assembly, values = self.blueprint.put_together(there)
        self.runtime.recorder.counters.captured_ops += self.operations
        self.runtime.note_assembly(assembly)
        made, undecided = dict[str, Value](), dict[int, DeviceArray]()
        selections = [chosen.again(values, self.runtime) for chosen in self.selections]
        for name, number, guarded, source, is_real, before, value, chosen, work in self.outputs:
            if chosen >= 0:
                pending = Pending(values[number], selections[chosen], work)
                made[name] = DeviceArray(None, self.runtime, guarded, pending)
            elif is_real is not None:
                whole = Undecided(values[number], values[source], is_real)
                new = DeviceArray.of_undecided(whole, self.runtime)
                made[name] = undecided.setdefault(number, new)  # one look serves all names
            elif number >= 0:
                made[name] = DeviceArray(values[number], self.runtime, guarded)
            elif before:
                made[name] = workspace[before]
            else:
                made[name] = value.copy("K") if isinstance(value, np.ndarray) else value
        workspace.update(made)


@mutable_record
class StraightLines:
    """What is known of a text.

    Attributes:
        early: names that are read before they are assigned: variables, or functions.
        assigned: names that it assigns.
        texts: whether there are texts in it, which may name functions.
        hopeless: whether it is more than straight lines, or never left anything to be remembered.
        graphs: what was captured, by the description of the variables before.
        seen: descriptions that a graph is remembered for when they come again.
    """

    unit: Unit
    early: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()
    texts: bool = False
    hopeless: bool = True
    graphs: dict[Hashable, Graph] = field(default_factory=dict)
    seen: dict[Hashable, None] = field(default_factory=dict)
    attempts: int = 0

    @classmethod
    def of(cls, unit: Unit, body: Sequence[ast.Statement]) -> StraightLines:
        """What the syntax tells of a text."""
        early, assigned = dict[str, None](), dict[str, None]()
        for statement in body:
            names = _targets(statement)
            if names is None:
                return cls(unit)
            targets, read = names
            early.update((name, None) for name in read if name not in assigned)
            assigned.update(dict.fromkeys(targets))
        texts = any(isinstance(node, ast.Char | ast.String) for node in walk_body(tuple(body)))
        return cls(unit, tuple(early), tuple(assigned), texts, not body)

    def run(self, code: CodeType, workspace: Workspace, plainly: Callable[[], None]) -> None:
        """Run the text: by putting its graph together where that is known, else plainly."""
        described = self._described(workspace) if self._may_be_replayed() else None
        if described is None:
            plainly()
            return
        before, given = described
        known = self.graphs.get(before)
        if known is not None and known.serves(code, self.unit):
            known.put_together(workspace, given)
            return
        if before not in self.seen:
            put_last(self.seen, before, None)
            plainly()
            return
        look = _Look(self, code, workspace, given)
        del described, given  # a run may take over the memory of what it replaces
        plainly()
        made = look.graph()
        if made is not None:
            put_last(self.graphs, before, made)
        else:
            self.attempts += 1
            self.hopeless = self.attempts >= ATTEMPTS

    def _may_be_replayed(self) -> bool:
        """Whether nobody looks at the lines one by one, and what they compute is captured."""
        if self.hopeless or not Session.is_active or Limits.pure or Limits.habits or Watch.runtime:
            return False
        return not self.unit.interpreter.debugger.active

    def _described(self, workspace: Workspace) -> tuple[Hashable, list[Node]] | None:
        """All that capture may look at of the variables, and the nodes below them.

        None where that is too much.
        """
        if workspace["#globals"]:
            return None
        found: list[Hashable] = [Limits.capture, Limits.in_loops]
        numbers: dict[Node, int] = {}
        for name in self.early:
            value = workspace.get(name)
            if describe(value, numbers, found) or describe_held(value, numbers, found):
                continue
            if name in workspace or name in self.assigned:  # a function, and then a variable
                return None
            found.append(None)
        return tuple(found), list(numbers)


class _Look:
    """What there is before a run that may leave a graph to be remembered; it keeps none alive."""

    def __init__(
        self, text: StraightLines, code: CodeType, workspace: Workspace, given: Sequence[Node]
    ) -> None:
        self.text, self.code, self.workspace = text, code, workspace
        self.names = frozenset(workspace)
        self.others = {k: id(v) for k, v in workspace.items() if k not in text.assigned}
        self.given = [ref(node) for node in given]
        early = [(name, workspace.get(name)) for name in text.early]
        self.kept = {ref(v): name for name, v in early if isinstance(v, DeviceArray)}
        self.runtime = Session.runtime
        self.stream = stream_of(text.unit.interpreter.context)
        self.drawn = self.stream.offset
        self.before = Watched.of(text.unit, self.runtime.recorder)

    def graph(self) -> Graph | None:
        """What the run has captured; None where another one might not do the same."""
        text, workspace = self.text, self.workspace
        if self.before.has_changed() or Session.runtime is not self.runtime or Limits.habits:
            return None
        names = [n for n in text.early if n not in self.names]
        links = links_of(text.unit, names, calling=self._only_computes())
        others = {k: id(v) for k, v in workspace.items() if k not in text.assigned}
        others.pop("__builtins__", None)
        if links is None or any(self.others.get(name) != known for name, known in others.items()):
            return None
        return self._assembled(links)

    def _only_computes(self) -> bool:
        """Whether no function can have been called by its name, nor random numbers drawn."""
        named = self.text.texts or any(type(self.workspace.get(n)) is str for n in self.text.early)
        still = self.stream.generator == "philox" and self.stream.offset == self.drawn
        return still and not named

    def _assembled(self, links: dict[str, object]) -> Graph | None:
        there = [node() for node in self.given]
        numbers = {node: k for k, node in enumerate(there) if node is not None}
        kept = self.kept
        after = [(name, self.workspace.get(name)) for name in self.text.assigned]
        lazy = [v for _, v in after if isinstance(v, DeviceArray) and ref(v) not in kept]
        pending = [value.pending for value in lazy if value.pending is not None]
        if any(value.known for value in lazy) or any(p.selection.counted for p in pending):
            return None
        selections = list(dict.fromkeys(p.selection for p in pending))
        roots = [root for value in lazy for root in _roots(value)]
        nodes = [n for n in toposort(roots) if n not in numbers]
        parameters = [node for node in nodes if node.op == "param"]
        constants = [node for node in nodes if node.op == "leaf"]
        if not all(is_constant(leaf) for leaf in constants):
            return None
        numbers.update((node, k) for k, node in enumerate([*constants, *parameters], len(there)))
        made, steps = [n for n in nodes if n.op not in {"param", "leaf"}], list[Step]()
        for node in made:
            step = step_of(node, numbers)
            if step is None:
                return None
            numbers[node] = len(there) + len(constants) + len(parameters) + len(steps)
            steps.append(step)
        chosen = [
            Chosen(numbers[s.mask], -1 if s.places is None else numbers[s.places], s.axis)
            for s in selections
        ]
        numbered = {selection: k for k, selection in enumerate(selections)}
        outputs = [_output(name, value, kept, numbers, numbered) for name, value in after]
        if not steps or any(output is None for output in outputs):
            return None
        operations = self.before.captured()
        runtime, wanted = self.runtime, {numbers[root] for root in roots}
        known = self.code, runtime, runtime.device_info, links
        small = [node for node in constants if node.size <= HELD]
        first = len(there) + len(constants)
        blueprint = Blueprint.of(first, parameters, steps, made, wanted)
        outcome = [output for output in outputs if output is not None]
        there_too = list(map(ref, constants))
        return Graph(*known, there_too, small, blueprint, outcome, operations, chosen)


def _roots(value: DeviceArray) -> list[Node]:
    """The nodes that an array is made of."""
    if value.pending is not None:
        node, selection, _ = value.pending
        return [node, selection.mask, *([] if selection.places is None else [selection.places])]
    return list((value.undecided or (value.node,))[:2])


def _output(
    name: str,
    value: Value,
    kept: Mapping[ref[DeviceArray], str],
    numbers: Mapping[Node, int],
    selections: Mapping[Selection, int],
) -> Output | None:
    """How a variable gets its value; None where it is of another kind."""
    if isinstance(value, DeviceArray):
        before = kept.get(ref(value))
        if before is not None:
            return Output(name, before=before)
        if value.pending is not None:
            node, selection, work = value.pending
            number, chosen = numbers[node], selections[selection]
            return Output(name, number, value.guarded, selection=chosen, work=work)
        if value.undecided is not None:
            node, source, is_real = value.undecided
            return Output(name, numbers[node], source=numbers[source], is_real=is_real)
        return Output(name, numbers[value.node], value.guarded)
    if type(value) in NUMBERS:
        return Output(name, value=value)
    if isinstance(value, np.ndarray) and value.size <= SMALL:
        return Output(name, value=value.copy("K"))
    return None


def _targets(statement: ast.Statement) -> tuple[list[str], list[str]] | None:
    """Names that a statement without a display assigns, and reads; None for all else."""
    if type(statement) is ast.Assign:
        targets: tuple[ast.Expr, ...] = (statement.target,)
    elif type(statement) is ast.MultiAssign:
        targets = statement.targets
    else:
        return None
    found, read = list[str](), _names(statement.value)
    for target in targets:
        whole = target.base if isinstance(target, ast.Index) else target
        inside = [] if whole is target else _names(target)  # of which a part is set is read
        if read is None or inside is None:
            return None
        read += inside
        if isinstance(whole, ast.Name):
            found.append(whole.id)
        elif not isinstance(whole, ast.Ignored):
            return None
    return None if read is None or statement.display else (found, read)


def _names(expression: ast.Expr) -> list[str] | None:
    """The names in an expression; None where it does more than compute."""
    found, stack = list[str](), [expression]
    while stack:
        node = stack.pop()
        if not isinstance(node, _PLAIN):
            return None
        if isinstance(node, ast.Name):
            found.append(node.id)
        stack += children(node)  # type: ignore[arg-type]
    return found
