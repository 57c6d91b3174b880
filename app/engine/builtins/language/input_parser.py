"""``inputParser``: required, optional and named inputs of functions."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    Cell,
    FunctionHandle,
    NativeObject,
    Struct,
    Value,
    is_text_scalar,
    numel,
    object_array,
    text_of,
    true_value,
)
from app.engine.values.containers import no_member
from app.engine.values.display import disp
from app.engine.values.display_format import DisplayFormat
from app.errors import MatlabError

_FAMILY = "argument checks"
_WHERE_LISTED = (
    "For a list of valid name-value pair arguments, see the documentation for this function."
)
_FLAGS = {
    "CaseSensitive": False,
    "KeepUnmatched": False,
    "PartialMatching": True,
    "StructExpand": True,
}


class _Input:
    """One declared input."""

    def __init__(self, name: str, default: Value = None, check: Value = None) -> None:
        self.name = name
        self.default = default
        self.check = check


@native_type
class InputParser(NativeObject):
    """The parser; a handle."""

    class_name = "inputParser"
    superclasses = ("handle",)
    is_handle = True

    def __init__(self) -> None:
        self.required: list[_Input] = []
        self.optional: list[_Input] = []
        self.named: list[_Input] = []
        self.switches: set[str] = set()
        self.facts: dict[str, Value] = {
            **_FLAGS,
            "FunctionName": "",
            "Results": Struct(),
            "Unmatched": Struct(),
            "UsingDefaults": Cell.empty(),
        }

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """Properties and methods."""
        if name in _METHODS:
            return _METHODS[name](ctx, self, *(args or ()))
        if name == "Parameters":
            return Cell.of(sorted(i.name for i in self.inputs()))
        if name not in self.facts:
            raise no_member(self.class_name, name)
        value = self.facts[name]
        if args:
            from app.engine.interpreter.indexing.index_read import paren

            return paren(value, *args)
        return value

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """The flags and the function name."""
        if name in _FLAGS:
            self.facts[name] = true_value(value)
        elif name == "FunctionName":
            self.facts[name] = value
        else:
            raise no_member(self.class_name, name)
        return self

    def inputs(self) -> list[_Input]:
        """All declared inputs."""
        return [*self.required, *self.optional, *self.named]

    def members(self) -> list[str]:
        """Properties."""
        return [*self.facts, "Parameters"]

    def show(self, name: str, style: DisplayFormat) -> str:
        """All properties."""
        parameters = sorted(i.name for i in self.inputs())
        listed = Cell(object_array(parameters, (1, len(parameters))))
        shown = {n: self.facts[n] for n in ("FunctionName", *_FLAGS)}
        kept = {n: self.facts[n] for n in ("Results", "Unmatched", "UsingDefaults")}
        text = disp(Struct({**shown, "Parameters": listed, **kept}), style)
        return f"  {self.class_name} with properties:\n\n{text}"

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions callable with a parser."""
        return {n: _as_function(m) for n, m in _METHODS.items()}

    # --- parsing ---

    def fail(self, identifier: str, text: str) -> MatlabError:
        """An error that names the function."""
        name = text_of(self.facts["FunctionName"])
        prefix = f"Error using {name}\n" if name else ""
        return MatlabError(f"MATLAB:InputParser:{identifier}", prefix + text)

    def accept(self, ctx: CallContext, item: _Input, value: Value) -> bool:
        """Whether a value passes an input's check."""
        if not isinstance(item.check, FunctionHandle):
            return True
        try:
            outputs = ctx.call(item.check, (value,), 1)
        except MatlabError as error:
            if error.identifier not in ("MATLAB:maxlhs", "MATLAB:TooManyOutputs"):
                return False
            ctx.call(item.check, (value,), 0)
            return True
        return not outputs or (numel(outputs[0]) > 0 and true_value(outputs[0]))

    def insist(self, ctx: CallContext, item: _Input, value: Value) -> Value:
        """The value, or the error that it does not pass."""
        if not self.accept(ctx, item, value):
            check = item.check.text if isinstance(item.check, FunctionHandle) else ""
            text = f"The value of '{item.name}' is invalid. It must satisfy the function: {check}."
            raise self.fail("ArgumentFailedValidation", text)
        return value

    def left_out(self, name: str, found: dict[str, Value]) -> _Input | None:
        """The optional input of a name that has got no value by its position: published programs
        give them by name."""
        cased = (lambda text: text) if self.facts["CaseSensitive"] else str.lower
        items = (i for i in self.optional if i.name not in found)
        return next((i for i in items if cased(i.name) == cased(name)), None)

    def find(self, name: str) -> _Input | None:
        """The named input a text means."""
        if self.facts["CaseSensitive"]:
            return next((i for i in self.named if i.name == name), None)
        low = name.lower()
        exact = [i for i in self.named if i.name.lower() == low]
        if exact or not low or not self.facts["PartialMatching"]:
            return exact[0] if exact else None
        starts = [i for i in self.named if i.name.lower().startswith(low)]
        return starts[0] if len(starts) == 1 else None


