"""What ``fuselab explain`` says: per source line, what ran where and why."""

from __future__ import annotations

from typing import Any

from app.engine.session import report as reports

Row = dict[str, Any]
COLUMNS = ("line", "group", "kind", "where", "reason", "host est.", "device est.", "measured")


def rows(report: Row, text: str) -> list[Row]:
    """One row for every line of ``text`` that belongs to a group, ended one, or cost time."""
    source = text.split("\n")
    result = []
    for number in sorted(_lines(report)):
        found = _line_row(report, number)
        found["source"] = source[number - 1].strip() if number <= len(source) else ""
        result.append(found)
    return result


def table(report: Row, text: str) -> str:
    """The rows as a table for people; a group is told in full at the first of its lines."""
    lines = [_line(COLUMNS), "-" * 110]
    told: dict[int, int] = {}
    for row in rows(report, text):
        lines.append(f"{row['line']:>5}  {row['source']}")
        for group in row["groups"]:
            first = told.setdefault(group["id"], row["line"])
            lines += _group(group) if first == row["line"] else [_reference_line(group, first)]
        lines += [_boundary(b) for b in row["boundaries"]]
        if not row["groups"] and row["host_ms"]:
            lines.append(f"       host, {reports.milliseconds(row['host_ms'])}")
    pending = [row["name"] for row in report["residency"] if row["where"] == "lazy"]
    if pending:
        lines.append(
            f"not computed, for nothing has needed them yet: {_shortened_text(', '.join(pending))}"
        )
    return "\n".join(lines) + "\n"


def _group(group: Row) -> list[str]:
    times = f" x{group['executions']}" if group["executions"] > 1 else ""
    ops = _shortened_text("·".join(group["ops"]))
    told = ["       " + _line(_cells(group)[1:]), f"               {ops}{times}"]
    if group["native_runs"]:
        told.append(
            f"               machine code in {group['native_runs']} of {group['executions']}"
        )
    elif group["native_detail"]:
        told.append(f"               NumPy: no {group['native_detail']}")
    return told


def _reference_line(group: Row, first: int) -> str:
    return f"       #{group['id']} {group['kind']}: see line {first}"


def _boundary(boundary: Row) -> str:
    detail = f": {boundary['detail']}" if boundary["detail"] else ""
    return f"       boundary: {boundary['reason']}{detail}"


def _shortened_text(text: str, width: int = 84) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def _lines(report: Row) -> set[int]:
    numbers = {n for g in report["groups"] for n in g["lines"]}
    numbers |= {b["line"] for b in report["boundaries"]}
    numbers |= {row["line"] for row in report["lines"]}
    return {n for n in numbers if n > 0}


def _line_row(report: Row, number: int) -> Row:
    spent = [row for row in report["lines"] if row["line"] == number]
    return {
        "line": number,
        "count": sum(row["count"] for row in spent),
        "host_ms": sum(row["host_ms"] for row in spent),
        "device_ms": sum(row["device_ms"] for row in spent),
        "groups": [g for g in report["groups"] if number in g["lines"]],
        "boundaries": [b for b in report["boundaries"] if b["line"] == number],
        "upload_bytes": sum(row["upload_bytes"] for row in spent),
        "download_bytes": sum(row["download_bytes"] for row in spent),
    }


def _cells(group: Row) -> tuple[str, ...]:
    return (
        "",
        f"#{group['id']}",
        group["kind"],
        group["provider"],
        group["reason"],
        reports.milliseconds(group["host_estimate_ms"]),
        reports.milliseconds(group["device_estimate_ms"]),
        reports.milliseconds(group["measured_ms"]),
    )


_WIDTHS = (6, 7, 18, 6, 19, 13, 13, 13)


def _line(cells: tuple[str, ...]) -> str:
    widths = _WIDTHS[-len(cells) :]
    return " ".join(f"{c:<{w}}" for c, w in zip(cells, widths, strict=True)).rstrip()
