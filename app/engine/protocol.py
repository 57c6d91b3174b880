"""What crosses between the window and the engine thread.

Requests go in, events come out; both are frozen, hold plain data only and can be pickled, so that a
recorded stream of events replays in the panels without an engine or a GPU.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from app.engine.dialog_state import Dialog, Question
from app.engine.inspected import (
    ComputeStatistics,
    EditRefused,
    InspectOverview,
    InspectVariable,
    OverviewReady,
    StatisticsReady,
    VariablePage,
)
from app.engine.parallel_state import ParallelState
from app.engine.run_rows import Calibration, DeviceRow, RunRows
from app.engine.run_state import COMMAND, RunState
from app.records import record

if TYPE_CHECKING:
    from app.accel.planner.crossover import Crossover

# --- requests -----------------------------------------------------------------------------


@record
class RunText:
    """Run ``text`` in the base workspace.

    Attributes:
        text: the code.
        name: file path, or ``COMMAND`` for the command window.
        first_line: line of the file on which ``text`` begins (sections).
        echo: True when the command window shows the code as typed.
        arguments: what a function file is called with.
        lines: the first and last line that are run; the functions of the whole text are known.
        places: whether what is printed says which line printed it.
    """

    text: str
    name: str = COMMAND
    first_line: int = 1
    echo: bool = False
    arguments: tuple[str, ...] = ()
    lines: tuple[int, int] | None = None
    places: bool = False


@record
class EvaluateWatches:
    """Ask for the values of expressions in the frame in view; answered by WatchesReady."""

    expressions: tuple[str, ...]


@record
class SetVariable:
    """Assign the value of the expression ``code`` to ``target`` (such as ``A(3,4)``)."""

    target: str
    code: str


@record
class UndoVariable:
    """Take the last SetVariable back, or do it ``again``."""

    again: bool = False


@record
class VariableAction:
    """Act on a variable: ``gather``, ``evict``, ``pin``, ``unpin``, ``delete`` or ``rename``."""

    action: str
    name: str
    argument: str = ""


@record
class Breakpoint:
    """A place to stop.

    Attributes:
        file: path of the file.
        line: line from 1.
        condition: MATLAB expression that must be true; empty for always.
        hits: stop only from this hit on.
        log: text to print instead of stopping; empty to stop.
        enabled: False to keep it without effect.
    """

    file: str
    line: int
    condition: str = ""
    hits: int = 0
    log: str = ""
    enabled: bool = True


@record
class SetBreakpoints:
    """Replace all breakpoints; ``stops`` holds some of ``error``, ``caught error``, ``warning``
    and ``naninf``."""

    breakpoints: tuple[Breakpoint, ...]
    stops: tuple[str, ...] = ()


@record
class DebugCommand:
    """Go on from a pause: ``continue``, ``step``, ``step-in``, ``step-out``, ``quit``; look at
    another ``frame``; or ``pause`` a running script."""

    command: str
    frame: int = 0


@record
class ProvideInput:
    """The line the user typed for ``input`` or ``keyboard``, or the answers of a dialog."""

    text: str
    answers: tuple[str, ...] = ()


@record
class ChooseDevice:
    """Use another device: ``auto``, ``cpu``, ``gpu`` or part of an adapter's name."""

    device: str


@record
class Recalibrate:
    """Measure the device again."""


@record
class ChangeFolder:
    """Make ``folder`` the current folder."""

    folder: str


@record
class SendVariables:
    """The whole base workspace is to go along to another engine; answered by VariablesSent."""


@record
class TakeVariables:
    """Put what VariablesSent told into the base workspace, and say what was ``left``."""

    data: bytes
    left: tuple[str, ...] = ()


@record
class Refresh:
    """Send the workspace, residency and device tables again."""


@record
class FigureInput:
    """What a person did to a figure (a request; see engine/figures/figure_input.py).

    Attributes:
        number: the figure's.
        action: close, cancel, limits, view, legend, resize, press, release, motion, wheel, key,
            keyup, control, menu, brush, redraw (it could not be drawn).
        target: the id of the object it was done to; 0 for the figure.
        data: what goes with it: limits by their letters, places, keys, a control's value.
    """

    number: int
    action: str
    target: int = 0
    data: tuple[Any, ...] = ()


