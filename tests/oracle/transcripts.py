"""The conformance transcripts in Octave: ``python -m tests.oracle.transcripts``.

What a transcript prints is compared by its words and numbers: layouts differ by design, so class
headings, quotes, braces and the spelling of empties are taken away first. A transcript whose first
line is ``% oracle: …`` states the rule by which MATLAB differs from Octave.
"""

from __future__ import annotations

import argparse
import math
import re
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.support.conformance import FOLDER, transcript_name, transcripts

SECONDS = 30

_RULE = re.compile(r"^% oracle: (.*)$", re.MULTILINE)
_DIALECT = "% dialect: matlab"
_HEADING = re.compile(
    r"^ *\d+(?:×\d+)+ (?:\w+ )*array$|^  (?:logical|single|u?int\d+)$|^ *function_handle with value:$",
    re.MULTILINE,
)
_EMPTY = re.compile(
    r"^ *(\d+(?:×\d+)+) empty .*$|(\d+(?:×\d+)+) (?:double|char|cell|struct)\b", re.MULTILINE
)
_PLACE = re.compile(r"\[\d+(?:,\d+)+\] =")
_IMAGINARY = re.compile(r"([-+]) *([\d.e+-]+)i\b")
_MARKS = re.compile(r"[{}'\"\[\]]")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A transcript in both: what was expected and what Octave printed, as words.

    Attributes:
        path: the script.
        rule: MATLAB's rule when the difference is intended; empty otherwise.
        agrees: True when the words are the same.
        printed: what Octave printed.
    """

    path: Path
    rule: str
    agrees: bool
    printed: str


def words(text: str) -> list[str]:
    """The words and numbers of a printed text, without what belongs to a layout."""
    text = _HEADING.sub("", text)
    text = _EMPTY.sub(lambda m: _size(m[1] or m[2]), text)
    text = re.sub(r"^ *\[\]$", _size("0×0"), text, flags=re.MULTILINE)
    text = re.sub(r"(?:\[\]|\{\})\((\d+(?:x\d+)+)\)", lambda m: _size(m[1]), text)
    text = _PLACE.sub("", text).replace("NA", "NaN").replace("NaNN", "NaN")
    text = _IMAGINARY.sub(r" \1\2 i", text)
    return _MARKS.sub(" ", text).split()


def _size(text: str) -> str:
    return "" if text in {"0×0", "0x0"} else f"empty-{text.replace('×', 'x')}"


def same(left: list[str], right: list[str]) -> bool:
    """True when the words are equal and the numbers agree to the digits that are shown."""
    return len(left) == len(right) and all(map(_alike, left, right))


def _alike(left: str, right: str) -> bool:
    if left == right:
        return True
    try:
        return math.isclose(float(left), float(right), rel_tol=1e-4, abs_tol=6e-5)
    except ValueError:
        return False


def compare(path: Path) -> Comparison:
    """Run one transcript in Octave."""
    text = path.read_text(encoding="utf-8")
    rule = _RULE.search(text)
    reason = rule[1] if rule else ""
    if _DIALECT in text:
        return Comparison(path, reason or "MATLAB's syntax alone", agrees=False, printed="")
    printed = _octave(text)
    expected = words(path.with_suffix(".out").read_text(encoding="utf-8"))
    return Comparison(path, reason, same(words(printed), expected), printed)


def _octave(text: str) -> str:
    """What Octave prints; ``1;`` makes a text that begins with a function a script."""
    command = ["octave-cli", "-f", "--no-history", "--eval", f"1;\n{text}"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=FOLDER, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return "took too long"
    errors = [n for n in done.stderr.splitlines() if n.startswith("error: ")]
    return done.stdout + "\n".join(n for n in errors if "ignoring const" not in n)


def run(paths: Iterable[Path], jobs: int) -> list[Comparison]:
    """Compare the transcripts, a few at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(compare, paths))


def main(arguments: list[str] | None = None) -> int:
    """Print the intended differences and what is not explained; 1 when there is any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="*", help="pattern of TOPIC/NAME")
    options = parser.parse_args(arguments)
    found = run(transcripts(options.only), options.jobs)
    for c in found:
        if c.rule and not c.agrees:
            print(f"intended: {transcript_name(c.path)}: {c.rule}")
    unexplained = [c for c in found if not c.agrees and not c.rule]
    for c in unexplained:
        expected = c.path.with_suffix(".out").read_text(encoding="utf-8")
        print(
            f"DIFFERS: {transcript_name(c.path)}\n--- expected\n{expected}--- octave\n{c.printed}"
        )
    agree = sum(c.agrees for c in found)
    print(
        f"{len(found)} transcripts: {agree} agree, {len(found) - agree - len(unexplained)} "
        f"differ as intended, {len(unexplained)} unexplained"
    )
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
