"""The rulers of axes in space: their ticks and texts, none of which lies over another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, permutations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QTransform

from app.engine.figures.ticks import enough_ticks, linear_ticks, log_ticks, tick_label
from app.ui.plots.host.projection import Projection
from app.ui.plots.labels.label import Label, label_of
from app.ui.plots.series_arrays import Array, Exported
from app.ui.plots.style import Style, font

LETTERS = "XYZ"
MOST_INTERVALS = 6
LABEL_WIDTH, LABEL_HEIGHT = 3.6, 2.2
"""How far apart labels beside and above each other stand, in sizes of their letters."""
MARK, BEHIND_MARK, GAP = 4.0, 8.0, 5.0
"""Lengths along the way outwards: of a tick, to its text, from the texts to the axis' name."""
OUTWARDS = tuple(range(0, 56, 4))
ALONG = (0.0, 0.25, -0.25, 0.5, -0.5, 0.75, -0.75)
"""Where an axis' name may stand instead: so much further out, so far along the edge."""
_ASIDE = range(-120, 121, 8)
SEARCHED = sorted((QPointF(x, y) for x in _ASIDE for y in _ASIDE), key=QPointF.manhattanLength)
"""How far across and down a name is moved where there is no room along its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A text and the box that it fills on the picture.

    Attributes:
        angle: in degrees, counterclockwise.
    """

    label: Label
    box: QRectF
    angle: float = 0.0

    def draw(self, painter: QPainter) -> None:
        """Draw the text into its box."""
        self.label.draw(painter, self.box.center(), angle=self.angle)

    def over(self, others: Sequence[Placed]) -> bool:
        """Whether it lies over one of the others."""
        return any(self.box.intersects(other.box) for other in others)


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """The edge of the box that an axis' ruler stands at.

    Attributes:
        middle: of the edge, around the box's centre.
        step: outwards on the picture, one pixel long.
    """

    axis: int
    middle: Array
    step: QPointF

    def at(self, place: float) -> Array:
        """A point of the edge, around the box's centre."""
        point = self.middle.copy()
        point[self.axis] = place
        return point


