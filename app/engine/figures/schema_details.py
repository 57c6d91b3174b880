"""Properties that few scripts set: kept for those who ask, most of them without effect on the
picture; and older names of properties."""

from __future__ import annotations

from typing import Any

from app.engine.figures.properties import (
    ANY,
    COLOR,
    DATA,
    LINE_STYLE,
    MODE,
    NUMBER,
    PART,
    SIZE,
    SWITCH,
    TEXT,
    UNITS,
    VECTOR,
    PropertyKind,
    choice,
)
from app.engine.values import EMPTY

Properties = dict[str, tuple[PropertyKind, Any]]
ALPHA_MAPPING = choice("none", "scaled", "direct")

COMMON: Properties = {
    "Interruptible": (SWITCH, True),
    "BusyAction": (choice("queue", "cancel"), "queue"),
    "Selected": (SWITCH, False),
    "SelectionHighlight": (SWITCH, True),
    "ContextMenu": (ANY, EMPTY),
}
_SOURCES: Properties = {f"{letter}DataSource": (TEXT, "") for letter in "XYZ"} | {
    f"{letter}DataMode": (MODE, "auto") for letter in "XYZ"
}
_SERIES: Properties = {
    **_SOURCES,
    "IconDisplayStyle": (choice("on", "off", "children"), "on"),
    "AlignVertexCenters": (SWITCH, False),
    "DataTipTemplate": (ANY, EMPTY),
    "BrushData": (DATA, None),
}
_LINE: Properties = {
    **_SERIES,
    "LineJoin": (choice("round", "miter", "chamfer"), "round"),
    "ColorMode": (MODE, "auto"),
    "LineStyleMode": (MODE, "auto"),
    "MarkerMode": (MODE, "auto"),
}
_BASE: Properties = {
    **_SERIES,
    "ShowBaseLine": (SWITCH, True),
    "BaseLineColor": (COLOR, "auto"),
    "BaseLineStyle": (LINE_STYLE, "-"),
    "BaseLineWidth": (NUMBER, 0.5),
}
_FACES: Properties = {
    **_SERIES,
    "AlphaData": (DATA, None),
    "AlphaDataMapping": (ALPHA_MAPPING, "scaled"),
    "CDataMapping": (choice("scaled", "direct"), "scaled"),
    "CDataMode": (MODE, "auto"),
    "CDataSource": (TEXT, ""),
}
_AXES: Properties = {
    "MinorGridColor": (COLOR, "auto"),
    "MinorGridAlpha": (PART, 0.25),
    "MinorGridLineStyle": (LINE_STYLE, ":"),
    "ALim": (VECTOR, (0.0, 1.0)),
    "ALimMode": (MODE, "auto"),
    "Alphamap": (VECTOR, ()),
    "AmbientLightColor": (COLOR, (1.0, 1.0, 1.0)),
    "BoxStyle": (choice("back", "full"), "back"),
    "Clipping": (SWITCH, True),
    "ClippingStyle": (choice("3dbox", "rectangle"), "3dbox"),
    "FontSizeMode": (MODE, "auto"),
    "FontSmoothing": (SWITCH, True),
    "LabelFontSizeMultiplier": (SIZE, 1.1),
    "TitleFontSizeMultiplier": (SIZE, 1.1),
    "TitleFontWeight": (choice("normal", "bold"), "bold"),
    "SubtitleFontWeight": (choice("normal", "bold"), "normal"),
    "LineStyleOrderIndex": (NUMBER, 1.0),
    "SortMethod": (choice("childorder", "depth"), "childorder"),
    "TickDirMode": (MODE, "auto"),
    "PositionConstraint": (choice("outerposition", "innerposition"), "outerposition"),
    "ActivePositionProperty": (
        choice("outerposition", "position", "innerposition"),
        "outerposition",
    ),
    "LooseInset": (VECTOR, (0.13, 0.11, 0.095, 0.075)),
    "DrawMode": (TEXT, "normal"),
    "Toolbar": (ANY, EMPTY),
    "Interactions": (ANY, EMPTY),
    "ColorMode": (MODE, "auto"),
    "CameraTarget": (VECTOR, (0.5, 0.5, 0.5)),
    "CameraTargetMode": (MODE, "auto"),
    "CameraUpVector": (VECTOR, (0.0, 0.0, 1.0)),
    "CameraUpVectorMode": (MODE, "auto"),
    "CameraViewAngle": (NUMBER, 10.34),
    "CameraViewAngleMode": (MODE, "auto"),
    "CameraPositionMode": (MODE, "auto"),
}
_FIGURE: Properties = {
    "DockControls": (SWITCH, True),
    "IntegerHandle": (SWITCH, True),
    "FileName": (TEXT, ""),
    "PaperType": (TEXT, "usletter"),
    "RendererMode": (MODE, "auto"),
    "Alphamap": (VECTOR, ()),
    "WindowKeyReleaseFcn": (ANY, EMPTY),
    "DoubleBuffer": (SWITCH, True),
    "Clipping": (SWITCH, True),
    "PointerShapeCData": (ANY, EMPTY),
    "PointerShapeHotSpot": (VECTOR, (1.0, 1.0)),
    "BackingStore": (SWITCH, True),
    "XDisplay": (TEXT, ""),
    "Icon": (TEXT, ""),
    "WindowButtonUpFcnMode": (MODE, "auto"),
    "AutoResizeChildren": (SWITCH, True),
}
_BOX: Properties = {
    "TextBackgroundColor": (COLOR, "none"),
    "TextColor": (COLOR, "auto"),
    "TextEdgeColor": (COLOR, "none"),
    "TextLineWidth": (NUMBER, 0.5),
    "TextMargin": (NUMBER, 5.0),
    "TextRotation": (NUMBER, 0.0),
    "Rotation": (NUMBER, 0.0),
    "Margin": (NUMBER, 5.0),
    "Head1Style": (TEXT, "vback2"),
    "Head2Style": (TEXT, "vback2"),
    "Head1Length": (NUMBER, 10.0),
    "Head2Length": (NUMBER, 10.0),
    "Head1Width": (NUMBER, 10.0),
    "Head2Width": (NUMBER, 10.0),
    "Units": (UNITS, "normalized"),
    "FitHeightToText": (SWITCH, False),
    "BackgroundAlpha": (PART, 1.0),
}

