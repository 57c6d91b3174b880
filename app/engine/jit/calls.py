"""Calls of functions of the same file: arguments, outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import free_names, walk
from app.engine.jit.arrays import Array, Operand
from app.engine.jit.builder import Refused, Unknown, Val
from app.engine.jit.expressions import Expressions
from app.engine.jit.specialisation import rewritten
from app.engine.jit.types import Type, array_type
from app.engine.jit.variables import FIELDS
from app.engine.language import ast
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.specialisation import Handle

BLOCK = f"[{len(FIELDS)} x i64]"
"""The facts of an array in memory."""

Result = tuple[Type, str]
"""An output: its type and its place in memory."""


def passed(kind: Type) -> str:
    """How an argument is passed."""
    assert kind.kind is not None
    return "ptr" if kind.array else kind.kind.llvm


def room(kind: Type) -> str:
    """The memory of an output."""
    assert kind.kind is not None
    return BLOCK if kind.array else kind.kind.llvm


class Calls(Expressions):
    """Calls of local functions.

    Attributes:
        depth: how many compiled calls are running, as an operand.
        moves: True inside functions.
    """

    depth: str = "0"
    moves: bool = False

    def called(self, node: ast.Expr) -> tuple[ast.FunctionDef, tuple[ast.Expr, ...]] | None:
        """The function of the same file that ``node`` calls, and its arguments."""
        base = node.base if isinstance(node, ast.Index) else node
        if not isinstance(base, ast.Name) or base.id in self.variables:
            return None
        found = self.program.local_function(base.id)
        if found is None:
            return None
        return found, node.args if isinstance(node, ast.Index) else ()

    def call_local(
        self, function: ast.FunctionDef, args: tuple[ast.Expr, ...], span: Span
    ) -> Operand:
        """A function of the same file inside an expression."""
        (made,) = self.call(function, args, 1, span)
        if not made[0].array:
            return self.scalar_result(made, span)
        apart = self.out.label("result.")
        self.keep_scratch(apart)
        self._take_result(apart, made)
        kind, rows, columns = made[0].kind, self.part(apart, "r"), self.part(apart, "c")
        assert kind is not None
        rows, columns = (
            "1" if made[0].form == form else extent
            for form, extent in (("row", rows), ("column", columns))
        )
        data = self.part(apart, "p")
        return Array(kind, rows, columns, lambda k: self.element(data, k, kind), data=data)

    def call_handle(self, handle: Handle, args: tuple[ast.Expr, ...], node: ast.Expr) -> Operand:
        """A call through a handle: the anonymous function's expression in its place."""
        if handle.node is None:
            return self.call_function(handle.name, args, node)
        parameters = [p.name for p in handle.node.parameters]
        if len(args) != len(parameters) or "varargin" in parameters:
            raise Refused("a call of a handle with other arguments than it has", node.span)
        names = dict(handle.captured)
        free = free_names(handle.node.body, frozenset((*parameters, *names)))
        if free & self.variables:
            raise Refused("a handle whose function has the name of a variable", node.span)
        bound = {self._bind(self.operand(a)): p for p, a in zip(parameters, args, strict=True)}
        names |= {p: name for name, p in bound.items() if p != "~"}

        def rename(n: ast.Node) -> ast.Node:
            if isinstance(n, ast.Name) and n.id in names:
                return ast.Name(n.span, names[n.id])
            return n

        before, ends = self.variables, self.ends
        self.variables, self.ends = before | set(bound), []
        body = rewritten(handle.node.body, rename)
        try:
            return self.operand(body)  # type: ignore[arg-type]
        finally:
            self.variables, self.ends = before, ends
            for name in bound:
                del self.env[name]

    def _bind(self, made: Operand) -> str:
        """A new variable with this value; its name."""
        name = self.out.label("arg.")
        self.defined.add(name)
        if isinstance(made, Val):
            assert made.type.kind is not None
            self.env[name] = made.type
            self.out.store(f"%v.{name}", made.type.kind.llvm, made.text)
            return name
        a = self.stored(made)
        self.keep_scratch(name)
        facts = (a.data, self.count_of(a), a.rows, a.columns, "0", "0")
        for (which, _), text in zip(FIELDS, facts, strict=True):
            self.set_part(name, which, text)
        self.env[name] = array_type(a.kind, a.rows, a.columns)
        return name

    def call(
        self,
        node: ast.FunctionDef,
        args: tuple[ast.Expr, ...],
        outputs: int,
        span: Span,
        moved: str = "",
    ) -> list[Result]:
        """Call a function; leaves compiled code when a check inside it fails.

        The array ``moved``, which the result replaces, is given away rather than lent: inside a
        function nothing has to be put back when a check fails.
        """
        names = [n.id for a in args for n in walk((a,)) if isinstance(n, ast.Name)]
        away = moved if self.moves and names.count(moved) == 1 else ""
        given = [self._argument(a, away) for a in args]
        made = self.program.instance(node, tuple(t for t, _ in given), outputs, span)
        if any(r is None for r in made.results):
            raise Unknown(f"'{node.name}' has no value yet", span)
        results = [r for r in made.results if r is not None]
        places = [self.out.slot(f"%r.{self.out.label('result')}", room(r)) for r in results]
        deeper = self.out.op(f"add i64 {self.depth}, 1")
        words = ["ptr %s", f"i64 {deeper}", *(f"{passed(t)} {v}" for t, v in given)]
        words += [f"ptr {p}" for p in places]
        self.require(self.out.op(f"call i1 @{made.name}({', '.join(words)})"))
        return list(zip(results, places, strict=True))

    def _argument(self, node: ast.Expr, away: str) -> Result:
        """An argument: a scalar's register, or the place of an array's facts."""
        if isinstance(node, ast.Name) and node.id in self.variables:
            kind = self.type_of(node.id, node.span)
            if kind.array:
                self.check_set(node.id)
                block = self.out.slot(f"%r.{self.out.label('array')}", BLOCK)
                for k, (which, memory) in enumerate(FIELDS):
                    place = self.out.op(f"getelementptr i64, ptr {block}, i64 {k}")
                    lent = which in "mo" and node.id != away
                    text = "0" if lent else self.part(node.id, which)
                    self.out.emit(f"store {memory} {text}, ptr {place}")
                if node.id == away:
                    self.set_part(node.id, "o", "0")
                return kind, block
        made = self.operand(node)
        if isinstance(made, Val):
            return made.type, made.text
        a = self.stored(made)
        block = self.out.slot(f"%r.{self.out.label('array')}", BLOCK)
        facts = (a.data, self.count_of(a), a.rows, a.columns, "0", "0")
        for k, ((_, memory), text) in enumerate(zip(FIELDS, facts, strict=True)):
            place = self.out.op(f"getelementptr i64, ptr {block}, i64 {k}")
            self.out.emit(f"store {memory} {text}, ptr {place}")
        return array_type(a.kind, a.rows, a.columns), block

    def scalar_result(self, made: Result, span: Span) -> Val:
        """An output that must be a scalar."""
        kind, place = made
        assert kind.kind is not None
        if kind.array:
            raise Refused("a function that gives an array inside an expression", span)
        return Val(kind, self.out.op(f"load {kind.kind.llvm}, ptr {place}"))

    def assign_result(self, name: str, made: Result, span: Span) -> None:
        """``name = output``."""
        kind, _ = made
        if not kind.array:
            self.write(name, self.scalar_result(made, span), span)
            return
        self.note(name, kind, span)
        self._take_result(name, made)
        self.set_flag(name)

    def _take_result(self, name: str, made: Result) -> None:
        """Hold an output that is an array under a name."""
        self.free_ours(name)
        for k, (which, memory) in enumerate(FIELDS):
            at = self.out.op(f"getelementptr i64, ptr {made[1]}, i64 {k}")
            self.out.store(f"%{which}.{name}", memory, self.out.op(f"load {memory}, ptr {at}"))
