function h = visboundaries(varargin)
% h = visboundaries(BW), visboundaries(B), visboundaries(ax, ...): the edges of regions drawn in the current axes, from a mask or from
%   what bwboundaries gives. Options: 'Color' ('red'), 'LineStyle' ('-'), 'LineWidth' (2), 'EnhanceVisibility' (true: white below).
ax = [];
if isscalar(varargin{1}) && isgraphics(varargin{1}, 'axes'), ax = varargin{1}; varargin(1) = []; end
if isempty(ax), ax = gca; end
lines = varargin{1};
if ~iscell(lines), lines = bwboundaries(lines); end
o = struct('Color', 'red', 'LineStyle', '-', 'LineWidth', 2, 'EnhanceVisibility', true);
for k = 2:2:numel(varargin)
    name = validatestring(varargin{k}, fieldnames(o), 'visboundaries');
    if k == numel(varargin), error('images:visboundaries:missingValue', 'The option %s lacks its value.', name); end
    o.(name) = varargin{k + 1};
end
h = hggroup(ax);
for k = 1:numel(lines)
    if o.EnhanceVisibility, line(lines{k}(:, 2), lines{k}(:, 1), 'Parent', h, 'Color', 'w', 'LineWidth', o.LineWidth + 1); end
    line(lines{k}(:, 2), lines{k}(:, 1), 'Parent', h, 'Color', o.Color, 'LineStyle', o.LineStyle, 'LineWidth', o.LineWidth);
end
if nargout == 0, clear h, end
end
