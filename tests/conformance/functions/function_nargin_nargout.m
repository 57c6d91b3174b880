function varargout = count(varargin), fprintf('%d %d\n', nargin, nargout); for k = 1:nargout, varargout{k} = k; end, end
count(); a = count(1); [a, b] = count(1, 2); [c{1:3}] = count(); x = {count(), 1}; disp(b);
