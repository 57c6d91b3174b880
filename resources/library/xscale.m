function xscale(varargin)
% xscale(scale), xscale(axes, scale): the scale of the x axis, 'linear' or 'log'.
set_axis_scale('x', varargin{:});
end
