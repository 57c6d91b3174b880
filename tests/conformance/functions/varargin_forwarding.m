function varargout = wrap(f, varargin), [varargout{1:nargout}] = f(varargin{:}); end
[a, b] = wrap(@max, [3 8 2]); disp([a b]); c = wrap(@plus, 1, 2); disp(c); function r = count(varargin), r = nargin; end
disp(wrap(@count)); disp(wrap(@count, 1, 2, 3)); function r = firstarg(varargin), r = varargin{1}; end
disp(firstarg({1, 2}){2}); args = {}; disp(count(args{:})); args = {1, 'x', []}; disp(count(args{:}, args{1:2})); function [n, varargout] = vo(varargin), n = numel(varargin); varargout = varargin; end
[n, p, q] = vo('u', 'v'); disp([p q]); 
