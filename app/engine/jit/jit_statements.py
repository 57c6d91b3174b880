"""Statements to basic blocks: control flow, assignments, and the places where code is left.

Every statement either completes or is left before it has changed anything, so that the interpreter
can go on with that very statement. A statement that cannot be compiled and that not every pass
reaches becomes such a place itself, a *trap*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Protocol

from app.engine.interpreter.compile.analysis import root_name
from app.engine.jit import calls, jit_deletion, jit_listed, jit_loops, jit_row_order, slices
from app.engine.jit.arrays import Operand, type_of_operand
from app.engine.jit.builder import Refused, Unknown, Val
from app.engine.jit.jit_expressions import Expressions
from app.engine.jit.jit_factors import FACTORS
from app.engine.jit.jit_intrinsics import sizes, subscripts_of
from app.engine.jit.jit_reductions import extremes
from app.engine.jit.jit_sorting import sort
from app.engine.jit.jit_types import CHAR, TEXT
from app.engine.jit.text_tests import is_text
from app.engine.jit.trees import Cleared, Copies, Inlined, Listed, Refusal
from app.engine.jit.undoing import Undo, undo_of
from app.engine.jit.variables import UNSET
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.records import mutable_record
from app.source import Span

Path = tuple[object, ...]
"""The way to a statement: its number in a block, then the block inside it, and so on."""

RETURNED = 1
"""What a loop gives that was left by ``return``."""


@mutable_record
class Exit:
    """A place where compiled code is left.

    Attributes:
        path: the statement the interpreter goes on with.
        reason: why, where that is known; empty for a check that failed.
        span: where.
        label: its label.
        draws: True when the random stream goes back to where it was before the statement.
        undo: what is put back.
    """

    path: Path
    label: str
    reason: str = ""
    span: Span | None = None
    draws: bool = False
    undo: Undo = field(default_factory=Undo)


class Frame(Protocol):
    """How a loop and a function are left: what they do differently."""

    def trap(self, reason: str, span: Span | None) -> str:
        """The label that leaves at a statement that cannot be compiled."""

    def leave_function(self) -> None:
        """``return``."""

    def mark_draws(self, node: ast.Node) -> None:
        """Before a statement: leaving it takes back the random numbers it drew."""


class Statements:
    """Compiles statements.

    Attributes:
        low: compiles the expressions in them.
        path: the way to the current statement.
        exits: the places where code is left.
        here: the exit of the current statement, once it has one.
        loops: loops around the current statement, the innermost last.
        branches: how many ``if`` and ``switch`` are around the current statement.
        inner: ``for`` loops met, by their path: the number of their words in the state.
        lists: what holds the rows that ``for`` loops go through, by the identity of their trees.
        listed: the same of those met that the interpreter may go on with, by their number.
        anchor: the statement that is left where one inside an inlined function fails.
        undo: what is put back where the current statement is left.
        ends: where the inlined functions around the current statement end.
        unknown: True when the type of some variable was not known yet.
        tentative: True while types are being found, so that such a statement can wait.
    """

    def __init__(self, low: Expressions, frame: Frame, tentative: bool) -> None:
        self.low = low
        self.out = low.out
        self.program = low.program
        self.variables = low.variables
        self.frame = frame
        self.path: Path = ()
        self.exits: list[Exit] = []
        self.here: Exit | None = None
        self.loops: list[jit_loops.Loop] = []
        self.branches = 0
        self.inner: dict[Path, int] = {}
        self.lists: Mapping[int, str] = {}
        self.listed: dict[int, str] = {}
        self.unknown = False
        self.tentative = tentative
        self.anchor: Path | None = None
        self.undo = Undo()
        self.ends: list[str] = []
        self._inlined = 0
        low.inlined = self.inlined

    # --- blocks ---

    def block(self, body: tuple[ast.Statement, ...], path: Path) -> None:
        """The statements of a block at ``path``."""
        for k, statement in enumerate(body):
            if not self.out.open:
                return
            self.path = (*path, k)
            if self.anchor is None:
                self.here, self.undo = None, Undo()
                self.program.lines.add(self.program.line_of(statement.span))
            self._or_trap(statement)

    def _or_trap(self, statement: ast.Statement) -> None:
        """Compile a statement; where that fails in a branch, leave compiled code there."""
        mark, known = self.out.mark(), (len(self.exits), set(self.variables.defined))
        loops, branches, path = list(self.loops), self.branches, self.path
        try:
            self.statement(statement)
        except Refused as problem:
            problem.span = problem.span or statement.span
            later = isinstance(problem, Unknown) and self.tentative
            if not (branches or later):
                raise
            self.out.undo(mark)
            del self.exits[known[0] :]
            self.variables.defined, self.loops, self.branches, self.path = (
                known[1],
                loops,
                branches,
                path,
            )
            self.low.indexing.ends, self.unknown = [], self.unknown or later
            if later:
                return
            self.out.jump(self.frame.trap(problem.reason, problem.span))

    def statement(self, node: ast.Statement) -> None:
        """One statement."""
        self.keep_values(node)
        self.frame.mark_draws(node)
        if getattr(node, "display", False):
            raise Refused("a result is shown", node.span)
        match node:
            case ast.Assign():
                self.assign(node.target, node.value)
            case ast.OpAssign():
                self.assign(node.target, ast.Binary(node.span, node.op, node.target, node.value))
            case ast.If():
                self._if(node)
            case ast.For() if not node.parallel:
                jit_loops.compile_for(self, node)
            case ast.While():
                jit_loops.compile_while(self, node)
            case ast.Switch():
                self._switch(node)
            case ast.Break() | ast.Continue() | ast.Return():
                self._jump(node)
            case ast.MultiAssign():
                self.assign_several(node)
            case ast.Try():
                self._try(node)
            case _:
                self._rewritten_statement(node)
        if self.anchor is None:
            self.undo.forget(self.out)

    def _rewritten_statement(self, node: ast.Node) -> None:
        """Statements that only rewritten loops have."""
        match node:
            case ast.Substream():
                self.program.begin_substream(self.out, self.low.value(node.counter))
            case Inlined():
                self._in_place(node, node.result)
            case Copies():
                self._copy(node)
            case Cleared():
                for name in node.names:
                    self.variables.clear(name, node.span)
            case Listed():
                jit_listed.compile_listed(self, node)
            case Refusal():
                kind = type(node.node)
                raise Refused(node.reason or _WHAT.get(kind, "this statement"), node.place)
            case _:
                raise Refused(_WHAT.get(type(node), "this statement"), node.span)

    def _jump(self, node: ast.Statement) -> None:
        if isinstance(node, ast.Return):
            if self.ends:
                self.out.jump(self.ends[-1])
            else:
                self.frame.leave_function()
            return
        if not self.loops:
            raise Refused("a jump outside of loops", node.span)
        loop = self.loops[-1]
        self.out.jump(loop.after if isinstance(node, ast.Break) else loop.onward)

    # --- assignments ---

    def assign(self, target: ast.Expr, value: ast.Expr) -> None:
        """``target = value``."""
        if isinstance(target, ast.Name):
            self._assign_name(target, value)
        elif isinstance(target, ast.Index) and isinstance(target.base, ast.Name):
            if isinstance(value, ast.Matrix) and not any(value.rows):
                self.low.indexing.undo.refuse_whole(target.base.id, True, target.span)
                jit_deletion.delete(self.low, target)
            elif slices.is_slice(self.low, target):
                self.low.indexing.undo.refuse_whole(target.base.id, True, target.span)
                slices.assign_slice(self.low, target, value)
            else:
                self.low.indexing.write_element(
                    target.base.id, target.args, self.low.value(value), target.span
                )
        else:
            raise Refused(_TARGETS.get(type(target), "an assignment of this form"), target.span)

    def _assign_name(self, target: ast.Name, value: ast.Expr) -> None:
        known = self.variables.env.get(target.id)
        array = known is not None and known.array
        self.low.indexing.undo.refuse_whole(target.id, array, target.span)
        called = calls.local_call(self.low, value)
        if called is not None:
            (made,) = calls.call(self.low, called[0], called[1], 1, value.span, moved=target.id)
            calls.assign_result(self.low, target.id, made, target.span)
            return
        self._take(target.id, self.low.any_operand(value), target.span)

    def assign_several(self, node: ast.MultiAssign) -> None:
        """``[a, b] = f(x)`` for a function of the same file, ``max``, ``min`` and ``size``."""
        called = calls.local_call(self.low, node.value)
        names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        found = self._results_of_builtin(node)
        if found is not None:
            self._take_several(node, found)
            return
        if called is None or len(names) != len(node.targets):
            raise Refused("an assignment to several variables", node.span)
        results = calls.call(self.low, called[0], called[1], len(names), node.value.span)
        for name, made in zip(names, results, strict=True):
            self.variables.note(name, made[0], node.span)
        for name, made in zip(names, results, strict=True):
            calls.assign_result(self.low, name, made, node.span)

    def _results_of_builtin(self, node: ast.MultiAssign) -> Sequence[Operand] | None:
        """What ``[m, k] = max(x)``, ``sort``, ``size``, ``lu`` … give; None for others."""
        call, count = node.value, len(node.targets)
        if not isinstance(call, ast.Index) or not isinstance(call.base, ast.Name):
            return None
        name = call.base.id
        if name in self.low.names or not self.program.is_builtin(name):
            return None
        if name in {"max", "min"} and count == 2:
            return extremes(self.low, name, call.args, node.span)
        if name == "sort" and count == 2:
            return sort(self.low, call.args, node.span)
        if name == "sortrows" and count == 2:
            return jit_row_order.sortrows(self.low, call.args, node.span)
        if name in FACTORS and count > 1:
            return FACTORS[name](self.low, call.args, count, node.span)
        if name == "ind2sub":
            return subscripts_of(self.low, call.args, count, node.span)
        return sizes(self.low, call.args, count) if name == "size" else None

    def _take_several(self, node: ast.MultiAssign, found: Sequence[Operand]) -> None:
        """Several variables take values, or elements of some do: these first, and each is put back
        where another cannot be written."""
        if not all(isinstance(t, ast.Name | ast.Ignored | ast.Index) for t in node.targets):
            raise Refused("an assignment to several variables", node.span)
        pairs = list(zip(node.targets, found, strict=True))
        for target, v in _numbers_of_elements(self.low, node, found):
            self.low.indexing.write_element(root_name(target), target.args, v, target.span)
        named = [(t.id, made) for t, made in pairs if isinstance(t, ast.Name)]
        for name, made in named:
            self.variables.note(name, type_of_operand(made), node.span)
        for name, made in named:
            self._take(name, made, node.span)

    def _take(self, name: str, given: Operand, span: Span) -> None:
        """A variable takes a value."""
        if isinstance(given, Val):
            self.variables.write(name, given, span)
        else:
            self.low.arrays.write_array(name, given, span)

    # --- branches ---

    def _if(self, node: ast.If) -> None:
        path, here, undo = self.path, self.here, self.undo
        done = self.out.label("endif")
        ends: list[set[str]] = []
        bodies = [(b.condition, b.body) for b in node.branches]
        for k, (condition, body) in enumerate(bodies):
            then, other = self.out.label("then"), self.out.label("else")
            self.path, self.here, self.undo = path, here, undo
            self.low.branch_on(condition, then, other)
            here = self.here
            self._branch(then, body, (*path, ("branch", k)), done, ends)
            self.out.start(other)
        self._branch("", node.orelse or (), (*path, ("branch", -1)), done, ends)
        self._meet(done, ends)

    def _branch(
        self,
        label: str,
        body: tuple[ast.Statement, ...],
        path: Path,
        done: str,
        ends: list[set[str]],
    ) -> None:
        """One branch; what it certainly sets is added to ``ends``."""
        before = set(self.variables.defined)
        if label:
            self.out.start(label)
        self.branches += 1
        self.block(body, path)
        self.branches -= 1
        if self.out.open:
            ends.append(self.variables.defined)
        self.out.jump(done)
        self.variables.defined = before

    def _meet(self, done: str, ends: list[set[str]]) -> None:
        """Go on where the branches meet; nothing follows when none gets there."""
        if ends:
            self.out.start(done)
            self.variables.defined = set.intersection(*ends)

    def _switch(self, node: ast.Switch) -> None:
        subject = self.low.operand(node.subject)
        path, here, undo = self.path, self.here, self.undo
        done = self.out.label("endswitch")
        ends: list[set[str]] = []
        for k, case in enumerate(node.cases):
            then, other = self.out.label("case"), self.out.label("next")
            self.path, self.here, self.undo = path, here, undo
            self._cases(subject, case.value, then)
            here = self.here
            self.out.jump(other)
            self._branch(then, case.body, (*path, ("case", k)), done, ends)
            self.out.start(other)
        self._branch("", node.otherwise or (), (*path, ("case", -1)), done, ends)
        self._meet(done, ends)

    def _cases(self, subject: Operand, label: ast.Expr, then: str) -> None:
        """Go to ``then`` when the subject is one of the labels, else on."""
        items = [label]
        if isinstance(label, ast.CellLiteral):
            items = [item for row in label.rows for item in row]
        for item in items:
            onward = self.out.label("other")
            self.out.branch(self._equality_test(subject, item), then, onward)
            self.out.start(onward)

    def _equality_test(self, subject: Operand, item: ast.Expr) -> str:
        if not isinstance(subject, Val):
            if subject.kind is not CHAR:
                raise Refused("'switch' of an array", item.span)
            if not isinstance(item, ast.Char):
                raise Refused("a 'case' that is not text", item.span)
            return is_text(self.low, subject, item.value, item.span)
        if isinstance(item, ast.Char) and len(item.value) != 1:
            return "false"
        label = self.low.value(item)
        if (subject.type == TEXT) != (label.type == TEXT):
            return "false"
        return self.low.arithmetic.compare("==", subject, label, item.span).text

    # --- functions in the place of their calls ---

    def inlined(self, node: Inlined, result: ast.Expr) -> Operand:
        """The value of what stands in the place of a call."""
        before = set(self.variables.defined)
        made = self._in_place(node, result)
        assert made is not None
        self.variables.defined &= before  # what follows may be reached without it
        return made

    def _in_place(self, node: Inlined, result: ast.Expr | None) -> Operand | None:
        """Do the body, then the value: all of it, or the statement around it is left."""
        path, anchor, loops, ends = self.path, self.anchor, self.loops, self.low.indexing.ends
        self._inlined += 1
        self.anchor = path if anchor is None else anchor
        repeats = self.undo.repeats
        self.undo.repeats = repeats or bool(loops and anchor is not None)
        self.low.indexing.undo = self.undo
        self.loops, self.low.indexing.ends = [], []
        for name in node.fresh:
            self.variables.set_flag(name, UNSET)
        done = self.out.label("returned")
        self.ends.append(done)
        reaches = set(self.variables.defined)
        try:
            self.block(node.body, (*path, ("inlined", self._inlined)))
            returns = any(isinstance(n, ast.Return) for n in walk_body(node.body))
            self.out.start(done)
            if returns:
                self.variables.defined &= reaches
            return None if result is None else self.low.operand(result)
        finally:
            self.ends.pop()
            self.path, self.anchor, self.loops = path, anchor, loops
            self.undo.repeats = repeats
            self.low.indexing.undo = Undo() if anchor is None else self.undo
            self.low.indexing.ends = ends

    def _copy(self, node: Copies) -> None:
        """Variables take the values of others, all of them or none."""
        for _, source in node.pairs:
            self.variables.type_of(source, node.span)
            self.variables.check_set(source)
        for target, source in node.pairs:
            self._assign_name(ast.Name(node.span, target), ast.Name(node.span, source))

    def keep_values(self, node: ast.Node) -> None:
        """Before a statement: leaving it takes back what functions in it assigned."""
        if self.anchor is None:
            self.undo = undo_of(node)
            if not self.undo.keep_numbers(self.variables, self.out, node.span):
                if not self.tentative:
                    raise Unknown("a variable has no value yet", node.span)
                self.unknown = True

    def _try(self, node: ast.Try) -> None:
        """What fails leaves compiled code: the interpreter knows who catches it."""
        path = self.path
        before = set(self.variables.defined)
        self.block(node.body, (*path, ("try", 0)))
        self.variables.defined = before | (self.variables.defined if self.out.open else set())

    def look_up(self) -> None:
        """Leave before the current statement when the user asked for it."""
        flag = self.out.load("%poll", "ptr")
        on = self.out.op(f"load volatile i8, ptr {flag}")
        asked, onward = self.out.label("asked"), self.out.label("pass")
        self.out.branch(self.out.op(f"icmp eq i8 {on}, 0"), onward, asked, likely=True)
        self.out.start(asked)
        stop = self.program.ask(self.out)
        self.out.require(self.out.op(f"icmp eq i32 {stop}, 0"))
        self.out.jump(onward)
        self.out.start(onward)


_TARGETS = {
    ast.CellIndex: "an element of a cell is assigned",
    ast.Field: "a field is assigned",
    ast.DynamicField: "a field is assigned",
}
_WHAT = {
    ast.For: "a parfor",
    ast.ExpressionStatement: "a call or an expression on its own",
    ast.Command: "a command",
    ast.Try: "'try'",
    ast.Global: "a global variable",
    ast.Persistent: "a persistent variable",
    ast.DoUntil: "'do … until'",
    ast.UnwindProtect: "'unwind_protect'",
}


def _numbers_of_elements(
    low: Expressions, node: ast.MultiAssign, found: Sequence[Operand]
) -> list[tuple[ast.Index, Val]]:
    """The elements of different variables that take outputs, which are numbers."""
    pairs = zip(node.targets, found, strict=True)
    elements = [(t, made) for t, made in pairs if isinstance(t, ast.Index)]
    names = [root_name(t) for t in node.targets if not isinstance(t, ast.Ignored)]
    inside = walk_body(tuple(a for t, _ in elements for a in t.args))
    read = {n.id for n in inside if isinstance(n, ast.Name)}
    if elements and (len({*names}) < len(names) or read & {*names}):
        raise Refused("several outputs into what they depend on", node.span)
    for target, _ in elements:
        if not isinstance(target.base, ast.Name) or slices.is_slice(low, target):
            raise Refused("an assignment to several variables", target.span)
    if elements and not all(isinstance(v, Val) for v in found):
        raise Refused("elements take several outputs that are arrays", node.span)
    return [(t, made) for t, made in elements if isinstance(made, Val)]
