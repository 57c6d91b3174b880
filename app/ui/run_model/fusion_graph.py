"""Groups as graphs: the operations of one, and the groups that it reads from and that read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from app.engine.run_rows import ArrayRow, GroupRow, OperationRow
from app.ui.support import formats

Key: TypeAlias = tuple[str, int, int]
FOLDED_FROM = 30
"""Groups with more operations show straight runs of them as one node."""
SHORTEST_RUN = 4


@dataclass(frozen=True)
class Node:
    """A node of the picture.

    Attributes:
        key: role (``in``, ``op``, ``run``, ``out``), group and number.
        text: what is written on it.
        ops: ids of the operations that it stands for.
        lines: their lines.
        tip: more about it.
    """

    key: Key
    text: str
    ops: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    tip: str = ""


@dataclass(frozen=True)
class Edge:
    """What goes from one node to another: shape and class; ``told`` where they are news.

    ``back`` is what a loop carries into its next pass.
    """

    start: Key
    end: Key
    text: str
    told: bool = False
    back: bool = False


def array_text(array: ArrayRow) -> str:
    """An array at the edge of a group: shape, class, and a mark when it was resident."""
    mark = "■ " if array.resident else ""
    return f"{mark}{formats.size_text(array.shape)} {array.class_name}"


def inside(group: GroupRow, unfolded: Collection[int] = ()) -> tuple[list[Node], list[Edge]]:
    """The nodes and edges of a group; `unfolded` are first ids of runs that are shown whole."""
    rows = {row.id: row for row in group.operations}
    runs = _runs(group, rows, unfolded) if len(rows) > FOLDED_FROM else {}
    number = group.id
    keys: dict[int, Key] = {-1 - k: ("in", number, k) for k in range(len(group.inputs))}
    nodes = [Node(keys[-1 - k], array_text(a), tip="input") for k, a in enumerate(group.inputs)]
    for ident in rows:
        run = runs.get(ident, (ident,))
        keys[ident] = ("run" if len(run) > 1 else "op", number, run[0])
        if run[0] == ident:
            nodes.append(_node(keys[ident], [rows[k] for k in run]))
    edges = [edge for row in rows.values() for edge in _edges(row, rows, group, keys)]
    for k, (array, stored) in enumerate(zip(group.outputs, _store_order(group), strict=False)):
        out: Key = ("out", number, k)
        nodes.append(Node(out, array_text(array), tip="output"))
        if stored in keys:
            edges.append(Edge(keys[stored], out, _text(stored, rows, group)))
    return nodes, list(dict.fromkeys(edges))


def _store_order(group: GroupRow) -> list[int]:
    return [k if k is not None else 1 << 30 for k in group.stored]


def _node(key: Key, rows: list[OperationRow]) -> Node:
    lines = tuple(sorted({row.line for row in rows if row.line}))
    ops = tuple(row.id for row in rows)
    if len(rows) > 1:
        text = f"{rows[0].op} … {rows[-1].op} ({len(rows)})"
        return Node(key, text, ops, lines, " → ".join(row.op for row in rows))
    row = rows[0]
    name = "pass before" if row.op == "carry" else row.op
    where = f"line {lines[0]}: " if lines else ""
    return Node(key, name, ops, lines, f"{where}{name}, {_shape(row)}")


def _shape(row: OperationRow | ArrayRow) -> str:
    return f"{formats.size_text(row.shape)} {row.class_name}".strip()


def _text(ident: int, rows: Mapping[int, OperationRow], group: GroupRow) -> str:
    return _shape(rows[ident] if ident >= 0 else group.inputs[-1 - ident])


def _edges(
    row: OperationRow, rows: Mapping[int, OperationRow], group: GroupRow, keys: Mapping[int, Key]
) -> Iterable[Edge]:
    """What an operation reads, and what a loop brings back to it."""
    for arg in row.args:
        if keys[arg] != keys[row.id]:
            text = _text(arg, rows, group)
            fed = {_text(a, rows, group) for a in rows[arg].args} if arg >= 0 else {text}
            yield Edge(keys[arg], keys[row.id], text, told=text not in fed)
    if row.back is not None:
        back = row.back
        yield Edge(keys[back], keys[row.id], _text(back, rows, group), back=True)


def _runs(
    group: GroupRow, rows: Mapping[int, OperationRow], unfolded: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """By operation the straight run that it belongs to: each reads the one before alone."""
    readers = Counter(arg for row in rows.values() for arg in set(row.args))
    readers.update(k for k in group.stored if k is not None)
    readers.update(row.back for row in rows.values() if row.back is not None)
    chains: list[list[int]] = []
    for ident, row in rows.items():
        single = len(set(row.args)) == 1 and row.op != "carry"
        if single and chains and chains[-1][-1] == row.args[0] and readers[row.args[0]] == 1:
            chains[-1].append(ident)
        else:
            chains.append([ident])
    kept = [c for c in chains if len(c) >= SHORTEST_RUN and c[0] not in unfolded]
    return {ident: tuple(chain) for chain in kept for ident in chain}


def neighbours(groups: Mapping[int, GroupRow], chosen: int) -> tuple[list[int], list[int]]:
    """The groups that a group reads from, and those that read it."""
    before = sources(groups[chosen])
    after = [n for n, row in groups.items() if n != chosen and chosen in sources(row)]
    return [n for n in before if n in groups and n != chosen], after


def sources(group: GroupRow) -> list[int]:
    """The groups whose results a group reads."""
    return list(dict.fromkeys(number for number in group.sources or () if number))


def dot_text(group: GroupRow) -> str:
    """A group as a graph in DOT, with shapes and classes on the edges."""
    nodes, edges = inside(group)
    names = {node.key: f"{node.key[0]}{node.key[2]}" for node in nodes}
    lines = ["digraph group {", "  node [fontname=monospace];"]
    for node in nodes:
        shape = "box" if node.key[0] in {"in", "out"} else "ellipse"
        lines.append(f'  {names[node.key]} [shape={shape}, label="{node.text}"];')
    for edge in edges:
        style = ", style=dashed, constraint=false" if edge.back else ""
        lines.append(f'  {names[edge.start]} -> {names[edge.end]} [label="{edge.text}"{style}];')
    return "\n".join([*lines, "}"]) + "\n"
