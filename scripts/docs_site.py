"""``make docs``: the documentation as a static site, in ``build/site``.

The pages come from where the facts are: the function reference from the declarations of the
builtins, settings and options from theirs, the live documents from running them (their pictures are
made by the build), the guides from ``resources/guides`` (the window's Help shows them, too), the
pages on architecture from ``docs``. mkdocs puts them together and fails on a link that leads
nowhere. The site needs no server and no network.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import chdir
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
WORKER = "https://unpkg.com/iframe-worker/shim"
"""What mkdocs-material's plug-in for reading offline loads from the network."""
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
DRAWING = frozenset({"graphics", "histograms"})
"""Families whose examples are shown with what they draw."""
_FIGURE = """
drawn_ = 0;
if ~isempty(get(groot, 'CurrentFigure')) && ~isempty(get(findobj(gcf, 'Type', 'axes'), 'Children'))
  drawn_ = double(get(gcf, 'Number'));
end
"""
_FORMULA = re.compile(r"(?<![\\$])\$(?!\s)([^$\n]+?)(?<![\s\\])\$")
_CODE = re.compile(r"(^```.*?^```$|`[^`\n]*`)", re.MULTILINE | re.DOTALL)

sys.path.insert(0, str(ROOT))

from app.api import Session  # noqa: E402 - the repository is on the path only now
from app.engine.declarations import registry  # noqa: E402 - the repository is on the path only now
from app.engine.declarations.registry import Builtin  # noqa: E402 - the repository is on the path only now


def main() -> int:
    """Write the pages, then the site; 0 when every link leads somewhere."""
    if find_spec("mkdocs") is None:
        sys.stderr.write("mkdocs is not installed: pip install -e '.[docs]'\n")
        return 1
    shutil.rmtree(SOURCES, ignore_errors=True)
    copy_pages()
    write_live_documents()
    write_functions(registry.load_all())
    write_settings()
    config = ROOT / "docs" / "mkdocs.yml"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", str(config)],
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    if done.returncode == 0:
        use_own_worker()
        sys.stdout.write(f"{SITE / 'index.html'}\n")
    return done.returncode


def use_own_worker() -> None:
    """The search of pages that are opened as files asks the network for nothing."""
    for page in SITE.rglob("*.html"):
        up = "../" * (len(page.relative_to(SITE).parts) - 1)
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(WORKER, f"{up}file_worker.js"), encoding="utf-8")


# --- pages that are there -------------------------------------------------------------------------


def copy_pages() -> None:
    """The README as the first page, the guides, and the pages on how it is built."""
    shutil.copytree(ROOT / "docs", SOURCES, ignore=shutil.ignore_patterns("mkdocs.yml"))
    for name in ("guides", "pictures"):
        shutil.copytree(ROOT / "resources" / name, SOURCES / name)
    (SOURCES / "editors" / "vscode").mkdir(parents=True)
    shutil.copy(ROOT / "editors" / "vscode" / "README.md", SOURCES / "editors" / "vscode")
    for name in PAGES:
        text = (ROOT / name).read_text(encoding="utf-8")
        (SOURCES / name).write_text(_moved(text), encoding="utf-8")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (SOURCES / "index.md").write_text(_moved(text), encoding="utf-8")


def _moved(text: str) -> str:
    """A page of the repository's top folder with its links as they are in the site."""
    for folder in ("pictures", "guides"):
        text = text.replace(f"](resources/{folder}/", f"]({folder}/")
    text = text.replace("](docs/", "](")
    return text.replace("](README.md", "](index.md").replace("](.github/", "](https://github.com/")


def write_live_documents() -> None:
    """Every live document with what it prints and draws."""
    target = SOURCES / "live"
    target.mkdir()
    for source in sorted((ROOT / "resources" / "live").glob("*.m")):
        page = target / f"{source.stem}.md"
        command = [sys.executable, "-m", "app", "export", "--run", "--seed", "1", "--quiet"]
        subprocess.run([*command, str(source), str(page)], check=True, cwd=ROOT)
        page.write_text(with_formulas(page.read_text(encoding="utf-8")), encoding="utf-8")


def with_formulas(text: str) -> str:
    """Markdown whose formulas between dollars are MathML, which browsers show by themselves."""
    from latex2mathml.converter import convert

    parts = _CODE.split(text)
    parts[::2] = (_FORMULA.sub(lambda found: convert(found[1]), part) for part in parts[::2])
    return "".join(parts)


# --- functions ------------------------------------------------------------------------------------


def write_functions(builtins: dict[str, Builtin]) -> None:
    """A page for each family with a section for each function, and an index of all."""
    target = SOURCES / "functions"
    target.mkdir()
    families: dict[str, list[Builtin]] = {}
    for found in builtins.values():
        families.setdefault(found.category, []).append(found)
    for family, members in families.items():
        pictures = draw_examples(members, target) if family in DRAWING else {}
        text = "\n".join(_page_of(family, members, builtins, pictures))
        (target / f"{slug(family)}.md").write_text(text, encoding="utf-8")
    (target / "index.md").write_text("\n".join(_index(families)), encoding="utf-8")


