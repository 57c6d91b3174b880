"""Options of the solvers of differential equations: odeset and odeget."""

from __future__ import annotations

from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Struct,
    Value,
    is_struct,
    is_text_scalar,
    numel,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "differential equations"
_NAMES = (
    "AbsTol",
    "BDF",
    "Events",
    "InitialStep",
    "Jacobian",
    "JConstant",
    "JPattern",
    "Mass",
    "MassSingular",
    "MaxOrder",
    "MaxStep",
    "NonNegative",
    "NormControl",
    "OutputFcn",
    "OutputSel",
    "Refine",
    "RelTol",
    "Stats",
    "Vectorized",
    "MStateDependence",
    "MvPattern",
    "InitialSlope",
)


@builtin(
    "odeset",
    category=_FAMILY,
    signatures=("options = odeset(name, value, ...)", "options = odeset(old, name, value, ...)"),
    cases=("getfield(odeset('RelTol', 1e-8), 'RelTol') == 1e-8",),
    see=("odeget", "ode45"),
)
def odeset(*args: Value) -> Value:
    """Options for the differential equation solvers, as a struct with every known field."""
    return options_of("odeset", tuple(sorted(_NAMES)), args)


def options_of(function: str, names: tuple[str, ...], args: tuple[Value, ...]) -> Struct:
    """The structure that ``odeset`` and its like make of structures, names and values."""
    fields: dict[str, Value] = dict.fromkeys(names, EMPTY)
    rest = list(args)
    while rest and is_struct(given := rest[0]):
        del rest[0]
        fields.update({k: v for k, v in given.fields.items() if numel(v)})
    if len(rest) % 2:
        raise MatlabError(
            f"MATLAB:{function}:ArgNameValueMismatch", "Arguments must come in pairs."
        )
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        fields[option_named(function, text_of(name), names)] = value
    return Struct(fields)


def fields_of(solver: str, options: Value | None) -> dict[str, Value]:
    """The options that are set, by name.

    Raises:
        MatlabError: what stands for the options is neither a struct nor empty.
    """
    if isinstance(options, Struct):
        return {k: v for k, v in options.fields.items() if numel(v)}
    if options is not None and numel(options):
        text = f"The options of {solver} must be a struct, as odeset makes it."
        raise MatlabError("MATLAB:odearguments:OptionsNotStruct", text)
    return {}


def option_named(function: str, given: str, names: tuple[str, ...]) -> str:
    """The option that a name, in any case and abbreviated, means."""
    lowered = given.lower()
    exact = [n for n in names if n.lower() == lowered]
    matches = exact or [n for n in names if n.lower().startswith(lowered)]
    if len(matches) == 1:
        return matches[0]
    text = f"Unrecognized property name '{given}'. See {function.upper()} for possibilities."
    raise MatlabError(f"MATLAB:{function}:InvalidPropName", text)


@builtin(
    "odeget",
    category=_FAMILY,
    signatures=("value = odeget(options, name)", "value = odeget(options, name, default)"),
    cases=("odeget(odeset('RelTol', 2), 'RelTol') == 2",),
    see=("odeset",),
)
def odeget(options: Value, name: Value, default: Value = EMPTY) -> Value:
    """Value of one option, or the default when it is not set."""
    known = option_named("odeset", text_of(name), _NAMES)
    value = options.fields.get(known) if isinstance(options, Struct) else None
    return default if value is None or numel(value) == 0 else value


def refuse_unread(solver: str, options: dict[str, Value], names: tuple[str, ...]) -> None:
    """Refuse options that a solver does not have, unless they are off.

    Options that change its speed alone (Jacobian, JPattern, Vectorized, MaxOrder) need no refusal.

    Raises:
        MatlabError: one of ``names`` is set.
    """
    for name in names:
        if name in options and not (
            is_text_scalar(options[name]) and text_of(options[name]) == "off"
        ):
            text = f"Option '{name}' is not supported by {solver}; leave it out."
            raise MatlabError("MATLAB:odearguments:unsupportedOption", text)
