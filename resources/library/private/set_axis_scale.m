function set_axis_scale(axis, varargin)
% set_axis_scale(axis, scale), set_axis_scale(axis, axes, scale): what xscale, yscale and zscale do.
if nargin > 2 && isgraphics(varargin{1})
    target = varargin{1};
    varargin(1) = [];
else
    target = gca;
end
name = [axis 'scale'];
if numel(varargin) ~= 1
    error('MATLAB:narginchk:notEnoughInputs', 'Not enough input arguments.');
end
set(target, name, validatestring(varargin{1}, {'linear', 'log'}, name, 'scale'));
end
