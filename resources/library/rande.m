function x = rande(varargin)
% x = rande(...): numbers of the exponential distribution with mean 1; sizes as for rand (Octave's), and
%   rande('seed', n) likewise.
if nargin && (ischar(varargin{1}) || isstring(varargin{1})) && ~any(strcmp(varargin{1}, {'double', 'single'}))
    if nargout, x = rand(varargin{:}); else, rand(varargin{:}); end
    return
end
x = -log(rand(varargin{:}));
end
