"""The engine's debugger behind the Debug Adapter Protocol, which notebooks and editors speak.

Requests come on a thread of the front end's messages while code runs on another one. Where the code
stands still, its thread waits for tasks: what has to be evaluated, and how to go on.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

from app.api.session import Session
from app.engine.interpreter.debugging import Pause
from app.engine.protocol import Breakpoint
from app.engine.values import Cell, Struct, Value, class_of
from app.engine.values.preview import preview
from app.errors import MatlabError, UsageError
from app.records import record

Body: TypeAlias = dict[str, object]
T = TypeVar("T")
THREAD = 1
"""The one thread that front ends see."""
_MOST_CHILDREN = 200
_NAME = re.compile(r"[A-Za-z]\w*", re.ASCII)
GO_ON = {"continue": "continue", "next": "step", "stepIn": "step-in", "stepOut": "step-out"}
STARTS = frozenset(("attach", "launch"))
"""Requests after which a front end tells its breakpoints."""
STOPS = {
    "error": "Errors",
    "caught error": "Errors that are caught",
    "warning": "Warnings",
    "naninf": "NaN or Inf",
}
_CAPABILITIES: Body = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsTerminateRequest": True,
    "exceptionBreakpointFilters": [
        {"filter": name, "label": label, "default": False} for name, label in STOPS.items()
    ],
}


class DebugAdapter:
    """Answers the debug requests of one front end; subclasses add how code is run there.

    Args:
        session: whose code is debugged.
        publish: sends an event of the protocol to the front end, from any thread.

    Attributes:
        attached: whether the front end debugs.
        breakpoints: those of each file.
        pause: the code that stands still, while it does.
        requests: what answers each request.
    """

    def __init__(self, session: Session, publish: Callable[[Body], None]) -> None:
        self.attached = False
        self.session, self._publish = session, publish
        self.breakpoints: dict[str, tuple[Breakpoint, ...]] = {}
        self._stops: tuple[str, ...] = ()
        self.pause: Pause | None = None
        self._tasks: SimpleQueue[Callable[[], None] | str] = SimpleQueue()
        self._held: list[_Held] = []
        self.requests: dict[str, Callable[[Body], Body | Awaitable[Body]]] = {
            "initialize": lambda arguments: _CAPABILITIES,
            "disconnect": self._disconnect,
            "terminate": self._terminate,
            "configurationDone": lambda arguments: {},
            "setBreakpoints": self._set_breakpoints,
            "setExceptionBreakpoints": self._set_stops,
            "threads": lambda arguments: {"threads": [{"id": THREAD, "name": "MATLAB"}]},
            "stackTrace": self._stack,
            "scopes": self._scopes,
            "variables": self._variables,
            "evaluate": self._evaluate,
            "pause": self._pause_soon,
            **dict.fromkeys(GO_ON, self._go_on),
        }

    async def answer(self, request: Body) -> Body:
        """The response to a request of the protocol."""
        command = str(request.get("command"))
        reply: Body = {
            "type": "response",
            "seq": request.get("seq", 0),
            "request_seq": request.get("seq", 0),
            "command": command,
            "success": True,
        }
        try:
            answered = self.requests.get(command, self._unknown)
            body = answered({**_arguments_in(request), "command": command})
            reply["body"] = body if isinstance(body, dict) else await body
        except (MatlabError, UsageError) as problem:
            reply |= {"success": False, "message": str(problem), "body": {}}
        except (LookupError, OSError, TypeError, ValueError) as problem:
            text = f"the request cannot be answered ({type(problem).__name__}: {problem})"
            reply |= {"success": False, "message": text, "body": {}}
        if command in STARTS:
            self.send_event("initialized")
        return reply

    def attach(self) -> None:
        """Stand still at breakpoints from here on."""
        self.attached = True
        self.session.debugger.on_pause = self._on_pause

    def detach(self) -> None:
        """Stand still no more; code that does goes on."""
        self.attached = False
        self.breakpoints, self._stops = {}, ()
        self._put_in_force()
        if self.pause is not None:
            self._tasks.put("continue")
        self.session.debugger.on_pause = None

    def stop(self) -> None:
        """End code that stands still."""
        if self.pause is not None:
            self._tasks.put("quit")

    # --- on the thread of the code ------------------------------------------------------------

    def _on_pause(self, pause: Pause) -> str:
        """Stand still, do what is asked, and say how to go on."""
        self.pause, self._held = pause, []
        if not self.attached:  # since a moment: whoever detached may have seen no pause
            self.pause = None
            return "continue"
        reason = "exception" if pause.reason in STOPS else pause.reason
        told: Body = {"reason": reason, "text": pause.message, "description": pause.message}
        self.send_event("stopped", {**told, "threadId": THREAD, "allThreadsStopped": True})
        try:
            while True:
                task = self._tasks.get()
                if isinstance(task, str):
                    return task
                task()
        finally:
            self.pause, self._held = None, []
            self._fail_what_waits()
            self.send_event("continued", {"threadId": THREAD, "allThreadsContinued": True})

    def _fail_what_waits(self) -> None:
        """Requests that came as the code went on are answered, too."""
        while not self._tasks.empty():
            task = self._tasks.get()
            if not isinstance(task, str):
                task()

    def send_event(self, event: str, body: Body | None = None) -> None:
        """Tell the front end; from any thread."""
        self._publish({"type": "event", "event": event, "seq": 0, "body": body or {}})

    # --- requests -----------------------------------------------------------------------------

    def _unknown(self, arguments: Body) -> Body:
        raise UsageError(f"there is no debug request '{arguments['command']}' here")

    def _disconnect(self, arguments: Body) -> Body:
        self.detach()
        return {}

    def _terminate(self, arguments: Body) -> Body:
        self.stop()
        return {}

    def _set_breakpoints(self, arguments: Body) -> Body:
        path, wanted = path_in(arguments), arguments.get("breakpoints") or []
        if not isinstance(wanted, list):
            raise UsageError("breakpoints are a list")
        self.breakpoints[path] = tuple(_breakpoint(path, entry) for entry in wanted)
        self._put_in_force()
        return {"breakpoints": [{"verified": True, "line": b.line} for b in self.breakpoints[path]]}

    def _set_stops(self, arguments: Body) -> Body:
        filters = arguments.get("filters") or []
        if not isinstance(filters, list):
            raise UsageError("filters are a list")
        unknown = [name for name in filters if name not in STOPS]
        if unknown:
            raise UsageError(f"there is no stop '{unknown[0]}'; there are {', '.join(STOPS)}")
        self._stops = tuple(filters)
        self._put_in_force()
        return {}

    def _put_in_force(self) -> None:
        every = [b for held in self.breakpoints.values() for b in held]
        self.session.debugger.set_breakpoints(every, self._stops)

    def _go_on(self, arguments: Body) -> Body:
        self._current_pause()
        self._tasks.put(GO_ON[str(arguments["command"])])
        return {"allThreadsContinued": True}

    def _pause_soon(self, arguments: Body) -> Body:
        if self.pause is not None:
            raise UsageError("the code stands still already")
        if not (self.attached and self.session.is_running):
            raise UsageError("no code runs that is debugged")
        self.session.debugger.request_pause()
        return {}

    def _current_pause(self) -> Pause:
        if self.pause is None:
            raise UsageError("no code stands still")
        return self.pause

    def _stack(self, arguments: Body) -> Body:
        pause = self._current_pause()
        before = pause.reason in ("breakpoint", "step", "pause")  # a statement that is about to run
        frames = [
            {
                "id": k,
                "name": frame.name,
                "line": frame.line,
                "column": 1 if before and k == 0 else max(frame.column, 1),
                "source": {"name": Path(frame.file).name, "path": frame.file},
            }
            for k, frame in enumerate(pause.frames)
        ]
        return {"stackFrames": frames, "totalFrames": len(frames)}

    async def _scopes(self, arguments: Body) -> Body:
        frame = _integer_argument(arguments, "frameId")
        reference = await self.when_still(
            lambda pause: self._hold(_Held(variables_of_frame(pause, frame), ""))
        )
        scope = {"name": "Locals", "variablesReference": reference, "expensive": False}
        return {"scopes": [scope]}

    async def _variables(self, arguments: Body) -> Body:
        reference = _integer_argument(arguments, "variablesReference")
        if not 0 < reference <= len(self._held):
            raise UsageError("these variables are gone: the code went on")
        held = self._held[reference - 1]
        rows = await self.when_still(lambda pause: self.rows(held.variables, held.prefix))
        return {"variables": rows}

    async def _evaluate(self, arguments: Body) -> Body:
        text, frame = str(arguments["expression"]), frame_in(arguments)
        if arguments.get("context") == "repl":
            await self.when_still(lambda pause: pause.evaluate(text, frame))
            return {"result": "", "variablesReference": 0}

        def evaluated(pause: Pause) -> Body:
            if arguments.get("context") == "hover":  # a pointer that rests on a name calls nothing
                _refuse_functions(text, variables_of_frame(pause, frame))
            (value,) = pause.evaluate(text, frame, 1)
            reference = self._reference(value, text)
            return {"result": preview(value), "type": class_of(value), **reference}

        return await self.when_still(evaluated)

    def _check_still(self, pause: Pause) -> None:
        """Refuse what was asked of code that has gone on."""
        if self.pause is not pause:
            raise UsageError("the code went on")

    async def when_still(self, action: Callable[[Pause], T]) -> T:
        """What an action gives that has to run on the thread of the code."""
        pause = self._current_pause()
        made: Future[T] = Future()

        def task() -> None:
            try:
                self._check_still(pause)
                made.set_result(action(pause))
            except Exception as problem:
                made.set_exception(problem)

        self._tasks.put(task)
        return await asyncio.wrap_future(made)

    # --- variables ----------------------------------------------------------------------------

    def _hold(self, held: _Held) -> int:
        """The number by which a front end asks for variables; it is good until the code goes on."""
        self._held.append(held)
        return len(self._held)

    def rows(self, variables: Mapping[str, Value], prefix: str = "") -> list[Body]:
        """Variables as the protocol has them; ``prefix`` before a name is the expression for it."""
        return [
            {
                "name": name,
                "value": preview(value),
                "type": class_of(value),
                "evaluateName": prefix + name,
                **self._reference(value, prefix + name),
            }
            for name, value in variables.items()
        ]

    def _reference(self, value: Value, expression: str) -> Body:
        inside = _children(value, expression) if self.pause is not None else None
        return {"variablesReference": self._hold(inside) if inside else 0}


@record
class _Held:
    """What a front end may ask for by a number.

    Attributes:
        variables: by name.
        prefix: what stands before a name in an expression for it.
    """

    variables: Mapping[str, Value]
    prefix: str


def _arguments_in(request: Body) -> Body:
    arguments = request.get("arguments") or {}
    if not isinstance(arguments, dict):
        raise UsageError("the arguments of a request are an object")
    return arguments


def _breakpoint(path: str, entry: object) -> Breakpoint:
    if not isinstance(entry, dict):
        raise UsageError("a breakpoint is an object")
    hits = str(entry.get("hitCondition") or "0")
    if not hits.isdecimal():
        raise UsageError(f"a hit count is a whole number, not '{hits}'")
    line = _integer_argument(entry, "line")
    condition, log = str(entry.get("condition") or ""), str(entry.get("logMessage") or "")
    return Breakpoint(path, line, condition, int(hits), log)


def path_in(arguments: Body) -> str:
    """The file that a request is about.

    Raises:
        UsageError: it names none.
    """
    source = arguments.get("source")
    path = source.get("path") if isinstance(source, dict) else None
    if not path:
        raise UsageError("the request names no source")
    return str(path)


def _integer_argument(arguments: Body, name: str) -> int:
    found = arguments.get(name)
    if not isinstance(found, int):
        raise UsageError(f"'{name}' is not a number")
    return found


def frame_in(arguments: Body) -> int:
    """The frame of the stack that a request is about; the innermost unless it says.

    Raises:
        UsageError: it is no number.
    """
    return _integer_argument(arguments, "frameId") if arguments.get("frameId") is not None else 0


def variables_of_frame(pause: Pause, frame: int) -> dict[str, Value]:
    """The variables of a frame of the stack.

    Raises:
        UsageError: the stack has no such frame.
    """
    if not 0 <= frame < len(pause.python_frames):
        raise UsageError(f"there is no frame {frame}")
    workspace = pause.workspace(frame)
    return {name: workspace.get(name) for name in workspace.names()}


def _refuse_functions(text: str, variables: Mapping[str, Value]) -> None:
    head = _NAME.match(text)
    if head is None or head[0] not in variables:
        raise UsageError(f"there is no variable {text}")


def _children(value: Value, expression: str) -> _Held | None:
    """The fields of a struct and the elements of a cell; None where there are none."""
    match value:
        case Struct() if value.fields:
            return _Held(dict(value.fields), f"{expression}.")
        case Cell() if items := value.items()[:_MOST_CHILDREN]:
            return _Held({f"{{{k}}}": item for k, item in enumerate(items, 1)}, expression)
    return None
