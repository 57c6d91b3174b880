"""The picture of a group and its neighbours: what is drawn where."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.engine.run_rows import GroupRow
from app.ui.editor import run_annotations
from app.ui.run_model import fusion_graph
from app.ui.run_model.fusion_graph import Edge, Key, Node
from app.ui.run_model.graph_layout import Arranged, arrange
from app.ui.support.fonts import code_font, ui_font

PILL, TITLE, PAD, GAP, BETWEEN, APART = 22.0, 24.0, 10.0, 12.0, 24.0, 32.0
BACK = 20.0
"""Room at the side for what a loop carries into its next pass."""
SIGN = 16.0
FEW = 2
"""Of more neighbours on a side the pictures show the numbers, and tooltips the kinds."""
OPEN, CLOSED = "▾", "▸"


@dataclass(frozen=True)
class Item:
    """Something drawn: a pill, or the frame of a group that is shown whole.

    Attributes:
        role: ``in op run out``; ``group`` for a group as one pill, ``frame`` for one shown whole.
        side: where the group ran.
    """

    area: QRectF
    role: str
    text: str
    tip: str
    group: Any
    side: str
    node: Node | None = None


@dataclass(frozen=True)
class Arrow:
    """A line through points, with the array that goes along it."""

    points: tuple[QPointF, ...]
    text: str
    told: bool = False
    back: bool = False


@dataclass
class Scene:
    """Everything that is drawn, frames first."""

    items: list[Item] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def item_at(self, place: QPointF) -> Item | None:
        """The topmost item below a point."""
        return next((i for i in reversed(self.items) if i.area.contains(place)), None)


def build(
    groups: Mapping[int, GroupRow], chosen: int, opened: Collection[int], unfolded: Collection[Key]
) -> Scene:
    """The chosen group with the groups before and after it; those in `opened` are shown whole."""
    before, after = fusion_graph.neighbours(groups, chosen)
    shown = [*before, chosen, *after]
    crowd = {n for side in (before, after) if len(side) > FEW for n in side}
    names = {
        n: run_annotations.label(groups[n]) if n in crowd else _title(groups[n]) for n in shown
    }
    insides = {n: _Inside(groups[n], unfolded) for n in shown if n in opened}
    sizes: dict[Any, tuple[float, float]] = {
        n: insides[n].size if n in insides else (_text_width(names[n]) + SIGN, PILL) for n in shown
    }
    edges = [(a, n) for n in shown for a in fusion_graph.sources(groups[n]) if a in sizes and a < n]
    outer = arrange(sizes, edges, 2 * GAP, APART)
    scene = Scene(width=outer.size[0], height=outer.size[1])
    for number in shown:
        area = QRectF(*outer.places[number], *sizes[number])
        _add_group(scene, groups[number], area, insides.get(number), names[number])
    for edge in edges:
        scene.arrows.append(_arrow_between(scene, outer, edge, groups))
    return scene


def _title(group: GroupRow) -> str:
    return f"{run_annotations.label(group)} · {group.kind}"


def _text_width(text: str, *, code: bool = False) -> float:
    return QFontMetricsF(code_font(12) if code else ui_font(12)).horizontalAdvance(text) + 18


def _add_group(
    scene: Scene, group: GroupRow, area: QRectF, inside: _Inside | None, name: str
) -> None:
    side, number = run_annotations.side_of(group), group.id
    role, sign = ("group", CLOSED) if inside is None else ("frame", OPEN)
    text = f"{sign} {name if inside is None else _title(group)}"
    scene.items.append(Item(area, role, text, _title(group), number, side))
    if inside is not None:
        inside.place(scene, area, side)


def _arrow_between(
    scene: Scene, outer: Arranged, edge: tuple[int, int], groups: Mapping[int, GroupRow]
) -> Arrow:
    """What a group hands to another one."""
    area = {item.group: item.area for item in scene.items if item.role in {"group", "frame"}}
    reader = groups[edge[1]]
    read = [
        array
        for array, source in zip(reader.inputs, reader.sources or (), strict=False)
        if source == edge[0]
    ]
    start, end = area[edge[0]], area[edge[1]]
    points = (
        QPointF(start.center().x(), start.bottom()),
        *(QPointF(*place) for place in outer.bends[edge]),
        QPointF(end.center().x(), end.top()),
    )
    text = ", ".join(dict.fromkeys(map(fusion_graph.array_text, read)))
    return Arrow(points, text, told=True)


class _Inside:
    """The operations of one group, arranged."""

    def __init__(self, group: GroupRow, unfolded: Collection[Key]) -> None:
        self.group = group
        runs = [key[2] for key in unfolded if key[1] == group.id]
        self.nodes, self.edges = fusion_graph.inside(group, runs)
        told = {edge.start: edge.text for edge in self.edges if edge.told and not edge.back}
        metrics = QFontMetricsF(ui_font(11))
        below = {key: metrics.horizontalAdvance(text) + 6 for key, text in told.items()}
        self.pills = {
            n.key: _text_width(n.text, code=n.key[0] in {"op", "run"}) for n in self.nodes
        }
        sizes: dict[Any, tuple[float, float]] = {
            key: (max(wide, below.get(key, 0.0)), PILL) for key, wide in self.pills.items()
        }
        joined = [(e.start, e.end) for e in self.edges if not e.back]
        self.arranged = arrange(sizes, list(dict.fromkeys(joined)), GAP, BETWEEN)
        wide, high = self.arranged.size
        right = BACK if any(edge.back for edge in self.edges) else 0.0
        title = _text_width(_title(group)) + SIGN
        self.size = (max(wide + right, title) + 2 * PAD, high + TITLE + 2 * PAD)
        self.sizes = sizes

    def _area(self, key: Any, corner: QPointF) -> QRectF:
        x, y = self.arranged.places[key]
        spare = (self.sizes[key][0] - self.pills[key]) / 2
        return QRectF(x + spare, y, self.pills[key], PILL).translated(corner)

    def place(self, scene: Scene, area: QRectF, side: str) -> None:
        """Put the nodes and arrows into the frame."""
        corner = area.topLeft() + QPointF(PAD, TITLE + PAD)
        for node in self.nodes:
            spot = self._area(node.key, corner)
            number = self.group.id
            scene.items.append(Item(spot, node.key[0], node.text, node.tip, number, side, node))
        scene.arrows += self._arrows(corner)

    def _arrows(self, corner: QPointF) -> list[Arrow]:
        return [self._arrow(edge, corner) for edge in self.edges]

    def _arrow(self, edge: Edge, corner: QPointF) -> Arrow:
        start, end = self._area(edge.start, corner), self._area(edge.end, corner)
        if edge.back:
            x, y = corner.x() + self.arranged.size[0] + BACK / 2, end.top() - BETWEEN / 2
            into = end.center().x() + PILL / 2
            around = (
                QPointF(start.right(), start.center().y()),
                QPointF(x, start.center().y()),
                QPointF(x, y),
                QPointF(into, y),
                QPointF(into, end.top()),
            )
            return Arrow(around, edge.text, back=True)
        bends = self.arranged.bends[edge.start, edge.end]
        points = (
            QPointF(start.center().x(), start.bottom()),
            *(QPointF(*place) + corner for place in bends),
            QPointF(end.center().x(), end.top()),
        )
        return Arrow(points, edge.text, edge.told)
