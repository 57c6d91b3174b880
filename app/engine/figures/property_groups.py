"""Groups of properties that several kinds of graphics objects have: fonts, strokes, axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.figures.properties import (
    ANY,
    COLOR,
    DATA,
    DIRECTION,
    LABEL,
    LIMITS,
    LINE_STYLE,
    MARKER,
    MATRIX,
    MODE,
    NUMBER,
    NUMBER_OR_TEXT,
    OPACITY,
    PART,
    PLACE,
    RATIO,
    SCALE,
    SIZE,
    SWITCH,
    TEXT,
    TEXTS,
    UNITS,
    VECTOR,
    PropertyKind,
    choice,
)
from app.engine.values import EMPTY

Properties = dict[str, tuple[PropertyKind, Any]]

SHARED: Properties = {
    "Tag": (TEXT, ""),
    "UserData": (ANY, EMPTY),
    "Visible": (SWITCH, True),
    "HandleVisibility": (choice("on", "off", "callback"), "on"),
    "HitTest": (SWITCH, True),
    "PickableParts": (choice("visible", "all", "none"), "visible"),
    "ButtonDownFcn": (ANY, EMPTY),
    "CreateFcn": (ANY, EMPTY),
    "DeleteFcn": (ANY, EMPTY),
}
FONT: Properties = {
    "FontName": (TEXT, "Helvetica"),
    "FontSize": (SIZE, 10.0),
    "FontWeight": (choice("normal", "bold", "light", "demi"), "normal"),
    "FontAngle": (choice("normal", "italic"), "normal"),
    "Interpreter": (choice("tex", "latex", "none"), "tex"),
}
STROKE: Properties = {
    "LineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
}
MARKERS: Properties = {
    "Marker": (MARKER, "none"),
    "MarkerSize": (NUMBER, 6.0),
    "MarkerEdgeColor": (COLOR, "auto"),
    "MarkerFaceColor": (COLOR, "none"),
}
SERIES: Properties = {
    "DisplayName": (TEXT, ""),
    "SeriesIndex": (NUMBER_OR_TEXT, 1.0),
    "Clipping": (SWITCH, True),
    "YAxisSide": (choice("left", "right"), "left"),
}
XYZ: Properties = {"XData": (DATA, None), "YData": (DATA, None), "ZData": (DATA, None)}
ROUND: Properties = {"ThetaData": (DATA, None), "RData": (DATA, None)}
PROGRESS_DIALOG: Properties = {
    "Title": (LABEL, ""),
    "Message": (LABEL, ""),
    "Value": (PART, 0.0),
    "Indeterminate": (SWITCH, False),
    "ShowPercentage": (SWITCH, False),
    "Cancelable": (SWITCH, False),
    "CancelText": (TEXT, "Cancel"),
    "CancelRequested": (SWITCH, False),
    "Icon": (TEXT, ""),
    "Interpreter": (choice("none", "tex", "latex", "html"), "none"),
}
FACES: Properties = {
    "FaceColor": (COLOR, "flat"),
    "EdgeColor": (COLOR, (0.0, 0.0, 0.0)),
    "FaceAlpha": (PART, 1.0),
    "EdgeAlpha": (PART, 1.0),
    "LineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
}

OPACITIES: Properties = {"FaceAlpha": (OPACITY, 1.0), "EdgeAlpha": (OPACITY, 1.0)}
"""Of what has alpha data."""


MATERIAL: Properties = {
    "FaceLighting": (TEXT, "flat"),
    "EdgeLighting": (TEXT, "none"),
    "AmbientStrength": (NUMBER, 0.3),
    "DiffuseStrength": (NUMBER, 0.6),
    "SpecularStrength": (NUMBER, 0.9),
    "SpecularExponent": (NUMBER, 10.0),
    "SpecularColorReflectance": (NUMBER, 1.0),
    "BackFaceLighting": (TEXT, "reverselit"),
}


JITTER = choice("none", "density", "rand", "randn")
SIDES = ("north", "south", "east", "west")
CORNERS = ("northeast", "northwest", "southeast", "southwest")
BAR_PLACE = choice(*SIDES, *(f"{side}outside" for side in SIDES), "manual", "layout")
LEGEND_PLACE = choice(
    *SIDES,
    *CORNERS,
    *(f"{place}outside" for place in (*SIDES, *CORNERS)),
    "best",
    "bestoutside",
    "none",
    "layout",
)


def _ruler(letter: str) -> Properties:
    """The properties of one axis."""
    return {
        f"{letter}Lim": (LIMITS, (0.0, 1.0)),
        f"{letter}LimMode": (MODE, "auto"),
        f"{letter}Scale": (SCALE, "linear"),
        f"{letter}Dir": (choice("normal", "reverse"), "normal"),
        f"{letter}Grid": (SWITCH, False),
        f"{letter}MinorGrid": (SWITCH, False),
        f"{letter}MinorTick": (SWITCH, False),
        f"{letter}Tick": (VECTOR, ()),
        f"{letter}TickMode": (MODE, "auto"),
        f"{letter}TickLabel": (TEXTS, ()),
        f"{letter}TickLabelMode": (MODE, "auto"),
        f"{letter}TickLabelRotation": (NUMBER, 0.0),
        f"{letter}TickFormat": (TEXT, ""),
        f"{letter}Exponent": (NUMBER, 0.0),
        f"{letter}ExponentMode": (MODE, "auto"),
        f"{letter}Shown": (SWITCH, True),
        f"{letter}Color": (COLOR, "auto"),
        f"{letter}LimitMethod": (choice("tickaligned", "tight", "padded"), "tickaligned"),
    }


AXES: Properties = {
    **_ruler("X"),
    **_ruler("Y"),
    **_ruler("Z"),
    "CLim": (LIMITS, (0.0, 1.0)),
    "CLimMode": (MODE, "auto"),
    "ColorScale": (SCALE, "linear"),
    "Colormap": (MATRIX, None),
    "ColorOrder": (MATRIX, None),
    "ColorOrderIndex": (NUMBER, 1.0),
    "LineStyleOrder": (TEXTS, ("-",)),
    "NextPlot": (choice("add", "replace", "replacechildren"), "replace"),
    "Box": (SWITCH, False),
    "Layer": (choice("bottom", "top"), "bottom"),
    "Color": (COLOR, "auto"),
    "GridColor": (COLOR, "auto"),
    "GridAlpha": (PART, 0.15),
    "GridLineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
    "TickDir": (choice("in", "out", "both", "none"), "in"),
    "TickLength": (VECTOR, (0.01, 0.025)),
    "Position": (PLACE, (0.13, 0.11, 0.775, 0.815)),
    "OuterPosition": (PLACE, (0.0, 0.0, 1.0, 1.0)),
    "InnerPosition": (PLACE, (0.13, 0.11, 0.775, 0.815)),
    "PositionMode": (choice("auto", "inner", "outer"), "auto"),
    "Units": (UNITS, "normalized"),
    "DataAspectRatio": (RATIO, (1.0, 1.0, 1.0)),
    "DataAspectRatioMode": (MODE, "auto"),
    "PlotBoxAspectRatio": (RATIO, (1.0, 1.0, 1.0)),
    "PlotBoxAspectRatioMode": (MODE, "auto"),
    "WarpToFill": (SWITCH, False),
    "XAxisLocation": (choice("bottom", "top", "origin"), "bottom"),
    "YAxisLocation": (choice("left", "right", "origin"), "left"),
    "View": (DIRECTION, (0.0, 90.0)),
    "CurrentPoint": (MATRIX, np.zeros((2, 3))),
    "Projection": (choice("orthographic", "perspective"), "orthographic"),
    "TickLabelInterpreter": (choice("tex", "latex", "none"), "tex"),
    "TitleHorizontalAlignment": (choice("center", "left", "right"), "center"),
    **FONT,
}

POLAR: Properties = {
    **AXES,
    **_ruler("R"),
    "RLim": (LIMITS, (0.0, 1.0)),
    "RGrid": (SWITCH, True),
    "RAxisLocation": (NUMBER, 80.0),
    "ThetaLim": (LIMITS, (0.0, 360.0)),
    "ThetaTick": (VECTOR, ()),
    "ThetaTickMode": (MODE, "auto"),
    "ThetaTickLabel": (TEXTS, ()),
    "ThetaTickLabelMode": (MODE, "auto"),
    "ThetaTickFormat": (TEXT, ""),
    "ThetaGrid": (SWITCH, True),
    "ThetaColor": (COLOR, "auto"),
    "ThetaDir": (choice("counterclockwise", "clockwise"), "counterclockwise"),
    "ThetaZeroLocation": (choice("right", "top", "left", "bottom"), "right"),
    "ThetaAxisUnits": (choice("degrees", "radians"), "degrees"),
}
HEATMAP: Properties = {
    **AXES,
    "ColorData": (DATA, None),
    "ColorbarVisible": (SWITCH, True),
    "ColorLimits": (LIMITS, (0.0, 1.0)),
    "CellLabelFormat": (TEXT, "%.4g"),
    "CellLabelColor": (COLOR, "auto"),
    "GridVisible": (SWITCH, True),
    "XData": (TEXTS, ()),
    "YData": (TEXTS, ()),
    "XDisplayLabels": (TEXTS, ()),
    "YDisplayLabels": (TEXTS, ()),
    "FontColor": (COLOR, "auto"),
    "ColorScaling": (TEXT, "scaled"),
    "MissingDataLabel": (TEXT, "NaN"),
    "MissingDataColor": (COLOR, (0.15, 0.15, 0.15)),
}

TABLE_CONTROL: Properties = {
    **FONT,
    "Data": (ANY, EMPTY),
    "ColumnName": (ANY, "numbered"),
    "RowName": (ANY, "numbered"),
    "ColumnWidth": (ANY, "auto"),
    "ColumnEditable": (ANY, EMPTY),
    "ColumnFormat": (ANY, EMPTY),
    "RowStriping": (SWITCH, True),
    "RearrangeableColumns": (SWITCH, False),
    "Position": (PLACE, (20.0, 20.0, 300.0, 300.0)),
    "Extent": (VECTOR, (0.0, 0.0, 300.0, 300.0)),
    "Units": (UNITS, "pixels"),
    "Enable": (TEXT, "on"),
    "Tooltip": (TEXT, ""),
    "TooltipString": (TEXT, ""),
    "BackgroundColor": (MATRIX, np.array([[1.0, 1.0, 1.0], [0.94, 0.94, 0.94]])),
    "ForegroundColor": (COLOR, "auto"),
    "KeyPressFcn": (ANY, EMPTY),
    "CellEditCallback": (ANY, EMPTY),
    "CellSelectionCallback": (ANY, EMPTY),
}
"""What ``uitable`` has."""

DATA_TIP: Properties = {
    "DataIndex": (NUMBER, 1.0),
    "SnapToDataVertex": (choice("on"), "on"),
    "Location": (choice("northeast", "northwest", "southeast", "southwest"), "northeast"),
    "LocationMode": (MODE, "auto"),
}
LIGHT: Properties = {
    "Color": (COLOR, (1.0, 1.0, 1.0)),
    "Position": (VECTOR, (1.0, 0.0, 1.0)),
    "Style": (TEXT, "infinite"),
}
