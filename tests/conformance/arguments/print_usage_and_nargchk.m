function f(a), if nargin != 1, print_usage(); end, disp(a); end
f(3); try, f(); catch, disp('usage'); end, function g(varargin), narginchk(1, 2); disp(nargin); end
g(1); try, g(); catch, disp('few'); end, try, g(1, 2, 3); catch, disp('many'); end, function varargout = h(), nargoutchk(0, 1); varargout{1} = 1; end
x = h(); disp(x); try, [a, b] = h(); catch, disp('outputs'); end
