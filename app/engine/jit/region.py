"""A loop to a function of machine code: ``i64 run(ptr state)``.

Types are found by compiling again until no variable's type changes any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit.builder import Builder, Refused
from app.engine.jit.facts import meant_in
from app.engine.jit.jit_expressions import Expressions
from app.engine.jit.jit_functions import instance_of
from app.engine.jit.jit_loops import for_passes, while_passes
from app.engine.jit.jit_statements import RETURNED, Exit, Path, Statements
from app.engine.jit.jit_types import DOUBLE, Type
from app.engine.jit.prelude import module
from app.engine.jit.program import (
    LOOPS,
    OFFSET,
    POLL,
    WORDS_OF_LOOP,
    Program,
)
from app.engine.jit.undoing import WRITTEN
from app.engine.jit.variables import FIELDS, Variables
from app.engine.language import ast
from app.engine.language.walk import walk_body
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.specialisation import Specialised
    from app.source import Span

FIRST_EXIT = 8
MOST_TRIES = 12
MOST_NODES = 6000
"""Of syntax; compiling longer loops takes seconds."""


@record
class Compiled:
    """The outcome of compiling a loop.

    Attributes:
        text: the module.
        variables: the variables it holds, with their types and the number of their first word.
        words: how many words its state has.
        exits: where it may be left, by number less ``FIRST_EXIT``.
        inner: counted loops inside: their path and the number of their words.
        listed: those that go through a row: what holds it, by their number.
        whole: counted loops inside whose counter is a whole number.
        written: arrays that it changes element by element.
        lines: the source lines it covers.
        random: True when it draws random numbers.
        wide: True when it computes whole arrays.
        guesses: operands that it takes for vectors, by the number that it leaves behind.
    """

    text: str
    variables: dict[str, tuple[Type, int]]
    words: int
    exits: tuple[Exit, ...]
    inner: dict[Path, int]
    listed: dict[int, str]
    whole: frozenset[int]
    written: frozenset[str]
    lines: frozenset[int]
    random: bool
    wide: bool = False
    guesses: tuple[Span, ...] = ()


class Region:
    """Compiles one loop."""

    def __init__(
        self,
        program: Program,
        special: Specialised,
        entry: Mapping[str, Type],
        env: dict[str, Type],
        whole: bool,
        tentative: bool,
    ) -> None:
        self.program = program
        self.node = special.node
        self.facts = facts = special.facts
        self.whole_counter = whole
        self.scratch: set[str] = set()
        self.out = Builder(exit=self.exit, declared=program.declared)
        meant = meant_in(self.node)
        self.variables = Variables(self.out, env, facts.arrays, set(entry) - meant)
        self.variables.meant = meant
        names = frozenset(facts.names) | special.local
        self.local = special.local
        self.variables.columns = special.columns
        self.low = Expressions(self.out, program, names, self.variables, self.keep_scratch)
        self.statements = Statements(self.low, self, tentative)
        self.statements.lists = special.lists

    def exit(self) -> str:
        """The label that leaves before the current statement."""
        return self._current_exit().label

    def _current_exit(self) -> Exit:
        if self.statements.here is None:
            self.statements.here = self._new_exit()
        return self.statements.here

    def _new_exit(self, reason: str = "", span: Span | None = None) -> Exit:
        statements = self.statements
        path = statements.path if statements.anchor is None else statements.anchor
        made = Exit(path, self.out.label("exit"), reason, span, undo=statements.undo)
        self.statements.exits.append(made)
        return made

    def trap(self, reason: str, span: Span | None) -> str:
        """Another place to leave, for a statement that cannot be compiled."""
        return self._new_exit(reason, span).label

    def mark_draws(self, node: ast.Node) -> None:
        """Before a statement: leaving it takes back the random numbers it drew."""
        if self.program.draws(node):
            self._current_exit().draws = True
            self.out.store("%mark", "i64", self.program.offset(self.out))

    def leave_function(self) -> None:
        """``return`` ends the loop; the function goes on to return in the interpreter."""
        self.out.emit(f"store i64 {RETURNED}, ptr {self.out.slot('%site', 'i64')}")
        self.out.jump("leave")

    def run(self) -> None:
        """Compile the loop itself."""
        if isinstance(self.node, ast.For):
            self._for_passes(self.node)
        else:
            while_passes(self.statements, self.node, (), (), "while", "endwhile")
        self.out.store("%site", "i64", "0")
        self.out.jump("leave")

    def _for_passes(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        self.out.slot("%a.0", "i64" if self.whole_counter else "double")
        self.variables.note(node.target.id, DOUBLE, node.span)
        for_passes(self.statements, node, node.target.id, 0, (), "for", "endfor")

    # --- the whole function ---

    def text(self) -> tuple[str, dict[str, tuple[Type, int]], int]:
        """The function's text, its variables and the number of its words."""
        body, self.out.lines = self.out.lines, []
        env = self.variables.env
        self.scratch |= {n for n in self.local if n in env and env[n].array}
        loops = LOOPS + WORDS_OF_LOOP * (1 + len(set(self.statements.inner.values())))
        layout: dict[str, tuple[Type, int]] = {}
        at = loops
        for name in self.facts.names:
            found = self.variables.env.get(name)
            if found is not None and found.kind is not None:
                layout[name] = (found, at)
                at += 1 + (len(FIELDS) if found.array else found.kind.words)
        enter = self._enter(layout)
        leave = self._leave(layout)
        slots = [f"  {name} = alloca {kind}" for name, kind in self.out.slots.items()]
        lines = ["define i64 @run(ptr %s) #0 {", "entry:", *slots, *enter, *body, *leave, "}"]
        return "\n".join(lines), layout, at

    def _section(self) -> list[str]:
        made, self.out.lines = self.out.lines, []
        return made

    def _enter(self, layout: dict[str, tuple[Type, int]]) -> list[str]:
        self.out.open = True
        flag = self.out.op(f"load ptr, ptr {self.program.word(self.out, POLL)}")
        self.out.store("%poll", "ptr", flag)
        for which, slot in self._loop_slots():
            if which < LOOPS + WORDS_OF_LOOP:
                self._load_word(slot, self.out.slots[slot], which)
        for name, (kind, at) in layout.items():
            for k, (slot, memory) in enumerate(_slots(name, kind)):
                self._load_word(slot, memory, at + k)
        for slot in sorted(s for s in self.out.slots if s.startswith(WRITTEN)):
            self.out.store(slot, "i64", "0")
        for name in sorted(self.scratch):
            for field, memory in FIELDS:
                self.out.store(f"%{field}.{name}", memory, "null" if memory == "ptr" else "0")
        self.out.jump("start")
        self.out.lines.append("start:")
        return self._section()

    def _loop_slots(self) -> list[tuple[int, str]]:
        """Words and slots of the counted loops."""
        made = []
        for number in [0, *sorted(set(self.statements.inner.values()))]:
            for k, which in enumerate("kasn"):
                slot = f"%{which}.{number}"
                if slot in self.out.slots:
                    made.append((LOOPS + WORDS_OF_LOOP * number + k, slot))
        return made

    def _load_word(self, slot: str, kind: str, word: int) -> None:
        self.out.store(slot, kind, self.program.load_scalar(self.out, kind, word))

    def _store_word(self, slot: str, kind: str, word: int, signed: bool) -> None:
        text = self.out.load(slot, kind)
        self.program.store_scalar(self.out, kind, text, word, signed)

    def _leave(self, layout: dict[str, tuple[Type, int]]) -> list[str]:
        for k, exit_ in enumerate(self.statements.exits):
            self.out.lines.append(f"{exit_.label}:")
            self.out.open = True
            exit_.undo.put_back(self.variables, self.out)
            if exit_.draws:
                mark = self.out.load("%mark", "i64")
                self.out.emit(f"store i64 {mark}, ptr {self.program.word(self.out, OFFSET)}")
            self.out.store("%site", "i64", str(FIRST_EXIT + k))
            self.out.jump("leave")
        self.out.lines.append("leave:")
        self.out.open = True
        for word, slot in self._loop_slots():
            self._store_word(slot, self.out.slots[slot], word, signed=True)
        for name, (kind, at) in layout.items():
            for k, (slot, memory) in enumerate(_slots(name, kind)):
                signed = kind.kind is not None and kind.kind.signed
                self._store_word(slot, memory, at + k, signed)
        self._free_scratch()
        self.out.emit(f"ret i64 {self.out.load('%site', 'i64')}")
        return self._section()

    def keep_scratch(self, name: str) -> None:
        """An array that no variable names."""
        self.scratch.add(name)

    def _free_scratch(self) -> None:
        for name in sorted(self.scratch):
            self.variables.free_ours(name)


