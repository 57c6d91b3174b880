"""What lines gave, shown below or beside their code: texts, problems, pictures, live figures."""

from __future__ import annotations

import html
import math

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.engine.livecode.typed_outputs import compact
from app.ui.documents.runs import Output
from app.ui.documents.text_page import picture_of
from app.ui.plots.canvas import FigureCanvas
from app.ui.plots.style import current_style
from app.ui.support.fonts import code_font
from app.ui.support.theme import theme, theme_hub
from app.ui.widgets.panel_parts import IconButton, column

MOST_ROWS = 24
FIGURE = QSize(600, 380)
GAP = 8


class TextOutput(QFrame):
    """Printed text, a warning or an error; errors lead to their lines."""

    line_wanted = Signal(int)

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.setObjectName("DocumentOutput")
        self.setProperty("kind", kind)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QPlainTextEdit()
        self._text.setObjectName("DocumentOutputText")
        self._text.setReadOnly(True)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._text.document().setDocumentMargin(0)
        self._text.setAccessibleName("Output" if kind == "text" else kind.capitalize())
        self._link = QLabel()
        self._link.setTextFormat(Qt.TextFormat.RichText)
        self._link.linkActivated.connect(self._go_to_line)
        layout = QVBoxLayout(self)
        self._inside = QMargins(12, 6, 8, 6)
        layout.setContentsMargins(self._inside)
        layout.setSpacing(2)
        layout.addWidget(self._text)
        layout.addWidget(self._link)
        self._use_theme()

    def _use_theme(self) -> None:
        self._text.setFont(code_font())

    def show_output(self, output: Output, width: int) -> None:
        """Show this text; as high as its lines, up to some.

        Prose is wrapped: a message, or a line that is alone. Columns of several lines are not.
        """
        text = compact(output.text) if output.kind == "text" else output.text.strip("\n")
        if self._text.toPlainText() != text:
            self._text.setPlainText(text)
        is_prose = output.kind != "text" or "\n" not in text
        mode = QPlainTextEdit.LineWrapMode
        self._text.setLineWrapMode(mode.WidgetWidth if is_prose else mode.NoWrap)
        inside = self._inside
        self._text.resize(width - inside.left() - inside.right(), self._text.height())
        count = round(self._text.document().size().height())  # of a plain text: its lines
        policy = Qt.ScrollBarPolicy
        more = count > MOST_ROWS
        self._text.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if more else policy.ScrollBarAlwaysOff
        )
        self._text.setHorizontalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if is_prose else policy.ScrollBarAsNeeded
        )
        wide = not is_prose and self._text.horizontalScrollBar().maximum() > 0
        self._text.setFixedHeight(self._rows_height() + 4 + (14 if wide else 0))
        self._link.setVisible(bool(output.place))
        if output.place:
            colour = theme()["error"]
            words = html.escape(f"line {output.place}")
            self._link.setText(f'<a style="color:{colour}" href="{output.place}">{words}</a>')

    def _rows_height(self) -> int:
        """The height of the lines, at most of so many; other alphabets have higher ones."""
        block, rows, height = self._text.document().firstBlock(), 0, 0.0
        while block.isValid() and rows < MOST_ROWS:
            lines, high = max(1, block.lineCount()), self._text.blockBoundingRect(block).height()
            height += high * min(lines, MOST_ROWS - rows) / lines
            rows += lines
            block = block.next()
        return math.ceil(height)

    def text(self) -> str:
        """What is shown."""
        return self._text.toPlainText()

    def _go_to_line(self, address: str) -> None:
        self.line_wanted.emit(int(address))


class PictureOutput(QLabel):
    """A figure as the file stores it."""

    def __init__(self, _kind: str) -> None:
        super().__init__()
        self._image: QImage | None = None
        self._of = b""

    def show_output(self, output: Output, width: int) -> None:
        """Show a picture, not wider than there is room."""
        if output.picture != self._of:
            self._of, self._image = output.picture, picture_of(output.picture)
        if self._image is None:
            self.setText("A stored picture that cannot be read")
            return
        shown = QPixmap.fromImage(self._image)
        if shown.width() > width:
            shown = shown.scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        self.setPixmap(shown)
        self.setFixedHeight(shown.height())


