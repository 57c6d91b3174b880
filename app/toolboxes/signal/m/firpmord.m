function [n, fo, ao, w] = firpmord(f, a, dev, fs)
% [n, fo, ao, w] = firpmord(f, a, dev): the order, bands, amplitudes and weights for firpm that keep the deviations dev
%   in bands with the amplitudes a between the edges f (of a sampling rate fs, 2).
%   c = firpmord(f, a, dev, fs, 'cell') of MATLAB is {n, fo, ao, w}.
if nargin < 4, fs = 2; end
[f, a, dev] = deal(f(:)/fs, a(:), dev(:));
if numel(f) ~= 2*numel(a) - 2 || numel(dev) ~= numel(a)
    error('signal:firpmord:MismatchedVectorLengths', 'There must be two edges between every two bands, and a deviation for each band.');
end
relative = dev./(a + (a == 0));
order = 0;
for k = 1:2:numel(f)
    band = (k + 1)/2;
    inner = min(max(band, 2), numel(a) - 1);
    if numel(a) == 2, inner = 1; end
    outer = band + (band == inner);
    order = max(order, lowpassLength(f(k), f(k + 1), relative(inner), relative(outer)));
end
n = ceil(order) - 1;
fo = [0; 2*f; 1];
ao = reshape([a a]', [], 1);
w = max(relative)./relative;
if a(end) ~= 0 && mod(n, 2), n = n + 1; end
end

function L = lowpassLength(edge1, edge2, inner, outer)
% The length by Herrmann, Rabiner and Chan's formula.
[d1, d2] = deal(log10(inner), log10(outer));
D = (0.005309*d1^2 + 0.07114*d1 - 0.4761)*d2 - (0.00266*d1^2 + 0.5941*d1 + 0.4278);
width = abs(edge2 - edge1);
L = D/width - (11.01217 + 0.51244*(d1 - d2))*width + 1;
end
