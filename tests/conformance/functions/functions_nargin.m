1;
function r = f(a,b,c), r = nargin; end
function [a,b] = g(), a = nargout; b = nargout; end
function r = d(x, y), if nargin < 2, y = 10; end, r = x + y; end
disp(f()); disp(f(1)); disp(f(1,2,3)); a = g(); disp(a); [a,b] = g(); disp(a); disp(d(1)); disp(d(1,2)); disp(nargin('f')); disp(nargout('g'));
function h(varargin), disp(nargin); end
h; h(1); h(1,2); disp(nargin(@(x,y) x)); 
