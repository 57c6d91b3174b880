function whitebg(varargin)
% whitebg(color), whitebg(fig, color): the colour of the axes and figures; without one black and white change places.
figures = gcf;
color = [];
for k = 1:nargin
    if all(ishghandle(varargin{k}), 'all') && ~ischar(varargin{k}), figures = varargin{k}; else, color = varargin{k}; end
end
for f = reshape(figures, 1, [])
    shown = findobj(f, 'Type', 'axes');
    if isempty(color)
        was = get(f, 'Color');
        if ~isempty(shown), was = get(shown(1), 'Color'); end
        color = 1 - was;
    end
    set(f, 'Color', color);
    set(shown, 'Color', color);
end
end
