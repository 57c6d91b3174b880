1;
function varargout = f(varargin), varargout = varargin; end
[a,b,c] = f(1,2,3); disp([a b c]); x = f(9); disp(x); f(4); 
function [varargout] = g(n), if nargout > 0, varargout = num2cell((1:nargout) * n); end, end
[p,q] = g(5); disp([p q]); g(3);
