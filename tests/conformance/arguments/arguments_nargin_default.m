1;
function r = area(w, h), if nargin == 1, h = w; end, if ~exist('h', 'var'), h = 1; end, r = w * h; end
disp(area(3)); disp(area(3, 4)); function r = opt(varargin), p = struct('tol', 1e-3, 'max', 10); for k = 1:2:numel(varargin), p.(varargin{k}) = varargin{k+1}; end, r = p.max; end
disp(opt()); disp(opt('max', 99, 'tol', 1));
