"""Listeners, groups, cameras, units, base lines: what handles know besides their look."""

from __future__ import annotations

import pytest

from tests.engine.figures.conftest import Plotter
from tests.support.scripts import Script

CHECKS = [
    # what does not fit is an error that leaves the object as it was
    "h = axes; w = {'Position', 5; 'InnerPosition', [0 0 1]; 'OuterPosition', [NaN 0 1 1]; "
    "'View', 3; 'DataAspectRatio', [1 1]}; k = 0; for i = 1:5, try, set(h, w{i, :}); catch e, "
    "k = k + ~strcmp(e.identifier, 'Fuselab:internal'); end, end, assert(k == 5); "
    "assert(numel(h.Position) == 4 && isequal(h.View, [0 90]))",
    "try, set(gcf, 'Position', 5); catch e, assert(contains(e.message, '4-element')); end; "
    "assert(numel(get(gcf, 'Position')) == 4)",
    "h = histogram([1 2 2 3]); w = {'BinWidth', 0; 'BinLimits', [1 2; 3 4]}; k = 0; for i = 1:2, "
    "try, set(h, w{i, :}); catch e, k = k + startsWith(e.identifier, 'MATLAB:hist'); end, end, "
    "assert(k == 2)",
    "h = fill([0 1 1], [0 0 1], 'r'); h.Vertices = [0; 1; 2]; h.YData = [4 5 6]; "
    "assert(isequal(h.Vertices, [0 4; 1 5; 2 6])); try, h.XData = 1:7; assert(false); "
    "catch e, assert(contains(e.message, 'each of 3 vertices')); end",
    "h = uicontrol('Style', 'text', 'String', 'ab'); e = h.Extent; h.String = {'abcdefgh'; 'c'}; "
    "assert(isequal(e(1:2), [0 0]) && e(3) > 8 && h.Extent(3) > e(3) && h.Extent(4) == 2 * e(4)); "
    "h.Units = 'normalized'; assert(all(h.Extent(3:4) > 0 & h.Extent(3:4) < 1))",
    # what data tips say: rows that are labelled, formatted, added and taken away one by one
    "h = plot(4:6); d = h.DataTipTemplate; d.DataTipRows(1).Label = 'Time'; d.FontSize = 6; "
    "h.DataTipTemplate.DataTipRows(end+1) = dataTipTextRow('Nr', 1:3, '%d'); "
    'assert(isequal({d.DataTipRows.Label}, {"Time" "Y" "Nr"}) && d.FontSize == 6); '
    'd.DataTipRows(2) = []; assert(isequal({h.DataTipTemplate.DataTipRows.Label}, {"Time" "Nr"}))',
    "h = plot(4:6); w = {'DataTipRows', 3; 'FontSize', -1; 'Nothing', 1}; k = 0; for i = 1:3, try, "
    "h.DataTipTemplate.(w{i, 1}) = w{i, 2}; catch e, k = k + startsWith(e.identifier, 'MATLAB:hg'); "
    "end, end, try, h.DataTipTemplate = 4; catch e, k = k + contains(e.message, 'cannot be replaced'); "
    "end, try, set(gca, 'DataTipTemplate', 4); catch e, k = k + contains(e.message, 'Unrecognized'); "
    "end, try, dataTipTextRow('a', @sin); catch e, k = k + contains(e.message, 'not a function'); "
    "end, assert(k == 6)",
    # a struct is the value behind UserData, and stands for pairs elsewhere
    "hold on; s.a = 1; h = line(1:2, 1:2, struct('LineWidth', 3, 'UserData', s)); p = plot(1:3, 'userd', s); "
    "set(gca, 'Tag', 'q', 'UserData', s, 'FontSize', 7); u = uicontrol('UserData', s); "
    "set(p, {'UserData', 'Tag'}, {struct('b', {{}}), 't'}); assert(h.LineWidth == 3 && isequal(s, "
    "h.UserData, get(gca, 'UserData'), u.UserData) && iscell(p.UserData.b))",
    # what is hidden is not found, not drawn into and not cleared by who does not hold its handle
    "f = figure; ax = axes(f); plot(ax, 1:3); f.HandleVisibility = 'off'; h = plot(4:6); "
    "assert(~isequal(ancestor(h, 'figure'), f) && numel(ax.Children) == 1); clf; close; "
    "assert(isvalid(f) && isempty(get(groot, 'CurrentFigure')) && isempty(findobj('Type', 'figure')))",
    "f = figure; g = figure('HandleVisibility', 'callback'); axes(g); assert(isequal(gcf, f)); "
    "g.HandleVisibility = 'on'; assert(isequal(gcf, g) && numel(findobj('Type', 'axes')) == 1)",
    "f = figure(3); assert(f ~= false && f ~= true && f == 3 && ~(false == f)); close(f)",
    "f = figure('HandleVisibility', 'callback'); c = containers.Map; u = uicontrol(f, 'DeleteFcn', "
    "@(s, e) put(c)); delete(u); assert(c('a') == f && isempty(findobj('Type', 'figure'))); "
    "function put(c), c('a') = gcf; end",
    "a = axes('HandleVisibility', 'off'); line(a, 1:3, 1:3); assert(~isequal(gca, a) && isvalid(a)); "
    "clf; assert(isequal(allchild(gcf), a)); clf reset; assert(~isvalid(a))",
    "h = plot(1:3); hold on; k = plot(4:6, 'HandleVisibility', 'off'); cla; "
    "assert(~isvalid(h) && isvalid(k)); cla reset; assert(~isvalid(k))",
    "f = uifigure; figure(f.Number); figure(f); plot(1:3); assert(isempty(f.Children)); "
    "g = figure('HandleVisibility', 'off'); assert(isvalid(g) && g ~= gcf)",
    "f = uifigure; a = axes(f); plot(a, 1:3); assert(~isequal(gcf, f)); close all; "
    "assert(isvalid(f) && isequal(findall(0, 'Type', 'figure'), f)); close all force; "
    "assert(~isvalid(f))",
    # listeners
    "f = figure; n = 0; h = plot(1:3); c = containers.Map; "
    "l = addlistener(h, 'LineWidth', 'PostSet', @(s, e) put(c, e)); h.LineWidth = 3; "
    "assert(isKey(c, 'PostSet')); function put(c, e), c(e.EventName) = 1; end",
    "h = plot(1:3); c = containers.Map; "
    "l = addlistener(h, 'LineWidth', 'PostSet', @(s, e) put(c)); l.Enabled = false; "
    "h.LineWidth = 3; assert(c.Count == 0); delete(l); assert(~isvalid(l)); "
    "function put(c), c('a') = 1; end",
    "h = plot(1:3); c = containers.Map; addlistener(h, 'ObjectBeingDestroyed', @(s, e) put(c)); "
    "delete(h); assert(c.Count == 1); function put(c), c('a') = 1; end",
    # sources
    "y = 1:3; h = plot(y); h.YDataSource = 'y'; y = 4:6; refreshdata; "
    "assert(isequal(h.YData, 4:6))",
    "y = 1:3; h = plot(y); h.YDataSource = 'y'; linkdata on; y = [3 1 2]; drawnow; "
    "assert(isequal(h.YData, [3 1 2]))",
    "h = cdfplot([3 1 2 NaN]); assert(isequal(h.XData, [1 1 2 3]) && h.YData(end) == 1)",
    "h = qqplot([1 2 3 4 5]); assert(isequal(h(1).YData, 1:5) && abs(h(1).XData(3)) < 1e-12)",
    "plot(1:3); l = legend('a', 'Location', 'SW'); assert(strcmpi(l.Location, 'southwest'))",
    "c = colorbar; p = c.Position; c.Position = p .* [1 1 .5 1]; q = get(gca, 'Position'); "
    "assert(q(1) + q(3) < p(1) && isequal(c.Position(3), p(3) / 2))",
    "subplot(2, 2, 1); p = get(gca, 'Position'); assert(p(1) < .3 && p(2) > .5 && p(3) < .5)",
    # groups
    "g = hggroup; h = plot(1:3, 'Parent', g); assert(h.Parent == g && isequal(ylim, [1 3]))",
    "t = hgtransform; p = patch([0 1 1], [0 0 1], 'r', 'Parent', t); "
    "t.Matrix = makehgtform('scale', 4); assert(isequal(xlim, [0 4]))",
    "t = hgtransform('Matrix', makehgtform('translate', [0 5 0])); "
    "u = hgtransform('Parent', t, 'Matrix', makehgtform('zrotate', pi/2)); "
    "line([0 2], [0 0], 'Parent', u); assert(isequal(ylim, [5 7]))",
    # cameras
    "surf(peaks(5)); campos([3 -1e4 0]); v = get(gca, 'View'); assert(max(abs(v)) < 1e-1)",
    "surf(peaks(5)); camtarget([1 1 1]); p = campos; view(90, 0); "
    "assert(isequal(camtarget, [1 1 1]) && ~isequal(p, campos))",
    # units
    "f = figure('Position', [0 0 400 200]); a = axes('Units', 'pixels', 'Position', [40 20 200 100"
    "]); a.Units = 'normalized'; assert(norm(a.Position - [.1 .1 .5 .5]) < 1e-12)",
    "f = figure('Position', [0 0 400 200]); p = [40 50 80 20]; a = uicontrol('Position', p); "
    "t = uitable('Position', p); set([a t], 'Units', 'norm'); q = [.1 .25 .2 .1]; "
    "assert(norm(a.Position - q) < 1e-12 && norm(t.Position - q) < 1e-12); a.Units = 'pixels'; "
    "assert(norm(a.Position - p) < 1e-9)",
    "f = figure('Position', [0 0 400 200]); p = uipanel('Position', [.5 .5 .5 .5]); "
    "c = uicontrol(p, 'Position', [10 10 50 20]); c.Units = 'normalized'; p.Units = 'pixels'; "
    "assert(norm(c.Position - [.05 .1 .25 .2]) < 1e-12 && isequal(p.Position, [200 100 200 100]))",
    "f = figure('Units', 'inches', 'Position', [0 0 4 3]); f.Units = 'pixels'; "
    "assert(isequal(f.Position, [0 0 384 288]))",
    "t = text(.5, .5, 'a', 'FontSize', 12); t.FontUnits = 'pixels'; assert(t.FontSize == 16); "
    "t.FontUnits = 'points'; assert(t.FontSize == 12)",
    "a = uicontrol; try, a.Units = 'ells'; catch e, end; "
    "assert(strcmp(e.identifier, 'MATLAB:hg:InvalidPropertyValue') && strcmp(a.Units, 'pixels'))",
    "plot(1:3); t = text(2, 2, 'a long text'); e = t.Extent; s = text(2, 2, 'a'); "
    "assert(e(3) > 3 * s.Extent(3) && e(1) == 2)",
    # handles
    "h = plot(rand(3)); assert(isequal(size(h'), [1 3]) && isequal(h', h.'))",
    "a = plot(1:3); hold on; b = plot(3:5); set(gca, 'Children', [a b]); "
    "assert(isequal(get(gca, 'Children'), [a; b]))",
    "h = plot(1:3); set(get(get(h, 'Annotation'), 'LegendInformation'), 'IconDisplayStyle', "
    "'off'); hold on; plot(2:4); l = legend('only'); assert(isequal(l.String, {'only'}))",
    "h = stem(1:3); h.BaseLine.Visible = 'off'; assert(strcmp(h.ShowBaseLine, 'off'))",
    "b = bar(1:3); b.BaseLine.Color = [1 0 0]; assert(isequal(b.BaseLine.Color, [1 0 0]))",
    "c = colorbar; set(c, 'YTick', [0 1], 'YTickLabel', {'a', 'b'}); "
    "assert(isequal(c.TickLabels, {'a'; 'b'}))",
    "h(3) = text('String', 'x', 'Position', [1 2 0]); assert(isequal(h(3).Position, [1 2 0]))",
    "h = plot([], []); assert(isempty(h.XData))",
    "[h, ax] = pareto([5 1 90 2 2], {'a', 'b', 'c', 'd', 'e'}); "
    "assert(isequal(h(1).YData, [90 5]) && numel(ax) == 2)",
    "h = gscatter(1:4, 1:4, [1 2 1 2], 'rb', 'ox'); assert(isequal(h(2).Color, [0 0 1]) && "
    "strcmp(h(2).Marker, 'x'))",
    "h = imagesc(magic(3), 'AlphaData', [1 0 1;1 1 1;0 0 0]); set(h, 'AlphaDataMapping', "
    "'scaled'); assert(isequal(size(h.AlphaData), [3 3]))",
    "s = swarmchart(ones(1, 9), 1:9); assert(isequal(s.XData, ones(1, 9)))",
    "h = bar3([1 2;3 4]); assert(isequal(size(h(1).ZData), [12 4]))",
    "h = polarscatter(1:3, 1:3); assert(isequal(rlim, [0 3]))",
    "[nx, ny, nz] = surfnorm([1 2;1 2]); assert(norm([nx(1) ny(1) nz(1)] - [-1 0 1]/sqrt(2)) < 1e-12)",
    "h = triplot([1 2 3], [0 1 0], [0 0 1]); assert(isequal(h.XData(1:4), [0 1 0 0]))",
    "h = fill([0 1 1], [0 0 1], 'r'); assert(isequal(h.XData(:)', [0 1 1]))",
    "[n, c] = hist3([1 1;1 2;3 3], [2 2]); assert(isequal(n, [1 1;0 1]))",
    "surface(peaks(5)); hold on; n = numel(get(gca, 'Children')); surface(peaks(4)); "
    "assert(numel(get(gca, 'Children')) == n + 1)",
]


@pytest.mark.parametrize("code", CHECKS)
def test_what_handles_do(code: str) -> None:
    Script().run(code)


def test_what_transforms_move_is_drawn_there(m: Plotter) -> None:
    group = m.hgtransform(nargout=1)
    m.line([0, 1], [0, 1], "Parent", group)
    group.set("Matrix", m.makehgtform("translate", [3, 4, 0], nargout=1))
    (line,) = m.axes()["children"]
    assert line["XData"]["array"].reshape(-1).tolist() == [3, 4]
    assert line["YData"]["array"].reshape(-1).tolist() == [4, 5]


def test_bars_that_lie_have_air_above_and_below(m: Plotter) -> None:
    m.barh([3, -2, 5])
    axes = m.axes()
    assert axes["XLim"] == (-2, 5)
    assert axes["YLim"][0] < 0.61
    assert axes["YLim"][1] > 3.39
