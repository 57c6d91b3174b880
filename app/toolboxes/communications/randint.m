function r = randint(m, n, range, seed)
% r = randint(m, n, range, seed): random whole numbers (older than randi): 0 and 1, 0 to range - 1, or [low high].
if nargin < 1, m = 1; end
if nargin < 2, n = m; end
if nargin < 3, range = 2; end
if nargin > 3, rng(seed); end
if isscalar(range), range = sort([0, range - sign(range)]); end
r = randi(sort(range), m, n);
end
