"""Statistics that skip NaN, under their old names: nanmean, nansum and kin."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.statistics import median_forms, statistic_forms
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Value


def declare_skipping(name: str, plain: str, case: str) -> None:
    """Declare ``nanX(A, dim)`` as ``X(A, dim, 'omitnan')``."""
    empties = {"max": 1, "min": 1, "std": 1, "var": 1}.get(plain, 0)

    extreme = plain in ("max", "min")

    def call(ctx: CallContext, a: Value, *args: Value, nargout: int = 1) -> Value:
        given = args
        if empties and not args:
            given = (EMPTY,) if extreme else (0.0,)
        return tuple(ctx.call(plain, (a, *given, "omitnan"), max(nargout, 1)))

    device = (
        of_resident(median_forms.nanmedian)
        if plain == "median"
        else term_form(statistic_forms.nan_skipping_form(plain))
    )
    builtin(
        name,
        category="statistics",
        cases=(case,),
        see=(plain,),
        device=device,
        signatures=(
            (f"[m, i] = {name}(A)", f"m = {name}(A, B)", f"[m, i] = {name}(A, [], dim)")
            if extreme
            else (f"y = {name}(A)", f"y = {name}(A, dim)")
        ),
        text=f"As {plain} with 'omitnan': NaN is left out.",
    )(call)


declare_skipping("nanmean", "mean", "nanmean([1 NaN 3]) == 2")
declare_skipping("nansum", "sum", "nansum([1 NaN 3]) == 4")
declare_skipping("nanmedian", "median", "nanmedian([1 NaN 3]) == 2")
declare_skipping("nanmax", "max", "nanmax([1 NaN 3]) == 3")
declare_skipping("nanmin", "min", "nanmin([1 NaN 3]) == 1")
declare_skipping("nanstd", "std", "nanstd([1 NaN 1]) == 0")
declare_skipping("nanvar", "var", "nanvar([1 NaN 3]) == 2")
