classdef haltonset
    % p = haltonset(d, 'Skip', s, 'Leap', l): the points of Halton in d dimensions, for net(p, n), p(i, j) and scramble(p, 'RR2').
    properties
        Skip = 0
        Leap = 0
    end

    properties (SetAccess = private)
        Dimensions = 1
        Type = 'Halton'
        ScrambleMethod = ''
    end

    methods
        function p = haltonset(d, varargin)
            if nargin == 0, return, end
            if isa(d, 'haltonset')
                p = d;
            elseif isnumeric(d) && isscalar(d) && d >= 1 && d == floor(d)
                p.Dimensions = double(d);
            else
                error('stats:qrandset:BadDimensions', 'The number of dimensions must be a positive integer.');
            end
            if mod(numel(varargin), 2), error('stats:haltonset:Options', 'Options are pairs of names and values.'); end
            for k = 1:2:numel(varargin)
                switch lower(char(varargin{k}))
                    case 'skip', p.Skip = varargin{k + 1};
                    case 'leap', p.Leap = varargin{k + 1};
                    otherwise, error('stats:haltonset:Options', '''%s'' is no option of haltonset; Skip and Leap are.', char(varargin{k}));
                end
            end
        end

        function p = set.Skip(p, s)
            p.Skip = whole('Skip', s);
        end

        function p = set.Leap(p, l)
            p.Leap = whole('Leap', l);
        end

        function p = scramble(p, method)
            % p = scramble(p, 'RR2'): digits permuted in the order of their reversed bits; scramble(p, 'clear') undoes it.
            if strcmpi(method, 'RR2')
                p.ScrambleMethod = 'RR2';
            elseif strcmpi(method, 'clear')
                p.ScrambleMethod = '';
            else
                error('stats:haltonset:ScrambleMethod', 'Points of Halton are scrambled by ''RR2''.');
            end
        end

        function X = net(p, n)
            % X = net(p, n): the first n points, one a row.
            X = points(p, (1:n)');
        end

        function varargout = subsref(p, s)
            % p(i, j): coordinates j of points i.
            if ~strcmp(s(1).type, '()')
                [varargout{1:max(nargout, 1)}] = builtin('subsref', p, s);
                return
            end
            if numel(s(1).subs) ~= 2
                error('stats:qrandset:Index', 'Points are indexed by two subscripts: p(points, dimensions).');
            end
            [i, j] = s(1).subs{:};
            if ischar(i), error('stats:qrandset:Index', 'There are points without an end: say which ones.'); end
            if islogical(i), i = find(i); end
            X = points(p, i(:));
            X = X(:, j);
            if numel(s) > 1, X = subsref(X, s(2:end)); end
            varargout = {X};
        end

        function n = length(p)
            % How many points there are: their numbers end at 2^53.
            n = floor((2^53 - 1 - p.Skip)/(p.Leap + 1)) + 1;
        end

        function disp(p)
            % Show the settings.
            method = p.ScrambleMethod;
            if isempty(method), method = 'none'; end
            fprintf('Halton point set in %d dimensions (%.0f points)\n\nProperties:\n', p.Dimensions, length(p));
            fprintf('              Skip : %d\n              Leap : %d\n    ScrambleMethod : %s\n', p.Skip, p.Leap, method);
        end

        function n = ndims(p)
            n = 2;
        end
    end

    methods (Access = private)
        function X = points(p, i)
            bases = primes(max(20, ceil(2*p.Dimensions*log(p.Dimensions + 2))));
            number = p.Skip + (i - 1)*(p.Leap + 1);
            X = zeros(numel(i), p.Dimensions);
            for d = 1:p.Dimensions
                b = bases(d);
                order = 0:b - 1;
                if ~isempty(p.ScrambleMethod)
                    bits = ceil(log2(b));
                    order = bin2dec(fliplr(dec2bin(0:2^bits - 1, bits)))';
                    order = order(order < b);
                end
                [left, share] = deal(number, 1/b);
                while any(left)
                    X(:, d) = X(:, d) + reshape(order(mod(left, b) + 1), [], 1)*share;
                    left = floor(left/b);
                    share = share/b;
                end
            end
        end
    end
end

function n = whole(name, n)
if ~(isnumeric(n) && isscalar(n) && n >= 0 && n == floor(n))
    error('stats:qrandset:BadOption', '%s must be a nonnegative integer.', name);
end
n = double(n);
end
