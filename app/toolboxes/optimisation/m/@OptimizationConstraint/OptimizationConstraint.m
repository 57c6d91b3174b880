classdef OptimizationConstraint
    % Relations between expressions, made by <=, >= and ==: each of the numbers of Expression is at most 0, or is 0.
    properties (SetAccess = private, Hidden)
        Parts = {};
        Relations = {};
    end

    methods
        function c = OptimizationConstraint(expression, relation)
            % OptimizationConstraint(expression, relation): called by operators and optimconstr.
            if nargin == 0, return, end
            [c.Parts, c.Relations] = deal({expression}, {relation});
        end

        function v = infeasibility(c, values)
            % How far each of the relations is from holding for a struct of values.
            v = [];
            for k = 1:numel(c.Parts)
                if isempty(c.Parts{k}), continue, end
                x = evaluate(c.Parts{k}, values);
                if strcmp(c.Relations{k}, '=='), x = abs(x); else, x = max(x, 0); end
                if isscalar(c.Parts), v = x; else, v = [v; x(:)]; end %#ok<AGROW>
            end
        end

        function show(c)
            % The relations in words of the variables.
            lines = textOf(c);
            for k = 1:numel(lines), fprintf('\n    %s\n', lines{k}); end
            fprintf('\n');
        end

        function c = vertcat(varargin)
            % [c1; c2]: the relations of all of them.
            c = OptimizationConstraint();
            for k = 1:nargin
                if isnumeric(varargin{k}) && isempty(varargin{k}), continue, end
                if ~isa(varargin{k}, 'OptimizationConstraint')
                    error('optim_problemdef:OptimizationConstraint:concatenation', 'Constraints stand beside constraints only.');
                end
                c.Parts = [c.Parts varargin{k}.Parts];
                c.Relations = [c.Relations varargin{k}.Relations];
            end
            c.Keys = repmat({''}, size(c.Parts));
        end

        function c = horzcat(varargin)
            % [c1, c2]: the relations of all of them.
            c = vertcat(varargin{:});
        end

        function c = subsasgn(c, steps, value)
            % c(k) = relation.
            if ~strcmp(steps(1).type, '()') || ~isa(value, 'OptimizationConstraint') || numel(value.Parts) ~= 1
                error('optim_problemdef:OptimizationConstraint:assignment', 'Parts of constraints are relations: c(k) = x <= 1.');
            end
            at = steps(1).subs;
            if isa(c, 'double'), c = OptimizationConstraint(); end
            key = strjoin(cellfun(@(p) sprintf('%d,', p), at, 'UniformOutput', false), ';');
            place = find(strcmp(c.keys(), key));
            if isempty(place), place = numel(c.Parts) + 1; end
            c.Parts{place} = value.Parts{1};
            c.Relations{place} = value.Relations{1};
            c.Keys{place} = key;
        end
    end

    properties (SetAccess = private, Hidden)
        Keys = {};
    end

    methods (Hidden)
        function lines = textOf(c)
            % One text for each relation.
            lines = {};
            for k = 1:numel(c.Parts)
                if isempty(c.Parts{k}), continue, end
                if isnumeric(c.Parts{k}), continue, end
                [left, right] = textOf(c.Parts{k});
                for j = 1:numel(left), lines{end + 1, 1} = sprintf('%s %s %.15g', left{j}, c.Relations{k}, right(j)); end %#ok<AGROW>
            end
        end

        function k = keys(c)
            k = c.Keys;
        end
    end
end
