function varargout = gplus(varargin)
% The former name of spmdPlus.
[varargout{1:nargout}] = spmdPlus(varargin{:});
end
