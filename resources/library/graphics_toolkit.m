function name = graphics_toolkit(varargin)
% name = graphics_toolkit(): the toolkit that draws figures, in Octave's words.
% graphics_toolkit(name), graphics_toolkit(figures, name): Fuselab has one toolkit, which draws all figures, whatever Octave calls its own.
known = {'qt', 'fltk', 'gnuplot', 'notebook'};
if ~isempty(varargin) && (ischar(varargin{end}) || isstring(varargin{end})) && ~ismember(varargin{end}, known)
    error('graphics_toolkit: %s is not available. There are %s.', varargin{end}, strjoin(known, ', '));
end
if nargout || isempty(varargin)
    name = 'qt';
end
end
