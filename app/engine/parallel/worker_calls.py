"""Calls of functions in a worker: parfeval and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.engine.parallel.value_encoding import Decoder, Encoder, Sources, Tree, read_head
from app.engine.values.random_stream import stream_of

if TYPE_CHECKING:
    from app.engine.parallel.parfor_passes import Owner


class CallHead(NamedTuple):
    """What a worker is told of a call."""

    sources: Sources
    function: Tree
    args: tuple[Tree, ...]
    nargout: int
    seed: int


def run_call(owner: Owner, head: bytes | None) -> None:
    """Call one function; its outputs go back."""
    assert head is not None
    interpreter = owner.session.interpreter
    told = read_head(CallHead, interpreter, head)
    decoder = Decoder(interpreter, told.sources)
    args = tuple(map(decoder.value, told.args))
    stream = stream_of(interpreter.context)
    stream.restart(told.seed, "philox")
    stream.pass_seed = told.seed
    interpreter.parfor_depth += 1
    try:
        made = interpreter.call(decoder.value(told.function), args, told.nargout)
    finally:
        interpreter.parfor_depth -= 1
    encoder = Encoder(share=False)
    outputs = tuple(map(encoder.tree, made))
    owner.tell("done", outputs, tuple(encoder.sources))
