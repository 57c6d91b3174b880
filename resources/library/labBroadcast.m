function varargout = labBroadcast(varargin)
% The former name of spmdBroadcast.
[varargout{1:nargout}] = spmdBroadcast(varargin{:});
end
