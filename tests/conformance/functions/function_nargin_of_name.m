function varargout = g(a, b, varargin), varargout = {}; end
disp(nargin('g')); disp(nargout('g'));