def draw_examples(members: Iterable[Builtin], folder: Path) -> dict[str, str]:
    """The pictures of what examples draw, by functions, as files in ``folder``; each function has
    that of its first example with something in its axes."""
    made = {}
    session = Session(device="cpu", read_line=lambda _: "")  # dialogs are answered by nothing
    with tempfile.TemporaryDirectory() as place, chdir(place), session:
        for found in members:
            for case in found.cases:
                session.eval(f"close all force; clear; rng(1); {case};{_FIGURE}")
                if number := int(session["drawn_"]):
                    file = folder / f"{anchor(found.name)}.png"
                    file.write_bytes(session.figure(number, dpi=72.0))
                    made[found.name] = file.name
                    break
    return made


def slug(name: str) -> str:
    """A name as part of an address."""
    return re.sub(r"\W+", "-", name).strip("-").lower()


def anchor(name: str) -> str:
    """Where a function is on the page of its family; capitals tell functions apart."""
    return name.replace(".", "-").replace("__", "-")


def shown(name: str) -> str:
    """A name as Markdown, in which two underscores would mean bold letters."""
    return name.replace("__", r"\_\_")


def link(name: str, builtins: dict[str, Builtin]) -> str:
    """A link to a function's section; the name alone where there is no such builtin."""
    found = builtins.get(name)
    return f"`{name}`" if found is None else _link_to(found)


def _link_to(found: Builtin) -> str:
    return f"[{shown(found.name)}]({slug(found.category)}.md#{anchor(found.name)})"


def _index(families: dict[str, list[Builtin]]) -> Iterator[str]:
    count = sum(map(len, families.values()))
    yield f"# Functions\n\n{count:,} functions in {len(families)} families.\n"
    for family in sorted(families, key=str.lower):
        members = families[family]
        yield f"## {family[:1].upper()}{family[1:]}\n"
        yield f"{', '.join(map(_link_to, members))}\n"


def _page_of(
    family: str, members: list[Builtin], builtins: dict[str, Builtin], pictures: dict[str, str]
) -> Iterator[str]:
    yield f"# {family[:1].upper()}{family[1:]}\n"
    for found in members:
        yield from _section(found, builtins, pictures.get(found.name, ""))


def _section(found: Builtin, builtins: dict[str, Builtin], picture: str = "") -> Iterator[str]:
    yield f"## {shown(found.name)} {{ #{anchor(found.name)} }}\n"
    yield _code("\n".join(found.signatures))
    yield from _text(found.help)
    where = (
        f"On the host: {found.device.reason}."
        if found.device.reason
        else "Runs on the device and fuses."
    )
    yield f"*{html.escape(where)}*\n"
    if found.cases:
        yield "True at their end:\n"
        yield _code("\n".join(found.cases))
    if picture:
        yield f"![What the example of {shown(found.name)} draws]({picture}){{ loading=lazy }}\n"
    if found.see:
        yield f"See also: {', '.join(link(name, builtins) for name in found.see)}\n"


def _code(text: str) -> str:
    return f"```matlab\n{text}\n```\n"


def _text(text: str) -> Iterator[str]:
    """A help text: paragraphs, and what is indented or stands in columns as it is."""
    for block in re.split(r"\n\s*\n", text.strip()):
        if any(line.startswith("  ") for line in block.split("\n")):
            yield f"```text\n{block}\n```\n"
        else:
            yield f"{_escaped(block)}\n"


def _escaped(text: str) -> str:
    """Text without meaning for Markdown or HTML, code between backticks left as it is."""
    parts = re.split(r"(``[^`]+``|`[^`]+`)", text)
    parts[::2] = (re.sub(r"([\\*_\[\]{}#<>|!])", r"\\\1", part) for part in parts[::2])
    return "".join(parts)


# --- settings and options -------------------------------------------------------------------------


def write_settings() -> None:
    """What the command line and the settings take."""
    from app import settings
    from app.cli.command_line import OPTIONS, VERBS

    lines = ["# Command line and settings\n", "## Verbs\n", "| verb | does |", "|---|---|"]
    for verb in VERBS.values():
        operands = " ".join(
            name + ("…" if count in {"*", "+"} else "") for name, count in verb.operands
        )
        lines.append(f"| `fuselab {f'{verb.name} {operands}'.strip()}` | {_escaped(verb.help)} |")
    lines += ["\n## Options\n", "| option | variable | does | of |", "|---|---|---|---|"]
    for option in OPTIONS:
        name = f"--{option.name} {option.metavar}".strip()
        of = ", ".join(option.verbs)
        lines.append(f"| `{name}` | `{option.variable}` | {_escaped(option.help)} | {of} |")
    lines += ["\n## Settings\n", "| setting | default | meaning |", "|---|---|---|"]
    for declared in settings.declarations():
        choices = f" ({', '.join(declared.choices)})" if declared.choices else ""
        text = _escaped(f"{declared.description}{choices}")
        lines.append(f"| `{declared.name}` | `{declared.default!r}` | {text} |")
    (SOURCES / "settings.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
