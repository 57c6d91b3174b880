r"""The text of live documents: styles, links, equations and images within a paragraph.

Escapes of the plain-text format: ``\\`` is a backslash, ``\n`` inside an equation a line end, and a
backslash before any other punctuation takes its meaning away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Literal

from app.records import record

Style = Literal["plain", "bold", "italic", "bolditalic", "mono", "underline"]


@record
class Span:
    """A piece of text in one style."""

    text: str
    style: Style = "plain"


@record
class Link:
    """A link; ``target`` may be a web address, a file, ``internal:ID`` or ``matlab:command``."""

    label: tuple[Inline, ...]
    target: str


@record
class Equation:
    """LaTeX, inline; ``description`` is for those who cannot see it."""

    latex: str
    description: str = ""


@record
class Image:
    """An image: its ``source`` is ``text:image:ID`` (in the appendix) or a file."""

    description: str
    source: str


@record
class Anchor:
    """A place that links point to."""

    name: str


@record
class Underlined:
    """Underlined text with styles inside."""

    content: tuple[Inline, ...] = field(default=())


Inline = Span | Link | Equation | Image | Anchor | Underlined

# One step within emphasis: what is in no way its end. Each step is one way only (an atomic group).
_STEP = r"(?>\\.|\$[^$]*\$|`[^`]*`|.)"
_INLINE = re.compile(
    rf"""(?P<escape>\\[^A-Za-z0-9\s]|\\n)
    |(?P<anchor>%\[text:anchor:(?P<name>[\w-]+)\]\s?)
    |(?P<equation>\$(?P<latex>(?:[^$\\]|\\.)*)\$(?P<about>\{{(?:[^{{}}"]|"(?:[^"\\]|\\.)*")*\}})?)
    |(?P<image>!\[(?P<alt>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((?P<source>[^)]*)\))
    |(?P<link>\[(?P<label>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\((?P<target>(?:[^()]|\([^()]*\))*)\))
    |(?P<mono>`(?P<code>[^`]*)`)
    |(?P<under><u>(?P<underlined>.*?)</u>)
    |(?P<bolditalic>(?:\*\*\*|\*\*_|_\*\*)(?=\S)(?P<both>{_STEP}+?)(?:\*\*\*|_\*\*|\*\*_))
    |(?P<bold>\*\*(?=\S)(?P<strong>{_STEP}+?)\*\*)
    |(?P<italic>(?<!\w)_(?=\S)(?P<slanted>{_STEP}+?)_(?!\w)|\*(?=[^\s*])(?P<starred>{_STEP}+?)\*)""",
    re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_LATEX_ESCAPED = re.compile(r"\\(\\|n(?![A-Za-z])|[^A-Za-z0-9\s])")


def unescape(text: str) -> str:
    """The text that was meant."""
    return _ESCAPED.sub(r"\1", text)


def unescape_latex(text: str) -> str:
    """The LaTeX that was meant."""
    return _LATEX_ESCAPED.sub(lambda m: "\n" if m[1] == "n" else m[1], text).strip()


def escape(text: str) -> str:
    r"""Plain text as it stands in a ``%[text]`` line."""
    return re.sub(r"([\\`*_\[\]<>$#|~])", r"\\\1", text)


def escape_latex(latex: str) -> str:
    """LaTeX as it stands between dollars in a ``%[text]`` line."""
    doubled = re.sub(r"([\\_\[\]*`])", r"\\\1", latex)
    return doubled.replace("\n", "\\n")


def inlines(text: str) -> tuple[Inline, ...]:
    """The pieces of a paragraph."""
    return tuple(_merged_pieces(_pieces(text)))


def _pieces(text: str) -> Iterator[Inline]:
    place = 0
    for found in _INLINE.finditer(text):
        if found.start() > place:
            yield Span(text[place : found.start()])
        place = found.end()
        yield from _inline_piece(found)
    if place < len(text):
        yield Span(text[place:])


def _inline_piece(found: re.Match[str]) -> Iterator[Inline]:
    part = found.groupdict()
    match found.lastgroup:
        case "escape":
            yield Span(part["escape"][1:] if part["escape"] != "\\n" else " ")
        case "anchor":
            yield Anchor(part["name"])
        case "equation":
            yield Equation(
                unescape_latex(part["latex"]), _equation_description(part["about"] or "")
            )
        case "image":
            yield Image(unescape(part["alt"]), part["source"])
        case "link":
            target = part["target"]
            is_bracketed = target.startswith("<") and target.endswith(">")
            yield Link(inlines(part["label"]), unescape(target[1:-1] if is_bracketed else target))
        case "mono":
            yield Span(part["code"], "mono")
        case "under":
            yield Underlined(inlines(part["underlined"]))
        case "bolditalic":
            yield from _styled(_pieces(part["both"]), "bolditalic")
        case "bold":
            yield from _styled(_pieces(part["strong"]), "bold")
        case _:
            yield from _styled(_pieces(part["slanted"] or part["starred"]), "italic")


def _styled(pieces: Iterable[Inline], style: Style) -> Iterator[Inline]:
    """Pieces within emphasis."""
    for piece in pieces:
        match piece:
            case Span(text, own) if own != "mono":
                yield Span(text, style if own in ("plain", style) else "bolditalic")
            case Link(label, target):
                yield Link(tuple(_styled(label, style)), target)
            case Underlined(inner):
                yield Underlined(tuple(_styled(inner, style)))
            case _:
                yield piece


_ALT_TEXT = re.compile(r'"altText":"((?:[^"\\]|\\.)*)"')


def _equation_description(attributes: str) -> str:
    """What the attributes of an equation say it is; they hold LaTeX, which is not always JSON."""
    found = _ALT_TEXT.search(attributes)
    return re.sub(r'\\(["\\/])', r"\1", found[1]) if found else ""


def _merged_pieces(pieces: Iterator[Inline]) -> Iterator[Inline]:
    """Neighbours in one style as one piece."""
    held: Span | None = None
    for piece in pieces:
        if isinstance(piece, Span) and held is not None and piece.style == held.style:
            held = Span(held.text + piece.text, held.style)
            continue
        if held is not None:
            yield held
            held = None
        if isinstance(piece, Span):
            held = piece
        else:
            yield piece
    if held is not None:
        yield held


def is_formula(content: tuple[Inline, ...]) -> bool:
    """Whether a paragraph is a formula alone."""
    rest = [p for p in content if not (isinstance(p, Span) and not p.text.strip())]
    return len(rest) == 1 and isinstance(rest[0], Equation)


def plain_text(content: tuple[Inline, ...]) -> str:
    """The text without its styles, for outlines and titles."""
    parts: list[str] = []
    for piece in content:
        match piece:
            case Span(text):
                parts.append(text)
            case Link(label):
                parts.append(plain_text(label))
            case Underlined(inner):
                parts.append(plain_text(inner))
            case Equation(latex):
                parts.append(latex)
            case Image(description):
                parts.append(description)
            case Anchor():
                pass
    return "".join(parts)


# --- the publishing markup of ordinary comments ---------------------------------------------------

_PUBLISHED = re.compile(
    r"""(?P<display>\$\$(?P<block>.+?)\$\$)
    |(?P<equation>\$(?P<latex>[^$\n]+)\$)
    |(?P<image><<(?P<source>[^<>]+)>>)
    |(?P<link><(?P<target>(?:https?|ftp|mailto|file|matlab):[^\s<>]+)(?:[ \t]+(?P<label>[^<>]+))?>)
    |(?P<bold>(?<![\w*])\*(?P<strong>\S(?:[^*]*\S)?)\*(?![\w*]))
    |(?P<italic>(?<![\w_])_(?P<emphasis>\S(?:[^_]*\S)?)_(?![\w_]))
    |(?P<mono>(?<![\w|])\|(?P<code>[^|]+)\|(?![\w|]))""",
    re.VERBOSE,
)


def published_inlines(text: str) -> tuple[Inline, ...]:
    """The pieces of a comment that follows the publishing markup."""
    made: list[Inline] = []
    place = 0
    for found in _PUBLISHED.finditer(text):
        if found.start() > place:
            made.append(Span(text[place : found.start()]))
        place = found.end()
        match found.lastgroup:
            case "display" | "equation":
                made.append(Equation((found["block"] or found["latex"]).strip()))
            case "image":
                made.append(Image("", found["source"]))
            case "link":
                target = found["target"]
                made.append(Link((Span(found["label"] or target),), target))
            case "bold":
                made.append(Span(found["strong"], "bold"))
            case "italic":
                made.append(Span(found["emphasis"], "italic"))
            case _:
                made.append(Span(found["code"], "mono"))
    if place < len(text):
        made.append(Span(text[place:]))
    return tuple(made)