def _as_function(method: Callable[..., Value]) -> Callable[..., Value]:
    return lambda ctx, args, nargout: method(ctx, *args)


def add_required(ctx: CallContext, p: InputParser, name: Value, check: Value = None) -> Value:
    """``addRequired(p, name, check)``."""
    p.required.append(_Input(text_of(name), check=check))
    return ()


def add_optional(
    ctx: CallContext, p: InputParser, name: Value, default: Value, check: Value = None
) -> Value:
    """``addOptional(p, name, default, check)``."""
    p.optional.append(_Input(text_of(name), default, check))
    return ()


def add_parameter(
    ctx: CallContext, p: InputParser, name: Value, default: Value, check: Value = None, *more: Value
) -> Value:
    """``addParameter(p, name, default, check)``."""
    p.named.append(_Input(text_of(name), default, check))
    return ()


def add_switch(ctx: CallContext, p: InputParser, name: Value) -> Value:
    """``addSwitch(p, name)`` (Octave's)."""
    p.named.append(_Input(text_of(name), default=False))
    p.switches.add(text_of(name))
    return ()


def parse(ctx: CallContext, p: InputParser, *args: Value) -> Value:
    """``parse(p, …)``."""
    rest = list(args)
    if len(rest) < len(p.required):
        raise p.fail("notEnoughInputs", "Not enough input arguments.")
    found: dict[str, Value] = {}
    for item in p.required:
        found[item.name] = p.insist(ctx, item, rest.pop(0))
    for item in p.optional:
        if not rest or _starts_named(ctx, p, item, rest, found):
            break
        found[item.name] = p.insist(ctx, item, rest.pop(0))
    unmatched = _parse_named(ctx, p, rest, found)
    defaults = [i.name for i in p.inputs() if i.name not in found]
    results = {i.name: found.get(i.name, i.default) for i in p.inputs()}
    p.facts["Results"] = Struct(dict(sorted(results.items(), key=lambda kv: kv[0].lower())))
    p.facts["Unmatched"] = Struct(unmatched)
    p.facts["UsingDefaults"] = Cell.of(defaults) if defaults else Cell.empty()
    return ()


def _starts_named(
    ctx: CallContext, p: InputParser, item: _Input, rest: list[Value], found: dict[str, Value]
) -> bool:
    """Whether the next input begins the named ones rather than being this optional one.

    A text for an optional input without a check is the name of an input where there is one.
    """
    value = rest[0]
    if not is_text_scalar(value):
        return not p.accept(ctx, item, value) and isinstance(value, Struct)
    name = text_of(value)
    if p.find(name) is not None:
        return True
    if len(rest) == 1:  # no name, which a value would follow
        return False
    if item.check is None and len(rest) > 1 and p.left_out(name, found) is not None:
        return True
    return not p.accept(ctx, item, value)


