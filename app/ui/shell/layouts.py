"""The shipped arrangements of panels."""

from __future__ import annotations

from app.ui.widgets.panel_specs import Layout

LAYOUT_TITLES = {"classic": "Classic", "gpu": "GPU", "debug": "Debug", "focus": "Focus"}

_GPU_PANELS = (
    "fusion",
    "summary",
    "profile",
    "kernels",
    "transfers",
    "residency",
    "timeline",
    "parallel",
    "device",
)

LAYOUTS = {
    "classic": Layout(
        {
            "left": ("files",),
            "left2": ("outline",),
            "bottom": ("command", "problems", "tests", "changes", "fusion", "summary", "parallel"),
            "right": ("workspace",),
            "right2": ("figures", "help"),
        },
        {
            "root": (1150, 450),
            "top": (210, 940),
            "left": (380, 220),
            "main": (600, 0, 310),
            "right": (420, 490),
        },
    ),
    "gpu": Layout(
        {
            "left": ("files", "outline"),
            "middle": _GPU_PANELS,
            "bottom": ("command", "problems"),
            "right": ("workspace",),
            "right2": ("figures", "help"),
        },
        {
            "root": (1130, 470),
            "top": (180, 950),
            "main": (430, 300, 190),
            "right": (400, 520),
        },
    ),
    "debug": Layout(
        {
            "left": ("stack", "files"),
            "left2": ("breakpoints",),
            "bottom": ("command", "problems"),
            "right": ("workspace", "figures"),
            "right2": ("watches", "help"),
        },
        {
            "root": (1150, 450),
            "top": (260, 890),
            "left": (330, 270),
            "main": (620, 0, 290),
            "right": (560, 350),
        },
    ),
    "focus": Layout({}, {}),
}
