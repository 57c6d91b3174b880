function varargout = gop(varargin)
% The former name of spmdReduce.
[varargout{1:nargout}] = spmdReduce(varargin{:});
end