def _slots(name: str, kind: Type) -> list[tuple[str, str]]:
    """The slots of a variable in the order of its words."""
    flag = (f"%f.{name}", "i64")
    if kind.array:
        return [flag, *((f"%{which}.{name}", memory) for which, memory in FIELDS)]
    assert kind.kind is not None
    return [flag, (f"%v.{name}", kind.kind.llvm)]


def compile_loop(
    interpreter: Interpreter,
    unit: Unit,
    special: Specialised,
    entry: Mapping[str, Type],
    whole: bool,
) -> Compiled:
    """Compile a loop for the types met at entry, those of exposed variables; raises Refused."""
    if sum(1 for _ in walk_body((special.node,))) > MOST_NODES:
        raise Refused("the loop is too long", special.node.span)
    env = dict(entry)
    tentative = True
    for _ in range(MOST_TRIES):
        program = Program(interpreter, unit, instance_of)
        region = Region(program, special, entry, env, whole, tentative)
        before = dict(env)
        region.run()
        if region.variables.changed or (region.statements.unknown and env != before):
            continue
        if region.statements.unknown:
            tentative = False
            continue
        return _compiled_region(region, program)
    raise Refused("the types of its variables do not settle", special.node.span)


def _compiled_region(region: Region, program: Program) -> Compiled:
    text, layout, words = region.text()
    bodies = [text, *(i.text for i in program.instances.values())]
    whole = frozenset(
        n for n in region.statements.inner.values() if region.out.slots.get(f"%a.{n}") == "i64"
    )
    return Compiled(
        module(bodies, program.declared),
        layout,
        words,
        tuple(region.statements.exits),
        region.statements.inner,
        region.statements.listed,
        whole,
        region.facts.written,
        frozenset(program.lines),
        program.random,
        program.wide,
        tuple(program.guesses),
    )
