"""Names for what steps do together: each kind is a rule over a step and the steps it reads.

The rules look at structure only: which operation a value comes from, through views, casts and
scalings, never at how it was written. The first rule that holds names the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.fusion.index_map import VIEW_OPS
from app.accel.ir.ops import OPS, Category
from app.accel.ir.plan import Template
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.accel.fusion.build import Step
    from app.accel.ir.node import Node

SCALINGS = frozenset({"times", "rdivide", "plus", "max", "sqrt", "cast"})


@record
class Context:
    """The steps of a plan and who makes which node."""

    makers: dict[Node, Step]

    def maker(self, node: Node) -> Step | None:
        """The step that stores a node, looking through views."""
        while node not in self.makers and node.op in VIEW_OPS:
            node = node.inputs[0]
        return self.makers.get(node)

    def from_template(self, node: Node, template: Template) -> bool:
        """Whether a node is stored by a step of this template."""
        maker = self.maker(node)
        return maker is not None and maker.kernel.template is template


def below(node: Node) -> Node:
    """The node under views and casts."""
    while node.op in VIEW_OPS or node.op == "cast":
        node = node.inputs[0]
    return node


def sources(node: Node) -> Iterator[Node]:
    """Reductions that a small value is scaled from."""
    stack = [node]
    while stack:
        node = below(stack.pop())
        if OPS[node.op].category is Category.REDUCTION:
            yield node
        elif node.op in SCALINGS:
            stack.extend(node.inputs)


def is_mean_of(node: Node, data: Node) -> bool:
    """Whether a value is a scaled sum of `data`."""
    return any(r.op == "sum" and below(r.inputs[0]) is below(data) for r in sources(node))


def centred(node: Node) -> bool:
    """Whether a node is something minus its own mean, scaled or not."""
    node = below(node)
    while node.op in {"rdivide", "times"} and node.inputs[0].shape == node.shape:
        node = below(node.inputs[0])
    return node.op == "minus" and is_mean_of(node.inputs[1], node.inputs[0])


def centered_gram(step: Step, _: Context) -> bool:
    """A'*A of data minus its mean."""
    products = [node for node in step.nodes if node.op == "matmul"]
    return step.kernel.template is Template.MATMUL and any(
        below(node.inputs[0]) is below(node.inputs[1]) and centred(node.inputs[0])
        for node in products
    )


def image_normalize(step: Step, context: Context) -> bool:
    """Statistics per slice, then an affine map (and more) over the same slices."""
    shifts = [n for n in step.nodes if n.op == "minus" and _over_slices(n, context)]
    scales = [n for n in step.nodes if n.op in {"rdivide", "times"} and _over_slices(n, context)]
    return bool(shifts and scales) and step.kernel.template in {Template.MAP, Template.REDUCE}


def _over_slices(node: Node, context: Context) -> bool:
    other = node.inputs[1]
    return other.size < node.size and context.from_template(other, Template.REDUCE)


def power_step(step: Step, context: Context) -> bool:
    """A product whose columns are divided by their norms."""
    if step.kernel.template is not Template.MAP:
        return False
    return any(
        node.op == "rdivide"
        and context.from_template(node.inputs[0], Template.MATMUL)
        and any(_squares(r, node.inputs[0]) for r in sources(node.inputs[1]))
        for node in step.nodes
    )


def _squares(reduction: Node, data: Node) -> bool:
    inner = below(reduction.inputs[0])
    if reduction.op != "sum" or inner.op not in {"times", "power"}:
        return False
    operand = below(inner.inputs[0])
    operand = below(operand.inputs[0]) if operand.op == "abs" else operand
    return operand is below(data)


def explained_variance(step: Step, context: Context) -> bool:
    """The diagonal of a product of three, of which only the diagonal is computed."""
    return step.kernel.template is Template.REDUCE and any(
        node.op == "times"
        and any(context.from_template(child, Template.MATMUL) for child in node.inputs)
        and any(r.op == "sum" and r.attrs[1:] == ("diagonal",) for r in step.nodes)
        for node in step.nodes
    )


RULES: tuple[tuple[str, Callable[[Step, Context], bool]], ...] = (
    ("centered_gram", centered_gram),
    ("explained_variance", explained_variance),
    ("power_step", power_step),
    ("image_normalize", image_normalize),
)


def name_steps(steps: list[Step]) -> None:
    """Give steps that belong to a special kind its name."""
    context = Context({node: step for step in steps for node in step.outputs})
    for step in steps:
        for kind, rule in RULES:
            if rule(step, context):
                step.kind = kind
                break
