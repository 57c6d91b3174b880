function h = scatterhist(x, y, varargin)
% h = scatterhist(x, y): a scatter plot with the histograms of both variables; h holds the three axes.
%   Options: 'NBins' (one or two counts), 'Color', 'Marker', 'MarkerSize', 'Direction' (in, out).
parser = inputParser;
parser.FunctionName = 'scatterhist';
addParameter(parser, 'NBins', []);
addParameter(parser, 'Color', 'b');
addParameter(parser, 'Marker', 'o');
addParameter(parser, 'MarkerSize', 6);
addParameter(parser, 'Direction', 'in');
if ~isempty(varargin) && isnumeric(varargin{1}), varargin = [{'NBins'} varargin]; end
parse(parser, varargin{:});
o = parser.Results;
bins = o.NBins;
if isscalar(bins), bins = [bins bins]; end
way = validatestring(o.Direction, {'in', 'out'}, 'scatterhist', 'Direction');
clf
h = [subplot('Position', [.35 .35 .55 .55]); subplot('Position', [.35 .1 .55 .18]); subplot('Position', [.1 .35 .18 .55])];
plot(h(1), x, y, 'LineStyle', 'none', 'Marker', o.Marker, 'MarkerSize', o.MarkerSize, 'Color', o.Color);
sides = {x, y};
turned = {'vertical', 'horizontal'};
for k = 1:2
    given = {};
    if ~isempty(bins), given = {bins(k)}; end
    histogram(h(k + 1), sides{k}, given{:}, 'FaceColor', o.Color, 'Orientation', turned{k});
end
if strcmp(way, 'in')
    set(h(2), 'YDir', 'reverse');
    set(h(3), 'XDir', 'reverse');
end
xlim(h(2), xlim(h(1)));
ylim(h(3), ylim(h(1)));
set(h(2:3), 'Visible', 'off');
axes(h(1));
end
