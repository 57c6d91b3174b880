function r = f(a, varargin), opts = struct('x', 1, 'y', 2); for i = 1:2:numel(varargin), opts.(lower(varargin{i})) = varargin{i + 1}; end, r = a + opts.x * 10 + opts.y * 100; end
disp(f(1)); disp(f(1, 'X', 5)); disp(f(1, 'y', 0, 'x', 0)); function r = g(a, b), if nargin < 2 || isempty(b), b = 7; end, r = a * b; end
disp(g(2)); disp(g(2, [])); disp(g(2, 3)); function r = h(a, b), switch nargin, case 0, r = 'none'; case 1, r = 'one'; otherwise, r = 'two'; end, end
disp(h()); disp(h(1)); disp(h(1, 2)); function r = k(x), if ~exist('x', 'var') || isempty(x), x = 42; end, r = x; end
disp(k()); disp(k(1));
