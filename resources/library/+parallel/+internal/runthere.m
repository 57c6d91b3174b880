function varargout = runthere(folder, paths, what, varargin)
% A call in another folder and with more folders on the path, which are as before afterwards.
before = path();
restore = onCleanup(@() path(before));
if ~isempty(paths)
    addpath(paths{:});
end
there = cd(folder);
back = onCleanup(@() cd(there));
[varargout{1:nargout}] = feval(what, varargin{:});
end