class FigureOutput(QFrame):
    """A live figure: the axes of the figure panel, with their data where it lives.

    The wheel zooms once the figure was clicked; until then it scrolls the page.
    """

    acted = Signal(object)

    def __init__(self, _kind: str) -> None:
        super().__init__()
        self.setObjectName("DocumentFigure")
        self.canvas: FigureCanvas | None = None
        self._model: object = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)
        buttons = column(
            IconButton("home", "Show everything again", self.reset_view),
            IconButton("copy", "Copy as a picture", self.copy_picture),
            IconButton("export", "Save as PNG, SVG or PDF", self.save_picture),
        )
        buttons.setFixedWidth(28)
        self._layout.addWidget(buttons, 0, Qt.AlignmentFlag.AlignTop)
        theme_hub().changed.connect(self._retheme)

    def show_output(self, output: Output, width: int) -> None:
        """Show this state of the figure."""
        if output.figure is None:
            return
        if self.canvas is None:
            self.canvas = FigureCanvas(output.figure)
            self.canvas.viewport().installEventFilter(self)
            self.canvas.acted.connect(self.acted)
            self._layout.insertWidget(0, self.canvas, 1)
        elif self._model is not output.figure:
            self.canvas.show_model(output.figure)
        self._model = output.figure
        across, up = (float(size) for size in output.figure["Position"][2:4])
        wide = min(width, FIGURE.width() + 28)
        high = min(FIGURE.height() * 1.6, max(160.0, (wide - 28) * up / max(across, 1.0)))
        self.setFixedSize(wide, round(min(high, FIGURE.height() if across >= up else high)))

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to the page until the figure has the keyboard."""
        if event.type() == QEvent.Type.Wheel and self.canvas and not self.canvas.hasFocus():
            event.ignore()
            return True
        return False

    def reset_view(self) -> None:
        """Show what the script asked for."""
        if self.canvas is not None:
            for axes in self.canvas.figure.axes.values():
                axes.reset_view()

    def copy_picture(self) -> None:
        """Put the figure on the clipboard."""
        from app.ui.plots import figure_export

        if self.canvas is not None:
            figure_export.copy(self.canvas)

    def save_picture(self) -> None:
        """Ask for a file and write the figure to it."""
        from app.ui.plots import figure_export

        if self.canvas is not None:
            figure_export.ask_and_save(self, self.canvas, "figure.png")

    def retire(self) -> None:
        """Let go of the figure's data."""
        if self.canvas is not None:
            self.canvas.retire()

    def _retheme(self) -> None:
        if self.canvas is not None:
            self.canvas.set_style(current_style())


Shown = TextOutput | PictureOutput | FigureOutput


def _widget_class_of(output: Output) -> type[Shown]:
    if output.kind != "figure":
        return TextOutput
    return FigureOutput if output.figure is not None else PictureOutput


class OutputsBox(QWidget):
    """The outputs of some lines, one below the other; widgets are kept where they fit."""

    line_wanted = Signal(int)
    acted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GAP)
        self.shown: list[tuple[Output, Shown]] = []
        self.faded = False

    def show_outputs(self, outputs: list[Output], width: int, *, faded: bool) -> None:
        """Show these; with a dashed edge (``faded``) when the code has changed since."""
        spare = [widget for _, widget in self.shown]
        self.shown = []
        for place, output in enumerate(outputs):
            kind = _widget_class_of(output)
            found = next(
                (w for w in spare if type(w) is kind and w.property("kind") in (None, output.kind)),
                None,
            )
            if found is None:
                found = self._new_output(kind, output)
            else:
                spare.remove(found)
            if self._layout.indexOf(found) != place:
                self._layout.insertWidget(place, found, 0, Qt.AlignmentFlag.AlignTop)
            found.show_output(output, width)
            self.shown.append((output, found))
        for widget in spare:
            self._drop(widget)
        self.faded = faded
        for _, shown in self.shown:
            if shown.property("faded") != faded:
                shown.setProperty("faded", faded)
                shown.style().polish(shown)
        self._layout.activate()

    def needed(self) -> int:
        """The height of all."""
        heights = [self._height(widget) for _, widget in self.shown]
        return sum(heights) + GAP * max(0, len(heights) - 1)

    def _height(self, widget: Shown) -> int:
        if isinstance(widget, TextOutput):
            return widget.sizeHint().height()
        return widget.height()

    def _new_output(self, kind: type[Shown], output: Output) -> Shown:
        made = kind(output.kind)
        if isinstance(made, TextOutput):
            made.line_wanted.connect(self.line_wanted)
        elif isinstance(made, FigureOutput):
            made.acted.connect(self.acted)
        return made

    def _drop(self, widget: Shown) -> None:
        self._layout.removeWidget(widget)
        if isinstance(widget, FigureOutput):
            widget.retire()
        widget.hide()
        widget.deleteLater()

    def clear(self) -> None:
        """Show nothing; figures let go of their data."""
        self.show_outputs([], 1, faded=False)
