classdef OptimizationVariable < OptimizationExpression
    % An unknown of an optimization problem, made by optimvar.
    properties
        Type = 'continuous';
        LowerBound = -Inf;
        UpperBound = Inf;
    end

    properties (SetAccess = private)
        Name = '';
        IndexNames = {{}, {}};
    end

    methods
        function x = OptimizationVariable(name, extent, indexNames)
            % OptimizationVariable(name, extent, indexNames): called by optimvar.
            if nargin == 0, return, end
            [x.Name, x.Extent, x.IndexNames, x.Degree] = deal(name, extent, indexNames, 1);
            x.Value = @(v) reshape(v.(name), extent);
            x.Owners = struct(name, x);
            [x.LowerBound, x.UpperBound] = deal(-Inf(extent), Inf(extent));
        end

        function set.Type(x, type)
            x.Type = validatestring(type, {'continuous', 'integer'}, 'optimvar', 'Type');
        end

        function set.LowerBound(x, bound)
            x.LowerBound = bound + zeros(x.Extent);
        end

        function set.UpperBound(x, bound)
            x.UpperBound = bound + zeros(x.Extent);
        end
    end

    methods (Hidden)
        function places = placesOf(x, places)
            % Names of places as their numbers.
            for k = 1:numel(places)
                if (ischar(places{k}) && ~strcmp(places{k}, ':')) || isstring(places{k}) || iscell(places{k})
                    known = x.IndexNames{min(k, numel(x.IndexNames))};
                    if isscalar(places), known = [x.IndexNames{:}]; end
                    [found, at] = ismember(cellstr(places{k}), known);
                    if ~all(found), error('optim_problemdef:OptimizationVariable:unknownName', 'The variable has no place of that name.'); end
                    places{k} = at;
                end
            end
        end
    end
end
