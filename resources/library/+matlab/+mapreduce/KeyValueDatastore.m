classdef KeyValueDatastore < matlab.io.datastore.SubsettableDatastore
    % What mapreduce made: keys and values, read as a table with Key and Value.
    properties
        ReadSize = 1;
    end

    properties (Access = private)
        Keys = {};
        Values = {};
        Next = 1;
    end

    methods
        function ds = KeyValueDatastore(keys, values)
            % Of these pairs.
            ds.Keys = keys;
            ds.Values = values;
        end

        function tf = hasdata(ds)
            % Whether there are pairs that were not read.
            tf = ds.Next <= numel(ds.Keys);
        end

        function t = read(ds)
            % The next pairs.
            if ~hasdata(ds)
                error('MATLAB:datastoreio:keyvaluedatastore:noMoreData', ...
                    'No more data to read. Use reset to begin again.');
            end
            last = min(ds.Next + ds.ReadSize - 1, numel(ds.Keys));
            t = pairs(ds, ds.Next:last);
            ds.Next = last + 1;
        end

        function t = readall(ds)
            % All pairs.
            t = pairs(ds, 1:numel(ds.Keys));
        end

        function t = preview(ds)
            % The first pairs.
            t = pairs(ds, 1:min(8, numel(ds.Keys)));
        end

        function n = numobservations(ds)
            % How many pairs there are.
            n = numel(ds.Keys);
        end

        function other = subset(ds, which)
            % Pairs by number or by a logical.
            other = matlab.mapreduce.KeyValueDatastore(ds.Keys(which), ds.Values(which));
            other.ReadSize = ds.ReadSize;
        end

        function reset(ds)
            % Begin again.
            ds.Next = 1;
        end

        function share = progress(ds)
            % How much was read, from 0 to 1.
            share = (ds.Next - 1)/max(numel(ds.Keys), 1);
        end
    end

    methods (Access = private)
        function t = pairs(ds, k)
            % Some pairs as a table.
            Key = ds.Keys(k);
            Key = Key(:);
            if ~isempty(Key) && all(cellfun(@isnumeric, Key))
                Key = cell2mat(Key);
            end
            Value = ds.Values(k);
            Value = Value(:);
            t = table(Key, Value);
        end
    end
end
