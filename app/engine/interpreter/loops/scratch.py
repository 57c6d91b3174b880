"""Variables without numbers that every pass sets before it reads them: texts, names of fields."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from app.engine.interpreter.loops.places import Place, Root, State, places_of
from app.engine.values import StringArray, Value

if TYPE_CHECKING:
    from app.accel.ir.node import Node


class Scratch(dict[Root, set[Hashable]]):
    """Such variables, with the texts that each way through the pass leaves in them."""

    def begin(self) -> None:
        """A trace begins."""
        for left in self.values():
            left.clear()

    def takes(self, root: Root, held: Iterable[Place]) -> bool:
        """Whether a root becomes such a variable; places in it that hold numbers prevent that."""
        if root[0] != "variable" or any(place[0] == root and place[1] for place in held):
            return False
        self[root] = set()
        return True

    def note(self, state: State, values: dict[Place, Node]) -> None:
        """One way has left them so; parts of them are no places with numbers of their own."""
        for root, left in self.items():
            left.add(_texts_in(state[root]))
        for place in [place for place in values if place[1] and place[0] in self]:
            del values[place]

    @property
    def unknown(self) -> set[Root]:
        """Those that may hold something else after the next pass."""
        return {root for root, left in self.items() if len(left) != 1 or None in left}


def _texts_in(value: Value) -> Hashable:
    """What tells a text, or containers of texts, from others; None for all else."""
    found = places_of({("variable", ""): value})
    texts: list[Hashable] = []
    for place, leaf in found.leaves.items():
        if type(leaf) is StringArray:
            texts.append((place, leaf.data.shape, *leaf.data.ravel().tolist()))
        elif type(leaf) is str:
            texts.append((place, leaf))
        else:
            return None
    return tuple(texts), tuple(found.form.items())
