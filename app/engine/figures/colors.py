"""Colours as MATLAB writes them: names, letters, RGB triplets and hexadecimal codes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.errors import MatlabError

Rgb = tuple[float, float, float]

COLOR_ORDER: tuple[Rgb, ...] = (
    (0.0, 0.447, 0.741),
    (0.85, 0.325, 0.098),
    (0.929, 0.694, 0.125),
    (0.494, 0.184, 0.556),
    (0.466, 0.674, 0.188),
    (0.301, 0.745, 0.933),
    (0.635, 0.078, 0.184),
)
"""The seven colours successive series take."""

LETTERS: dict[str, Rgb] = {
    "r": (1.0, 0.0, 0.0),
    "g": (0.0, 1.0, 0.0),
    "b": (0.0, 0.0, 1.0),
    "c": (0.0, 1.0, 1.0),
    "m": (1.0, 0.0, 1.0),
    "y": (1.0, 1.0, 0.0),
    "k": (0.0, 0.0, 0.0),
    "w": (1.0, 1.0, 1.0),
}
"""The one-letter colours of a line specification."""

NAMES: dict[str, Rgb] = {
    "red": LETTERS["r"],
    "green": LETTERS["g"],
    "blue": LETTERS["b"],
    "cyan": LETTERS["c"],
    "magenta": LETTERS["m"],
    "yellow": LETTERS["y"],
    "black": LETTERS["k"],
    "white": LETTERS["w"],
}
"""The spelled-out colours."""

KEYWORDS = ("none", "auto", "flat", "interp", "texturemap")
GRAY: Rgb = (0.15, 0.15, 0.15)
AUTOMATIC: dict[tuple[str, str], Rgb] = {
    ("figure", "Color"): (0.94, 0.94, 0.94),
    ("uipanel", "BackgroundColor"): (0.94, 0.94, 0.94),
    ("uicontrol", "BackgroundColor"): (0.94, 0.94, 0.94),
    ("axes", "Color"): LETTERS["w"],
    ("polaraxes", "Color"): LETTERS["w"],
    ("legend", "Color"): LETTERS["w"],
    ("legend", "EdgeColor"): GRAY,
    ("axes", "GridColor"): GRAY,
    ("axes", "MinorGridColor"): (0.1, 0.1, 0.1),
    ("axes", "XColor"): GRAY,
    ("axes", "YColor"): GRAY,
    ("axes", "ZColor"): GRAY,
    ("colorbar", "Color"): GRAY,
    ("constantline", "Color"): GRAY,
}
"""What a colour that nobody chose is when it is asked for; black where it is not listed."""
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})", re.IGNORECASE)
_TRIPLET = re.compile(r"\[\s*(\d*\.?\d+)[\s,]+(\d*\.?\d+)[\s,]+(\d*\.?\d+)\s*\]")


def hex_color(text: str) -> Rgb:
    """The colour of ``#rgb`` or ``#rrggbb``."""
    digits = text[1:]
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return red, green, blue


def named_color(text: str) -> Rgb | None:
    """The colour a text stands for, or None when it stands for none."""
    name = text.strip().lower()
    if _HEX.fullmatch(name):
        return hex_color(name)
    if name in LETTERS:
        return LETTERS[name]
    matches = [color for full, color in NAMES.items() if len(name) > 2 and full.startswith(name)]
    return matches[0] if len(matches) == 1 else None


def triplet(values: Sequence[float]) -> Rgb:
    """Three numbers from 0 to 1 as a colour; MATLAB's error otherwise."""
    numbers = [float(value) for value in values]
    if len(numbers) == 4 and all(0 <= number <= 1 for number in numbers):
        return tuple(numbers)  # type: ignore[return-value]  # a line's colour with its opacity
    if len(numbers) != 3 or not all(0 <= number <= 1 for number in numbers):
        raise MatlabError(
            "MATLAB:hg:ColorSpec",
            "Color value must be a 3 element numeric vector of values between 0 and 1.",
        )
    return numbers[0], numbers[1], numbers[2]


def parse_color(value: str | Sequence[float]) -> Rgb | str:
    """An RGB triple, or one of the keywords such as ``none``, from what the script wrote."""
    if not isinstance(value, str):
        return triplet(value)
    if value.lower() in KEYWORDS:
        return value.lower()
    numbers = _TRIPLET.fullmatch(value.strip())
    if numbers:
        return triplet([float(number) for number in numbers.groups()])
    color = named_color(value)
    if color is None:
        text = f"Unknown color name '{value}'. Use 'red', 'r', '#rrggbb' or an RGB triplet."
        raise MatlabError("MATLAB:hg:ColorSpec", text)
    return color
