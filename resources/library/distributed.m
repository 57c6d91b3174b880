classdef distributed
    % A matrix in blocks, one for each worker of the pool: D = distributed(A), distributed.rand(m, n).
    %   Blocks are of columns, or of rows where there is one column. Maths of elements, sum, prod, max,
    %   min, any, all, mean, norms, products and transposes are done block by block by the workers;
    %   gather(D) is the matrix. What else is asked of it is an error.
    properties (Hidden, SetAccess = private)
        Blocks = {};
        Dim = 2;        % blocks lie side by side along it
    end

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
            elseif ~(isnumeric(data) || islogical(data)) || ~ismatrix(data)
                error('parallel:distributed:UnsupportedType', ...
                    'A distributed array is a matrix of numbers or truth values, not a %s of class %s.', ...
                    mat2str(size(data)), class(data));
            else
                d.Dim = 2 - (size(data, 2) == 1);
                d.Blocks = cut(data, d.Dim, widths_of(size(data, d.Dim)));
            end
        end

        function varargout = gather(varargin)
            % The matrices.
            varargout = varargin;
            for k = 1:nargin
                if isa(varargin{k}, 'distributed')
                    varargout{k} = cat(varargin{k}.Dim, varargin{k}.Blocks{:});
                end
            end
        end

        function tf = isdistributed(~)
            % true.
            tf = true;
        end

        function varargout = size(d, varargin)
            % As of the matrix.
            lengths = [0 0];
            lengths(d.Dim) = sum(widths(d));
            lengths(3 - d.Dim) = size(d.Blocks{1}, 3 - d.Dim);
            shape = repmat(false, lengths); %#ok<RPMTF> - an array to ask
            [varargout{1:max(nargout, 1)}] = size(shape, varargin{:});
        end

        function n = numel(d), n = prod(size(d)); end %#ok<PSIZE>
        function n = length(d), n = max(size(d))*all(size(d)); end
        function n = ndims(~), n = 2; end
        function tf = isempty(d), tf = numel(d) == 0; end
        function tf = isscalar(d), tf = numel(d) == 1; end
        function tf = isvector(d), tf = any(size(d) == 1); end
        function tf = isnumeric(d), tf = isnumeric(d.Blocks{1}); end
        function tf = islogical(d), tf = islogical(d.Blocks{1}); end
        function tf = isreal(d), tf = all(cellfun(@isreal, d.Blocks)); end
        function name = classUnderlying(d), name = class(d.Blocks{1}); end
        function name = underlyingType(d), name = class(d.Blocks{1}); end

        function disp(d)
            % Its size, and how it is cut.
            what = {'rows', 'columns'};
            shape = size(d);
            fprintf('  %dx%d distributed %s in %d blocks of %s\n', ...
                shape(1), shape(2), class(d.Blocks{1}), numel(d.Blocks), what{d.Dim});
        end

        function varargout = subsref(d, s)
            % D(...): the part, distributed anew.
            if ~strcmp(s(1).type, '()') || numel(s) > 1
                unsupported(['indexing with ' s(1).type]);
            end
            varargout{1} = distributed(subsref(gather(d), s));
        end

        function d = subsasgn(d, ~, ~)
            % Elements are not assigned.
            unsupported('an assignment to elements');
        end

        function n = end(d, k, count)
            % The last place of a dimension.
            shape = size(d);
            if count == 1
                n = prod(shape);
            else
                n = shape(k);
            end
        end

        % --- joined over the blocks ---

        function r = sum(d, varargin), r = joined(@sum, @plus, d, varargin); end
        function r = prod(d, varargin), r = joined(@prod, @times, d, varargin); end
        function r = any(d, varargin), r = joined(@any, @or, d, varargin); end
        function r = all(d, varargin), r = joined(@all, @and, d, varargin); end

        function r = mean(d, varargin)
            % The sum by the number.
            [dim, flags] = dimension(d, varargin);
            if ~isempty(flags)
                unsupported('mean with options');
            end
            if isequal(dim, 'all')
                n = numel(d);
            else
                n = size(d, dim);
            end
            r = sum(d, dim)./n;
        end

        function r = max(varargin), r = extreme(@max, varargin); end
        function r = min(varargin), r = extreme(@min, varargin); end

        function r = norm(d, p)
            % Of a vector: 1, 2 or Inf; of a matrix: 1, Inf or 'fro'.
            if nargin < 2, p = 2; end
            if isequal(p, 'fro') || (isvector(d) && isequal(p, 2))
                r = sqrt(sum(abs(d).^2, 'all'));
            elseif isvector(d) && isequal(p, 1)
                r = sum(abs(d), 'all');
            elseif isvector(d) && isequal(p, Inf)
                r = max(abs(d), [], 'all');
            elseif isequal(p, 1) || isequal(p, Inf)
                r = max(sum(abs(d), 1 + isequal(p, Inf)));
            else
                unsupported('this norm');
            end
        end

        function r = dot(a, b), r = sum(conj(a).*b); end

        function r = mtimes(a, b)
            % A product by blocks.
            if isscalar(a) || isscalar(b)
                r = times(a, b);
            else
                r = product(a, b);
            end
        end

        function r = mrdivide(a, b)
            % By a number.
            if ~isscalar(b), unsupported('mrdivide by a matrix'); end
            r = rdivide(a, b);
        end

        function r = mldivide(a, b)
            % By a number.
            if ~isscalar(a), unsupported('mldivide by a matrix'); end
            r = ldivide(a, b);
        end

        function r = transpose(d), r = turned(@transpose, d); end
        function r = ctranspose(d), r = turned(@ctranspose, d); end

        % --- element by element ---

        function r = plus(a, b), r = by_blocks(@plus, a, b); end
        function r = minus(a, b), r = by_blocks(@minus, a, b); end
        function r = times(a, b), r = by_blocks(@times, a, b); end
        function r = rdivide(a, b), r = by_blocks(@rdivide, a, b); end
        function r = ldivide(a, b), r = by_blocks(@ldivide, a, b); end
        function r = power(a, b), r = by_blocks(@power, a, b); end
        function r = eq(a, b), r = by_blocks(@eq, a, b); end
        function r = ne(a, b), r = by_blocks(@ne, a, b); end
        function r = lt(a, b), r = by_blocks(@lt, a, b); end
        function r = le(a, b), r = by_blocks(@le, a, b); end
        function r = gt(a, b), r = by_blocks(@gt, a, b); end
        function r = ge(a, b), r = by_blocks(@ge, a, b); end
        function r = and(a, b), r = by_blocks(@and, a, b); end
        function r = or(a, b), r = by_blocks(@or, a, b); end
        function r = xor(a, b), r = by_blocks(@xor, a, b); end
        function r = atan2(a, b), r = by_blocks(@atan2, a, b); end
        function r = mod(a, b), r = by_blocks(@mod, a, b); end
        function r = rem(a, b), r = by_blocks(@rem, a, b); end
        function r = hypot(a, b), r = by_blocks(@hypot, a, b); end
        function r = uminus(a), r = by_blocks(@uminus, a); end
        function r = uplus(a), r = by_blocks(@uplus, a); end
        function r = not(a), r = by_blocks(@not, a); end
        function r = abs(a), r = by_blocks(@abs, a); end
        function r = sign(a), r = by_blocks(@sign, a); end
        function r = sqrt(a), r = by_blocks(@sqrt, a); end
        function r = exp(a), r = by_blocks(@exp, a); end
        function r = log(a), r = by_blocks(@log, a); end
        function r = log2(a), r = by_blocks(@log2, a); end
        function r = log10(a), r = by_blocks(@log10, a); end
        function r = log1p(a), r = by_blocks(@log1p, a); end
        function r = expm1(a), r = by_blocks(@expm1, a); end
        function r = sin(a), r = by_blocks(@sin, a); end
        function r = cos(a), r = by_blocks(@cos, a); end
        function r = tan(a), r = by_blocks(@tan, a); end
        function r = asin(a), r = by_blocks(@asin, a); end
        function r = acos(a), r = by_blocks(@acos, a); end
        function r = atan(a), r = by_blocks(@atan, a); end
        function r = sinh(a), r = by_blocks(@sinh, a); end
        function r = cosh(a), r = by_blocks(@cosh, a); end
        function r = tanh(a), r = by_blocks(@tanh, a); end
        function r = floor(a), r = by_blocks(@floor, a); end
        function r = ceil(a), r = by_blocks(@ceil, a); end
        function r = round(a), r = by_blocks(@round, a); end
        function r = fix(a), r = by_blocks(@fix, a); end
        function r = isnan(a), r = by_blocks(@isnan, a); end
        function r = isinf(a), r = by_blocks(@isinf, a); end
        function r = isfinite(a), r = by_blocks(@isfinite, a); end
        function r = real(a), r = by_blocks(@real, a); end
        function r = imag(a), r = by_blocks(@imag, a); end
        function r = conj(a), r = by_blocks(@conj, a); end
        function r = double(a), r = by_blocks(@double, a); end
        function r = single(a), r = by_blocks(@single, a); end
        function r = logical(a), r = by_blocks(@logical, a); end
        function r = int8(a), r = by_blocks(@int8, a); end
        function r = int16(a), r = by_blocks(@int16, a); end
        function r = int32(a), r = by_blocks(@int32, a); end
        function r = int64(a), r = by_blocks(@int64, a); end
        function r = uint8(a), r = by_blocks(@uint8, a); end
        function r = uint16(a), r = by_blocks(@uint16, a); end
        function r = uint32(a), r = by_blocks(@uint32, a); end
        function r = uint64(a), r = by_blocks(@uint64, a); end

        % --- what is done to whole matrices only ---

        function r = sort(varargin), unsupported('sort'); end %#ok<STOUT>
        function r = sortrows(varargin), unsupported('sortrows'); end %#ok<STOUT>
        function r = unique(varargin), unsupported('unique'); end %#ok<STOUT>
        function r = cumsum(varargin), unsupported('cumsum'); end %#ok<STOUT>
        function r = cumprod(varargin), unsupported('cumprod'); end %#ok<STOUT>
        function r = median(varargin), unsupported('median'); end %#ok<STOUT>
        function r = mode(varargin), unsupported('mode'); end %#ok<STOUT>
        function r = var(varargin), unsupported('var'); end %#ok<STOUT>
        function r = std(varargin), unsupported('std'); end %#ok<STOUT>
        function r = svd(varargin), unsupported('svd'); end %#ok<STOUT>
        function r = eig(varargin), unsupported('eig'); end %#ok<STOUT>
        function r = inv(varargin), unsupported('inv'); end %#ok<STOUT>
        function r = det(varargin), unsupported('det'); end %#ok<STOUT>
        function r = lu(varargin), unsupported('lu'); end %#ok<STOUT>
        function r = qr(varargin), unsupported('qr'); end %#ok<STOUT>
        function r = chol(varargin), unsupported('chol'); end %#ok<STOUT>
        function r = mpower(varargin), unsupported('mpower'); end %#ok<STOUT>
        function r = horzcat(varargin), unsupported('horzcat'); end %#ok<STOUT>
        function r = vertcat(varargin), unsupported('vertcat'); end %#ok<STOUT>
        function r = reshape(varargin), unsupported('reshape'); end %#ok<STOUT>
        function r = repmat(varargin), unsupported('repmat'); end %#ok<STOUT>
        function r = find(varargin), unsupported('find'); end %#ok<STOUT>
        function r = diag(varargin), unsupported('diag'); end %#ok<STOUT>
        function r = fft(varargin), unsupported('fft'); end %#ok<STOUT>
        function r = conv(varargin), unsupported('conv'); end %#ok<STOUT>
        function r = kron(varargin), unsupported('kron'); end %#ok<STOUT>
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

