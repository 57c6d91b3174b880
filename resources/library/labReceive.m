function varargout = labReceive(varargin)
% The former name of spmdReceive.
[varargout{1:nargout}] = spmdReceive(varargin{:});
end
