"""A script that stands still: what the window sees of it, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.engine import protocol
from app.engine.builtins.session import diary_file
from app.engine.error_text import in_files, stack_lines
from app.engine.protocol import DebugCommand, EvaluateWatches, RunText, SetVariable, UndoVariable
from app.engine.run_state import RunState
from app.engine.session import watch_expressions
from app.errors import MatlabError
from app.late_pattern import late_pattern

if TYPE_CHECKING:
    from app.engine.interpreter.debugging import Pause
    from app.engine.interpreter.frames import DictWorkspace, FrameWorkspace
    from app.engine.session.session import Session, Wait

GO_ON = ("continue", "step", "step-in", "step-out", "quit")
TYPED = {
    "dbcont": "continue",
    "return": "continue",
    "dbstep": "step",
    "dbstep in": "step-in",
    "dbstep out": "step-out",
    "dbquit": "quit",
}
"""What may be typed in the command window to go on."""
_MOVE = late_pattern(r"\s*(dbup|dbdown)(?:\s+(\d+))?\s*[;,]?\s*")
"""What may be typed to see the variables of a caller, or of what it called."""
ASKED = (DebugCommand, RunText, SetVariable, UndoVariable, EvaluateWatches)


class DebuggerPause:
    """Answers the debugger of a session by asking the window.

    Attributes:
        workspace: the variables of the frame in view while a script is paused; else None.
    """

    def __init__(self, session: Session, wait: Wait) -> None:
        self._session = session
        self._wait = wait
        self._frame = 0
        self._attempting = False
        self._kept = ""
        self.workspace: DictWorkspace | FrameWorkspace | None = None
        session.interpreter.debugger.on_pause = self.pause

    def pause(self, pause: Pause) -> str:
        """Show where the script stands, do what is asked there, and say how to go on."""
        emit = self._session.emit
        with self._session.sampler.rest():
            frames = tuple((f.name, f.file, f.line, f.column) for f in pause.frames)
            self._select_frame(pause, 0)
            self._tell_why(pause, frames)
            emit(protocol.Paused(frames, pause.reason))
            emit(protocol.StateChanged(RunState.PAUSED, pause.message or pause.reason))
            try:
                command = self._wait_for_command(pause)
            finally:
                self.workspace, self._kept = None, ""
        if command != "quit":  # a script that is left goes nowhere: it ends as it stands
            emit(protocol.StateChanged(RunState.RUNNING))
        return command

    def _tell_why(self, pause: Pause, frames: Sequence[tuple[str, str, int, int]]) -> None:
        """What has gone wrong is told at the prompt that asks what to do about it."""
        if "error" in pause.reason:
            text = "\n".join((f"Error: {pause.message}", *stack_lines(in_files(frames))))
            self._session.write_error(f"{text}\n")
        elif pause.reason == "naninf":
            self._session.write(f"{pause.message}\n")

    def keep(self, command: str) -> bool:
        """Whether something runs at the prompt of a script that stands still: how that goes on is
        obeyed when it has ended."""
        if not self._attempting or command not in GO_ON:
            return False
        self._kept = command
        return True

    def _wait_for_command(self, pause: Pause) -> str:
        while True:
            if self._kept:
                return self._kept
            request = self._wait(ASKED)
            if isinstance(request, RunText):
                diary_file.note(self._session.interpreter.host, f"{request.text}\n")
                command = TYPED.get(" ".join(request.text.strip(" ;\n").split()))
                if command is not None:
                    return command
                if self._moved(pause, request.text):
                    continue
                self._run(pause, request.text)
            elif isinstance(request, SetVariable | UndoVariable):
                self._edit(pause, request)
            elif isinstance(request, EvaluateWatches):
                self._session.emit(
                    watch_expressions.answer(
                        self._session, request, lambda text: pause.evaluate(text, self._frame, 1)
                    )
                )
            elif isinstance(request, DebugCommand):
                if request.command in GO_ON:
                    return request.command
                self._select_frame(pause, request.frame)

    def _edit(self, pause: Pause, request: SetVariable | UndoVariable) -> None:
        """Change a variable of the frame in view, or take the last change back."""
        edits, run = self._session.edits, partial(pause.evaluate, frame=self._frame)
        if isinstance(request, SetVariable):
            self._attempt(pause, lambda: edits.change(request, run, lambda t: run(t, nargout=1)[0]))
        else:
            self._attempt(pause, lambda: edits.go_back(run, again=request.again))

    def _select_frame(self, pause: Pause, frame: int) -> None:
        """Show the variables of another frame."""
        self._frame = min(max(frame, 0), max(len(pause.python_frames) - 1, 0))
        self.workspace = pause.workspace(self._frame)
        self._emit_state()

    def _moved(self, pause: Pause, text: str) -> bool:
        """Whether text was ``dbup`` or ``dbdown``, and another frame is shown for it."""
        asked = _MOVE.fullmatch(text)
        if asked is None:
            return False
        by = int(asked[2] or 1)
        self._select_frame(pause, self._frame + (by if asked[1] == "dbup" else -by))
        shown = pause.frames[self._frame]
        place = f"workspace belonging to {shown.name} at {shown.line}"
        base = self._frame == len(pause.frames) - 1
        self._session.write(f"In {'base workspace' if base else place}.\n")
        self._session.emit(protocol.FrameShown(self._frame))
        return True

    def _run(self, pause: Pause, text: str) -> None:
        self._attempt(pause, lambda: pause.evaluate(text, self._frame))

    def _attempt(self, pause: Pause, action: Callable[[], object]) -> None:
        """Do something in the paused script and show what it left behind."""
        outer, self._attempting = self._attempting, True
        try:
            action()
        except MatlabError as problem:
            self._session.write_error(f"Error: {problem.message}\n")
        finally:
            self._attempting = outer
        self.workspace = pause.workspace(self._frame)
        self._emit_state()

    def _emit_state(self) -> None:
        self._session.flush_figures()
        self._session.emit(self._session.variables())
        self._session.emit(self._session.acceleration.batch())
