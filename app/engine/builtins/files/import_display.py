"""How import options are shown: all properties, in the groups that they belong to."""

from __future__ import annotations

from app.engine.builtins.files.import_options import Plan
from app.engine.builtins.files.import_properties import data_range
from app.engine.values import Value, is_text_scalar, text_of, texts_of

_LISTED = 3


def shown_options(plan: Plan, kind: str) -> str:
    """The text below ``opts =``; what a script cannot change is shown as files are read."""
    groups = [
        _sheet(plan) if plan.workbook else _format(plan),
        (
            "Replacement Properties:",
            {
                **_rules(plan, "MissingRule", "ImportErrorRule"),
                **({} if plan.workbook else _rules(plan, "ExtraColumnsRule")),
            },
        ),
        (
            "Variable Import Properties: Set types by name using setvartype",
            {
                "VariableNames": _list([v.name for v in plan.variables]),
                "VariableTypes": _list([v.kind for v in plan.variables]),
                "SelectedVariableNames": _list(list(plan.selected)),
                "VariableOptions": _options(plan),
                **_rules(plan, "VariableNamingRule"),
            },
        ),
        _range(plan) if plan.workbook else _location(plan),
    ]
    blocks = [
        f"   {title}\n" + "".join(f"{n:>29}: {v}\n" for n, v in lines.items())
        for title, lines in groups
    ]
    end = "\tTo display a preview of the table, use preview\n"
    return f"  {kind} with properties:\n\n" + "\n".join(blocks) + end


def _rules(plan: Plan, *names: str) -> dict[str, str]:
    return {name: f"'{plan.rule(name)}'" for name in names}


def _options(plan: Plan) -> str:
    count = len(plan.variables)
    return (
        f"[1-by-{count} matlab.io.VariableImportOptions]\n"
        "\tAccess VariableOptions sub-properties using setvaropts/getvaropts"
    )


def _format(plan: Plan) -> tuple[str, dict[str, str]]:
    return "Format Properties:", {
        "Delimiter": _option_text(plan.source.get("delimiter"), "{' ', '\\t'}"),
        "Whitespace": "'\\b\\t '",
        "LineEnding": "{'\\n', '\\r', '\\r\\n'}",
        "CommentStyle": _option_text(plan.source.get("commentstyle"), "{}"),
        **_rules(
            plan,
            "ConsecutiveDelimitersRule",
            "LeadingDelimitersRule",
            "TrailingDelimitersRule",
            "EmptyLineRule",
        ),
        "Encoding": _option_text(plan.source.get("encoding"), "'UTF-8'"),
    }


def _sheet(plan: Plan) -> tuple[str, dict[str, str]]:
    return "Sheet Properties:", {"Sheet": _option_text(plan.source.get("sheet"), "''")}


def _location(plan: Plan) -> tuple[str, dict[str, str]]:
    return "Location Properties:", {
        "DataLines": f"[{plan.begin + 1} {plan.last or 'Inf'}]",
        "VariableNamesLine": str(plan.skip + 1 if plan.named else 0),
        "RowNamesColumn": str(int(plan.row_names)),
        "VariableUnitsLine": "0",
        "VariableDescriptionsLine": "0",
    }


def _range(plan: Plan) -> tuple[str, dict[str, str]]:
    area = data_range(plan)
    return "Range Properties:", {
        "DataRange": f"'{area}'" + ("" if ":" in area else " (Start Cell)"),
        "VariableNamesRange": f"'A{plan.skip + 1}'" if plan.named else "''",
        "RowNamesRange": "'A1'" if plan.row_names else "''",
        "VariableUnitsRange": "''",
        "VariableDescriptionsRange": "''",
    }


def _option_text(value: Value | None, otherwise: str) -> str:
    """The texts that an option holds."""
    if value is None:
        return otherwise
    if is_text_scalar(value):
        return f"'{text_of(value)}'"
    shown = {"\t": "\\t"}
    return "{" + ", ".join(f"'{shown.get(t, t)}'" for t in texts_of(value)) + "}"


def _list(names: list[str]) -> str:
    """The first names, and how many there are more."""
    shown = ", ".join(f"'{n}'" for n in names[:_LISTED])
    rest = len(names) - _LISTED
    return "{" + shown + (f" ... and {rest} more" if rest > 0 else "") + "}"
