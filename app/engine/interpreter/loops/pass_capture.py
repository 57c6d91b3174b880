"""The session while a pass is traced: everything is captured, and nothing is drawn or computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.engine.capture.capture_session import Session
from app.engine.capture.lazy_limits import Limits
from app.engine.interpreter.tracing import Tracing, moving_range, truth
from app.engine.values.lazy import Watch
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.fusion.loops.loop_trace import LoopTrace
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.loops.branches import TracingRuntime
    from app.engine.values.random_stream import RandomStream

_DRAWING = ("draw", "one", "few")


def _refuse_draw(*_: object) -> None:
    raise Unsupported("a random scalar is drawn in every pass")


@contextmanager
def tracing(
    runtime: Runtime,
    recorder: TracingRuntime,
    trace: LoopTrace,
    stream: RandomStream,
    advance: tuple[int, ...],
) -> Iterator[None]:
    """A pass is traced inside; a loop inside the pass may be traced meanwhile.

    Args:
        runtime: what the session computes with.
        recorder: what stands for it.
        trace: the trace that is written.
        stream: random numbers of the session; arrays of them are captured, numbers refused.
        advance: random numbers that a pass draws, once that is known.
    """
    session, pending = Session, runtime.pending
    held = Tracing.trace, session.runtime, session.advance, session.progression
    kept, Tracing.kept = Tracing.kept, recorder.kept
    limits, watch = Limits.capture, (Watch.forced, Watch.truth, Watch.runtime)
    habits, pure, growing = Limits.habits, Limits.pure, Limits.growing
    draws = {name: vars(stream).get(name) for name in _DRAWING}
    Tracing.trace, session.runtime = trace, recorder.as_runtime
    session.advance, session.progression = advance, moving_range
    Limits.capture, Limits.habits, Limits.pure = 2, {}, True
    Limits.growing = recorder.growing or None
    Watch.forced, Watch.truth, Watch.runtime = None, truth, recorder
    runtime.trace_while(recorder.varies)
    vars(stream).update(dict.fromkeys(_DRAWING, _refuse_draw))
    try:
        yield
    finally:
        for name in _DRAWING:
            del vars(stream)[name]
        vars(stream).update({n: made for n, made in draws.items() if made is not None})
        Tracing.trace, session.runtime, session.advance, session.progression = held
        Tracing.kept = kept
        Limits.capture, Limits.habits, Limits.pure = limits, habits, pure
        Limits.growing = growing
        Watch.forced, Watch.truth, Watch.runtime = watch
        runtime.trace_while(pending)
