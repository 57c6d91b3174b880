classdef TransformedDatastore < handle
    % What a function makes of each read of datastores: transform(ds, fcn).
    properties (SetAccess = private)
        UnderlyingDatastores = {};
        Transforms = {};
        IncludeInfo = false;
    end

    methods
        function ds = TransformedDatastore(stores, fcn, informed)
            % Of datastores that are read together.
            ds.UnderlyingDatastores = stores;
            ds.Transforms = {fcn};
            ds.IncludeInfo = informed;
        end

        function tf = hasdata(ds)
            % Whether all datastores have something that was not read.
            tf = all(cellfun(@hasdata, ds.UnderlyingDatastores));
        end

        function [data, info] = read(ds)
            % What the function makes of what is read next.
            count = numel(ds.UnderlyingDatastores);
            [parts, told] = deal(cell(1, count));
            for k = 1:count
                [parts{k}, told{k}] = read(ds.UnderlyingDatastores{k});
            end
            if isscalar(told), info = told{1}; else, info = told; end
            if ds.IncludeInfo
                [data, info] = ds.Transforms{1}(parts{:}, info);
            else
                data = ds.Transforms{1}(parts{:});
            end
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
            % What the function makes of the beginning.
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
