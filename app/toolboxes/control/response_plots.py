"""Drawing responses with the marks that plot has."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.declarations.registry import lookup
from app.engine.values import (
    Array,
    Value,
    as_array,
    canonical,
    is_numeric,
    is_text_scalar,
    numel,
    size_of,
)
from app.errors import MatlabError
from app.toolboxes.control.conversions import system
from app.toolboxes.control.lti import Lti


def arrays_of_model(args: tuple[Value, ...]) -> int:
    """How many leading inputs are a model: 2 for ``num, den``, 4 for ``A, B, C, D``, else none."""
    numbers = 0
    while numbers < len(args) and is_numeric(args[numbers]):
        numbers += 1
    if numbers >= 4 and _is_state_space(*(size_of(v) for v in args[:4])):
        return 4
    vectors = numbers >= 2 and 1 in size_of(args[0]) and 1 in size_of(args[1])
    return 2 if vectors and numel(args[1]) > 1 else 0


def with_model(args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The inputs with a model in place of leading ``num, den`` or ``A, B, C, D``."""
    count = arrays_of_model(args)
    if not count:
        return args
    made = lookup("tf" if count == 2 else "ss")
    assert made is not None
    return (made.call(None, args[:count]), *args[count:])


def of_one_input(args: tuple[Value, ...]) -> tuple[Value, ...]:
    """The same of ``A, B, C, D, iu``: the model has that input only."""
    model, *rest = with_model(args)
    if arrays_of_model(args) == 4 and rest and numel(rest[0]) == 1 and isinstance(model, Lti):
        number = np.asarray(as_array(rest[0]), dtype=np.float64).flat[0]
        if number in range(1, model.io[1] + 1):
            return (model.channel(list(range(model.io[0])), [int(number) - 1]), *rest[1:])
    return (model, *rest)


def _is_state_space(
    a: tuple[int, ...], b: tuple[int, ...], c: tuple[int, ...], d: tuple[int, ...]
) -> bool:
    return a == (a[0], a[0]) and b[0] == c[1] == a[0] and d == (c[0], b[1])


def systems_and_rest(
    name: str, args: tuple[Value, ...]
) -> tuple[list[Lti], list[Value], list[Value | None]]:
    """Leading systems with their line styles, and what follows them.

    Four matrices (and the number of an input) are a system in state space, two vectors a transfer
    function, as in programs from before there were models.
    """
    args = of_one_input(args)
    systems, styles, rest = [system(name, args[0])], [None], list(args[1:])
    found: list[Value | None] = list(styles)
    while rest and (isinstance(rest[0], Lti) or is_text_scalar(rest[0])):
        item = rest.pop(0)
        if isinstance(item, Lti):
            systems.append(item)
            found.append(None)
        else:
            found[-1] = item
    return systems, rest, found


def curve(ctx: CallContext, function: str, x: Array, y: Array, style: Value | None) -> None:
    """One curve in the current axes."""
    data = (canonical(x.reshape(-1, 1)), canonical(y.reshape(-1, 1)))
    ctx.call(function, (*data, style) if style is not None else data, 0)


def set_titles(ctx: CallContext, title: str, x: str, y: str) -> None:
    """The three texts of axes; empty ones are left out."""
    for function, text in (("title", title), ("xlabel", x), ("ylabel", y)):
        if text:
            ctx.call(function, (text,), 0)


def panel(ctx: CallContext, rows: int, columns: int, k: int) -> None:
    """Make one of several axes the current ones, empty."""
    if rows * columns > 1:
        ctx.call("subplot", (float(rows), float(columns), float(k + 1)), 0)
    ctx.call("hold", ("off",), 0)


def check_channels(sizes: Iterable[tuple[int, ...]]) -> None:
    """Systems that are drawn into the same panels have the same numbers of outputs and inputs."""
    if len(set(sizes)) > 1:
        text = "Systems in one chart must have the same numbers of inputs and outputs."
        raise MatlabError("Control:analysis:sizes", text)


def plot_responses(
    ctx: CallContext,
    made: list[tuple[Array, Array]],
    styles: list[Value | None],
    title: str,
    discrete: list[bool],
) -> Value:
    """A panel for every channel, with a curve for every system."""
    _, outputs, inputs = made[0][1].shape
    check_channels(y.shape[1:] for _, y in made)
    for i, j in np.ndindex(outputs, inputs):
        panel(ctx, outputs, inputs, i * inputs + j)
        for k, (t, y) in enumerate(made):
            curve(ctx, "stairs" if discrete[k] else "plot", t, y[:, i, j], styles[k])
            ctx.call("hold", ("on",), 0)
        ctx.call("hold", ("off",), 0)
        set_titles(ctx, title if i == j == 0 else "", "Time (seconds)", "Amplitude")
    return ()
