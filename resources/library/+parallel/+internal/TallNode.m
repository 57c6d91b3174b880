classdef TallNode < handle
    % A step of what a tall array stands for: data, a value, what is done to parts, or over all.
    properties
        Kind = 'value';     % source, value, map (part by part) or over (all parts)
        Value = [];         % of a value; the datastore of a source
        Fcn = [];           % of a map: function of the arguments' parts
        Args = {};          % nodes
        Variable = '';      % of a map: the variable of a table that it gives
        Step = [];          % over all: state = Step(state, part, ...): a row of cells, [] at first
        Keeps = false;      % over all: the state only collects parts
        Final = [];         % over all: result = Final(state)
        At = 0;             % place among the steps that are evaluated
    end

    methods
        function node = TallNode(kind)
            % A step of this kind.
            node.Kind = kind;
        end
    end
end
