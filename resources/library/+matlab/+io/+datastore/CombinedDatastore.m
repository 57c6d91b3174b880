classdef CombinedDatastore < handle
    % Datastores that are read together, side by side: combine(ds1, ds2, ...).
    properties (SetAccess = private)
        UnderlyingDatastores = {};
    end

    methods
        function ds = CombinedDatastore(stores)
            % Of these datastores.
            ds.UnderlyingDatastores = stores;
        end

        function tf = hasdata(ds)
            % Whether all datastores have something that was not read.
            tf = all(cellfun(@hasdata, ds.UnderlyingDatastores));
        end

        function [data, info] = read(ds)
            % What they give next, beside each other; arrays in cells.
            count = numel(ds.UnderlyingDatastores);
            [parts, info] = deal(cell(1, count));
            for k = 1:count
                [parts{k}, info{k}] = read(ds.UnderlyingDatastores{k});
                if ~iscell(parts{k}) && ~istabular(parts{k})
                    parts{k} = parts(k);
                end
            end
            data = horzcat(parts{:});
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
            % What they give first.
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
end