function unsupported(what)
% What a distributed array cannot do.
error('parallel:distributed:NotSupported', ...
    'Distributed arrays do not support %s; gather(D) is the matrix.', what);
end

function w = widths_of(n)
% How many columns or rows each worker has.
pool = gcp;
k = max(1, min(pool.NumWorkers, n));
w = repmat(floor(n/k), 1, k);
w(1:mod(n, k)) = w(1:mod(n, k)) + 1;
end

function w = widths(d)
% How wide the blocks are.
w = cellfun(@(b) size(b, d.Dim), d.Blocks);
end

function parts = cut(v, dim, w)
% A matrix in blocks of these widths.
parts = cell(1, numel(w));
last = cumsum(w);
for k = 1:numel(w)
    if dim == 2
        parts{k} = v(:, last(k) - w(k) + 1:last(k));
    else
        parts{k} = v(last(k) - w(k) + 1:last(k), :);
    end
end
end

function out = each(fcn, given)
% The function of the blocks in every row of a cell, on the workers.
out = cell(1, size(given, 1));
parfor j = 1:size(given, 1)
    args = given(j, :);
    out{j} = fcn(args{:});
end
end

function r = by_blocks(fcn, varargin)
% A function of elements; sizes expand as they do for matrices.
shape = [1 1];
for k = 1:numel(varargin)
    own = size(varargin{k});
    if numel(own) > 2, unsupported('arrays of more than two dimensions'); end
    if any(own ~= shape & own ~= 1 & shape ~= 1)
        error('MATLAB:sizeDimensionsMustMatch', ...
            'Arrays have incompatible sizes for this operation.');
    end
    shape(own ~= 1) = own(own ~= 1);
