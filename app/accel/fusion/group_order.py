"""The order in which groups run: what walks the same rows goes on at once, where it can.

Groups that follow each other along the rows of one box may become one kernel on a device (see
`row_chain`), and find in its caches what the one before wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.accel.fusion.partition import Group

WALKING = frozenset({"map", "reduce", "scan"})
LOOKED_AT = 8
"""Groups among which one that goes on is looked for."""


def row_by_row(groups: Sequence[Group], needs: Mapping[int, set[int]]) -> list[Group]:
    """Groups by level, but for those that go on along the rows of the one before.

    Args:
        groups: those of lower levels first.
        needs: per group (by identity) the groups that it reads.
    """
    waiting = list(groups)
    order: list[Group] = []
    open_ = {id(group) for group in groups}
    while waiting:
        last = order[-1] if order else None
        follower = None if last is None else _follower(last, waiting, needs, open_)
        group = waiting.pop(0 if follower is None else follower)
        open_.discard(id(group))
        order.append(group)
    return order


def _follower(
    last: Group, waiting: Sequence[Group], needs: Mapping[int, set[int]], open_: set[int]
) -> int | None:
    """The place of the first group that reads the last one along its rows and nothing unknown."""
    if last.template not in WALKING:
        return None
    for k, group in enumerate(waiting[:LOOKED_AT]):
        read = needs[id(group)] - {id(group)}
        same = group.template in WALKING and group.box == last.box
        if same and id(last) in read and read.isdisjoint(open_):
            return k
    return None
