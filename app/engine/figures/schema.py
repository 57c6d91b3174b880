"""The properties of every kind of graphics object: name, kind of value, default.

A property ``P`` with a companion ``PMode`` becomes manual when a script assigns it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.figures.colormaps import colormap
from app.engine.figures.colors import COLOR_ORDER
from app.engine.figures.properties import (
    ANY,
    COLOR,
    DATA,
    LABEL,
    LIMITS,
    LINE_STYLE,
    MARKER,
    MATRIX,
    MODE,
    NUMBER,
    NUMBER_OR_TEXT,
    SCALE,
    SWITCH,
    TABLE,
    TEXT,
    TEXTS,
    VECTOR,
    PropertyKind,
    choice,
)
from app.engine.figures.schema_details import COMMON, DETAILS
from app.engine.values import EMPTY

Properties = dict[str, tuple[PropertyKind, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class ObjectKind:
    """What the objects of one kind are called and have.

    Attributes:
        name: the ``Type`` property.
        class_name: what ``class`` answers.
        properties: name → (kind, default).
        base: the kind it is a form of; polar axes are axes.
    """

    name: str
    class_name: str
    properties: Properties
    base: str


_COMMON: Properties = {
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
_FONT: Properties = {
    "FontName": (TEXT, "Helvetica"),
    "FontSize": (NUMBER, 10.0),
    "FontWeight": (choice("normal", "bold", "light", "demi"), "normal"),
    "FontAngle": (choice("normal", "italic"), "normal"),
    "Interpreter": (choice("tex", "latex", "none"), "tex"),
}
_STROKE: Properties = {
    "LineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
}
_MARKERS: Properties = {
    "Marker": (MARKER, "none"),
    "MarkerSize": (NUMBER, 6.0),
    "MarkerEdgeColor": (COLOR, "auto"),
    "MarkerFaceColor": (COLOR, "none"),
}
_SERIES: Properties = {
    "DisplayName": (TEXT, ""),
    "SeriesIndex": (NUMBER, 1.0),
    "Clipping": (SWITCH, True),
    "YAxisSide": (choice("left", "right"), "left"),
}
_XYZ: Properties = {"XData": (DATA, None), "YData": (DATA, None), "ZData": (DATA, None)}
_ROUND: Properties = {"ThetaData": (DATA, None), "RData": (DATA, None)}
_FACES: Properties = {
    "FaceColor": (COLOR, "flat"),
    "EdgeColor": (COLOR, (0.0, 0.0, 0.0)),
    "FaceAlpha": (NUMBER_OR_TEXT, 1.0),
    "EdgeAlpha": (NUMBER_OR_TEXT, 1.0),
    "LineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
}


_MATERIAL: Properties = {
    "AmbientStrength": (NUMBER, 0.3),
    "DiffuseStrength": (NUMBER, 0.6),
    "SpecularStrength": (NUMBER, 0.9),
    "SpecularExponent": (NUMBER, 10.0),
    "SpecularColorReflectance": (NUMBER, 1.0),
    "BackFaceLighting": (TEXT, "reverselit"),
}


_JITTER = choice("none", "density", "rand", "randn")
_SIDES = ("north", "south", "east", "west")
_CORNERS = ("northeast", "northwest", "southeast", "southwest")
_BAR_PLACE = choice(*_SIDES, *(f"{side}outside" for side in _SIDES), "manual", "layout")
_LEGEND_PLACE = choice(
    *_SIDES, *_CORNERS, *(f"{place}outside" for place in (*_SIDES, *_CORNERS)), "best",
    "bestoutside", "none", "layout",
)  # fmt: skip


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


_AXES: Properties = {
    **_ruler("X"), **_ruler("Y"), **_ruler("Z"),
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
    "GridAlpha": (NUMBER, 0.15),
    "GridLineStyle": (LINE_STYLE, "-"),
    "LineWidth": (NUMBER, 0.5),
    "TickDir": (choice("in", "out", "both", "none"), "in"),
    "TickLength": (VECTOR, (0.01, 0.025)),
    "Position": (VECTOR, (0.13, 0.11, 0.775, 0.815)),
    "OuterPosition": (VECTOR, (0.0, 0.0, 1.0, 1.0)),
    "InnerPosition": (VECTOR, (0.13, 0.11, 0.775, 0.815)),
    "PositionMode": (choice("auto", "inner", "outer"), "auto"),
    "Units": (TEXT, "normalized"),
    "DataAspectRatio": (VECTOR, (1.0, 1.0, 1.0)),
    "DataAspectRatioMode": (MODE, "auto"),
    "PlotBoxAspectRatio": (VECTOR, (1.0, 1.0, 1.0)),
    "PlotBoxAspectRatioMode": (MODE, "auto"), "WarpToFill": (SWITCH, False),
    "XAxisLocation": (choice("bottom", "top", "origin"), "bottom"),
    "YAxisLocation": (choice("left", "right", "origin"), "left"),
    "View": (VECTOR, (0.0, 90.0)),
    "CurrentPoint": (MATRIX, np.zeros((2, 3))),
    "Projection": (choice("orthographic", "perspective"), "orthographic"),
    "TickLabelInterpreter": (choice("tex", "latex", "none"), "tex"),
    "TitleHorizontalAlignment": (choice("center", "left", "right"), "center"),
    **_FONT,
}  # fmt: skip

_POLAR: Properties = {
    **_AXES,
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
_HEATMAP: Properties = {
    **_AXES, "ColorData": (DATA, None), "ColorbarVisible": (SWITCH, True),
    "ColorLimits": (LIMITS, (0.0, 1.0)), "CellLabelFormat": (TEXT, "%.4g"),
    "CellLabelColor": (COLOR, "auto"), "GridVisible": (SWITCH, True),
    "XData": (TEXTS, ()), "YData": (TEXTS, ()), "XDisplayLabels": (TEXTS, ()),
    "YDisplayLabels": (TEXTS, ()), "FontColor": (COLOR, "auto"), "ColorScaling": (TEXT, "scaled"),
    "MissingDataLabel": (TEXT, "NaN"), "MissingDataColor": (COLOR, (0.15, 0.15, 0.15)),
}  # fmt: skip

_KINDS: dict[str, tuple[str, Properties]] = {
    "root": ("matlab.ui.Root", {
        "Units": (TEXT, "pixels"), "ScreenSize": (VECTOR, (1.0, 1.0, 1920.0, 1080.0)),
        "ShowHiddenHandles": (SWITCH, False), "Format": (TEXT, "short"),
        "FormatSpacing": (TEXT, "loose"),
    }),
    "figure": ("matlab.ui.Figure", {
        "Name": (TEXT, ""), "NumberTitle": (SWITCH, True), "Color": (COLOR, "auto"),
        "Position": (VECTOR, (100.0, 100.0, 560.0, 420.0)), "Units": (TEXT, "pixels"),
        "OuterPosition": (VECTOR, (100.0, 100.0, 560.0, 500.0)),
        "Colormap": (MATRIX, colormap("parula")), "NextPlot": (TEXT, "add"),
        "ColorOrder": (MATRIX, None),
        "WindowStyle": (choice("normal", "docked", "modal"), "docked"),
        "WindowState": (TEXT, "normal"), "MenuBar": (TEXT, "figure"), "ToolBar": (TEXT, "auto"),
        "Resize": (SWITCH, True), "PaperPosition": (VECTOR, (1.3, 2.6, 5.9, 4.4)),
        "PaperPositionMode": (MODE, "auto"), "PaperUnits": (TEXT, "inches"),
        "PaperSize": (VECTOR, (8.5, 11.0)), "PaperOrientation": (TEXT, "portrait"),
        "Renderer": (TEXT, "opengl"), "RendererMode": (MODE, "auto"),
        "InvertHardcopy": (SWITCH, True), "DoubleBuffer": (SWITCH, True),
        "PaperType": (TEXT, "usletter"),
        "GraphicsSmoothing": (SWITCH, True), "Pointer": (TEXT, "arrow"),
        "CloseRequestFcn": (ANY, "closereq"), "KeyPressFcn": (ANY, EMPTY),
        "KeyReleaseFcn": (ANY, EMPTY), "WindowScrollWheelFcn": (ANY, EMPTY),
        "ResizeFcn": (ANY, EMPTY), "CurrentPoint": (VECTOR, (0.0, 0.0)),
        "SelectionType": (TEXT, "normal"), "CurrentCharacter": (TEXT, ""),
        "CurrentKey": (TEXT, ""), "CurrentObject": (ANY, EMPTY),
        "WindowKeyPressFcn": (ANY, EMPTY), "SizeChangedFcn": (ANY, EMPTY),
        "WindowButtonDownFcn": (ANY, EMPTY), "WindowButtonMotionFcn": (ANY, EMPTY),
        "WindowButtonUpFcn": (ANY, EMPTY),
    }),
    "axes": ("matlab.graphics.axis.Axes", _AXES),
    "polaraxes": ("matlab.graphics.axis.PolarAxes", _POLAR),
    "heatmap": ("matlab.graphics.chart.HeatmapChart", _HEATMAP),
    "tiledlayout": ("matlab.graphics.layout.TiledChartLayout", {
        "GridSize": (VECTOR, (1.0, 1.0)), "TileSpacing": (TEXT, "loose"),
        "Padding": (TEXT, "loose"), "TileArrangement": (TEXT, "fixed"),
    }),
    "line": ("matlab.graphics.chart.primitive.Line", {
        **_SERIES, **_XYZ, **_STROKE, **_MARKERS, **_ROUND, "Color": (COLOR, COLOR_ORDER[0]),
        "MarkerIndices": (VECTOR, ()),
    }),
    "scatter": ("matlab.graphics.chart.primitive.Scatter", {
        **_SERIES, **_XYZ, **_MARKERS, **_ROUND, "Marker": (MARKER, "o"),
        "SizeData": (DATA, None),
        "CData": (DATA, None), "LineWidth": (NUMBER, 0.5), "MarkerEdgeColor": (COLOR, "flat"),
        "MarkerFaceAlpha": (NUMBER_OR_TEXT, 1.0), "MarkerEdgeAlpha": (NUMBER_OR_TEXT, 1.0),
        **{f"{letter}Jitter": (_JITTER, "none") for letter in "XY"},
        **{f"{letter}JitterWidth": (NUMBER, 0.9) for letter in "XY"},
    }),
    "bar": ("matlab.graphics.chart.primitive.Bar", {
        **_SERIES, **_XYZ, **_FACES, "FaceColor": (COLOR, COLOR_ORDER[0]),
        "BarWidth": (NUMBER, 0.8), "BaseValue": (NUMBER, 0.0), "Horizontal": (SWITCH, False),
        "BarLayout": (choice("grouped", "stacked"), "grouped"), "CData": (MATRIX, EMPTY),
        "XOffset": (NUMBER, 0.0), "XWidth": (NUMBER, 0.8), "YBase": (DATA, None),
    }),
    "histogram": ("matlab.graphics.chart.primitive.Histogram", {
        **_SERIES, **_FACES, "Data": (DATA, None), "BinEdges": (VECTOR, ()),
        "Values": (DATA, None), "BinCounts": (DATA, None), "NumBins": (NUMBER, 0.0),
        "BinWidth": (NUMBER, 0.0), "BinLimits": (VECTOR, (0.0, 1.0)),
        "Normalization": (TEXT, "count"), "FaceColor": (COLOR, COLOR_ORDER[0]),
        "BarGap": (NUMBER, 0.0),
        "FaceAlpha": (NUMBER_OR_TEXT, 0.6),
        "DisplayStyle": (choice("bar", "stairs"), "bar"),
        "Orientation": (choice("vertical", "horizontal"), "vertical"),
    }),
    "boxchart": ("matlab.graphics.chart.primitive.BoxChart", {
        **_SERIES, **_XYZ, "BoxFaceColor": (COLOR, COLOR_ORDER[0]), "XOffset": (NUMBER, 0.0),
        "BoxFaceAlpha": (NUMBER, 0.2), "BoxEdgeColor": (COLOR, COLOR_ORDER[0]),
        "BoxMedianLineColor": (COLOR, "auto"), "MedianColor": (COLOR, "auto"),
        "WhiskerLineColor": (COLOR, "auto"), "WhiskerLineStyle": (LINE_STYLE, "-"),
        "LineWidth": (NUMBER, 1.0), "MarkerStyle": (MARKER, "o"), "MarkerSize": (NUMBER, 6.0),
        "MarkerColor": (COLOR, COLOR_ORDER[0]), "BoxWidth": (NUMBER, 0.5),
        "Notch": (SWITCH, False), "JitterOutliers": (SWITCH, False),
        "Orientation": (choice("vertical", "horizontal"), "vertical"),
    }),
    "area": ("matlab.graphics.chart.primitive.Area", {
        **_SERIES, **_XYZ, **_FACES, "FaceColor": (COLOR, COLOR_ORDER[0]),
        "BaseValue": (NUMBER, 0.0), "YBase": (DATA, None),
    }),
    "stair": ("matlab.graphics.chart.primitive.Stair", {
        **_SERIES, **_XYZ, **_STROKE, **_MARKERS, "Color": (COLOR, COLOR_ORDER[0]),
    }),
    "stem": ("matlab.graphics.chart.primitive.Stem", {
        **_SERIES, **_XYZ, **_STROKE, **_MARKERS, "Color": (COLOR, COLOR_ORDER[0]),
        "Marker": (MARKER, "o"), "BaseValue": (NUMBER, 0.0),
    }),
    "errorbar": ("matlab.graphics.chart.primitive.ErrorBar", {
        **_SERIES, **_XYZ, **_STROKE, **_MARKERS, "Color": (COLOR, COLOR_ORDER[0]),
        "YNegativeDelta": (DATA, None), "YPositiveDelta": (DATA, None),
        "XNegativeDelta": (DATA, None), "XPositiveDelta": (DATA, None), "CapSize": (NUMBER, 6.0),
    }),
    "image": ("matlab.graphics.primitive.Image", {
        **_SERIES, "CData": (DATA, None), "XData": (DATA, None), "YData": (DATA, None),
        "CDataMapping": (choice("direct", "scaled"), "direct"), "AlphaData": (DATA, None),
        "Interpolation": (choice("nearest", "bilinear"), "nearest"),
    }),
    "surface": ("matlab.graphics.chart.primitive.Surface", {
        **_SERIES, **_XYZ, **_FACES, "CData": (DATA, None), "MeshStyle": (TEXT, "both"),
        "Whole": (SWITCH, False), "FaceLighting": (TEXT, "flat"), "EdgeLighting": (TEXT, "none"),
        **_MATERIAL,
    }),
    "contour": ("matlab.graphics.chart.primitive.Contour", {
        **_SERIES, **_XYZ, **_STROKE, "Fill": (SWITCH, False), "LevelList": (VECTOR, ()),
        "LineColor": (COLOR, "flat"), "EdgeColor": (COLOR, "flat"), "ShowText": (SWITCH, False),
        "LabelSize": (NUMBER, 9.0), "LabelSpacing": (NUMBER, 144.0),
        "ZLocation": (NUMBER_OR_TEXT, 0.0),
    }),
    "quiver": ("matlab.graphics.chart.primitive.Quiver", {
        **_SERIES, **_XYZ, **_STROKE, "Color": (COLOR, COLOR_ORDER[0]), "UData": (DATA, None),
        "VData": (DATA, None), "WData": (DATA, None), "AutoScale": (SWITCH, True),
        "AutoScaleFactor": (NUMBER, 0.9), "ShowArrowHead": (SWITCH, True),
        "MaxHeadSize": (NUMBER, 0.2),
    }),
    "patch": ("matlab.graphics.primitive.Patch", {
        **_SERIES, **_XYZ, **_FACES, **_MARKERS, "Vertices": (TABLE, EMPTY),
        "Faces": (TABLE, EMPTY), "CData": (DATA, None), "FaceVertexCData": (TABLE, EMPTY),
        "FaceLighting": (TEXT, "flat"), "EdgeLighting": (TEXT, "none"), **_MATERIAL,
        "VertexNormals": (MATRIX, EMPTY),
    }),
    "text": ("matlab.graphics.primitive.Text", {
        **_FONT, "String": (LABEL, ""), "Position": (VECTOR, (0.0, 0.0, 0.0)),
        "Color": (COLOR, "auto"), "Rotation": (NUMBER, 0.0), "Units": (TEXT, "data"),
        "HorizontalAlignment": (choice("left", "center", "right"), "left"),
        "VerticalAlignment": (
            choice("middle", "top", "bottom", "baseline", "cap"), "middle"),
        "BackgroundColor": (COLOR, "none"), "EdgeColor": (COLOR, "none"),
        "Margin": (NUMBER, 3.0), "LineWidth": (NUMBER, 0.5), "Clipping": (SWITCH, False),
        "YAxisSide": (choice("left", "right"), "left"),
    }),
    "legend": ("matlab.graphics.illustration.Legend", {
        **_FONT, "String": (TEXTS, ()), "Location": (_LEGEND_PLACE, "northeast"),
        "Orientation": (choice("vertical", "horizontal"), "vertical"), "Box": (SWITCH, True),
        "NumColumns": (NUMBER, 1.0), "Color": (COLOR, "auto"), "TextColor": (COLOR, "auto"),
        "EdgeColor": (COLOR, "auto"), "AutoUpdate": (SWITCH, True), "LineWidth": (NUMBER, 0.5),
        "Position": (VECTOR, ()), "Units": (TEXT, "normalized"), "ItemTokenSize": (VECTOR, ()),
    }),
    "colorbar": ("matlab.graphics.illustration.ColorBar", {
        **_FONT, "Location": (_BAR_PLACE, "eastoutside"), "Limits": (LIMITS, None),
        "Ticks": (VECTOR, ()), "TicksMode": (MODE, "auto"), "TickLabels": (TEXTS, ()),
        "TickLabelsMode": (MODE, "auto"), "Direction": (TEXT, "normal"), "Box": (SWITCH, True),
        "Color": (COLOR, "auto"), "Position": (VECTOR, ()), "Units": (TEXT, "normalized"),
    }),
    "constantline": ("matlab.graphics.chart.decoration.ConstantLine", {
        **_SERIES, **_STROKE, **_FONT, "Color": (COLOR, "auto"), "Value": (NUMBER, 0.0),
        "InterceptAxis": (choice("x", "y"), "y"), "Label": (LABEL, ""), "Alpha": (NUMBER, 0.7),
        "LabelHorizontalAlignment": (choice("left", "center", "right"), "right"),
        "LabelVerticalAlignment": (choice("top", "middle", "bottom"), "top"),
        "LabelOrientation": (choice("aligned", "horizontal"), "aligned"),
    }),
    "rectangle": ("matlab.graphics.primitive.Rectangle", {
        **_STROKE, "Position": (VECTOR, (0.0, 0.0, 1.0, 1.0)), "Curvature": (VECTOR, (0.0, 0.0)),
        "FaceColor": (COLOR, "none"), "EdgeColor": (COLOR, "auto"), "FaceAlpha": (NUMBER, 1.0),
        "YAxisSide": (choice("left", "right"), "left"),
    }),
    "annotation": ("matlab.graphics.shape.Annotation", {
        **_STROKE, **_FONT, "Shape": (TEXT, "line"), "X": (VECTOR, (0.3, 0.4)),
        "Y": (VECTOR, (0.3, 0.4)), "Position": (VECTOR, (0.3, 0.3, 0.1, 0.1)),
        "String": (LABEL, ""), "Color": (COLOR, "auto"), "FaceColor": (COLOR, "none"),
        "BackgroundColor": (COLOR, "none"), "EdgeColor": (COLOR, "auto"),
        "FitBoxToText": (SWITCH, False), "HorizontalAlignment": (TEXT, "left"),
        "VerticalAlignment": (TEXT, "top"), "HeadStyle": (TEXT, "vback2"),
        "HeadLength": (NUMBER, 10.0), "HeadWidth": (NUMBER, 10.0), "FaceAlpha": (NUMBER, 1.0),
    }),
    "animatedline": ("matlab.graphics.animation.AnimatedLine", {
        **_SERIES, **_XYZ, **_STROKE, **_MARKERS, "Color": (COLOR, COLOR_ORDER[0]),
        "MaximumNumPoints": (NUMBER, 1e6),
    }),
    "uicontrol": ("matlab.ui.control.UIControl", {
        **_FONT, "Style": (TEXT, "pushbutton"), "String": (ANY, ""), "Value": (ANY, 0.0),
        "Min": (NUMBER, 0.0), "Max": (NUMBER, 1.0), "SliderStep": (VECTOR, (0.01, 0.1)),
        "Position": (VECTOR, (20.0, 20.0, 60.0, 20.0)), "Units": (TEXT, "pixels"),
        "Callback": (ANY, EMPTY), "KeyPressFcn": (ANY, EMPTY), "Enable": (TEXT, "on"),
        "BackgroundColor": (COLOR, "auto"), "ForegroundColor": (COLOR, "auto"),
        "HorizontalAlignment": (TEXT, "center"), "TooltipString": (TEXT, ""),
        "CData": (ANY, EMPTY), "ListboxTop": (NUMBER, 1.0),
    }),
    "uipanel": ("matlab.ui.container.Panel", {
        **_FONT, "Title": (TEXT, ""), "Position": (VECTOR, (0.0, 0.0, 1.0, 1.0)),
        "Units": (TEXT, "normalized"), "BorderType": (TEXT, "etchedin"),
        "BackgroundColor": (COLOR, "auto"), "ForegroundColor": (COLOR, "auto"),
        "TitlePosition": (TEXT, "lefttop"), "BorderWidth": (NUMBER, 1.0),
        "SelectionChangedFcn": (ANY, EMPTY), "SelectedObject": (ANY, EMPTY),
    }),
    "uimenu": ("matlab.ui.container.Menu", {
        "Text": (TEXT, ""), "Label": (TEXT, ""), "Callback": (ANY, EMPTY),
        "Checked": (SWITCH, False), "Enable": (TEXT, "on"), "Separator": (SWITCH, False),
        "Accelerator": (TEXT, ""), "Position": (NUMBER, 1.0),
    }),
    "hggroup": ("matlab.graphics.primitive.Group", {**_SERIES}),
    "hgtransform": ("matlab.graphics.primitive.Transform", {
        **_SERIES, "Matrix": (MATRIX, np.eye(4)),
    }),
    "light": ("matlab.graphics.primitive.Light", {
        "Color": (COLOR, (1.0, 1.0, 1.0)), "Position": (VECTOR, (1.0, 0.0, 1.0)),
        "Style": (TEXT, "infinite"),
    }),
}  # fmt: skip

KINDS: dict[str, ObjectKind] = {
    name: ObjectKind(name, class_name, {**_COMMON, **COMMON, **DETAILS.get(name, {}),
                                        **({"FontUnits": (TEXT, "points")}
                                           if "FontSize" in properties else {}), **properties},
                     "axes" if name in ("polaraxes", "heatmap") else name)
    for name, (class_name, properties) in _KINDS.items()
}  # fmt: skip
"""Every kind of graphics object by its ``Type``."""

SERIES_KINDS = frozenset((
    "line", "scatter", "bar", "histogram", "area", "stair", "stem", "errorbar", "image", "surface",
    "contour", "quiver", "patch", "constantline", "animatedline", "boxchart",
))  # fmt: skip
"""Kinds that draw data inside axes and may appear in a legend."""
