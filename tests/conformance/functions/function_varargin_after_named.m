function r = f(a, varargin), r = [a, numel(varargin)]; if ~isempty(varargin), r(end + 1) = varargin{end}; end, end
disp(f(1)); disp(f(1, 2)); disp(f(1, 2, 3)); args = {7, 8}; disp(f(args{:}, 9));