def _parse_named(
    ctx: CallContext, p: InputParser, rest: list[Value], found: dict[str, Value]
) -> dict[str, Value]:
    unmatched: dict[str, Value] = {}
    while rest:
        key = rest.pop(0)
        if isinstance(key, Struct) and p.facts["StructExpand"]:
            rest = [x for pair in key.fields.items() for x in pair] + rest
            continue
        if not is_text_scalar(key):
            text = "Expected a parameter name, which is a character vector or a string scalar."
            raise p.fail("ParamMustBeChar", text)
        name = text_of(key)
        item = p.find(name) or p.left_out(name, found)
        if item is not None and item.name in p.switches:
            found[item.name] = True
            continue
        if not rest:
            raise p.fail("ParamMissingValue", f"'{name}' must be followed by a value.")
        value = rest.pop(0)
        if item is not None:
            found[item.name] = p.insist(ctx, item, value)
        elif p.facts["KeepUnmatched"]:
            unmatched[name] = value
        else:
            text = f"'{name}' is not a recognized parameter. {_WHERE_LISTED}"
            raise p.fail("UnmatchedParameter", text)
    return unmatched


_METHODS: dict[str, Callable[..., Value]] = {
    "addRequired": add_required,
    "addOptional": add_optional,
    "addParameter": add_parameter,
    "addParamValue": add_parameter,
    "addSwitch": add_switch,
    "parse": parse,
}


@builtin(
    "inputParser",
    category=_FAMILY,
    signatures=("p = inputParser",),
    cases=("isobject(inputParser)",),
    see=("validateattributes",),
)
def input_parser(ctx: CallContext, *facts: Value) -> Value:
    """Parser of function inputs: declare inputs with addRequired, addOptional and addParameter,
    then ``parse(p, varargin{:})`` and read ``p.Results``.

    In Octave's dialect values may be given, and mean nothing, as in Octave 7."""
    if facts and not ctx.settings.octave:
        raise MatlabError("MATLAB:maxrhs", "Too many input arguments.")
    return InputParser()


def declare_method(name: str, signature: str, summary: str, example: str) -> None:
    """Declare a function that only parsers understand."""

    def call(ctx: CallContext, p: Value, *args: Value) -> Value:
        if isinstance(p, InputParser):
            return _METHODS[name](ctx, p, *args)
        raise undefined_for_class(name, p)

    builtin(
        name,
        category=_FAMILY,
        signatures=(signature,),
        text=summary,
        cases=(example,),
        see=("inputParser",),
    )(call)


declare_method(
    "addRequired",
    "addRequired(p, name, check)",
    "Declare a required input.",
    "p = inputParser; addRequired(p, 'x', @isnumeric); parse(p, 3); p.Results.x == 3",
)
declare_method(
    "addOptional",
    "addOptional(p, name, default, check)",
    "Declare an optional input.",
    "p = inputParser; addOptional(p, 'n', 5); parse(p); p.Results.n == 5",
)
declare_method(
    "addParameter",
    "addParameter(p, name, default, check)",
    "Declare a named input.",
    "p = inputParser; addParameter(p, 'tol', 1e-3); parse(p, 'tol', 2); p.Results.tol == 2",
)
declare_method(
    "addParamValue",
    "addParamValue(p, name, default, check)",
    "Declare a named input.",
    "p = inputParser; addParamValue(p, 'tol', 1); parse(p); p.Results.tol == 1",
)
declare_method(
    "addSwitch",
    "addSwitch(p, name)",
    "Declare a switch that needs no value.",
    "p = inputParser; addSwitch(p, 'verbose'); parse(p, 'verbose'); p.Results.verbose",
)
declare_method(
    "parse",
    "parse(p, arg1, ...)",
    "Parse inputs.",
    "p = inputParser; addRequired(p, 'x'); parse(p, 7); p.Results.x == 7",
)
