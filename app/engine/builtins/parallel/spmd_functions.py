"""What the workers of an spmd block say to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.arguments.dimensions import dimension
from app.engine.declarations.device_support import HostOnly
from app.engine.declarations.registry import builtin
from app.engine.operators.concatenation import concatenate
from app.engine.operators.operators import plus
from app.engine.parallel.parallel import parallel_of
from app.engine.parallel.spmd_pool import Composite
from app.engine.values import EMPTY, Value, as_array, float_of, int_of, is_text_scalar
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context
    from app.engine.parallel.spmd_pool import Member

_FAMILY = "parallel"
_HOST = HostOnly("talks with other workers", lazy=True)
_OWN = -1.0
"""The tag of messages that these functions send for themselves."""


def _member(ctx: Context) -> Member | None:
    return parallel_of(ctx).member


def _index(ctx: Context) -> int:
    member = _member(ctx)
    return 1 if member is None else member.index


def _size(ctx: Context) -> int:
    member = _member(ctx)
    return 1 if member is None else member.size


@builtin(
    "spmdIndex",
    category=_FAMILY,
    device=_HOST,
    signatures=("k = spmdIndex",),
    cases=("spmdIndex == 1",),
    see=("spmdSize",),
)
def spmd_index(ctx: Context) -> Value:
    """The number of this worker in an spmd block, from 1; 1 outside of one."""
    return float(_index(ctx))


@builtin(
    "spmdSize",
    category=_FAMILY,
    device=_HOST,
    signatures=("n = spmdSize",),
    cases=("spmdSize == 1",),
    see=("spmdIndex",),
)
def spmd_size(ctx: Context) -> Value:
    """How many workers run this spmd block; 1 outside of one."""
    return float(_size(ctx))


@builtin(
    "labindex",
    category=_FAMILY,
    device=_HOST,
    signatures=("k = labindex",),
    cases=("labindex == 1",),
    see=("spmdIndex",),
)
def labindex(ctx: Context) -> Value:
    """The former name of spmdIndex."""
    return float(_index(ctx))


@builtin(
    "numlabs",
    category=_FAMILY,
    device=_HOST,
    signatures=("n = numlabs",),
    cases=("numlabs == 1",),
    see=("spmdSize",),
)
def numlabs(ctx: Context) -> Value:
    """The former name of spmdSize."""
    return float(_size(ctx))


@builtin(
    "Composite",
    category=_FAMILY,
    device=_HOST,
    signatures=("c = Composite", "c = Composite(n)"),
    cases=("ischar(func2str(@Composite))",),
    see=("spmdIndex", "gather"),
)
def composite(ctx: Context, size: Value = None) -> Value:
    """A variable that workers of spmd blocks will have, without values: ``c{k} = v`` sets one.

    It has an element for every worker of the pool, which is started if need be.
    """
    pool = parallel_of(ctx).pool_or_start()
    count = pool.size if size is None else int_of(size)
    if not 1 <= count <= pool.size:
        text = f"A Composite has 1 to {pool.size} elements, as many as there are workers."
        raise MatlabError("parallel:composite:BadCount", text)
    return Composite([None] * count)


def _targets(ctx: Context, given: Value) -> list[int]:
    made = [int(n) for n in as_array(given).ravel()]
    if any(not 1 <= n <= _size(ctx) or n == _index(ctx) for n in made):
        text = f"Workers to talk to are others of 1 to {_size(ctx)}."
        raise MatlabError("parallel:lang:spmd:BadWorker", text)
    return made


def _target(ctx: Context, given: Value) -> int:
    """The one other worker that an argument names."""
    made = _targets(ctx, given)
    if len(made) != 1:
        raise MatlabError("parallel:lang:spmd:BadWorker", "The source is the number of one worker.")
    return made[0]


def _send(ctx: Context, value: Value, to: int, tag: float) -> None:
    member = _member(ctx)
    if member is not None:
        member.send(to, tag, value)


def _receive(ctx: Context, source: int, tag: float | None) -> tuple[Value, int, float]:
    member = _member(ctx)
    if member is None:
        text = "There is no other worker to receive from outside of an spmd block."
        raise MatlabError("parallel:lang:spmd:NoWorkers", text)
    return member.receive(source, tag)


@builtin(
    "spmdSend",
    category=_FAMILY,
    device=_HOST,
    signatures=("spmdSend(value, destination)", "spmdSend(value, destination, tag)"),
    cases=("ischar(func2str(@spmdSend))",),
    see=("spmdReceive",),
)
def spmd_send(ctx: Context, value: Value, destination: Value, tag: Value = 0.0) -> Value:
    """Send a value to one or several other workers; nobody waits."""
    for to in _targets(ctx, destination):
        _send(ctx, value, to, float_of(tag))
    return ()


@builtin(
    "spmdReceive",
    category=_FAMILY,
    device=_HOST,
    signatures=("[value, source, tag] = spmdReceive", "value = spmdReceive(source, tag)"),
    cases=("ischar(func2str(@spmdReceive))",),
    see=("spmdSend", "spmdProbe"),
)
def spmd_receive(
    ctx: Context, source: Value = "any", tag: Value = None, *, nargout: int = 1
) -> Value:
    """Wait for a value of another worker, or of any, with a tag or with any."""
    wanted = 0 if is_text_scalar(source) else _target(ctx, source)
    value, sender, found = _receive(ctx, wanted, None if tag is None else float_of(tag))
    return (value, float(sender), found)[: max(1, nargout)]


@builtin(
    "spmdProbe",
    category=_FAMILY,
    device=_HOST,
    signatures=("tf = spmdProbe", "tf = spmdProbe(source, tag)"),
    cases=("spmdProbe == false",),
    see=("spmdReceive",),
)
def spmd_probe(ctx: Context, source: Value = "any", tag: Value = None) -> Value:
    """Whether a value waits to be received."""
    member = _member(ctx)
    wanted = 0 if is_text_scalar(source) else int(float_of(source))
    return member is not None and member.waits(wanted, None if tag is None else float_of(tag))


@builtin(
    "spmdSendReceive",
    category=_FAMILY,
    device=_HOST,
    signatures=("value = spmdSendReceive(destination, source, data)",),
    cases=("ischar(func2str(@spmdSendReceive))",),
    see=("spmdSend", "spmdReceive"),
)
def spmd_send_receive(
    ctx: Context, destination: Value, source: Value, data: Value, tag: Value = 0.0
) -> Value:
    """Send a value to one worker and receive one of another; ``[]`` stands for nobody."""
    for to in _targets(ctx, destination):
        _send(ctx, data, to, float_of(tag))
    sources = _targets(ctx, source)
    return _receive(ctx, sources[0], float_of(tag))[0] if sources else EMPTY


def _values_of_workers(ctx: Context, value: Value) -> list[Value]:
    """The values of all workers, in every worker."""
    index, size = _index(ctx), _size(ctx)
    others = [k for k in range(1, size + 1) if k != index]
    for to in others:
        _send(ctx, value, to, _OWN)
    held = {index: value}
    for k in others:
        held[k] = _receive(ctx, k, _OWN)[0]
    return [held[k] for k in range(1, size + 1)]


def _for_one(ctx: Context, made: Value, target: Value) -> Value:
    return made if target is None or int(float_of(target)) == _index(ctx) else EMPTY


@builtin(
    "spmdBarrier",
    category=_FAMILY,
    device=_HOST,
    signatures=("spmdBarrier",),
    cases=("spmdBarrier; true",),
    see=("spmdSend",),
)
def spmd_barrier(ctx: Context) -> Value:
    """Wait until all workers of the block are here."""
    _values_of_workers(ctx, True)
    return ()


@builtin(
    "spmdBroadcast",
    category=_FAMILY,
    device=_HOST,
    signatures=("value = spmdBroadcast(source, value)", "value = spmdBroadcast(source)"),
    cases=("spmdBroadcast(1, 5) == 5",),
    see=("spmdSend",),
)
def spmd_broadcast(ctx: Context, source: Value, value: Value = None) -> Value:
    """Send the value of one worker to all others."""
    index, root = _index(ctx), int(float_of(source))
    if index != root:
        return _receive(ctx, root, _OWN)[0]
    for to in range(1, _size(ctx) + 1):
        if to != index:
            _send(ctx, value, to, _OWN)
    return value


@builtin(
    "spmdPlus",
    category=_FAMILY,
    device=_HOST,
    signatures=("s = spmdPlus(x)", "s = spmdPlus(x, destination)"),
    cases=("spmdPlus(4) == 4",),
    see=("spmdReduce", "spmdCat"),
)
def spmd_plus(ctx: Context, value: Value, target: Value = None) -> Value:
    """The sum of the values of all workers, in the order of the workers."""
    first, *rest = _values_of_workers(ctx, value)
    for other in rest:
        first = plus(first, other)
    return _for_one(ctx, first, target)


@builtin(
    "spmdCat",
    category=_FAMILY,
    device=_HOST,
    signatures=("c = spmdCat(x)", "c = spmdCat(x, dim)", "c = spmdCat(x, dim, destination)"),
    cases=("spmdCat([1 2]) == [1 2]",),
    see=("spmdPlus",),
)
def spmd_cat(ctx: Context, value: Value, dim: Value = 2.0, target: Value = None) -> Value:
    """The values of all workers next to each other."""
    made = concatenate(dimension(dim), tuple(_values_of_workers(ctx, value)))
    return _for_one(ctx, made, target)


@builtin(
    "spmdReduce",
    category=_FAMILY,
    device=_HOST,
    signatures=("r = spmdReduce(fun, x)", "r = spmdReduce(fun, x, destination)"),
    cases=("spmdReduce(@max, 4) == 4",),
    see=("spmdPlus",),
)
def spmd_reduce(ctx: Context, function: Value, value: Value, target: Value = None) -> Value:
    """The values of all workers joined by a function of two, in the order of the workers."""
    first, *rest = _values_of_workers(ctx, value)
    for other in rest:
        first = ctx.call(function, (first, other), 1)[0]
    return _for_one(ctx, first, target)