class SpaceRulers:
    """Ticks, their texts and the names of three axes, for one view of the box."""

    def __init__(self, model: Exported, style: Style, projection: Projection, room: QRectF) -> None:
        self.model, self.style = model, style
        self.projection, self.room = projection, room

    def paint(self, painter: QPainter) -> None:
        """Draw everything."""
        painter.setPen(QPen(self.style.frame, 1))
        painter.drawLines(self.marks)
        for text in self.texts:
            text.draw(painter)

    # --- ticks ----------------------------------------------------------------------------

    def places(self, axis: int) -> list[float]:
        """The ticks of an axis as coordinates around the box's centre."""
        seen = self.projection
        values = np.array(self._ticks[axis], dtype=float)
        if seen.log[axis]:
            values = np.log10(values)
        span = seen.high[axis] - seen.low[axis]
        places = ((values - seen.low[axis]) / span - 0.5) * seen.sides[axis]
        return places.tolist()  # type: ignore[no-any-return]

    @cached_property
    def _ticks(self) -> list[list[float]]:
        return [self._ticks_of(axis) for axis in range(3)]

    def _ticks_of(self, axis: int) -> list[float]:
        """As many as have room on the picture: an axis seen from its end has none."""
        letter = LETTERS[axis]
        limits = self.model[f"{letter}Lim"]
        if self.model[f"{letter}TickMode"] == "manual":
            low, high = limits
            return [tick for tick in self.model[f"{letter}Tick"] if low <= tick <= high]
        ends = np.zeros((2, 3))
        ends[:, axis] = self.projection.sides[axis] / 2 * np.array([-1.0, 1.0])
        across, down = np.abs(np.diff(self.projection.project(ends), axis=0))[0, :2]
        letters = self.model["FontSize"]
        room = int(max(across / (LABEL_WIDTH * letters), down / (LABEL_HEIGHT * letters)))
        intervals = min(MOST_INTERVALS, room)
        if room < 1:
            return []
        if self.model[f"{letter}Scale"] == "log":
            return log_ticks(limits, intervals)
        found = enough_ticks(limits, intervals)
        while len(found) > room + 1 and intervals > 1:
            intervals -= 1
            fewer = linear_ticks(limits, intervals)
            found = fewer if len(fewer) > 1 else found
        return found[:: -(-(len(found) - 1) // room) or 1]

    # --- layout ---------------------------------------------------------------------------

    @cached_property
    def marks(self) -> list[QLineF]:
        """The short lines of all ticks."""
        return [
            QLineF(spot, spot + edge.step * MARK)
            for edge in self._edges
            for spot in map(self._spot, map(edge.at, self.places(edge.axis)))
        ]

    @cached_property
    def texts(self) -> list[Placed]:
        """All texts that are shown: inside the room, and none over another one.

        A name that finds no place beside the numbers takes that of some of them.
        """
        numbers: list[Placed] = []
        wanted = []
        for edge in self._edges:
            found = self._numbers(edge)
            numbers += [number for number in found if not number.over(numbers)]
            label = label_of(self.model[f"{LETTERS[edge.axis].lower()}label"], self.style)
            if label is not None:
                wanted.append(list(self._name_places(edge, self._reach(edge, found), label)))
        names: list[Placed] = []
        for order in permutations(wanted):
            placed = self._names(order, numbers)
            names = placed if len(placed) > len(names) else names
            if len(names) == len(wanted):
                break
        return [number for number in numbers if not number.over(names)] + names

    def _names(self, wanted: Sequence[list[Placed]], numbers: Sequence[Placed]) -> list[Placed]:
        """The names that find a place, each where those before it leave room."""
        names: list[Placed] = []
        for places in wanted:
            name = self._name(places, numbers, names)
            if name is not None:
                names.append(name)
        return names

    @cached_property
    def _edges(self) -> list[_Edge]:
        """The rulers' edges, without those that no way leads outwards from."""
        centre = self._spot(np.zeros(3))
        edges = []
        for axis in range(3):
            middle = self._ruler_edge(axis) * self.projection.sides / 2
            outward = QLineF(centre, self._spot(middle))
            if outward.length() >= 1:
                outward.setLength(1.0)
                edges.append(_Edge(axis, middle, outward.p2() - outward.p1()))
        return edges

    def _ruler_edge(self, axis: int) -> Array:
        """The edge an axis' labels stand at: lowest for x and y, leftmost for z."""
        back = self.projection.back()
        others = [k for k in range(3) if k != axis]
        edges = []
        for a in (-1.0, 1.0):
            for b in (-1.0, 1.0):
                signs = np.zeros(3)
                signs[others[0]], signs[others[1]] = a, b
                if (signs[others] == back[others]).sum() == 1:
                    edges.append(signs)
        spots = [self._spot(edge * self.projection.sides / 2) for edge in edges]
        key = [spot.x() if axis == 2 else -spot.y() for spot in spots]
        return edges[int(np.argmin(key))]

    def _numbers(self, edge: _Edge) -> list[Placed]:
        """The texts of one ruler's ticks, every second or third of them where they are dense."""
        made = []
        letters, step = font(self.model["FontSize"]), edge.step
        texts = tick_texts(self.model, edge.axis, self._ticks[edge.axis])
        for place, text in zip(self.places(edge.axis), texts, strict=True):
            spot = self._spot(edge.at(place))
            if text and self.room.contains(spot):
                label = Label(text, letters, self.style.muted)
                part = QPointF(0.5 - 0.5 * _sign(step.x()), 0.5 - 0.5 * step.y())
                made.append(self._inside(_placed(label, spot + step * BEHIND_MARK, part)))
        fitting = [number for number in made if number is not None]
        for stride in range(1, len(fitting)):
            fewer = fitting[::stride]
            if not any(one.over([other]) for one, other in pairwise(fewer)):
                return fewer
        return fitting[:1]

    def _reach(self, edge: _Edge, numbers: Sequence[Placed]) -> float:
        """How far the numbers of a ruler reach outwards from its edge."""
        start, step = self._spot(edge.middle), edge.step
        normal = self._normal(edge)
        reach = MARK
        for number in numbers:
            box = number.box
            for corner in (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()):
                away = QPointF.dotProduct(corner - start, normal)
                reach = max(reach, away / max(QPointF.dotProduct(step, normal), 0.3))
        return reach

    def _normal(self, edge: _Edge) -> QPointF:
        """Away from the edge at a right angle; the step where the edge is seen from its end."""
        half = edge.at(self.projection.sides[edge.axis] / 2)
        way = QLineF(self._spot(edge.middle), self._spot(half))
        if way.length() < 1:
            return edge.step
        found = way.normalVector().unitVector()
        normal = QPointF(found.dx(), found.dy())
        return normal if QPointF.dotProduct(normal, edge.step) >= 0 else -normal

    def _name(
        self, wanted: Sequence[Placed], numbers: Sequence[Placed], names: Sequence[Placed]
    ) -> Placed | None:
        """The name of an axis, as near to the middle of its edge as there is room."""
        moved = [found for found in map(self._inside, wanted) if found is not None]
        inside = [one for one in wanted if self.room.contains(one.box)]
        for one in (*inside, *moved):
            if not one.over(numbers) and not one.over(names):
                return one
        return next(self._free_places(moved[0], names), None) if moved else None

    def _free_places(self, wanted: Placed, names: Sequence[Placed]) -> Iterator[Placed]:
        """Where a name lies over no other and not over the box, the nearest place first."""
        box, room, size = self._box_seen(), self.room, wanted.box.size()
        start = wanted.box.topLeft()
        for way in SEARCHED:
            placed = QRectF(start + way, size)
            if room.contains(placed) and not placed.intersects(box):
                found = Placed(wanted.label, placed, wanted.angle)
                if not found.over(names):
                    yield found

    def _box_seen(self) -> QRectF:
        """The rectangle around the box on the picture."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        corners = self.projection.project(signs * self.projection.sides / 2)[:, :2]
        low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
        return QRectF(QPointF(*low), QPointF(*high))

    def _name_places(self, edge: _Edge, reach: float, label: Label) -> Iterator[Placed]:
        step, half = edge.step, self.projection.sides[edge.axis] / 2
        upright = edge.axis == 2
        part = QPointF(0.5 - 0.5 * step.x(), 0.5 - 0.5 * step.y())
        if upright:
            part = QPointF(1.0 if step.x() < 0 else 0.0, 0.5)
        for along in ALONG:
            spot = self._spot(edge.at(along * half))
            if self.room.contains(spot):
                for further in OUTWARDS:
                    anchor = spot + step * (reach + GAP + further)
                    yield _placed(label, anchor, part, 90.0 if upright else 0.0)

    def _inside(self, text: Placed) -> Placed | None:
        """The text moved into the room; None where it is too large for it."""
        box, room = text.box, self.room
        if box.width() > room.width() or box.height() > room.height():
            return None
        left = min(max(box.left(), room.left()), room.right() - box.width())
        top = min(max(box.top(), room.top()), room.bottom() - box.height())
        return Placed(text.label, QRectF(QPointF(left, top), box.size()), text.angle)

    def _spot(self, point: Array) -> QPointF:
        return spot_of(self.projection, point)


def tick_texts(model: Exported, axis: int, ticks: Sequence[float]) -> list[str]:
    """What stands at the ticks of an axis."""
    letter = LETTERS[axis]
    if model[f"{letter}TickLabelMode"] == "manual":
        return [*model[f"{letter}TickLabel"], *[""] * len(ticks)][: len(ticks)]
    return [tick_label(tick) for tick in ticks]


def spot_of(projection: Projection, point: Array) -> QPointF:
    """A point around the box's centre on the picture."""
    x, y, _depth = projection.project(point)
    return QPointF(float(x), float(y))


def _placed(label: Label, anchor: QPointF, part: QPointF, angle: float = 0.0) -> Placed:
    """A text whose box on the picture has the point ``part``, from 0 to 1, at ``anchor``."""
    box = QTransform().rotate(-angle).mapRect(QRectF(QPointF(0, 0), label.size))
    moved = QPointF(part.x() * box.width(), part.y() * box.height())
    return Placed(label, QRectF(anchor - moved, box.size()), angle)


def _sign(part: float) -> float:
    """How far a label is moved aside: fully when it stands beside, not at all when below."""
    return max(-1.0, min(1.0, 1.6 * part))
