function varargout = labProbe(varargin)
% The former name of spmdProbe.
[varargout{1:nargout}] = spmdProbe(varargin{:});
end
