function zscale(varargin)
% zscale(scale), zscale(axes, scale): the scale of the z axis, 'linear' or 'log'.
if nargin > 1 && isgraphics(varargin{1})
    target = varargin{1};
    varargin(1) = [];
else
    target = gca;
end
if numel(varargin) ~= 1
    error('MATLAB:narginchk:notEnoughInputs', 'Not enough input arguments.');
end
set(target, 'ZScale', validatestring(varargin{1}, {'linear', 'log'}, 'zscale', 'scale'));
end
