1;
function [a,b,c] = three(), a = 1; b = 2; c = 3; end
function varargout = many(n), for k = 1:n, varargout{k} = k * 10; end, end
function r = count(varargin), r = numel(varargin); end
function [s, varargout] = mix(varargin), s = nargin; for k = 1:nargout-1, varargout{k} = varargin{k}; end, end
[x,y] = three(); disp([x y]); [x,~,z] = three(); disp([x z]); p = three(); disp(p); [u,v] = many(3); disp([u v]);
disp(count()); disp(count(1,2,3)); [n,a,b] = mix('p','q'); disp(n); disp([a b]); w = {}; [w{1:3}] = three(); disp([w{:}]);
