"""What is said of panels before there are any: their names, how they are made, where they go."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)


class PanelName(str, Generic[W]):
    """The name of a panel whose widget is a ``W``: whoever asks for it by this name knows that."""

    __slots__ = ()


@dataclass(frozen=True)
class PanelSpec:
    """A panel: made by ``make`` when it is first shown."""

    id: str
    title: str
    icon: str
    area: str
    make: Callable[[], QWidget]


@dataclass(frozen=True)
class Layout:
    """An arrangement: panels per area (the first is in front) and sizes of the splitters."""

    areas: Mapping[str, tuple[str, ...]]
    sizes: Mapping[str, tuple[int, ...]]
