"""The debugger of the engine behind Jupyter's debug requests (the Debug Adapter Protocol).

Requests come on the thread of the control channel while a cell runs on the main thread. Where the
cell stands still, the main thread waits for tasks: what has to be evaluated, and how to go on.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import TypeAlias, TypeVar

from ipykernel.compiler import murmur2_x86

from app.api import MatlabError, Session
from app.engine.interpreter.debugging import Pause
from app.engine.protocol import Breakpoint
from app.engine.values import Cell, Struct, Value, class_of
from app.engine.values.display import display
from app.engine.values.preview import preview
from app.errors import UsageError

Body: TypeAlias = dict[str, object]
T = TypeVar("T")
_HASH_SEED = 0xC70F6907
_THREAD = 1
_MOST_CHILDREN = 200
GO_ON = {"continue": "continue", "next": "step", "stepIn": "step-in", "stepOut": "step-out"}
STOPS = {"error": "Errors", "warning": "Warnings", "naninf": "NaN or Inf"}
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


class Adapter:
    """Answers the debug requests of one notebook.

    Args:
        session: whose cells are debugged.
        publish: sends an event of the protocol to the front ends.

    Attributes:
        attached: whether a front end debugs: cells are called by `path_of` then.
    """

    def __init__(self, session: Session, publish: Callable[[Body], None]) -> None:
        self.attached = False
        self._session, self._publish = session, publish
        self._folder = f"{tempfile.gettempdir()}/fuselab_cells_{id(self):x}/"
        self._sources: dict[str, str] = {}
        self._breakpoints: dict[str, tuple[Breakpoint, ...]] = {}
        self._stops: tuple[str, ...] = ()
        self._pause: Pause | None = None
        self._tasks: SimpleQueue[Callable[[], None] | str] = SimpleQueue()
        self._held: list[Mapping[str, Value]] = []
        self._requests: dict[str, Callable[[Body], Body | Awaitable[Body]]] = {
            "initialize": lambda arguments: _CAPABILITIES,
            "attach": self._attach,
            "disconnect": self._disconnect,
            "terminate": self._terminate,
            "configurationDone": lambda arguments: {},
            "debugInfo": self._info,
            "dumpCell": self._dump_cell,
            "source": self._source,
            "setBreakpoints": self._set_breakpoints,
            "setExceptionBreakpoints": self._set_stops,
            "threads": lambda arguments: {"threads": [{"id": _THREAD, "name": "MATLAB"}]},
            "stackTrace": self._stack,
            "scopes": self._scopes,
            "variables": self._variables,
            "inspectVariables": self._inspect,
            "richInspectVariables": self._rich_inspect,
            "evaluate": self._evaluate,
            "modules": lambda arguments: {"modules": [], "totalModules": 0},
            **dict.fromkeys(GO_ON, self._go_on),
        }

    def path_of(self, code: str) -> str:
        """What a cell is called while it is debugged: front ends compute the same name."""
        return f"{self._folder}{murmur2_x86(code, _HASH_SEED)}.m"  # type: ignore[no-untyped-call]

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
            answered = self._requests.get(command, self._unknown)
            body = answered({**_arguments_in(request), "command": command})
            reply["body"] = body if isinstance(body, dict) else await body
        except (MatlabError, UsageError) as problem:
            reply |= {"success": False, "message": str(problem), "body": {}}
        except (LookupError, OSError, TypeError, ValueError) as problem:
            text = f"the request cannot be answered ({type(problem).__name__}: {problem})"
            reply |= {"success": False, "message": text, "body": {}}
        if command == "attach":
            self._send_event("initialized")
        return reply

    def stop(self) -> None:
        """End a cell that stands still."""
        if self._pause is not None:
            self._tasks.put("quit")

    # --- on the thread of the cell ------------------------------------------------------------

    def _on_pause(self, pause: Pause) -> str:
        """Stand still, do what is asked, and say how to go on."""
        self._pause, self._held = pause, []
        reasons = {"error": "exception", "warning": "exception", "naninf": "exception"}
        reason = reasons.get(pause.reason, pause.reason)
        told: Body = {"reason": reason, "text": pause.message, "description": pause.message}
        self._send_event("stopped", {**told, "threadId": _THREAD, "allThreadsStopped": True})
        try:
            while True:
                task = self._tasks.get()
                if isinstance(task, str):
                    return task
                task()
        finally:
            self._pause, self._held = None, []
            self._fail_what_waits()
            self._send_event("continued", {"threadId": _THREAD, "allThreadsContinued": True})

    def _fail_what_waits(self) -> None:
        """Requests that came as the cell went on are answered, too."""
        while not self._tasks.empty():
            task = self._tasks.get()
            if not isinstance(task, str):
                task()

    def _send_event(self, event: str, body: Body | None = None) -> None:
        self._publish({"type": "event", "event": event, "seq": 0, "body": body or {}})

    # --- requests -----------------------------------------------------------------------------

    def _unknown(self, arguments: Body) -> Body:
        raise UsageError(f"there is no debug request '{arguments['command']}' here")

    def _attach(self, arguments: Body) -> Body:
        self.attached = True
        self._session.debugger.on_pause = self._on_pause
        return {}

    def _disconnect(self, arguments: Body) -> Body:
        self.attached = False
        self._breakpoints, self._stops = {}, ()
        self._put_in_force()
        if self._pause is not None:
            self._tasks.put("continue")
        self._session.debugger.on_pause = None
        return {}

    def _terminate(self, arguments: Body) -> Body:
        self.stop()
        return {}

    def _info(self, arguments: Body) -> Body:
        return {
            "isStarted": self.attached,
            "hashMethod": "Murmur2",
            "hashSeed": _HASH_SEED,
            "tmpFilePrefix": self._folder,
            "tmpFileSuffix": ".m",
            "breakpoints": [
                {"source": path, "breakpoints": [{"line": b.line} for b in held]}
                for path, held in self._breakpoints.items()
            ],
            "stoppedThreads": [] if self._pause is None else [_THREAD],
            "richRendering": True,
            "exceptionPaths": list(STOPS),
            "copyToGlobals": False,
        }

    def _dump_cell(self, arguments: Body) -> Body:
        code = str(arguments["code"])
        path = self.path_of(code)
        self._sources[path] = code
        return {"sourcePath": path}

    def _source(self, arguments: Body) -> Body:
        path = _path_in(arguments)
        if path in self._sources:
            return {"content": self._sources[path]}
        if not Path(path).is_file():
            raise UsageError(f"there is no source {path}")
        return {"content": Path(path).read_text(encoding="utf-8", errors="replace")}

    def _set_breakpoints(self, arguments: Body) -> Body:
        path, wanted = _path_in(arguments), arguments.get("breakpoints") or []
        if not isinstance(wanted, list):
            raise UsageError("breakpoints are a list")
        self._breakpoints[path] = tuple(_breakpoint(path, entry) for entry in wanted)
        self._put_in_force()
        return {
            "breakpoints": [{"verified": True, "line": b.line} for b in self._breakpoints[path]]
        }

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
        every = [b for held in self._breakpoints.values() for b in held]
        self._session.debugger.set_breakpoints(every, self._stops)

    def _go_on(self, arguments: Body) -> Body:
        self._current_pause()
        self._tasks.put(GO_ON[str(arguments["command"])])
        return {"allThreadsContinued": True}

    def _current_pause(self) -> Pause:
        if self._pause is None:
            raise UsageError("no cell stands still")
        return self._pause

    def _stack(self, arguments: Body) -> Body:
        frames = [
            {
                "id": k,
                "name": frame.name,
                "line": frame.line,
                "column": max(frame.column, 1),
                "source": {"name": Path(frame.file).name, "path": frame.file},
            }
            for k, frame in enumerate(self._current_pause().frames)
        ]
        return {"stackFrames": frames, "totalFrames": len(frames)}

    async def _scopes(self, arguments: Body) -> Body:
        frame = _integer_argument(arguments, "frameId")
        reference = await self._when_still(lambda pause: self._hold(_of_frame(pause, frame)))
        scope = {"name": "Locals", "variablesReference": reference, "expensive": False}
        return {"scopes": [scope]}

    async def _variables(self, arguments: Body) -> Body:
        reference = _integer_argument(arguments, "variablesReference")
        if not 0 < reference <= len(self._held):
            raise UsageError("these variables are gone: the cell went on")
        held = self._held[reference - 1]
        return {"variables": await self._when_still(lambda pause: self._rows(held))}

    async def _inspect(self, arguments: Body) -> Body:
        if self._pause is None:
            return {"variables": self._rows(self._session.values())}
        rows = await self._when_still(lambda pause: self._rows(_of_frame(pause, 0)))
        return {"variables": rows}

    async def _rich_inspect(self, arguments: Body) -> Body:
        name, frame = str(arguments.get("variableName")), _frame_in(arguments)
        if self._pause is None:
            text = _displayed_variable(self._session.values(), name)
        else:
            text = await self._when_still(
                lambda pause: _displayed_variable(_of_frame(pause, frame), name)
            )
        return {"data": {"text/plain": text}, "metadata": {}}

    async def _evaluate(self, arguments: Body) -> Body:
        text, frame = str(arguments["expression"]), _frame_in(arguments)
        if arguments.get("context") == "repl":
            await self._when_still(lambda pause: pause.evaluate(text, frame))
            return {"result": "", "variablesReference": 0}

        def evaluated(pause: Pause) -> Body:
            (value,) = pause.evaluate(text, frame, 1)
            return {"result": preview(value), "type": class_of(value), **self._reference(value)}

        return await self._when_still(evaluated)

    def _check_still(self, pause: Pause) -> None:
        """Refuse what was asked of a cell that has gone on."""
        if self._pause is not pause:
            raise UsageError("the cell went on")

    async def _when_still(self, action: Callable[[Pause], T]) -> T:
        """What an action gives that has to run on the thread of the cell."""
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

    def _hold(self, variables: Mapping[str, Value]) -> int:
        """The number by which a front end asks for variables; it is good until the cell goes on."""
        self._held.append(variables)
        return len(self._held)

    def _rows(self, variables: Mapping[str, Value]) -> list[Body]:
        return [
            {
                "name": name,
                "value": preview(value),
                "type": class_of(value),
                "evaluateName": name,
                **self._reference(value),
            }
            for name, value in variables.items()
        ]

    def _reference(self, value: Value) -> Body:
        inside = _children(value) if self._pause is not None else {}
        return {"variablesReference": self._hold(inside) if inside else 0}


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


def _path_in(arguments: Body) -> str:
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


def _frame_in(arguments: Body) -> int:
    return _integer_argument(arguments, "frameId") if arguments.get("frameId") is not None else 0


def _displayed_variable(variables: Mapping[str, Value], name: str) -> str:
    if name not in variables:
        raise UsageError(f"there is no variable {name}")
    return display(name, variables[name])


def _of_frame(pause: Pause, frame: int) -> dict[str, Value]:
    if not 0 <= frame < len(pause.python_frames):
        raise UsageError(f"there is no frame {frame}")
    workspace = pause.workspace(frame)
    return {name: workspace.get(name) for name in workspace.names()}


def _children(value: Value) -> dict[str, Value]:
    """The fields of a struct and the elements of a cell."""
    match value:
        case Struct():
            return dict(value.fields)
        case Cell():
            items = value.items()[:_MOST_CHILDREN]
            return {f"{{{k}}}": item for k, item in enumerate(items, 1)}
    return {}
