"""What the pages of the documentation's site are made of."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from app.engine.declarations import registry

PLACE = Path(__file__).parents[2] / "scripts" / "docs_site.py"
spec = importlib.util.spec_from_file_location("docs_site", PLACE)
assert spec is not None
assert spec.loader is not None
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def test_a_function_has_its_forms_help_place_examples_and_relatives() -> None:
    found = {
        name: b for name in ("sum", "cumsum", "ode45", "fzero") if (b := registry.lookup(name))
    }
    page = "\n".join(module._section(found["sum"], found))
    assert page.startswith("## sum { #sum }")
    assert all(form in page for form in found["sum"].signatures)
    assert "Runs on the device and fuses." in page
    assert f"[cumsum]({module.slug(found['cumsum'].category)}.md#cumsum)" in page
    stepped, called = (
        "\n".join(module._section(found[name], found)) for name in ("ode45", "fzero")
    )
    assert "On the host: steps on the host; states that are on the device stay there." in stepped
    assert "On the host: calls functions" in called


def test_examples_that_draw_are_shown_with_their_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.Session, "figure", lambda *_, **__: b"a picture")
    found = {name: registry.lookup(name) for name in ("bar", "inputdlg", "figure", "rgb2hsv")}
    pictures = module.draw_examples(found.values(), tmp_path)
    assert pictures == {"bar": "bar.png"}
    assert (tmp_path / "bar.png").read_bytes() == b"a picture"
    page = "\n".join(module._section(found["bar"], found, pictures["bar"]))
    assert "![What the example of bar draws](bar.png)" in page


def test_help_is_text_of_the_page_and_columns_stay_columns() -> None:
    text = "A <b> of x*y and a_b.\n\n  one   two\n  three four\n\nCode `a*b` stays."
    lines = list(module._text(text))
    assert lines[0] == "A \\<b\\> of x\\*y and a\\_b.\n"
    assert lines[1] == "```text\n  one   two\n  three four\n```\n"
    assert lines[2] == "Code `a*b` stays.\n"


def test_formulas_are_mathml_where_text_is_no_code() -> None:
    text = module.with_formulas("At $x^2$ for 3 $ and `a $b$`.\n\n```matlab\nx = '$y$';\n```\n")
    assert text.count("<math") == 1
    assert "`a $b$`" in text
    assert "x = '$y$';" in text


def test_every_page_that_the_site_names_has_a_source() -> None:
    config = (PLACE.parents[1] / "docs" / "mkdocs.yml").read_text(encoding="utf-8")
    root = PLACE.parents[1]
    for page in re.findall(r": ([\w/]+)\.md$", config, re.MULTILINE):
        if page.startswith("live/"):
            assert (root / "resources" / f"{page}.m").is_file()
        elif page.startswith("guides/"):
            assert (root / "resources" / f"{page}.md").is_file()
        elif page not in {"index", "settings", "functions/index"}:
            assert (root / "docs" / f"{page}.md").is_file() or (root / f"{page}.md").is_file()


def test_names_between_underscores_are_no_bold_letters_and_guides_are_linked() -> None:
    found = {"__fieldnames__": registry.lookup("__fieldnames__")}
    assert module.link("__fieldnames__", found).startswith(r"[\_\_fieldnames\_\_](structs.md#-f")
    page = "\n".join(module._section(found["__fieldnames__"], found))
    assert page.startswith(r"## \_\_fieldnames\_\_ { #-fieldnames- }")
    assert module._moved("[a](resources/guides/parallel.md)") == "[a](guides/parallel.md)"
