classdef CombinedDatastore < matlab.io.datastore.JoinedDatastores
    % Datastores that are read together, side by side: combine(ds1, ds2, ...).
    methods
        function ds = CombinedDatastore(stores)
            % Of these datastores.
            ds@matlab.io.datastore.JoinedDatastores(stores);
        end

        function [data, info] = read(ds)
            % What they give next, beside each other; arrays in cells.
            [parts, info] = read_each(ds);
            bare = ~cellfun(@(part) iscell(part) || istabular(part), parts);
            parts(bare) = num2cell(parts(bare));
            data = horzcat(parts{:});
        end
    end
end
