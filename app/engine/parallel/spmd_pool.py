"""``spmd``: the same statements in every worker, which may send values to each other."""

from __future__ import annotations

from collections import deque
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from app.engine.declarations.registry import native_type
from app.engine.interpreter.compile.spmd import SpmdBlock
from app.engine.interpreter.compile.spmd_bodies import run_block
from app.engine.interpreter.indexing.subscripts import COLON, is_colon
from app.engine.interpreter.loops.parfor_place import most_workers
from app.engine.language import ast
from app.engine.language.walk import walk
from app.engine.parallel import travelled_code
from app.engine.parallel.parfor_passes import Owner
from app.engine.parallel.pool import POLL_S, Message, Task, loss
from app.engine.parallel.value_encoding import (
    Decoder,
    Encoder,
    Named,
    Sources,
    Tree,
    failure,
    given_to,
    read_head,
)
from app.engine.values import Cell, NativeObject, ObjectValue, Value, as_array
from app.engine.values.random_stream import stream_of
from app.errors import InternalError, MatlabError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.context import Context
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.parallel.parallel import Parallel


class Letter(NamedTuple):
    """A value that one worker of a block sends to another.

    Attributes:
        run: the block.
        source: number of the worker it is from.
    """

    run: int
    source: int
    tag: float
    tree: Tree
    sources: Sources

    def fits(self, source: int, tag: float | None) -> bool:
        """Whether somebody waits for it: 0 for any worker, None for any tag."""
        mine = self.tag >= 0 if tag is None else self.tag == tag
        return mine and source in (0, self.source)


class BlockHead(NamedTuple):
    """What a worker is told of an spmd block.

    Attributes:
        source: number of the text that it is in.
        start: where it begins there.
        given: the variables that all workers have before.
        size: how many workers there are.
    """

    source: int
    sources: Sources
    start: int
    names: tuple[str, ...]
    given: Named
    size: int
    seed: int


class Mailbox(Owner, Protocol):
    """A worker that passes mail on."""

    mail: SimpleQueue[Letter]

    def mail_to(self, number: int, *content: Tree) -> None:
        """Send something to another worker."""


class Member:
    """One worker of a block.

    Attributes:
        index: its number, from 1.
        size: how many there are.
    """

    def __init__(self, owner: Mailbox, index: int, size: int, run: int) -> None:
        self.owner, self.index, self.size, self.run = owner, index, size, run
        self.held: deque[Letter] = deque()

    def send(self, to: int, tag: float, value: Value) -> None:
        """Send a value to another worker."""
        encoder = Encoder(share=False)
        tree = encoder.tree(value)
        self.owner.mail_to(to, self.run, self.index, tag, tree, tuple(encoder.sources))

    def receive(self, source: int, tag: float | None) -> tuple[Value, int, float]:
        """Wait for a value; 0 for any worker, None for any tag."""
        while True:
            for letter in self.held:
                if letter.fits(source, tag):
                    self.held.remove(letter)
                    decoder = Decoder(self.owner.session.interpreter, letter.sources)
                    return decoder.value(letter.tree), letter.source, letter.tag
            self._collect(POLL_S)
            self.owner.session.poll()

    def waits(self, source: int, tag: float | None) -> bool:
        """Whether a value is there."""
        self._collect(0.0)
        return any(letter.fits(source, tag) for letter in self.held)

    def _collect(self, seconds: float) -> None:
        try:
            letter = self.owner.mail.get(block=seconds > 0, timeout=seconds or None)
        except Empty:
            return
        if letter.run == self.run:
            self.held.append(letter)


