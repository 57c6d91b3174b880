classdef Blocked
    % A matrix in blocks of columns or rows, of which this process has some: distributed has all of them,
    % codistributed the one of its worker. What both can do is here; they say how blocks are made and met.
    properties (Hidden, SetAccess = protected)
        Blocks = {};    % those that are here
        Dim = 2;        % blocks lie side by side along it
        Widths = [];    % of all blocks
    end

    methods (Abstract, Hidden)
        out = each(d, fcn, given)           % the function of the blocks in every row of a cell
        parts = everywhere(d, parts)        % what every block gave, of the parts that are here
        d = remade(d, blocks, dim, widths)  % an array of the same class, of blocks
        d = from_whole(d, data)             % an array of the same class, of a matrix
        parts = here(d, parts)              % of parts for all blocks those that are here
    end

    methods
        function varargout = gather(varargin)
            % The matrices.
            varargout = varargin;
            for k = 1:nargin
                if isa(varargin{k}, 'parallel.internal.Blocked')
                    v = varargin{k};
                    parts = everywhere(v, v.Blocks);
                    varargout{k} = cat(v.Dim, parts{:});
                end
            end
        end

        function varargout = size(d, varargin)
            % As of the matrix.
            lengths = [0 0];
            lengths(d.Dim) = sum(d.Widths);
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
        function tf = isreal(d), tf = all(cellfun(@isreal, everywhere(d, d.Blocks))); end
        function name = classUnderlying(d), name = class(d.Blocks{1}); end
        function name = underlyingType(d), name = class(d.Blocks{1}); end
        function tf = isdistributed(~), tf = true; end

        function varargout = subsref(d, s)
            % D(...): the part, cut anew.
            if ~strcmp(s(1).type, '()') || numel(s) > 1
                unsupported(d, ['indexing with ' s(1).type]);
            end
            varargout{1} = from_whole(d, subsref(gather(d), s));
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
                unsupported(d, 'mean with options');
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
                unsupported(d, 'this norm');
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
            if ~isscalar(b), unsupported(a, 'mrdivide by a matrix'); end
            r = rdivide(a, b);
        end

        function r = mldivide(a, b)
            % By a number.
            if ~isscalar(a), unsupported(b, 'mldivide by a matrix'); end
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

        function r = sort(d, varargin), unsupported(d, 'sort'); end %#ok<STOUT>
        function r = sortrows(d, varargin), unsupported(d, 'sortrows'); end %#ok<STOUT>
        function r = unique(d, varargin), unsupported(d, 'unique'); end %#ok<STOUT>
        function r = cumsum(d, varargin), unsupported(d, 'cumsum'); end %#ok<STOUT>
        function r = cumprod(d, varargin), unsupported(d, 'cumprod'); end %#ok<STOUT>
        function r = median(d, varargin), unsupported(d, 'median'); end %#ok<STOUT>
        function r = mode(d, varargin), unsupported(d, 'mode'); end %#ok<STOUT>
        function r = var(d, varargin), unsupported(d, 'var'); end %#ok<STOUT>
        function r = std(d, varargin), unsupported(d, 'std'); end %#ok<STOUT>
        function r = svd(d, varargin), unsupported(d, 'svd'); end %#ok<STOUT>
        function r = eig(d, varargin), unsupported(d, 'eig'); end %#ok<STOUT>
        function r = inv(d, varargin), unsupported(d, 'inv'); end %#ok<STOUT>
        function r = det(d, varargin), unsupported(d, 'det'); end %#ok<STOUT>
        function r = lu(d, varargin), unsupported(d, 'lu'); end %#ok<STOUT>
        function r = qr(d, varargin), unsupported(d, 'qr'); end %#ok<STOUT>
        function r = chol(d, varargin), unsupported(d, 'chol'); end %#ok<STOUT>
        function r = mpower(d, varargin), unsupported(d, 'mpower'); end %#ok<STOUT>
        function r = horzcat(d, varargin), unsupported(d, 'horzcat'); end %#ok<STOUT>
        function r = vertcat(d, varargin), unsupported(d, 'vertcat'); end %#ok<STOUT>
        function r = reshape(d, varargin), unsupported(d, 'reshape'); end %#ok<STOUT>
        function r = repmat(d, varargin), unsupported(d, 'repmat'); end %#ok<STOUT>
        function r = find(d, varargin), unsupported(d, 'find'); end %#ok<STOUT>
        function r = diag(d, varargin), unsupported(d, 'diag'); end %#ok<STOUT>
        function r = fft(d, varargin), unsupported(d, 'fft'); end %#ok<STOUT>
        function r = conv(d, varargin), unsupported(d, 'conv'); end %#ok<STOUT>
        function r = kron(d, varargin), unsupported(d, 'kron'); end %#ok<STOUT>
    end
