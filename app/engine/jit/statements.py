"""Statements to basic blocks: control flow, assignments, and the places where code is left.

Every statement either completes or is left before it has changed anything, so that the interpreter
can go on with that very statement. A statement that cannot be compiled and that not every pass
reaches becomes such a place itself, a *trap*.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.interpreter.compile.analysis import walk
from app.engine.jit import calls, slices
from app.engine.jit.builder import Refused, Unknown, Val, number
from app.engine.jit.expressions import Expressions
from app.engine.jit.reductions import extreme_place
from app.engine.jit.types import DOUBLE, F64, TEXT
from app.engine.jit.variables import EMPTY_ROW
from app.engine.language import ast
from app.source import Span

Path = tuple[object, ...]
"""The way to a statement: its number in a block, then the block inside it, and so on."""

LOOP, RETURNED = "loop", 1


MOST_NESTED = 12
"""Loops in one another; every one is looked through by all that are around it."""


@dataclass
class Exit:
    """A place where compiled code is left.

    Attributes:
        path: the statement the interpreter goes on with.
        reason: why, where that is known; empty for a check that failed.
        span: where.
        label: its label.
        draws: True when the random stream goes back to where it was before the statement.
    """

    path: Path
    label: str
    reason: str = ""
    span: Span | None = None
    draws: bool = False


@dataclass(frozen=True)
class Loop:
    """A loop around the current statement: where ``break`` and ``continue`` go."""

    after: str
    onward: str


class Statements(Expressions):
    """Compiles statements.

    Attributes:
        path: the way to the current statement.
        exits: the places where code is left.
        here: the exit of the current statement, once it has one.
        loops: loops around the current statement, the innermost last.
        branches: how many ``if`` and ``switch`` are around the current statement.
        inner: ``for`` loops met, by their path: the number of their words in the state.
        unknown: True when the type of some variable was not known yet.
        tentative: True while types are being found, so that such a statement can wait.
    """

    path: Path
    exits: list[Exit]
    here: Exit | None
    loops: list[Loop]
    branches: int
    inner: dict[Path, int]
    unknown: bool
    tentative: bool

    def leave_function(self) -> None:
        """``return``."""
        raise NotImplementedError

    def exit(self) -> str:
        """The label that leaves before the current statement."""
        if self.here is None:
            self.here = self.new_exit()
        return self.here.label

    def new_exit(self, reason: str = "", span: Span | None = None) -> Exit:
        """Another place to leave."""
        made = Exit(self.path, self.out.label("exit"), reason, span)
        self.exits.append(made)
        return made

    def draw(self, span: Span) -> str:
        """A uniform random number."""
        return self.program.random_number(self)

    def mark_draws(self, node: ast.Node) -> None:
        """Before a statement: leaving it takes back the random numbers it drew."""
        if self.program.draws(node):
            self.exit()
            assert self.here is not None
            self.here.draws = True
            self.out.store("%mark", "i64", self.program.offset(self))

    # --- blocks ---

    def block(self, body: tuple[ast.Statement, ...], path: Path) -> None:
        """The statements of a block at ``path``."""
        for k, statement in enumerate(body):
            if not self.out.open:
                return
            self.path, self.here = (*path, k), None
            self.program.lines.add(self.program.line_of(statement.span))
            self._or_trap(statement)

    def _or_trap(self, statement: ast.Statement) -> None:
        """Compile a statement; where that fails in a branch, leave compiled code there."""
        mark, known = self.out.mark(), (len(self.exits), set(self.defined))
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
            self.defined, self.loops, self.branches, self.path = known[1], loops, branches, path
            self.ends, self.unknown = [], self.unknown or later
            if later:
                return
            self.out.jump(self.new_exit(problem.reason, problem.span).label)

    def statement(self, node: ast.Statement) -> None:
        """One statement."""
        self.mark_draws(node)
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
                self._for(node)
            case ast.While():
                self._while(node)
            case ast.Switch():
                self._switch(node)
            case ast.Break() | ast.Continue() | ast.Return():
                self._jump(node)
            case ast.MultiAssign():
                self.assign_several(node)
            case ast.Substream():
                self.program.begin_substream(self, self.value(node.counter))
            case _:
                raise Refused(_WHAT.get(type(node), "this statement"), node.span)

    def _jump(self, node: ast.Statement) -> None:
        if isinstance(node, ast.Return):
            self.leave_function()
            return
        loop = self.loops[-1]
        self.out.jump(loop.after if isinstance(node, ast.Break) else loop.onward)

    # --- assignments ---

    def assign(self, target: ast.Expr, value: ast.Expr) -> None:
        """``target = value``."""
        if isinstance(target, ast.Name):
            self._assign_name(target, value)
        elif isinstance(target, ast.Index) and isinstance(target.base, ast.Name):
            if isinstance(value, ast.Matrix) and not any(value.rows):
                raise Refused("elements are deleted", target.span)
            if slices.is_slice(self, target):
                slices.assign_slice(self, target, value)
            else:
                self.write_element(target.base.id, target.args, self.value(value), target.span)
        else:
            raise Refused(_TARGETS.get(type(target), "an assignment of this form"), target.span)

    def _assign_name(self, target: ast.Name, value: ast.Expr) -> None:
        called = calls.called(self, value)
        if called is not None:
            (made,) = calls.call(self, called[0], called[1], 1, value.span, moved=target.id)
            calls.assign_result(self, target.id, made, target.span)
            return
        given = self.operand(value)
        if isinstance(given, Val):
            self.write(target.id, given, target.span)
        else:
            self.write_array(target.id, given, target.span)

    def assign_several(self, node: ast.MultiAssign) -> None:
        """``[a, b] = f(x)`` for a function of the same file, ``max`` and ``min``."""
        called = calls.called(self, node.value)
        names = [t.id for t in node.targets if isinstance(t, ast.Name)]
        if self._is_extreme(node):
            self._assign_extreme(node)
            return
        if called is None or len(names) != len(node.targets):
            raise Refused("an assignment to several variables", node.span)
        results = calls.call(self, called[0], called[1], len(names), node.value.span)
        for name, made in zip(names, results, strict=True):
            self.note(name, made[0], node.span)
        for name, made in zip(names, results, strict=True):
            calls.assign_result(self, name, made, node.span)

    def _is_extreme(self, node: ast.MultiAssign) -> bool:
        """Whether it is ``[m, k] = max(x)`` or ``min``."""
        call = node.value
        return (
            isinstance(call, ast.Index)
            and isinstance(call.base, ast.Name)
            and call.base.id in {"max", "min"}
            and call.base.id not in self.variables
            and self.program.is_builtin(call.base.id)
            and len(call.args) == 1
            and len(node.targets) == 2
        )

    def _assign_extreme(self, node: ast.MultiAssign) -> None:
        """``[m, k] = max(x)`` of a vector."""
        call = node.value
        assert isinstance(call, ast.Index)
        assert isinstance(call.base, ast.Name)
        given = self.operand(call.args[0])
        if isinstance(given, Val):
            raise Refused("the extreme of a number", node.span)
        found = extreme_place(self, given, call.base.id)
        for target, made in zip(node.targets, found, strict=True):
            if isinstance(target, ast.Name):
                self.note(target.id, made.type, node.span)
            elif not isinstance(target, ast.Ignored):
                raise Refused("an assignment to several variables", node.span)
        for target, made in zip(node.targets, found, strict=True):
            if isinstance(target, ast.Name):
                self.write(target.id, made, node.span)

    # --- branches ---

    def _if(self, node: ast.If) -> None:
        path, here = self.path, self.here
        done = self.out.label("endif")
        ends: list[set[str]] = []
        bodies = [(b.condition, b.body) for b in node.branches]
        for k, (condition, body) in enumerate(bodies):
            then, other = self.out.label("then"), self.out.label("else")
            self.path, self.here = path, here
            self.branch_on(condition, then, other)
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
        before = set(self.defined)
        if label:
            self.out.start(label)
        self.branches += 1
        self.block(body, path)
        self.branches -= 1
        if self.out.open:
            ends.append(self.defined)
        self.out.jump(done)
        self.defined = before

    def _meet(self, done: str, ends: list[set[str]]) -> None:
        """Go on where the branches meet; nothing follows when none gets there."""
        if ends:
            self.out.start(done)
            self.defined = set.intersection(*ends)

    def _switch(self, node: ast.Switch) -> None:
        subject = self.value(node.subject)
        path, here = self.path, self.here
        done = self.out.label("endswitch")
        ends: list[set[str]] = []
        for k, case in enumerate(node.cases):
            then, other = self.out.label("case"), self.out.label("next")
            self.path, self.here = path, here
            self._cases(subject, case.value, then)
            here = self.here
            self.out.jump(other)
            self._branch(then, case.body, (*path, ("case", k)), done, ends)
            self.out.start(other)
        self._branch("", node.otherwise or (), (*path, ("case", -1)), done, ends)
        self._meet(done, ends)

    def _cases(self, subject: Val, label: ast.Expr, then: str) -> None:
        """Go to ``then`` when the subject is one of the labels, else on."""
        items = [label]
        if isinstance(label, ast.CellLiteral):
            items = [item for row in label.rows for item in row]
        for item in items:
            onward = self.out.label("other")
            self.out.branch(self._same(subject, item), then, onward)
            self.out.start(onward)

    def _same(self, subject: Val, item: ast.Expr) -> str:
        if isinstance(item, ast.Char) and len(item.value) != 1:
            return "false"
        label = self.value(item)
        if (subject.type == TEXT) != (label.type == TEXT):
            return "false"
        return self.compare("==", subject, label, item.span).text

    # --- loops ---

    def killed(self, body: tuple[ast.Statement, ...]) -> None:
        """Counters of loops inside may be empty when a pass begins again."""
        for name in self.program.counters(body):
            self.defined.discard(name)

    def poll(self, path: Path) -> None:
        """At the start of a pass: stop here when the user asked for it."""
        self.path, self.here = (*path, 0), None
        self.look_up("")
        self.here = None

    def look_up(self, otherwise: str) -> None:
        """Leave (to ``otherwise``, or before the current statement) when the user asked for it."""
        flag = self.out.load("%poll", "ptr")
        on = self.out.op(f"load volatile i8, ptr {flag}")
        asked, onward = self.out.label("asked"), self.out.label("pass")
        self.out.branch(self.out.op(f"icmp eq i8 {on}, 0"), onward, asked, likely=True)
        self.out.start(asked)
        stop = self.program.ask(self)
        self.out.require(self.out.op(f"icmp eq i32 {stop}, 0"), otherwise or self.exit())
        self.out.jump(onward)
        self.out.start(onward)

    def _while(self, node: ast.While) -> None:
        path = self.path
        self.killed(node.body)
        test, body, after = (self.out.label(h) for h in ("while", "body", "endwhile"))
        self.out.start(test)
        self.path, self.here = path, None
        self.mark_draws(node.condition)
        self.branch_on(node.condition, body, after)
        before = set(self.defined)
        self.out.start(body)
        self._loop_body(node.body, (*path, LOOP), Loop(after, test))
        self.out.jump(test)
        self.out.start(after)
        self.defined = before

    def _loop_body(self, body: tuple[ast.Statement, ...], path: Path, loop: Loop) -> None:
        if len(self.loops) >= MOST_NESTED:
            raise Refused(f"more than {MOST_NESTED} loops in one another")
        self.poll(path)
        self.loops.append(loop)
        self.block(body, path)
        self.loops.pop()

    def _for(self, node: ast.For) -> None:
        if not isinstance(node.target, ast.Name) or not isinstance(node.iterable, ast.Range):
            raise Refused("a loop over something else than a range", node.span)
        span = node.iterable
        start = self.value(span.start)
        step = number(1.0) if span.step is None else self.value(span.step)
        stop = self.value(span.stop)
        if {self.kind(start), self.kind(step), self.kind(stop)} != {F64}:
            raise Refused("a loop over another class than double", node.span)
        name = node.target.id
        self.note(name, start.type, node.span)
        self._start_counter(node, start, step, stop)
        self._counted(node, name, self.inner[self.path], self.path)

    def _start_counter(self, node: ast.For, start: Val, step: Val, stop: Val) -> None:
        """Count the passes and store what tells them apart."""
        number_of = self.inner.setdefault(self.path, len(self.inner) + 1)
        up = node.iterable.step is None if isinstance(node.iterable, ast.Range) else False
        count = self.out.call(
            "i64",
            "fuselab_count",
            ("double", start.text),
            ("double", step.text),
            ("double", stop.text),
            ("i1", "true" if up else "false"),
        )
        self.require(self.out.op(f"icmp sge i64 {count}, 0"))
        whole = self.is_whole_counter(step) or self._is_subscript(node)
        for which, value in (("a", start), ("s", step)):
            slot = f"%{which}.{number_of}"
            if whole:
                text = value.whole or self.whole_of(value.text, 2.0**52)
                self.out.store(slot, "i64", text)
            else:
                self.out.store(slot, "double", value.text)
        if whole:
            self.require(self.out.op(f"icmp slt i64 {count}, {1 << 50}"))
        self.out.store(f"%n.{number_of}", "i64", count)
        self.out.store(f"%k.{number_of}", "i64", "0")

    def is_whole_counter(self, step: Val) -> bool:
        """True when the counter is taken to be whole: it is checked when the loop begins."""
        return step.const is not None and step.const.is_integer() and abs(step.const) < 1024

    def _is_subscript(self, node: ast.For) -> bool:
        """True when the body takes elements at the counter, which then has to be whole."""
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        return any(
            isinstance(n, ast.Index)
            and isinstance(n.base, ast.Name)
            and n.base.id in self.arrays
            and any(isinstance(a, ast.Name) and a.id == name for a in n.args)
            for n in walk(node.body)
        ) and not self.program.assigns(node.body, name)

    def _counted(self, node: ast.For, name: str, which: int, path: Path) -> None:
        """The passes of a loop whose counter has been stored."""
        assert isinstance(node.iterable, ast.Range)
        test, after, none = (self.out.label(h) for h in ("for", "endfor", "none"))
        before = set(self.defined)
        total = self.out.load(f"%n.{which}", "i64")
        self.out.branch(self.out.op(f"icmp sgt i64 {total}, 0"), test, none)
        self.out.start(none)
        self.set_flag(name, EMPTY_ROW)
        self.out.jump(after)
        self.passes(node, name, which, (*path, LOOP), test, after)
        self.defined = before - {name}

    def passes(
        self, node: ast.For, name: str, which: int, path: Path, test: str, after: str
    ) -> None:
        """Pass after pass of the body at ``path`` from the present one on, then ``after``."""
        whole = self.out.slots.get(f"%a.{which}") == "i64"
        body, onward = self.out.label("body"), self.out.label("onward")
        self.killed(node.body)
        self.out.start(test)
        k = self.out.load(f"%k.{which}", "i64")
        more = self.out.op(f"icmp slt i64 {k}, {self.out.load(f'%n.{which}', 'i64')}")
        self.out.branch(more, body, after, likely=True)
        self.out.start(body)
        self._count_to(name, which, k, whole, node)
        self._loop_body(node.body, path, Loop(after, onward))
        self.out.jump(onward)
        self.out.start(onward)
        self.wholes.pop(name, None)
        k = self.out.op(f"add nsw i64 {self.out.load(f'%k.{which}', 'i64')}, 1")
        self.out.store(f"%k.{which}", "i64", k)
        self.out.jump(test)
        self.out.start(after)

    def _count_to(self, name: str, which: int, k: str, whole: bool, node: ast.For) -> None:
        """Set the counter of pass ``k``."""
        found = self.env[name]
        kind = "i64" if whole else "double"
        start, step = self.out.load(f"%a.{which}", kind), self.out.load(f"%s.{which}", kind)
        if whole:
            moved = self.out.op(f"mul nsw i64 {k}, {step}")
            self.out.store(f"%w.{which}", "i64", self.out.op(f"add nsw i64 {start}, {moved}"))
            x = self.out.op(f"sitofp i64 {self.out.load(f'%w.{which}', 'i64')} to double")
        else:
            at = self.out.op(f"sitofp i64 {k} to double")
            x = self.out.op(f"fadd double {start}, {self.out.op(f'fmul double {at}, {step}')}")
        self.write(name, Val(DOUBLE, x), node.span)
        if whole and not self.program.assigns(node.body, name) and not found.array:
            self.wholes[name] = f"%w.{which}"


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
