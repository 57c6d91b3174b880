"""Watched expressions: their values in the frame in view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.engine.protocol import EvaluateWatches, WatchesReady
from app.engine.session import inspection
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.session.session import Session

Evaluate = Callable[[str], tuple[Any, ...]]


def answer(session: Session, request: EvaluateWatches, evaluate: Evaluate) -> WatchesReady:
    """Evaluate every expression by itself: one that fails keeps no other from being shown."""
    rows, problems = [], []
    for text in request.expressions:
        try:
            (value,) = evaluate(text)
        except MatlabError as problem:
            problems.append((text, problem.message))
            continue
        where = session.acceleration.where(value)
        rows.append(inspection.summary(text, inspection.on_host(value), where))
    return WatchesReady(tuple(rows), tuple(problems))


def in_base(session: Session) -> Evaluate:
    """Evaluates in the base workspace, while nothing runs."""
    interpreter = session.interpreter

    def evaluate(text: str) -> tuple[Any, ...]:
        made: tuple[Any, ...] = interpreter.guarded(
            lambda: interpreter.context.evaluate(text, 1, "base")
        )
        return made

    return evaluate