@record
class KeepFigures:
    """Write the figures to ``path`` for the next window, if they look different from before.

    Attributes:
        recalled: numbers of figures in that file which are still shown and stay in it.
    """

    path: str
    recalled: tuple[int, ...] = ()


@record
class RecallFigures:
    """Ask for the figures that an earlier window left; answered by FiguresRecalled."""

    path: str


Request = (
    RunText
    | InspectVariable
    | InspectOverview
    | ComputeStatistics
    | EvaluateWatches
    | SetVariable
    | UndoVariable
    | VariableAction
    | SetBreakpoints
    | DebugCommand
    | ProvideInput
    | ChooseDevice
    | Recalibrate
    | ChangeFolder
    | SendVariables
    | TakeVariables
    | Refresh
    | FigureInput
    | KeepFigures
    | RecallFigures
)


# --- events -------------------------------------------------------------------------------


@record
class StateChanged:
    """The engine started, finished or paused; ``detail`` names what runs or waits for it."""

    state: RunState
    detail: str = ""


@record
class Waiting:
    """The engine waits: ``what`` is ``device``, ``compiling`` or ``opening``; ``group`` is the
    report row of the group that it waits for, 0 where that is not known."""

    what: str
    group: int
    seconds: float


@record
class RunStarted:
    """A run began."""

    name: str
    run: int


@record
class TestFinished:
    """A unit test ended: ``passed``, ``failed`` or ``incomplete``; ``details`` say why."""

    name: str
    state: str
    seconds: float
    details: str = ""


@record
class OutputText:
    """Text for the command window; ``stream`` is ``out``, ``err`` or ``warning``, which the command
    line prints to standard error, too.

    ``line`` is the line that printed it where the run was asked to say so, else 0.
    """

    text: str
    stream: str = "out"
    line: int = 0


@record
class ErrorRaised:
    """The script failed. ``frames`` are (name, file, line, column), innermost first.

    ``details`` are lines that tell more, such as the traceback of an error of Python.
    """

    identifier: str
    message: str
    frames: tuple[tuple[str, str, int, int], ...]
    caret: str = ""
    details: str = ""


@record
class VariableSummary:
    """One row of the workspace browser; ``where`` is host, device, both or lazy."""

    name: str
    class_name: str
    size: tuple[int, ...]
    n_bytes: int
    where: str
    preview: str = ""
    is_complex: bool = False
    is_global: bool = False


@record
class VariablesChanged:
    """The whole workspace of the current frame, sorted by name."""

    variables: tuple[VariableSummary, ...]
    frame: int = 0


@record
class VariablesSent:
    """The answer to SendVariables: the content of a MAT-file, and what does not fit into one."""

    data: bytes
    left: tuple[str, ...] = ()


@record
class WatchesReady:
    """The answer to EvaluateWatches: a row per expression, and by expression what went wrong."""

    values: tuple[VariableSummary, ...]
    problems: tuple[tuple[str, str], ...] = ()


@record
class TelemetryBatch:
    """What the accelerator did since the last batch.

    ``rows`` replace earlier ones of the same id, key or name; ``spans`` holds trace spans (track,
    name, start_us, duration_us, args). ``memory`` has the bytes on the device: ``live``, free in
    the ``pool``, ``budget``.
    """

    rows: RunRows = field(default_factory=RunRows)
    spans: tuple[tuple[str, str, float, float, dict[str, Any]], ...] = ()
    memory: dict[str, int] = field(default_factory=dict)


@record
class DeviceReady:
    """The device in use, all adapters, settings and calibration, as ``fuselab device`` prints;
    ``drawing`` is where figures are drawn (figures/pinned.py: DrawingDevice), ``crossovers`` are
    the cost model's curves (accel/planner/crossover.py)."""

    device: DeviceRow
    adapters: tuple[DeviceRow, ...]
    calibration: Calibration
    drawing: Any = None
    crossovers: tuple[Crossover, ...] = ()


