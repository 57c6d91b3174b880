function y = uencode(u, n, v, kind)
% y = uencode(u, n, v, 'signed'): samples from -v to v (1) in 2^n equal steps, as whole numbers.
if nargin < 3 || isempty(v), v = 1; end
if nargin < 4, kind = 'unsigned'; end
kind = validatestring(kind, {'signed', 'unsigned'}, 'uencode');
q = min(max(floor((u + v)*2^(n - 1)/v), 0), 2^n - 1);
bits = [8 16 32];
bits = bits(find(n <= bits, 1));
if isempty(bits), error('signal:uencode:InvalidBits', 'N must be from 2 to 32.'); end
if strcmp(kind, 'signed'), y = feval(sprintf('int%d', bits), q - 2^(n - 1)); else, y = feval(sprintf('uint%d', bits), q); end
end
