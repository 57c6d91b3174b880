classdef codistributed < parallel.internal.Blocked
    % A matrix of which each worker of an spmd block has a part: codistributed(A), codistributed.zeros(m, n).
    %   All workers call the same functions of it. Maths of elements, sum, prod, max, min, any, all, mean,
    %   norms, products and transposes are done part by part; getLocalPart(A) is this worker's, gather(A)
    %   the whole in all. After the block it is distributed; a distributed array is codistributed in one.
    methods
        function d = codistributed(data, scheme, what)
            % The parts of a matrix that all workers have, by columns unless a codistributor says otherwise.
            if nargin == 0, data = []; end
            if nargin < 2, scheme = codistributor1d(); end
            if nargin > 2 && strcmp(what, 'block')
                d.Blocks = data;
                d.Dim = scheme.Dimension;
                d.Widths = scheme.Partition;
            elseif isa(data, 'codistributed')
                d = redistribute(data, scheme);
            elseif ~(isnumeric(data) || islogical(data)) || ~ismatrix(data)
                error('parallel:distributed:UnsupportedType', ...
                    'A codistributed array is a matrix of numbers or truth values, not a %s of class %s.', ...
                    mat2str(size(data)), class(data));
            else
                [d.Dim, d.Widths] = completed(scheme, size(data));
                d.Blocks = here(d, parallel.internal.cut(data, d.Dim, d.Widths));
            end
        end

        function disp(d)
            % Its size, and how it is cut.
            what = {'rows', 'columns'};
            shape = size(d);
            fprintf('  %dx%d codistributed %s, here %d of %s\n', ...
                shape(1), shape(2), class(d.Blocks{1}), d.Widths(spmdIndex), what{d.Dim});
        end

        function v = getLocalPart(d), v = d.Blocks{1}; end
        function tf = iscodistributed(~), tf = true; end

        function c = getCodistributor(d)
            % How it is cut.
            c = codistributor1d(d.Dim, d.Widths, size(d));
        end

        function k = globalIndices(d, dim, varargin)
            % Which columns or rows a worker has, this one unless told.
            k = globalIndices(getCodistributor(d), dim, varargin{:});
        end

        function d = redistribute(d, scheme)
            % The same matrix cut otherwise.
            [dim, w] = completed(scheme, size(d));
            if dim ~= d.Dim || ~isequal(w, d.Widths)
                d = codistributed(gather(d), codistributor1d(dim, w));
            end
        end

        function d = subsasgn(d, s, value)
            % D(...) = value, the same in all workers.
            if ~strcmp(s(1).type, '()')
                error('parallel:distributed:NotSupported', ...
                    'Codistributed arrays do not support indexing with %s.', s(1).type);
            end
            whole = gather(d);
            if isa(value, 'codistributed'), value = gather(value); end
            whole = subsasgn(whole, s, value);
            if isequal(size(whole), size(d))
                d = codistributed(whole, codistributor1d(d.Dim, d.Widths));
            else
                d = codistributed(whole);
            end
        end
    end

    methods (Hidden)
        function out = each(~, fcn, given)
            % Of the block that is here.
            out = {fcn(given{:})};
        end

        function parts = everywhere(~, parts)
            % What all workers have.
            parts = spmdCat(parts);
        end

        function parts = here(~, parts)
            % That of this worker.
            parts = parts(spmdIndex);
        end

        function d = remade(~, blocks, dim, widths)
            % An array of blocks.
            d = codistributed(blocks(1), codistributor1d(dim, widths), 'block');
        end

        function d = from_whole(~, data)
            % The parts of a matrix.
            d = codistributed(data);
        end

        function d = after_block(d, parts)
            % The distributed array of what all workers of an spmd block had.
            d = distributed(cellfun(@(p) p.Blocks{1}, parts, 'UniformOutput', false), d.Dim);
        end
    end

    methods (Static)
        function d = zeros(varargin), d = filled(@zeros, varargin); end
        function d = ones(varargin), d = filled(@ones, varargin); end
        function d = rand(varargin), d = filled(@rand, varargin); end
        function d = randn(varargin), d = filled(@randn, varargin); end
        function d = true(varargin), d = filled(@true, varargin); end
        function d = false(varargin), d = filled(@false, varargin); end

        function d = eye(varargin)
            % The unit matrix.
            d = of_whole(@eye, varargin);
        end

        function d = colon(varargin)
            % A range: codistributed.colon(1, 10).
            d = of_whole(@colon, varargin);
        end

        function d = linspace(varargin)
            % Numbers at equal distances.
            d = of_whole(@linspace, varargin);
        end

        function d = build(part, scheme, varargin)
            % Of the parts that the workers have: codistributed.build(part, codistributor).
            dim = scheme.Dimension;
            if isempty(dim), dim = 2; end
            own = spmdCat(size(part, dim));
            if ~isempty(scheme.Partition) && ~isequal(scheme.Partition, own)
                error('parallel:codistributors:LocalPartSize', ...
                    'The parts of the workers are %s wide, and the codistributor says %s.', ...
                    mat2str(own), mat2str(scheme.Partition));
            end
            d = codistributed({part}, codistributor1d(dim, own), 'block');
        end
    end
end

function [dim, w] = completed(scheme, shape)
% Dimension and partition of an array, by what a codistributor says.
dim = scheme.Dimension;
if isempty(dim), dim = 2 - (shape(2) == 1); end
w = scheme.Partition;
if isempty(w), w = parallel.internal.widths(shape(dim), spmdSize); end
if sum(w) ~= shape(dim) || numel(w) ~= spmdSize
    error('parallel:codistributors:BadPartition', ...
        'The partition %s does not cut an array of size %s for %d workers.', ...
        mat2str(w), mat2str(shape), spmdSize);
end
end

function [scheme, options] = scheme_of(options)
% The codistributor among some options, and the others.
at = cellfun(@(v) isa(v, 'codistributor1d'), options);
scheme = codistributor1d();
if any(at), scheme = options{find(at, 1)}; end
options = options(~at);
end

function d = filled(fcn, options)
% Every worker makes its part.
[scheme, options] = scheme_of(options);
[shape, rest] = parallel.internal.asked_size(options);
[dim, w] = completed(scheme, shape);
shape(dim) = w(spmdIndex);
d = codistributed({fcn(shape, rest{:})}, codistributor1d(dim, w), 'block');
end

function d = of_whole(fcn, options)
% Every worker makes the whole and keeps its part.
[scheme, options] = scheme_of(options);
d = codistributed(fcn(options{:}), scheme);
end
