"""What people do to figures: clicks, keys, closing, zooming, controls; and the callbacks of it.

The window sends ``FigureInput``. What changes only the model (the limits that are seen, where the
pointer is) is taken in at once. Callbacks run where MATLAB runs them: when nothing else does, and
in ``drawnow``, ``pause`` and the functions that wait.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.figures.figure_data import HostData, ResidentData
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import is_text, plain_text, row_value
from app.engine.figures.ui_tables import edit
from app.engine.protocol import FigureInput
from app.engine.values import EMPTY, Cell, FunctionHandle, Struct, Value, as_array, canonical
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.figures.model import Figures

WAIT_S = 0.02
CALLBACKS = (
    "ButtonDownFcn",
    "WindowButtonDownFcn",
    "WindowButtonUpFcn",
    "WindowButtonMotionFcn",
    "KeyPressFcn",
    "WindowKeyPressFcn",
    "KeyReleaseFcn",
    "WindowScrollWheelFcn",
    "SizeChangedFcn",
)
"""Properties whose callbacks need the window to tell of clicks, keys and moves."""


class Inputs:
    """The inputs of one session's figures.

    Attributes:
        pending: what is still to be told to the script.
        context: calls functions; None until a graphics function was called.
        pump: fetches inputs that have arrived while a script runs.
        source: the object whose callback runs; None outside of callbacks.
        picking: whether a function waits for clicks or keys.
        picked: clicks and keys that it got.
    """

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.pending: deque[FigureInput] = deque()
        self.context: Any = None
        self.pump: Callable[[], None] | None = None
        self.source: GraphicsObject | None = None
        self.picking = False
        self.picked: deque[FigureInput] = deque()

    def take(self, event: FigureInput) -> None:
        """Take in what happened; callbacks wait for ``serve``."""
        figure = self.figures.figure_numbered(event.number)
        if figure is None:
            return
        if event.action == "close" and not self.asks(figure):
            self.figures.close(figure)
        elif event.action in _AT_ONCE:
            _AT_ONCE[event.action](_object(figure, event.target), event.data)
        else:
            self.pending.append(event)

    def asks(self, figure: GraphicsObject) -> bool:
        """Whether closing a figure is left to a callback of the script's."""
        if not figure.has("CloseRequestFcn"):
            return False
        callback = figure["CloseRequestFcn"]
        plain = is_text(callback) and plain_text(callback).strip().lower() == "closereq"
        return _is_callback(callback) and not plain and self.source is not figure

    def serve(self) -> None:
        """Run the callbacks of everything that has happened."""
        if self.pump is not None:
            self.pump()
        timers = None if self.context is None else self.context.state.get("timers")
        if timers is not None:
            timers.serve()
        while self.pending:
            event = self.pending.popleft()
            figure = self.figures.figure_numbered(event.number)
            if figure is not None:
                _SERVED[event.action](self, figure, event)

    def wait(self, done: Callable[[], bool], seconds: float = float("inf")) -> bool:
        """Serve until something is so; False when the time is over first."""
        self.figures.flush()
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            self.serve()
            self.figures.flush()
            poll = getattr(getattr(self.context, "host", None), "poll", None)
            if poll is not None:
                poll()
            time.sleep(WAIT_S)
        return True

    # --- callbacks ------------------------------------------------------------------------

    def run(self, item: GraphicsObject, name: str, event: Value = EMPTY) -> bool:
        """Run a callback property of an object, if it is set; errors are printed."""
        callback = item[name] if item.alive and item.has(name) else EMPTY
        if not _is_callback(callback) or self.context is None:
            return False
        before, self.source = self.source, item
        try:
            self._call(callback, item, event)
        except MatlabError as problem:
            kind = item.class_name.rpartition(".")[2]
            self.context.write_error(
                f"Error while evaluating {kind} {name}.\n\n{problem.message}\n"
            )
        finally:
            self.source = before
        return True

    def _call(self, callback: Value, item: GraphicsObject, event: Value) -> None:
        if is_text(callback):
            self.context.evaluate(plain_text(callback), 0, "base")
            return
        extra: tuple[Value, ...] = ()
        if isinstance(callback, Cell):
            callback, *rest = callback.items()
            extra = tuple(rest)
        target = callback if isinstance(callback, FunctionHandle) else plain_text(callback)
        self.context.call(target, (item, event, *extra), 0)


def _is_callback(callback: Value) -> bool:
    """Whether a callback property has a callback."""
    if isinstance(callback, FunctionHandle):
        return True
    if isinstance(callback, Cell):
        return callback.data.size > 0
    return is_text(callback) and bool(plain_text(callback).strip())


