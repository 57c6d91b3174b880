"""What a display shows of a handle: the properties that MATLAB names first for its class."""

from __future__ import annotations

from app.engine.figures.objects import GraphicsObject
from app.engine.figures.properties import lines_of
from app.engine.values import Struct
from app.engine.values.display import disp
from app.engine.values.display_format import DisplayFormat

_LINE = "Color LineStyle LineWidth Marker MarkerSize MarkerFaceColor XData YData"
_DATA = "XData YData ZData CData"
_BINS = "Data Values NumBins BinEdges BinWidth BinLimits"
_PLACED = "Position Units"
_BY_CLASS: dict[str, str] = {
    "Figure": f"Number Name Color {_PLACED}",
    "Axes": f"XLim YLim XScale YScale GridLineStyle {_PLACED}",
    "PolarAxes": f"ThetaLim RLim ThetaAxisUnits ThetaDir ThetaZeroLocation {_PLACED}",
    "HeatmapChart": "XData YData ColorData Title XLabel YLabel",
    "TiledChartLayout": f"TileArrangement GridSize Padding TileSpacing {_PLACED}",
    "Line": _LINE,
    "Stair": _LINE,
    "Stem": _LINE,
    "AnimatedLine": "Color LineStyle LineWidth Marker MarkerSize MarkerFaceColor",
    "ErrorBar": f"{_LINE} XNegativeDelta XPositiveDelta YNegativeDelta YPositiveDelta",
    "Scatter": f"Marker MarkerEdgeColor MarkerFaceColor SizeData LineWidth {_DATA}",
    "Bar": "BarLayout BarWidth FaceColor EdgeColor BaseValue XData YData",
    "Area": "FaceColor EdgeColor LineStyle LineWidth BaseValue XData YData",
    "Histogram": f"{_BINS} Normalization FaceColor EdgeColor",
    "Histogram2": "Data Values NumBins XBinEdges YBinEdges BinWidth Normalization FaceColor",
    "Binscatter": "NumBins XBinEdges YBinEdges XData YData",
    "BoxChart": "XData YData GroupByColor BoxFaceColor Notch Orientation JitterOutliers",
    "Image": "CData CDataMapping",
    "Surface": f"EdgeColor LineStyle FaceColor FaceLighting FaceAlpha {_DATA}",
    "Contour": "EdgeColor LineStyle LineWidth Fill LevelList XData YData ZData",
    "Quiver": "Color LineStyle LineWidth XData YData ZData UData VData WData",
    "Patch": "FaceColor FaceAlpha EdgeColor LineStyle Faces Vertices",
    "Text": f"String FontSize FontWeight FontName Color HorizontalAlignment {_PLACED}",
    "Legend": f"String Location Orientation FontSize {_PLACED}",
    "ColorBar": f"Location Limits FontSize {_PLACED}",
    "ConstantLine": "InterceptAxis Value Color LineStyle LineWidth Label DisplayName",
    "Rectangle": "FaceColor EdgeColor LineWidth LineStyle Curvature Position",
    "DataTip": "DataIndex Location SnapToDataVertex Visible",
    "Light": "Color Style Position Visible",
    "Panel": f"Title BackgroundColor {_PLACED}",
    "UIControl": f"Style String BackgroundColor Callback Value {_PLACED}",
    "Menu": "Text MenuSelectedFcn Children",
    "Table": f"Data ColumnWidth ColumnEditable CellEditCallback {_PLACED}",
    "Group": "Children Visible HitTest",
    "Transform": "Children Visible HitTest Matrix",
    "Root": "CurrentFigure ScreenPixelsPerInch ScreenSize MonitorPositions Units",
}
_OTHERS = f"String Value Color {_PLACED}"
_END = "\n  Use GET to show all properties\n"


def shown_properties(item: GraphicsObject, style: DisplayFormat) -> str:
    """The heading and the first properties of a handle."""
    short = item.class_name.rpartition(".")[2]
    names = _BY_CLASS.get(short, _OTHERS).split()
    known = {n: item.get(n) for n in names if item.has(n) or (n == "Number" and item.number)}
    return f"  {_heading(item, short)} with properties:\n\n{disp(Struct(known), style)}{_END}"


def _heading(item: GraphicsObject, short: str) -> str:
    """The class, with the number of a figure, the name of a series or the text of a text."""
    told = ""
    if short == "Figure":
        name = str(item["Name"])
        told = ": ".join(filter(None, (str(item.number or ""), name)))
    elif item.has("String"):
        told = ", ".join(lines_of(item.get("String")))
    elif item.has("DisplayName"):
        told = str(item.get("DisplayName"))
    return f"{short} ({told})" if told else short
