function h = suptitle(varargin)
% h = suptitle(text): a title above all axes of the figure (older name of sgtitle).
t = sgtitle(varargin{:});
if nargout, h = t; end
end
