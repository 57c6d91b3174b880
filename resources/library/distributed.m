classdef distributed < parallel.internal.Blocked
    % A matrix in blocks, one for each worker of the pool: D = distributed(A), distributed.rand(m, n).
    %   Blocks are of columns, or of rows where there is one column. Maths of elements, sum, prod, max,
    %   min, any, all, mean, norms, products and transposes are done block by block by the workers;
    %   gather(D) is the matrix. What else is asked of it is an error. In spmd it is codistributed.
    methods
        function d = distributed(data, dim)
            % The blocks of a matrix; cells are taken for blocks along a dimension.
            if nargin == 0
                data = [];
            end
            if isa(data, 'distributed')
                d = data;
            elseif iscell(data) && nargin > 1
                d.Blocks = reshape(data, 1, []);
                d.Dim = dim;
                d.Widths = cellfun(@(b) size(b, dim), d.Blocks);
            elseif ~(isnumeric(data) || islogical(data)) || ~ismatrix(data)
                error('parallel:distributed:UnsupportedType', ...
                    'A distributed array is a matrix of numbers or truth values, not a %s of class %s.', ...
                    mat2str(size(data)), class(data));
            else
                dim = 2 - (size(data, 2) == 1);
                d = distributed(parallel.internal.cut(data, dim, widths_of(size(data, dim))), dim);
            end
        end

        function disp(d)
            % Its size, and how it is cut.
            what = {'rows', 'columns'};
            shape = size(d);
            fprintf('  %dx%d distributed %s in %d blocks of %s\n', ...
                shape(1), shape(2), class(d.Blocks{1}), numel(d.Blocks), what{d.Dim});
        end

        function d = subsasgn(d, ~, ~) %#ok<INUSD>
            % Elements are not assigned.
            error('parallel:distributed:NotSupported', ...
                'Distributed arrays do not support an assignment to elements; gather(D) is the matrix.');
        end
    end

    methods (Hidden)
        function out = each(~, fcn, given)
            % On the workers.
            out = cell(1, size(given, 1));
            parfor j = 1:size(given, 1)
                args = given(j, :);
                out{j} = fcn(args{:});
            end
        end

        function parts = everywhere(~, parts)
            % All are here.
        end

        function parts = here(~, parts)
            % All are here.
        end

        function d = remade(~, blocks, dim, ~)
            % An array of blocks.
            d = distributed(blocks, dim);
        end

        function d = from_whole(~, data)
            % The blocks of a matrix.
            d = distributed(data);
        end

        function parts = codistributed_parts(d, count)
            % What each of so many workers has of it in an spmd block.
            w = parallel.internal.widths(size(d, d.Dim), count);
            blocks = parallel.internal.cut(gather(d), d.Dim, w);
            scheme = codistributor1d(d.Dim, w);
            parts = cell(1, count);
            for k = 1:count
                parts{k} = codistributed(blocks(k), scheme, 'block');
            end
        end
    end

    methods (Static)
        function d = zeros(varargin), d = filled(@zeros, varargin); end
        function d = ones(varargin), d = filled(@ones, varargin); end
        function d = rand(varargin), d = filled(@rand, varargin); end
        function d = randn(varargin), d = filled(@randn, varargin); end

        function d = eye(varargin)
            % The unit matrix.
            d = distributed(eye(varargin{:}));
        end
    end
end

function w = widths_of(n)
% How many of n columns or rows each worker has; there is no block without any.
w = parallel.internal.widths(n, max(1, min(gcp().NumWorkers, n)));
end

function d = filled(fcn, options)
% Blocks that the workers make.
[shape, rest] = parallel.internal.asked_size(options);
dim = 2 - (shape(2) == 1);
given = num2cell(reshape(widths_of(shape(dim)), [], 1));
other = shape(3 - dim);
if dim == 2
    made = @(n) fcn(other, n, rest{:});
else
    made = @(n) fcn(n, other, rest{:});
end
d = distributed(each(distributed(), made, given), dim);
end
