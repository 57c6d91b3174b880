classdef codistributor1d
    % How a codistributed array is cut: codistributor1d(dim), (dim, partition), (dim, partition, size).
    %   Worker k has Partition(k) columns (dim 2) or rows (dim 1).
    properties (SetAccess = private)
        Dimension = [];
        Partition = [];
        Cached = [];        % the size of the array, where it was given
    end

    properties (Constant)
        unsetDimension = [];
        unsetPartition = [];
        unsetSize = [];
    end

    methods
        function c = codistributor1d(dim, partition, shape)
            % What is not given follows from the array.
            if nargin > 0, c.Dimension = dim; end
            if nargin > 1, c.Partition = reshape(partition, 1, []); end
            if nargin > 2, c.Cached = shape; end
            if ~isempty(c.Dimension) && ~any(isequal(c.Dimension, 1) || isequal(c.Dimension, 2))
                error('parallel:codistributors:BadDimension', ...
                    'Arrays are cut along dimension 1 or 2.');
            end
        end

        function tf = isComplete(c)
            % Whether it says all of an array's size.
            tf = ~isempty(c.Dimension) && ~isempty(c.Partition) && ~isempty(c.Cached);
        end

        function k = globalIndices(c, dim, worker)
            % Which columns or rows a worker has, this one unless told.
            if nargin < 3, worker = spmdIndex; end
            if dim == c.Dimension
                last = cumsum(c.Partition);
                k = last(worker) - c.Partition(worker) + 1:last(worker);
            else
                k = 1:c.Cached(dim);
            end
        end
    end

    methods (Static)
        function w = defaultPartition(n)
            % How many of n columns or rows each worker has.
            w = parallel.internal.widths(n, spmdSize);
        end
    end
end
