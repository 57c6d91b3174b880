"""Places for the nodes of a graph without cycles: ranks from top to bottom."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

Key: TypeAlias = Hashable
Size: TypeAlias = tuple[float, float]
Point: TypeAlias = tuple[float, float]
SWEEPS = 3
BEND = 6.0
"""Room for an edge that passes a rank."""


@dataclass
class Arranged:
    """Where everything is: left upper corners of nodes, the bends of edges, the whole size."""

    places: dict[Key, Point]
    bends: dict[tuple[Key, Key], list[Point]]
    size: Size


def arrange(
    sizes: Mapping[Key, Size], edges: Sequence[tuple[Key, Key]], gap: float, between: float
) -> Arranged:
    """Ranks with `between` above each other, nodes with `gap` beside each other."""
    rank = _ranks(list(sizes), edges)
    spans = dict(sizes)
    hops, chains = _with_bends(edges, rank, spans)
    rows: list[list[Key]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for key in spans:
        rows[rank[key]].append(key)
    above: dict[Key, list[Key]] = {key: [] for key in spans}
    below: dict[Key, list[Key]] = {key: [] for key in spans}
    for start, end in hops:
        below[start].append(end)
        above[end].append(start)
    _order(rows, above, below)
    centres = _centres(rows, above, below, spans, gap)
    return _result(sizes, rows, centres, spans, chains, between)


def _ranks(keys: Sequence[Key], edges: Sequence[tuple[Key, Key]]) -> dict[Key, int]:
    """The longest way from a source; sources stand right above what reads them."""
    rank = dict.fromkeys(keys, 0)
    for _ in keys:
        moved = False
        for start, end in edges:
            if rank[end] <= rank[start]:
                rank[end], moved = rank[start] + 1, True
        if not moved:
            break
    fed = {end for _, end in edges}
    for key in keys:
        readers = [rank[end] for start, end in edges if start == key]
        if key not in fed and readers:
            rank[key] = min(readers) - 1
    return rank


def _with_bends(
    edges: Sequence[tuple[Key, Key]], rank: dict[Key, int], spans: dict[Key, Size]
) -> tuple[list[tuple[Key, Key]], dict[tuple[Key, Key], list[Key]]]:
    """Edges from rank to rank: long ones get a bend in every rank that they pass."""
    hops: list[tuple[Key, Key]] = []
    chains: dict[tuple[Key, Key], list[Key]] = {}
    for start, end in edges:
        chain: list[Key] = []
        for level in range(rank[start] + 1, rank[end]):
            bend = ("bend", start, end, level)
            rank[bend], spans[bend] = level, (BEND, 0.0)
            chain.append(bend)
        stops = [start, *chain, end]
        hops += pairwise(stops)
        chains[start, end] = chain
    return hops, chains


def _order(
    rows: list[list[Key]], above: Mapping[Key, list[Key]], below: Mapping[Key, list[Key]]
) -> None:
    """Nodes near the middle of what they are joined to."""
    place = {key: n for row in rows for n, key in enumerate(row)}
    for sweep in range(SWEEPS):
        near, ordered = (above, rows) if sweep % 2 == 0 else (below, rows[::-1])
        for row in ordered:
            wish = {k: _mean([place[n] for n in near[k]], place[k]) for k in row}
            row.sort(key=wish.__getitem__)
            place.update({key: n for n, key in enumerate(row)})


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _centres(
    rows: list[list[Key]],
    above: Mapping[Key, list[Key]],
    below: Mapping[Key, list[Key]],
    spans: Mapping[Key, Size],
    gap: float,
) -> dict[Key, float]:
    """Below what feeds it, without touching its neighbours; then the top is set above the rest."""
    centres: dict[Key, float] = {}
    for near, ordered in ((above, rows), (below, rows[::-1]), (above, rows)):
        for row in ordered:
            edge = float("-inf")
            wishes = [
                _mean([centres[n] for n in near[k] if n in centres], centres.get(k, 0.0))
                for k in row
            ]
            for key, wish in zip(row, wishes, strict=True):
                half = spans[key][0] / 2
                centres[key] = max(wish, edge + gap + half)
                edge = centres[key] + half
            shift = _mean([centres[k] - w for k, w in zip(row, wishes, strict=True)], 0.0)
            for key in row:
                centres[key] -= shift
    return centres


def _result(
    sizes: Mapping[Key, Size],
    rows: list[list[Key]],
    centres: Mapping[Key, float],
    spans: Mapping[Key, Size],
    chains: Mapping[tuple[Key, Key], list[Key]],
    between: float,
) -> Arranged:
    left = min((centres[k] - spans[k][0] / 2 for k in spans), default=0.0)
    right = max((centres[k] + spans[k][0] / 2 for k in spans), default=0.0)
    places: dict[Key, Point] = {}
    middle: dict[Key, Point] = {}
    top = 0.0
    for row in rows:
        tall = max(spans[key][1] for key in row)
        for key in row:
            wide, high = spans[key]
            places[key] = (centres[key] - wide / 2 - left, top + (tall - high) / 2)
            middle[key] = (centres[key] - left, top + tall / 2)
        top += tall + between
    bends = {edge: [middle[key] for key in chain] for edge, chain in chains.items()}
    size = (right - left, max(top - between, 0.0))
    return Arranged({key: places[key] for key in sizes}, bends, size)
