function xscale(varargin)
% xscale(scale), xscale(axes, scale): the scale of the x axis, 'linear' or 'log'.
if nargin > 1 && isgraphics(varargin{1})
    target = varargin{1};
    varargin(1) = [];
else
    target = gca;
end
if numel(varargin) ~= 1
    error('MATLAB:narginchk:notEnoughInputs', 'Not enough input arguments.');
end
set(target, 'XScale', validatestring(varargin{1}, {'linear', 'log'}, 'xscale', 'scale'));
end
