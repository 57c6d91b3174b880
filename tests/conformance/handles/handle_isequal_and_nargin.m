f = @(x, y) x; disp(nargin(f)); disp(nargin(@(varargin) 1)); g = f; disp(isequal(f, g)); disp(is_function_handle(f));
