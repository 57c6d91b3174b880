"""Changing a drawn graph: highlight, labelnode, labeledge, layout."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.graph_theory.drawing import GraphPlot
from app.engine.declarations.registry import builtin
from app.engine.values import Value


def declare_edit(name: str, signature: str, summary: str, case: str) -> None:
    """Declare a function of a drawn graph."""

    def call(ctx: CallContext, p: Value, *args: Value) -> Value:
        if not isinstance(p, GraphPlot):
            raise undefined_for_class(name, p)
        return p.methods()[name](ctx, (p, *args), 0)

    builtin(
        name,
        category="networks",
        signatures=(signature,),
        text=summary,
        cases=(case,),
        see=("graph", "digraph"),
    )(call)


declare_edit(
    "highlight",
    "highlight(p, nodes, name, value)",
    "Draw nodes, a path, or the edges of a graph thicker or in a colour.",
    "p = plot(graph([1 2], [2 3])); highlight(p, [1 2 3], 'EdgeColor', 'r'); "
    "numel(findobj(gca, 'Type', 'line')) == 4",
)
declare_edit(
    "labelnode",
    "labelnode(p, nodes, labels)",
    "Other texts at nodes of a drawn graph.",
    "p = plot(graph(1, 2)); labelnode(p, 2, 'end'); isequal(p.NodeLabel, {'1' 'end'})",
)
declare_edit(
    "labeledge",
    "labeledge(p, edges, labels)",
    "Texts at edges of a drawn graph.",
    "p = plot(graph([1 2], [2 3])); labeledge(p, 2, 'way'); isequal(p.EdgeLabel, {'' 'way'})",
)
declare_edit(
    "layout",
    "layout(p, name)",
    "Lay out the nodes of a drawn graph again.",
    "p = plot(graph(1, 2)); layout(p, 'circle'); norm(p.XData - [1 -1]) < 1e-12",
)
