classdef ValueIterator < handle
    % The values of one key, one by one: while hasnext(it), v = getnext(it); end
    properties (SetAccess = private)
        Key = [];
    end

    properties (Access = private)
        Values = {};
        Next = 1;
    end

    methods
        function it = ValueIterator(key, values)
            % Of these values.
            it.Key = key;
            it.Values = values;
        end

        function tf = hasnext(it)
            % Whether there is another value.
            tf = it.Next <= numel(it.Values);
        end

        function value = getnext(it)
            % The next value.
            if ~hasnext(it)
                error('MATLAB:mapreduce:valueiterator:noNextValue', 'There are no more values.');
            end
            value = it.Values{it.Next};
            it.Next = it.Next + 1;
        end
    end
end
