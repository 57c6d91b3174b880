function yscale(varargin)
% yscale(scale), yscale(axes, scale): the scale of the y axis, 'linear' or 'log'.
if nargin > 1 && isgraphics(varargin{1})
    target = varargin{1};
    varargin(1) = [];
else
    target = gca;
end
if numel(varargin) ~= 1
    error('MATLAB:narginchk:notEnoughInputs', 'Not enough input arguments.');
end
set(target, 'YScale', validatestring(varargin{1}, {'linear', 'log'}, 'yscale', 'scale'));
end
