% oracle: Octave has no name=value arguments
% dialect: matlab
function show_(varargin), for k = 1:numel(varargin), disp(varargin{k}); end, end
show_(Width = 3, Name = 'q');