@native_type
class Composite(NativeObject):
    """A variable that every worker of an spmd block has: ``c{k}`` is that of worker k.

    Attributes:
        values: one per worker, None where it has none.
    """

    class_name = "Composite"
    travels = False

    def __init__(self, values: list[Value]) -> None:
        self.values = values

    @property
    def shape(self) -> tuple[int, ...]:
        """A row of as many as there are workers."""
        return (1, len(self.values))

    def _places(self, args: tuple[Value, ...]) -> list[int]:
        """The workers, from 0, that subscripts name."""
        count = len(self.values)
        if all(is_colon(a) for a in args):
            return list(range(count))
        numbers = as_array(args[-1]).ravel()
        if numbers.dtype == bool:
            numbers = np.flatnonzero(numbers) + 1
        if not all(1 <= n <= count and n == int(n) for n in numbers):
            text = f"A Composite has an element for each of its {count} workers."
            raise MatlabError("parallel:composite:BadIndex", text)
        return [int(n) - 1 for n in numbers]

    def _value(self, place: int) -> Value:
        value = self.values[place]
        if value is None:
            text = f"Worker {place + 1} has no value of the variable."
            raise MatlabError("parallel:composite:Undefined", text)
        return value

    def brace_get(self, ctx: Context, args: tuple[Value, ...], nargout: int) -> Value:
        """``c{k}``; ``c{:}`` and ``c{[1 3]}`` are lists."""
        made = [self._value(k) for k in self._places(args)]
        return made[0] if len(made) == 1 else tuple(made)

    def brace_set(self, ctx: Context, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``c{k} = value``."""
        return self._with(args, [value])

    def paren_get(self, ctx: Context, args: tuple[Value, ...]) -> Value:
        """``c(k)``: the values in a cell."""
        return Cell.of([self._value(k) for k in self._places(args)])

    def paren_set(self, ctx: Context, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``c(k) = {value}``, ``c(:) = {a, b}``."""
        given = list(value.data.ravel(order="F")) if isinstance(value, Cell) else [value]
        return self._with(args, given)

    def _with(self, args: tuple[Value, ...], given: list[Value]) -> Composite:
        places = self._places(args)
        if len(given) not in (1, len(places)):
            text = f"{len(places)} elements of a Composite cannot be set to {len(given)} values."
            raise MatlabError("parallel:composite:BadCount", text)
        made = Composite(list(self.values))
        for k, value in zip(places, given if len(given) > 1 else given * len(places), strict=True):
            made.values[k] = value
        return made

    def methods(self) -> dict[str, Callable[..., Value]]:
        """``exist(c)``: which workers have a value; of one of them ``exist(c, k)``."""
        return {"exist": lambda ctx, args, n: self._exist(args[1:])}

    def _exist(self, args: tuple[Value, ...]) -> Value:
        places = self._places(args or (COLON,))
        there = [self.values[k] is not None for k in places]
        return there[0] if len(there) == 1 else np.array([there])

    def show(self, name: str, style: object) -> str:
        """The classes on the workers."""
        from app.engine.values import class_of

        shown = (
            f"   {k}: {'no data' if v is None else f'class = {class_of(v)}'}\n"
            for k, v in enumerate(self.values, 1)
        )
        return "".join(shown)


def run_spmd(
    parallel: Parallel, block: SpmdBlock, most: Value, values: dict[str, Value]
) -> tuple[Value, ...]:
    """Run a block on the workers; every variable that it sets is a Composite."""
    pool = parallel.pool_or_start()
    if not parallel.spmd_enabled:
        text = "This pool was opened with 'SpmdEnabled', false, so it runs no spmd block."
        raise MatlabError("parallel:lang:spmd:NotEnabled", text)
    size = pool.size
    if most is not None:
        size = min(size, most_workers(as_array(most).ravel()[-1].item()))
    if size == 0:
        return run_block(block, values)
    inbox: SimpleQueue[Message] = SimpleQueue()
    context = parallel.interpreter.context
    values = {k: _in_parts(context, v, size) for k, v in values.items()}
    encoder = Encoder(share=False)
    source = encoder.note(block.unit)
    shared = {k: v for k, v in values.items() if not isinstance(v, Composite)}
    given = tuple((k, encoder.tree(v)) for k, v in shared.items())
    own = [
        tuple(
            (k, encoder.tree(v.values[w]))
            for k, v in values.items()
            if isinstance(v, Composite) and w < len(v.values) and v.values[w] is not None
        )
        for w in range(size)
    ]
    held = stream_of(context)
    before = held.branch()
    seed = held.pass_seed
    held.rejoin(before)
    start = block.node.span.start
    head = BlockHead(source, tuple(encoder.sources), start, block.names, given, size, seed)
    job = parallel.job(pool, "spmd", head)
    tasks = [Task(job, (w + 1, own[w]), inbox, only=w + 1, what="spmd") for w in range(size)]
    pool.submit(*tasks)
    made: list[dict[str, Value]] = [{} for _ in range(size)]
    try:
        left = size
        while left:
            try:
                message = inbox.get(timeout=POLL_S)
            except Empty:
                parallel.interpreter.host.poll()
                continue
            left -= _take(parallel, message, made)
    except BaseException:
        pool.cancel(job)
        raise
    finally:
        pool.end(job)
    return tuple(_composite(context, made, values, n) for n in block.outputs)


def _is_of(value: Value, name: str) -> bool:
    return isinstance(value, ObjectValue) and value.class_info.name == name


def _in_parts(ctx: Context, value: Value, size: int) -> Value:
    """A distributed array as its parts for so many workers; all else as it is."""
    if not _is_of(value, "distributed"):
        return value
    parts = ctx.call("codistributed_parts", (value, float(size)), 1)[0]
    assert isinstance(parts, Cell)
    return Composite(list(parts.data.ravel(order="F")))


def _take(parallel: Parallel, message: Message, made: list[dict[str, Value]]) -> int:
    parallel.note(message)
    match message.kind:
        case "out":
            given_to(partial(_print_of, parallel, message.worker), message.content)
            return 0
        case "data":
            given_to(parallel.take_data, message.content)
            return 0
        case "done":
            variables = partial(_variables_of, parallel.interpreter)
            made[message.task.only - 1] = given_to(variables, message.content)
            return 1
        case "failed":
            error = given_to(failure, message.content)
            text = f"Error detected on worker {message.worker}: {error.message}"
            told = MatlabError(error.identifier or "parallel:lang:spmd:WorkerFailed", text)
            told.stack, told.caret = error.stack, error.caret
            raise told
        case "lost":
            text = f"Worker {message.worker} has ended in an spmd block."
            raise loss(message, "parallel:lang:spmd:WorkerLost", text)
        case _:
            raise InternalError("parallel", f"a block was {message.kind}")


def _print_of(parallel: Parallel, worker: int, text: str, stream: str) -> None:
    lines = text.splitlines(keepends=True)
    parallel.print("".join(f"Worker {worker}: {line}" for line in lines), stream)


def _variables_of(interpreter: Interpreter, named: Named, sources: Sources) -> dict[str, Value]:
    return Decoder(interpreter, sources).values(named)


def _composite(
    ctx: Context, made: list[dict[str, Value]], values: dict[str, Value], name: str
) -> Value:
    """A variable after a block, by what the workers have of it."""
    found = [held.get(name) for held in made]
    if all(v is None for v in found):
        return values.get(name)
    if all(_is_of(v, "codistributed") for v in found):
        return ctx.call("after_block", (found[0], Cell.of(found)), 1)[0]
    return Composite(found)


def run_member(
    parallel: Parallel, owner: Mailbox, head: bytes | None, index: int, own: Named
) -> None:
    """Run a block in this worker, whose parallel side is given."""
    assert head is not None
    interpreter = owner.session.interpreter
    told = read_head(BlockHead, interpreter, head)
    loaded = travelled_code.loaded_text(interpreter, *told.sources[told.source])
    values = Decoder(interpreter, told.sources).values((*told.given, *own))
    blocks = (n for n in walk(loaded.tree) if isinstance(n, ast.Spmd))
    node = next(n for n in blocks if n.span.start == told.start)
    block = SpmdBlock(loaded.unit, node, told.names)
    stream = stream_of(interpreter.context)
    stream.restart(told.seed, "philox")
    stream.pass_seed = told.seed
    stream.enter_pass(index)
    parallel.member = Member(owner, index, told.size, owner.job)
    interpreter.parfor_depth += 1
    try:
        outs = run_block(block, values)
    finally:
        interpreter.parfor_depth -= 1
        parallel.member = None
    encoder = Encoder(share=False)
    made = tuple(
        (n, encoder.tree(v)) for n, v in zip(block.outputs, outs, strict=True) if v is not None
    )
    owner.tell("done", made, tuple(encoder.sources))
