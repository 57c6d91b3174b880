classdef (Abstract) JoinedDatastores < matlab.io.datastore.SubsettableDatastore
    % Datastores that are read together: what combine and transform give has this in common.
    properties (SetAccess = private)
        UnderlyingDatastores = {};
    end

    methods (Abstract)
        [data, info] = read(ds)
    end

    methods
        function ds = JoinedDatastores(stores)
            % Of these datastores.
            ds.UnderlyingDatastores = stores;
        end

        function tf = hasdata(ds)
            % Whether all datastores have something that was not read.
            tf = all(cellfun(@hasdata, ds.UnderlyingDatastores));
        end

        function data = readall(ds)
            % All that read gives, below each other.
            whole = from_start(ds);
            parts = {};
            while hasdata(whole)
                parts{end + 1} = read(whole); %#ok<AGROW>
            end
            data = vertcat(parts{:});
        end

        function data = preview(ds)
            % What read gives first.
            data = read(from_start(ds));
        end

        function reset(ds)
            % Begin again.
            cellfun(@reset, ds.UnderlyingDatastores);
        end

        function share = progress(ds)
            % How much was read, from 0 to 1.
            share = progress(ds.UnderlyingDatastores{1});
        end

        function n = numobservations(ds)
            % How many things each datastore has; the fewest count.
            n = min(cellfun(@numobservations, ds.UnderlyingDatastores));
        end

        function n = numpartitions(ds)
            % How many parts make sense.
            n = min(cellfun(@numpartitions, ds.UnderlyingDatastores));
        end

        function other = subset(ds, which)
            % The same of some things of each datastore, by number or by a logical.
            other = of_each(ds, @(store) subset(store, which));
        end

        function other = partition(ds, count, index)
            % The same of one of so many parts of each datastore.
            other = of_each(ds, @(store) partition(store, count, index));
        end
    end

    methods (Access = protected)
        function [parts, told] = read_each(ds)
            % What each of them gives next, and what it says of that.
            count = numel(ds.UnderlyingDatastores);
            [parts, told] = deal(cell(1, count));
            for k = 1:count
                [parts{k}, told{k}] = read(ds.UnderlyingDatastores{k});
            end
        end

        function other = copyElement(ds)
            % A copy that is read by itself.
            other = of_each(ds, @copy);
        end
    end

    methods (Access = private)
        function other = of_each(ds, fcn)
            % The same of what a function makes of each datastore.
            other = copyElement@matlab.mixin.Copyable(ds);
            other.UnderlyingDatastores = ...
                cellfun(fcn, ds.UnderlyingDatastores, 'UniformOutput', false);
        end

        function other = from_start(ds)
            % A copy that is read from the start, whatever was read of this one.
            other = copy(ds);
            reset(other);
        end
    end
end
