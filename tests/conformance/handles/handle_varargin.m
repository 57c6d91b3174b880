f = @(varargin) numel(varargin); disp(f()); disp(f(1, 2, 3)); g = @(a, varargin) a + sum([varargin{:}]); disp(g(1, 2, 3));