def _object(figure: GraphicsObject, serial: int) -> GraphicsObject:
    """The object inside a figure with that number of its own; the figure itself for others."""
    return next((item for item in figure.descendants() if item.serial == serial), figure)


def callbacks_set(figure: GraphicsObject) -> list[str]:
    """Which inputs a figure wants to hear of: names of callbacks that are set in it."""
    found = {
        name
        for item in figure.descendants()
        for name in CALLBACKS
        if item.has(name) and _is_callback(item[name])
    }
    if figure.owner.inputs.picking:
        found.add("picking")
    return sorted(found)


# --- taken in at once ---------------------------------------------------------------------


def _see_limits(axes: GraphicsObject, data: tuple[Any, ...]) -> None:
    axes.seen = dict(data)


def _see_view(axes: GraphicsObject, data: tuple[Any, ...]) -> None:
    if axes.has("View"):
        axes.values["View"] = (float(data[0]), float(data[1]))
        for link in axes.links:
            link.follow(axes, "View")


def _move_legend(axes: GraphicsObject, data: tuple[float, ...]) -> None:
    legend = axes.parts.get("Legend")
    if legend is not None:
        legend.values.update(Location="none", Units="normalized")
        legend["Position"] = data


def _resize(figure: GraphicsObject, data: tuple[Any, ...]) -> None:
    left, bottom = figure["Position"][:2]
    figure.values["Position"] = (left, bottom, float(data[0]), float(data[1]))
    figure.owner.inputs.pending.append(FigureInput(figure.number, "resized"))


def _cancel(dialog: GraphicsObject, _data: object) -> None:
    if dialog.has("CancelRequested"):
        dialog.values["CancelRequested"] = True


def _draw_again(figure: GraphicsObject, _data: object) -> None:
    """The window could not draw it: data of a device that is lost is brought to another one.

    What cannot be computed again stays as it is: the figure says that it cannot be drawn.
    """
    for item in figure.descendants():
        for kept in list(item.values.values()):
            if isinstance(kept, ResidentData):
                with suppress(MatlabError):
                    kept.source.renew()
    figure.touch()


_AT_ONCE: dict[str, Callable[[GraphicsObject, tuple[Any, ...]], None]] = {
    "cancel": _cancel,
    "legend": _move_legend,
    "limits": _see_limits,
    "view": _see_view,
    "redraw": _draw_again,
    "resize": _resize,
}


# --- served -------------------------------------------------------------------------------


def event_of(name: str, source: GraphicsObject, **fields: Value) -> Struct:
    """What a callback gets as its second argument."""
    return Struct({"Source": source, "EventName": name, **fields})


def _close(inputs: Inputs, figure: GraphicsObject, _event_: FigureInput) -> None:
    inputs.figures.close(figure, ask=True)
    if figure.alive:
        figure.touch()  # the window shows it again


def _run_size_callback(inputs: Inputs, figure: GraphicsObject, _event_: FigureInput) -> None:
    inputs.run(figure, "SizeChangedFcn", event_of("SizeChanged", figure))


def _point(figure: GraphicsObject, event: FigureInput) -> GraphicsObject:
    """Note where the pointer is; the object under it."""
    place, axes_id, spot, kind = event.data[:4]
    figure.values["CurrentPoint"] = tuple(map(float, place))
    figure.values["SelectionType"] = kind
    axes = _object(figure, axes_id)
    if axes.has("CurrentPoint") and axes is not figure:
        x, y = map(float, spot)
        axes.values["CurrentPoint"] = np.array([[x, y, 1.0], [x, y, -1.0]])
        figure.owner.activate(axes)
    return _object(figure, event.target)


