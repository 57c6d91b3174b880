function [partition, codebook, distortion] = lloyds(x, codebook, tol)
% [partition, codebook, distortion] = lloyds(x, codebook, tol): the quantizer with the least mean square error for
%   training data, from a guess of the codebook or the number of its values.
if nargin < 3, tol = 1e-7; end
x = sort(x(:))';
if isscalar(codebook)
    n = codebook;
    width = (x(end) - x(1))/n;
    codebook = x(1) + width*((1:n) - 0.5);
end
codebook = sort(codebook(:))';
distortion = Inf;
while true
    partition = (codebook(1:end - 1) + codebook(2:end))/2;
    [index, q] = quantiz(x, partition, codebook);
    last = distortion;
    distortion = mean((x - q).^2);
    if distortion == 0 || abs(last - distortion)/distortion < tol, break, end
    for k = 1:numel(codebook)
        mine = x(index == k - 1);
        if ~isempty(mine), codebook(k) = mean(mine); end
    end
end
end
