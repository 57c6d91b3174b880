"""How a reduction is cut into workgroups: by its extents alone, so always the same tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.accel.codegen.wgsl.tuning import Tuning
    from app.accel.ir.plan import KernelRequest

SHORT = 64
AT_A_TIME = 4
"""Elements that an invocation loads together; a program for fewer has no such loop."""
MOST_CHUNKS = 16384
OWN = 32
"""Elements of a lane of a team, at most."""
LEAST_TEAM = 4


@record
class Cut:
    """The shape of one reduction.

    Attributes:
        kept: number of results.
        reduced: elements per result.
        chunks: pieces that each result's elements are cut into.
        per: elements of a piece.
        by_group: a workgroup per piece (else an invocation).
        finish_by_group: the same for the second pass.
        team: lanes of a workgroup that share a result or a line, where they are few (else 0).
    """

    kept: int
    reduced: int
    chunks: int
    per: int
    by_group: bool
    finish_by_group: bool
    team: int = 0

    @property
    def mode(self) -> str:
        """The name of the algorithm."""
        first = "g" if self.by_group else "t"
        if self.chunks == 1:
            few = "s" if not self.by_group and self.reduced < AT_A_TIME else ""
            return f"{first}1{few}" + (f"/{self.team}" if self.team else "")
        return f"{first}2{'g' if self.finish_by_group else 't'}"


def cut(request: KernelRequest, extents: Sequence[int], tuning: Tuning) -> Cut:
    """Choose how to cut."""
    kept = reduced = 1
    for extent, flag in zip(extents, request.reduced, strict=True):
        if flag:
            reduced *= extent
        else:
            kept *= extent
    crowded = tuning.cpu and kept >= tuning.groups
    team = 0 if tuning.cpu else _team(request, kept, reduced, tuning)
    by_group = (request.reduced[0] and reduced >= SHORT and not crowded) or kept == 1 or team > 0
    if team:
        return Cut(kept, reduced, 1, reduced, True, False, team)
    chunks = 1
    if by_group and reduced > tuning.two_pass and kept < tuning.groups:
        chunks = min(tuning.groups // kept, reduced // (tuning.reduction * 4), MOST_CHUNKS)
    elif not by_group:
        across = kept // 4 if kept % 4 == 0 else kept
        chunks = min(64 * tuning.groups // across, reduced // SHORT, MOST_CHUNKS)
    chunks = max(chunks, 1)
    per = -(-reduced // (4 * chunks)) * 4
    chunks = max(1, -(-reduced // per)) if per else 1
    return Cut(kept, reduced, chunks, per, by_group, kept < 2048 and not crowded)


def _team(request: KernelRequest, kept: int, reduced: int, tuning: Tuning) -> int:
    """Lanes for each of many short results that lie one after the other; 0: a whole workgroup."""
    team = LEAST_TEAM
    while team * OWN < reduced:
        team *= 2
    together = tuning.reduction // team
    few = reduced < 2 * LEAST_TEAM or together < 2 or kept < tuning.groups * together
    return 0 if few or not request.reduced[0] else team


TILE = 4096
MANY_LINES = 2048
LINE_RUN = 8
"""Elements of a tile that a lane scans; 16 take a fifth longer on an H200, 4 as well."""
SHORTEST_LINE = 16
"""Elements of a line that is worth a team."""


def scan_cut(request: KernelRequest, extents: Sequence[int], tuning: Tuning) -> tuple[str, Cut]:
    """How a scan is cut: a line per invocation, per team of a workgroup's lanes, or in pieces."""
    kept = scanned = 1
    for extent, flag in zip(extents, request.reduced, strict=True):
        if flag:
            scanned *= extent
        else:
            kept *= extent
    team = 0 if tuning.cpu else _line_team(request, kept, scanned, tuning)
    if team:
        return f"rows/{team}", Cut(kept, scanned, 1, scanned, True, False, team)
    crowded = tuning.cpu and kept >= tuning.groups
    across = not request.reduced[0] and kept >= SHORT
    if scanned < SHORT or crowded or across or kept >= MANY_LINES * 8:
        pieces = min(64 * tuning.groups // kept, scanned // SHORT) if scanned >= 4 * SHORT else 1
        per = -(-scanned // max(pieces, 1))
        mode = "strips" if pieces > 1 else "lines"
        return mode, Cut(kept, scanned, -(-scanned // per), per, False, False)
    pieces = min(tuning.groups // kept, -(-scanned // (2 * TILE)))
    if pieces <= 1 or scanned <= tuning.two_pass // 4:
        return "whole", Cut(kept, scanned, 1, -(-scanned // TILE) * TILE, True, False)
    per = -(-scanned // (pieces * TILE)) * TILE
    return "pieces", Cut(kept, scanned, -(-scanned // per), per, True, False)


def _line_team(request: KernelRequest, kept: int, scanned: int, tuning: Tuning) -> int:
    """Lanes for each of many lines of neighbours; 0 where lines are few, short or lie apart."""
    few = kept < tuning.groups and scanned > TILE // 2
    if not request.reduced[0] or scanned < SHORTEST_LINE or few:
        return 0
    team = LEAST_TEAM
    while team < tuning.reduction and team * LINE_RUN < scanned:
        team *= 2
    return team
