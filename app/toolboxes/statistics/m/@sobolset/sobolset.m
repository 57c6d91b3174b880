classdef sobolset
    % p = sobolset(d, 'Skip', s, 'Leap', l, 'PointOrder', order): the points of Sobol in d dimensions (up to 1111), for net(p, n), p(i, j) and scramble(p, 'MatousekAffineOwen').
    %   Orders are 'standard' and 'graycode'. The numbers of directions are those of Joe and Kuo (2008).
    properties
        Skip = 0
        Leap = 0
        PointOrder = 'standard'
    end

    properties (SetAccess = private)
        Dimensions = 1
        Type = 'Sobol'
        ScrambleMethod = struct('Type', {}, 'Options', {})
    end

    properties (Access = private)
        Lower = []
        Shift = []
    end

    methods
        function p = sobolset(d, varargin)
            if nargin == 0, return, end
            if isa(d, 'sobolset')
                p = d;
            elseif isnumeric(d) && isscalar(d) && d >= 1 && d <= 1111 && d == floor(d)
                p.Dimensions = double(d);
            else
                error('stats:qrandset:BadDimensions', 'The number of dimensions must be an integer from 1 to 1111.');
            end
            if mod(numel(varargin), 2), error('stats:sobolset:Options', 'Options are pairs of names and values.'); end
            for k = 1:2:numel(varargin)
                switch lower(char(varargin{k}))
                    case 'skip', p.Skip = varargin{k + 1};
                    case 'leap', p.Leap = varargin{k + 1};
                    case 'pointorder', p.PointOrder = varargin{k + 1};
                    otherwise, error('stats:sobolset:Options', '''%s'' is no option of sobolset; Skip, Leap and PointOrder are.', char(varargin{k}));
                end
            end
        end

        function p = set.Skip(p, s)
            p.Skip = whole('Skip', s);
        end

        function p = set.Leap(p, l)
            p.Leap = whole('Leap', l);
        end

        function p = set.PointOrder(p, order)
            p.PointOrder = validatestring(order, {'standard', 'graycode'});
        end

        function p = scramble(p, method)
            % p = scramble(p, 'MatousekAffineOwen'): digits summed and shifted at random; scramble(p) draws anew, scramble(p, 'clear') undoes it.
            if nargin < 2
                if isempty(p.ScrambleMethod), return, end
                method = p.ScrambleMethod.Type;
            end
            if strcmpi(method, 'MatousekAffineOwen')
                p.ScrambleMethod = struct('Type', 'MatousekAffineOwen', 'Options', {{}});
                p.Lower = tril(ones(53), -1) .* (rand(53, 53, p.Dimensions) < .5) + eye(53);
                p.Shift = rand(p.Dimensions, 53) < .5;
            elseif strcmpi(method, 'clear')
                p.ScrambleMethod = struct('Type', {}, 'Options', {});
                [p.Lower, p.Shift] = deal([]);
            else
                error('stats:sobolset:ScrambleMethod', 'Points of Sobol are scrambled by ''MatousekAffineOwen''.');
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

        function n = ndims(p) %#ok<MANU>
            n = 2;
        end

        function disp(p)
            % Show the settings.
            method = 'none';
            if ~isempty(p.ScrambleMethod), method = p.ScrambleMethod.Type; end
            fprintf('Sobol point set in %d dimensions (%.0f points)\n\nProperties:\n', p.Dimensions, length(p));
            fprintf('              Skip : %d\n              Leap : %d\n    ScrambleMethod : %s\n        PointOrder : %s\n', p.Skip, p.Leap, method, p.PointOrder);
        end
    end

    methods (Access = private)
        function X = points(p, i)
            number = p.Skip + (i - 1)*(p.Leap + 1);
            X = matlab.internal.sobolpoints(number, p.Dimensions, strcmp(p.PointOrder, 'graycode'), p.Lower, p.Shift);
        end
    end
end

function n = whole(name, n)
if ~(isnumeric(n) && isscalar(n) && n >= 0 && n == floor(n))
    error('stats:qrandset:BadOption', '%s must be a nonnegative integer.', name);
end
n = double(n);
end
