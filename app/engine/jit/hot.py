"""Functions that call themselves, called from the interpreter: compiled as a whole when hot.

A compiled function touches nothing but its own variables, so when a check fails inside it the
function as it always was is called instead.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.unit import link_name
from app.engine.jit import reporting
from app.engine.jit.background_build import remember, was_hot
from app.engine.jit.builder import TOO_DEEP, Builder, Refused, Unknown
from app.engine.jit.calls import BLOCK, parameter_type, room
from app.engine.jit.facts import Facts
from app.engine.jit.interruption import question_of
from app.engine.jit.jit_functions import instance_of
from app.engine.jit.jit_types import Type, type_of
from app.engine.jit.machine_code import MachineCode
from app.engine.jit.policy import Policy
from app.engine.jit.prelude import module
from app.engine.jit.program import KEY, LOOPS, OFFSET, WORDS_OF_LOOP, WRONG, Program
from app.engine.jit.region import Compiled
from app.engine.jit.state import State
from app.engine.jit.variables import FIELDS
from app.engine.values.random_stream import stream_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.engine.interpreter.unit import Unit
    from app.engine.language import ast

MOST_FAILURES = 8


class HotFunction:
    """A recursive function of a file.

    Attributes:
        made: the function in the interpreter.
        digest: what it is known by.
        known: True when an earlier run compiled it.
        code: machine code by argument types and number of outputs; None where there is none.
    """

    def __init__(
        self, unit: Unit, node: ast.FunctionDef, made: Callable[..., Any], digest: str
    ) -> None:
        self.digest = digest
        self.known = was_hot(digest)
        self.unit = unit
        self.node = node
        self.made = made
        self.code: dict[Any, Code | None] = {}
        self.__name__ = node.name

    def stand_aside(self) -> None:
        """Nothing is compiled yet: until then the name leads past this entry."""
        space, key = self.unit.namespace, link_name(self.node.name)
        if space.get(key) is self and not any(c and c.code.function for c in self.code.values()):
            space[key] = self.made

    def step_in(self) -> None:
        """There is machine code: the name leads here again, in later runs at once."""
        remember(self.digest)
        space, key = self.unit.namespace, link_name(self.node.name)
        if space.get(key) is self.made:
            space[key] = self

    @contextmanager
    def interpreted(self) -> Iterator[None]:
        """Within it the function's name leads to the interpreter."""
        space, key = self.unit.namespace, link_name(self.node.name)
        kept = space.get(key)
        space[key] = self.made
        try:
            yield
        finally:
            if space.get(key) is self.made and kept is not None:
                space[key] = kept

    def __call__(self, *args: Any, nargout: int = 1) -> Any:
        """Call it: in machine code where there is some for these arguments."""
        key = (*map(type_of, args), nargout)
        found = self.code[key] if key in self.code else self._compile(args, nargout, key)
        if found is None or found.code.function is None or self._is_looked_at():
            return self.made(*args, nargout=nargout)
        return found.call(self, args, nargout)

    def _is_looked_at(self) -> bool:
        return self.unit.interpreter.debugger.looks_at(self.unit.source.name)

    def _compile(self, args: tuple[Any, ...], nargout: int, key: Any) -> Code | None:
        try:
            made: Code | None = _code(self, tuple(map(type_of, args)), max(1, nargout))
        except Refused as problem:
            made = None
            self.stand_aside()
            line = self.unit.source.line_of((problem.span or self.node.span).start)
            reporting.report_refusal(
                self.unit, line, f"the function is not compiled: {problem.reason}"
            )
        self.code[key] = made
        return made


def _code(hot: HotFunction, types: tuple[Type | None, ...], outputs: int) -> Code:
    try:
        return Code(hot, types, outputs)
    except RecursionError:
        raise Refused(TOO_DEEP) from None


