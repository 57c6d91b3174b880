classdef decomposition
    % A matrix factored once, to solve with it many times.
    %   dA = decomposition(A); x = dA\b; x = b/dA; dA' and rank(dA), isIllConditioned(dA).
    %   decomposition(A, type): 'auto', 'lu', 'qr', 'chol', 'ldl', 'cod', 'triangular', 'diagonal'.
    %   decomposition(..., 'upper') or 'lower': the triangle that counts. Option: CheckCondition.
    properties (SetAccess = private)
        MatrixSize = [0 0]
        Type = 'lu'
        CheckCondition = true
        Datatype = 'double'
        IsConjugateTransposed = false
        IsReal = true
        IsSparse = false
    end

    properties (Access = private)
        Matrix = []
        Factors = {}
        Condition = 1
        Scale = 1
    end

    methods
        function d = decomposition(A, varargin)
            kinds = {'auto', 'lu', 'qr', 'chol', 'ldl', 'cod', 'triangular', 'diagonal', 'hessenberg', 'banded', 'permutedTriangular'};
            [type, triangle] = deal('auto', '');
            while ~isempty(varargin)
                word = char(varargin{1});
                if any(strcmpi(word, {'CheckCondition', 'RankTolerance', 'BandDensity', 'LUPivotTolerance', 'LDLPivotTolerance'}))
                    if ~strcmpi(word, 'CheckCondition')
                        error('MATLAB:decomposition:unknownOption', '''%s'' is not an option here.', word);
                    end
                    d.CheckCondition = logical(varargin{2});
                    varargin(1:2) = [];
                    continue
                end
                if any(strcmpi(word, {'upper', 'lower'}))
                    triangle = lower(word);
                else
                    type = validatestring(word, kinds, 'decomposition');
                end
                varargin(1) = [];
            end
            if strcmp(triangle, 'upper')
                A = kept(triu(A), type);
            elseif strcmp(triangle, 'lower')
                A = kept(tril(A), type);
            end
            d.Matrix = A;
            d.MatrixSize = size(A);
            [d.Datatype, d.IsReal, d.IsSparse] = deal(class(A), isreal(A), issparse(A));
            d = factored(d, type);
        end

        function x = mldivide(d, b)
            check(d)
            if d.IsConjugateTransposed
                x = backward(d, b);
            else
                x = forward(d, b);
            end
            x = x/d.Scale;
        end

        function x = mrdivide(b, d)
            if isa(b, 'decomposition')
                x = times(b, 1/d);
            else
                x = (d'\b')';
            end
        end

        function d = mtimes(a, b)
            d = times(a, b);
        end

        function d = times(a, b)
            [d, factor] = deal(a, b);
            if ~isa(a, 'decomposition'), [d, factor] = deal(b, a); end
            if ~isnumeric(factor) || ~isscalar(factor)
                error('MATLAB:decomposition:mtimes', 'A decomposition can be multiplied by numbers only.');
            end
            d.Scale = d.Scale*factor;
        end

        function d = uminus(d)
            d.Scale = -d.Scale;
        end

        function d = ctranspose(d)
            d.Scale = conj(d.Scale);
            d.IsConjugateTransposed = ~d.IsConjugateTransposed;
            d.MatrixSize = fliplr(d.MatrixSize);
        end

        function r = rank(d)
            r = rank(full(d.Matrix));
        end

        function r = rcond(d)
            r = d.Condition;
        end

        function tf = isIllConditioned(d)
            tf = d.Condition < eps(ones(1, d.Datatype));
        end
    end

    methods (Access = private)
        function d = factored(d, type)
            A = d.Matrix;
            if strcmp(type, 'auto')
                type = chosen(A);
            end
            switch type
                case 'chol'
                    d.Factors = {chol(A)};
                case 'qr'
                    [Q, R, p] = qr(full(A), 0);
                    d.Factors = {Q, R, p};
                case 'cod'
                    d.Factors = {pinv(full(A))};
                case {'lu', 'ldl', 'hessenberg', 'banded', 'permutedTriangular'}
                    [L, U, p] = lu(full(A), 'vector');
                    d.Factors = {L, U, p};
            end
            d.Type = type;
            if size(A, 1) == size(A, 2)
                d.Condition = rcond(full(A));
            else
                s = svd(full(A));
                d.Condition = min(s)/max(s);
            end
        end

        function check(d)
            if d.CheckCondition && isIllConditioned(d)
                warning('MATLAB:illConditionedMatrix', ['Matrix is close to singular or badly scaled. ' ...
                    'Results may be inaccurate. RCOND = %13.6e.'], d.Condition);
            end
        end

        function x = forward(d, b)
            F = d.Factors;
            switch d.Type
                case 'chol', x = F{1}\(F{1}'\b);
                case 'cod',  x = F{1}*b;
                case 'qr'
                    y = F{2}\(F{1}'*b);
                    x(F{3}, :) = y;
                case {'triangular', 'diagonal'}, x = d.Matrix\b;
                otherwise,   x = F{2}\(F{1}\b(F{3}, :));
            end
        end

        function x = backward(d, b)
            F = d.Factors;
            switch d.Type
                case 'chol', x = F{1}\(F{1}'\b);
                case 'cod',  x = F{1}'*b;
                case 'qr',   x = F{1}*(F{2}'\b(F{3}, :));
                case {'triangular', 'diagonal'}, x = d.Matrix'\b;
                otherwise
                    y = F{1}'\(F{2}'\b);
                    x(F{3}, :) = y;
            end
        end
    end
end

function A = kept(A, type)
% A triangle stands for a symmetric matrix where the factors are symmetric.
if any(strcmp(type, {'chol', 'ldl'}))
    A = A + A' - diag(diag(A));
end
end

function type = chosen(A)
if size(A, 1) ~= size(A, 2)
    type = 'qr';
elseif isdiag(A)
    type = 'diagonal';
elseif istriu(A) || istril(A)
    type = 'triangular';
else
    type = 'lu';
    if ishermitian(A) && all(real(diag(A)) > 0)
        [~, flag] = chol(A);
        if flag == 0
            type = 'chol';
        end
    end
end
end
