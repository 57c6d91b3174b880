function r = f(a, b), if nargin < 2 || isempty(b), b = 10; end, if ~exist('a', 'var'), a = 1; end, r = a + b; end
disp(f()); disp(f(5)); disp(f(5, [])); disp(f(1, 2));