def _press(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    hit = _point(figure, event)
    if inputs.picking:
        inputs.picked.append(event)
        return
    figure.values["CurrentObject"] = hit
    inputs.run(figure, "WindowButtonDownFcn", event_of("WindowMousePress", figure))
    for item in (hit, *hit.ancestors()):
        if item.alive and item["HitTest"] and item["PickableParts"] != "none":
            number = {"normal": 1.0, "alt": 3.0, "extend": 2.0}.get(event.data[3], 1.0)
            detail = event_of("Hit", item, Button=number)
            if inputs.run(item, "ButtonDownFcn", detail):
                return


def _release(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    _point(figure, event)
    inputs.run(figure, "WindowButtonUpFcn", event_of("WindowMouseRelease", figure))


def _motion(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    later = any(e.action == "motion" and e.number == event.number for e in inputs.pending)
    if later:
        return  # only the last of many moves counts
    kind = figure["SelectionType"]
    _point(figure, event)
    figure.values["SelectionType"] = kind
    inputs.run(figure, "WindowButtonMotionFcn", event_of("WindowMouseMotion", figure))


def _wheel(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    detail = event_of(
        "WindowScrollWheel",
        figure,
        VerticalScrollCount=float(event.data[0]),
        VerticalScrollAmount=3.0,
    )
    inputs.run(figure, "WindowScrollWheelFcn", detail)


def _key(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    key, character, modifiers = event.data
    figure.values.update(CurrentCharacter=character, CurrentKey=key)
    if inputs.picking:
        inputs.picked.append(event)
        return
    detail = event_of(
        "KeyPress",
        figure,
        Key=key,
        Character=character,
        Modifier=Cell.of(list(modifiers), (1, len(modifiers))),
    )
    inputs.run(figure, "WindowKeyPressFcn", detail)
    inputs.run(figure, "KeyPressFcn", detail)


def _key_up(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    key, character, modifiers = event.data
    detail = event_of(
        "KeyRelease",
        figure,
        Key=key,
        Character=character,
        Modifier=Cell.of(list(modifiers), (1, len(modifiers))),
    )
    inputs.run(figure, "KeyReleaseFcn", detail)


def _control(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    control = _object(figure, event.target)
    name, value = event.data
    if control.kind.name == "uitable":
        _table(inputs, control, name, value)
        return
    control.values[name] = row_value(value) if isinstance(value, tuple) else value
    inputs.run(control, "Callback", event_of("Action", control))
    for link in list(control.links):
        link.tell(control, "ContinuousValueChange")


def _table(inputs: Inputs, table: GraphicsObject, name: str, value: tuple[int, int, str]) -> None:
    """Somebody typed into a cell of a table, or selected cells."""
    if name == "edit":
        row, column, text = value
        inputs.run(
            table, "CellEditCallback", event_of("CellEdit", table, **edit(table, row, column, text))
        )
        table.touch()
    else:
        places = canonical(np.array(value, dtype=np.float64).reshape(-1, 2) + 1)
        inputs.run(table, "CellSelectionCallback", event_of("CellSelection", table, Indices=places))


def _brush(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    """Points inside a rectangle become the variable brushedData, a row of x and y each, and are
    marked in their charts."""
    left, right, bottom, top = map(float, event.data)
    axes, call = _object(figure, event.target), inputs.context.call
    found = []
    for series in axes.children:
        if not (series.has("XData") and series.has("YData")) or series["YData"] is None:
            continue
        lies = series.has("Horizontal") and series["Horizontal"]
        across_up = ("YData", "XData") if lies else ("XData", "YData")
        x, y = (series[name].value() for name in across_up)
        tests = [("ge", x, left), ("le", x, right), ("ge", y, bottom), ("le", y, top)]
        masks = [call("reshape", (call(name, (a, b))[0], EMPTY, 1.0))[0] for name, a, b in tests]
        inside = masks[0]
        for mask in masks[1:]:
            inside = call("and", (inside, mask))[0]
        places = as_array(call("find", (inside,))[0]).reshape(-1).astype(np.intp) - 1
        if series.has("BrushData"):
            mask = np.zeros((1, series["YData"].size), np.uint8)
            mask[0, places] = 1
            series["BrushData"] = HostData(mask) if len(places) else None
        found.append(np.column_stack([chosen(series[name], places) for name in ("XData", "YData")]))
    table = np.concatenate(found) if found else np.zeros((0, 2))
    inputs.context.workspace("base").set("brushedData", canonical(table))


def chosen(data: Any, places: Any) -> Any:
    """Some elements of series data; of resident data only those come down."""
    if isinstance(data, ResidentData):
        array = data.source.array
        numbers = (places + data.offset).tolist()
        return array.runtime.gather_elements(array.node, numbers, "brush")
    return data.host("brush").reshape(-1, order="F")[places]


def _menu(inputs: Inputs, figure: GraphicsObject, event: FigureInput) -> None:
    entry = _object(figure, event.target)
    inputs.run(entry, "Callback", event_of("Action", entry))


_SERVED: dict[str, Callable[[Inputs, GraphicsObject, FigureInput], None]] = {
    "close": _close,
    "resized": _run_size_callback,
    "press": _press,
    "release": _release,
    "motion": _motion,
    "wheel": _wheel,
    "key": _key,
    "keyup": _key_up,
    "control": _control,
    "menu": _menu,
    "brush": _brush,
}
