"""Calls of a function with one element of each array, as elementwise maths on resident arrays.

The call is traced once as the pass of a loop that knows nothing of the others: branches on data
compute both ways and choose, a loop inside it runs until the last element has left it. What needs
the host (printing, random numbers, an error that some element raises) is left to the interpreter.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from app.accel.ir.plan import Reason
from app.engine.capture.capture_session import Session
from app.engine.interpreter.compile.analysis import Names
from app.engine.interpreter.compile.loop_forms import LoopForm, form_of
from app.engine.interpreter.compile.scope import Scope
from app.engine.interpreter.loader import parse_checked
from app.engine.interpreter.loops.lane_tracer import LaneTracer
from app.engine.interpreter.loops.places import Place, is_number
from app.engine.interpreter.tracing import KeptElsewhere, Tracing
from app.engine.interpreter.unit import Unit
from app.engine.language import ast
from app.engine.values import DeviceArray, FunctionHandle, Value
from app.errors import MatlabError, Unsupported
from app.source import SourceText

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.accel.runtime.lanes import Lanes
    from app.engine.interpreter.interpreter import Interpreter

LEAST_ELEMENTS = 256
"""Fewer calls are done one by one: a trace costs as much as many of them."""
MOST_FAILURES = 3
"""A function that could not be traced so often in a row is not tried again."""
MOST_KNOWN = 1024
"""Functions whose failures are known; scripts make ever new ones from texts."""


def element_calls(
    interpreter: Interpreter,
    function: FunctionHandle,
    arrays: list[Value],
    shape: tuple[int, ...],
    outputs: int,
) -> tuple[DeviceArray, ...] | None:
    """The outputs of ``function`` for every element, computed where the arrays are.

    Args:
        interpreter: runs the function.
        function: called with one element of each array.
        arrays: numeric arrays of size ``shape``, or of one element that serves for all.
        shape: the size of each output.
        outputs: how many outputs are wanted.

    Returns:
        lazy arrays; None where the calls have to be made one by one, which has not been begun.
    """
    count = 1
    for extent in shape:
        count *= extent
    if count < LEAST_ELEMENTS or Tracing.trace is not None or interpreter.debugger.active:
        return None
    failures = interpreter.element_failures
    failed, why = failures.pop(function.text, (0, ""))
    if failed < MOST_FAILURES:
        try:
            return _traced(interpreter, function, arrays, shape, outputs)
        except KeptElsewhere as problem:
            failed, why = failed + 1, f"'{problem}' keeps its value from call to call"
        except (Unsupported, MatlabError) as problem:
            failed, why = failed + 1, str(problem)
    if len(failures) >= MOST_KNOWN:
        failures.clear()
    failures[function.text] = failed, why
    _say(why)
    return None


def _say(reason: str) -> None:
    """Record why the function is called element by element."""
    runtime = Session.runtime
    detail = f"arrayfun calls its function once per element: {reason}"
    runtime.recorder.boundary(runtime.locate(), Reason.UNSUPPORTED_OP, detail)


def _traced(
    interpreter: Interpreter,
    function: FunctionHandle,
    arrays: list[Value],
    shape: tuple[int, ...],
    outputs: int,
) -> tuple[DeviceArray, ...]:
    from app.accel.runtime.lanes import Lanes

    runtime = Session.runtime
    columns = [_column(a) for a in arrays]
    count = max(c.node.size for c in columns)
    form = _form(interpreter, tuple(c.node.size > 1 for c in columns), outputs)
    given: dict[str, Value] = {"f": function, **{f"a{k}": c for k, c in enumerate(columns)}}
    values = tuple(given.get(name) for name in form.names)
    names = tuple(f"y{k}" for k in range(outputs))
    tracer = LaneTracer(interpreter, runtime, form, (1.0, count), values, names, fresh=True)
    found = tracer.pass_()

    def poll() -> None:
        if interpreter.stop_flag.on:
            interpreter.interrupted()

    lanes = Lanes(tracer.trace, runtime, poll, 0, count, exact=False)
    made = []
    for name in names:
        place: Place = (("variable", name), ())
        node = _whole(lanes, found.values[place], count, shape)
        made.append(DeviceArray(node, runtime, place in tracer.doubtful))
    _check_failures(tracer, lanes)
    return tuple(made)


def _column(array: Value) -> DeviceArray:
    """All elements of a number or an array as a column. Raises Unsupported for all else."""
    from app.engine.capture import capture_session

    node = capture_session.operand(array) if is_number(array) else NotImplemented
    if node is NotImplemented or (type(array) is DeviceArray and array.guarded):
        raise Unsupported("it is not an array of real numbers")
    lined = Session.runtime.apply("reshape", (node,), ((node.size, 1),)) if node.size > 1 else node
    return DeviceArray(lined, Session.runtime)


def _whole(lanes: Lanes, wanted: Node, count: int, shape: tuple[int, ...]) -> Node:
    if wanted.size != 1:
        raise Unsupported("a call gives more than one element")
    (column,) = lanes.columns(wanted)
    apply = lanes.runtime.apply
    if column.size != count:
        return apply("fill", (column,), (shape,))
    return column if column.shape == shape else apply("reshape", (column,), (shape,))


def _check_failures(tracer: LaneTracer, lanes: Lanes) -> None:
    """Raises Unsupported where an element takes a way that only single calls can."""
    failed = [] if tracer.failed is None else list(lanes.columns(tracer.failed))
    failed += lanes.failed
    if failed:
        apply, runtime = lanes.runtime.apply, lanes.runtime
        every = [apply("any", (node,), ((0, 1),)) for node in failed]
        one = reduce(lambda a, b: apply("or", (a, b)), every)
        if runtime.gather(one, "needs-host-value: does a call fail?").any():
            raise Unsupported("an element needs something that only single calls can do")


def _form(interpreter: Interpreter, wide: tuple[bool, ...], outputs: int) -> LoopForm:
    """A loop whose pass is the call: compiled once for as many arguments and outputs."""
    key = wide, outputs
    if key not in interpreter.element_forms:
        interpreter.element_forms[key] = _compiled(interpreter, wide, outputs)
    return interpreter.element_forms[key]


def _compiled(interpreter: Interpreter, wide: tuple[bool, ...], outputs: int) -> LoopForm:
    made, given = [f"y{k}" for k in range(outputs)], [f"a{k}" for k in range(len(wide))]
    passed = ", ".join(f"{a}(k)" if w else a for a, w in zip(given, wide, strict=True))
    source = SourceText("<arrayfun>", f"for k = 1:n, [{', '.join(made)}] = f({passed}); end")
    (loop,) = parse_checked(source, octave=False).body
    assert isinstance(loop, ast.For)
    names = ("f", "k", *made, *given)
    scope = Scope(Names(assigned=set(names)))
    form = form_of(Unit(interpreter, source), loop, names, scope, "")
    form.independent = True
    return form