end
like = [];
for k = 1:numel(varargin)
    v = varargin{k};
    if isnumeric(like) && isa(v, 'distributed') && size(v, v.Dim) == shape(v.Dim)
        like = v;
    end
end
if isnumeric(like)
    like = distributed(repmat(false, shape)); %#ok<RPMTF> - only how it is cut
end
given = cell(numel(like.Blocks), numel(varargin));
for k = 1:numel(varargin)
    given(:, k) = blocks_like(varargin{k}, like.Dim, widths(like));
end
r = distributed(each(fcn, given), like.Dim);
end

function parts = blocks_like(v, dim, w)
% A value in blocks of these widths; what has no length along the dimension is there for each.
if isa(v, 'distributed')
    if v.Dim == dim && isequal(widths(v), w)
        parts = reshape(v.Blocks, [], 1);
        return
    end
    v = gather(v);
end
if size(v, dim) == 1 && sum(w) ~= 1
    parts = repmat({v}, numel(w), 1);
else
    parts = reshape(cut(v, dim, w), [], 1);
end
end

function [dim, flags] = dimension(d, options)
% The dimension that is joined, and flags.
shape = size(d);
dim = 1 + (shape(1) == 1);
flags = {};
for k = 1:numel(options)
    if isequal(options{k}, 'all')
        dim = 'all';
    elseif ischar(options{k}) || isstring(options{k})
        flags{end + 1} = options{k}; %#ok<AGROW>
    else
        dim = options{k};
    end
