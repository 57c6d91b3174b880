classdef (Abstract) JoinedDatastores < handle
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
            reset(ds);
            parts = {};
            while hasdata(ds)
                parts{end + 1} = read(ds); %#ok<AGROW>
            end
            reset(ds);
            data = vertcat(parts{:});
        end

        function data = preview(ds)
            % What read gives first; reading begins again.
            reset(ds);
            data = read(ds);
            reset(ds);
        end

        function reset(ds)
            % Begin again.
            cellfun(@reset, ds.UnderlyingDatastores);
        end

        function share = progress(ds)
            % How much was read, from 0 to 1.
            share = progress(ds.UnderlyingDatastores{1});
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
    end
end
