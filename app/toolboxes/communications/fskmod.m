function y = fskmod(x, m, separation, samples, fs, phase)
% y = fskmod(x, m, separation, samples, fs, phase): a tone of so many samples for each number from 0 to m - 1;
%   the phase goes on ('cont', default) or not ('discont').
if nargin < 5, fs = 1; end
if nargin < 6, phase = 'cont'; end
phase = validatestring(phase, {'cont', 'discont'}, 'fskmod');
isRow = isrow(x);
if isRow, x = x(:); end
f = (-(m - 1)/2 + x)*separation;
t = (0:samples - 1)'/fs;
y = zeros(samples*size(x, 1), size(x, 2));
for c = 1:size(x, 2)
    at = 0;
    for k = 1:size(x, 1)
        y((k - 1)*samples + (1:samples), c) = exp(1i*(2*pi*f(k, c)*t + at));
        if strcmp(phase, 'cont'), at = mod(at + 2*pi*f(k, c)*samples/fs, 2*pi); end
    end
end
if isRow, y = y.'; end
end
