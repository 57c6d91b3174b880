function [shape, rest] = asked_size(options)
% The size that zeros, ones, rand ... of a matrix in blocks are asked for, and what else they are told.
count = nnz(cumprod([cellfun(@isnumeric, options), 0]));
shape = [options{1:count}];
rest = options(count + 1:end);
if isempty(shape), shape = 1; end
if isscalar(shape), shape = [shape shape]; end
if numel(shape) > 2
    error('parallel:distributed:NotSupported', ...
        'Distributed arrays do not support arrays of more than two dimensions.');
end
end
