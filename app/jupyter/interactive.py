"""A figure that the reader moves: drag to pan, wheel to zoom, double click for the whole.

The page holds the figure's SVG and what moves it, in a frame of its own: it needs neither the
kernel, nor an extension of the front end, nor the network, and stays in an exported notebook.
"""

from __future__ import annotations

import re
from html import escape

_PROLOGUE = re.compile(r"\A\s*<\?xml[^>]*>\s*|<!DOCTYPE[^>]*>\s*")
_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')
_PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><style>
body { margin: 0; overflow: hidden; background: white }
svg { width: 100vw; height: 100vh; display: block; cursor: grab; touch-action: none; outline: none }
</style></head><body>SVG<script>
const svg = document.querySelector("svg"), view = svg.viewBox.baseVal;
const whole = [view.x, view.y, view.width, view.height];
const show = (x, y, w, h) => svg.setAttribute("viewBox", [x, y, w, h].join(" "));
const at = e => [view.x + e.offsetX / svg.clientWidth * view.width,
                 view.y + e.offsetY / svg.clientHeight * view.height];
const zoom = (x, y, by) => show(x - (x - view.x) * by, y - (y - view.y) * by,
                                view.width * by, view.height * by);
const middle = () => [view.x + view.width / 2, view.y + view.height / 2];
svg.setAttribute("tabindex", "0");
svg.addEventListener("wheel", e => {
  e.preventDefault(); zoom(...at(e), Math.exp(e.deltaY / 500));
}, {passive: false});
svg.addEventListener("pointerdown", e => svg.setPointerCapture(e.pointerId));
svg.addEventListener("pointermove", e => {
  if (e.buttons & 1) show(view.x - e.movementX / svg.clientWidth * view.width,
    view.y - e.movementY / svg.clientHeight * view.height, view.width, view.height);
});
svg.addEventListener("dblclick", () => show(...whole));
svg.addEventListener("keydown", e => {
  const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[e.key];
  if (step) show(view.x + step[0] * view.width / 10, view.y + step[1] * view.height / 10,
                 view.width, view.height);
  else if (e.key === "+") zoom(...middle(), 0.8);
  else if (e.key === "-") zoom(...middle(), 1.25);
  else if (e.key === "0") show(...whole);
  else return;
  e.preventDefault();
});
</script></body></html>"""


def movable_html(svg: str) -> str:
    """A figure's SVG as HTML that is panned and zoomed, as large as the figure in pixels."""
    size = _SIZE.search(svg)
    width, height = size.groups() if size else ("560", "420")
    page = _PAGE.replace("SVG", _PROLOGUE.sub("", svg), 1)
    style = f"width: {width}px; height: {height}px; max-width: 100%; border: 0"
    return f'<iframe style="{style}" title="figure" srcdoc="{escape(page)}"></iframe>'
