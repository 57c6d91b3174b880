"""Options of one solver as an object: ``optimoptions`` and ``resetoptions``."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import UNPAIRED
from app.engine.builtins.calculus.solver_option_names import CHOICES, OLDER_NAMES, SOLVERS
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    EMPTY,
    Cell,
    FunctionHandle,
    NativeObject,
    Value,
    as_array,
    is_numeric_like,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.engine.values.containers import no_member
from app.engine.values.display_format import DisplayFormat
from app.engine.values.display_inline import in_field
from app.errors import MatlabError

_FAMILY = "optimisation"


class SolverOptions(NativeObject):
    """What ``optimoptions`` gives: the options of one solver, those that were set and the others.

    Attributes:
        solver: the solver's name.
        given: the options that were set, by their newer names.
    """

    superclasses = ("optim.options.SolverOptions",)

    def __init__(self, solver: str, given: dict[str, Value]) -> None:
        self.solver, self.given = solver, given

    @property
    def class_name(self) -> str:  # type: ignore[override]
        """The class of the solver's options."""
        return f"optim.options.{SOLVERS[self.solver].kind}"

    @property
    def algorithm(self) -> str:
        """The algorithm that is chosen; empty where a solver has one only."""
        usual = next(iter(SOLVERS[self.solver].algorithms), "")
        return text_of(self.given.get("Algorithm", usual))

    def changed(self, name: str, value: Value) -> SolverOptions:
        """The options with one set, by any of its names."""
        made = dict(self.given)
        for newer in self.meant(name):
            made[newer] = self._checked_value(newer, value)
        return SolverOptions(self.solver, made)

    def meant(self, name: str) -> list[str]:
        """The options that a name in any case, short or old, stands for.

        Raises:
            MatlabError: the solver has no such option.
        """
        known, word = SOLVERS[self.solver].names(), name.lower()
        if word == "diagnostics" and "FiniteDifferenceType" in known:
            return ["Diagnostics"]  # taken, and not among those that are shown
        found = [n for n in known if n.lower() == word]
        older = (newer for old, newer in OLDER_NAMES.items() if old.lower() == word)
        found = found or [n for n in next(older, ()) if n in known]
        found = found or [n for n in known if word and n.lower().startswith(word)][:2]
        if found and (len(found) == 1 or not found[0].lower().startswith(word)):
            return found
        big = self.solver.upper()
        text = f"'{name}' is not an option for {big}."
        if found:
            text = f"'{name}' may be {found[0]} or {found[1]}: write the name whole."
        text += f"\nA list of options can be found on the {big} documentation page."
        raise MatlabError("MATLAB:optimoptions:InvalidOption", text)

    def _checked_value(self, name: str, value: Value) -> Value:
        solver = SOLVERS[self.solver]
        if name == "Algorithm":
            return _one_word(name, value, list(solver.algorithms))
        if name in CHOICES:
            return _one_word(name, value, CHOICES[name].split())
        usual = self.value_of(name, usual=True)
        if isinstance(usual, bool):
            return _true_or_false(name, value)
        counted = isinstance(usual, str) and "numberOf" in usual and value != usual
        if isinstance(usual, float) or (counted and name != "TypicalX"):
            wrong = numel(value) != 1 or is_text_scalar(value) or not is_numeric_like(value)
            if wrong or as_array(value).dtype.kind == "c":
                raise _invalid(name, "a real scalar")
        if usual is EMPTY and name.endswith("Fcn") and not _is_function(value):
            raise _invalid(name, "a function handle, or a cell array of them")
        return value

    def value_of(self, name: str, *, usual: bool = False) -> Value:
        """The value of an option, or the ``usual`` one whatever was set."""
        if name in self.given and not usual:
            return self.given[name]
        solver = SOLVERS[self.solver]
        for algorithm in (self.algorithm, *solver.algorithms):
            found = solver.defaults(algorithm)
            if name in found:
                return found[name]
        return EMPTY

    def members(self) -> list[str]:
        """The names of all options."""
        return SOLVERS[self.solver].names()

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """An option by its newer or older name."""
        found = [n for n in (name, *OLDER_NAMES.get(name, ())) if n in self.members()]
        if name in self.given:  # also one that is not among those shown
            found = [name]
        if not found:
            raise no_member(self.class_name, name)
        value = next((self.given[n] for n in found if n in self.given), self.value_of(found[0]))
        return value if args is None else paren(value, *args)

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``options.name = value``."""
        if name not in (*self.members(), *OLDER_NAMES, *self.given):
            raise no_member(self.class_name, name)
        return self.changed(name, value)

    def equals(self, other: Value) -> bool:
        """The same solver and the same values."""
        from app.engine.builtins.arrays.predicates import equal

        return (
            isinstance(other, SolverOptions)
            and other.solver == self.solver
            and all(equal(self.value_of(n), other.value_of(n)) for n in self.members())
        )

    def show(self, name: str, style: DisplayFormat) -> str:
        """What the current algorithm uses: the options that were set, and the others."""
        solver = SOLVERS[self.solver]
        used = solver.defaults(self.algorithm)
        shown = {n: v for n, v in self.given.items() if n in used}
        width = 4 + max(map(len, used))

        def lines(options: dict[str, Value]) -> str:
            ordered = sorted(options.items(), key=lambda pair: pair[0].lower())
            return "".join(f"{n:>{width}}: {in_field(v, style)}\n" for n, v in ordered)

        head, end = f"  {self.solver} options:\n\n", ""
        if len(solver.algorithms) > 1:
            others = ", ".join(f"'{a}'" for a in sorted(solver.algorithms) if a != self.algorithm)
            head += (
                f"   Options used by current Algorithm ('{self.algorithm}'):\n"
                f"   (Other available algorithms: {others})\n\n"
            )
            end = f"\n   Show options not used by current Algorithm ('{self.algorithm}')\n"
        chosen = lines(shown) or "     No options set.\n"
        usual = lines({n: v for n, v in used.items() if n not in shown})
        return f"{head}   Set properties:\n{chosen}\n   Default properties:\n{usual}{end}"


def _invalid(name: str, wish: str) -> MatlabError:
    text = f"Invalid value for OPTIONS parameter {name}: must be {wish}."
    return MatlabError("MATLAB:optimfun:optimoptioncheckfield:InvalidValue", text)


def _one_word(name: str, value: Value, known: list[str]) -> str:
    word = text_of(value).lower() if is_text_scalar(value) else ""
    if word not in known:
        first = ", ".join(f"'{k}'" for k in known[:-1])
        raise _invalid(name, f"{first}, or '{known[-1]}'" if first else f"'{known[-1]}'")
    return word


def _true_or_false(name: str, value: Value) -> bool:
    if is_text_scalar(value):
        if text_of(value).lower() in ("on", "off"):
            return text_of(value).lower() == "on"
    elif numel(value) == 1 and value in (0, 1):
        return bool(value)
    raise _invalid(name, "true or false")


def _is_function(value: Value) -> bool:
    kinds = FunctionHandle | Cell
    return isinstance(value, kinds) or is_text_scalar(value) or numel(value) == 0


@builtin(
    "optimoptions",
    category=_FAMILY,
    signatures=(
        "options = optimoptions(solver)",
        "options = optimoptions(solver, name, value, ...)",
        "options = optimoptions(old, name, value, ...)",
        "options = optimoptions(solver, old)",
    ),
    cases=(
        "optimoptions('fmincon', 'MaxIterations', 5).MaxIter == 5",
        "o = optimoptions(@fmincon); o.MaxIterations = 5; o.MaxIterations == 5",
        "optimoptions('fsolve').FunctionTolerance == 1e-6",
    ),
    see=("optimset", "resetoptions", "fmincon", "fsolve"),
)
def optimoptions(solver: Value, *args: Value) -> Value:
    """Options of a solver, each with a value; older names and names in any case are understood."""
    rest = list(args)
    made = solver if isinstance(solver, SolverOptions) else SolverOptions(_solver(solver), {})
    if rest and isinstance(others := rest[0], SolverOptions):
        del rest[0]
        known = SOLVERS[made.solver].names()
        kept = {n: v for n, v in others.given.items() if n in known and n != "Algorithm"}
        made = SolverOptions(made.solver, kept)
    if len(rest) % 2:
        raise MatlabError("MATLAB:optimoptions:ArgNameMismatch", UNPAIRED)
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        made = made.changed(_word(name), value)
    return made


def _solver(given: Value) -> str:
    word = text_of(given) if is_text_scalar(given) else ""
    if isinstance(given, FunctionHandle):
        word = given.name
    if word not in SOLVERS:
        text = (
            "Invalid solver specified. Provide a solver name or handle (such as 'fmincon' or "
            "@fminunc).\nType DOC OPTIMOPTIONS for a list of solvers."
        )
        raise MatlabError("MATLAB:optimoptions:InvalidSolver", text)
    return word


def _word(name: Value) -> str:
    if not is_text_scalar(name):
        raise MatlabError("MATLAB:optimoptions:ArgNameMismatch", UNPAIRED)
    return text_of(name)


@builtin(
    "resetoptions",
    category=_FAMILY,
    signatures=("options = resetoptions(options, name)",),
    cases=(
        "o = resetoptions(optimoptions('fsolve', 'MaxIterations', 5), 'MaxIterations'); "
        "o.MaxIterations == 400",
    ),
    see=("optimoptions",),
)
def resetoptions(options: Value, names: Value) -> Value:
    """Options with some of them as they were before they were set."""
    if not isinstance(options, SolverOptions):
        text = "The first argument of resetoptions must be options that optimoptions made."
        raise MatlabError("MATLAB:resetoptions:InvalidOptions", text)
    gone = {newer for name in texts_of(names) for newer in options.meant(name)}
    return SolverOptions(options.solver, {n: v for n, v in options.given.items() if n not in gone})
