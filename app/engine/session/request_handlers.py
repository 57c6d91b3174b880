"""What the window can ask of a session, one function per request."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine import inspected, protocol
from app.engine.builtins.session import diary_file
from app.engine.error_text import error_event
from app.engine.session import inspection, watch_expressions
from app.engine.session.waiting import never_run
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.session.session import Session


def handle(session: Session, request: protocol.Request) -> None:
    """Do what ``request`` asks; what goes wrong in it is told as a notice."""
    try:
        _HANDLERS[type(request)](session, request)
    except MatlabError as problem:
        session.emit(protocol.Notice(problem.message, "error"))


def _run_text(session: Session, request: protocol.RunText) -> None:
    if request.echo:
        diary_file.note(session.interpreter.host, f"{request.text}\n")
    try:
        session.run_text(request)
    except MatlabError as problem:  # it did not come to a run, whose errors are told as its own
        for event in never_run(request, "error", error_event(problem)):
            session.emit(event)


def _inspect(session: Session, request: inspected.InspectVariable) -> None:
    value = session.value_of(request.name)
    if not request.computing and value is not None and _is_lazy(session, value):
        session.emit(inspection.lazy_page(request, value))
        return
    with _computing(session, request.name):
        session.emit(inspection.page(request, value))


def _is_lazy(session: Session, value: Any) -> bool:
    return session.acceleration.where(value) == "lazy"


def _overview(session: Session, request: inspected.InspectOverview) -> None:
    with _computing(session, request.name):
        session.emit(inspection.overview(request, session.value_of(request.name)))


def _computing(session: Session, name: str) -> AbstractContextManager[None]:
    """Looking at what is not known yet may take as long as a run, and can be stopped as one."""
    value = session.value_of(name)
    lazy = value is not None and session.acceleration.where(value) != "host"
    return session.busy(name) if lazy else nullcontext()


def _statistics(session: Session, request: inspected.ComputeStatistics) -> None:
    found: dict[str, float] = {}
    try:
        with _computing(session, request.name):
            found = inspection.statistics(session.value_of(request.name), session.call)
    finally:  # no statistics when somebody stops it
        session.emit(inspected.StatisticsReady(request.name, found))


def _watches(session: Session, request: protocol.EvaluateWatches) -> None:
    session.emit(watch_expressions.answer(session, request, watch_expressions.in_base(session)))


def _set_variable(session: Session, request: protocol.SetVariable) -> None:
    session.edits.change(request, session.evaluate, _element(session))
    session.emit(session.variables())


def _undo(session: Session, request: protocol.UndoVariable) -> None:
    if not session.edits.go_back(session.evaluate, again=request.again):
        session.emit(
            protocol.Notice(
                "No edit of a variable to do again"
                if request.again
                else "No edit of a variable to undo"
            )
        )
    session.emit(session.variables())


def _element(session: Session) -> Callable[[str], Any]:
    evaluate = watch_expressions.in_base(session)
    return lambda text: evaluate(text)[0]


def _edit_variable(session: Session, request: protocol.VariableAction) -> None:
    _ACTIONS[request.action](session, request)
    session.emit(session.variables())


def _delete(session: Session, request: protocol.VariableAction) -> None:
    session.workspace.delete(request.name)


def _rename(session: Session, request: protocol.VariableAction) -> None:
    value = session.value_of(request.name)
    if value is None or not request.argument.isidentifier():
        raise MatlabError("Fuselab:rename", f"{request.argument!r} cannot be a variable's name.")
    session.workspace.set(request.argument, value)
    session.workspace.delete(request.name)


def _residency_action(session: Session, request: protocol.VariableAction) -> None:
    value = session.value_of(request.name)
    if value is not None:
        session.acceleration.act(request.action, value)
        session.emit(session.telemetry())


def _choose_device(session: Session, request: protocol.ChooseDevice) -> None:
    session.choose_device(request.device)


def _recalibrate(session: Session, request: protocol.Recalibrate) -> None:
    session.acceleration.recalibrate()
    session.emit(session.device_ready())


def _send_variables(session: Session, _request: protocol.SendVariables) -> None:
    from app.engine.session import carried_variables

    sent = protocol.VariablesSent(b"", tuple(session.workspace.names()))
    try:
        with session.busy("sending variables"):
            sent = carried_variables.packed(session)
    finally:  # whoever waits for them goes on without, when somebody stops it
        session.emit(sent)


def _take_variables(session: Session, request: protocol.TakeVariables) -> None:
    from app.engine.session import carried_variables

    carried_variables.take(session, request)


def _change_folder(session: Session, request: protocol.ChangeFolder) -> None:
    try:
        os.chdir(request.folder)
    except OSError as problem:
        raise MatlabError("MATLAB:cd:NonExistentFolder", str(problem)) from problem
    session.folder_changed()


def _refresh(session: Session, request: protocol.Refresh) -> None:
    session.emit(session.device_ready())
    session.emit(session.variables())
    session.emit(session.telemetry())


def _breakpoints(session: Session, request: protocol.SetBreakpoints) -> None:
    """A script that runs meets them from its next line on."""
    session.interpreter.debugger.set_breakpoints(request.breakpoints, request.stops)


def _debug(session: Session, request: protocol.DebugCommand) -> None:
    """Outside a pause only ``pause`` means something: stop at the next line that runs."""
    if session.pausing is not None and session.pausing.keep(request.command):
        session.emit(protocol.Notice("the script goes on when the command has ended"))
        return
    if request.command != "pause" or not session.running:
        session.emit(protocol.Notice("nothing is paused"))
        return
    session.interpreter.debugger.request_pause()


def _figure_input(session: Session, request: protocol.FigureInput) -> None:
    session.take_figure_input(request)


def _keep_figures(session: Session, request: protocol.KeepFigures) -> None:
    from app.engine.figures.model import figures_of
    from app.engine.session import saved_figures

    figures = figures_of(session.interpreter.context.state)
    state = hash((saved_figures.state_of(figures), request.recalled))
    if state != session.kept_figures:
        session.kept_figures = state
        saved_figures.keep(figures, Path(request.path), request.recalled)


def _recall_figures(session: Session, request: protocol.RecallFigures) -> None:
    from app.engine.session import saved_figures

    found = saved_figures.recall(Path(request.path))
    session.emit(protocol.FiguresRecalled(tuple(sorted(found.items()))))


def _not_paused(session: Session, request: Any) -> None:
    session.emit(protocol.Notice("nothing is paused"))


_ACTIONS: dict[str, Callable[[Session, protocol.VariableAction], None]] = {
    "delete": _delete,
    "rename": _rename,
    "gather": _residency_action,
    "evict": _residency_action,
    "pin": _residency_action,
    "unpin": _residency_action,
}
_HANDLERS: dict[type[Any], Callable[[Session, Any], None]] = {
    protocol.RunText: _run_text,
    inspected.InspectVariable: _inspect,
    inspected.InspectOverview: _overview,
    inspected.ComputeStatistics: _statistics,
    protocol.EvaluateWatches: _watches,
    protocol.SetVariable: _set_variable,
    protocol.UndoVariable: _undo,
    protocol.VariableAction: _edit_variable,
    protocol.SetBreakpoints: _breakpoints,
    protocol.DebugCommand: _debug,
    protocol.ProvideInput: _not_paused,
    protocol.ChooseDevice: _choose_device,
    protocol.Recalibrate: _recalibrate,
    protocol.ChangeFolder: _change_folder,
    protocol.SendVariables: _send_variables,
    protocol.TakeVariables: _take_variables,
    protocol.Refresh: _refresh,
    protocol.FigureInput: _figure_input,
    protocol.KeepFigures: _keep_figures,
    protocol.RecallFigures: _recall_figures,
}
