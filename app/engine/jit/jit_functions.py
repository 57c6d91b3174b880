"""Functions of the same file that compiled code calls, recursion included.

A compiled function touches nothing but its own variables, so a check that fails inside it just
ends it: the statement that called it is run by the interpreter from its beginning.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import names_of_function
from app.engine.jit.builder import Builder, Refused, Val
from app.engine.jit.calls import parameter_type
from app.engine.jit.complexes import as_complex
from app.engine.jit.facts import text_facts
from app.engine.jit.jit_expressions import Expressions
from app.engine.jit.jit_statements import Statements
from app.engine.jit.jit_types import Type
from app.engine.jit.program import POLL
from app.engine.jit.variables import FIELDS, SET, Variables
from app.engine.language import ast
from app.records import mutable_record
from app.source import Span

if TYPE_CHECKING:
    from app.engine.jit.program import Program

DEEPEST = 2000
"""Calls inside each other; deeper ones are left to the interpreter and its limit."""

MOST_TRIES = 12


@mutable_record
class Instance:
    """A function compiled for the types of its arguments.

    Attributes:
        name: its name in the module.
        results: the types of its outputs as far as they are known.
        text: its code; empty while it is being compiled.
    """

    name: str
    results: list[Type | None]
    text: str = ""
    busy: bool = True
    used: bool = field(default=False)


class FunctionCode:
    """Compiles one function."""

    def __init__(
        self,
        program: Program,
        node: ast.FunctionDef,
        types: tuple[Type | None, ...],
        instance: Instance,
        env: dict[str, Type],
        tentative: bool,
    ) -> None:
        names = names_of_function(node)
        self.program = program
        self.node = node
        self.types = types
        self.instance = instance
        self.parameters = names.parameters
        self.outputs = names.outputs[: len(instance.results)]
        self.locals: set[str] = set()
        assigned = frozenset(names.assigned - {"ans"})
        arrays, self.written = text_facts(node.body, assigned)
        given = zip(self.parameters, types, strict=False)
        defined = {n for n, t in given if t is not None and n != "~"}
        self.out = Builder(exit=self.exit, declared=program.declared)
        self.variables = Variables(self.out, env, arrays, defined)
        self.low = Expressions(self.out, program, assigned, self.variables, self.keep_scratch)
        self.low.depth, self.low.moves = "%depth", True
        self.statements = Statements(self.low, self, tentative)

    def exit(self) -> str:
        """Any check that fails ends the function."""
        return "fail"

    def trap(self, reason: str, span: Span | None) -> str:
        """A statement that cannot be compiled ends it too."""
        return "fail"

    def leave_function(self) -> None:
        """``return``."""
        self.out.jump("return")

    def mark_draws(self, node: ast.Node) -> None:
        """The calling statement takes random numbers back."""

    def keep_scratch(self, name: str) -> None:
        """An array without a name belongs to this function."""
        self.locals.add(name)

    # --- code ---

    def run(self) -> str:
        """The text of the function."""
        for name, kind in zip(self.parameters, self.types, strict=False):
            if name != "~" and kind is not None:
                self.variables.note(name, kind, self.node.span)
        self.statements.block(self.node.body, ())
        self.out.jump("return")
        self.out.open = True
        self.out.lines.append("return:")
        self._return()
        body, self.out.lines = self.out.lines, []
        enter = self._enter()
        self._fail()
        fail, self.out.lines = self.out.lines, []
        slots = [f"  {name} = alloca {kind}" for name, kind in self.out.slots.items()]
        head = f"define internal i1 @{self.instance.name}({self._signature()}) #0 {{"
        return "\n".join([head, "entry:", *slots, *enter, *body, *fail, "}"])

    def _signature(self) -> str:
        made = ["ptr %s", "i64 %depth"]
        for k, kind in enumerate(self.types):
            if kind is not None:
                made.append(f"{parameter_type(kind)} %in{k}")
        made += [f"ptr %out{k}" for k in range(len(self.instance.results))]
        return ", ".join(made)

    def _arrays(self) -> list[str]:
        named = [
            n
            for n in sorted(self.low.names)
            if n in self.variables.env and self.variables.env[n].array
        ]
        return [*named, *sorted(self.locals)]

    def _enter(self) -> list[str]:
        self.out.open = True
        flag = self.out.op(f"load ptr, ptr {self.program.word(self.out, POLL)}")
        self.out.store("%poll", "ptr", flag)
        for name in sorted(self.low.names):
            self.out.store(f"%f.{name}", "i64", "0")
        for name in self._arrays():
            for which, memory in FIELDS:
                self.out.store(f"%{which}.{name}", memory, "null" if memory == "ptr" else "0")
        self.out.require(self.out.op(f"icmp slt i64 %depth, {DEEPEST}"))
        self.statements.look_up()
        for k, (name, kind) in enumerate(zip(self.parameters, self.types, strict=False)):
            if kind is not None and name != "~":
                self._take(name, kind, f"%in{k}")
        self.out.jump("start")
        self.out.lines.append("start:")
        made, self.out.lines = self.out.lines, []
        return made

    def _take(self, name: str, kind: Type, given: str) -> None:
        """A parameter becomes a variable; an array that is changed here is copied."""
        assert kind.kind is not None
        self.out.store(f"%f.{name}", "i64", str(SET))
        wanted = self.variables.env[name]
        if kind.kind is not wanted.kind and kind.array:
            raise Refused(f"'{name}' becomes complex")
        number = Val(kind, given)
        if kind.kind is not wanted.kind:
            number = as_complex(self.out, number)
        assert wanted.kind is not None
        if not kind.array and wanted.array:
            self.variables.make_room(name, wanted.kind, "1", "1", "1")
            self.variables.put_element(self.variables.part(name, "p"), "0", number)
        elif not kind.array:
            self.out.store(f"%v.{name}", wanted.kind.llvm, number.text)
        else:
            self.variables.load_facts(name, given)
            if name in self.written:
                self.variables.own_borrowed(name, kind.kind.size)

    def _return(self) -> None:
        """Hand the outputs over and free the other arrays."""
        for k, name in enumerate(self.outputs):
            found = self.variables.env.get(name)
            if found is None:
                self.out.jump("fail")
                self.statements.unknown = True
                return
            self.instance.results[k] = found
            flag = self.out.load(f"%f.{name}", "i64")
            self.out.require(self.out.op(f"icmp eq i64 {flag}, {SET}"))
        for k, name in enumerate(self.outputs):
            self._hand_over(k, name)
        self._free()
        self.out.emit("ret i1 true")

    def _hand_over(self, k: int, name: str) -> None:
        kind = self.variables.env[name]
        assert kind.kind is not None
        if not kind.array:
            text = self.out.load(f"%v.{name}", kind.kind.llvm)
            self.out.emit(f"store {kind.kind.llvm} {text}, ptr %out{k}")
            return
        self.variables.own_borrowed(name, kind.kind.size)
        facts = (self.variables.fact(name, which) for which, _ in FIELDS)
        self.variables.store_facts(f"%out{k}", facts)
        self.variables.set_part(name, "o", "0")

    def _free(self) -> None:
        for name in self._arrays():
            self.variables.free_ours(name)

    def _fail(self) -> None:
        self.out.open = True
        self.out.lines.append("fail:")
        self._free()
        self.out.emit("ret i1 false")


def instance_of(
    program: Program,
    node: ast.FunctionDef,
    types: tuple[Type | None, ...],
    outputs: int,
    span: Span,
) -> Instance:
    """The compiled function for these types; compiles it when it is new."""
    key = (node.name, types, outputs)
    found = program.instances.get(key)
    if found is not None:
        return found
    _check(node, types, outputs, span)
    made = Instance(f"f{len(program.instances)}.{node.name}", [None] * outputs)
    program.instances[key] = made
    env: dict[str, Type] = {}
    tentative = True
    try:
        for _ in range(MOST_TRIES):
            before, known = dict(env), list(made.results)
            code = FunctionCode(program, node, types, made, env, tentative)
            made.text = code.run()
            if (
                code.variables.changed
                or known != made.results
                or (code.statements.unknown and env != before)
            ):
                continue
            if code.statements.unknown and tentative:
                tentative = False
                continue
            made.busy = False
            return made
    except Refused:
        del program.instances[key]
        raise
    raise Refused(f"the types in '{node.name}' do not settle", span)


def _check(node: ast.FunctionDef, types: tuple[Type | None, ...], outputs: int, span: Span) -> None:
    names = names_of_function(node)
    plain = not (node.arguments or node.functions or names.globals or names.persistent)
    listed = "varargin" in names.parameters or "varargout" in names.outputs
    if not plain or listed or names.dynamic or any(p.default for p in node.inputs):
        raise Refused(f"'{node.name}' has more than plain inputs, outputs and variables", span)
    if len(types) > len(names.parameters) or outputs > max(1, len(names.outputs)):
        raise Refused(f"'{node.name}' is called with too many arguments or outputs", span)
    if not names.outputs:
        raise Refused(f"'{node.name}' gives no value", span)