end
if ~isequal(dim, 'all') && ~(isscalar(dim) && any(dim == [1 2]))
    unsupported('other dimensions than 1 and 2');
end
end

function r = joined(fcn, join, d, options)
% Blocks are reduced by the workers, and joined here where that is along the blocks.
[dim, flags] = dimension(d, options);
r = reduced(@(v, n) fcn(v, n, flags{:}), join, d, dim);
end

function r = reduced(of_block, join, d, dim)
% The blocks reduced along a dimension, or along both.
if isequal(dim, 'all')
    parts = each(@(v) of_block(of_block(v, 1), 2), reshape(d.Blocks, [], 1));
else
    parts = each(@(v) of_block(v, dim), reshape(d.Blocks, [], 1));
    if dim ~= d.Dim
        r = distributed(parts, d.Dim);
        return
    end
end
r = parts{1};
for k = 2:numel(parts)
    r = join(r, parts{k});
end
r = distributed(r);
end

function r = extreme(fcn, given)
% Of pairs, or over a dimension.
if numel(given) == 2
    r = by_blocks(fcn, given{:});
    return
end
[dim, flags] = dimension(given{1}, given(3:end));
r = reduced(@(v, n) fcn(v, [], n, flags{:}), fcn, given{1}, dim);
end

function r = turned(fcn, d)
% Blocks of columns become blocks of rows.
r = distributed(each(fcn, reshape(d.Blocks, [], 1)), 3 - d.Dim);
end

function r = product(a, b)
% Columns of b, or rows of a, are each for itself; blocks along what is summed are joined.
if size(a, 2) ~= size(b, 1)
    error('MATLAB:innerdim', ['Incorrect dimensions for matrix multiplication. Check that the ' ...
        'number of columns in the first matrix matches the number of rows in the second matrix.']);
end
if isa(b, 'distributed') && b.Dim == 2
    left = gather(a);
    r = distributed(each(@(v) left*v, reshape(b.Blocks, [], 1)), 2);
elseif isa(a, 'distributed') && a.Dim == 1
    right = gather(b);
    r = distributed(each(@(v) v*right, reshape(a.Blocks, [], 1)), 1);
else
    if isa(a, 'distributed')
        w = widths(a);
    else
        w = widths(b);
    end
    parts = each(@(p, q) p*q, [blocks_like(a, 2, w), blocks_like(b, 1, w)]);
    r = parts{1};
    for k = 2:numel(parts)
        r = r + parts{k};
    end
    r = distributed(r);
end
end

function d = filled(fcn, options)
% Blocks that the workers make.
count = nnz(cumprod([cellfun(@isnumeric, options), 0]));
shape = [options{1:count}];
rest = options(count + 1:end);
if isempty(shape), shape = 1; end
if isscalar(shape), shape = [shape shape]; end
if numel(shape) > 2, unsupported('arrays of more than two dimensions'); end
dim = 2 - (shape(2) == 1);
given = num2cell(reshape(widths_of(shape(dim)), [], 1));
other = shape(3 - dim);
if dim == 2
    d = distributed(each(@(n) fcn(other, n, rest{:}), given), 2);
else
    d = distributed(each(@(n) fcn(n, other, rest{:}), given), 1);
end
end
