function varargout = gcat(varargin)
% The former name of spmdCat.
[varargout{1:nargout}] = spmdCat(varargin{:});
end
