function r = randp(lambda, varargin)
% r = randp(lambda, ...): Poisson numbers with mean lambda; sizes and class as for rand (Octave's).
if ischar(lambda) || isstring(lambda)
    if nargout, r = rand(lambda, varargin{:}); else, rand(lambda, varargin{:}); end
    return
end
class_ = 'double';
if ~isempty(varargin) && (ischar(varargin{end}) || isstring(varargin{end}))
    class_ = validatestring(varargin{end}, {'double', 'single'}, 'randp');
    varargin(end) = [];
end
if isempty(varargin)
    r = builtin('poissrnd', lambda);  % a package's own calls this function
else
    sizes = [varargin{:}];
    if isscalar(sizes)
        sizes = [sizes sizes];
    end
    if ~isscalar(lambda) && ~isequal(size(lambda), sizes)
        error('randp: dimensions mismatch');
    end
    r = builtin('poissrnd', lambda, sizes);
end
r = cast(r, class_);
end