end

function unsupported(d, what)
% What an array in blocks cannot do.
name = 'distributed';
if isa(d, 'codistributed'), name = 'codistributed'; end
error('parallel:distributed:NotSupported', ...
    '%s arrays do not support %s; gather(D) is the matrix.', [upper(name(1)) name(2:end)], what);
end

function d = blocked_of(args)
% The first of some values that is an array in blocks.
d = args{find(cellfun(@(v) isa(v, 'parallel.internal.Blocked'), args), 1)};
end

function r = by_blocks(fcn, varargin)
% A function of elements; sizes expand as they do for matrices.
first = blocked_of(varargin);
shape = [1 1];
for k = 1:numel(varargin)
    own = size(varargin{k});
    if numel(own) > 2, unsupported(first, 'arrays of more than two dimensions'); end
    if any(own ~= shape & own ~= 1 & shape ~= 1)
        error('MATLAB:sizeDimensionsMustMatch', ...
            'Arrays have incompatible sizes for this operation.');
    end
    shape(own ~= 1) = own(own ~= 1);
end
like = [];
for k = 1:numel(varargin)
    v = varargin{k};
    if isnumeric(like) && isa(v, 'parallel.internal.Blocked') && size(v, v.Dim) == shape(v.Dim)
        like = v;
    end
end
if isnumeric(like)
    like = from_whole(first, repmat(false, shape)); %#ok<RPMTF> - only how it is cut
end
given = cell(numel(like.Blocks), numel(varargin));
for k = 1:numel(varargin)
    given(:, k) = blocks_like(varargin{k}, like);
end
r = remade(like, each(like, fcn, given), like.Dim, like.Widths);
end

function parts = blocks_like(v, like)
% A value in the blocks of another one.
parts = blocks_of(v, like, like.Dim, like.Widths);
end

function parts = blocks_of(v, like, dim, w)
% A value in blocks of these widths; what has no length along the dimension is there for each.
if isa(v, 'parallel.internal.Blocked')
    if v.Dim == dim && isequal(v.Widths, w)
        parts = reshape(v.Blocks, [], 1);
        return
    end
    v = gather(v);
end
if size(v, dim) == 1 && sum(w) ~= 1
    parts = repmat({v}, numel(w), 1);
else
    parts = reshape(parallel.internal.cut(v, dim, w), [], 1);
end
parts = reshape(here(like, parts), [], 1);
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
    unsupported(d, 'other dimensions than 1 and 2');
end
end

function r = joined(fcn, join, d, options)
% Blocks are reduced each for itself, and joined where that is along the blocks.
[dim, flags] = dimension(d, options);
r = reduced(@(v, n) fcn(v, n, flags{:}), join, d, dim);
end

function r = reduced(of_block, join, d, dim)
% The blocks reduced along a dimension, or along both.
if isequal(dim, 'all')
    parts = each(d, @(v) of_block(of_block(v, 1), 2), reshape(d.Blocks, [], 1));
else
    parts = each(d, @(v) of_block(v, dim), reshape(d.Blocks, [], 1));
    if dim ~= d.Dim
        r = remade(d, parts, d.Dim, d.Widths);
        return
    end
end
r = from_whole(d, folded(join, d, parts));
end

function r = folded(join, d, parts)
% What all blocks gave, joined in their order; empty blocks give nothing where others are not.
parts = everywhere(d, parts);
if any(d.Widths), parts = parts(d.Widths > 0); end
r = parts{1};
for k = 2:numel(parts)
    r = join(r, parts{k});
end
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
r = remade(d, each(d, fcn, reshape(d.Blocks, [], 1)), 3 - d.Dim, d.Widths);
end

function r = product(a, b)
% Columns of b, or rows of a, are each for itself; blocks along what is summed are joined.
if size(a, 2) ~= size(b, 1)
    error('MATLAB:innerdim', ['Incorrect dimensions for matrix multiplication. Check that the ' ...
        'number of columns in the first matrix matches the number of rows in the second matrix.']);
end
d = blocked_of({a, b});
if isa(b, 'parallel.internal.Blocked') && b.Dim == 2
    left = gather(a);
    r = remade(d, each(d, @(v) left*v, reshape(b.Blocks, [], 1)), 2, b.Widths);
elseif isa(a, 'parallel.internal.Blocked') && a.Dim == 1
    right = gather(b);
    r = remade(d, each(d, @(v) v*right, reshape(a.Blocks, [], 1)), 1, a.Widths);
else
    given = [blocks_of(a, d, 2, d.Widths), blocks_of(b, d, 1, d.Widths)];
    r = from_whole(d, folded(@plus, d, each(d, @mtimes, given)));
end
end
