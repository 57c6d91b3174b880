function varargout = labSendReceive(varargin)
% The former name of spmdSendReceive.
[varargout{1:nargout}] = spmdSendReceive(varargin{:});
end