class Code:
    """Machine code of a function for certain types."""

    def __init__(self, hot: HotFunction, types: tuple[Type | None, ...], outputs: int) -> None:
        program = Program(hot.unit.interpreter, hot.unit, instance_of)
        if any(t is None or t.kind is None for t in types):
            raise Refused("an argument of a class that is not compiled")
        made = program.instance(hot.node, types, outputs, hot.node.span)
        results = [r for r in made.results if r is not None]
        if len(results) < outputs:
            raise Unknown("its outputs have no known class", hot.node.span)
        self.types = [t for t in types if t is not None]
        self.inputs = tuple(f"in{k}" for k in range(len(types)))
        self.outputs = tuple(f"out{k}" for k in range(outputs))
        self.random, self.guesses = program.random, program.guesses
        self.failures = 0
        text, self.compiled = _entry(program, made.name, self.types, results)
        self.state = State(self.compiled, _facts(self.inputs, self.outputs))
        self.code = MachineCode(text, False, hot.step_in)
        hot.stand_aside()
        self.code.begin(hot.known)

    def call(self, hot: HotFunction, args: tuple[Any, ...], nargout: int) -> Any:
        """Run it; the interpreter does it from the beginning when a check fails."""
        interpreter = hot.unit.interpreter
        question = question_of(interpreter)
        header = [0, question.flag, question.address, 0, 0, 0]
        stream = stream_of(interpreter.context) if self.random else None
        if stream is not None:
            if stream.generator != "philox":
                return hot.made(*args, nargout=nargout)
            header[KEY : OFFSET + 1] = [_signed_word(stream.key), stream.offset]
        values = args + (None,) * len(self.outputs)
        buffer, held = self.state.enter(header, values)
        question.files = {hot.unit.source.name}
        started = perf_counter()
        assert self.code.function is not None
        failed = self.code.function(ctypes.addressof(buffer))
        self.code.ran(perf_counter() - started)
        problem, question.problem = question.problem, None
        if problem is not None:
            raise problem
        if failed:
            self._learn(hot, ctypes.c_int64.from_buffer(buffer, 8 * WRONG).value)
            return self._interpreted_call(hot, args, nargout)
        words, made = self.state.leave(buffer, held, values)
        if stream is not None:
            stream.offset = words[OFFSET]
        results = made[len(args) :]
        return results[0] if nargout <= 1 else tuple(results)

    def _learn(self, hot: HotFunction, wrong: int) -> None:
        """What was guessed wrong about an expression the next code knows."""
        if wrong:
            hot.unit.wrong_guesses.add(self.guesses[wrong - 1])
            hot.code.clear()

    def _interpreted_call(self, hot: HotFunction, args: tuple[Any, ...], nargout: int) -> Any:
        """The interpreter does it, and all calls below it, too."""
        self.failures += 1
        if self.failures > MOST_FAILURES and self.code.seconds < self.failures * Policy.exit_s:
            self.code.give_up()
        with hot.interpreted():
            return hot.made(*args, nargout=nargout)


def _signed_word(key: int) -> int:
    return key - (1 << 64) if key >> 63 else key


def _facts(inputs: tuple[str, ...], outputs: tuple[str, ...]) -> Facts:
    return Facts(inputs + outputs, frozenset(inputs), frozenset(), frozenset(), frozenset(outputs))


def _entry(
    program: Program, name: str, types: list[Type], results: list[Type]
) -> tuple[str, Compiled]:
    """The module of a function with ``i64 run(ptr state)``, which gives 0 when all went well."""
    out = Builder(exit=lambda: "failed", declared=program.declared)
    layout, words = _layout(types, results)
    given = [_argument_of_words(program, out, *layout[f"in{k}"]) for k in range(len(types))]
    places = [out.slot(f"%r.{k}", room(r)) for k, r in enumerate(results)]
    passing = [
        "ptr %s",
        "i64 0",
        *(f"{parameter_type(t)} {v}" for t, v in zip(types, given, strict=True)),
    ]
    passing += [f"ptr {p}" for p in places]
    out.require(out.op(f"call i1 @{name}({', '.join(passing)})"))
    for k, place in enumerate(places):
        _given_back(program, out, place, *layout[f"out{k}"])
    out.emit("ret i64 0")
    slots = [f"  {n} = alloca {kind}" for n, kind in out.slots.items()]
    lines = [
        "define i64 @run(ptr %s) #0 {",
        "entry:",
        *slots,
        *out.lines,
        "failed:",
        "  ret i64 1",
        "}",
    ]
    bodies = ["\n".join(lines), *(i.text for i in program.instances.values())]
    nothing: frozenset[Any] = frozenset()
    return module(bodies, program.declared), Compiled(
        "", layout, words, (), {}, {}, nothing, nothing, frozenset(program.lines), program.random
    )


def _layout(types: list[Type], results: list[Type]) -> tuple[dict[str, tuple[Type, int]], int]:
    layout: dict[str, tuple[Type, int]] = {}
    at = LOOPS + WORDS_OF_LOOP
    named = [(f"in{k}", t) for k, t in enumerate(types)]
    named += [(f"out{k}", t) for k, t in enumerate(results)]
    for name, kind in named:
        layout[name] = (kind, at)
        assert kind.kind is not None
        at += 1 + (len(FIELDS) if kind.array else kind.kind.words)
    return layout, at


def _argument_of_words(program: Program, out: Builder, kind: Type, at: int) -> str:
    """An argument out of the words: an array stays where it is."""
    if kind.array:
        return program.word(out, at + 1)
    assert kind.kind is not None
    return program.load_scalar(out, kind.kind.llvm, at + 1)


def _given_back(program: Program, out: Builder, place: str, kind: Type, at: int) -> None:
    """An output into the words."""
    out.emit(f"store i64 1, ptr {program.word(out, at)}")
    if kind.array:
        target = program.word(out, at + 1)
        out.emit(f"store {BLOCK} {out.op(f'load {BLOCK}, ptr {place}')}, ptr {target}")
        return
    assert kind.kind is not None
    text = out.op(f"load {kind.kind.llvm}, ptr {place}")
    program.store_scalar(out, kind.kind.llvm, text, at + 1, kind.kind.signed)