DETAILS: dict[str, Properties] = {
    "figure": _FIGURE,
    "axes": _AXES,
    "polaraxes": _AXES,
    "heatmap": _AXES,
    "line": _LINE,
    "stair": _LINE,
    "animatedline": _LINE,
    "errorbar": _LINE,
    "scatter": {
        **_LINE,
        "AlphaData": (DATA, None),
        "AlphaDataMapping": (ALPHA_MAPPING, "scaled"),
        "CDataMode": (MODE, "auto"),
        "SizeDataSource": (TEXT, ""),
        "CDataSource": (TEXT, ""),
    },
    "stem": {**_LINE, **_BASE},
    "bar": {**_BASE, "FaceColorMode": (MODE, "auto")},
    "area": {**_BASE, "AlignVertexCenters": (SWITCH, False)},
    "histogram": _SERIES,
    "boxchart": _SERIES,
    "surface": _FACES,
    "patch": {**_FACES, "FaceVertexAlphaData": (DATA, None), "FaceNormals": (ANY, EMPTY)},
    "image": {**_SERIES, "AlphaDataMapping": (ALPHA_MAPPING, "none")},
    "contour": {
        **_SERIES,
        "LevelStep": (NUMBER, 0.0),
        "LevelListMode": (MODE, "auto"),
        "TextList": (VECTOR, ()),
        "TextStep": (NUMBER, 0.0),
        "FaceAlpha": (PART, 1.0),
        "LabelColor": (COLOR, "auto"),
        "LabelFormat": (TEXT, "%.4g"),
    },
    "quiver": {**_LINE, "Alignment": (TEXT, "tail")},
    "constantline": _SERIES,
    "annotation": _BOX,
    "hggroup": _SERIES,
    "hgtransform": _SERIES,
    "text": {
        "FontSizeMode": (MODE, "auto"),
        "FontSmoothing": (SWITCH, True),
        "Editing": (SWITCH, False),
        "Extent": (VECTOR, (0.0, 0.0, 0.0, 0.0)),
    },
    "legend": {
        "FontSizeMode": (MODE, "auto"),
        "BackgroundAlpha": (PART, 1.0),
        "Direction": (choice("normal", "reverse"), "normal"),
    },
    "colorbar": {
        "AxisLocation": (choice("in", "out"), "out"),
        "LineWidth": (NUMBER, 0.5),
        "LimitsMode": (MODE, "auto"),
        "TickLength": (NUMBER, 0.01),
        "TickDirection": (choice("in", "out", "both", "none"), "in"),
        "TickLabelInterpreter": (choice("tex", "latex", "none"), "tex"),
        "FontSizeMode": (MODE, "auto"),
        "Ruler": (ANY, EMPTY),
    },
    "uicontrol": {"BusyAction": (TEXT, "queue"), "Tooltip": (TEXT, ""), "Extent": (VECTOR, ())},
    "uipanel": {
        "Clipping": (SWITCH, True),
        "ResizeFcn": (ANY, EMPTY),
        "SizeChangedFcn": (ANY, EMPTY),
        "HighlightColor": (COLOR, "auto"),
        "ShadowColor": (COLOR, "auto"),
        "BorderColor": (COLOR, "auto"),
    },
    "light": {},
    "datatip": {},
}

ALIASES: dict[str, dict[str, str]] = {
    "colorbar": {
        **{f"{letter}tick": "Ticks" for letter in "xy"},
        **{f"{letter}lim": "Limits" for letter in "xy"},
        **{f"{letter}ticklabel": "TickLabels" for letter in "xy"},
        **{f"{letter}tickmode": "TicksMode" for letter in "xy"},
        "ydir": "Direction",
        "xdir": "Direction",
        "xcolor": "Color",
        "ycolor": "Color",
        "tickdir": "TickDirection",
        "ticklabel": "TickLabels",
    },
    "constantline": {"labelcolor": "Color", "fontcolor": "Color"},
    "annotation": {"headstyle": "HeadStyle"},
    "contour": {"edgecolor": "LineColor"},
}
"""Older and other names of properties by the kind of object."""
