function varargout = labBarrier(varargin)
% The former name of spmdBarrier.
[varargout{1:nargout}] = spmdBarrier(varargin{:});
end
