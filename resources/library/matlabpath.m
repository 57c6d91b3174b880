function varargout = matlabpath(varargin)
% p = matlabpath: the search path; an older name of path.
if nargout
    varargout{1} = path(varargin{:});
else
    path(varargin{:})
end
end
