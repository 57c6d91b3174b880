function zscale(varargin)
% zscale(scale), zscale(axes, scale): the scale of the z axis, 'linear' or 'log'.
set_axis_scale('z', varargin{:});
end
