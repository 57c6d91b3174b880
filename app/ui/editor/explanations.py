"""Help texts in a few lines: beside completions, in tips and under the pointer."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from app.ui.support.fonts import CodeFont
from app.ui.support.theme import theme

if TYPE_CHECKING:
    from app.engine.session.language_service import HelpPage, SignatureHelp

MOST_FORMS, MOST_LETTERS = 5, 420


def brief_html(page: HelpPage) -> str:
    """Call forms and the beginning of the help of a function."""
    forms = list(page.signatures[:MOST_FORMS])
    if len(page.signatures) > MOST_FORMS:
        forms.append("…")
    code = "<br>".join(escape(form) for form in forms)
    text = page.text if len(page.text) <= MOST_LETTERS else _shortened_text(page.text)
    lines = text.split("\n\n") if page.category else text.split("\n")
    body = "".join(f"<p style='margin: 4px 0'>{marked(line)}</p>" for line in lines if line.strip())
    return f"<p style='{_code_style()}; margin: 2px 0'>{code}</p>{body}"


def code_html(code: str) -> str:
    """Code as it will stand in the text."""
    return f"<pre style='{_code_style()}'>{escape(code)}</pre>"


def tip_html(answer: SignatureHelp) -> str:
    """The call form with the argument being typed in bold, and what the function does."""
    form = best_form(answer)
    start, end = argument_range(form, answer.argument)
    accent = theme()["accent"]
    inner = f"<b style='color: {accent}'>{escape(form[start:end])}</b>" if end > start else ""
    code = f"{escape(form[:start])}{inner}{escape(form[end:])}"
    others = len(answer.signatures) - 1
    more = f" <span style='color: {theme()['faint']}'>+{others} forms</span>" if others > 0 else ""
    lines = [f"<span style='{_code_style()}'>{code}</span>{more}"]
    if answer.summary:
        lines.append(f"<span style='color: {theme()['muted']}'>{marked(answer.summary)}</span>")
    return "<br>".join(lines)


def marked(text: str) -> str:
    """Help text as HTML; code is what stands between double backticks."""
    code = rf"<span style='{_code_style()}'>\1</span>"
    return re.sub(r"``(.+?)``", code, escape(text), flags=re.DOTALL)


def best_form(answer: SignatureHelp) -> str:
    """The first call form with room for the argument being typed."""
    for form in answer.signatures:
        if form.partition("(")[2].count(",") >= answer.argument or "..." in form:
            return form
    return answer.signatures[-1] if answer.signatures else answer.name


def argument_range(form: str, argument: int) -> tuple[int, int]:
    """Where argument number ``argument`` stands in a call form; an empty range for none."""
    start = form.rfind("(") + 1
    closing = form.find(")", start)
    if not start or closing < 0:
        return 0, 0
    for _ in range(argument):
        comma = form.find(",", start, closing)
        if comma < 0:
            break
        start = comma + 1
    end = form.find(",", start, closing)
    end = closing if end < 0 else end
    start += len(form[start:end]) - len(form[start:end].lstrip())
    return start, end


def _shortened_text(text: str) -> str:
    return text[:MOST_LETTERS].rsplit(" ", 1)[0] + " …"


def _code_style() -> str:
    return f"font-family: {CodeFont.family}, monospace"
