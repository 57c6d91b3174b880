"""Calls of functions in a worker: parfeval and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.engine.parallel import travelled_code
from app.engine.parallel.shared_segment import Segment
from app.engine.parallel.value_encoding import Decoder, Encoder, Tree, unpack
from app.engine.values.random_stream import stream_of

if TYPE_CHECKING:
    from app.engine.parallel.parfor_passes import Owner


def run_call(owner: Owner, head: bytes | None, body: Sequence[Tree]) -> None:
    """Call one function; its outputs go back."""
    del body
    assert head is not None
    interpreter = owner.session.interpreter
    around, sources, function, given, nargout, seed, shared = unpack(head)
    travelled_code.surround(interpreter, around)
    decoder = Decoder(interpreter, sources, Segment(*shared) if shared else None)
    args = tuple(map(decoder.value, given))
    stream = stream_of(interpreter.context)
    stream.restart(seed, "philox")
    stream.pass_seed = seed
    interpreter.parfor_depth += 1
    try:
        made = interpreter.call(decoder.value(function), args, nargout)
    finally:
        interpreter.parfor_depth -= 1
    encoder = Encoder(share=False)
    outputs = tuple(map(encoder.tree, made))
    owner.tell("done", outputs, tuple(encoder.sources))
