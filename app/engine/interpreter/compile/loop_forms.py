"""What is known of a loop whose passes may be traced, from its text and the code around it."""

from __future__ import annotations

from copy import copy
from types import CodeType
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import Names
from app.engine.interpreter.compile.assignments import is_empty_literal
from app.engine.interpreter.compile.chains import flatten
from app.engine.interpreter.compile.scope import Scope
from app.engine.interpreter.compile.set_variables import asked_variable
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from collections.abc import Container

    from app.engine.interpreter.loops.kept_traces import KeptTraces
    from app.engine.interpreter.unit import Unit

MOST_NODES = 8000
"""Longer bodies are programs of their own."""


class LoopForm:
    """A loop whose passes may be traced.

    Attributes:
        unit: the unit it belongs to.
        node: the loop.
        names: its variables, in the order in which they come and go.
        shared: those of them that are cells of the function that runs it.
        globals: those of the global workspace.
        plain: those that the code behind the loop takes for numbers of the host.
        persistent: those that the function keeps from call to call.
        persistent_name: the dictionary that has them.
        nested: the nested functions in reach, by name, as Python names.
        refusal: why no pass of it can be traced; empty where one may be.
        failures: attempts in a row that did not pay.
        met_device: whether they, and `few`, were counted anew because a device is there since.
        small_entries: how often in a row it began without a large array.
        again: whether the next attempt is after the next pass.
        retried: whether this attempt is one after the first pass.
        ends: passes after which data ended it, the latest two times.
        few: elements of which a pass computed too few for kernels, where it may be machine code.
        in_machine_code: whether it may become machine code if its passes are not one kernel.
        independent: whether no pass knows of another: loops inside it may be traced as such.
        targets: per variable the ways, through fields and elements, to what passes assign.
        filled: the variables, with such ways, of which they assign elements.
        asked: the variables of which passes ask whether they are set.
        code: the code of a pass, once `loop_bodies.pass_code` has made it.
        traces: traces of earlier runs; None before `kept_traces` keeps one.
    """

    def __init__(
        self,
        unit: Unit,
        node: ast.For | ast.While | ast.DoUntil,
        names: tuple[str, ...],
        scope: Scope,
        refusal: str,
    ) -> None:
        self.unit, self.node, self.names, self.refusal = unit, node, names, refusal
        self.shared = tuple(n for n in names if n in scope.shared | scope.inherited)
        self.globals = frozenset(n for n in names if scope.is_global(n))
        self.plain = frozenset(names) & scope.kinds.keys()
        self.persistent = frozenset(names) & scope.names.persistent - self.globals
        self.persistent_name = unit.current_persistent
        self.nested = {n: p for n, p in scope.functions.items() if n in mentioned_names((node,))}
        self.failures = self.small_entries = self.few = 0
        self.again = self.retried = self.independent = self.in_machine_code = False
        self.met_device = False
        self.ends: tuple[int, ...] = ()
        self.targets = _targets(node)
        self.filled = _filled_arrays(node)
        self.asked = frozenset(map(asked_variable, walk_body((node,))))
        self._uncertain = {n for n in names if not scope.is_variable(n)} | scope.uncertain
        self._known = scope.known if scope.dynamic else frozenset()
        self.code: CodeType | None = None
        self.traces: KeptTraces | None = None

    def rewritten(self, node: ast.For, names: tuple[str, ...]) -> LoopForm:
        """The form of a loop that does the same in other words, with more variables."""
        made = copy(self)
        vars(made).update(
            node=node, names=names, targets=_targets(node), filled=_filled_arrays(node)
        )
        vars(made).update(failures=0, small_entries=0, few=0, ends=(), code=None, traces=None)
        return made

    @property
    def counter(self) -> str:
        """The name of the counter; empty for loops without one."""
        return form_counter(self.node)

    @property
    def line(self) -> int:
        """The line where the loop begins."""
        return self.unit.source.line_of(self.node.span.start)

    def scope(self) -> Scope:
        """The variables as a pass sees them."""
        found = Names(assigned={n for n in self.names if n not in self.shared})
        scope = Scope(found, uncertain=set(self._uncertain), known=self._known)
        scope.inherited, scope.of_pass = set(self.shared), True
        scope.functions = dict(self.nested)
        scope.defined = {self.counter} if self.counter else set()
        return scope


