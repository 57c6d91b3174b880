function [index, q, distortion] = quantiz(x, partition, codebook)
% [index, q, distortion] = quantiz(x, partition, codebook): between which ends of the partition each value lies
%   (from 0), the codebook's value for it, and the mean square of the differences.
index = zeros(size(x));
for k = 1:numel(partition), index = index + (x > partition(k)); end
if nargin > 2
    q = reshape(codebook(index + 1), 1, []);
    distortion = mean((q - x(:)').^2);
end
end
