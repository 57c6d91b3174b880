classdef (Abstract) SubsettableDatastore < matlab.mixin.Copyable
    % Datastores of things that can be read by themselves: slices of arrays, files, pictures.
    methods (Abstract)
        other = subset(ds, which)
        n = numobservations(ds)
    end

    methods
        function other = shuffle(ds)
            % The same things in a random order.
            other = subset(ds, randperm(numobservations(ds)));
        end

        function n = numpartitions(ds)
            % How many parts make sense.
            n = numobservations(ds);
        end

        function other = partition(ds, count, index)
            % One of so many parts; things next to each other stay together.
            if nargin < 3 || ~isscalar(index) || ~any(index == 1:count)
                error('MATLAB:datastoreio:splittabledatastore:invalidPartition', ...
                    'partition takes the number of parts and the number of one of them.');
            end
            places = 1:numobservations(ds);
            other = subset(ds, places(ceil(places*count/numel(places)) == index));
        end
    end
end
