"""Where the passes of a ``parfor`` run, and why: what its line says in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import restricted
from app.accel.ir.node import Origin
from app.accel.ir.plan import Reason
from app.engine.values import Value, float_of, is_numeric_like, numel
from app.errors import MatlabError
from app.records import record

if TYPE_CHECKING:
    from app.engine.interpreter.compile.parfor import ParforLoop
    from app.engine.interpreter.interpreter import Interpreter

ANY_NUMBER = 1 << 20


@record
class Stay:
    """Why passes stay in this process.

    Attributes:
        reason: the report's word for it.
        text: a clause for people.
        final: whether the rest of the loop will not change it.
    """

    reason: Reason
    text: str
    final: bool = False


NO_POOL = Stay(Reason.FORCED, "this session has no workers", final=True)
NESTED = Stay(Reason.FORCED, "it is inside other parallel work", final=True)
RESTRICTED = Stay(Reason.FORCED, "a restricted run starts no processes", final=True)
NO_WORKERS = Stay(Reason.FORCED, "its number of workers is 0", final=True)
WATCHED = Stay(
    Reason.BREAKPOINT,
    "the debugger is on, and only this process stops at breakpoints",
    final=True,
)
PROFILED = Stay(Reason.FORCED, "its lines are timed", final=True)
ONE_WORKER = Stay(Reason.COST_MODEL_HOST, "one worker would be no faster")
SHORT = Stay(Reason.TOO_SMALL, "workers would cost more time than they save")
STARTING = Stay(Reason.COST_MODEL_HOST, "workers were being started beside it")
ON_DEVICE = Stay(Reason.RESIDENT, "a reduction of it is on the device")


def on_threads(threads: int) -> Stay:
    """Passes stay because machine code does them on several threads."""
    return Stay(Reason.FUSED, f"its machine code ran on {threads} threads")


def fixed_stay(interpreter: Interpreter, most: int) -> Stay | None:
    """Why a parfor cannot leave this process whatever it costs; None where it can.

    Args:
        interpreter: runs it.
        most: how many workers it may have.
    """
    if interpreter.parfor_depth > 1:
        return NESTED
    if interpreter.debugger.active:
        return PROFILED if interpreter.debugger.profiling else WATCHED
    if most == 0:
        return NO_WORKERS
    return RESTRICTED if restricted.is_on() else None


def most_workers(given: Value) -> int:
    """How many workers there may be, by what stands behind a range: a number or options.

    Raises:
        MatlabError: it is no whole number from 0, nor Inf.
    """
    if given is None or hasattr(given, "range_size"):
        return getattr(given, "most", 0) or ANY_NUMBER
    is_number = is_numeric_like(given) and numel(given) == 1
    number = float_of(given) if is_number else -1.0
    if number < 0 or (number != float("inf") and not number.is_integer()):
        text = "The number of workers of a parfor must be a whole number that is not negative."
        raise MatlabError("MATLAB:parfor:workers", text)
    return ANY_NUMBER if number == float("inf") else int(number)


def record_stay(loop: ParforLoop, stay: Stay) -> None:
    """Record that the last passes of a loop ran in this process."""
    _record(loop, stay.reason, f"the parfor ran in this process: {stay.text}")


def record_kernel(loop: ParforLoop, before: int, passes: int) -> None:
    """Record that ``passes`` passes ran as one kernel, after ``before`` passes one by one."""
    text = f"the parfor ran as one kernel over its passes: {passes}, after {before} one by one"
    _record(loop, Reason.FUSED, text)


def record_no_kernel(loop: ParforLoop, reason: str) -> None:
    """Record why the passes are no kernel."""
    _record(loop, Reason.UNSUPPORTED_OP, f"the parfor is not a kernel: {reason}")


def record_workers(loop: ParforLoop, workers: int, before: int, passes: int, ranges: int) -> None:
    """Record that workers ran ``passes`` passes in so many ranges, after ``before`` passes here."""
    here = f", after {before} in this process that showed what they cost" if before else ""
    text = f"the parfor ran on {workers} workers: {passes} passes in {ranges} ranges{here}"
    _record(loop, Reason.COST_MODEL_HOST, text)


def _record(loop: ParforLoop, reason: Reason, text: str) -> None:
    runtime = loop.unit.interpreter.runtime
    if runtime is not None:
        runtime.recorder.boundary(Origin(loop.unit.source.name, loop.line), reason, text)
