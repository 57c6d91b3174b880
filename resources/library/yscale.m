function yscale(varargin)
% yscale(scale), yscale(axes, scale): the scale of the y axis, 'linear' or 'log'.
set_axis_scale('y', varargin{:});
end
