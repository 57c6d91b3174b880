classdef TransformedDatastore < matlab.io.datastore.JoinedDatastores
    % What a function makes of each read of datastores: transform(ds, fcn).
    properties (SetAccess = private)
        Transforms = {};
        IncludeInfo = false;
    end

    methods
        function ds = TransformedDatastore(stores, fcn, informed)
            % Of datastores that are read together.
            ds@matlab.io.datastore.JoinedDatastores(stores);
            ds.Transforms = {fcn};
            ds.IncludeInfo = informed;
        end

        function [data, info] = read(ds)
            % What the function makes of what is read next.
            [parts, told] = read_each(ds);
            if isscalar(told), info = told{1}; else, info = told; end
            if ds.IncludeInfo
                [data, info] = ds.Transforms{1}(parts{:}, info);
            else
                data = ds.Transforms{1}(parts{:});
            end
        end
    end
end
