function varargout = labSend(varargin)
% The former name of spmdSend.
[varargout{1:nargout}] = spmdSend(varargin{:});
end
