"""All figures of a session: which is current, how new axes come about, what the window is told.

The model holds no pixels and knows no window. ``flush()`` sends the figures that changed since the
last time as ``FigureUpdated`` and ``FigureClosed``; without a window nobody listens and plotting
calls merely build the model.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, sleep
from typing import Any

from app.engine.figures.axes_fonts import inherit_font
from app.engine.figures.colors import COLOR_ORDER, Rgb
from app.engine.figures.defaults import apply_defaults
from app.engine.figures.dialog_figures import dialog_snapshot
from app.engine.figures.figure_input import Inputs
from app.engine.figures.listeners import tell
from app.engine.figures.object_rules import RULES
from app.engine.figures.objects import GraphicsObject
from app.engine.figures.series_index import order_of, restart_order, style_order
from app.engine.figures.snapshot import figure_snapshot
from app.engine.protocol import DialogUpdated, FigureClosed, FigureUpdated, PicturesClosed
from app.errors import MatlabError

FRAME_S = 1 / 60
LIMITED_S = 1 / 20
"""The pace of ``drawnow limitrate``."""
STATE_KEY = "figures"
FigureEvent = FigureUpdated | DialogUpdated | FigureClosed | PicturesClosed
_KEPT_ON_RESET = ("Position", "InnerPosition", "OuterPosition", "PositionMode", "Units", "Tile")


class Figures:
    """The figures of one session.

    Attributes:
        root: the parent of all figures.
        emit: who is told of changes; None without a window.
        inputs: what people do to figures.
        rules: how its objects behave.
        renderer: the process that draws figures for files, once one was wanted.
    """

    rules = RULES

    def __init__(self, emit: Callable[[FigureEvent], None] | None = None) -> None:
        self.emit = emit
        self._current: GraphicsObject | None = None
        self._current_axes: dict[GraphicsObject, GraphicsObject] = {}
        self._dialogs_over: dict[GraphicsObject, list[GraphicsObject]] = {}
        self.changes = 0
        self._changed: set[int] = set()
        self._closed: set[int] = set()
        self._pictures_closed: PicturesClosed | None = None
        self._drawn = 0.0
        self.inputs = Inputs(self)
        self.renderer: Any = None
        self.root = GraphicsObject("root", self)

    # --- figures --------------------------------------------------------------------------

    def numbers(self) -> list[int]:
        """The numbers of all figures that have one."""
        return sorted(figure.number for figure in self.root.children if figure.number > 0)

    def figure_numbered(self, number: int) -> GraphicsObject | None:
        """The figure with that number, if it exists."""
        return next((f for f in self.root.children if f.number == number), None)

    def object_numbered(self, number: float) -> GraphicsObject | None:
        """The object that a number stands for: the root is 0, figures are whole numbers."""
        if number == 0 or number.is_integer():
            return self.root if number == 0 else self.figure_numbered(int(number))
        return next((item for item in self.root.descendants() if item.to_double() == number), None)

    def figure(self, number: int | None = None) -> GraphicsObject:
        """Make a figure current, creating it if need be; a free number for None."""
        found = None if number is None else self.figure_numbered(number)
        self.current = made = found or self._new_figure(number)
        return made

    def new_dialog(
        self, kind: str = "figure", over: GraphicsObject | None = None
    ) -> GraphicsObject:
        """A figure of the desktop's own, told by a negative number; it goes with the one it is
        ``over``."""
        number = min([0, *(f.number for f in self.root.children)]) - 1
        dialog = self._new_figure(number, kind)
        if over is not None:
            self._dialogs_over.setdefault(over, []).append(dialog)
        return dialog

    def _new_figure(self, number: int | None, kind: str = "figure") -> GraphicsObject:
        taken = set(self.numbers())
        free = next(n for n in range(1, len(taken) + 2) if n not in taken)
        figure = GraphicsObject(kind, self, self.root)
        figure.number = free if number is None else number
        self._closed.discard(figure.number)
        figure.touch()
        return figure

    @property
    def current(self) -> GraphicsObject | None:
        """The current figure, or the newest of the others where nothing may find that one."""
        if self._current is None or self._current.listed:
            return self._current
        return self._newest()

    @current.setter
    def current(self, figure: GraphicsObject | None) -> None:
        self._current = figure

    def _newest(self) -> GraphicsObject | None:
        found = reversed(self.root.children)
        return next((figure for figure in found if figure.number > 0 and figure.listed), None)

    def gcf(self) -> GraphicsObject:
        """The current figure; a new one if there is none."""
        return self.current if self.current is not None else self.figure()

    def close(self, figure: GraphicsObject, *, ask: bool = False) -> None:
        """Close a figure, asking its CloseRequestFcn first; the newest remaining one becomes
        current."""
        if ask and self.inputs.asks(figure):
            self.inputs.run(figure, "CloseRequestFcn")
        else:
            self.delete(figure)

    def close_unknown(self, number: int) -> None:
        """Close what the window may show under a number that is no figure of this session."""
        self._closed.add(number)

    def close_pictures(self, *, every: bool) -> None:
        """Close what the window may show of an earlier session: everything, or what is in front."""
        self._pictures_closed = PicturesClosed(every)

    def clear(self, figure: GraphicsObject, *, hidden: bool = False) -> None:
        """Delete what may be found inside a figure; with ``hidden`` everything."""
        for child in list(figure.children):
            if hidden or child.listed:
                self.delete(child)
        figure.parts.clear()
        figure.touch()

    # --- axes -----------------------------------------------------------------------------

    def gca(self) -> GraphicsObject:
        """The current axes; new ones if the current figure has none."""
        figure = self.gcf()
        return self.current_axes_of(figure) or self.new_axes(figure)

    def current_axes_of(self, figure: GraphicsObject) -> GraphicsObject | None:
        """The current axes of a figure, if it has any that may be found."""
        axes = self._current_axes.get(figure)
        return axes if axes is not None and axes.listed else None

    def new_axes(self, parent: GraphicsObject) -> GraphicsObject:
        """New axes inside a figure or a tiled layout, made current."""
        axes = GraphicsObject("axes", self, parent)
        self.activate(axes)
        axes.touch()
        return axes

    def activate(self, item: GraphicsObject) -> None:
        """Make a figure, or axes and their figure, current."""
        figure = item.ancestor("figure")
        if figure is None:
            raise MatlabError("MATLAB:hg:InvalidHandle", "Invalid or deleted object.")
        self.current = figure
        if item.kind.base == "axes":
            self._current_axes[figure] = item

    def newplot(self, axes: GraphicsObject) -> None:
        """Prepare axes for a new plot: cleared unless they are on hold."""
        if axes["NextPlot"] == "add":
            return
        if axes.kind.name != "axes":
            axes.become("axes")
            self.reset(axes)
        elif axes["NextPlot"] == "replace" and not axes.two_sided:
            self.reset(axes)
        else:
            self._empty(axes)

    def reset(self, axes: GraphicsObject) -> None:
        """Delete what axes hold and give their properties the defaults; place and labels' style
        stay."""
        self._empty(axes)
        for name in [*axes.parts]:
            axes.parts[name].delete()
        kept = {name: axes.values[name] for name in _KEPT_ON_RESET if name in axes.values}
        axes.values = kept
        if axes.parent is not None:
            apply_defaults(axes, axes.parent)
        axes.seen = {}
        axes.side, axes.two_sided = "left", False
        axes.touch()

    def _empty(self, axes: GraphicsObject) -> None:
        keep_side = axes.two_sided
        axes.seen = {}
        for child in list(axes.children):
            if not keep_side or child["YAxisSide"] == axes.side:
                child.delete()
        restart_order(axes)

    def part(self, axes: GraphicsObject, name: str) -> GraphicsObject:
        """A text of axes (``Title``, ``XLabel`` …), created on first use."""
        key = f"{name}@right" if name == "YLabel" and axes.side == "right" else name
        if key not in axes.parts:
            text = GraphicsObject("text", self)
            text.parent = axes
            text.values["HorizontalAlignment"] = "center"
            if axes.has("XLim"):
                inherit_font(axes, name, text)
            elif name == "Title":
                text.values["FontWeight"] = "bold"
            if name == "YLabel":
                text.values["Rotation"] = 90.0
            apply_defaults(text, axes)
            axes.parts[key] = text
        return axes.parts[key]

    def attach(self, axes: GraphicsObject, kind: str, name: str) -> GraphicsObject:
        """The legend or colour bar of axes, created on first use."""
        if name not in axes.parts:
            part = GraphicsObject(kind, self)
            part.parent = axes
            inherit_font(axes, name, part)
            apply_defaults(part, axes)
            axes.parts[name] = part
        return axes.parts[name]

    def next_color(self, axes: GraphicsObject) -> Rgb:
        """The next colour of the order, and one step on; behind the last comes the next style."""
        order = order_of(axes)
        rows = COLOR_ORDER if order is None else tuple(tuple(map(float, row)) for row in order)
        index = int(axes["ColorOrderIndex"]) - 1
        last = index + 1 >= len(rows)
        axes["ColorOrderIndex"] = 1.0 if last else float(index + 2)
        if last and axes.has("LineStyleOrderIndex"):
            styles = len(style_order(axes))
            axes["LineStyleOrderIndex"] = axes["LineStyleOrderIndex"] % styles + 1.0
        return rows[index % len(rows)]  # type: ignore[return-value]

    # --- changes --------------------------------------------------------------------------

    def delete(self, item: GraphicsObject) -> None:
        """Delete any object; deleting a figure closes it."""
        if not item.alive:
            return
        number = item.number
        for node in list(item.descendants()):
            self.inputs.run(node, "DeleteFcn")
            tell(node, "ObjectBeingDestroyed")
        item.delete()
        self._current_axes = {f: a for f, a in self._current_axes.items() if f.alive and a.alive}
        if item.kind.base == "figure":
            self._figure_gone(item, number)

    def _figure_gone(self, figure: GraphicsObject, number: int) -> None:
        self._changed.discard(number)
        self._closed.add(number)
        if self._current is figure:
            left = [other for other in self.root.children if other.number > 0]
            self._current = left[-1] if left else None
        for dialog in self._dialogs_over.pop(figure, ()):
            self.delete(dialog)

    def mark(self, item: GraphicsObject) -> None:
        """Note that an object changed."""
        self.changes += 1
        figure = item.ancestor("figure")
        if figure is not None:
            self._changed.add(figure.number)

    def take_changed(self) -> tuple[int, ...]:
        """Numbers of the open figures that changed since this was last asked."""
        self._refresh()
        changed, self._changed, self._closed = sorted(self._changed), set(), set()
        return tuple(n for n in changed if n > 0 and self.figure_numbered(n) is not None)

    def flush(self) -> None:
        """Tell the window what changed since the last flush."""
        self._refresh()
        if self.emit is None:
            return
        closed, self._closed = sorted(self._closed), set()
        changed, self._changed = sorted(self._changed), set()
        for number in closed:
            self.emit(FigureClosed(number))
        pictures, self._pictures_closed = self._pictures_closed, None
        if pictures is not None:
            self.emit(pictures)
        for number in changed:
            figure = self.figure_numbered(number)
            if figure is None:
                continue
            dialog = dialog_snapshot(figure)
            if dialog is None:
                self.emit(FigureUpdated(number, figure_snapshot(figure)))
            else:
                self.emit(DialogUpdated(number, dialog))

    def _refresh(self) -> None:
        """Have linked figures follow their variables."""
        if any(figure.values.get("LinkData") for figure in self.root.children):
            self.inputs.context.call("refreshdata", (), 0)

    def draw_now(self, *, paced: bool = False, least: float = FRAME_S) -> None:
        """Flush, but not more often than a screen can show: a loop that draws faster than that
        would only fill the way to the window with pictures nobody sees.

        ``paced`` waits for the screen, so that every step of an animation is seen."""
        self._refresh()
        if not self.dirty or self.emit is None:
            return
        early = least - (perf_counter() - self._drawn)
        if early > 0:
            if not paced:
                return
            sleep(early)
        self._drawn = perf_counter()
        self.flush()

    @property
    def dirty(self) -> bool:
        """Whether a flush would tell anything."""
        return bool(self._changed or self._closed)


def figures_of(state: dict[str, Any]) -> Figures:
    """The figures of the session whose builtin state this is (``ctx.state``)."""
    if STATE_KEY not in state:
        state[STATE_KEY] = Figures()
    found: Figures = state[STATE_KEY]
    return found
