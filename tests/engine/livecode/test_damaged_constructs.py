"""Each construct of a live script cut, cut short, doubled and misplaced at each place.

Nothing is lost: every line is shown or told, marks and data that have lost each other are told,
and what is changed in such a file leaves all other lines as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.engine.language.diagnostics import Severity
from app.engine.livecode.consistency import problems_of
from app.engine.livecode.document import LiveDocument
from app.engine.livecode.running import with_results
from app.engine.livecode.segments import segments
from app.engine.livecode.stored_results import stored_results
from app.engine.session import language_service
from app.source import SourceText

Unit = tuple[str, ...]
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
BODY: tuple[Unit, ...] = (
    ("%[text] # Title",),
    ('%[text:tableOfContents]{"heading":"Contents"}',),
    ('%[text]{"align":"center"} Words **bold** and $ x^2 ${"altText":"x"} [link](https://a.b)',),
    ("%[text] - one", "%[text] - two \\"),
    ("%[text:table]", "%[text] | a | b |", "%[text] | --- | --- |", "%[text:table]"),
    ("%[text] ![picture](text:image:5964)",),
    ("%[text] ```matlab", "%[text] q = 1;", "%[text] ```"),
    ("%%",),
    ("%[text] ## %[text:anchor:H_1]Second",),
    ('x = 4; %[control:slider:7527]{"position":[5,6]}',),
    ("y = x^2 %[output:126e6871]",),
    (
        "for k = 1:2 %[output:group:11aa22bb]",
        "  disp(k) %[output:33cc44dd]",
        "end %[output:group:11aa22bb]",
    ),
    (
        'a = true; b = 3; %[control:checkbox:aaaa]{"position":[5,9]} '
        '%[control:spinner:bbbb]{"position":[15,16]}',
    ),
    ('disp("z") %[output:55ee66ff] %[output:77008800]',),
    ("",),
)


def entry(key: str, data: str) -> Unit:
    return f"%[{key}]", f"%   data: {data}", "%---"


APPENDIX: tuple[Unit, ...] = (
    ('%[appendix]{"version":"1.0"}',),
    ("%---",),
    entry("metadata:view", '{"layout":"onright","rightPanelPercent":40}'),
    entry("text:image:5964", '{"src":"data:image\\/png;base64,' + PIXEL.replace("/", "\\/") + '"}'),
    entry("control:slider:7527", '{"label":"x","max":10,"min":0,"run":"Section","step":1}'),
    entry("control:checkbox:aaaa", '{"label":"a","run":"Section"}'),
    entry("control:spinner:bbbb", '{"label":"b","run":"Section"}'),
    entry(
        "output:126e6871",
        '{"dataType":"textualVariable","outputData":{"name":"y","value":"16"}}',
    ),
    entry("output:33cc44dd", '{"dataType":"text","outputData":{"text":"     1\\n     2\\n"}}'),
    entry("output:55ee66ff", '{"dataType":"text","outputData":{"text":"z\\n"}}'),
    entry("output:77008800", '{"dataType":"warning","outputData":{"text":"Warning: w"}}'),
)
WHOLE = BODY + APPENDIX


def text_of(units: tuple[Unit, ...]) -> str:
    return "\n".join(line for unit in units for line in unit) + "\n"


def damaged() -> Iterator[tuple[str, str]]:
    """What was done, and the text."""
    for place, unit in enumerate(WHOLE):
        before, after = WHOLE[:place], WHOLE[place + 1 :]
        yield f"without {unit}", text_of(before + after)
        for k, line in enumerate(unit):
            parts = unit[:k], unit[k + 1 :]
            yield f"{line!r} cut", text_of((*before, parts[0] + parts[1], *after))
            yield (
                f"{line!r} doubled",
                text_of((*before, (*parts[0], line, line, *parts[1]), *after)),
            )
            for end in {len(line) // 3, len(line) // 2, max(0, len(line) - 1)}:
                changed = (*parts[0], line[:end], *parts[1])
                yield f"{line!r} cut to {end}", text_of((*before, changed, *after))
        for to in range(0, len(WHOLE) + 1, 2):
            yield f"{unit} doubled at {to}", text_of((*WHOLE[:to], unit, *WHOLE[to:]))
            rest = before + after
            yield f"{unit} moved to {to}", text_of((*rest[:to], unit, *rest[to:]))


MARKS = (
    (r"%\[(output:(?!group:)\w+)\]", "output:"),
    (r"%\[(control:\w+:\w+)\]", "control:"),
    (r"\((text:image:\w+)\)", "text:image:"),
)


def test_nothing_is_lost_silently() -> None:
    assert problems_of(LiveDocument(text_of(WHOLE))) == []
    count = 0
    for done, text in damaged():
        count += 1
        document = LiveDocument(text)
        assert document.text == text
        told = problems_of(document)
        segments(document)
        covered = {n for a, b in document.places for n in range(a, b + 1)}
        covered |= {problem.line for problem in told}
        body = document.lines[: document.appendix_line - 1]
        lost = [n for n, line in enumerate(body, 1) if line.strip() and n not in covered]
        assert not lost, done
        for mark, kind in MARKS:
            asked = set(re.findall(mark, "\n".join(body)))
            held = {key for key in document.appendix if key.startswith(kind)}
            assert asked == held or told, done
    assert count > 1000


def test_what_is_changed_leaves_all_other_lines_as_they_are() -> None:
    for done, text in list(damaged())[::5]:
        document = LiveDocument(text)
        added = document.with_entry("control:slider:zzzz", {"label": "q"}).text
        left = iter(added.split("\n"))
        assert all(line in left for line in text.rstrip("\n").split("\n")), done
        again = with_results(document, stored_results(document)).text
        gone = [line for line in text.split("\n") if line not in set(again.split("\n"))]
        orphans = [line for line in gone if not line.startswith(("%[output:", "%   data: "))]
        assert not orphans, done
        if gone:  # data that no mark asked for
            assert problems_of(document), done


def test_damage_is_told_where_code_is_written() -> None:
    text = text_of(WHOLE).replace("y = x^2 %[output:126e6871]", "y = x^2 %[output:126e68")
    found = language_service.analyse(SourceText("a.m", text)).diagnostics
    told = [d for d in found if d.code == "live-markup"]
    assert [text[d.span.start : d.span.end] for d in told] == [
        "y = x^2 %[output:126e68",
        "%[output:126e6871]",
    ]
    assert {d.severity for d in told} == {Severity.WARNING}
    for code in ("x = 1;", "% [a] b\ny = 2; %[output, k] = max(x);", "%[text me]\nx = 1;"):
        assert not [
            d
            for d in language_service.analyse(SourceText("a.m", code)).diagnostics
            if d.code == "live-markup"
        ]