@record
class FigureUpdated:
    """The whole state of one figure as plain data (see engine/figures/model.py).

    Array data of a series is either a list of numbers' bytes (``host``) or a token of a device
    buffer (``device``) that stays pinned until the figure drops it."""

    number: int
    figure: dict[str, Any]


@record
class DialogUpdated:
    """The state of a dialog; ``FigureClosed`` ends it, what is done to it is a ``FigureInput``."""

    number: int
    dialog: Dialog


@record
class FiguresRecalled:
    """Figures of an earlier session: numbers and states; the engine does not know them."""

    figures: tuple[tuple[int, dict[str, Any]], ...]


@record
class FigureClosed:
    """The figure of that number was closed, or the picture of an earlier session."""

    number: int


@record
class PicturesClosed:
    """Pictures of an earlier session are to go: all, or the one in front."""

    every: bool


@record
class Paused:
    """The debugger stopped; frames are (name, file, line, column), innermost first."""

    frames: tuple[tuple[str, str, int, int], ...]
    reason: str


@record
class FrameShown:
    """A paused script shows the variables of another frame of its stack: ``dbup``, ``dbdown``."""

    frame: int


@record
class CommandTaken:
    """A paused script took a command (RunText) as a part of its run: it has no end of its own."""


@record
class BreakpointsChanged:
    """The script or the command line changed breakpoints: all that are in force now."""

    breakpoints: tuple[Breakpoint, ...]
    stops: tuple[str, ...] = ()


Stack = tuple[tuple[str, str, int], ...]


@record
class StacksReady:
    """Where the run spent its time: call stacks (name, file, line), outermost first, with ms."""

    stacks: tuple[tuple[Stack, float], ...]


@record
class InputWanted:
    """The script waits for a line of input, or (``any_key``) for any key."""

    prompt: str
    any_key: bool = False


@record
class QuestionAsked:
    """Show a dialog; it is answered by ProvideInput."""

    question: Question


@record
class ClearScreen:
    """The script called clc."""


@record
class FolderChanged:
    """The script called cd or addpath: its current folder or its search path is another one."""

    folder: str
    path: tuple[str, ...] = ()


@record
class OpenFile:
    """The script called edit or open; no name for a new script, which may have a name already."""

    file: str
    line: int = 0


@record
class ShowPanel:
    """The script called workspace, openvar, doc or another function of the desktop.

    Attributes:
        panel: the id of the panel that comes to the front, or of a dialog (settings, examples,
            import).
        argument: what it shows: the name of a variable, of a help page, or of a file.
        search: what is searched for in it.
    """

    panel: str
    argument: str = ""
    search: str = ""


@record
class Notice:
    """A one-line notice for the status bar, such as a lost device; level info, warning, error."""

    text: str
    level: str = "info"


@record
class RunFinished:
    """A run ended: status is ok, error or interrupted.

    ``rows`` is all that it did, ``device`` the device of that moment; None for what is no run of
    code.
    """

    run: int
    status: str
    wall_ms: float
    rows: RunRows | None = None
    device: DeviceRow | None = None


Event = (
    StateChanged
    | Waiting
    | RunStarted
    | OutputText
    | TestFinished
    | ErrorRaised
    | VariablesChanged
    | VariablesSent
    | VariablePage
    | OverviewReady
    | StatisticsReady
    | EditRefused
    | WatchesReady
    | TelemetryBatch
    | DeviceReady
    | FigureUpdated
    | DialogUpdated
    | FigureClosed
    | PicturesClosed
    | FiguresRecalled
    | Paused
    | FrameShown
    | CommandTaken
    | BreakpointsChanged
    | StacksReady
    | InputWanted
    | QuestionAsked
    | ClearScreen
    | FolderChanged
    | OpenFile
    | ShowPanel
    | Notice
    | ParallelState
    | RunFinished
)