def _targets(loop: ast.Node) -> dict[str, list[tuple[object, ...]]]:
    """The ways to what is assigned in a loop, as far as the text says them."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for node in walk_body((loop,)):
        if isinstance(node, ast.Assign | ast.OpAssign):
            targets: tuple[ast.Expr, ...] = (node.target,)
        elif isinstance(node, ast.MultiAssign):
            targets = node.targets
        elif isinstance(node, ast.For) and node is not loop:
            targets = (node.target,)
        else:
            continue
        for target in targets:
            root, steps = flatten(target)
            if isinstance(root, ast.Name):
                found.setdefault(root.id, []).append(_subscript_path(steps))
    return found


def _filled_arrays(loop: ast.Node) -> set[tuple[str, tuple[object, ...]]]:
    """Variables and ways to arrays of which elements are assigned in a loop."""
    found = set()
    for node in walk_body((loop,)):
        if isinstance(node, ast.Assign | ast.OpAssign):
            root, steps = flatten(node.target)
            if isinstance(root, ast.Name) and steps and isinstance(steps[-1], ast.Index):
                found.add((root.id, _subscript_path(steps[:-1])))
    return found


def _subscript_path(steps: list[ast.Expr]) -> tuple[object, ...]:
    """Fields and elements by number, up to the first step that the text does not say."""
    way: list[object] = []
    pending = list(steps)
    while pending:
        step = pending.pop(0)
        if isinstance(step, ast.Field):
            way.append(step.name)
            continue
        number = _only_number(step)
        if number is None:
            break
        if isinstance(step, ast.CellIndex):
            way.append(number)
        elif pending and isinstance(pending[0], ast.Field):
            way.append((pending[0].name, number))
            del pending[0]
        else:
            break
    return tuple(way)


def _only_number(step: ast.Expr) -> int | None:
    """The element, from 0, that a step with one literal subscript takes."""
    if not isinstance(step, ast.Index | ast.CellIndex) or len(step.args) != 1:
        return None
    arg = step.args[0]
    return int(arg.value) - 1 if isinstance(arg, ast.Number) else None


def mentioned_names(nodes: tuple[ast.Node, ...]) -> set[str]:
    """The names in a loop or a function, those of handles too."""
    found = set()
    for n in walk_body(nodes):
        if isinstance(n, ast.Name):
            found.add(n.id)
        elif isinstance(n, ast.FunctionHandle):
            found.add(n.name)
    return found


def form_counter(node: ast.For | ast.While | ast.DoUntil) -> str:
    """The name of a loop's counter; empty without one."""
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        return node.target.id
    return ""


def form_of(
    unit: Unit,
    node: ast.For | ast.While | ast.DoUntil,
    names: tuple[str, ...],
    scope: Scope,
    refusal: str,
    known: Container[int] = (),
) -> LoopForm:
    """What is known of a loop when the code around it is compiled; `known` are calls in it that
    look at no variables but those of the loop."""
    nodes = [n for n in walk_body((node,)) if id(n) not in known]
    if isinstance(node, ast.For) and not isinstance(node.target, ast.Name):
        refusal = refusal or "its counter is not a plain variable"
    if form_counter(node) in scope.shared | scope.inherited:
        refusal = refusal or "a nested function shares its counter"
    if len(nodes) > MOST_NODES:
        refusal = refusal or "it has too many statements"
    if any(isinstance(n, ast.SuperCall | ast.Global | ast.Persistent | ast.Command) for n in nodes):
        refusal = refusal or "it does more than compute values"
    if any(map(_deletes, node.body)):
        refusal = refusal or "every pass deletes elements"
    return LoopForm(unit, node, names, scope, refusal)


def _deletes(node: ast.Node) -> bool:
    """Whether a statement is ``x(…) = []``."""
    if not isinstance(node, ast.Assign) or not isinstance(node.target, ast.Index):
        return False
    return is_empty_literal(node.value)
